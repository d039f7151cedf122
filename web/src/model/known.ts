// How well a host's clock is known, in words.

import type { At, HostInfo } from "../net/json.js";
import { exact, parseNs, plusMinus, type Ns } from "../time/time.js";
import { list } from "./names.js";
import { shortened } from "./shortened.js";

/** Of a name among such words stand so many letters at its begin and its end. */
const HEAD = 9;
const TAIL = 8;

/** What is said of a host whose clock nothing relates to the reference: while it is still read nobody knows whether that stays so. */
export function unrelatedWords(host: Pick<HostInfo, "provisional" | "apart">): string {
  return host.provisional ? "not known yet" : host.apart || apartWords("");
}

/** The same once it stays so: by whose clock the host's times are, where that is another's. */
export function apartWords(host: string, reference = "", own = host): string {
  const cut = (name: string) => shortened(name, HEAD, TAIL);
  const other = cut(reference) || "the reference";
  return own === host ? `not related to ${other}` : `with ${cut(own)}, not ${other}`;
}

/** The groups of hosts of which nothing relates the clocks of one to those of another, that of the reference first. */
export function groupsOf(hosts: readonly HostInfo[]): string[][] {
  const groups = new Map<number, string[]>();
  for (const x of [...hosts].sort((a, b) => Number(a.unsynchronized) - Number(b.unsynchronized))) groups.set(x.component, [...(groups.get(x.component) ?? []), x.name]);
  return [...groups.values()];
}

/** That there are such groups, as sentences; "" where all are related, and as long as they may still be. */
export function groupWords(hosts: readonly HostInfo[]): string {
  const groups = groupsOf(hosts);
  if (groups.length < 2 || hosts.some((x) => x.provisional)) return "";
  const two = groups.length === 2;
  // What it means comes first: many names may not have all the room that they need.
  return `Nothing relates the clocks of ${two ? "two" : groups.length} groups of hosts, so times of one cannot be compared with those of ${two ? "the other" : "another"}: ${groups.map((g) => list(g, 4)).join("; ")}.`;
}

/** What is said of the clock that all times are of, where it is told how well a clock is known. */
export const EXACTLY = "exactly: it is the reference";

/** How well a host's clock is known, behind "known to". */
export function knownToWords(host: Parameters<typeof knownWords>[0], error: number | null): string {
  const words = knownWords(host, error);
  return words === "reference" ? EXACTLY : words;
}

/** What is said where nothing of a host is known as a running import has not come there yet. */
export const UNREAD = "not read yet";

/** What is said in place of the end of what goes on where what is read of its host ends. */
export const NOT_ENDED = "not yet, as far as is read";
/** The same in place of how long it lasted. */
export const STILL = "still so as far as is read";

/** For how long a state lasts, behind what it is; "" where nobody knows. */
export function lastsWords(at: Pick<At, "begin" | "end" | "known_until">): string {
  const [begin, end] = [parseNs(at.begin), parseNs(at.end)];
  return begin !== null && end !== null ? `, for ${exact(end - begin)}` : at.known_until ? `, ${STILL}` : "";
}

/** Up to when a state is known, by its end or as far as is read; null where nothing says. */
export function knownUntil(at: Pick<At, "end" | "known_until"> | null): Ns | null {
  return parseNs(at?.end ?? at?.known_until);
}

/** The same by the host's own clock. */
export function localKnownUntil(at: Pick<At, "local_end" | "local_known_until"> | null): Ns | null {
  return parseNs(at?.local_end ?? at?.local_known_until);
}

/** Why nothing of a host is there at a time, "" where something is or may be: it recorded nothing then, or that is not read yet. */
export type Silence = "" | "not recorded here" | typeof UNREAD;

/** How a host's clock lies to that of the reference, where its bound is error ns, or null where none holds, as before and after
 * what the host recorded. The reference of an island is not the one that all times are of. */
export function knownWords(host: Pick<HostInfo, "reference" | "unsynchronized" | "provisional" | "apart">, error: number | null, silent: Silence = ""): string {
  const own = host.unsynchronized ? unrelatedWords(host) : host.reference ? "reference" : "";
  if (own) return silent ? `${own}, ${silent}` : own;
  return error === null && silent ? silent : plusMinus(error);
}
