// What of a set could not be read, in a sentence; why, the import report says.

import type { Incomplete } from "../net/json.js";
import { counted, group } from "../time/number.js";
import { shortened } from "./shortened.js";

/** The part of a set's status that tells of it. */
export interface Readable {
  readonly damaged?: readonly string[];
  readonly incomplete?: Incomplete;
  readonly unreadable?: number;
  readonly harmed?: readonly string[];
  readonly hosts: readonly { readonly name: string; readonly state: string }[] | null;
}

/** Sentences on what is missing, from whole archives to the ends of hosts; "" where all was read. */
export function unreadWords(set: Readable): string {
  const [left, failed] = [set.unreadable ?? 0, (set.hosts ?? []).filter((x) => x.state === "failed").map((x) => x.name)];
  const out = set.incomplete && set.incomplete.count > 1 ? [archivesWords(set.incomplete)] : [...(set.damaged ?? [])];
  if (left > 0) out.push(`${counted(left, "trace")} could not be read and ${left > 1 ? "are" : "is"} left out.`);
  if (failed.length > 0) out.push(`${listed(failed, failed.length)} could not be read to the end.`);
  const harmed = set.harmed ?? [];
  if (harmed.length > 0) out.push(harmed[0]!);
  if (harmed.length > 1) out.push(`${counted(harmed.length - 1, "other file")} ${harmed.length > 2 ? "are" : "is"} damaged too.`);
  return out.join(" ");
}

/** So many are named; the import report has all. */
const NAMED = 3;
/** The letters at the begin and the end of a name that tell it from others. */
const [HEAD, TAIL] = [28, 16];

// What is missing of several archives, which would take the room of what is shown if each had a sentence of its own.
function archivesWords({ count, archives }: Incomplete): string {
  const where = { "damaged-archive": "a part", "unreadable-archive": "all of it", "no-trace": "no trace in it" };
  const named = archives.map((a) => `${shortened(a.name, HEAD, TAIL)} (${where[a.kind]}${a.offset > 0 ? `, byte ${group(a.offset)}` : ""})`);
  const repair = archives.every((a) => a.kind === "no-trace") ? "" : " When they are repaired, import all as a new set.";
  return `Of ${counted(count, "archive")} something is missing: ${listed(named, count)}.${repair}`;
}

function listed(names: readonly string[], count: number): string {
  if (count > NAMED) return `${names.slice(0, NAMED).join(", ")} and ${counted(count - NAMED, "other")}`;
  return names.join(", ");
}

/** What a part of the page says that would show something of a set of which nothing could be read, in three pieces: the
 * second is a way there where it can be pressed. */
export const NOTHING_PIECES = ["Nothing could be read; the ", "Import tab", " says why."] as const;

/** The same of a set that was read to its end and has no event. */
export const NO_EVENTS_PIECES = ["The recordings hold no events; the ", "Import tab", " says more."] as const;

/** The first of these as a sentence, and what a view says of the second. */
export const NOTHING = NOTHING_PIECES.join("");
export const NO_EVENTS = "The recordings hold no events.";
