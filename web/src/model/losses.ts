// What was lost of a recording, in words.

import type { LossInfo, LostHere } from "../home/api.js";
import { counted, group } from "../time/number.js";
import { about, parseNs, type Ns } from "../time/time.js";
import { list } from "./names.js";

/** What a host or a set lost: events that the tracer counted, and whole packets, of an unknown number of events. */
export interface Losses {
  readonly lost_events: number;
  readonly lost_packets?: number;
}

export function anyLost(x: Losses): boolean {
  return x.lost_events > 0 || (x.lost_packets ?? 0) > 0;
}

/** "967 700", "21 packets" or "967 700, 21 packets"; "0" where nothing was lost. */
export function lostCount({ lost_events: events, lost_packets: packets = 0 }: Losses): string {
  return [...(events > 0 || packets === 0 ? [group(events)] : []), ...(packets > 0 ? [counted(packets, "packet")] : [])].join(", ");
}

/** "967 700 lost", "21 packets lost" or "967 700 lost, 21 packets"; "" where nothing was lost. */
export function lostWords({ lost_events: events, lost_packets: packets = 0 }: Losses): string {
  if (events === 0) return packets > 0 ? `${counted(packets, "packet")} lost` : "";
  return `${group(events)} lost${packets > 0 ? `, ${counted(packets, "packet")}` : ""}`;
}

/** What was lost of a host at one place, or at several that are told together. Nobody knows when between begin and end. */
export interface Loss extends Losses {
  readonly host: string;
  readonly times: number;
  readonly begin: Ns;
  readonly end: Ns;
  /** Behind the events of which time the first of them is told, and the last. */
  readonly place: Ns;
  readonly last: Ns;
  /** -1 where the trace does not tell, null of several. */
  readonly cpu: number | null;
}

export function lossOf(host: string, x: LossInfo): Loss {
  const time = (s: string) => parseNs(s) ?? 0n;
  return { host, times: x.times, lost_events: x.lost_events, lost_packets: x.lost_packets ?? 0, begin: time(x.begin), end: time(x.end), place: time(x.place), last: time(x.last), cpu: x.cpu };
}

/** What two parts of one place have, of each host together, by where it is told. */
export function together(a: readonly Loss[], b: readonly Loss[]): readonly Loss[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const out = [...a];
  for (const x of b) {
    const i = out.findIndex((y) => y.host === x.host);
    if (i < 0) out.push(x);
    else out[i] = both(out[i], x);
  }
  return out.sort((x, y) => (x.place < y.place ? -1 : x.place > y.place ? 1 : 0));
}

function both(a: Loss, b: Loss): Loss {
  return {
    host: a.host, times: a.times + b.times, lost_events: a.lost_events + b.lost_events, lost_packets: (a.lost_packets ?? 0) + (b.lost_packets ?? 0),
    begin: a.begin < b.begin ? a.begin : b.begin, end: a.end > b.end ? a.end : b.end, place: a.place < b.place ? a.place : b.place, last: a.last > b.last ? a.last : b.last, cpu: a.cpu === b.cpu ? a.cpu : null,
  };
}

/** "489 events", "2 whole packets of events" or "489 events and 2 whole packets of events". */
export function lostThings({ lost_events: events, lost_packets: packets = 0 }: Losses): string {
  return [...(events > 0 || packets === 0 ? [counted(events, "event")] : []), ...(packets > 0 ? [`${counted(packets, "whole packet")} of events`] : [])].join(" and ");
}

/** How much was lost, to order losses by: whole packets count as events do. */
export const sizeOf = ({ lost_events: events, lost_packets: packets = 0 }: Losses): number => events + packets;

/** So many losses, by when they begin; where there are more, the largest of them, the largest first. */
export function largest<T extends { readonly begin: Ns }>(list: readonly T[], most: number, size: (x: T) => number): T[] {
  const early = (x: T, y: T) => (x.begin < y.begin ? -1 : x.begin > y.begin ? 1 : 0);
  return list.length > most ? [...list].sort((x, y) => size(y) - size(x) || early(x, y)).slice(0, most) : [...list].sort(early);
}

/** When a loss ends at the latest: behind the last event of all there is only the rest of the packet that tells of it. Without a last event, as at says it. */
export function untilWords(end: Ns, last: Ns | null, at: (t: Ns) => string): string {
  return last !== null && end > last ? `the end of the last packet, ${about(Number(end - last))} after the last event` : at(end);
}

/**
 * "489 events lost on CPU 2 of web between 0.1 s and 0.2 s", times as they are shown, the later as until says it; of the only host there is no name is told.
 * Where it stands among events, one loss of events was most likely there, though those times reach beyond the events around it.
 */
export function lossWords(x: Loss, alone: boolean, at: (t: Ns) => string, until = at, among = false): string {
  const cpu = x.cpu === null ? "several CPUs" : x.cpu >= 0 ? `CPU ${x.cpu}` : "";
  const where = [cpu && `on ${cpu}`, alone ? "" : `${cpu ? "of" : "on"} ${x.host}`].filter(Boolean).join(" ");
  const times = x.times > 1 ? `, ${counted(x.times, "time")},` : "";
  const when = x.begin === x.end ? `at ${at(x.begin)}` : `${among && x.times === 1 && x.lost_events > 0 ? "about here, " : ""}between ${at(x.begin)} and ${until(x.end)}`;
  return [`${lostThings(x)} lost${times}`, where, when].filter(Boolean).join(" ");
}

/**
 * What was lost in a stretch, of the hosts that are known to have lost something in it or may have, as a sentence; "" where nothing was. Of a loss
 * that reaches out of the stretch nobody knows whether it was in it. Of a host of which nobody knows when, the whole recording's is told.
 */
export function lostHereWords(here: readonly { readonly host: string; readonly lost: LostHere | null }[], all: readonly (Losses & { readonly name: string })[]): string {
  const names = here.flatMap(({ host, lost }) => {
    const whole = all.find((x) => x.name === host);
    if (!lost) return whole && anyLost(whole) ? [`${host} (${lostCount(whole)} in the whole recording; when is not known)`] : [];
    if (!anyLost(lost)) return [];
    return [`${host} (${lost.reaching_events + lost.reaching_packets > 0 ? "up to " : ""}${lostCount(lost)})`];
  });
  return names.length > 0 ? `Events were lost on ${list(names, 6)}: what happened meanwhile is not in these figures.` : "";
}
