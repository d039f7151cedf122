// What the hosts did not record of the time of their CPUs: it is told as not known, and counts to what went on around it.

import { list } from "../model/names.js";

/** The parts of it that can be missing, as the server calls them. */
const CALLS = "system calls";
const INTERRUPTS: readonly string[] = ["soft interrupts", "interrupts"];

/** A row of a host that lacks these. */
export interface Unrecorded {
  readonly unrecorded?: readonly string[];
}

export const lacksCalls = (row: Unrecorded): boolean => !!row.unrecorded?.includes(CALLS);
export const lacksInterrupts = (row: Unrecorded): boolean => !!row.unrecorded?.some((part) => INTERRUPTS.includes(part));

/** What is said of a part that a host lacks. */
export const lackTitle = (part: string, host: string): string => `Not known: ${host} did not record ${part}. The tab Import has the command that does`;

/** What is said of a time in user space that may be one in system calls. */
export const mostTitle = (host: string): string => `At most: ${host} did not record system calls, so their time is in it`;

/** What hosts lack, in words for all tables that have it; "" where they lack nothing. */
export function unrecordedWords(hosts: readonly (Unrecorded & { readonly host: string })[]): string {
  const alike = new Map<string, { readonly parts: readonly string[]; readonly names: string[] }>();
  for (const { host, unrecorded } of hosts) {
    if (!unrecorded?.length) continue;
    const key = unrecorded.join();
    if (!alike.has(key)) alike.set(key, { parts: unrecorded, names: [] });
    alike.get(key)!.names.push(host);
  }
  return [...alike.values()].map(({ parts, names }) => `${list(parts)} of ${list(names)} are not recorded: their time counts as ${countsAs({ unrecorded: parts })}`).join("; ");
}

function countsAs(row: Unrecorded): string {
  if (!lacksCalls(row)) return "what they interrupted";
  return lacksInterrupts(row) ? "user space or idle" : "user space";
}
