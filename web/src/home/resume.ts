// Finds the unfinished upload that archives belong to.

import { bytes, counted } from "../time/number.js";
import type { SetStatus } from "./api.js";
import { recall, type Remembered } from "./memory.js";
import { isText, named, type Parcel } from "./parcel.js";

/** A file of an upload, as the browser that sent it knows it, or as the server has it. */
type Sent = Pick<Remembered, "name" | "was" | "size"> & Partial<Pick<Remembered, "modified" | "print">>;

/** Whether archives are all of those that are known, and no others: by name, size and date of change, of a folder that of each file in it. */
export function same(known: readonly Remembered[], parcels: readonly Parcel[]): boolean {
  return known.length === parcels.length && paired(known, parcels).every((p, i) => p !== undefined && isIt(known[i], p));
}

/** Archives by the names that they were sent by, of files that are known. */
export function asKnown(known: readonly Sent[], parcels: readonly Parcel[]): Parcel[] {
  const found = paired(known, parcels);
  return parcels.map((p) => asFile(p, known[found.indexOf(p)]));
}

const asFile = (p: Parcel, f: Sent | undefined): Parcel => (f && f.name !== p.name ? { ...p, name: f.name, was: original(p) } : p);

/**
 * The same of the upload of a set. Files are of what is wanted for it to go on before they are of what else it has, where that is the very same. What is of neither gets a name
 * that nothing has which is in it, or is still to be sent.
 */
export function asSent(set: SetStatus, parcels: readonly Parcel[]): Parcel[] {
  const needed = wanted(set);
  const others = (set.files ?? []).filter((f) => !f.given && !needed.some((n) => n.name === f.name));
  const sent = new Map<Parcel, Parcel>();
  for (const [files, alike] of [[needed, false], [others, true]] as const)
    paired(files, parcels.filter((p) => !sent.has(p)), alike).forEach((p, i) => p && sent.set(p, asFile(p, files[i])));
  const fresh = parcels.filter((p) => !sent.has(p));
  const names = unlike(set, fresh, needed.map((f) => f.name));
  fresh.forEach((p, i) => sent.set(p, names[i]));
  return parcels.map((p) => sent.get(p)!);
}

/** Parcels by names that nothing in a set has, nor what else is called. An archive in it that was damaged, and a text, give way to those that are called so; others of their names may be of another machine. */
export function unlike(set: SetStatus, parcels: readonly Parcel[], called: readonly string[] = []): Parcel[] {
  const names = (givesWay: boolean) => (set.files ?? []).filter((f) => (isText(f.name) || !!f.lacks) === givesWay).map((f) => f.name);
  return named(parcels, [...names(false), ...called.filter((name) => !isText(name))], names(true));
}

// What is to be chosen for an upload to go on: all that this browser began it with, or what the server has not whole.
const wanted = (set: SetStatus): readonly Sent[] => recall(set.id) ?? (set.files ?? []).filter((f) => !f.given && (f.size < 0 || f.received < f.size));

const original = ({ name, was }: { name: string; was?: string }) => was || name;

// A name without the numbers that tell it from others.
const unnumbered = (name: string) => name.replace(/^([^.]*?)(?: \(\d+\))+/, "$1");

// How large a file is may not have been announced.
const fits = (f: Sent, p: Parcel) => f.size < 0 || f.size === p.blob.size;

const isIt = (f: Sent, p: Parcel) => fits(f, p) && (f.modified === undefined || unchanged(f, p));

// Which archive each file is, none of which is two: by what it is called where it is, or by the name that it was sent by; those come first that are what they were,
// and are all where they have to be alike.
function paired(files: readonly Sent[], parcels: readonly Parcel[], alike = false): (Parcel | undefined)[] {
  const left = new Set(parcels);
  const found = files.map((): Parcel | undefined => undefined);
  const named = [(f: Sent, p: Parcel) => original(f) === original(p), (f: Sent, p: Parcel) => f.name === p.name];
  const numbered = (f: Sent, p: Parcel) => f.modified === undefined && unnumbered(f.name) === unnumbered(p.name);
  const ways = [...named.map((by) => (f: Sent, p: Parcel) => by(f, p) && isIt(f, p)), (f: Sent, p: Parcel) => numbered(f, p) && isIt(f, p), ...(alike ? [] : named)];
  for (const is of ways)
    files.forEach((f, i) => {
      const p = found[i] ? undefined : [...left].find((x) => is(f, x));
      if (!p) return;
      found[i] = p;
      left.delete(p);
    });
  return found;
}

function unchanged(known: Sent, p: Parcel): boolean {
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
  const [known, files] = [recall(set.id), wanted(set)];
  const found = paired(files, parcels);
  for (const [i, f] of files.entries()) {
    const p = found[i];
    if (!p && f.size < 0) continue; // all of it may be there
    if (!p && known) return `${f.name} (${bytes(f.size)}) belongs to this upload as well: choose all of its ${counted(known.length, "archive")}.`;
    if (!p) return `${f.name} (${bytes(f.size)}) is needed to go on; choose all that was not finished.`;
    if (!fits(f, p)) return `${f.name} had ${bytes(f.size)} when the upload began and has ${bytes(p.blob.size)} now; delete the unfinished upload and begin anew.`;
    if (f.modified !== undefined && !unchanged(f, p)) return `${f.name} was changed since the upload began; delete the unfinished upload and begin anew.`;
  }
  return "";
}
