// A folder as one tar archive (POSIX.1-2001, "pax"). Nothing is copied: the archive is a list of parts, the files among
// them, that the browser reads when they are sent. The same files give the same bytes, so an upload can go on later.

/** A file of a folder, by its path below the folder that holds it. */
export interface Inside {
  path: string;
  file: Blob;
}

const BLOCK = 512;
const LARGEST = 8 ** 11 - 1; // that the size in a header can say

/** Makes the archive of files; their order does not matter. */
export function tarOf(files: readonly Inside[]): Blob {
  const parts: BlobPart[] = [];
  for (const { path, file } of [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))) {
    const name = new TextEncoder().encode(path);
    const records: string[] = [];
    if (name.length > 100 || name.length !== path.length) records.push(record("path", path));
    if (file.size > LARGEST) records.push(record("size", String(file.size)));
    if (records.length > 0) {
      const body = new TextEncoder().encode(records.join(""));
      parts.push(header("pax", body.length, "x"), body, padding(body.length));
    }
    parts.push(header(path, Math.min(file.size, LARGEST), "0"), file, padding(file.size));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new Blob(parts);
}

// A record of an extended header: its own length in bytes stands at its beginning.
function record(key: string, value: string): string {
  const rest = new TextEncoder().encode(` ${key}=${value}\n`).length;
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function padding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}

function header(path: string, size: number, kind: string): Uint8Array<ArrayBuffer> {
  const b = new Uint8Array(BLOCK);
  const put = (at: number, s: string) => b.set(new TextEncoder().encode(s), at);
  const octal = (at: number, n: number, width: number) => put(at, n.toString(8).padStart(width - 1, "0"));
  b.set(new TextEncoder().encode(path).subarray(0, 100));
  octal(100, 0o644, 8);
  octal(108, 0, 8);
  octal(116, 0, 8);
  octal(124, size, 12);
  octal(136, 0, 12); // when it was changed: not told
  put(148, "        "); // the checksum counts itself as spaces
  put(156, kind);
  put(257, "ustar\x0000");
  const sum = b.reduce((n, x) => n + x, 0);
  put(148, sum.toString(8).padStart(6, "0") + "\0 ");
  return b;
}
