// The Events tab: the events of all hosts in one order, as many as there are. A page of
// them is held around the place one looks at; the rest stays in the traces.

import { CLOSER } from "../commands/places.js";
import { countEvents, readEvents, readRunning } from "../home/api.js";
import { lossWords, untilWords, type Loss } from "../model/losses.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { add, h, text } from "../ui/dom.js";
import { counted } from "../time/number.js";
import { ROUNDED, seconds, type Ns } from "../time/time.js";
import { around, endOf, shareOf, timeAt, windowOf } from "../time/window.js";
import { filterForm, placeBar } from "./bars.js";
import { Chosen } from "./chosen.js";
import { COLUMNS } from "./columns.js";
import { Counted } from "./counted.js";
import { leadToRows } from "./filterkeys.js";
import { Filters } from "./filters.js";
import { MARKED, Marked } from "./marked.js";
import { LossPlaces, undatedWords } from "./lossplaces.js";
import { entry, isEntry, Pages, type Entry } from "./pages.js";
import { misspeltWords, nothingWords, soFarWords } from "./searchwords.js";
import { Rail } from "./rail.js";
import { sinceAbove } from "./since.js";
import { Table, type Cells } from "./table.js";
import { takeAway } from "./taken.js";
import { Timing, type Timed } from "./timed.js";

const NEAR = 60; // rows from an end at which more are fetched
const WIDE = 100e6; // ns of the timeline's window around an event it did not show
const FAR = 1e9; // a window of more ns shows no single event
const SAME = 100; // events at most that are looked through for one, from the begin of the ns that it may be in
const REST = 300; // ms after which a place goes into the address
const ANEW = "\n"; // is asked by no filters: their fields and the place are those of the address
const AGAIN = 1000; // ms between two questions for events while an import has read none that are wanted

export class EventsPage {
  /** Asks for the timeline, with what a thread of a host did at a time. */
  onFind: (host: number, tid: number, at: Ns) => void = () => {};
  /** Asks for the timeline from one time to another. */
  onRange: (begin: Ns, end: Ns) => void = () => {};
  onSay: (sentence: string) => void = () => {};
  readonly losses: LossPlaces;
  private readonly pages: Pages;
  private readonly flag: Marked;
  private readonly counted: Counted;
  private readonly number = h("span", { class: "number", role: "status", title: "Events of the whole set that the filters want" });
  private readonly filters: Filters;
  private readonly table: Table;
  private readonly rail: Rail;
  private readonly reading = h("span", { class: "reading" });
  private readonly told = h("p", { class: "told", role: "status", hidden: true });
  private readonly toldWords = h("span");
  private readonly anew = h("button", { type: "button", hidden: true, onclick: () => this.anewFromFirst() }, "From the first event");
  private readonly chosen: Chosen;
  private asked = "";
  private from: Ns | null = null; // the time that was gone to
  private place: Ns | null = null; // the time that one is at, though the events listed there may begin later
  private landed: Ns | null = null; // when the event on top was as one came there
  private aim: { readonly last: boolean; readonly choose: boolean } | null = null; // what is on its way: the last events or those from the place on, and whether the one that was asked for is to be chosen
  private timer = 0;
  private askedAt = -Infinity;
  private vain = ""; // what was asked for last and not found, while an import ran
  private known = { version: -1, ready: false, raw: false };
  private readonly timing: Timing;
  private compared: View["mark"] = null; // as the rows show it

  constructor(root: HTMLElement, private readonly id: string, private readonly set: SetModel, private readonly view: View) {
    this.filters = new Filters(set, view);
    const { byColumn } = this.filters;
    this.table = new Table("Events", COLUMNS.map((c) => (c.name in byColumn ? { ...c, filter: byColumn[c.name] } : c)));
    this.rail = new Rail(this.table.root);
    this.timing = new Timing(set, view);
    this.pages = new Pages(() => {
      const wanted = this.filters.wanted();
      return (q, signal) => readEvents(id, { ...q, ...wanted }, signal);
    }, () => this.asked);
    this.counted = new Counted((begin, signal) => countEvents(id, { ...this.filters.wanted(), begin }, signal));
    this.counted.onChange = () => this.show(0);
    this.losses = new LossPlaces(id, set, view, () => this.lossPlace());
    this.losses.onFound = (x) => void this.goToLoss(x);
    this.flag = new Marked(set, view, (t) => this.words(t));
    this.flag.onGo = (at) => this.go(at);
    this.chosen = new Chosen(set, view, this.flag, (t) => this.words(t), (t) => this.until(t));
    this.chosen.onFind = (e) => void this.find(e);
    this.chosen.onMark = (e) => this.setMark(e);
    this.chosen.onRange = (x) => this.onRange(x.begin, x.end);
    view.returned.on(() => this.comeBack());
    const form = filterForm(this.filters.where, this.number, { submit: (e) => this.submit(e), clear: () => this.clear(), save: () => this.save() });
    const place = placeBar(this.reading, this.told, () => this.go(this.view.window.begin), this.flag.el, this.losses.el);
    add(this.told, this.toldWords, " ", this.anew);
    add(root, form, place, this.rail.el, this.chosen.el, this.chosen.heard);
    for (const field of this.filters.fields) leadToRows(field, () => this.enter(), () => this.submit());
    this.filters.host.el.addEventListener("change", () => this.submit());
    this.rail.onMove = (share) => text(this.reading, this.words(this.placeOf(share)));
    this.rail.onGo = (share) => (share < 1 ? this.go(this.placeOf(share)) : this.end());
    this.pages.onChange = (before, dropped) => this.show(before - dropped);
    this.table.onScroll = (first, last) => this.scrolled(first, last);
    this.table.onChoose = () => this.choose();
    this.table.onBrought = () => this.keepPlace();
    this.table.onOpen = () => this.chosen.open();
    this.table.onKey = (e) => this.key(e);
    this.table.takeArrows(this.chosen.el);
  }

  /** The tab came up, or the set, its clocks or the kind of time are others. */
  refresh(): void {
    if (this.view.tab !== "events") return this.counted.rest();
    if (!this.set.bounds(this.view.raw)) {
      this.told.hidden = !this.set.importing;
      text(this.toldWords, this.set.importing ? soFarWords(false, true) : "");
      return this.counted.rest();
    }
    this.filters.offer();
    this.losses.refresh();
    this.table.lengthen(this.view.long);
    this.flag.refresh();
    const scrolled = !this.pages.coming && this.at() !== this.place;
    const renewed = this.timing.renew(this, this.pages);
    this.filters.exemplify(this.pages.entries);
    if (renewed || this.compared !== this.view.mark) this.marked();
    const { events } = this.view;
    const { now } = this;
    const { question } = this.filters;
    const { coming } = this.pages;
    // What is on its way comes as it was asked for, and is then asked for by the clocks of now, as it would be had one waited for it.
    if (coming && question === this.asked) return this.tellNumber();
    const same = question === this.asked && now.raw === this.known.raw;
    const changed = now.version !== this.known.version || now.ready !== this.known.ready;
    // While an import runs clocks change all the time: what is read, or on its way, stays until it is done.
    const done = changed && now.ready;
    if (same && !done && this.pages.entries.length + Number(this.pages.busy) > 0) return this.tellNumber();
    const clock = performance.now();
    if (same && !done && clock - this.askedAt < AGAIN) return;
    this.askedAt = clock;
    const top = this.pages.lines.slice(this.table.top).find(isEntry);
    const held = top && this.set.hosts.find((x) => x.name === top.host);
    // The event on top stays there as times turn; who turns back is where the list began, which may be ahead of it. Raw times stay, whatever clocks
    // there are, and so does where their list began. Who is on the way elsewhere goes on.
    const turned = now.raw !== this.known.raw;
    const stays = now.raw && !turned && !scrolled;
    const there = this.asked === ANEW || coming ? null : stays ? this.place : held && now.raw ? top.local : held ? this.set.toReference(held.index, top.local) : null;
    const back = turned && !scrolled && this.view.listedBack;
    const from = this.filters.inside((back ? null : there) ?? events.at ?? this.view.window.begin);
    if (turned && !scrolled && !back && events.at !== null) this.view.listFrom(from);
    const addressed = this.asked === "" || this.asked === ANEW;
    if (question !== this.asked) this.filters.put(this.asked === "");
    this.asked = question;
    // An address that leads to where all events end was left on the way to the last ones.
    const { aim } = this;
    const last = aim ? aim.last : addressed && now.ready && from === this.filters.end;
    const sees = this.table.seesChosen;
    void (last ? this.turnBack(aim ? aim.choose : !events.chosen) : this.turn(from, aim?.choose)).then((came) => {
      if (!came) return;
      if (sees) this.table.bringChosen();
      void this.recall();
    });
  }

  // What the list depends on besides what the filters want.
  private get now() {
    return { version: this.set.clocks?.version ?? 0, ready: this.set.info?.state === "ready", raw: this.view.raw };
  }

  // All is what an address says.
  private comeBack(): void {
    if (this.view.tab !== "events") return;
    this.table.chosen = -1;
    this.chosen.tell(null);
    this.asked = ANEW;
    this.aim = null;
    this.askedAt = -Infinity;
  }

  /** Times are told by other clocks. */
  retime(before: Timed | null, now: Timed): void {
    const first = this.pages.entries[0];
    const by = first ? (now.shown(first.host, first.local) ?? first.time) - first.time : 0n;
    [this.landed, this.place] = [this.landed, this.place].map((t) => (t === null ? null : t + by));
    this.chosen.retime(before, now);
  }

  /** Shows what happened from a time on, as a step of the browser's history; the first of it may be chosen at once. */
  go(t: Ns, choose = false): void {
    this.view.entries.step(false);
    this.leave();
    this.view.events.at = t;
    this.view.keep();
    void this.turn(t, choose);
  }

  /** Shows the last events, as a step of the browser's history, and chooses the last of them. */
  private end(): void {
    this.view.entries.step(false);
    this.leave();
    this.view.events.at = this.filters.end;
    this.view.keep();
    void this.turnBack();
  }

  /** Lists what was recorded while a thread of a host was on a CPU, from a time on. */
  ofThread(host: string, tid: number, at: Ns): void {
    this.filters.offer();
    this.filters.write(host, `thread == ${tid}`);
    this.submit(undefined, at);
    this.enter();
  }

  // Lists the events from a time on; tells whether nobody went elsewhere meanwhile.
  private turn(t: Ns, choose = false): Promise<boolean> {
    this.from = this.place = t;
    return this.arrive(t, { last: false, choose });
  }

  // Lists the last events, of which the last may be chosen. Those that the filter can want are before the end of its stretch: what is behind it need not be looked at.
  private turnBack(choose = true): Promise<boolean> {
    this.place = this.filters.end;
    return this.arrive(this.place + 1n, { last: true, choose });
  }

  private async arrive(at: Ns, aim: { last: boolean; choose: boolean }): Promise<boolean> {
    this.aim = aim;
    this.known = this.now;
    if (!(await this.pages.jump(at, aim.last))) return false;
    this.aim = null;
    const row = aim.last ? this.pages.lines.length - 1 : this.pages.start;
    this.table.goTo(row, false);
    this.landed = this.pages.lines[this.table.top]?.time ?? null;
    if (aim.last) this.place = this.landed;
    if (aim.choose) this.table.choose(row);
    const { raw, version, ready } = this.now;
    if (raw !== this.known.raw || version !== this.known.version || (ready && !this.known.ready)) this.refresh();
    return true;
  }

  // Tells of the event or the loss that the address has, or that was chosen when its clock was another one, be it in the table or not.
  private async recall(): Promise<void> {
    const { view, set } = this;
    const { chosen } = view.events;
    const host = chosen && set.host(chosen.host);
    if (!chosen || !host) {
      const lost = await this.losses.kept(this.pages.lines.flatMap((line) => (isEntry(line) ? [] : [line.lost])));
      if (!lost || this.chosen.loss || this.chosen.event) return;
      this.chosen.tellLoss(lost);
      return this.show(0);
    }
    let e = this.pages.entries.find((x) => this.chosen.isIt(x));
    if (!e) {
      const at = view.raw ? chosen.local : set.toReference(chosen.host, chosen.local);
      if (at === null) return;
      const answer = await readEvents(this.id, { after: `${at - ROUNDED}.0`, limit: SAME, host: host.name, local: view.raw ? 1 : undefined }).catch(() => null);
      if (view.events.chosen !== chosen || !answer) return;
      e = answer.events.map(entry).find((x) => this.chosen.isIt(x));
    }
    if (e) this.chosen.tell(e);
    else this.leave();
  }

  private keep(e: Entry | null, loss: Loss | null = null): void {
    const { events } = this.view;
    const host = this.set.hosts.find((x) => x.name === e?.host);
    const chosen = e && host ? { host: host.index, local: e.local, cpu: e.cpu } : null;
    if (!chosen && !loss && !events.chosen && !events.loss) return;
    [events.chosen, events.loss] = [chosen, loss && this.losses.placeOf(loss)];
    this.keepPlace();
  }

  // Where one is and what is chosen go into the address together, so that this is in sight for who follows it, or comes back.
  private keepPlace(): void {
    const { events } = this.view;
    if ((events.chosen || events.loss) && !this.pages.coming) events.at = this.at();
    this.view.keep();
  }

  /** Gives the table the keys. */
  enter(): void {
    this.table.root.focus({ preventScroll: true });
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    void this.pages.again();
    this.counted.again();
    this.tellNumber();
  }

  // What was chosen is not there where one goes.
  private leave(): void {
    this.table.chosen = -1;
    this.keep(null);
    this.chosen.tell(null);
  }

  // The button goes with the words that it stands beside.
  private anewFromFirst(): void {
    this.table.root.focus();
    this.go(this.filters.bounds.begin);
  }

  private submit(e?: Event, at = this.at() ?? this.view.events.at): void {
    e?.preventDefault();
    const moved = this.filters.take(at);
    if (moved) this.onSay(`${moved} is in Where now: Event takes names.`);
    this.asked = this.filters.question;
    this.leave();
    const from = this.filters.fields.find((field) => e && field === document.activeElement);
    void this.turn(this.filters.inside(at ?? this.view.window.begin)).then((came) => {
      if (came && from && from === document.activeElement && this.pages.entries.length > 0 && !this.pages.refused) this.enter();
    });
    this.place = this.view.events.at = at;
    this.view.emit();
  }

  // The time that one is at: of the event on top or, where nothing was scrolled since one came, the time that one came for, or is on the way to.
  private at(): Ns | null {
    if (this.pages.coming) return this.view.events.at ?? this.place;
    const top = this.pages.lines[this.table.top]?.time ?? null;
    return this.place !== null && (top === null || top === this.landed) ? this.place : top;
  }

  /** Waits for the name of events. */
  focusFilter(): void {
    this.filters.name.select();
    this.filters.name.focus();
  }

  /** Whether some events are left out. */
  get filtered(): boolean {
    return this.filters.filtering;
  }

  /** Gives all events of the set that the filters want away as CSV. */
  save(): void {
    void takeAway(this.id, () => this.filters.wanted(), this.filtered).then(this.onSay);
  }

  /** Lists all events. */
  clear(): void {
    this.filters.write("", "");
    this.submit();
  }

  private placeOf(share: number): Ns {
    const { begin, end } = this.filters.bounds;
    return timeAt(windowOf(begin, end), share);
  }

  private words(t: Ns): string {
    return seconds(t - this.view.origin());
  }

  private show(shifted: number): void {
    const { entries, lines } = this.pages;
    this.tellNumber();
    this.filters.exemplify(entries);
    this.table.show(lines.length, (row) => this.cells(row), shifted);
    // The row that is chosen is that of the chosen event or loss, whatever came or went about it.
    const row = this.rowOfChosen();
    if (row !== this.table.chosen) this.table.rechoose(row);
    const nothing = entries.length === 0 && !this.pages.busy;
    const refusal = this.filters.refuse(this.pages.refused);
    // While an import runs what is not found may come; that it is looked for again is not told.
    const question = `${this.asked}\n${this.from}`;
    if (nothing && this.set.importing) this.vain = question;
    const early = this.set.importing && entries.length === 0 && (!this.filtered || this.vain === question);
    const words = refusal || (this.pages.busy && this.aim?.last ? this.lookingBack() : early ? soFarWords(this.filtered, this.whole) : this.pages.busy && entries.length === 0 ? this.searching() : nothing ? nothingWords(this.filtered, this.view.events.name, this.filters.name.placeholder, this.whole || this.counted.none, this.misspelt()) : this.misspelt().trim()) || undatedWords(this.pages.undated, this.pages.unread);
    this.told.hidden = !words;
    this.told.classList.toggle("fault", !!this.pages.refused);
    text(this.toldWords, words);
    const had = this.anew === document.activeElement;
    this.anew.hidden = !nothing || early || !!this.pages.refused || this.whole || this.counted.none;
    if (had && this.anew.hidden) this.enter();
  }

  // How many events the filters want, once the rows are there; of all the set knows it.
  private tellNumber(): void {
    const { info } = this.set;
    const [counts, known] = [info?.state === "ready" && !this.pages.busy && !this.pages.refused, this.set.clocks?.version];
    const question = this.filtered ? [this.asked, this.view.raw, known].join("\n") : "";
    if (counts) this.counted.of(question);
    text(this.number, info?.state !== "ready" || this.pages.refused ? "" : this.filtered ? this.counted.words(info.events, question) || (this.pages.busy ? "Looking for them…" : this.counted.counting ? "Counting…" : "") : counted(info.events, "event"));
    this.table.old((this.pages.busy ? this.pages.answers !== this.asked : this.pages.refused !== null) && this.pages.entries.length > 0, this.pages.busy);
  }

  // Whether all events of the set were looked at.
  private get whole(): boolean {
    return this.from !== null && this.from <= this.filters.bounds.begin;
  }

  private searching(): string {
    const at = this.pages.reached;
    return at === null ? "Reading…" : `Looking on, at ${this.words(at)}.${this.misspelt()}`;
  }

  private lookingBack(): string {
    const at = this.pages.entries.length === 0 ? this.pages.reachedBack : null;
    return `Looking for the last events, back from ${this.words(at ?? this.place ?? this.filters.end)}.`;
  }

  private misspelt(): string {
    return misspeltWords(this.pages.unnamed, this.pages.unknown, this.view.events.host, this.view.events.name);
  }

  private cells(row: number): Cells {
    const { lines } = this.pages;
    const e = lines[row];
    if (!isEntry(e)) return { cells: `⚠ ${this.lossWords(e.lost)}`, class: "lost" };
    return {
      cells: [this.words(e.time), sinceAbove(this.set, this.view, lines, row), this.view.clock(e.recorded ?? e.local), e.host, e.cpu < 0 ? "–" : String(e.cpu), e.name, e.fields],
      class: this.flag.is(e) ? "marked" : undefined,
    };
  }

  private scrolled(first: number, last: number): void {
    const { lines } = this.pages;
    if (this.pages.entries.length === 0) return;
    if (last === lines.length) void this.pages.later(); // what there is room for in sight comes first
    if (first < NEAR) void this.pages.earlier();
    if (last > lines.length - NEAR) void this.pages.later();
    const top = lines[Math.min(this.table.top, lines.length - 1)];
    const { begin, end } = this.filters.bounds;
    this.rail.show(shareOf(windowOf(begin, end), top.time), this.words(top.time));
    text(this.reading, this.words(top.time));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.pages.coming || this.timing.stale) return; // a list that is on its way says nothing of where one is
      const at = this.at();
      if (this.view.events.at === at) return;
      if (at !== null && at === this.from) this.view.listFrom(at);
      else this.view.events.at = at;
      this.view.emit();
    }, REST);
  }

  // The mark is another one, or times are told by other clocks: of rows, and of what is said of the chosen event.
  private marked(): void {
    this.compared = this.view.mark;
    this.flag.refresh();
    if (this.pages.entries.length === 0) return;
    this.show(0);
    this.chosen.tellAnew();
  }

  private choose(): void {
    const line = this.pages.lines[this.table.chosen];
    const e = isEntry(line) ? line : null;
    this.onSay("");
    this.keep(e, line && !isEntry(line) ? line.lost : null);
    this.chosen.tell(e);
    if (line && !isEntry(line)) this.chosen.tellLoss(line.lost);
  }

  private rowOfChosen(): number {
    const { lines } = this.pages;
    const is = (line = lines[this.table.chosen]) => (isEntry(line) ? this.chosen.isIt(line) : !!line && this.chosen.isLoss(line.lost));
    if (is()) return this.table.chosen;
    return this.chosen.loss || this.view.events.chosen ? lines.findIndex(is) : -1;
  }

  private lossWords(x: Loss): string {
    return lossWords(x, this.set.hosts.length < 2, (t) => this.words(t), (t) => this.until(t), true);
  }

  private until(t: Ns): string {
    return untilWords(t, this.set.bounds(this.view.raw)?.end ?? null, (at) => this.words(at));
  }

  // Between which times the next loss and the one before are looked for.
  private lossPlace(): { before: Ns; behind: Ns } {
    const line = this.pages.lines[this.table.chosen < 0 ? this.table.top : this.table.chosen];
    if (line && !isEntry(line)) return { before: line.lost.place, behind: line.lost.last };
    const at = line?.time ?? this.filters.bounds.begin;
    return { before: at, behind: at - 1n }; // what is told behind an event has its time
  }

  /** Lists the events from a loss on and chooses it, as a step of the browser's history. */
  async goToLoss(x: Loss): Promise<void> {
    this.view.entries.step(false);
    const { events } = this.view;
    if (events.host && events.host !== x.host) {
      this.filters.host.value = events.host = "";
      this.asked = this.filters.question;
    }
    this.leave();
    events.at = x.place;
    this.chosen.loss = x;
    this.view.keep();
    if (!(await this.turn(x.place))) return;
    const row = this.pages.lines.findIndex((line) => !isEntry(line) && this.chosen.isLoss(line.lost));
    if (row >= 0) this.table.choose(row);
    this.enter();
  }

  /** More is known of how two clocks lie to each other. */
  clocksCompared(): void {
    this.table.redraw();
    if (this.chosen.event) this.chosen.tell(this.chosen.event);
  }

  /** Whether an event is chosen. */
  get chose(): boolean {
    return isEntry(this.pages.lines[this.table.chosen]);
  }

  /** Marks the chosen event. */
  mark(): void {
    const line = this.pages.lines[this.table.chosen];
    if (isEntry(line)) this.setMark(line);
  }

  /** Takes the mark away. */
  unmark(): void {
    this.setMark(null);
  }

  private setMark(e: Entry | null): void {
    const host = this.set.hosts.find((x) => x.name === e?.host);
    this.view.mark = e && host ? { host: host.index, local: e.local } : null;
    this.marked();
    this.onSay(e ? MARKED : "The mark is taken away.");
    this.view.emit();
  }

  // The timeline at the chosen event, with its cursor there and the thread that ran.
  private async find(e: Entry): Promise<void> {
    const host = this.set.hosts.find((x) => x.name === e.host);
    if (!host) return;
    const tid = e.cpu < 0 ? -1 : await readRunning(this.id, e.host, e.cpu, String(e.local)).catch(() => -1);
    const { window: w, whole } = this.view;
    if (e.time < w.begin || e.time > endOf(w) || whole || w.span > FAR) this.view.jump(around(e.time, Math.min(whole ? w.span * CLOSER : w.span, WIDE)));
    this.view.cursor = e.time;
    this.onFind(host.index, tid > 0 ? tid : -1, e.time);
    this.view.pointed.emit();
  }

  private key(e: KeyboardEvent): boolean {
    if (e.key === "Home") this.go(this.filters.bounds.begin, true);
    else if (e.key === "End") this.end();
    else return false;
    return true;
  }
}
