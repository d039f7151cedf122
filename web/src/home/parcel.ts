// What is uploaded: archives as they are, and folders of traces, each as one tar archive.

import { tarOf, type Inside } from "./tar.js";

/** One archive that is sent. */
export interface Parcel {
  name: string;
  was: string; // what the file is called where it is, if that is another name; else ""
  blob: Blob;
  modified: number; // ms: when it, or the newest file in it, was changed
  folder: boolean; // it is made of one
  print: string; // another one where any file in the folder has another path, size or date of change; "" of a file
}

/** Folders beyond this are better packed before. */
const MOST_FILES = 50_000;

const ARCHIVE = /\.(zip|tar|tgz|txz|gz|xz|zst)$/i;

/** Whether a file of a name says what is in traces: it is sent as it is, beside archives. */
export const isText = (name: string): boolean => /^synchroscope-(endpoints|states|symbols)$/.test(name);

/** Bytes of a name: the server takes 200, of which a number behind the name has the rest. */
const LONGEST_NAME = 192;

/** A file that was dropped or chosen, with its path: one element of a file, several of what is in a folder. */
export interface Found {
  path: string;
  file: File;
}

/** Reads what was dropped. It must be called while the event is handled; only the answer takes time. */
export function dropped(items: DataTransferItemList): Promise<Found[]> {
  const entries = [...items].filter((i) => i.kind === "file").map((i) => i.webkitGetAsEntry()).filter((e) => e !== null);
  return (async () => {
    const out: Found[] = [];
    for (const e of entries) await walk(e, out);
    return out;
  })();
}

async function walk(entry: FileSystemEntry, out: Found[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    out.push({ path, file: await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)) });
    if (out.length > MOST_FILES) throw new Error(`More than ${MOST_FILES} files; pack them as an archive and upload that.`);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) { // it gives a hundred at a time
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return;
    for (const e of some) await walk(e, out);
  }
}

/** Chosen files; those of a folder have a path. */
export function chosen(list: Iterable<File>): Found[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/**
 * Makes parcels of what was found: a single file is one, a folder that holds traces becomes one, and archives in a
 * folder, but for those within a trace, are one each. refused has a sentence for each folder with neither.
 */
export function parcelsOf(found: readonly Found[]): { parcels: Parcel[]; refused: string[] } {
  const parcels: Parcel[] = [];
  const refused: string[] = [];
  const folders = new Map<string, Found[]>();
  for (const f of found) {
    const cut = f.path.indexOf("/");
    if (cut < 0) parcels.push(parcel(f.file, f.path));
    else {
      const folder = f.path.slice(0, cut);
      const files = folders.get(folder);
      if (files) files.push(f);
      else folders.set(folder, [f]);
    }
  }
  for (const [folder, files] of folders) {
    const traces = files.filter((f) => f.path.endsWith("/metadata")).map((f) => f.path.slice(0, -"metadata".length));
    const archives = files.filter((f) => ARCHIVE.test(f.file.name) && !traces.some((t) => f.path.startsWith(t)));
    if (traces.length > 0) {
      const packed = files.filter((f) => !archives.includes(f));
      const inside: Inside[] = packed.map((f) => ({ path: f.path, file: f.file }));
      parcels.push({ name: `${folder}.tar`, was: "", blob: tarOf(inside), modified: packed.reduce((t, f) => Math.max(t, f.file.lastModified), 0), folder: true, print: printOf(packed) });
    }
    const texts = traces.length > 0 ? [] : files.filter((f) => isText(f.file.name)); // those beside traces are packed with them
    for (const f of [...archives, ...texts]) parcels.push(parcel(f.file, f.file.name));
    if (traces.length === 0 && archives.length === 0 && texts.length === 0) refused.push(`${folder} holds no trace and no archive: a trace is a folder with a file called metadata.`);
  }
  return { parcels: named(parcels), refused };
}

function parcel(file: File, name: string): Parcel {
  return { name, was: "", blob: file, modified: file.lastModified, folder: false, print: "" };
}

// The newest date alone does not tell that an older file was changed for another of its size. (FNV-1a, twice.)
function printOf(files: readonly Found[]): string {
  const lines = files.map((f) => JSON.stringify([f.path, f.file.size, f.file.lastModified])).sort();
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (const byte of new TextEncoder().encode(lines.join())) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
  }
  return [a, b].map((x) => (x >>> 0).toString(16)).join("-");
}

/**
 * Parcels of names that are not taken yet: two of one name are told apart by a number. What has a name of givingWay gives way to a file that is called so, and no number makes it of another.
 * What a file may be called and an archive at the server may not is called a little otherwise.
 */
export function named(parcels: readonly Parcel[], taken: Iterable<string> = [], givingWay: Iterable<string> = []): Parcel[] {
  const [used, kept] = [new Set(taken), new Set(givingWay)];
  return parcels.map((p) => {
    const called = p.was || p.name;
    const base = sendable(called);
    let name = base;
    for (let n = 2; used.has(name) || (name !== base && kept.has(name)); n++) name = base.replace(/^([^.]*)/, `$1 (${n})`);
    used.add(name);
    return { ...p, name, was: name === called ? "" : called };
  });
}

// The ending stays: it tells what kind of archive it is.
function sendable(name: string): string {
  const clean = name.replace(/[\p{Cc}\ufffd\\]/gu, "_");
  const end = /(\.synchroscope)?(\.tar)?\.[a-z0-9]{1,4}$/i.exec(clean)?.[0] ?? "";
  return cutTo(clean.slice(0, clean.length - end.length), LONGEST_NAME - end.length) + end;
}

/** A text of at most so many bytes: of a longer one the begin, and that there is more. */
export function cutTo(text: string, most: number): string {
  const bytes = (s: string) => new TextEncoder().encode(s).length;
  if (bytes(text) <= most) return text;
  let [kept, left] = ["", most - bytes("…")];
  for (const c of text) {
    left -= bytes(c);
    if (left < 0) break;
    kept += c;
  }
  return `${kept}…`;
}
