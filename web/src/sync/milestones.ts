// How the clocks became known while the set was imported: the error of the host in the middle, and of the one known
// worst, over the seconds of reading.

import { readMilestones, type Milestone } from "../home/api.js";
import { group } from "../time/number.js";
import { axisLabel, roundValues } from "../time/ticks.js";
import { about, plusMinus } from "../time/time.js";
import { fill, h, svg, text } from "../ui/dom.js";

const NARROWEST = 280; // px
const LEFT = 58;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 22;
const LABELLED = 110; // px about each time of the axis
const AGAIN = 1000; // ms between two questions

export class Milestones {
  readonly el = h("section", { class: "card milestones" });
  private readonly picture = h("div", { class: "toaccuracy" });
  private readonly words = h("p", { class: "minor" });
  private list: Milestone[] = [];
  private width = 0; // of what is drawn, px
  private wanted = ""; // the state of the import, as it was told last
  private asked = ""; // when it was asked last
  private answered = true; // what was asked for last
  private timer = 0;

  constructor(private readonly id: string) {
    new ResizeObserver(() => this.redraw()).observe(this.picture);
    fill(this.el, h("h2", {}, "Accuracy while it was imported ", h("small", {}, "median over time of the error of the host in the middle (line) and of the one known worst (dashes), by the reference that was the best then")), this.picture, this.words);
  }

  /** Asks again where the import has published more. */
  refresh(version: number, ready: boolean): void {
    this.wanted = ready ? "ready" : String(version);
    if (this.wanted !== this.asked && !this.timer) this.ask();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    if (this.answered) return;
    this.asked = "";
    if (!this.timer) this.ask();
  }

  private ask(): void {
    this.asked = this.wanted;
    this.answered = false;
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (this.wanted !== this.asked) this.ask();
    }, AGAIN);
    readMilestones(this.id).then((list) => this.show(list), (e: Error) => text(this.words, e.message));
  }

  private show(list: Milestone[]): void {
    this.answered = true;
    this.list = list;
    text(this.words, storyWords(list));
    this.width = 0;
    this.redraw();
  }

  // As wide as there is room: scaled, its words would be too small to read or too large.
  private redraw(): void {
    const width = Math.max(NARROWEST, this.picture.clientWidth);
    if (width === this.width) return;
    this.width = width;
    const known = this.list.filter((m) => m.median_ns !== null);
    if (known.length < 2) return fill(this.picture);
    fill(this.picture, this.draw(known, width));
  }

  private draw(known: Milestone[], W: number): SVGElement {
    const H = Math.min(300, Math.max(150, Math.round(W * 0.27)));
    const last = Math.max(...this.list.map((m) => m.after_s), 0.001);
    const values = known.flatMap((m) => [m.median_ns!, m.worst_ns!]).map((v) => Math.max(v, 1));
    const [low, high] = [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values) * 1.0001))];
    const x = (s: number) => LEFT + ((W - LEFT - RIGHT) * s) / last;
    const y = (ns: number) => TOP + (H - TOP - BOTTOM) * (1 - Math.log(Math.max(ns, 1) / low) / Math.log(high / low));
    // Each holds until the next is published.
    const line = (of: (m: Milestone) => number) => known.map((m, i) => `${i === 0 ? "M" : "H"}${x(m.after_s).toFixed(1)}${i === 0 ? " " : "V"}${y(of(m)).toFixed(1)}`).join("") + `H${x(last).toFixed(1)}`;
    const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: "img", "aria-label": storyWords(this.list) });
    for (let v = low; v <= high * 1.001; v *= 10)
      picture.append(svg("line", { x1: LEFT, x2: W - RIGHT, y1: y(v), y2: y(v), class: "grid" }), svg("text", { x: LEFT - 6, y: y(v) + 4, class: "mark end" }, axisLabel(v, v)));
    const seconds = roundValues(0, last * 1e9, Math.max(3, Math.round(W / LABELLED)));
    for (const t of seconds) picture.append(svg("text", { x: x(t / 1e9), y: H - 5, class: "mark middle" }, axisLabel(t, last * 1e9)));
    picture.append(svg("path", { d: line((m) => m.worst_ns!), class: "worst" }), svg("path", { d: line((m) => m.median_ns!), class: "median" }));
    return picture;
  }
}

/** The way in words: when all hosts were related, how well at first, how well at the end. */
export function storyWords(list: readonly Milestone[]): string {
  const last = list[list.length - 1];
  if (!last) return "Nothing was published yet, or the set was read elsewhere or before this was kept.";
  const seconds = (m: Milestone) => about(m.after_s * 1e9, 2);
  const whole = list.find((m) => m.hosts === last.hosts && m.median_ns !== null);
  if (last.hosts < 2 || !whole || last.median_ns === null) return last.of < 2 ? "A single host needs no synchronization." : `No two hosts were related within ${seconds(last)} of reading.`;
  const all = last.hosts === last.of ? `all ${group(last.of)} hosts` : `${group(last.hosts)} of ${group(last.of)} hosts`;
  return `After ${seconds(whole)} of reading ${all} were related to each other, half of them known to ${plusMinus(whole.median_ns)} or better; after ${seconds(last)} to ${plusMinus(last.median_ns)}, the worst to ${plusMinus(last.worst_ns)}, each by its median over time.${last.without ? ` ${group(last.without)} of them ${last.without === 1 ? "has" : "have"} no bound.` : ""}`;
}
