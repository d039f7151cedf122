// The state of the page: window, time, cursor, selection, what is open. All that a
// link should carry to a colleague stands in the query string as well.

import { clock, date, parseNs, type Ns } from "../time/time.js";
import { clamp, isWithin, same, timeAt, windowOf, type Window } from "../time/window.js";
import { amongText, chosenText, ns64, parseChosen, parseTall, range, threads, withAmong } from "./addressed.js";
import { chosenWords, type Seen } from "./alongside.js";
import { asideOf, MOST_OPEN, sayEvents, sayState } from "./aside.js";
import { parseTables, tablesText, type Tables } from "./arranged.js";
import type { Chosen, ChosenEvent, Thread } from "./chosen.js";
import { Entries } from "./entries.js";
import { HeldTimes, type Exact } from "./held.js";
import type { Keeper } from "./kept.js";
import { landed, seenBy, sightOf, unmoved, unworded, type Landing, type Sight } from "./landing.js";
import { ledText, parseLed, type LedBy } from "./led.js";
import { BY_TID, orderText, parseOrder, type Order } from "./order.js";
import type { Bounds } from "./set.js";
import type { Remembered } from "./remembered.js";
import { Signal } from "./signal.js";
import { Trail, type Choice, type Place } from "./trail.js";
import { parseTwo, twoText } from "./two.js";
import { parseWait } from "./wait.js";
import { asksTime } from "./wheretimes.js";

export type Tab = "timeline" | "sync" | "events" | "statistics" | "messages" | "state" | "import";

const TABS: readonly Tab[] = ["timeline", "sync", "events", "statistics", "messages", "state", "import"];
/** An address holds no more collapsed processes than this. */
const MOST_COLLAPSED = 100;
/** No more rows than this are pinned. */
export const MOST_PINS = 64;
/** No more rows than this stay listed for having been selected. */
const MOST_KEPT = 16;
/** So many places that the window was brought to are known. */
const MOST_BEEN = 16;
const DAY = 86_400_000_000_000n;

/** A part of the timeline whose size can be chosen: the names of rows, the inspector, Communication and Resources. */
export type Part = "tree" | "side" | "talk" | "cpus";

export const PARTS: readonly Part[] = ["tree", "side", "talk", "cpus"];

/** A part whose rows are scrolled by themselves: Communication and Resources. Of Control flow the row on top is known. */
export type Scrollable = "talk" | "cpus";

const SCROLLABLES: readonly Scrollable[] = ["talk", "cpus"];

/** What is added up: what the timeline shows, what is selected in it, or all. */
export type Stretch = "window" | "selection" | "set";

/** What is told of the messages of two hosts. */
export type Measure = "messages" | "bytes" | "latency";

const STRETCHES: readonly Stretch[] = ["window", "selection", "set"];
const MEASURES: readonly Measure[] = ["messages", "bytes", "latency"];

/** Where the window was brought to, at a place of its way. */
interface Been {
  readonly at: number;
  readonly landing: Landing;
}

export class View {
  readonly changed = new Signal();
  /** What was chosen at a place that the window is back at is to be chosen again. */
  onChoice: (choice: Choice) => void = () => {};
  /** The cursor moved; nothing else did. */
  readonly pointed = new Signal();
  /** All of it is what an address said, as when the page was opened with that. */
  readonly returned = new Signal();
  window: Window = { begin: 0n, span: 1e9 };
  bounds: Bounds | null = null;
  /** True until the first bounds are known. */
  empty = true;
  /** The window is the whole set, and grows with it. */
  whole = true;
  /** The ends of a window that an address asked for, as it has them, "" for one that it lacks, where no such window can be shown; null for none. */
  refused: readonly [begin: string, end: string] | null = null;
  raw = false;
  /** The host whose clock the times are by, unless they are raw; "" while nobody knows. Who opens a link may find another in force. */
  by = "";
  tab: Tab = "timeline";
  cursor: Ns | null = null;
  selection: Bounds | null = null;
  filter = "";
  /** Rows that the filter does not want are listed faintly instead of hidden. */
  dim = false;
  /** Rows that do not run in the window are hidden. */
  busyOnly = true;
  order: Order = BY_TID;
  /** Threads whose rows stay on top, by host and thread id. */
  pins: Thread[] = [];
  collapsedHosts = new Set<number>();
  /** Processes collapsed by hand, as host and thread id with a dot between. */
  collapsedProcesses = new Set<string>();
  /** Hosts that Communication shows by their threads. */
  openedHosts = new Set<number>();
  /** The selected row as host and thread id, -1 for the host itself; ids of rows do not outlive a server. */
  row: Thread | null = null;
  /** Threads whose rows stay listed, since they were selected in this window, which would not list them. */
  kept: Thread[] = [];
  /** A time in the selected state of the selected row, by the clock of its host, which no clock map changes; null where none is selected. */
  did: Ns | null = null;
  /** How one came to that state; null where nothing led there. */
  led: LedBy | null = null;
  /** The row that Control flow begins with, and how many CSS pixels of it lie above; null where that follows from the selected row, or from none. */
  top: (Thread & { readonly above: number }) | null = null;
  /** A moment that others are compared with: a host by number and its own time, which no clock map changes. */
  mark: { host: number; local: Ns } | null = null;
  /** The chosen message, or bundle of several, by the clocks of its two hosts, which no clock map changes. */
  message: Chosen | null = null;
  link: { a: string; b: string } | null = null;
  /** The part of the plot of that link that is zoomed to, by the clock of its first host, which no clock map changes; null for all. */
  plot: Bounds | null = null;
  /** How much taller than by itself the plot is drawn. */
  tall = 1;
  /** The sizes of parts that were made larger or smaller, CSS pixels. */
  readonly sizes: Partial<Record<Part, number>> = {};
  /** How far parts are scrolled, CSS pixels; none that begins with its first row. */
  readonly scrolled: Partial<Record<Scrollable, number>> = {};
  /** The table of links has all of its columns. */
  columns = false;
  /** What is open in Resources, as it stands in an address; "" for what opens by itself. */
  resources = "";
  /** The selected row of Resources, as its tree names it; "" for none. */
  lane = "";
  /** A time in the selected state of that row, by the clock of its host, which no clock map changes; null where none is selected. */
  was: Ns | null = null;
  /** The two hosts, by name, whose messages alone the communication shows; null for all. */
  pair: readonly [string, string] | null = null;
  /** Hosts of the communication open to their connections, not to their threads. */
  flows = false;
  /** Arrows tell who woke whom. */
  wakes = false;
  /** What Statistics and Messages add up, the words that narrow the tables of the one, whether it has the system calls of one thread alone, if
   * that was said, whether it lists the threads that never ran, and the number that the matrix of the other shows. */
  spent: Stretch = "window";
  narrow = "";
  alone: boolean | null = null;
  still = false;
  /** Tables in another order than at first, or with all of their rows. */
  tables: Tables = new Map();
  /** The system call whose times are shown as a histogram: the host's name, and its own; null for none. */
  call: readonly [string, string] | null = null;
  exchanged: Stretch = "window";
  measure: Measure = "messages";
  /** Hosts that are compared, by name; "" for one that is not chosen. */
  compared: [string, string] = ["", ""];
  /** At which time, ns after the begin of the set, which means the same by every clock; or in the middle of the recording; null for that of the window. */
  comparedAt: number | "recording" | null = null;
  /** The bound of clocks, ns, before which nothing is drawn while the import runs; null for none. */
  wait: number | null = null;
  /** Which events are listed, from when on, and the one that is chosen, or the loss: its host, and where it is told by the clock of that. */
  events = { at: null as Ns | null, chosen: null as ChosenEvent | null, loss: null as { host: number; local: Ns } | null, name: "", where: "", host: "", during: "", clock: "", cpu: "", fields: "" };
  /** The state at a time: when, of which host, when to the ns where a step or another clock led there, the chosen attribute, the words that are
   * searched for and what is open, but for what the chosen one stands in. */
  state: { at: Ns | null; host: string; exact: Exact | null; path: string; find: string; open: string[] } = { at: null, host: "", exact: null, path: "", find: "", open: [] };
  private waitWords = "";
  /** The query string named at most a tab, and nothing was suggested yet. */
  private bare = true;
  /** The query string named a window, or the user chose one, be it the whole set: nobody else chooses one. */
  private fixed = false;
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
    const q = new URLSearchParams(query);
    this.bare = [...q.keys()].every((key) => key === "tab");
    const tab = q.get("tab") as Tab | null;
    if (tab && TABS.includes(tab)) this.tab = tab;
    this.raw = q.get("time") === "raw";
    this.filter = q.get("filter") ?? "";
    this.dim = q.get("others") === "dim";
    this.busyOnly = q.get("rows") !== "all";
    this.order = parseOrder(q.get("sort"));
    for (const pin of threads(q.get("pin"), MOST_PINS)) this.pin(pin);
    this.kept = threads(q.get("kept"), MOST_KEPT);
    this.resources = q.get("resources") ?? "";
    this.lane = q.get("lane") ?? "";
    if (this.lane) this.was = ns64(q.get("was"));
    for (const h of (q.get("collapsed") ?? "").split(",")) {
      if (/^\d+$/.test(h)) this.collapsedHosts.add(Number(h));
      else if (/^\d{1,5}\.\d{1,10}$/.test(h) && this.collapsedProcesses.size < MOST_COLLAPSED) this.collapsedProcesses.add(h);
    }
    for (const h of (q.get("opened") ?? "").split(",")) if (/^\d{1,5}$/.test(h)) this.openedHosts.add(Number(h));
    const row = /^(\d+)\.(-?\d+)$/.exec(q.get("row") ?? "");
    if (row) this.row = { host: Number(row[1]), tid: Number(row[2]) };
    if (this.row && this.row.tid >= 0) this.did = ns64(q.get("did"));
    if (this.did !== null) this.led = parseLed(q, this.did);
    const top = /^(\d{1,5})\.(-?\d{1,10})\.(\d{1,3})$/.exec(q.get("top") ?? "");
    if (top) this.top = { host: Number(top[1]), tid: Number(top[2]), above: Number(top[3]) };
    const mark = /^(\d{1,5})~(-?\d{1,19})$/.exec(q.get("mark") ?? "");
    if (mark) this.mark = { host: Number(mark[1]), local: BigInt(mark[2]) };
    this.message = withAmong(parseChosen(q.get("message") ?? ""), q.get("bundle"));
    const link = parseTwo(q.get("link"));
    if (link) {
      this.link = { a: link[0], b: link[1] };
      this.plot = range(q.get("plot"));
      this.tall = parseTall(q.get("tall"));
    }
    for (const size of (q.get("sizes") ?? "").split(".")) {
      const m = /^(tree|side|talk|cpus)(\d{2,4})$/.exec(size);
      if (m) this.sizes[m[1] as Part] = Number(m[2]);
    }
    for (const part of (q.get("scroll") ?? "").split(".")) {
      const m = /^(talk|cpus)([1-9]\d{0,6})$/.exec(part);
      if (m) this.scrolled[m[1] as Scrollable] = Number(m[2]);
    }
    this.columns = q.get("columns") === "all";
    this.flows = q.get("flows") === "1";
    this.wakes = q.get("wakes") === "1";
    this.pair = parseTwo(q.get("pair")) ?? this.pair;
    const compared = parseTwo(q.get("compare"));
    if (compared) this.compared = [...compared];
    const comparedAt = q.get("moment") ?? "";
    if (/^\d{1,15}$/.test(comparedAt)) this.comparedAt = Number(comparedAt);
    else if (comparedAt === "recording") this.comparedAt = comparedAt;
    this.spent = STRETCHES.find((s) => s === q.get("spent")) ?? "window";
    this.narrow = q.get("narrow") ?? "";
    this.alone = q.get("alone") === "1" ? true : q.get("alone") === "0" ? false : null;
    this.still = q.get("still") === "1";
    this.tables = parseTables(q.get("tables") ?? "");
    const call = parseTwo(q.get("call"));
    if (call?.every(Boolean)) this.call = call;
    this.exchanged = STRETCHES.find((s) => s === q.get("exchanged")) ?? "window";
    this.measure = MEASURES.find((m) => m === q.get("shown")) ?? "messages";
    this.waitFor(q.get("wait") ?? "");
    const [, host, local, cpu] = /^(\d{1,5})~(-?\d{1,19})~(-1|\d{1,5})$/.exec(q.get("chosen") ?? "") ?? [];
    const when = ns64(local);
    const chosen = when === null ? null : { host: Number(host), local: when, cpu: Number(cpu) };
    const lost = /^(\d{1,5})~(-?\d{1,19})$/.exec(q.get("lost") ?? "");
    const where = chosen ? null : ns64(lost?.[2]);
    this.events = { at: parseNs(q.get("at")), chosen, loss: where === null ? null : { host: Number(lost![1]), local: where }, name: q.get("event") ?? "", where: q.get("where") ?? "", host: q.get("host") ?? "", during: "", clock: "", cpu: "", fields: "" };
    for (const column of ["during", "clock", "cpu", "fields"] as const) this.events[column] = q.get(column) ?? "";
    this.state = { at: parseNs(q.get("state")), host: q.get("of") ?? "", exact: null, path: q.get("attribute") ?? "", find: q.get("find") ?? "", open: q.getAll("open").slice(0, MOST_OPEN) };
    this.by = q.get("by") ?? "";
    this.selection = range(q.get("selection"));
    if (q.get("window") === "all") this.fixed = true;
    const ends = [q.get("begin"), q.get("end")] as const;
    const window = range(ends.join("~"));
    const shown = window && isWithin(window.begin, window.end);
    if (!shown && ends.some((end) => end !== null)) this.refused = [ends[0] ?? "", ends[1] ?? ""];
    if (window && !shown) this.fixed = true; // all there is lies in it, as a rule
    else if (window) {
      this.window = windowOf(window.begin, window.end);
      this.whole = this.empty = false;
      this.fixed = true;
    }
  }

  /** Takes what an address says as that of a page that has it from the begin. place is where on its way the window was then, null where that is
   * not known. Where it says nothing of the time that events or states are listed from, they stay. */
  comeBack(query: string, place: number | null): void {
    const said = new View();
    said.load(query);
    const { changed, pointed, returned, onChoice, bounds, empty, cursor, keeper, trail, entries, bare, held, landing, been, stayed, ...all } = said;
    const here = { ...this.place, choice: this.choice };
    const reached = place === null ? null : this.trail.goTo(place, here);
    if (!reached) this.trail.leave(here, performance.now());
    this.trail.rest();
    const same = said.raw === this.raw;
    this.stayed = { events: same && said.tab !== "events", state: same && said.tab !== "state" };
    if (this.stayed.events) all.events = { ...all.events, at: this.events.at, chosen: this.events.chosen, loss: this.events.loss };
    if (this.stayed.state) all.state = this.state;
    const by = all.by || this.by;
    const window = said.whole ? (this.bounds ? windowOf(this.bounds.begin, this.bounds.end) : this.window) : said.window;
    Object.assign(this, all, { by, window });
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
    const q = new URLSearchParams();
    if (this.tab !== "timeline") q.set("tab", this.tab);
    if (this.raw) q.set("time", "raw");
    else if (this.by && (this.somewhere !== null || this.events.during || asksTime(this.events.where))) q.set("by", this.by);
    if (this.whole && this.fixed) q.set("window", "all");
    else if (!this.whole && !this.empty) {
      q.set("begin", String(this.window.begin));
      q.set("end", String(this.window.begin + BigInt(Math.round(this.window.span))));
    }
    if (this.selection) q.set("selection", `${this.selection.begin}~${this.selection.end}`);
    if (this.filter) q.set("filter", this.filter);
    if (this.dim) q.set("others", "dim");
    if (!this.busyOnly) q.set("rows", "all");
    if (this.resources) q.set("resources", this.resources);
    if (this.lane) q.set("lane", this.lane);
    if (this.lane && this.was !== null) q.set("was", String(this.was));
    if (orderText(this.order)) q.set("sort", orderText(this.order));
    if (this.top) q.set("top", `${this.top.host}.${this.top.tid}.${this.top.above}`);
    if (this.pins.length) q.set("pin", this.pins.map((p) => `${p.host}.${p.tid}`).join(","));
    if (this.kept.length) q.set("kept", this.kept.map((p) => `${p.host}.${p.tid}`).join(","));
    const collapsed = [...[...this.collapsedHosts].sort((a, b) => a - b), ...[...this.collapsedProcesses].slice(0, MOST_COLLAPSED)];
    if (collapsed.length) q.set("collapsed", collapsed.join(","));
    if (this.openedHosts.size) q.set("opened", [...this.openedHosts].sort((a, b) => a - b).join(","));
    if (this.row) q.set("row", `${this.row.host}.${this.row.tid}`);
    if (this.row && this.did !== null) q.set("did", String(this.did));
    if (this.row && this.did !== null) for (const [name, words] of ledText(this.led)) q.set(name, words);
    if (this.mark) q.set("mark", `${this.mark.host}~${this.mark.local}`);
    if (this.message) q.set("message", chosenText(this.message));
    const bundle = this.message && amongText(this.message);
    if (bundle) q.set("bundle", bundle);
    if (this.wait !== null) q.set("wait", this.waitWords);
    if (this.tab === "events") sayEvents(q, this.events);
    if (this.events.name) q.set("event", this.events.name);
    if (this.events.where) q.set("where", this.events.where);
    for (const column of ["host", "during", "clock", "cpu", "fields"] as const) if (this.events[column]) q.set(column, this.events[column]);
    if (this.tab === "state") sayState(q, this.state);
    if (this.link) {
      q.set("link", twoText([this.link.a, this.link.b]));
      if (this.plot) q.set("plot", `${this.plot.begin}~${this.plot.end}`);
      if (this.tall !== 1) q.set("tall", String(this.tall));
    }
    const sizes = PARTS.filter((p) => this.sizes[p] !== undefined).map((p) => p + this.sizes[p]);
    if (sizes.length) q.set("sizes", sizes.join("."));
    const scrolled = SCROLLABLES.filter((p) => this.scrolled[p] !== undefined).map((p) => p + this.scrolled[p]);
    if (scrolled.length) q.set("scroll", scrolled.join("."));
    if (this.columns) q.set("columns", "all");
    if (this.flows) q.set("flows", "1");
    if (this.wakes) q.set("wakes", "1");
    if (this.pair) q.set("pair", twoText(this.pair));
    if (this.spent !== "window") q.set("spent", this.spent);
    if (this.narrow) q.set("narrow", this.narrow);
    if (this.alone !== null) q.set("alone", this.alone ? "1" : "0");
    if (this.still) q.set("still", "1");
    if (this.tables.size) q.set("tables", tablesText(this.tables));
    if (this.call) q.set("call", twoText(this.call));
    if (this.exchanged !== "window") q.set("exchanged", this.exchanged);
    if (this.measure !== "messages") q.set("shown", this.measure);
    if (this.compared.some(Boolean)) q.set("compare", twoText(this.compared));
    if (this.comparedAt !== null) q.set("moment", String(this.comparedAt));
    const s = q.toString();
    return s && "?" + s;
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
    this.wait = parseWait(words);
    this.waitWords = this.wait === null ? "" : words;
  }

  /** The bound that is waited for, as it stands in an address; "" for none. */
  get waitedFor(): string {
    return this.waitWords;
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
    const said = new View();
    said.load(aside);
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

  /** Times are others, later by so much. What is on screen stays there. */
  move(by: Ns): void {
    const { landing, unmoved } = this;
    if (!this.whole) this.window = { begin: this.window.begin + by, span: this.window.span };
    this.landing = unmoved ? { ...unmoved, window: this.window } : by === 0n ? landing : null;
    if (this.cursor !== null) this.cursor += by;
    this.held.move(by);
  }

  /** A time that is looked at, or was chosen; null where that is the whole set and nothing in it. */
  get somewhere(): Ns | null {
    return !this.whole ? timeAt(this.window, 0.5) : (this.selection?.begin ?? this.events.at ?? this.state.at);
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

  get time(): "raw" | "reference" {
    return this.raw ? "raw" : "reference";
  }
}
