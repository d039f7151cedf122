// The Messages tab: what every host sent to every other over a stretch of time, and, for the pair that is
// chosen, how long it took. The communication of the timeline shows the chosen pair alone.

import type { Context } from "../timeline/controlflow.js";
import type { Bounds } from "../model/set.js";
import type { Measure, Stretch } from "../model/shown.js";
import { pairIn, strangerWords } from "../model/pair.js";
import { counted } from "../time/number.js";
import { about, seconds } from "../time/time.js";
import { endOf } from "../time/window.js";
import { add, fill, h, keepFocus, text } from "../ui/dom.js";
import { refusalWords } from "../home/api.js";
import { readLatencies, readMatrix, type LatenciesAnswer, type MatrixAnswer } from "./answers.js";
import { Latencies } from "./latencies.js";
import { Matrix } from "./matrix.js";
import { Pairs } from "./pairs.js";
import { Requests } from "./requests.js";

/** How long the window must rest before it is added up. */
const REST = 200;
/** How long an import goes on before it is looked at again. */
const AGAIN = 1500;
/** With more hosts than this the matrix may leave no room beside it, and the pair so much. */
const CROWD = 12;
const PAIR = 500;
const WITHIN: Readonly<Record<Stretch, string>> = { window: "in the timeline's window", selection: "in the selection", set: "" };
const WHERE: Readonly<Record<Stretch, string>> = { window: "In the timeline's window alone", selection: "In the selection alone", set: "In the whole set" };

export class MessagesPage {
  readonly latencies: Latencies;
  readonly requests: Requests;
  private readonly matrix = new Matrix();
  private readonly pairs = new Pairs();
  private readonly over = h("select", { id: "messages-over", onchange: () => this.refresh(true) },
    h("option", { value: "window" }, "the timeline's window"), h("option", { value: "selection" }, "the selection"), h("option", { value: "set" }, "the whole set"));
  private readonly measure = h("select", { id: "messages-measure", onchange: () => this.by(this.measure.value as Measure) },
    h("option", { value: "messages" }, "messages"), h("option", { value: "bytes" }, "data"), h("option", { value: "latency" }, "median latency"));
  private readonly words = h("span", { class: "t", role: "status" });
  /** That the pair of the address is none of this set. */
  private readonly stranger = h("p", { class: "note", role: "status", hidden: true });
  private answer: MatrixAnswer | null = null;
  /** The stretch that the answer is of. */
  private of = { words: "", where: "", whole: false };
  /** What was exchanged in the whole set, and in which times by which clocks that is. */
  private all: { pairs: MatrixAnswer["pairs"]; by: string } | null = null;
  private pair: LatenciesAnswer | null = null;
  private asked = "";
  private timer = 0;
  private under: AbortController | null = null; // the last question, while it has no answer
  private refused = false;
  private sought = false; // the requests are to come in sight, whatever is drawn above them meanwhile
  private bring = false; // the pair was chosen, and is to come in sight

  constructor(private readonly root: HTMLElement, private readonly id: string, private readonly c: Context) {
    this.latencies = new Latencies(c.view, c.schedule);
    this.requests = new Requests(id, c);
    this.take();
    c.view.returned.on(() => {
      this.take();
      if (!this.known) this.pair = null;
      this.asked = "";
      this.render();
    });
    this.matrix.onChoose = (from, to) => this.choose(from, to);
    this.pairs.onChoose = (a, b) => {
      const pair = this.known;
      this.choose(...(pair?.includes(a) && pair.includes(b) ? pair : ([a, b] as const)));
    };
    this.pairs.onWhole = () => {
      this.whole();
      this.over.focus(); // the button goes
    };
    this.requests.onWhole = () => this.slowest();
    this.latencies.onAll = () => this.choose("", "");
    new ResizeObserver(() => this.arrange()).observe(root);
    add(root,
      h("div", { class: "line over" }, h("label", { for: "messages-over" }, "What was exchanged in"), this.over, this.words, h("span", { class: "space" }), h("span", { class: "shownby" }, h("label", { for: "messages-measure" }, "Shown by"), this.measure)),
      this.stranger, this.pairs.most,
      h("div", { class: "parts2" },
        h("section", { class: "card" }, h("h2", {}, "From host to host ", h("small", {}, "rows send, columns receive")), h("div", { class: "both" }, h("div", {}, this.matrix.el, this.matrix.legend, this.matrix.readout.el), this.pairs.el)), this.latencies.el, this.requests.table.root));
  }

  private take(): void {
    const { view } = this.c;
    this.over.value = view.exchanged;
    this.measure.value = view.measure;
  }

  // The pair that is chosen is chosen no more by another choice of it.
  private choose(from: string, to: string): void {
    const { view } = this.c;
    const [a, b] = this.known ?? [];
    view.pair = !from || (a === from && b === to) ? null : [from, to];
    if (!view.pair) this.pair = null; // else that of before stays until the answer
    this.bring = view.pair !== null;
    this.render();
    view.emit();
    this.refresh(true);
  }

  /** Shows the matrix by another number. */
  by(measure: Measure): void {
    this.measure.value = this.c.view.measure = measure;
    this.c.view.keep();
    this.render();
  }

  /** Adds up what was exchanged in the whole set. */
  whole(): void {
    this.over.value = "set";
    this.refresh(true);
  }

  /** Goes to the slowest requests of the whole set. */
  slowest(): void {
    this.whole();
    this.sought = true;
    this.requests.enter();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    if (this.under || this.refused || this.requests.waits) this.refresh(true);
  }

  /** The tab came up, or the window, the set or its clocks changed. */
  refresh(anew = false): void {
    const { view, set } = this.c;
    this.over.options[1].disabled = !view.selection;
    if (!view.selection && this.over.value === "selection") this.over.value = "window";
    if (view.exchanged !== this.over.value) {
      view.exchanged = this.over.value as Stretch;
      view.keep();
    }
    const range = set.info?.preview ? null : this.range(); // a first look keeps no messages
    if (view.tab !== "messages" || !range) {
      this.under?.abort();
      this.requests.leave();
      this.asked = "";
      if (set.importing && !range) text(this.words, "What was exchanged is added up once the import reads it.");
      return;
    }
    const importing = set.info?.state !== "ready";
    const grows = this.over.value === "set" || (this.over.value === "window" && view.whole);
    const question = [...(importing && grows ? [] : [range.begin, range.end]), view.raw, importing ? 0 : set.clocks?.version, importing, ...(this.known ?? [])].join();
    if (question === this.asked && !anew) return;
    if (!this.answer) text(this.words, "Adding up…");
    this.asked = question;
    this.later(anew ? 0 : REST);
  }

  private later(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read(), wait);
  }

  private range(): Bounds | null {
    const { view, set } = this.c;
    const bounds = set.bounds(view.raw);
    if (this.over.value === "selection" && view.selection) return view.selection;
    if (this.over.value === "set" || !bounds) return bounds && { begin: bounds.begin, end: bounds.end + 1n };
    return { begin: view.window.begin, end: endOf(view.window) };
  }

  // Long stretches are added up in parts, and what is known so far is shown.
  private async read(): Promise<void> {
    const { view, set } = this.c;
    const range = this.range();
    if (view.tab !== "messages" || !range) return;
    this.under?.abort();
    const { signal } = (this.under = new AbortController());
    const chosen = this.known;
    const over = this.over.value as Stretch;
    const whole = over === "set" || (over === "window" && view.whole);
    let asked = Promise.resolve();
    if (set.importing) this.requests.wait();
    else asked = this.requests.read(over === "set" ? null : range, view.raw, chosen, whole ? "" : WITHIN[over] + (view.raw ? ", by the clock of either host" : ""));
    const from = (t: bigint) => seconds(t - view.origin());
    // The set ends with its last event, which is asked for as well.
    const end = over === "set" ? range.end - 1n : range.end;
    const stretch = `${from(range.begin)} to ${from(end)}, ${about(Number(end - range.begin), 5)}`;
    try {
      for (let complete = false; !complete; ) {
        const [all, pair] = await Promise.all([
          readMatrix(this.id, over === "set" ? null : range, view.raw, signal),
          chosen ? readLatencies(this.id, chosen[0], chosen[1], range, view.raw, signal) : null,
        ]);
        if (signal.aborted) return;
        [this.answer, this.pair] = [all, pair];
        const where = WHERE[whole ? "set" : over] + (whole ? "" : this.share(range));
        this.of = { words: stretch, where: set.importing ? `So far, ${where[0].toLowerCase()}${where.slice(1)}` : where, whole };
        this.refused = false;
        complete = all.complete && (pair?.complete ?? true);
        text(this.words, `${stretch}: ${counted(all.messages, "message")}${complete && !set.importing ? "" : " so far…"}`);
        this.render();
      }
      if (!whole && !set.importing) await this.readAll(signal);
      if (this.sought) await asked;
      if (signal.aborted) return;
      if (this.sought) this.requests.bring();
      this.sought = false;
      this.under = null;
      if (set.importing) this.later(AGAIN);
    } catch (e) {
      if (signal.aborted) return;
      this.under = null;
      this.refused = true;
      this.pair = null;
      text(this.words, refusalWords(e, this.of.words));
      this.render();
    }
  }

  /** The chosen pair, where the set has both hosts. */
  private get known(): readonly [string, string] | null {
    return pairIn(this.c.view.pair, this.c.set.hosts.map((x) => x.name));
  }

  private noteStranger(): void {
    const { view, set } = this.c;
    const words = strangerWords(view.pair, set.hosts.map((x) => x.name), set.importing);
    this.stranger.hidden = !words;
    if (words !== (this.stranger.firstChild?.textContent ?? "")) keepFocus(this.stranger, () => fill(this.stranger, words, h("button", { type: "button", onclick: () => this.choose("", "") }, "Forget the pair")));
  }

  // How much of the set a stretch is.
  private share(range: Bounds): string {
    const all = this.c.set.bounds(this.c.view.raw);
    return all ? ` (${about(Number(range.end - range.begin), 3)} of ${about(Number(all.end - all.begin), 3)})` : "";
  }

  private get allBy(): string {
    const { set, view } = this.c;
    return [view.raw, set.clocks?.version, set.info?.events].join();
  }

  // Beside what was exchanged in a part of the set stands who did most in all of it.
  private async readAll(signal: AbortSignal): Promise<void> {
    const by = this.allBy;
    for (let complete = this.all?.by === by; !complete; ) {
      const all = await readMatrix(this.id, null, this.c.view.raw, signal);
      if (signal.aborted) return;
      complete = all.complete;
      if (complete) this.all = { pairs: all.pairs, by };
    }
    this.render();
  }

  private render(): void {
    const hosts = this.c.set.hosts.map((x) => x.name);
    const measure = this.measure.value as Measure;
    this.matrix.show(hosts, this.answer?.pairs ?? null, measure, this.known, this.c.set.importing);
    this.pairs.show(this.answer?.pairs ?? [], measure, this.known, this.of.where, this.of.whole, this.all?.by === this.allBy ? this.all.pairs : null);
    this.latencies.show(this.known ? this.pair : null);
    this.noteStranger();
    this.root.classList.toggle("crowded", hosts.length > CROWD);
    this.root.classList.toggle("few", hosts.length <= 6);
    this.arrange();
    const of = this.pair?.directions[0];
    if (!this.bring || !of || !this.known?.includes(of.from) || !this.known.includes(of.to)) return;
    this.bring = false;
    // Where its figures and how they spread are in sight, nothing moves: not the cell that was pressed.
    if (this.latencies.spread.getBoundingClientRect().bottom > this.root.getBoundingClientRect().bottom) this.latencies.el.scrollIntoView({ block: "nearest" });
  }

  // The pair stands beside the matrix where there is room, else below it. A slim matrix has room beside it before one is chosen, too.
  private arrange(): void {
    const { clientWidth } = this.root;
    if (clientWidth <= 0) return;
    const room = clientWidth - this.matrix.width >= PAIR;
    const crowded = this.c.set.hosts.length > CROWD;
    this.root.classList.toggle("slim", room && !crowded);
    this.root.classList.toggle("beside", room && crowded);
  }

  draw(): void {
    if (this.c.view.tab === "messages") this.latencies.draw(this.c.palette);
  }
}
