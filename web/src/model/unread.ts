// What of a set could not be read, in a sentence; why, the import report says.

import { counted } from "../time/number.js";

/** The part of a set's status that tells of it. */
export interface Readable {
  readonly damaged?: readonly string[];
  readonly unreadable?: number;
  readonly hosts: readonly { readonly name: string; readonly state: string }[] | null;
}

/** Sentences on what is missing, from whole archives to the ends of hosts; "" where all was read. */
export function unreadWords(set: Readable): string {
  const [left, failed] = [set.unreadable ?? 0, (set.hosts ?? []).filter((x) => x.state === "failed").map((x) => x.name)];
  const out = [...(set.damaged ?? [])];
  if (left > 0) out.push(`${counted(left, "trace")} could not be read and ${left > 1 ? "are" : "is"} left out.`);
  if (failed.length > 0) out.push(`${failed.join(", ")} could not be read to the end.`);
  return out.join(" ");
}

/** What a part of the page says that would show something of a set of which nothing could be read, in three pieces: the
 * second is a way there where it can be pressed. */
export const NOTHING_PIECES = ["Nothing could be read; the ", "Import tab", " says why."] as const;

/** The same of a set that was read to its end and has no event. */
export const NO_EVENTS_PIECES = ["The recordings hold no events; the ", "Import tab", " says more."] as const;

/** The first of these as a sentence, and what a view says of the second. */
export const NOTHING = NOTHING_PIECES.join("");
export const NO_EVENTS = "The recordings hold no events.";
