// Finds the unfinished upload that archives belong to.

import { bytes } from "../time/number.js";
import type { SetStatus } from "./api.js";
import { recall } from "./memory.js";
import type { Parcel } from "./parcel.js";

/** The set whose upload these very archives go on with, if there is one; busy has those that are being uploaded from this page. */
export function unfinishedOf(sets: readonly SetStatus[], parcels: readonly Parcel[], busy: ReadonlySet<string>): SetStatus | null {
  return sets.find((s) => {
    const files = s.state === "uploading" && !busy.has(s.id) ? recall(s.id) : null;
    return files !== null && files.length === parcels.length && files.every((f) => parcels.some((p) => p.name === f.name && p.blob.size === f.size && p.modified === f.modified));
  }) ?? null;
}

/** Why the upload of a set cannot go on with these archives, in a sentence; "" if it can. */
export function mismatch(set: SetStatus, parcels: readonly Parcel[]): string {
  const known = recall(set.id);
  for (const f of known ?? (set.files ?? []).filter((x) => x.received < x.size)) {
    const p = parcels.find((x) => x.name === f.name);
    if (!p) return `${f.name} (${bytes(f.size)}) is needed to go on; choose all that was not finished.`;
    if (p.blob.size !== f.size) return `${f.name} had ${bytes(f.size)} when the upload began and has ${bytes(p.blob.size)} now; delete the unfinished upload and begin anew.`;
    if ("modified" in f && p.modified !== f.modified) return `${f.name} was changed since the upload began; delete the unfinished upload and begin anew.`;
  }
  return "";
}
