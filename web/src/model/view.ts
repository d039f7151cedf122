// What the page shows and how it came there: movements of the window, what is chosen, and the way back to what was. All that a link should carry to a
// colleague is in the address, query.ts.

import { clock, date, type Ns } from "../time/time.js";
import { clamp, same, windowOf, type Window } from "../time/window.js";
import { chosenWords, type Seen } from "./alongside.js";
import { asideOf } from "./aside.js";
import type { Thread } from "./chosen.js";
import { Entries } from "./entries.js";
import { HeldTimes } from "./held.js";
import type { Keeper } from "./kept.js";
import { landed, seenBy, sightOf, unmoved, unworded, type Landing, type Sight } from "./landing.js";
import { say, take } from "./query.js";
import type { Remembered } from "./remembered.js";
import type { Bounds } from "./set.js";
import { MOST_KEPT, MOST_PINS, Shown } from "./shown.js";
import { Signal } from "./signal.js";
import { Trail, type Choice, type Place } from "./trail.js";
import { waitWords } from "./wait.js";

/** So many places that the window was brought to are known. */
const MOST_BEEN = 16;
const DAY = 86_400_000_000_000n;

/** Where the window was brought to, at a place of its way. */
interface Been {
  readonly at: number;
  readonly landing: Landing;
}

export class View extends Shown {
  readonly changed = new Signal();
  /** What was chosen at a place that the window is back at is to be chosen again. */
  onChoice: (choice: Choice) => void = () => {};
  /** The cursor moved; nothing else did. */
  readonly pointed = new Signal();
  /** All of it is what an address said, as when the page was opened with that. */
  readonly returned = new Signal();
  bounds: Bounds | null = null;
  cursor: Ns | null = null;
  /** The query string named at most a tab, and nothing was suggested yet. */
  private bare = true;
  /** What stayed as it was as one came back to an address. */
  private stayed = { events: false, state: false };
  /** Tells by which clocks windows are that are kept to come back to; null where there are none. */
  keeper: Keeper | null = null;
  private landing: Landing | null = null;
  /** Where it was brought to before, the last ones, by the clock maps of now, and at which place of its way: an address leads back to them. */
  private been: Been[] = [];
  private readonly trail = new Trail(({ window, choice }) => this.see(window, choice));
  readonly entries = new Entries(() => this.query(), this.trail);

  /** Takes what the query string says. */
  load(query: string): void {
    this.bare = [...new URLSearchParams(query).keys()].every((key) => key === "tab");
    take(this, query);
  }

  /** Takes what an address says as that of a page that has it from the begin. place is where on its way the window was then, null where that is
   * not known. Where it says nothing of the time that events or states are listed from, they stay. */
  comeBack(query: string, place: number | null): void {
    const said = new Shown();
    take(said, query);
    const here = { ...this.place, choice: this.choice };
    const reached = place === null ? null : this.trail.goTo(place, here);
    if (!reached) this.trail.leave(here, performance.now());
    this.trail.rest();
    const same = said.raw === this.raw;
    this.stayed = { events: same && said.tab !== "events", state: same && said.tab !== "state" };
    if (this.stayed.events) said.events = { ...said.events, at: this.events.at, chosen: this.events.chosen, loss: this.events.loss };
    if (this.stayed.state) said.state = this.state;
    said.by ||= this.by;
    said.empty = this.empty;
    if (said.whole) said.window = this.bounds ? windowOf(this.bounds.begin, this.bounds.end) : this.window;
    Object.assign(this, said);
    this.landAt(reached);
    this.bare = false;
  }

  /** What the address said that one came back to is by another clock than that of now: the window is later by so much, and by at is told where other times of it are. What it
   * did not say is by the clock of now. */
  rebase(by: Ns, at: (t: Ns) => Ns): void {
    const { selection, stayed } = this;
    const [listed, looked] = [this.events.at, this.state.at];
    this.move(by);
    if (selection) this.selection = { begin: at(selection.begin), end: at(selection.begin) + selection.end - selection.begin };
    this.events.at = listed === null || stayed.events ? listed : at(listed);
    this.state.at = looked === null || stayed.state ? looked : at(looked);
  }

  /** What a link to this very view has after the path: "" where nothing was chosen. */
  query(): string {
    return say(this);
  }

  /** Whether a thread is pinned. */
  pinned(t: Thread | null): boolean {
    return !!t && this.pins.some((p) => p.host === t.host && p.tid === t.tid);
  }

  /** Pins a thread below those that are; reports whether it is pinned now, which it is not where there is no room. */
  pin(t: Thread): boolean {
    if (!this.pinned(t) && this.pins.length < MOST_PINS) this.pins.push(t);
    return this.pinned(t);
  }

  unpin(t: Thread): void {
    this.pins = this.pins.filter((p) => p.host !== t.host || p.tid !== t.tid);
  }

  /** Keeps the row of a thread listed as long as the window stays. */
  stay(t: Thread): void {
    this.kept = [...this.kept.filter((p) => p.host !== t.host || p.tid !== t.tid), t].slice(-MOST_KEPT);
  }

  /** Tells everybody, and the address bar. */
  emit(): void {
    this.changed.emit();
    this.keep();
  }

  /** Tells the address bar alone. */
  keep(): void {
    this.entries.bar.keep();
  }

  /** Nothing is drawn before clocks are known to a bound such as 50us; "" for at once. */
  waitFor(words: string): void {
    this.waitedFor = waitWords(words);
  }

  /** Whether the set lasts so long that a time of day is one of several days. */
  get long(): boolean {
    return this.bounds !== null && this.bounds.end - this.bounds.begin > DAY;
  }

  /** A clock's own reading, taken as UTC, with its day where there are several: "2026-11-22 19:01:23.355 118 402". */
  clock(t: Ns): string {
    return (this.long ? date(t) + " " : "") + clock(t);
  }

  /** New bounds of the set; a window that shows the whole set follows them. */
  setBounds(bounds: Bounds): void {
    this.bounds = bounds;
    if (this.whole || this.empty) this.window = windowOf(bounds.begin, bounds.end);
    this.empty = false;
  }

  /** A window chosen for the user, once, where he opened the set as such and chose nothing in the timeline yet. Tells whether it is the one now. */
  suggest(begin: Ns, end: Ns): boolean {
    if (!this.bare || this.fixed || end <= begin || this.row || this.selection || this.filter) return false;
    this.bare = false;
    this.window = windowOf(begin, end);
    this.whole = this.empty = false;
    return (this.fixed = true);
  }

  show(w: Window): void {
    this.fixed = true;
    const to = this.bounds ? clamp(w, this.bounds.begin, this.bounds.end) : w;
    if (!same(to, this.window)) {
      this.trail.leave(this.place, performance.now());
      this.whole = false;
      this.window = to;
      this.kept = [];
    }
    this.emit();
  }

  /** Shows a window that was chosen as a whole, such as one from a list: a movement of its own, and an entry of the browser's history unless it
   * goes along with steps of the keyboard. */
  jump(to: Window, entry = true): void {
    const w = this.bounds ? clamp(to, this.bounds.begin, this.bounds.end) : to;
    this.trail.rest();
    if (entry && !same(w, this.window)) this.entries.step(true);
    this.show(w);
    this.trail.rest();
  }

  /** The same, to where another row or state is to be chosen: what is chosen now, or was just before, comes back with the window of now. */
  jumpChoosing(to: Window, chosen: Choice = this.choice): void {
    this.trail.rest();
    this.entries.step(true);
    this.trail.leave({ ...this.place, choice: { ...chosen, folded: undefined } }, performance.now());
    this.fixed = true;
    const w = this.bounds ? clamp(to, this.bounds.begin, this.bounds.end) : to;
    if (!same(w, this.window)) this.whole = false;
    this.window = w;
    this.trail.rest();
    this.emit();
  }

  /** Unfolds hosts and processes, where something in them is to be chosen: what is folded and chosen now comes back with the window of now. */
  unfold(hosts: readonly number[], processes: readonly string[]): void {
    this.trail.unfold({ ...this.place, choice: this.choice }, performance.now());
    for (const host of hosts) this.collapsedHosts.delete(host);
    for (const process of processes) this.collapsedProcesses.delete(process);
  }

  /** Undoes the last movement of the window. */
  back(): void {
    const to = this.trail.back({ ...this.place, choice: this.choice });
    this.entries.along();
    this.go(to);
  }

  /** Does again what was undone last. */
  forward(): void {
    const to = this.trail.forward({ ...this.place, choice: this.choice });
    this.entries.along();
    this.go(to);
  }

  /** What the page is to be remembered by. */
  get left(): Omit<Remembered, "scrolled"> {
    return { raw: this.raw, query: this.query(), aside: asideOf(this), at: { sight: this.see(this.window), ...this.place, choice: this.choice }, way: this.trail.way, held: this.keeper ? this.held.left(this.keeper) : [], steps: this.entries.steps };
  }

  /** Goes on with the way of the page that was here before it was loaded again; query is what the address says now. */
  resume({ query, aside, at, way, held, steps }: Omit<Remembered, "scrolled" | "raw">, now: string): void {
    const place = this.entries.resume(steps);
    if (place === null) return;
    this.trail.resume(way);
    if (query === now) this.takeAside(aside);
    this.held.resume(held);
    // The browser may be back at another of its entries than it was left at.
    const reached = query === now ? at : this.trail.goTo(place, at);
    if (!reached) this.trail.leave(at, performance.now());
    this.landAt(reached);
  }

  // Takes what a page that was where this is said of the tabs that are not shown.
  private takeAside(aside: string): void {
    const said = new Shown();
    take(said, aside);
    const { at, chosen, loss } = said.events;
    if (this.tab !== "events") Object.assign(this.events, { at, chosen, loss });
    if (this.tab !== "state") this.state = said.state;
  }

  get canGoBack(): boolean {
    return this.trail.canGoBack;
  }

  get canGoForward(): boolean {
    return this.trail.canGoForward;
  }

  /** What is chosen in the timeline. */
  get choice(): Choice {
    return { row: this.row, did: this.did, message: this.message, folded: { hosts: [...this.collapsedHosts], processes: [...this.collapsedProcesses] } };
  }

  private get place(): Place {
    const { window, whole, unmoved } = this;
    return { window, whole, ...(unmoved ? { sight: sightOf(unmoved) } : {}) };
  }

  // A window that is seen with what is chosen now, or was then.
  private see(window: Window, chosen?: Choice): Sight | undefined {
    const kept = this.keeper?.keep(window, chosen);
    return kept && { kept, words: chosenWords({ ...this.seen, ...chosen }) };
  }

  private get seen(): Seen {
    const { raw, window, row, did, lane, was, message } = this;
    return { raw, window, row, did, lane, was, message };
  }

  // An address led to a place, if the window is there, of which the address has no fractions of a ns.
  private landAt(place: Place | null): void {
    const { window } = this;
    if (!place?.sight || this.whole || place.window.begin !== window.begin || Math.round(place.window.span) !== Math.round(window.span)) return;
    this.window = place.window;
    const there = ({ at, landing }: Been) => {
      const seen = seenBy(landing, this.raw);
      return at === this.trail.here && landing.chosen === chosenWords(this) && seen !== undefined && same(seen.window, place.window);
    };
    this.land(this.been.findLast(there)?.landing ?? place.sight);
  }

  /** The window was brought to where it is now. */
  land(sight: Sight): void {
    // What was only told is seen by now.
    const { told, ...seen } = sight;
    this.landing = landed(this, sight.other?.raw === this.raw ? seen : sight);
    this.been = [...this.been, { at: this.trail.here, landing: this.landing }].slice(-MOST_BEEN);
  }

  /** There are other clocks: what is on screen is where one is by them. */
  landAnew(): void {
    const { unmoved, keeper } = this;
    this.been = [];
    if (!unmoved || !keeper || this.raw) return;
    const now = keeper.keep(this.window);
    this.land({ ...sightOf(unmoved), ...(unmoved.kept.raw ? { other: now } : { kept: now }) });
  }

  /** The state of the selected row is known now, by a time in it: nothing else is chosen, so one is where one was. */
  specify(did: Ns): void {
    const { unmoved } = this;
    const was = chosenWords(this);
    this.did = did;
    if (unmoved) this.landing = landed(this, unmoved.words === was ? { ...sightOf(unmoved), words: chosenWords(this) } : sightOf(unmoved));
  }

  /** Where the window was brought to, if it has not moved since and nothing else was chosen. */
  get unmoved(): Landing | null {
    return !this.whole && unmoved(this.landing, this) ? this.landing : null;
  }

  private go(to: Place | null): void {
    if (!to) return;
    this.whole = to.whole;
    this.kept = [];
    this.window = to.whole && this.bounds ? windowOf(this.bounds.begin, this.bounds.end) : to.window;
    if (to.choice?.folded) {
      this.collapsedHosts = new Set(to.choice.folded.hosts);
      this.collapsedProcesses = new Set(to.choice.folded.processes);
    }
    if (to.choice) this.onChoice(to.choice);
    if (to.sight && !to.whole) this.land(to.sight);
    this.emit();
  }

  private readonly held = new HeldTimes(() => this);

  /** The clock is to be another: what is told by it is found again. */
  hold(): void {
    if (this.keeper) this.held.hold(this.keeper);
  }

  /** The clock is another: what is kept to come back to is told by it. along is the host that the window went with as times became raw; back tells that it went back to
   * where it was seen by these times. */
  retell(along?: number, back = false): void {
    const { keeper } = this;
    if (!keeper) return;
    this.trail.retell((sight, { window, choice }) => keeper.seenAgain(sight, window, choice ? undefined : along));
    this.held.tell(keeper, along, back);
  }

  /** Events are listed from another time, now that times are of the other kind: it is where one was. */
  listFrom(at: Ns): void {
    this.held.listFrom(at);
  }

  /** Whether they are listed from where they were as times were of this kind before. */
  get listedBack(): boolean {
    return this.held.listedBack(this.raw);
  }

  /** Times are others, later by so much. What is on screen stays there. */
  move(by: Ns): void {
    const { landing, unmoved } = this;
    if (!this.whole) this.window = { begin: this.window.begin + by, span: this.window.span };
    this.landing = unmoved ? { ...unmoved, window: this.window } : by === 0n ? landing : null;
    if (this.cursor !== null) this.cursor += by;
    this.held.move(by);
  }

  /** Hosts have other numbers, or null where they are gone: what is of those goes. */
  renumber(to: ReadonlyMap<number, number | null>): void {
    const number = (host: number): number | null => (to.has(host) ? to.get(host)! : host);
    const thread = <T extends { host: number }>(t: T): T | null => {
      const host = number(t.host);
      return host === null ? null : { ...t, host };
    };
    const key = (k: string): string | null => {
      const [, host, rest] = /^(\d*)(.*)$/.exec(k)!;
      const n = host && number(Number(host));
      return n === null ? null : n + rest;
    };
    const all = <T, U>(from: Iterable<T>, by: (x: T) => U | null): U[] => [...from].map(by).filter((x): x is NonNullable<typeof x> => x !== null);
    this.trail.renumbered();
    const { unmoved } = this;
    this.row = this.row && thread(this.row);
    if (!this.row) this.did = this.led = null;
    if (this.led) this.led = { ...this.led, from: all(this.led.from, thread) };
    this.mark = this.mark && thread(this.mark);
    this.events.chosen = this.events.chosen && thread(this.events.chosen);
    this.events.loss = this.events.loss && thread(this.events.loss);
    const ends = this.message ? all([this.message.from, this.message.to], number) : [];
    this.message = this.message && ends.length === 2 ? { ...this.message, from: ends[0], to: ends[1] } : null;
    this.pins = all(this.pins, thread);
    this.kept = all(this.kept, thread);
    this.collapsedHosts = new Set(all(this.collapsedHosts, number));
    this.collapsedProcesses = new Set(all(this.collapsedProcesses, key));
    this.openedHosts = new Set(all(this.openedHosts, number));
    this.resources = all(this.resources.split(",").filter(Boolean), key).join(",");
    this.lane = key(this.lane) ?? "";
    if (!this.lane) this.was = null;
    this.been = [];
    this.landing = unmoved && landed(this, { ...unworded(sightOf(unmoved)), ...(unmoved.words === unmoved.chosen ? { words: chosenWords(this) } : {}) });
  }

  showAll(): void {
    if (!this.bounds) return;
    this.trail.rest();
    if (!this.whole) {
      this.entries.step(true);
      this.trail.leave(this.place, performance.now());
    }
    this.trail.rest();
    this.fixed = this.whole = true;
    this.kept = [];
    this.window = windowOf(this.bounds.begin, this.bounds.end);
    this.emit();
  }

  /** The widest window: the set and a little on both sides. */
  widest(): number {
    return this.bounds ? Number(this.bounds.end - this.bounds.begin) * 1.2 : this.window.span;
  }

  /** What times on the page are counted from. */
  origin(): Ns {
    return this.bounds?.begin ?? this.window.begin;
  }
}
