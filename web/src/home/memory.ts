// Which archives an upload that is under way is made of, kept by the browser, so that after a reload the same files are
// known again. What has arrived the server knows.

import type { Parcel } from "./parcel.js";

export interface Remembered {
  name: string;
  was?: string; // what the file is called where it is, if that is another name
  from?: string; // the set that the one of the upload is made of
  size: number;
  modified: number;
  folder: boolean; // it is made of one
  print?: string; // of what is in the folder
}

const KEY = "synchroscope.uploads";

function all(): Record<string, Remembered[]> {
  try {
    const v: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof v === "object" && v !== null ? (v as Record<string, Remembered[]>) : {};
  } catch {
    return {};
  }
}

function keep(uploads: Record<string, Remembered[]>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(uploads));
  } catch {
    // Without a store an upload goes on only where its archives are chosen for it.
  }
}

/** What archives are known by. */
export function knownOf(parcels: readonly Parcel[], from = ""): Remembered[] {
  return parcels.map((p) => ({ name: p.name, ...(p.was ? { was: p.was } : {}), ...(from ? { from } : {}), size: p.blob.size, modified: p.modified, folder: p.folder, print: p.print }));
}

export function remember(id: string, archives: Remembered[]): void {
  keep({ ...all(), [id]: archives });
}

export function forget(id: string): void {
  const uploads = all();
  delete uploads[id];
  keep(uploads);
}

/** The archives of an upload, null where this browser did not begin it. */
export function recall(id: string): Remembered[] | null {
  const list = all()[id];
  return Array.isArray(list) && list.every((f) => typeof f?.name === "string" && typeof f?.size === "number") ? list : null;
}

/** Drops what is remembered of sets that are not to be kept. */
export function prune(kept: (id: string) => boolean): void {
  const uploads = all();
  const left = Object.fromEntries(Object.entries(uploads).filter(([id]) => kept(id)));
  if (Object.keys(left).length !== Object.keys(uploads).length) keep(left);
}
