// Finds the unfinished upload that archives belong to.

import { bytes, counted } from "../time/number.js";
import type { SetStatus } from "./api.js";
import { recall, type Remembered } from "./memory.js";
import type { Parcel } from "./parcel.js";

/** Whether archives are all of those that are known, and no others: by name, size and date of change, of a folder that of each file in it. */
export function same(known: readonly Remembered[], parcels: readonly Parcel[]): boolean {
  return known.length === parcels.length && known.every((f) => parcels.some((p) => isIt(f, p) && p.blob.size === f.size && unchanged(f, p)));
}

// Whether a parcel has the name of a file that is known, be it the one that it was sent by.
const isIt = (f: { name: string; was?: string }, p: Parcel) => p.name === f.name || (f.was !== undefined && p.name === f.was);

/** Archives by the names that they are known by in the upload of a set. */
export function asSent(id: string, parcels: readonly Parcel[]): Parcel[] {
  const known = recall(id) ?? [];
  return parcels.map((p) => {
    if (known.some((k) => k.name === p.name)) return p;
    const f = known.find((k) => k.was === p.name && k.size === p.blob.size && unchanged(k, p));
    return f ? { ...p, name: f.name, was: f.was! } : p;
  });
}

function unchanged(known: Remembered, p: Parcel): boolean {
  return p.modified === known.modified && p.print === (known.print ?? "");
}

/**
 * The set whose upload these very archives go on with, if there is one; of several that with most of it here. busy has those
 * that are being uploaded.
 */
export function unfinishedOf(sets: readonly SetStatus[], parcels: readonly Parcel[], busy: ReadonlySet<string>): SetStatus | null {
  const received = (s: SetStatus) => (s.files ?? []).reduce((n, f) => n + f.received, 0);
  const fit = sets.filter((s) => s.state === "uploading" && !busy.has(s.id) && same(recall(s.id) ?? [], parcels));
  return fit.reduce<SetStatus | null>((most, s) => (most && received(most) >= received(s) ? most : s), null);
}

/** Why the upload of a set cannot go on with these archives, in a sentence; "" if it can. */
export function mismatch(set: SetStatus, parcels: readonly Parcel[]): string {
  const known = recall(set.id);
  for (const f of known ?? (set.files ?? []).filter((x) => x.received < x.size)) {
    const p = parcels.find((x) => isIt(f, x));
    if (!p && known) return `${f.name} (${bytes(f.size)}) belongs to this upload as well: choose all of its ${counted(known.length, "archive")}.`;
    if (!p) return `${f.name} (${bytes(f.size)}) is needed to go on; choose all that was not finished.`;
    if (p.blob.size !== f.size) return `${f.name} had ${bytes(f.size)} when the upload began and has ${bytes(p.blob.size)} now; delete the unfinished upload and begin anew.`;
    if ("modified" in f && !unchanged(f, p)) return `${f.name} was changed since the upload began; delete the unfinished upload and begin anew.`;
  }
  return "";
}
