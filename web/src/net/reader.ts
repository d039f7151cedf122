// Reads a binary message front to back. Every step checks that the bytes are there;
// a column is a view into the message, never a copy.

export class WireError extends Error {}

interface ColumnType<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, offset: number, length: number): T;
}

const utf8 = new TextDecoder();

export class Reader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
  }

  private take(size: number): number {
    const at = this.at;
    if (!(size >= 0) || at + size > this.buffer.byteLength)
      throw new WireError(`message ends at byte ${this.buffer.byteLength}, ${size} more were announced at ${at}`);
    this.at += size;
    return at;
  }

  u8 = (): number => this.view.getUint8(this.take(1));
  u16 = (): number => this.view.getUint16(this.take(2), true);
  u32 = (): number => this.view.getUint32(this.take(4), true);
  i64 = (): bigint => this.view.getBigInt64(this.take(8), true);

  /** Skips to a multiple of size. */
  align(size: number): void {
    this.take((size - (this.at % size)) % size);
  }

  /** A column of n elements, begun at a multiple of their size. */
  column<T>(type: ColumnType<T>, n: number): T {
    this.align(type.BYTES_PER_ELEMENT);
    return new type(this.buffer, this.take(n * type.BYTES_PER_ELEMENT), n);
  }

  text(size: number): string {
    return utf8.decode(new Uint8Array(this.buffer, this.take(size), size));
  }

  rest(): string {
    return this.text(this.buffer.byteLength - this.at);
  }

  /** Texts that lie end to end: ends[i] is where the i-th ends. */
  texts(ends: Uint32Array, size: number): string[] {
    const bytes = new Uint8Array(this.buffer, this.take(size), size);
    let begin = 0;
    return Array.from(ends, (end) => {
      if (end < begin || end > size) throw new WireError("a text ends before it begins or past the message");
      const s = utf8.decode(bytes.subarray(begin, end));
      begin = end;
      return s;
    });
  }
}
