// Where events were lost: in which stretches of time, of which hosts, as a part of the inspector.

import { anyLost, type Losses } from "../model/losses.js";
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

/** The stretches of an answer in which events were lost: columns beside each other, with those in which nothing was recorded. The
 * server spreads what was lost between two events evenly over the time between them. */
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

/** What the strip tells of a column in which so many were lost, of which whole packets count as one each time. */
export function lostPair(lost: number, of: Losses | null): [string, string] {
  if (!of?.lost_packets) return ["Lost events", group(lost)];
  return of.lost_events === 0 ? ["Lost", "whole packets, of an unknown number of events"] : ["Lost events", `${group(lost)}, whole packets counted as one`];
}

/** What one host lost. */
function ofHost(x: HostInfo): string {
  const packets = x.lost_packets ? `${counted(x.lost_packets, "whole packet")}, of an unknown number of events` : "";
  const events = x.lost_events > 0 ? `${group(x.lost_events)}, ${percent(x.lost_events / (x.lost_events + x.events))} of all${packets && " that are known of"}` : "";
  return [events, packets].filter(Boolean).join("; ");
}

/** What the inspector says of lost events; show is called with a stretch to look at, report where the files are wanted. */
export function lostBlock(list: readonly Stretch[], hosts: readonly HostInfo[], origin: Ns, show: (s: Stretch) => void, report: () => void): HTMLElement {
  const events = hosts.reduce((n, x) => n + x.lost_events, 0);
  const packets = hosts.reduce((n, x) => n + (x.lost_packets ?? 0), 0);
  const title = `${[...(events > 0 || packets === 0 ? [counted(events, "event")] : []), ...(packets > 0 ? [counted(packets, "packet")] : [])].join(" and ")} lost`;
  const why = [events > 0 ? "The tracer wrote faster than its buffers were emptied. " : "", packets > 0 ? "Whole packets are missing in files, by their numbers; those lost at one place are drawn as one event. " : ""].join("");
  const block = h("section", { class: "lost", tabindex: -1, "aria-label": title }, h("h2", {}, title),
    h("p", {}, why, "Red caps above show where, the lines below them how large a share; from a loss to the next event states are not known."));
  add(block, terms(hosts.filter(anyLost).map((x) => [`On ${x.name}`, h("span", {}, ofHost(x), h("small", { class: "byCPU" }, cpuWords(x.lost_by_cpu ?? [])))])));
  if (list.length > 0) {
    const largest = [...list].sort((x, y) => y.lost - x.lost).slice(0, MOST).sort((x, y) => (x.begin < y.begin ? -1 : 1));
    add(block, h("h3", {}, list.length === 1 ? "When" : `When, ${counted(list.length, "stretch", "stretches")}${list.length > MOST ? `, the largest ${MOST}` : ""}`),
      h("ul", {}, ...largest.map((s) => h("li", {}, h("button", { type: "button", class: "link", title: "Show this stretch", onclick: () => show(s) }, `${seconds(s.begin - origin, DIGITS)} + ${about(Number(s.end - s.begin), 3)}`), list.length > 1 && events > 0 ? ` ${group(s.lost)} lost` : ""))));
  }
  add(block, h("p", {}, h("button", { type: "button", onclick: report }, "In which files: import report")));
  return block;
}
