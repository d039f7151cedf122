// How much of all that was dropped has arrived: the server knows what was begun, the browser that began it what there is besides.

import { list } from "../model/names.js";
import { counted } from "../time/number.js";
import type { FileStatus } from "./api.js";

/** So many archives that are missing are told apart. */
const NAMED = 5;

export interface Arrived {
  readonly archives: number;
  readonly whole: number; // of them
  readonly size: number; // bytes of all
  readonly received: number;
  readonly missing: readonly string[]; // what is not here of them, in words
  readonly fit: boolean; // what was begun is whole, so that it can be imported
  readonly known: boolean; // what there is besides
}

/** Puts together what the server has and what this browser remembers to have been dropped, null where it dropped nothing. */
export function arrivedOf(files: readonly FileStatus[], dropped: readonly { name: string; size: number }[] | null): Arrived {
  const begun = new Map(files.map((f) => [f.name, f]));
  const more = (dropped ?? []).filter((d) => !begun.has(d.name));
  const short = files.filter((f) => f.received < f.size);
  return {
    archives: files.length + more.length,
    whole: files.length - short.length,
    size: [...files, ...more].reduce((n, f) => n + Math.max(0, f.size), 0),
    received: files.reduce((n, f) => n + f.received, 0),
    missing: [...short.map((f) => (f.received > 0 ? `a part of ${f.name}` : f.name)), ...more.map((f) => f.name)],
    fit: files.length > 0 && short.length === 0,
    known: dropped !== null,
  };
}

/** What is missing, as a sentence; "" where all is here, or where there is one archive alone. */
export function missingWords({ archives, whole, missing, fit, known }: Arrived): string {
  if (fit && !known) return "All that was begun is here; whether more belongs to it is not known to this browser.";
  if (archives < 2 || missing.length === 0) return "";
  return `${whole} of ${counted(archives, "archive")} ${whole === 1 ? "is" : "are"} here; ${list(missing, NAMED)} ${missing.length === 1 ? "is" : "are"} missing.`;
}
