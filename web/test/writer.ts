// Writes messages as docs/format/wire.md says, for the tests to read them back.

import { VERSION } from "../src/net/wire.js";

export class Writer {
  private bytes: number[] = [];

  u8(...v: number[]): this {
    this.bytes.push(...v.map((n) => n & 255));
    return this;
  }

  private le(size: number, set: (d: DataView) => void): this {
    const d = new DataView(new ArrayBuffer(size));
    set(d);
    this.bytes.push(...new Uint8Array(d.buffer));
    return this;
  }

  u16(...v: number[]): this {
    for (const n of v) this.le(2, (d) => d.setUint16(0, n, true));
    return this;
  }

  u32(...v: number[]): this {
    for (const n of v) this.le(4, (d) => d.setUint32(0, n, true));
    return this;
  }

  i32(...v: number[]): this {
    for (const n of v) this.le(4, (d) => d.setInt32(0, n, true));
    return this;
  }

  i64(...v: bigint[]): this {
    for (const n of v) this.le(8, (d) => d.setBigInt64(0, n, true));
    return this;
  }

  f32(...v: number[]): this {
    for (const n of v) this.le(4, (d) => d.setFloat32(0, n, true));
    return this;
  }

  f64(...v: number[]): this {
    for (const n of v) this.le(8, (d) => d.setFloat64(0, n, true));
    return this;
  }

  align(size: number): this {
    while (this.bytes.length % size) this.bytes.push(0);
    return this;
  }

  text(s: string): this {
    this.bytes.push(...new TextEncoder().encode(s));
    return this;
  }

  header(kind: number, view: number, gen: number): this {
    return this.u8(kind, VERSION).u16(view).u32(gen);
  }

  /** The tail of states and messages: the version of the maps and local begin and end of each host. */
  clocks(version: number, ...spans: bigint[]): this {
    return this.align(8).u32(version, spans.length / 2).i64(...spans);
  }

  done(): ArrayBuffer {
    return new Uint8Array(this.bytes).buffer;
  }
}
