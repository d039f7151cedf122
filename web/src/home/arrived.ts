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
  readonly parts: readonly string[]; // names of those that are here in part
  readonly missing: readonly string[]; // and of those of which nothing is here
  readonly fit: boolean; // what was begun is whole, so that it can be imported
  readonly known: boolean; // what there is besides
}

/** Puts together what the server has and what this browser remembers to have been dropped, null where it dropped nothing. */
export function arrivedOf(all: readonly FileStatus[], dropped: readonly { name: string; size: number }[] | null): Arrived {
  const files = all.filter((f) => !f.given || !dropped?.some((d) => d.name === f.name)); // which gives way
  const begun = new Map(files.map((f) => [f.name, f]));
  const more = (dropped ?? []).filter((d) => !begun.has(d.name));
  const short = files.filter((f) => f.received < f.size);
  const names = (of: readonly { name: string }[]) => of.map((f) => f.name);
  return {
    archives: files.length + more.length,
    whole: files.length - short.length,
    size: [...files, ...more].reduce((n, f) => n + Math.max(0, f.size), 0),
    received: files.reduce((n, f) => n + f.received, 0),
    parts: names(short.filter((f) => f.received > 0)),
    missing: names([...short.filter((f) => f.received === 0), ...more]),
    fit: files.length > 0 && short.length === 0,
    known: dropped !== null,
  };
}

/** What is missing, in sentences; "" where all is here, or where there is one archive alone. */
export function missingWords({ archives, whole, parts, missing, fit, known }: Arrived): string {
  const others = known ? "" : "If there were more, this browser does not know of them.";
  if (fit && !known) return `${archives === 1 ? "The archive" : "Every archive"} that was begun is here. ${others}`;
  if (archives < 2 || parts.length + missing.length === 0) return "";
  const here = whole > 0 ? `${whole} of ${counted(archives, "archive")} ${are(whole)} here` : `None of the ${counted(archives, "archive")} is here${parts.length > 0 ? " whole" : ""}`;
  const told = [here, parts.length > 0 ? `${list(parts, NAMED)} ${are(parts.length)} here in part` : "", missing.length > 0 ? `${list(missing, NAMED)} ${are(missing.length)} missing` : ""];
  return [`${told.filter(Boolean).join("; ")}.`, others].filter(Boolean).join(" ");
}

const are = (n: number) => (n === 1 ? "is" : "are");
