// The inspector says all that is known of what is selected: a state, a message, a
// stretch of time.

import { INTERRUPTED, KERNEL, LOOKS, stateWords, SYSCALL, USER, WAIT_CPU } from "../draw/palette.js";
import type { CalledSum, Whose } from "../home/api.js";
import { isolated } from "../model/names.js";
import type { At } from "../net/json.js";
import { whyEarly } from "../model/early.js";
import { EXACTLY } from "../model/known.js";
import { HOST, threadName, UNNUMBERED } from "../model/rows.js";
import { ownClockWords } from "../statistics/ownclock.js";
import { counted, group, percent } from "../time/number.js";
import { about, exact, parseNs, plusMinus, seconds, type Ns } from "../time/time.js";
import { add, fill, h, terms } from "../ui/dom.js";
import { answerableFor, viaWords, type Answerable, type Via } from "./answerable.js";
import type { End, Picked } from "./picked.js";
import { type Context } from "./controlflow.js";
import { ABSENT } from "./sharewords.js";
import { crossWords } from "./follow.js";
import { wayWords } from "./flows.js";
import { hostBlock } from "./hostfacts.js";
import { lifeOf, nearest, outside, type Life } from "./life.js";
import type { Led, Stop } from "./selectedstate.js";
import { Sums } from "./sums.js";
import { apart, chosenTerms, latencyError, manyWords, stateTerms, WOKEN } from "./words.js";

/** Two clocks are known better against each other where their error is less than so much of both together. */
const LITTLE = 0.98;

/** The states of a thread on a CPU. */
const RUNNING: readonly number[] = [USER, SYSCALL, INTERRUPTED, KERNEL];

/** A thread that is selected while the server has not said what it did, and what is drawn of it at the time; "" for nothing. */
export interface Awaited {
  readonly row: number;
  readonly at: Ns;
  readonly host: string;
  readonly thread: { readonly tid: number; readonly name: string };
  readonly drawn: string;
}

/** So many system calls of a thread are told, the longest ones. */
const LONGEST = 3;
const USUAL = "Of the whole set: half of the messages of this way took no longer. The ± above is of this message; that of the median stands in Messages";

export class Inspector {
  readonly el = h("aside", { class: "inspector", tabindex: -1, "aria-label": "What is selected" });
  /** What another thread did from one time to another, while this one waited for it, is wanted; via is the one that it began for that. */
  onFollow: (row: number, begin: Ns, end: Ns, via: Via | null) => void = () => {};
  /** A message is to be picked, and what its sender, or who answers for that, did from a time until it was sent is wanted. */
  onSender: (m: Picked, begin: Ns, whose?: Answerable) => void = () => {};
  /** Where a host recorded is wanted. */
  onRecorded: (host: number) => void = () => {};
  /** The slowest requests are wanted. */
  onSlowest: () => void = () => {};
  /** The events of a thread are wanted, from a time on. */
  onEvents: (host: string, tid: number, at: Ns) => void = () => {};
  /** All system calls of the selected thread in the selected range are wanted. */
  onCalls: () => void = () => {};
  /** A stop of the way that led to the state shown is wanted again. */
  onBack: (stop: number) => void = () => {};
  /** What a thread did at a time is wanted, such as that of a parent. */
  onThread: (row: number, at: Ns) => void = () => {};
  private state: At | null = null;
  private awaited: Awaited | null = null;
  private cause: Picked | null = null;
  private causer: Answerable | null = null;
  private led: Led | null = null;
  private message: Picked | null = null;
  private part = "";
  /** A key led to the message, which is brought in sight, until somebody goes elsewhere in here. */
  private revealing = false;
  private end: End = "from";
  /** The other end of the message is wanted. */
  onCross: () => void = () => {};
  /** The messages of the bundle are wanted one by one. */
  onSingle: () => void = () => {};
  /** All of the time of the bundle is wanted. */
  onAll: () => void = () => {};
  private other: HTMLElement | null = null;
  // Why the thread is shown that is, as a sentence by the clocks of now, as long as it is; and whose state came first since.
  private opened: (() => string) | null = null;
  private first = "";

  private readonly sums: Sums;
  private note = ""; // of the bookmark that one is at

  constructor(id: string, private readonly c: Context) {
    this.sums = new Sums(id, c);
    this.sums.onAnswer = () => this.render();
    for (const deed of ["wheel", "pointerdown", "keydown"]) this.el.addEventListener(deed, () => (this.revealing = false), { passive: true });
    this.render();
  }

  /** Says why the thread is shown whose state comes next, or, with of, this one of a host, as long as it is. */
  open(why: () => string, of: Whose | null = null): void {
    this.opened = why;
    this.first = of ? `${of.host} ${of.tid}` : "";
    if (of && this.state) this.showState(this.state, this.led);
  }

  /** Shows what the bookmark says that one is at; "" for none. */
  bookmarked(words: string): void {
    this.note = words;
    this.render();
  }

  /** Shows a state, and how one came to it. */
  showState(at: At | null, led: Led | null = null): void {
    this.state = at;
    this.awaited = null;
    if (this.opened && at) {
      const whose = `${at.host} ${at.thread?.tid}`;
      this.first ||= whose;
      if (this.first !== whose) this.opened = null;
    }
    this.led = led;
    this.cause = this.causer = null;
    this.render();
  }

  /** More is known of how one came to the state shown. */
  tellLed(led: Led): void {
    this.led = led;
    this.render();
  }

  /** Shows what is known of a thread whose state the server has not told yet. */
  showAwaited(of: Awaited): void {
    this.showState(null);
    this.awaited = of;
    this.render();
  }

  /** Shows the message that ended the state shown, and the thread that is to be looked at for it. */
  showCause(m: Picked, whose: Answerable): void {
    this.cause = m;
    this.causer = whose;
    this.render();
  }

  /** The message that ended the state shown; null where none is known. */
  get ended(): Picked | null {
    return this.state && this.cause;
  }

  /** Why nothing leads on from the state shown, as a sentence: what ran waited for nothing. */
  get stopped(): string {
    const code = this.state?.status_code ?? null;
    const who = this.state?.thread ? threadName(this.state.thread) : "The thread";
    if (code !== null && RUNNING.includes(code)) return `${who} was running, and waited for nothing.`;
    if (code === WAIT_CPU) return `${who} waited for a CPU, not for a thread or a message.`;
    return "No thread and no message is known that this state waited for.";
  }

  showMessage(m: Picked | null, end: End = "from"): void {
    this.message = m;
    this.revealing = false;
    this.end = end;
    this.part = "";
    this.render();
  }

  /** Says what else there is to say of the message shown; "" takes it back. */
  tellPart(words: string): void {
    if (this.part === words) return;
    this.part = words;
    this.render();
    if (this.revealing) this.reveal();
  }

  /** Brings what is told of the message in sight. */
  reveal(): void {
    this.revealing = true;
    this.el.querySelector(".message")?.scrollIntoView({ block: "nearest" });
  }

  /** Leads to what the state shown waited for; null where that is not known. */
  onward: (() => void) | null = null;

  /** Shows a section that was made elsewhere; null for none. */
  showOther(block: HTMLElement | null): void {
    this.other = block;
    this.render();
  }

  /** Another range was selected, or the rows whose sums it has are others. */
  viewChanged(): void {
    if (this.sums.request(this.whose())) this.render();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    this.sums.again();
    this.viewChanged();
  }

  /** Draws anew; the selection, the map or the numbers changed. */
  render(): void {
    this.sums.request(this.whose());
    const parts: HTMLElement[] = [];
    this.onward = null;
    if (this.note) parts.push(h("section", { class: "bookmarked", "aria-label": "Bookmark" }, h("h2", {}, "Bookmark"), h("p", { class: "text" }, this.note)));
    if (this.state) parts.push(this.stateBlock(this.state));
    if (this.awaited) parts.push(this.awaitedBlock(this.awaited));
    if (this.state && this.opened) parts.push(h("p", { class: "note opened" }, `${this.opened()} `, this.slowest(), " lists others, ", h("kbd", {}, "Home"), " shows the whole set."));
    if (this.other) parts.push(this.other);
    const { row } = this.c.view;
    const facts = !this.state && !this.awaited && !this.other && row && row.tid < 0 ? hostBlock(this.c, row.host, (host) => this.onRecorded(host)) : null;
    if (facts) parts.push(facts);
    if (this.message) parts.push(this.messageBlock(this.message));
    if (this.c.view.selection) parts.push(this.rangeBlock());
    if (parts.length === 0)
      parts.push(h("p", { class: "hint" }, "Click a state or a message to see its times. Drag across the canvas to measure a stretch. Press ", h("kbd", {}, "?"), " for all keys.", ...(this.c.set.requests ? [" What took long: ", this.slowest(), "."] : [])));
    const held = this.el.contains(document.activeElement) ? document.activeElement : null;
    fill(this.el, ...parts);
    if (held) this.hold(held);
  }

  // The threads that were followed to the one shown, each a way back.
  private came(way: readonly Stop[]): HTMLElement {
    return h("div", { class: "came" }, h("h3", {}, "Followed from"), h("ol", {}, ...way.map((stop, i) =>
      h("li", {}, h("button", { type: "button", class: "link", title: "Go back to this", onclick: () => this.onBack(i) }, threadName(stop)), ` on ${isolated(stop.host)}`))));
  }

  private slowest(): HTMLElement {
    return h("button", { type: "button", class: "link", onclick: () => this.onSlowest() }, "Slowest requests");
  }

  // What had the focus is drawn anew: what reads the same has it now, else the first that can be pressed, else, and where nothing is told of any more, all.
  private hold(held: Element): void {
    const all = [...this.el.querySelectorAll<HTMLElement>("button, a[href], input")];
    const same = [...all, ...this.el.querySelectorAll<HTMLElement>("section[tabindex]")].find((b) => b.textContent === held.textContent);
    const next = same ?? (this.el.querySelector(".hint") ? this.el : all[0]) ?? this.el;
    next.focus({ preventScroll: true });
  }

  private stateBlock(s: At): HTMLElement {
    const { view } = this.c;
    const block = h("section", { class: "state" }, h("h2", {}, s.thread ? threadName(s.thread) : s.host, this.later(s)));
    const process = s.thread && s.thread.pid !== s.thread.tid && s.thread.pid < UNNUMBERED ? `, process ${s.thread.pid}` : "";
    const at = parseNs(s.at);
    const life = lifeOf(this.c, s.row);
    const away = s.status === null && at !== null ? outside(life, at) : null;
    const [begin, end] = [parseNs(s.begin), parseNs(s.end)];
    const way = begin !== null && end !== null ? this.way(s, begin, end) : null;
    const there = away && at !== null ? h("button", { type: "button", onclick: () => this.onThread(s.row, nearest(life, at)) }, away === "before" ? "What it did first" : "What it did last") : null;
    // Whatever state of a row is shown, what leads on from it is where it was; where nothing does it has its room.
    add(block, h("p", { class: "onward" }, way ?? there));
    add(block, h("div", { class: "sub" }, `${isolated(s.host)}${process}`, ...this.parent(s)), chip(s, away ? ABSENT : undefined));
    const localBegin = parseNs(s.local_begin);
    add(block, terms([
      ...(s.status === null && at !== null ? this.lifeTerms(life, at) : stateTerms(s, view).map(([term, words]): [string, string | HTMLElement] => [term, term === WOKEN ? this.waker(s, words) : words])),
      [`Begin on ${isolated(s.host)}`, localBegin !== null ? view.clock(localBegin) : null],
      ["Known to", this.known(s, localBegin, at)],
    ]));
    const meanwhile = this.led?.meanwhile;
    const via = viaWords(this.led?.via ?? null);
    if (via) add(block, h("p", { class: "note" }, `${via} ended the wait, but had only begun: this is what its parent did meanwhile.`));
    if (meanwhile) add(block, h("p", { class: "note" }, meanwhile));
    const from = begin ?? at;
    if (s.thread && s.thread.tid > 0 && s.thread.tid < UNNUMBERED && from !== null && this.c.set.knowsThreads(s.host))
      add(block, h("p", { class: "lists" }, h("button", { type: "button", class: "link", title: "Lists what was recorded on a CPU while this thread was on it, or where no CPU is known by the thread itself, from here on", onclick: () => this.onEvents(s.host, s.thread!.tid, from) }, "Events of this thread")));
    if (this.led?.way.length) add(block, this.came(this.led.way));
    return block;
  }

  // As the block of a state, which comes in its place.
  private awaitedBlock(s: Awaited): HTMLElement {
    const block = h("section", { class: "state" }, h("h2", {}, threadName(s.thread)), h("p", { class: "onward" }), h("div", { class: "sub" }, s.host));
    add(block, h("span", { class: "chip" }, s.drawn || "not known yet"), terms(this.lifeTerms(lifeOf(this.c, s.row), s.at)),
      h("p", { class: "note" }, `The server has not answered yet. ${s.drawn ? "The state is as it is drawn; from" : "From"} when to when it lasts, and what ended it, is told as soon as it does.`));
    return block;
  }

  // How well the host's clock is known where the state begins, however one came to it, or at the time at which there is none; null where nothing says, and of
  // raw time, which is the clock's own.
  private known(s: At, begin: Ns | null, at: Ns | null): string | null {
    const { view, set, rows } = this.c;
    const host = set.host(rows.get(s.row)?.host ?? -1);
    if (view.raw || !host) return null;
    const error = begin === null ? (s.error_ns ?? null) : set.errorAt(host.index, begin);
    if (error === null || error < 0) return null;
    return error === 0 ? EXACTLY : `${plusMinus(error)}${begin !== null ? ", at its begin" : at !== null ? `, at ${seconds(at - view.origin(), 3)}` : ""}`;
  }

  // Of a thread that is not there, or of which nothing is known, at a time: when it was.
  private lifeTerms(life: Life | null, at: Ns): [string, string][] {
    const { view } = this.c;
    const when = (t: Ns) => seconds(t - view.origin());
    const out: [string, string][] = [["At", when(at)]];
    if (life?.first != null) out.push(["There from", when(life.first)]);
    if (life) out.push(["There until", life.last === null ? "the end of the recording" : when(life.last)]);
    if (life?.first != null && life.last !== null) out.push(["For", exact(life.last - life.first)]);
    return out;
  }

  // The name its row has, where a thread took that later than the state shown.
  private later(s: At): HTMLElement | null {
    const name = this.c.rows.get(s.row)?.name;
    return s.thread && name && name !== s.thread.name ? h("small", {}, ` later ${name}`) : null;
  }

  // The parent of a thread, a way to it where it has a row.
  private parent(s: At): (string | HTMLElement)[] {
    if (!s.thread || s.thread.ppid <= 0) return [];
    const { rows } = this.c;
    const host = rows.get(s.row)?.host;
    const id = host === undefined ? undefined : rows.find(host, s.thread.ppid);
    if (id === undefined) return [`, parent ${s.thread.ppid}`];
    const at = parseNs(s.begin) ?? parseNs(s.at) ?? 0n;
    return [", child of ", h("button", { type: "button", class: "link", title: "What the parent did then", onclick: () => this.onThread(id, at) }, `${rows.get(id)!.name} · ${s.thread.ppid}`)];
  }

  // Who ended the sleep that is shown, when it ended; a thread that has a row as a way to what it did then. State has who ended the sleep before.
  private waker(s: At, words: string): HTMLElement {
    const id = this.wakerRow(s);
    const end = parseNs(s.end);
    const who = id === undefined || end === null ? words : h("button", { type: "button", class: "link", title: "What it did then", onclick: () => this.onThread(id, end) }, words);
    return h("span", { title: "What ended this sleep. Waker in State is the thread that woke it last, up to the time shown there: while it sleeps, the one before" }, who, " at its end");
  }

  private wakerRow(s: At): number | undefined {
    const { rows } = this.c;
    const host = rows.get(s.row)?.host;
    return s.woken && s.woken.tid > 0 && host !== undefined ? rows.find(host, s.woken.tid) : undefined;
  }

  // The way to what ended a sleep: the thread that woke this one, or the one that sent the message it waited for.
  private way(s: At, begin: Ns, end: Ns): HTMLElement | null {
    if (this.cause) {
      const m = this.cause;
      const whose = this.causer ?? { row: m.from, via: null };
      const via = viaWords(whose.via);
      const from = this.hostOf(whose.row);
      this.onward = () => this.onSender(m, begin, whose);
      const button = h("button", { type: "button", title: `What ${via ? `the thread that began ${via}, which sent the message,` : "the thread that sent the message"} did while this one waited for it (G)`, onclick: this.onward },
        `Follow the message from ${isolated(from.name)}${from.thread && `: ${from.thread}`}`);
      return whyWay(button, via && `It began ${via}, which sent the message`);
    }
    const waker = this.wakerRow(s);
    if (waker === undefined) return null;
    const whose = answerableFor(this.c, waker, s.woken!.ppid, s.woken!.name, begin, end);
    const via = viaWords(whose.via);
    this.onward = () => this.onFollow(whose.row, begin, end, whose.via);
    const who = via ? this.hostOf(whose.row).thread : `${s.woken!.name || "the thread"} · ${s.woken!.tid}`;
    const button = h("button", { type: "button", title: `What ${via ? `the thread that began ${via}, which woke this one,` : "the thread that woke this one"} did while this one waited (G)`, onclick: this.onward }, `Follow ${who}`);
    return whyWay(button, via && `It began ${via}, which woke this one`);
  }

  private hostOf(row: number): { name: string; thread: string } {
    const r = this.c.rows.get(row);
    const host = r ? (this.c.set.host(r.host)?.name ?? "?") : "?";
    return { name: host, thread: r && r.kind !== HOST ? threadName(r) : "" };
  }

  private messageBlock(m: Picked): HTMLElement {
    const { view, set } = this.c;
    const [from, to] = [this.hostOf(m.from), this.hostOf(m.to)];
    const block = h("section", { class: "message" }, h("h2", {}, m.bundle ? `${capital(manyWords(m))} ${isolated(from.name)} → ${isolated(to.name)}` : `Message ${isolated(from.name)} → ${isolated(to.name)}`));
    const ends = [from.thread, to.thread].filter(Boolean).join(" → ");
    if (ends || !m.bundle) add(block, h("div", { class: "sub" }, ends || "threads not known"));
    const words = wayWords(from.name, to.name, m);
    if (words) add(block, h("div", { class: "sub" }, words));
    const latency = Number(m.received - m.sent);
    const error = latencyError(this.c, m);
    const link = set.link(from.name, to.name);
    const way = link?.a === from.name ? "a_to_b" : "b_to_a";
    const spread = link?.latency_ns?.[way];
    const known = !apart(this.c, m.from, m.to);
    add(block, terms([
      ...chosenTerms(this.c, m),
      ["Usual", spread?.of && known && !view.raw ? h("span", { title: USUAL }, `${about(spread.median, 3)} median of the whole set${spread.of < link!.messages[way] ? ", by a sample" : ""}`) : null],
    ]));
    if (!m.bundle) add(block, h("p", {}, h("button", { type: "button", title: "The key T does the same", onclick: () => this.onCross() }, crossWords(this.c, m, this.end))));
    else add(block, h("p", { class: "ways" }, h("button", { type: "button", title: "Zoom in, from the first message on, until they are drawn one by one (I)", onclick: () => this.onSingle() }, "Show them one by one"),
      h("button", { type: "button", title: "Over the whole width, from the first sending to the last arrival (F)", onclick: () => this.onAll() }, "Show all of them")));
    if (this.part) add(block, h("p", { class: "note" }, this.part));
    if (m.bundle && set.importing) add(block, h("p", { class: "note" }, "Of what is read so far."));
    if (!known) add(block, h("p", { class: "note" }, ...unrelated(from.name, to.name)));
    else if (!m.bundle) add(block, h("p", { class: "note" }, ...this.order(m, latency, error)));
    return block;
  }

  private order(m: Picked, latency: number, error: number): (string | HTMLElement)[] {
    const strong = (s: string) => h("b", {}, s);
    if (this.c.view.raw)
      return m.violation
        ? [strong("Received before sent"), ": each host's own clock is drawn, and they do not agree. Synchronized time sets this right."]
        : ["Each host's own clock is drawn: the latency contains the difference of the clocks."];
    if (m.violation && error >= 0 && -latency <= error) return [strong("Received before sent"), `, by ${about(-latency)}: `, strong("within the error"), ` of the clocks, ${plusMinus(error)} here. ${whyEarly(this.c.set)}`];
    if (m.violation && error < 0) return [strong("Received before sent"), " by the estimated clocks, one of which has no bound here: the sending came first all the same."];
    if (m.violation) return [strong("Received before sent"), " by the estimated clocks. The bounds below this link's error do not hold here; see Synchronization."];
    if (error < 0) return ["The order of sending and receiving is known, the latency is not: one of the clocks has no bound here."];
    return latency > error
      ? ["Received after sent: ", strong("certain"), `, by the clocks alone. The latency is known to ${plusMinus(error)}: ${this.clockWords(m, error)}.`]
      : ["The latency is ", strong("within the error"), ` of the clocks, ${plusMinus(error)} here: by these alone it could be zero.`];
  }

  private clockWords(m: Picked, error: number): string {
    if (m.errorFrom < 0 || m.errorTo < 0 || error < LITTLE * (m.errorFrom + m.errorTo)) return "the two clocks are known better against each other than against the reference";
    const words = (row: number, error: number) => {
      const host = this.c.set.host(this.c.rows.get(row)?.host ?? -1);
      const name = host?.name ?? "?";
      if (error !== 0) return `${name}'s clock is known to ${plusMinus(error)} here`;
      return host?.unsynchronized ? `the clocks of its group are known against ${name}'s` : `${name} is the reference`;
    };
    return `${words(m.from, m.errorFrom)}, ${words(m.to, m.errorTo)}`;
  }

  // The thread or the host that is selected, whose sums a range has; null for none.
  private whose(): Whose | null {
    const { view, rows, set } = this.c;
    const { row } = view;
    const host = row && set.host(row.host)?.name;
    if (!row || !host || (row.tid < 0 ? rows.hostRow(row.host) : rows.find(row.host, row.tid)) === undefined) return null;
    return { host, tid: row.tid < 0 ? null : row.tid };
  }

  private rangeBlock(): HTMLElement {
    const { view, set } = this.c;
    const { begin, end } = view.selection!;
    const { answer, refusal } = this.sums;
    const whose = this.whose();
    const block = h("section", {}, h("h2", {}, "Selected range"));
    add(block, h("div", { class: "sub" }, this.ofWhom(whose)));
    const pairs: [string, string][] = [
      ["Begin", seconds(begin - view.origin())],
      ["Duration", exact(end - begin)],
    ];
    const callsLacking = set.hosts.some((h, i) => (!whose || whose.host === h.name) && set.lacksCalls(i));
    for (const s of answer?.states ?? []) {
      const words = LOOKS[s.code] ? stateWords(s.code, callsLacking) : s.name;
      pairs.push([words[0].toUpperCase() + words.slice(1), about(s.ns, 3) + (whose?.tid == null ? ` · ${counted(s.threads, "thread")}` : "")]);
    }
    if (answer) pairs.push(["Messages", group(answer.messages) + (whose ? ` to or from ${isolated(whose.host)}` : "")]);
    add(block, terms(pairs));
    const clocks = answer && answer.states.length > 0 ? ownClockWords(set, view.raw, begin, end, whose ? [whose.host] : undefined) : "";
    if (clocks) add(block, h("p", { class: "note" }, clocks));
    if (answer?.calls) add(block, ...calledBlock(answer.calls, () => this.onCalls()));
    if (!answer) add(block, h("p", { class: "note" }, refusal || (set.info?.preview ? "What was done here is added up once the import reads it." : "Adding up…")));
    else if (answer.known && answer.threads === 0 && whose?.tid != null) add(block, h("p", { class: "note" }, "Nothing is known of the thread here: it was not there, or nothing of it is recorded."));
    if (answer && !answer.known) add(block, h("p", { class: "note" }, "Of what is read so far."));
    return block;
  }

  // Whose sums a range has, in words.
  private ofWhom(whose: Whose | null): string {
    const { rows, view } = this.c;
    const id = whose && whose.tid !== null ? rows.find(view.row!.host, whose.tid) : undefined;
    if (id !== undefined) return `${threadName(rows.get(id)!)}, ${isolated(whose!.host)}`;
    const { answer } = this.sums;
    return `all ${answer ? counted(answer.threads, "thread") : "threads"} of ${whose ? whose.host : counted(this.c.set.hosts.length, "host")}`;
  }
}

const capital = (words: string): string => words[0].toUpperCase() + words.slice(1);

// The system calls that took a thread longest, and a way to all of them.
function calledBlock(calls: readonly CalledSum[], all: () => void): HTMLElement[] {
  const whole = calls.reduce((n, c) => n + c.ns, 0) || 1;
  return [
    h("h3", { title: "From entry to exit, with the time that it slept or was interrupted in them; and how many of them began in the range" }, "In system calls: time, share, begun"),
    terms(calls.slice(0, LONGEST).map((c) => [c.name, `${about(c.ns, 3)} · ${percent(c.ns / whole)} · ${group(c.began)}`])),
    h("p", {}, h("button", { type: "button", class: "link", title: "Statistics of the selected range, of this thread alone", onclick: all }, calls.length > LONGEST ? `All ${calls.length} in Statistics` : "More in Statistics")),
  ];
}

// A way on, and why it leads to another thread than the one that ended the wait.
function whyWay(button: HTMLElement, why: string): HTMLElement {
  return why ? h("span", { class: "because" }, button, h("small", {}, why)) : button;
}

// What is said in the place of a latency.
function unrelated(from: string, to: string): (string | HTMLElement)[] {
  return [`The clocks of ${from} and ${to} are `, h("b", {}, "not related"), ": no link in use leads from one to the other. How long this took is not known, and each end is drawn by a clock of its own."];
}

/** The state as a chip: a swatch and words, those given where there is none. */
export function chip(s: At, unknown = "nothing known"): HTMLElement {
  const code = s.status_code ?? 0;
  const swatch = h("i", { class: "swatch" });
  swatch.dataset.state = String(code);
  const words = s.status ?? unknown;
  return h("span", { class: "chip" }, swatch, words, s.syscall && !words.includes(s.syscall) ? h("b", {}, " " + s.syscall) : null);
}
