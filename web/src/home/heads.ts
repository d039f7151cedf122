// Which files are archives, by how they begin. One that is none is told of before anything is sent: there would be nothing to
// import, and a set that failed would be left of it.

import { isText, type Parcel } from "./parcel.js";

const HEAD = 512; // one header of a tar
const MAGICS = ["PK\x03\x04", "PK\x05\x06", "\x1f\x8b", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd"];
/** Formats that people pack with and that nothing here reads, as the server names them. */
const FOREIGN: readonly [string, string][] = [["BZh", "bzip2"], ["7z\xbc\xaf\x27\x1c", "7-Zip"], ["Rar!\x1a\x07", "RAR"], ["\x04\x22\x4d\x18", "LZ4"]];
const ACCEPTED = "zip, tar, tar.gz, tar.xz and tar.zst are accepted";

/** Of files those that can be archives, and texts that say what is in such; refused has a sentence for each of the others. */
export async function sift(parcels: readonly Parcel[]): Promise<{ fit: Parcel[]; refused: string[] }> {
  const heads = await Promise.all(parcels.map(async (p) => new Uint8Array(await p.blob.slice(0, HEAD).arrayBuffer())));
  const fits = (p: Parcel, i: number) => isText(p.name) || isArchive(heads[i]);
  const fit = parcels.filter(fits);
  const refused = parcels.flatMap((p, i) => (fits(p, i) ? [] : [`${p.name} is ${whatItIs(heads[i])}.`]));
  return { fit, refused };
}

// What a file is that is no archive.
function whatItIs(head: Uint8Array): string {
  if (head.length === 0) return "empty";
  const begin = beginOf(head);
  const foreign = FOREIGN.find(([magic]) => begin.startsWith(magic));
  return foreign ? `a ${foreign[1]} file: ${ACCEPTED}` : `not an archive: ${ACCEPTED}`;
}

const beginOf = (head: Uint8Array) => String.fromCharCode(...head.subarray(0, 6));

/** Whether a file that begins with head can be of a format that the server reads. */
export function isArchive(head: Uint8Array): boolean {
  const begin = beginOf(head);
  return MAGICS.some((m) => begin.startsWith(m)) || (head[0] & 0xf0) === 0x50 && begin.slice(1, 4) === "\x2a\x4d\x18" || isTar(head);
}

// A header of a tar has the sum of its bytes, the field of the sum counted as spaces; a tar of nothing is zeros.
function isTar(head: Uint8Array): boolean {
  if (head.length < HEAD) return false;
  if (head.every((b) => b === 0)) return true;
  const [from, to] = [148, 156];
  const field = String.fromCharCode(...head.subarray(from, to)).replace(/^[ \0]+|[ \0]+$/g, "");
  if (!/^[0-7]+$/.test(field)) return false;
  let [unsigned, signed] = [0, 0];
  head.forEach((b, i) => {
    const x = i >= from && i < to ? 32 : b;
    unsigned += x;
    signed += x << 24 >> 24;
  });
  return [unsigned, signed].includes(parseInt(field, 8));
}
