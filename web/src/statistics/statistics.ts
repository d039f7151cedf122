// The Statistics tab: what a stretch of time was spent on. Times are sums over whole intervals cut
// at the ends of the stretch, so two stretches side by side add up to the one over both.

import { readStatistics, refusalWords, type CpuStatistics, type Listing, type PairStatistics, type Spent, type StatisticsAnswer, type ThreadStatistics, type Whose } from "../home/api.js";
import { LOOKS } from "../draw/palette.js";
import { lostHereWords } from "../model/losses.js";
import { UNNUMBERED } from "../model/rows.js";
import type { Bounds, SetModel } from "../model/set.js";
import type { Stretch } from "../model/shown.js";
import type { View } from "../model/view.js";
import { group, percent, sized } from "../time/number.js";
import { about, seconds, type Ns } from "../time/time.js";
import { endOf } from "../time/window.js";
import type { Life } from "../timeline/life.js";
import { add, h, text } from "../ui/dom.js";
import { fileName, save } from "../ui/file.js";
import { Sorted } from "../ui/sorted.js";
import { Alone, livedWords, subjectOf, type Subject } from "./alone.js";
import { CallTimes } from "./calls.js";
import { holds, listingOf, MOST_SAVED, othersWords, ranWords, stillWords } from "./listing.js";
import { lackWords, longestCell, partWords, tookOf, type Shows } from "./longest.js";
import { ALONE, CALLS, CPUS, inState, PAIRS, sheetCSV, THREADS, TIMES, type AtHost, type Sheet, type ThreadRow } from "./sheets.js";
import { ownClockWords } from "./ownclock.js";
import { unknownOnCPU } from "./unknown.js";
import { usedShare } from "./used.js";
import { lackTitle, lacksCalls, mostTitle, unrecordedWords, type Unrecorded } from "./unrecorded.js";

type OfHost<T> = AtHost<T> & { span: number };
type OfThread = ThreadRow & { span: number };

/** A table of the page that can be given away. */
export interface Keepsake {
  /** Behind "the table of". */
  readonly words: string;
  readonly save: () => void;
  /** What is lacking to save it at all, as a sentence; "" for nothing. */
  readonly lacks: () => string;
}

const USER = "user space";

// In the colours of Resources.
const CPU_PARTS: [keyof CpuStatistics & `${string}_ns`, string, number][] = [
  ["user_ns", USER, 2], ["syscall_ns", "system calls", 3], ["kernel_ns", "kernel", 8], ["softirq_ns", "soft interrupts", 5], ["irq_ns", "interrupts", 4], ["idle_ns", "idle", 6], ["unknown_ns", "unknown", 0],
];

/** The states of a thread in the order of the columns: what is on a CPU begins at the left, so that bars can be compared. */
const STACKED = [2, 3, 8, 4, 7, 5, 1, 6, 0];

/** How long after an answer more of an import is asked for, ms. */
const AGAIN = 2000;

/** How long after the last change of the order or of the words it is asked which threads are listed, ms. */
const SOON = 200;

export class StatisticsPage {
  /** Asks for the timeline, with what a thread of a host did longest from one time to another. */
  onFind: (host: number, tid: number, begin: Ns, end: Ns) => void = () => {};
  /** Asks for the timeline, with a system call. */
  onCall: Shows = () => {};
  onSay: (sentence: string) => void = () => {};
  readonly keepsakes: readonly Keepsake[];
  private readonly over = h("select", { id: "over", onchange: () => this.refresh(true) },
    h("option", { value: "window" }, "the timeline's window"), h("option", { value: "selection" }, "the selection"), h("option", { value: "set" }, "the whole set"));
  private readonly words = h("span", { class: "t", role: "status" });
  private readonly narrow = h("input", { type: "search", placeholder: "Name, number or host", "aria-label": "Show only what has these words", oninput: () => this.narrowed() });
  private readonly lost = h("p", { class: "minor lostnote", hidden: true });
  private readonly clocks = h("p", { class: "minor ownclock", hidden: true });
  private readonly cpus: Sorted<OfHost<CpuStatistics>>;
  private readonly threads: Sorted<OfThread>;
  private readonly stillBox = h("input", { type: "checkbox", onchange: () => this.stillSwitched() });
  private readonly stillWords = h("span");
  private readonly stillLabel = h("label", { class: "still", hidden: true, title: "Threads that were there and never had a CPU, as far as is recorded: blocked, or waiting, all the while" }, this.stillBox, " ", this.stillWords);
  private readonly calls: Sorted<OfHost<Spent>>;
  private readonly alone: Alone;
  /** When a thread was there, in the time of the view; null where nobody knows. */
  life: (of: Whose) => Life | null = () => null;
  private readonly times: CallTimes;
  private readonly pairs: Sorted<PairStatistics>;
  private answer: StatisticsAnswer | null = null;
  private listed: Listing = { order: "", narrow: "", still: false }; // the threads that the answer has
  private shown: Bounds | null = null; // the stretch that the answer is of
  private asked = "";
  private chosen = ""; // what was asked for, but for ends that move with the set
  private due = false; // to be asked again, once it is in sight
  private reading = false;
  private refused = false;
  private answerWords = ""; // which stretch the answer is of
  private turn = 0;
  private timer = 0;
  private soon = 0;
  private waits = false; // for other threads of the stretch that is shown
  private offered = ""; // the thread that was selected when the tables were filled
  private looked = ""; // whose system calls were asked for, of the answer that is shown
  private looking: Promise<void> = Promise.resolve();
  private answered: Promise<void> = Promise.resolve(); // what was asked for last is shown

  constructor(root: HTMLElement, private readonly id: string, private readonly set: SetModel, private readonly view: View) {
    const host = <T extends { host: string }>() => ({ name: "Host", text: true, by: (r: T) => r.host, cell: (r: T) => r.host });
    const time = (name: string, of: (r: OfThread) => number | null, title?: string, look?: number, id?: number) => ({ name, ...(title ? { title } : {}), ...(look === undefined ? {} : { look }), ...(id === undefined ? {} : { id }), by: (r: OfThread) => of(r) ?? -1, cell: (r: OfThread) => spentCell(name, r, of(r)) });
    const state = (name: string, code: number, id: number, title?: string) => time(name, (r) => inState(r, code), title, code, id);
    this.cpus = new Sorted("CPUs", [
      { name: "CPU", text: true, by: (r) => [r.cpu, r.host], cell: (r) => r.cpu },
      { name: "Host", text: true, by: (r) => [r.host, r.cpu], cell: (r) => r.host },
      { name: "Busy", title: "Not idle, of the time of which it is known what the CPU did. The rest is Unknown", by: busy, cell: (r) => (usedShare(r) === null ? "not known" : percent(busy(r))) },
      { name: "Shares", title: "How its time is shared out: each colour is a column to the right", text: true, by: (r) => -busy(r), cell: (r) => parts(CPU_PARTS.map(([key, name, look]) => [partName(name, r), r[key] ?? 0, look])) },
      ...CPU_PARTS.map(([key, name, look]) => ({ name: name[0].toUpperCase() + name.slice(1), look, by: (r: OfHost<CpuStatistics>) => r[key] ?? -1, cell: (r: OfHost<CpuStatistics>) => partCell(name, r, r[key]) })),
    ], 1, "", view, "cpus");
    this.threads = new Sorted("Threads", [
      { name: "Thread", text: true, by: (r) => r.name, cell: (r) => r.name || "(no name)" },
      { name: "Number", by: (r) => -r.tid, cell: (r) => (r.tid < UNNUMBERED ? String(r.tid) : "–") },
      host(),
      time("On a CPU", (r) => r.on_cpu_ns, "In user space, in system calls, in the kernel by itself, and interrupted; where it is not known which, Unknown tells how long it had a CPU. The percentages are of as much of the stretch as its host recorded"),
      { name: "Shares", title: "How the time that the thread was there is shared out: each colour is a column to the right. The bar is as long for each thread; the pointer on it tells all parts", text: true, by: (r) => r.status[0]?.name ?? "", cell: (r) => parts([...r.status].sort((a, b) => STACKED.indexOf(a.code ?? 0) - STACKED.indexOf(b.code ?? 0)).map((s) => [s.code === 2 && lacksCalls(r) ? partName(USER, r) : s.name, s.ns, s.code ?? 0])) },
      state("User space", 2, 5), state("System calls", 3, 6), state("Kernel", 8, 7, "In the kernel, in no system call: what threads of the kernel's own do"),
      state("Interrupted", 4, 10, "On a CPU that did the work of interrupts instead of its own"), state("Waits for a CPU", 5, 8), state("Blocked", 1, 9),
      { ...state("Unknown", 0, 12, "It is not known what the thread did, as where events were lost. Where it had a CPU meanwhile, it is said how long: so much of the time on a CPU is in none of the columns before"), any: (r) => inState(r, 0)! > 0,
        cell: (r) => unknownCell(r) },
      { name: "Longest call", title: "Of its system calls that touch the stretch, from entry to exit, with what lies outside the stretch. Press one to see it in the timeline", id: 11, by: (r) => (r.longest ? tookOf(r.longest) : -1), cell: (r) => longestCell(r.host, r, this.callShown) },
    ], 3, "", view, "threads");
    this.threads.standing.push(this.stillLabel);
    this.threads.onOpen = (r) => this.find(r);
    this.threads.onOrder = () => this.relist();
    this.calls = new Sorted("System calls", [
      { name: "Call", text: true, by: (r) => r.name, cell: (r) => r.name },
      host(),
      { name: "Times", title: "Those that began before or ended after are counted, too, with the part of their time within", by: (r) => r.count, cell: (r) => group(r.count) },
      { name: "Total time", title: "All of these calls together, from entry to exit, with the time that threads slept or were interrupted in them. Of a call that began before or ended after what is added up here, the part outside is left out", by: (r) => r.ns, cell: (r) => about(r.ns) },
      { name: "Each", by: (r) => r.ns / r.count, cell: (r) => about(r.ns / r.count) },
    ], 3, "", view, "calls");
    this.alone = new Alone(id, view, () => this.fill());
    this.times = new CallTimes(id, view);
    this.times.onCall = this.callShown;
    this.pairs = new Sorted("Messages", [
      { name: "From", text: true, by: (r) => r.from, cell: (r) => r.from },
      { name: "To", text: true, by: (r) => r.to, cell: (r) => r.to },
      { name: "Messages", by: (r) => r.messages, cell: (r) => group(r.messages) },
      { name: "Data", by: (r) => r.bytes, cell: (r) => sized(r.bytes, "–") },
      { name: "Least latency", by: (r) => r.least_ns ?? 0, cell: (r) => latency(r.least_ns) },
      { name: "Most", by: (r) => r.most_ns ?? 0, cell: (r) => latency(r.most_ns) },
    ], 2, "", view, "pairs");
    this.keepsakes = [this.keepsake(CPUS, this.cpus), this.keepsake(THREADS, this.threads), this.keepsake(CALLS, this.calls), this.keepsake(ALONE, this.alone.table), this.keepsake(TIMES, this.times.table), this.keepsake(PAIRS, this.pairs)];
    add(root, h("div", { class: "line over" }, h("label", { for: "over" }, "What was done in"), this.over, this.words, h("span", { class: "space" }), this.narrow),
      this.clocks, this.lost,
      h("div", { class: "tables" }, h("div", {}, this.cpus.root, this.threads.root), h("div", {}, this.alone.line, this.calls.root, this.alone.table.root), h("div", {}, this.times.table.root, this.times.picture, this.pairs.root)));
    const take = () => {
      this.over.value = view.spent;
      this.narrow.value = view.narrow;
      this.stillBox.checked = view.still;
    };
    take();
    view.returned.on(() => {
      take();
      this.due = true;
    });
  }

  private narrowed(): void {
    this.view.narrow = this.narrow.value;
    this.view.alone ||= null; // other words may name another thread
    this.view.keep();
    this.relist();
  }

  private stillSwitched(): void {
    this.view.still = this.stillBox.checked;
    this.view.keep();
    this.relist();
  }

  private get wanted(): Listing {
    return listingOf(this.threads.sortedBy, this.narrow.value.trim().toLowerCase(), this.view.still);
  }

  // Shows what is there of the threads that are wanted, and asks for the others.
  private relist(): void {
    clearTimeout(this.soon);
    this.waits = !!this.answer && !holds(this.answer, this.listed, this.wanted);
    this.fill();
    if (this.waits) this.soon = setTimeout(() => (this.answered = this.list()), SOON);
  }

  // Asks which threads are listed in the stretch that is shown, of which all else stays.
  private async list(): Promise<void> {
    clearTimeout(this.soon);
    const { shown, wanted, turn } = this;
    if (!shown) return;
    const late = () => shown !== this.shown || turn !== this.turn || wanted.order !== this.wanted.order || wanted.narrow !== this.wanted.narrow || wanted.still !== this.wanted.still;
    try {
      const answer = await readStatistics(this.id, shown.begin, shown.end, this.view.raw, wanted);
      if (late()) return;
      [this.answer, this.listed] = [answer, wanted];
    } catch (e) {
      if (late()) return;
      text(this.words, refusalWords(e, this.answerWords));
      this.refused = true;
    }
    this.waits = false;
    this.fill();
    await this.looking;
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    if (this.reading || this.refused || this.times.refused || this.alone.refused) this.refresh(true);
  }

  /** Adds up what was done in the whole set. */
  whole(): void {
    this.over.value = "set";
    this.refresh(true);
  }

  /** Adds up what the selected thread called in the selection. */
  ofSelected(): void {
    this.over.value = "selection";
    this.narrow.value = this.view.narrow = "";
    this.view.alone = true;
    this.refresh(true);
    void this.answered.then(() => this.alone.line.scrollIntoView({ block: "start" }));
  }

  /** The tab came up, or the set or its clocks changed. */
  refresh(anew = false): void {
    const { view, set } = this;
    const selection = this.over.options[1];
    selection.disabled = !view.selection;
    if (!view.selection && this.over.value === "selection") this.over.value = "window";
    if (view.spent !== this.over.value) {
      view.spent = this.over.value as Stretch;
      view.keep();
    }
    const stretch = this.stretch();
    anew ||= this.due;
    this.due = anew;
    if (view.tab !== "statistics") return;
    if (set.importing && (!stretch || set.info?.preview)) return text(this.words, "What was done is added up once the import reads it.");
    if (!stretch) return;
    this.due = false;
    const ready = set.info?.state === "ready";
    const grows = this.over.value === "set" || (this.over.value === "window" && view.whole);
    const chosen = [...(grows ? [] : [stretch.begin, stretch.end]), view.raw].join();
    const question = [stretch.begin, stretch.end, view.raw, set.clocks?.version, ready].join();
    if (question === this.asked && !anew) {
      if (this.offered !== rowKey(view)) this.fill();
      return;
    }
    // While an import runs the answer is of what was read when it was asked, and the next is asked for a while after it is there.
    if (!anew && !ready && chosen === this.chosen && (this.reading || this.answer)) return;
    if (!this.answer || chosen !== this.chosen) text(this.words, "Adding up…");
    [this.asked, this.chosen] = [question, chosen];
    clearTimeout(this.timer);
    this.answered = this.read(stretch);
  }

  private stretch(): Bounds | null {
    const bounds = this.set.bounds(this.view.raw);
    if (this.over.value === "set" || !bounds) return bounds;
    if (this.over.value === "selection" && this.view.selection) return this.view.selection;
    return { begin: this.view.window.begin, end: endOf(this.view.window) };
  }

  private async read(stretch: Bounds): Promise<void> {
    const turn = ++this.turn;
    const { wanted } = this;
    this.reading = true;
    try {
      const answer = await readStatistics(this.id, stretch.begin, stretch.end, this.view.raw, wanted);
      if (turn !== this.turn) return;
      [this.answer, this.listed, this.shown] = [answer, wanted, stretch];
      this.looked = "";
      const from = (t: Ns) => seconds(t - this.view.origin());
      const partly = this.set.info?.state === "ready" ? "" : "; so far: of each host as much as is read";
      this.answerWords = `${from(stretch.begin)} to ${from(stretch.end)}, ${about(Number(stretch.end - stretch.begin), 5)}${partly}`;
      text(this.words, this.answerWords);
      this.refused = false;
    } catch (e) {
      if (turn !== this.turn) return;
      text(this.words, refusalWords(e, this.answerWords));
      this.refused = true;
    }
    this.reading = false;
    this.relist();
    if (this.set.importing) this.timer = setTimeout(() => this.refresh(true), AGAIN);
    await this.looking;
  }

  // Asks for the system calls one by one, and for those of a thread that is told of alone, once for each answer.
  private look(whose: Subject | null): void {
    const looked = `${whose?.host} ${whose?.tid}`;
    if (!this.shown || looked === this.looked) return;
    this.looked = looked;
    const { begin, end } = this.shown;
    const { raw } = this.view;
    const refill = () => this.fill();
    this.answered = this.looking = Promise.all([this.times.read(this.shown, raw, whose, refill), whose && this.alone.read(whose, begin, end, raw, refill)]).then(() => undefined);
  }

  // The thread that is selected in the timeline; null for none.
  private get selected(): Whose | null {
    const { row } = this.view;
    const host = row && row.tid >= 0 ? this.set.host(row.host)?.name : undefined;
    return row && host ? { host, tid: row.tid } : null;
  }

  // A table with a button that gives it away.
  private keepsake<R, T extends R>(sheet: Sheet<R>, table: Sorted<T>): Keepsake {
    const lacks = () => (table !== (this.alone.table as unknown) || this.selected || this.narrow.value.trim() ? "" : "Select a thread in the timeline first: the table is of the system calls of that.");
    const keepsake = { words: sheet.words, save: () => void this.save(sheet, table), lacks };
    table.controls.push(h("button", { type: "button", "aria-label": `Save as CSV: ${sheet.words}`, onclick: keepsake.save }, "Save as CSV"));
    return keepsake;
  }

  // Gives away what is shown once it is what was asked for.
  private async save<R, T extends R>(sheet: Sheet<R>, table: Sorted<T>): Promise<void> {
    if (table === (this.alone.table as unknown)) this.tellAlone();
    if (this.waits) this.answered = this.list();
    let answered;
    do await (answered = this.answered);
    while (answered !== this.answered);
    let [rows, left] = [table.order(), ""];
    if (!this.shown || rows.length === 0) return this.onSay(`There is nothing to save in the table of ${sheet.words}.`);
    const { begin, end } = this.shown;
    const longest = this.times.ofThreads; // of this stretch, also where another is shown meanwhile
    if (table === (this.threads as unknown) && this.answer?.hosts.some((x) => x.others > 0)) {
      try {
        const all = await readStatistics(this.id, begin, end, this.view.raw, this.wanted, MOST_SAVED);
        await longest.want(this.threadsOf(all, longest));
        rows = this.threads.order(this.threadsOf(all, longest)) as unknown as T[];
        left = othersWords(all.hosts);
      } catch (e) {
        return this.onSay(e instanceof Error ? e.message : String(e));
      }
    }
    if (table === (this.threads as unknown)) left = [left, lackWords(rows as unknown as OfThread[])].filter(Boolean).join("; ");
    const name = `${fileName(this.set.info?.name ?? "set")}-${sheet.file}-${begin}-${end}.csv`;
    save(new Blob([sheetCSV(sheet, rows)], { type: "text/csv;charset=utf-8" }), name);
    this.onSay(`${name} is saved${left && `: ${left}`}.`);
  }

  // The system calls of one thread are told alone, as by the switch.
  private tellAlone(): void {
    this.view.alone = true;
    this.view.keep();
    this.fill();
  }

  // Where events were lost, what happened meanwhile is not in the figures. shown are the hosts that the tables are of.
  private tellLost(shown: readonly string[]): void {
    const hosts = (this.answer?.hosts ?? []).filter((x) => shown.includes(x.host));
    const words = [...hosts.flatMap((x) => x.error ?? []), lostHereWords(hosts, this.set.hosts)].filter(Boolean).join(" ");
    this.lost.hidden = !words;
    text(this.lost, words);
  }

  // By whose clocks the figures are.
  private tellClocks(shown: readonly string[]): void {
    const words = this.shown ? ownClockWords(this.set, this.view.raw, this.shown.begin, this.shown.end, shown) : "";
    this.clocks.hidden = !words;
    text(this.clocks, words);
  }

  private fill(): void {
    if (!this.answer) return;
    const words = this.narrow.value.trim().toLowerCase();
    const each = words.split(/\s+/);
    const wanted = (...has: (string | number)[]) => each.every((word) => has.join(" ").toLowerCase().includes(word));
    const threads = this.threadsOf(this.answer).filter((r) => wanted(r.name, r.tid, r.host));
    if (this.waits && threads.length === 0) return; // what was there before stays until it is known who else has the words
    const { hosts } = this.answer;
    const all = <T>(of: (x: Host) => T[]) => rowsOf(hosts, of);
    // What stands beside a table is of the hosts that it has rows of.
    const hostsOf = (...tables: readonly (readonly { readonly host: string }[])[]) => {
      const names = new Set(tables.flatMap((rows) => rows.map((r) => r.host)));
      return words && names.size > 0 ? hosts.filter((x) => names.has(x.host) || x.host.toLowerCase().includes(words)) : hosts;
    };
    const everyCPU = all((x) => x.cpus);
    const cpus = everyCPU.filter((r) => wanted("cpu", r.cpu, r.host));
    this.cpus.show(cpus, unrecordedWords(hostsOf(cpus)), this.none(everyCPU.length, "No CPU is known: the recordings have no kernel events here.", "control flow", "kernel trace"));
    const unsure = threads.some((r) => r.on_cpu_ns === null);
    const notes = [words ? "" : ranWords(hosts, unsure), unsure ? "which of them had a CPU only a kernel trace tells" : "", this.waits ? "" : othersWords(hostsOf(threads)), threads.length > 0 ? unrecordedWords(hostsOf(threads)) : "", threads.length > 0 ? "percentages are of what its host recorded of the stretch, bars of the time that each thread was there" : "", partWords(threads), this.times.ofThreads.fault];
    const still = stillWords(hostsOf(threads));
    this.stillLabel.hidden = !still && !this.view.still;
    text(this.stillWords, still || "with those that never ran here: there are none");
    const noThread = words && still && !this.view.still ? `None that ran here has “${this.narrow.value.trim()}”.` : this.none(hosts.reduce((n, x) => n + x.ran, 0), "No thread ran here, as far as is recorded.", "control flow", "kernel trace");
    this.threads.show(threads, notes.filter((note) => note).join("; "), noThread);
    const noCall = (there: number) => this.none(there, "No system call is recorded here.", "system calls", "kernel trace");
    const calls = all((x) => x.calls);
    // Words that threads have and no call has are of threads: they leave out no call.
    const ofThreads = threads.length > 0 && !calls.some((r) => wanted(r.name, r.host));
    const wantedCall = ofThreads ? () => true : wanted;
    const shownCalls = calls.filter((r) => wantedCall(r.name, r.host));
    const here = (ofThreads ? hostsOf(cpus, threads) : hostsOf(cpus, threads, shownCalls)).map((x) => x.host);
    this.tellLost(here);
    this.tellClocks(here);
    this.calls.show(shownCalls, ofThreads && calls.length > 0 ? "all: the words are of threads" : "", noCall(calls.length));
    this.offered = rowKey(this.view);
    const subject = subjectOf(this.threads.order(), words !== "", this.selected);
    const on = this.alone.on(subject && { ...subject, only: subject.only && !this.waits }, ofThreads);
    this.alone.offer(subject, on, subject && this.shown ? livedWords(this.life(subject), this.shown.begin, this.shown.end) : "");
    this.calls.root.hidden = on;
    this.look(on ? subject : null);
    if (on) this.alone.show(subject!, wantedCall, noCall);
    this.times.show(wantedCall, noCall);
    const longest = this.times.ofThreads.want(threads);
    if (longest) this.answered = this.looking = Promise.all([this.looking, longest]).then(() => this.fill());
    const { messages } = this.answer;
    this.pairs.show(messages.filter((r) => wanted(r.from, r.to)), "", this.none(messages.length, "No message was exchanged here.", "communication"));
  }

  private threadsOf(answer: StatisticsAnswer, longest = this.times.ofThreads): OfThread[] {
    return rowsOf(answer.hosts, (x) => x.threads).map((r) => ({ ...r, ...longest.of(r.host, r.tid) }));
  }

  // What a table says that shows none of so many rows: that the words narrow it to nothing, or that there is nothing, and where it is told what
  // would have to be recorded.
  private none(there: number, words: string, ...views: string[]): string {
    if (there > 0) return `None has “${this.narrow.value.trim()}”.`;
    const lacking = this.set.report?.missing.some((m) => m.views.some((v) => views.includes(v)));
    return lacking ? `${words} The tab Import has what these recordings lack.` : words;
  }

  private readonly callShown: Shows = (host, call) => this.onCall(host, call);

  private find(r: OfThread): void {
    const host = this.set.hosts.find((x) => x.name === r.host);
    const stretch = this.stretch();
    if (!host || !stretch) return;
    this.onFind(host.index, r.tid, stretch.begin, stretch.end);
  }
}

type Host = StatisticsAnswer["hosts"][number];

const rowsOf = <T>(hosts: readonly Host[], of: (x: Host) => T[]): OfHost<T>[] =>
  hosts.flatMap((x) => of(x).map((r) => ({ ...r, host: x.host, unrecorded: x.unrecorded, span: Number(BigInt(x.local_end) - BigInt(x.local_begin)) })));

const rowKey = ({ row }: View) => `${row?.host} ${row?.tid}`;

const busy = (r: CpuStatistics): number => usedShare(r) ?? -1;

// How long a thread was in a state, and which share of what was recorded that is, which narrow pages leave to the bar.
function spentCell(name: string, r: OfHost<ThreadStatistics>, ns: number | null): Node | string {
  if (ns === null) return r.on_cpu_ns === null ? "not known" : lacking(name.toLowerCase(), r.host);
  if (ns <= 0) return "–";
  const words = h("span", {}, about(ns), h("span", { class: "share" }, ` · ${percent(ns / Math.max(1, r.span))}`));
  return name.toLowerCase() === USER && lacksCalls(r) ? atMost(words, r.host) : words;
}

// How long it is not known what a thread did, and how much of that it had a CPU: the title alone says it where that is next to nothing, and on narrow pages.
function unknownCell(r: OfHost<ThreadStatistics & Unrecorded>): Node | string {
  const [all, ran] = [spentCell("Unknown", r, inState(r, 0)), unknownOnCPU(r)];
  if (ran <= 0) return all;
  const words = `${about(ran)} on a CPU`;
  return h("span", { title: words }, all, h("span", { class: ran < inState(r, 0)! / 100 ? "little" : "ran" }, `; ${words}`));
}

// How long a CPU did something.
function partCell(part: string, r: OfHost<CpuStatistics>, ns: number | null): Node | string {
  if (ns === null) return lacking(part, r.host);
  return part === USER && lacksCalls(r) && ns > 0 ? atMost(about(ns), r.host) : about(ns);
}

const lacking = (part: string, host: string) => h("span", { title: lackTitle(part, host) }, "–");
const atMost = (words: Node | string, host: string) => h("span", { title: mostTitle(host) }, "≤ ", words);

// Nobody knows which of it was in system calls where these are not recorded.
const partName = (part: string, r: OfHost<unknown>) => (part === USER && lacksCalls(r) ? "user space or system calls" : part);

function latency(ns: number | null): string {
  return ns === null ? "unknown" : about(ns);
}

// A bar of parts; the numbers stand beside it, or are told by its label.
function parts(list: [name: string, ns: number, look: number][]): HTMLElement {
  const all = list.reduce((n, [, ns]) => n + ns, 0) || 1;
  const label = list.filter(([, ns]) => ns > 0).map(([name, ns]) => `${name} ${percent(ns / all)}`).join(", ");
  const el = h("span", { class: "parts", role: "img", "aria-label": label, title: label });
  for (const [, ns, look] of list) {
    if (ns <= 0) continue;
    const part = h("i", { class: "swatch" });
    part.dataset.state = String(Math.min(look, LOOKS.length - 1));
    part.style.width = `${((ns / all) * 100).toFixed(2)}%`;
    add(el, part);
  }
  return el;
}
