// The latencies between two hosts: a table of figures, how they spread, and when they were what. A
// dot leads to its message in the timeline.

import { Surface } from "../draw/surface.js";
import { isolated } from "../model/names.js";
import type { View } from "../model/view.js";
import type { Palette } from "../draw/palette.js";
import { counted, group, sized } from "../time/number.js";
import { ticks } from "../time/ticks.js";
import { about, plusMinus, seconds, type Ns } from "../time/time.js";
import { add, fill, h, text } from "../ui/dom.js";
import { Readout } from "../ui/readout.js";
import { near, reads } from "../ui/reads.js";
import { DIGITS, type Direction, type LatenciesAnswer } from "./answers.js";
import { drawHistogram, rangesOf } from "./histogram.js";
import { OverTime } from "./overtime.js";
import { Scatter } from "./scatter.js";

/** What heads of the table mean. */
const MEANINGS: Readonly<Record<string, string>> = {
  "Before sent": "Received before they were sent",
  "Median latency": "Half of the messages took no longer. The ± is of this median: by how much it can be off, as the clocks leave it open. That of a single message stands at its dot",
};

/** A message as it is looked for in the timeline: its hosts by name. */
export interface Sought {
  from: string;
  to: string;
  sent: Ns;
  received: Ns;
}

export class Latencies {
  readonly el = h("section", { class: "card pair", hidden: true });
  /** A message is to be shown in the timeline. */
  onFind: (m: Sought) => void = () => {};
  /** The timeline is to be opened on the pair. */
  onTimeline: () => void = () => {};
  /** All hosts are wanted again. */
  onAll: () => void = () => {};
  readonly overTime: OverTime;
  /** Where is drawn how latencies spread. */
  readonly spread = h("div", { class: "canvas spread" });
  private readonly title = h("span");
  private readonly note = h("small");
  private readonly figures = h("tbody");
  private readonly axes = h("small");
  private readonly readout = new Readout();
  private readonly histogram: Surface;
  private readonly plot: Surface;
  private readonly slider = h("div", { class: "slider", role: "slider", tabindex: 0, "aria-label": "Dot of the plot of latencies", "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0 });
  private answer: LatenciesAnswer | null = null;
  private paper: Scatter | null = null;
  private marked = -1;

  constructor(private readonly view: View, private readonly schedule: () => void) {
    this.overTime = new OverTime(view, schedule);
    this.overTime.onPoint = (words) => this.readout.say(words || this.hint(), !words);
    const heads = ["Direction", "Messages", "Data", "Median latency", "Least", "Most", "Before sent"];
    const dots = h("div", { class: "canvas dots" });
    add(this.el,
      h("div", { class: "line" }, h("h2", {}, this.title, " ", this.note), h("span", { class: "space" }),
        h("button", { type: "button", onclick: () => this.onTimeline() }, "Show in the timeline"),
        h("button", { type: "button", onclick: () => this.onAll() }, "All hosts")),
      h("div", { class: "wide" }, h("table", { "aria-label": "Latencies of the chosen pair" }, h("thead", {}, h("tr", {}, ...heads.map((t) => h("th", { scope: "col", title: MEANINGS[t] ?? null }, t)))), this.figures)),
      h("h3", {}, "How latencies spread ", this.axes), this.spread, h("h3", {}, "Messages and latency over time ", this.overTime.most), this.overTime.el, dots, this.readout.el);
    this.histogram = new Surface(this.spread, "Histogram of the latencies, one way upwards, the other downwards", schedule);
    this.plot = new Surface(dots, "Latencies over time, one way upwards, the other downwards", schedule);
    add(dots, this.slider);
    reads(this.slider, (e) => this.mark(this.paper?.at(e.offsetX, e.offsetY, near(e)) ?? -1), () => this.mark(-1));
    this.slider.addEventListener("blur", () => this.mark(-1));
    this.slider.addEventListener("click", () => this.find());
    this.slider.addEventListener("keydown", (e) => this.key(e));
  }

  /** Shows an answer, or, without one, nothing. */
  show(answer: LatenciesAnswer | null): void {
    const dot = this.answer?.dots[this.marked];
    this.answer = answer;
    this.el.hidden = !answer;
    if (!answer) return;
    const [there, back] = answer.directions;
    text(this.title, `${isolated(there.from)} ↔ ${isolated(there.to)}`);
    const n = there.messages + back.messages;
    text(this.note, n === 0 ? "no message here" : `${counted(n, "message")}${answer.complete ? "" : " so far"}`);
    const apart = rangesOf(answer.directions)?.apart ?? 0;
    text(this.axes, apart > 0 ? `each way on its own axis, both equally wide and ${about(apart, DIGITS)} apart` : "");
    fill(this.figures, ...answer.directions.map((d, k) => figures(d, k)));
    this.readout.room(this.hint(), answer.dots.length > 0 ? [this.longestWords(answer)] : []);
    const same = dot && answer.dots.findIndex((d) => d[0] === dot[0] && d[2] === dot[2] && d[1] === dot[1]);
    this.mark(same ?? -1);
    this.schedule();
  }

  draw(palette: Palette): void {
    const a = this.answer;
    if (!a || this.el.hidden || this.plot.width === 0) return;
    drawHistogram(this.histogram, a.directions, palette);
    if (!this.paper?.is(a, this.plot.width, this.plot.height)) this.paper = new Scatter(a, this.plot.width, this.plot.height);
    this.overTime.draw(a, this.paper, this.paper.room, palette);
    this.paper.draw(this.plot, palette, ticks(this.paper.window, this.view.origin(), this.paper.room), this.marked);
  }

  private key(e: KeyboardEvent): void {
    const last = (this.answer?.dots.length ?? 0) - 1;
    const step: Record<string, number> = { ArrowRight: this.marked + 1, ArrowUp: this.marked + 1, ArrowLeft: this.marked - 1, ArrowDown: this.marked - 1, Home: 0, End: last, PageUp: this.marked - 20, PageDown: this.marked + 20 };
    if (last < 0 || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Enter" || e.key === " ") this.find();
    else if (e.key in step) this.mark(Math.min(last, Math.max(0, step[e.key])));
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private mark(i: number): void {
    const words = this.wordsOf(i);
    this.readout.say(words || this.hint(), !words);
    this.slider.setAttribute("aria-valuemax", String(Math.max(0, (this.answer?.dots.length ?? 0) - 1)));
    this.slider.setAttribute("aria-valuenow", String(Math.max(0, i)));
    this.slider.setAttribute("aria-valuetext", words || "no dot chosen");
    this.slider.style.cursor = i < 0 ? "" : "pointer";
    if (i === this.marked) return;
    this.marked = i;
    this.schedule();
  }

  private hint(): string {
    const a = this.answer;
    if (!a?.dots.length) return "";
    const band = a.band.length > 1 ? " The band is the error of the clocks: by so much all dots can lie too high or too low together." : "";
    const dense = a.single ? "" : " Where messages share a place they are one dot, the darker the more.";
    const dots = a.dots.reduce((n, d) => n + d[3], 0);
    const beside = a.directions.reduce((n, d) => n + (d.median_ns === null ? 0 : d.messages), -dots);
    const without = beside > 0 && a.complete ? ` ${counted(beside, "message")} of the table above ${beside === 1 ? "was" : "were"} sent before or after this stretch, and ${beside === 1 ? "has" : "have"} no dot.` : "";
    return `Point at a dot, or go from one to the next with the arrow keys; a click, or Enter, shows its message in the timeline.${without}${band}${dense}`;
  }

  private wordsOf(i: number): string {
    const [a, dot] = [this.answer, this.answer?.dots[i]];
    if (!a || !dot) return "";
    const { from, to } = a.directions[dot[2]];
    const more = dot[3] > 1 ? `, one of ${group(dot[3])} here` : "";
    return `${seconds(BigInt(a.begin) + BigInt(dot[0]) - this.view.origin())}: ${from} to ${to} in ${about(dot[1])}${dot[6] < 0 ? "" : ` ${plusMinus(dot[6])}`}${dot[1] < 0 ? ", received before sent" : ""}${more}.`;
  }

  // As long as what is said of a dot can be.
  private longestWords(a: LatenciesAnswer): string {
    const names = a.directions.map((d) => `${isolated(d.from)} to ${isolated(d.to)}`).reduce((x, y) => (x.length > y.length ? x : y));
    const count = a.dots.reduce((n, d) => Math.max(n, d[3]), 0);
    const wrong = a.directions.some((d) => d.before_sent > 0) ? ", received before sent" : "";
    return `${seconds(BigInt(a.end) - this.view.origin())}: ${names} in 999.99 µs ± 999.9 µs${wrong}${count > 1 ? `, one of ${group(count)} here` : ""}.`;
  }

  private find(): void {
    const [a, dot] = [this.answer, this.answer?.dots[this.marked]];
    if (!a || !dot) return;
    const { from, to } = a.directions[dot[2]];
    const sent = BigInt(a.begin) + BigInt(dot[0]);
    this.onFind({ from, to, sent, received: sent + BigInt(dot[1]) });
  }
}

function figures(d: Direction, k: number): HTMLElement {
  const latency = (ns: number | null) => (ns === null ? "–" : about(ns, DIGITS));
  const sign = h("i", { class: `way way${k}`, "aria-hidden": "true" });
  return h("tr", {}, h("th", { scope: "row" }, sign, `${isolated(d.from)} → ${isolated(d.to)}`), h("td", {}, group(d.messages)), h("td", {}, sized(d.bytes, "–")),
    h("td", {}, latency(d.median_ns), d.error_ns === null ? null : h("span", { class: "aside" }, ` ${plusMinus(d.error_ns)}`)),
    h("td", {}, latency(d.least_ns)), h("td", {}, latency(d.most_ns)), h("td", { class: d.before_sent ? "warn" : "" }, d.before_sent ? `! ${group(d.before_sent)}` : "0"));
}
