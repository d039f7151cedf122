// Which files are archives, by how they begin. One that is none would fail the import of all that it was sent with.

import type { Parcel } from "./parcel.js";

const HEAD = 512; // one header of a tar
const MAGICS = ["PK\x03\x04", "PK\x05\x06", "\x1f\x8b", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd"];

/** Of several archives those that can be one; refused has a sentence for each of the others. Of one alone the server tells what is wrong. */
export async function sift(parcels: readonly Parcel[]): Promise<{ fit: Parcel[]; refused: string[] }> {
  const heads = await Promise.all(parcels.map(async (p) => new Uint8Array(await p.blob.slice(0, HEAD).arrayBuffer())));
  const fit = parcels.filter((_, i) => isArchive(heads[i]));
  if (parcels.length === 1) return { fit: [...parcels], refused: [] };
  const refused = parcels.filter((p) => !fit.includes(p)).map((p) => `${p.name} is ${p.blob.size === 0 ? "empty" : "not an archive: zip, tar, tar.gz, tar.xz and tar.zst are accepted"}.`);
  return { fit, refused };
}

/** Whether a file that begins with head can be of a format that the server reads. */
export function isArchive(head: Uint8Array): boolean {
  const begin = String.fromCharCode(...head.subarray(0, 6));
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
