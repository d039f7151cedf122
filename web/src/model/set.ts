// What is known of the set: the newest "set" message, its bounds in either time, and
// the clock maps of its hosts. All that depends on clocks is taken from one "clocks" message,
// so that a bound is never shown beside the reference of another version.

import { apartWords, UNREAD, type Silence } from "./known.js";
import type { Between, Clocks, HostClock, HostInfo, LinkInfo, Report, SetInfo } from "../net/json.js";
import { maxNs, minNs, parseNs, type Ns } from "../time/time.js";
import { floorTo } from "../time/window.js";
import { Anchored } from "./anchored.js";
import { RATES, MAP_ROUNDS, timeError, worstOf, type Directs } from "./direct.js";
import type { Passages } from "./passages.js";
import { knowHosts } from "./shared.js";
import { Signal } from "./signal.js";

interface Piece {
  begin: Ns;
  end: Ns;
  referenceBegin: Ns;
  referenceEnd: Ns;
}

export interface Bounds {
  readonly begin: Ns;
  readonly end: Ns;
}

export class SetModel {
  readonly changed = new Signal();
  info: SetInfo | null = null;
  report: Report | null = null;
  clocks: Clocks | null = null;
  /** How two clocks compare, where somebody can be asked. */
  directs: Directs | null = null;
  /** Which messages went from one moment to another, where somebody can be asked. */
  passages: Passages | null = null;
  private pieces = new Map<number, Piece[]>();
  private errors = new Map<number, [Ns, number][]>();
  private known: HostInfo[] = [];

  /** More of it is read or may come. */
  get importing(): boolean {
    return this.info?.state === "importing" || this.info?.state === "uploading";
  }

  /** Whether hosts exchanged messages, or may have: of a set that is not read to its end nobody knows that they did not. */
  get exchanged(): boolean {
    return this.hosts.length > 1 && (this.info?.state !== "ready" || !this.clocks || !!this.clocks.links?.length);
  }

  /** Whether requests and their answers may be known: they are found in what a kernel recorded of the network. */
  get requests(): boolean {
    return this.exchanged && this.hosts.some((x) => !x.missing?.some((m) => m.view === "communication" || m.view === "kernel trace"));
  }

  /** The hosts as the newest clocks have them. */
  get hosts(): readonly HostInfo[] {
    return this.known;
  }

  host(index: number): HostInfo | undefined {
    return this.hosts[index];
  }

  /** Whether a host did not record which time of its threads and CPUs was spent in system calls. */
  lacksCalls(host: number): boolean {
    return this.host(host)?.missing?.some((m) => m.view === "system calls") ?? false;
  }

  /** Whether it is known which thread had a CPU of a host. */
  knowsThreads(name: string): boolean {
    const host = this.hosts.find((x) => x.name === name);
    return !!host && !host.missing?.some((m) => m.view === "control flow");
  }

  setInfo(info: SetInfo): void {
    this.info = info;
    this.index();
    this.changed.emit();
  }

  setReport(report: Report): void {
    this.report = report;
    this.changed.emit();
  }

  /** By how much what is shown at a time is later when the first clocks come: times may be by the clock of a host, as those of a link are. */
  rebased(clocks: Clocks, t: Ns, by: string): Ns {
    return shown(clocks.hosts?.find((c) => c.name === by && by !== clocks.reference), t) - t;
  }

  /** Holds what is shown at a time to what the host that is the reference recorded there; where it recorded nothing, as beside an island, to
   * what the one that becomes it with other clocks did, or any other. */
  anchored(t: Ns, clocks: Clocks, anywhere = false): Anchored {
    const reference = this.clocks?.reference ?? clocks.reference;
    const was = this.hosts.find((h) => h.name === reference);
    const recorded = (h: HostInfo | undefined) => {
      const e = h && this.extent(h.index, false);
      return !!e && e.begin <= t && t <= e.end;
    };
    const host = [was, this.hosts.find((h) => h.name === clocks.reference), ...this.hosts].find(recorded) ?? was;
    const local = host ? this.toLocal(host.index, t) : null;
    return new Anchored(reference, t, host && local !== null ? { name: host.name, id: host.id, local } : null, anywhere);
  }

  setClocks(clocks: Clocks): void {
    this.clocks = clocks;
    this.index();
    this.changed.emit();
  }

  /** The clock of a host, by its place in the set. */
  clock(index: number): HostClock | undefined {
    const host = this.host(index);
    return host && this.clockOf(host);
  }

  private clockOf(host: HostInfo): HostClock | undefined {
    const all = this.clocks?.hosts ?? [];
    return all.find((c) => c.id === host.id && c.name === host.name) ?? all.find((c) => c.name === host.name);
  }

  private index(): void {
    this.pieces = new Map();
    this.errors.clear();
    this.known = [];
    knowHosts((this.info?.hosts ?? []).map((x) => x.name));
    for (const info of this.info?.hosts ?? []) {
      const clock = this.clockOf(info);
      const host = this.by(info, clock);
      this.known.push(host);
      this.pieces.set(host.index, piecesOf(clock));
      const errors: [Ns, number][] = [];
      for (const [t, bound] of clock?.error ?? []) {
        const at = parseNs(t);
        if (at !== null) errors.push([at, bound]);
      }
      this.errors.set(host.index, errors);
    }
    for (const host of this.known) [host.begin, host.end] = [this.inReference(host.index, host.local_begin), this.inReference(host.index, host.local_end)];
  }

  // A host by its clock: what the "set" message says of it may be of another version.
  private by(info: HostInfo, clock: HostClock | undefined): HostInfo {
    const name = this.clocks?.reference;
    const related = this.clocks?.hosts?.find((c) => c.name === name)?.component ?? 0;
    const component = clock?.component ?? 0;
    const unsynchronized = !!clock && component !== related;
    const own = this.clocks?.hosts?.find((c) => c.reference && c.component === component)?.name;
    const apart = unsynchronized ? { apart: apartWords(info.name, name, own) } : {};
    return { ...info, ...apart, component, reference: clock?.reference ?? (!!name && info.name === name), unsynchronized, provisional: this.importing || (this.info?.state === "ready" && this.clocks?.final === false) };
  }

  private inReference(index: number, local: string): string {
    const t = parseNs(local);
    return (t === null ? null : this.toReference(index, t))?.toString() ?? "";
  }

  /** The stretch of the set in reference time, or of all hosts' own times; null before any is known. */
  bounds(raw: boolean): Bounds | null {
    let out: Bounds | null = null;
    for (const h of this.hosts) {
      const b = this.extent(h.index, raw);
      if (b) out = out ? { begin: minNs(out.begin, b.begin), end: maxNs(out.end, b.end) } : b;
    }
    return out;
  }

  /** The stretch in reference time in which any of the hosts that messages relate to one recorded; null where it is not known. */
  recorded(by: HostInfo): Bounds | null {
    let out: Bounds | null = null;
    for (const h of this.hosts) {
      const b = h.component === by.component ? this.extent(h.index, false) : null;
      if (b) out = out ? { begin: minNs(out.begin, b.begin), end: maxNs(out.end, b.end) } : b;
    }
    return out;
  }

  /** Where a page opens whose address names no window, reference time; null while it is not told by these clocks. */
  get focus(): SetInfo["focus"] | null {
    return (this.info?.clocks === this.clocks?.version && this.info?.focus) || null;
  }

  /** Whether a host may have recorded something between two times of the screen: not where all of its recording, as far as that is known, lies elsewhere. */
  mayRecord(index: number, begin: Ns, end: Ns, raw: boolean): boolean {
    const all = this.extent(index, raw);
    return !all || (all.begin <= end && all.end >= begin);
  }

  /** Where a host's recording lies on screen. */
  extent(index: number, raw: boolean): Bounds | null {
    const h = this.host(index);
    if (!h) return null;
    const [begin, end] = [parseNs(raw ? h.local_begin : h.begin), parseNs(raw ? h.local_end : h.end)];
    return begin !== null && end !== null && end > begin ? { begin, end } : null;
  }

  /** The time nearest to t in a stretch of the screen at which one of some hosts recorded, the first of them that recorded anything there, and that host; t
   * itself, of no host, where none did. */
  recordedNear(t: Ns, within: Bounds, hosts: readonly number[], raw: boolean): { host: number | null; t: Ns } {
    for (const host of hosts) {
      const e = this.extent(host, raw);
      if (e && e.begin < within.end && e.end > within.begin) return { host, t: minNs(maxNs(t, maxNs(e.begin, within.begin)), minNs(e.end, within.end) - 1n) };
    }
    return { host: null, t };
  }

  /** Whether a host recorded at its local time, so far as is known; true while nothing says when it did. */
  recordedAt(index: number, local: Ns): boolean {
    const e = this.extent(index, true);
    return !e || (e.begin <= local && local <= e.end);
  }

  /** Whether more of a host may be read than is known of it now. */
  unread(index: number): boolean {
    const state = this.host(index)?.state;
    return this.importing && state !== undefined && state !== "done" && state !== "failed";
  }

  /** Why nothing of a host is there at its local time; "" where something is or may be. */
  silence(index: number, local: Ns): Silence {
    const begin = parseNs(this.host(index)?.local_begin);
    if (this.unread(index) && (begin === null || (local >= begin && !this.recordedAt(index, local)))) return UNREAD;
    return this.recordedAt(index, local) ? "" : "not recorded here";
  }

  /** The stretch around a local time of a host that its clock passed twice, as where it was set back: what is at that time was so once or once more; null where the clock passed it once. */
  passedTwice(name: string, local: Ns): { begin: Ns; end: Ns } | null {
    for (const { begin, end } of this.hosts.find((x) => x.name === name)?.passed_twice ?? []) {
      const [from, to] = [parseNs(begin), parseNs(end)];
      if (from !== null && to !== null && from <= local && local <= to) return { begin: from, end: to };
    }
    return null;
  }

  /** A host's local time at a reference time; null where its clock has no map. */
  toLocal(index: number, reference: Ns): Ns | null {
    return this.locals(index, reference);
  }

  toReference(index: number, local: Ns): Ns | null {
    return through(this.pieces, this.hosts, index, local, (p) => [p.begin, p.end, p.referenceBegin, p.referenceEnd]);
  }

  /** What the own clock of one host showed when that of another showed a time; null where that is not known. */
  elsewhere(there: number, here: number, local: Ns): Ns | null {
    const at = this.toReference(here, local);
    return at === null ? null : this.toLocal(there, at);
  }

  /** Tells what toLocal does by the clocks of now, also when there are others. */
  get locals(): (index: number, reference: Ns) => Ns | null {
    const { pieces, hosts } = this;
    return (index, t) => through(pieces, hosts, index, t, (p) => [p.referenceBegin, p.referenceEnd, p.begin, p.end]);
  }

  /** The hard bound on a host's clock at its local time, ns; null where unknown. */
  errorAt(index: number, local: Ns): number | null {
    const host = this.host(index);
    return host?.unsynchronized ? null : this.errorWithin(index, local);
  }

  /** The same against the reference of the hosts that messages relate it to, which on an island is another one. */
  errorWithin(index: number, local: Ns): number | null {
    if (this.host(index)?.reference) return 0;
    const errors = this.errors.get(index) ?? [];
    if (errors.length === 0) return null;
    const after = firstAfter(errors, local);
    if (after === 0) return null;
    if (errors[after - 1][0] === local) return errors[after - 1][1];
    if (after === errors.length) return null;
    return Math.max(errors[after - 1][1], errors[after][1]);
  }

  /** Of two hosts the one that is to be asked for first, by its place in the set, so that the same is said of both whoever is named first, and of a host and
   * its reference the same as wherever else that host is told of: not the reference, else the one with the lower number. */
  asked(a: number, b: number): [number, number] {
    return this.host(a)?.reference || (!this.host(b)?.reference && a > b) ? [b, a] : [a, b];
  }

  /** How well the time from a moment of one host to one of another, each by its own clock, is known, ns: by what both errors add up to or, where that is
   * better, by how the two clocks are known against each other. null where nothing bounds it. */
  errorBetween(a: number, atA: Ns, b: number, atB: Ns): number | null {
    const [one, other] = [this.errorWithin(a, atA), this.errorWithin(b, atB)];
    const sum = one === null || other === null ? null : one + other;
    const direct = this.directError(a, atA, b, atB);
    return direct === null || sum === null ? (direct ?? sum) : Math.min(sum, direct);
  }

  /** The same by the comparison of the two clocks alone (docs/synchronization.md, The error of a latency): what it leaves open all the while, and what the rate of the first's
   * clock can make of the time between. Where the reference passed through a step meanwhile, that is not known so. It holds of all moments between, too. With a mean it is the error
   * of that: the mean, ns, of times that all lie between the two moments and are none below 0. */
  directError(a: number, atA: Ns, b: number, atB: Ns, mean?: number): number | null {
    if (!this.recordedAt(a, atA) || !this.recordedAt(b, atB)) return null;
    const [first] = this.asked(a, b);
    const [at, then, second] = first === a ? [atA, atB, b] : [atB, atA, a];
    const c = this.comparison(first, second);
    const [from, to] = [this.toReference(first, at), this.toReference(second, then)];
    const there = to === null ? null : this.toLocal(first, to);
    if (!c || from === null || to === null || there === null) return null;
    const bound = worstOf(c, minNs(at, there), maxNs(at, there));
    // What grows with a time grows evenly: the mean of the errors is that of a time as long as the mean.
    if (mean !== undefined) return bound === null ? null : timeError(bound, mean, this.steepest(first, minNs(at, there), maxNs(at, there)));
    const [own, apart] = [Math.abs(Number(there - at)), Math.abs(Number(to - from))];
    const bent = Math.abs(apart - own);
    return bound === null || bent > own * RATES + MAP_ROUNDS ? null : bound + bent + (own + bound) * RATES + MAP_ROUNDS;
  }

  /** How well the clocks of two hosts are known against each other all the while, ns; null where the errors of both say the same, and where that is not known, or not yet. */
  boundBetween(a: number, b: number): number | null {
    const [first, second] = this.asked(a, b);
    return this.comparison(first, second)?.error_ns?.max ?? null;
  }

  // How two hosts compare, of which first is to be asked for first.
  private comparison(first: number, second: number): Between | null {
    const { clocks, directs } = this;
    const [a, b] = [this.host(first), this.host(second)];
    if (!directs || !clocks || !a || !b || this.info?.state !== "ready" || !this.related(first, second)) return null;
    return a.reference || b.reference ? null : directs.of(a.name, b.name, clocks.version);
  }

  /** By how much at most the rate of a host's clock differs from that of the reference, over a stretch of its local time; 0 where it has no map. What is over
   * the limit, as where the clock was set, does not count. */
  steepest(index: number, begin: Ns, end: Ns, limit = Infinity): number {
    const pieces = (this.pieces.get(index) ?? []).filter((p) => p.begin <= end && p.end >= begin && p.end > p.begin);
    const rates = pieces.map((p) => Math.abs(Number(p.referenceEnd - p.referenceBegin) / Number(p.end - p.begin) - 1));
    return rates.reduce((most, r) => (r <= limit ? Math.max(most, r) : most), 0);
  }

  /** The least and the largest bound on a host's clock over a stretch of its local time, as the server has them for all
   * of it; null where none is known. */
  errorOver(index: number, begin: Ns, end: Ns): { least: number; worst: number } | null {
    const host = this.host(index);
    if (!host || host.unsynchronized) return null;
    if (host.reference) return { least: 0, worst: 0 };
    const errors = this.errors.get(index) ?? [];
    let out: { least: number; worst: number } | null = null;
    for (let i = Math.max(1, firstAfter(errors, begin)); i <= errors.length; i++) {
      // At an entry it holds itself, between two the larger.
      const [from, here] = errors[i - 1];
      if (from > end) break;
      const bound = i < errors.length ? Math.max(here, errors[i][1]) : here;
      if (i === errors.length && from < begin) break;
      const least = from < begin ? bound : here;
      out = out ? { least: Math.min(out.least, least), worst: Math.max(out.worst, bound) } : { least, worst: bound };
    }
    return out;
  }

  /** The error list of a host: its local times and bounds. */
  errorList(index: number): readonly [Ns, number][] {
    return this.errors.get(index) ?? [];
  }

  /** Whether messages relate the clocks of two hosts: where they do not, times of one say nothing of the other's. */
  related(a: number, b: number): boolean {
    return this.host(a)?.component === this.host(b)?.component;
  }

  /** The link between two hosts by name, in either order. */
  link(a: string, b: string): LinkInfo | undefined {
    return this.clocks?.links?.find((l) => (l.a === a && l.b === b) || (l.a === b && l.b === a));
  }
}

/** The numbers that hosts have now by those that they had, null for one that is gone; null where all have theirs still. */
export function renumbered(before: readonly { index: number; name: string }[], now: readonly { index: number; name: string }[]): Map<number, number | null> | null {
  const index = new Map(now.map((x) => [x.name, x.index]));
  const to = new Map(before.map((x) => [x.index, index.get(x.name) ?? null]));
  return before.every((x) => to.get(x.index) === x.index) ? null : to;
}

// The place of the first entry after t.
function firstAfter(errors: readonly [Ns, number][], t: Ns): number {
  let [low, high] = [0, errors.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (errors[mid][0] <= t) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** Reference time when a clock showed a time of its own; that time itself where nothing says. */
export function shown(clock: HostClock | undefined, local: Ns): Ns {
  const pieces = clock ? piecesOf(clock) : [];
  return pieces.length > 0 ? along(pieces, local, (p) => [p.begin, p.end, p.referenceBegin, p.referenceEnd]) : local;
}

// The pieces between the knots of a map, by which the server maps as well; those of what the host recorded end at times that are
// rounded to a ns, so a line through these may be one beside.
function piecesOf(clock: HostClock | undefined): Piece[] {
  const pieces: Piece[] = [];
  const recorded = clock?.map ?? [];
  const knots = clock?.knots ?? [];
  const exact = recorded.length > 0 && knots.length > 1;
  for (const p of exact ? knots.slice(1).map((k, i) => ({ begin: knots[i][0], end: k[0], reference_begin: knots[i][1], reference_end: k[1] })) : recorded) {
    const [begin, end] = [parseNs(p.begin), parseNs(p.end)];
    const [referenceBegin, referenceEnd] = [parseNs(p.reference_begin), parseNs(p.reference_end)];
    if (begin !== null && end !== null && referenceBegin !== null && referenceEnd !== null && end > begin && referenceEnd > referenceBegin)
      pieces.push({ begin, end, referenceBegin, referenceEnd });
  }
  return pieces;
}

// Maps a time of a host; before its first piece and after its last these go on. null where its clock has no map.
function through(all: ReadonlyMap<number, Piece[]>, hosts: readonly HostInfo[], index: number, t: Ns, sides: (p: Piece) => [Ns, Ns, Ns, Ns]): Ns | null {
  const pieces = all.get(index) ?? [];
  if (pieces.length === 0) return hosts[index]?.reference || hosts[index]?.unsynchronized ? t : null;
  return along(pieces, t, sides);
}

// Maps through the piece that t lies in, of at least one, to the nearest ns, halves up, as the server does.
function along(pieces: readonly Piece[], t: Ns, sides: (p: Piece) => [Ns, Ns, Ns, Ns]): Ns {
  const piece = pieces.find((p) => t < sides(p)[1]) ?? pieces[pieces.length - 1];
  const [from, until, toBegin, toEnd] = sides(piece);
  const run = until - from;
  return toBegin + floorTo((t - from) * (toEnd - toBegin) + run / 2n, run) / run;
}
