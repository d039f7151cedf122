// Where events were lost: in which stretches of time, of which hosts, as a part of the inspector.

import type { HostLosses } from "../home/api.js";
import { anyLost, largest, lossOf, lostThings, sizeOf, untilWords, type Loss } from "../model/losses.js";
import { isolated } from "../model/names.js";
import type { HostInfo } from "../net/json.js";
import type { DensityAnswer } from "../net/wire.js";
import { counted, group, percent } from "../time/number.js";
import { about, seconds, type Ns } from "../time/time.js";
import { add, h, terms } from "../ui/dom.js";

/** So many stretches are listed, those with the largest losses. */
const MOST = 8;
/** So many CPUs of a host are named, those that lost most. */
const MOST_CPUS = 8;
/** Decimals of the times of stretches. */
const DIGITS = 6;

/** A stretch of time in which events were lost, in the time of the view. */
export interface Stretch {
  readonly begin: Ns;
  readonly end: Ns;
  readonly lost: number;
}

/** Whether something was lost in a column, or may have been. */
export const lostIn = (a: DensityAnswer, i: number): boolean => a.lost[i] + a.packets[i] > 0;

/** What was lost in a column, as the list of losses has it. Of a loss that reaches out of it nobody knows how much of it was in it. */
export const lostHere = (a: DensityAnswer, i: number): string => (a.reaching[i] > 0 ? "up to " : "") + lostThings({ lost_events: a.lost[i], lost_packets: a.packets[i] });

/** The stretches of an answer in which events were lost: columns beside each other, with those in which nothing was recorded. For a host of which it is not
 * known when, what was lost is spread evenly over a part of the recording. */
export function stretches(a: DensityAnswer): Stretch[] {
  const step = Number(a.end - a.begin) / Math.max(1, a.columns);
  const at = (i: number) => a.begin + BigInt(Math.round(i * step));
  const out: Stretch[] = [];
  for (let i = 0; i < a.columns; i++) {
    const first = i;
    let lost = 0;
    for (; i < a.columns && (a.lost[i] > 0 || a.events[i] === 0); i++) lost += a.lost[i];
    if (lost > 0) out.push({ begin: at(first), end: at(i), lost });
  }
  return out;
}

/** On which CPUs events were lost, those with most first; "" where that is not told. */
export function cpuWords(by: NonNullable<HostInfo["lost_by_cpu"]>): string {
  const told = by.filter((x) => x.cpu >= 0).sort((x, y) => y.lost_events - x.lost_events || x.cpu - y.cpu);
  const rest = told.slice(MOST_CPUS).reduce((n, x) => n + x.lost_events, 0);
  const words = told.slice(0, MOST_CPUS).map((x) => `CPU ${x.cpu}: ${group(x.lost_events)}`);
  return [...words, ...(rest > 0 ? [`${counted(told.length - MOST_CPUS, "other CPU")}: ${group(rest)}`] : [])].join(", ");
}

/** What one host lost. */
function ofHost(x: HostInfo): string {
  const packets = x.lost_packets ? `${counted(x.lost_packets, "whole packet")}, of an unknown number of events` : "";
  const events = x.lost_events > 0 ? `${group(x.lost_events)}, ${percent(x.lost_events / (x.lost_events + x.events))} of all${packets && " that are known of"}` : "";
  return [events, packets].filter(Boolean).join("; ");
}

/** What leads on from what the inspector says of lost events. */
export interface Ways {
  /** A stretch is to be looked at. */
  show(begin: Ns, end: Ns): void;
  /** The events are wanted where something was lost. */
  events(x: Loss): void;
  /** The files are wanted. */
  report(): void;
}

/** What the inspector says of lost events: when, where that is known, else in which stretches of the strip; nothing of that before it is answered. The set's
 * first event was at origin, its last at last, null while that is not known. */
export function lostBlock(known: readonly HostLosses[] | null, strip: readonly Stretch[], hosts: readonly HostInfo[], origin: Ns, last: Ns | null, ways: Ways): HTMLElement {
  const all = { lost_events: hosts.reduce((n, x) => n + x.lost_events, 0), lost_packets: hosts.reduce((n, x) => n + (x.lost_packets ?? 0), 0) };
  const { lost_events: events, lost_packets: packets } = all;
  const title = `${[...(events > 0 || packets === 0 ? [counted(events, "event")] : []), ...(packets > 0 ? [counted(packets, "packet")] : [])].join(" and ")} lost`;
  const why = [events > 0 ? "The tracer wrote faster than its buffers were emptied. " : "", packets > 0 ? "Whole packets are missing in files, by their numbers or because a stream ends before others of its trace, which is told as one packet however many are missing; in the share those lost at one place are one event. " : ""].join("");
  const block = h("section", { class: "lost", tabindex: -1, "aria-label": title }, h("h2", {}, title),
    h("p", {}, why, "On the strip above, red caps with hatching below them show where, the shade how large a share, and hatched boxes in the rows of hosts from when to when; from a loss to the next event states are not known."));
  add(block, terms(hosts.filter(anyLost).map((x) => [`On ${x.name}`, h("span", {}, ofHost(x), h("small", { class: "byCPU" }, cpuWords(x.lost_by_cpu ?? [])))])));
  const when = known?.some((x) => x.times > 0) ? places(known, hosts.length < 2, origin, last, ways) : known ? inStrip(strip, events, origin, ways) : [];
  add(block, ...when, h("p", {}, h("button", { type: "button", onclick: () => ways.report() }, "In which files: import report")));
  return block;
}

// Each place, or, where there are many, from when to when they are and the largest.
function places(known: readonly HostLosses[], alone: boolean, origin: Ns, last: Ns | null, ways: Ways): HTMLElement[] {
  const at = (t: Ns) => seconds(t - origin);
  const hosts = known.filter((x) => x.times > 0);
  const sums = hosts.map((x) => lossOf(x.host, x));
  const times = sums.reduce((n, x) => n + x.times, 0);
  const begin = sums.reduce((t, x) => (x.begin < t ? x.begin : t), sums[0].begin);
  const end = sums.reduce((t, x) => (x.end > t ? x.end : t), sums[0].end);
  const list = hosts.flatMap((x) => x.stretches.map((s) => lossOf(x.host, s)));
  const stretch = (x: Loss) => (last !== null && x.end > last ? `${at(x.begin)} to ${untilWords(x.end, last, at)}` : `${at(x.begin)} + ${about(Number(x.end - x.begin), 3)}`);
  const words = (x: Loss) => `${lostThings(x)}${x.times > 1 ? `, ${counted(x.times, "time")}` : ""}${x.cpu !== null && x.cpu >= 0 ? `, CPU ${x.cpu}` : ""}${alone ? "" : ` of ${isolated(x.host)}`}`;
  return [
    h("h3", {}, "When"),
    h("p", {}, h("button", { type: "button", class: "link", title: "Show all of it", onclick: () => ways.show(begin, end) }, `${counted(times, "time")} between `, h("span", { class: "what" }, at(begin)), " and ", h("span", { class: "what" }, untilWords(end, last, at)))),
    ...(list.length > MOST ? [h("p", {}, `The largest ${MOST}:`)] : []),
    h("ul", {}, ...largest(list, MOST, sizeOf).map((x) => h("li", {},
      h("button", { type: "button", class: "link", title: "Show this stretch", onclick: () => ways.show(x.begin, x.end) }, stretch(x)), " ", h("span", { class: "what" }, words(x)), " ",
      h("button", { type: "button", class: "link", "aria-label": `Events at ${at(x.begin)}`, title: "List the events there", onclick: () => ways.events(x) }, "Events")))),
  ];
}

// Of what an earlier version of the program read it is known only how much was lost in so many parts of the whole.
function inStrip(list: readonly Stretch[], events: number, origin: Ns, ways: Ways): HTMLElement[] {
  if (list.length === 0) return [];
  return [
    h("h3", {}, list.length === 1 ? "When, about" : `When, about, ${counted(list.length, "stretch", "stretches")}${list.length > MOST ? `, the largest ${MOST}` : ""}`),
    h("ul", {}, ...largest(list, MOST, (s) => s.lost).map((s) => h("li", {}, h("button", { type: "button", class: "link", title: "Show this stretch", onclick: () => ways.show(s.begin, s.end) }, `${seconds(s.begin - origin, DIGITS)} + ${about(Number(s.end - s.begin), 3)}`), list.length > 1 && events > 0 ? ` ${group(s.lost)} lost` : ""))),
  ];
}
