// The table of hosts: what each is to the others, how well its clock is known, how fast it runs, and what it recorded.

import type { HostInfo, LinkClass, LinkInfo } from "../net/json.js";
import { unrelatedWords } from "../model/known.js";
import { rateError } from "../model/inforce.js";
import { lostCount } from "../model/losses.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { counted, group, THIN } from "../time/number.js";
import { plusMinus, type Ns } from "../time/time.js";
import { h } from "../ui/dom.js";
import { csv, fileName, save } from "../ui/file.js";
import { Sorted } from "../ui/sorted.js";
import type { Moment } from "./instant.js";
import { knownWords, type Known } from "./change.js";
import { bounding } from "./force.js";
import { classWords, paceWords, type ClassWords } from "./number.js";
import { STEP } from "./path.js";

/** A host as the table has it; what is null is not known. */
export interface HostRow {
  readonly name: string;
  readonly role: string;
  /** The weakest link on its way to the reference. */
  readonly clock: LinkClass | null;
  readonly here: number | null; // ns, at the instant that is meant
  readonly least: number | null;
  readonly worst: number | null;
  readonly rate: RateRange | null;
  readonly pieces: number;
  readonly addresses: readonly string[];
  readonly events: number;
  readonly lost: number;
  readonly packets: number;
}

/** How much faster a host's clock runs than the reference's, ppm: over the pieces of its map, and how well each is known. */
export interface RateRange {
  readonly least: number;
  readonly most: number;
  readonly mean: number | null;
  readonly error: number | null;
}

export class HostTable {
  readonly el: HTMLElement;
  private readonly table: Sorted<HostRow>;

  constructor(private readonly set: SetModel, private readonly view: View, private readonly moment: () => Moment, private readonly before: () => ReadonlyMap<string, Known> | null) {
    this.table = new Sorted<HostRow>("Hosts", [
      { name: "Host", text: true, by: (r) => r.name, cell: (r) => this.wayTo(r.name) },
      { name: "Role", text: true, by: (r) => r.role, cell: (r) => r.role },
      { name: "Clock", text: true, title: "The weakest link on its way to the reference", by: (r) => (r.clock ? this.words(r.clock).words : ""), cell: (r) => this.weakest(r.clock) },
      { name: "± there", title: "How far its clock can be off at the instant that stands above: where Error over time is pointed at, else the one that Compare has", by: (r) => r.here ?? -1, cell: (r) => known(r.here) },
      { name: "Best to worst", by: (r) => r.worst ?? -1, cell: (r) => this.over(r) },
      { name: "Rate against the reference", title: "How much faster its clock runs than that of the reference, where there is a minus how much slower, and how well that is known; over several pieces from the slowest to the fastest", by: (r) => r.rate?.most ?? -Infinity, cell: rateWords },
      { name: "Rates used", title: "A clock runs a little faster or slower as it grows warm or cold. With so many rates, one after the other, it is described here; 1: one rate for all of the recording", by: (r) => r.pieces, cell: (r) => (r.pieces ? group(r.pieces) : "–") },
      { name: "Addresses", text: true, by: (r) => r.addresses.join(), cell: addressWords },
      { name: "Events", by: (r) => r.events, cell: (r) => group(r.events) },
      { name: "Lost", title: "Events that its tracer lost, and whole packets, of an unknown number of events", by: (r) => r.lost + r.packets, cell: (r) => (r.lost + r.packets > 0 ? h("span", { class: "warn" }, lostCount({ lost_events: r.lost, lost_packets: r.packets })) : "0") },
    ], 0, "This lists the hosts, each as soon as it is found.", view, "hosts");
    this.table.controls.push(h("button", { type: "button", onclick: () => this.save() }, "Save as CSV"));
    this.el = this.table.root;
    this.el.classList.add("hosts");
  }

  onSay: (sentence: string) => void = () => {};
  /** Where a host recorded is wanted, in the timeline. */
  onRecorded: (host: number) => void = () => {};

  // The name of a host leads to where it recorded.
  private wayTo(name: string): Node | string {
    const host = this.set.hosts.find((x) => x.name === name);
    if (!host || !this.set.extent(host.index, this.view.raw)) return name;
    const words = `Go to where ${name} recorded`;
    return h("button", { type: "button", class: "link", title: words, "aria-label": words, onclick: () => this.onRecorded(host.index) }, name);
  }

  render(): void {
    const [words] = this.moment();
    const rows = this.rows();
    this.table.show(rows, rows.length > 0 ? `± there: ${words}${this.view.raw ? ". Raw time is on: these clocks are known, but not applied to what is drawn" : ""}` : "");
  }

  private words(c: LinkClass): ClassWords {
    return classWords(c, bounding(this.set.clocks));
  }

  // With what it was before the clocks were made in another way.
  private over(r: HostRow): Node | string {
    const words = knownWords(r.least === null || r.worst === null ? null : { least: r.least, worst: r.worst });
    const was = this.before()?.get(r.name);
    const old = was === undefined ? words : knownWords(was);
    return old === words ? words : h("span", {}, words, h("span", { class: "aside" }, ` was ${old === "–" ? "not known" : old}`));
  }

  private weakest(c: LinkClass | null): Node | string {
    if (!c) return "–";
    const { words, tone, sentence } = this.words(c);
    return h("span", { class: `class ${tone}`, title: sentence }, h("i"), words);
  }

  private rows(): HostRow[] {
    const [, t] = this.moment();
    return hostRows(this.set, (host) => this.set.toLocal(host, t));
  }

  /** Gives the table away, with all digits. */
  save(): void {
    const name = `${fileName(this.set.info?.name ?? "set")}-hosts.csv`;
    save(new Blob([hostsCSV(this.rows(), this.moment()[1])], { type: "text/csv;charset=utf-8" }), name);
    this.onSay(`${name} is saved.`);
  }
}

const known = (ns: number | null) => (ns === null ? "–" : ns === 0 ? "exact" : plusMinus(ns));

function rateWords(r: HostRow): Node | string {
  if (!r.rate) return "–";
  const { text, error, title } = r.rate.error === 0 ? { text: `0${THIN}ppm`, error: "", title: "" } : paceWords(r.rate, r.rate.error);
  return h("span", { title: title || null }, text, error ? h("span", { class: "aside" }, ` ${error}`) : null);
}

function addressWords(r: HostRow): Node | string {
  const [first, ...more] = r.addresses;
  if (first === undefined) return "–";
  return more.length === 0 ? first : h("span", { title: r.addresses.join("\n") }, first, h("span", { class: "aside" }, ` and ${counted(more.length, "other")}`));
}

/** The hosts of a set, each at its own time. */
export function hostRows(set: SetModel, local: (host: number) => Ns | null): HostRow[] {
  const ways = waysToReference(set);
  return set.hosts.map((host) => {
    const clock = set.clock(host.index);
    const way = ways.get(host.name) ?? null;
    const extent = set.extent(host.index, true);
    const over = extent && set.errorOver(host.index, extent.begin, extent.end);
    const at = local(host.index);
    const pieces = clock?.map ?? [];
    const rate = host.unsynchronized ? null : way && rateOf(pieces.map((p) => p.rate), way, averageOf(set, host.index, way.some((l) => l.shape === "steps")));
    const inside = at !== null && extent !== null && at >= extent.begin && at <= extent.end;
    return {
      name: host.name, role: roleOf(set, host), clock: weakest(way), here: inside ? set.errorAt(host.index, at) : null,
      least: over?.least ?? null, worst: over?.worst ?? null, rate, pieces: pieces.length,
      addresses: [...new Set((clock?.addresses ?? []).map((a) => a.address))], events: host.events, lost: host.lost_events, packets: host.lost_packets ?? 0,
    };
  });
}

function roleOf(set: SetModel, host: HostInfo): string {
  if (!set.clocks) return "not known yet";
  if (!host.unsynchronized) return host.reference ? "reference" : "synchronized";
  return unrelatedWords(host);
}

// The links in use from each host to the reference of its component; a host that no way leads from is not in it.
function waysToReference(set: SetModel): Map<string, readonly LinkInfo[]> {
  const at = new Map<string, LinkInfo[]>(set.hosts.map((x) => [x.name, []]));
  for (const l of set.clocks?.links ?? []) if (l.in_tree) for (const name of [l.a, l.b]) at.get(name)?.push(l);
  const ways = new Map<string, readonly LinkInfo[]>(set.hosts.filter((x) => x.reference).map((x) => [x.name, []]));
  // A map is gone through in the order of insertion, also by what is put in on the way.
  for (const [name, way] of ways)
    for (const l of at.get(name) ?? []) {
      const next = l.a === name ? l.b : l.a;
      if (!ways.has(next)) ways.set(next, [l, ...way]);
    }
  return ways;
}

const STRENGTH: readonly LinkClass[] = ["accurate", "approximate", "incomplete", "fail", "absent"];

function weakest(way: readonly LinkInfo[] | null): LinkClass | null {
  if (!way || way.length === 0) return null;
  return way.map((l) => l.class).reduce((a, b) => (STRENGTH.indexOf(b) > STRENGTH.indexOf(a) ? b : a));
}

// The rates of pieces are of reference time by the host's own; those that bridge a step are none. What the links on the
// way leave open adds up.
function rateOf(rates: readonly number[], way: readonly LinkInfo[], mean: number | null): RateRange | null {
  const steps = way.some((l) => l.shape === "steps");
  const ppm = rates.map((r) => (1 / r - 1) * 1e6).filter((r) => !steps || Math.abs(r) <= STEP);
  if (ppm.length === 0) return null;
  let error: number | null = 0;
  for (const l of way) {
    const open = rateError(l);
    error = error === null || open === null ? null : error + open;
  }
  return { least: Math.min(...ppm), most: Math.max(...ppm), mean, error };
}

// The average over all that its host recorded; over a step there is none.
function averageOf(set: SetModel, host: number, steps: boolean): number | null {
  const e = set.extent(host, true);
  const [from, to] = [e?.begin, e?.end].map((t) => (t === undefined ? null : set.toReference(host, t)));
  if (steps || !e || from === null || to === null || to <= from) return null;
  return (Number(e.end - e.begin - (to - from)) / Number(to - from)) * 1e6;
}

/** The table with all digits: bounds in ns, those there at an instant of reference time, rates in ppm, addresses with a space between. */
export function hostsCSV(rows: readonly HostRow[], there: Ns): string {
  const head = ["host", "role", "clock", "there_reference_ns", "error_there_ns", "error_min_ns", "error_max_ns", "rate_min_ppm", "rate_max_ppm", "rate_error_ppm", "pieces", "addresses", "events", "lost_events", "lost_packets"];
  return csv([head, ...rows.map((r) => [r.name, r.role, r.clock, String(there), r.here, r.least, r.worst, r.rate?.least ?? null, r.rate?.most ?? null, r.rate?.error ?? null, r.pieces, r.addresses.join(" "), r.events, r.lost, r.packets])]);
}
