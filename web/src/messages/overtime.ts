// How many messages two hosts exchanged when, both ways together: bars over the same time as the latencies below them. A press on
// one shows that stretch in the timeline, as does the button for the stretch with the most.

import { Surface } from "../draw/surface.js";
import type { Palette } from "../draw/palette.js";
import type { View } from "../model/view.js";
import { counted, group } from "../time/number.js";
import { about, seconds, type Ns } from "../time/time.js";
import { h, text } from "../ui/dom.js";
import { reads } from "../ui/reads.js";
import type { LatenciesAnswer } from "./answers.js";
import type { Scatter } from "./scatter.js";

/** Pixels of a bar where each message has a dot, so that all times are known. */
const BAR = 10;
/** Else messages are told by cells, parts of the stretch in which there are any; a bar is of as many whole ones as make no more bars than these. */
const PARTS = 64;
const TOP = 4;

/** A stretch of time, ns after the begin of the answer, and how many messages were sent in it. */
export interface Bar {
  readonly begin: number;
  readonly end: number;
  readonly messages: number;
}

/** The bars from a time to another that plots of so many pixels have, those without a message left out. */
export function barsOf(a: Pick<LatenciesAnswer, "single" | "dots" | "cells">, first: number, span: number, room: number): Bar[] {
  const [begin, end, cell] = a.cells;
  const wide = Math.max(1, a.single ? Math.ceil(span / Math.max(1, Math.floor(room / BAR))) : cell * Math.ceil((end - begin) / PARTS / cell));
  const from = a.single ? first : begin;
  const until = a.single ? Infinity : end;
  const sums = new Map<number, number>();
  for (const [sent, , , messages] of a.dots) {
    const k = Math.floor((sent - from) / wide);
    sums.set(k, (sums.get(k) ?? 0) + messages);
  }
  return [...sums].sort((p, q) => p[0] - q[0]).map(([k, messages]) => ({ begin: Math.floor(from + k * wide), end: Math.ceil(barEnd(from + k * wide, wide, until)), messages }));
}

// The last ends with the stretch; what was sent later, while it still grew, has whole bars.
const barEnd = (begin: number, wide: number, until: number) => (begin < until ? Math.min(begin + wide, until) : begin + wide);

/** The first of those with the most messages; undefined where all have as many, and for none. */
export function densest(bars: readonly Bar[]): Bar | undefined {
  const most = bars.reduce((n, b) => Math.max(n, b.messages), 0);
  return bars.every((b) => b.messages === most) ? undefined : bars.find((b) => b.messages === most);
}

export class OverTime {
  readonly el = h("div", { class: "canvas often" });
  /** Leads to the stretch with the most. */
  readonly most = h("button", { type: "button", class: "link", hidden: true, title: "Show this stretch in the timeline", onclick: () => this.go(densest(this.bars)) });
  /** A stretch is to be shown in the timeline. */
  onStretch: (begin: Ns, end: Ns) => void = () => {};
  /** What is under the pointer, as a sentence; "" for nothing. */
  onPoint: (words: string) => void = () => {};
  private readonly surface: Surface;
  private answer: LatenciesAnswer | null = null;
  private bars: readonly Bar[] = [];
  private paper: Scatter | null = null;

  constructor(private readonly view: View, schedule: () => void) {
    this.surface = new Surface(this.el, "Messages over time, both ways together", schedule);
    reads(this.el, (e) => this.point(this.at(e.offsetX)), () => this.point(undefined));
    this.el.addEventListener("click", (e) => this.go(this.at(e.offsetX)));
  }

  draw(a: LatenciesAnswer, paper: Scatter, room: number, palette: Palette): void {
    this.paper = paper;
    const { window } = paper;
    if (this.answer !== a || this.room !== room) this.bars = barsOf(a, Number(window.begin - BigInt(a.begin)), window.span, room);
    [this.answer, this.room] = [a, room];
    const s = this.surface;
    if (s.width === 0) return;
    const g = s.begin(palette.css.panel);
    const most = this.bars.reduce((n, b) => Math.max(n, b.messages), 1);
    const left = paper.x(Number(window.begin - BigInt(a.begin)));
    const right = left + room;
    g.fillStyle = palette.css.ink3;
    for (const b of this.bars) {
      const [x0, x1] = [Math.max(left, paper.x(b.begin)), Math.min(right, paper.x(b.end))];
      const high = Math.max(1, (b.messages / most) * (s.height - TOP - 1));
      g.fillRect(x0, s.height - 1 - high, Math.max(1, x1 - x0 - 0.5), high);
    }
    g.fillStyle = palette.css.ink2;
    g.fillRect(left, s.height - 1, room, 1);
    g.font = palette.mono;
    g.textAlign = "right";
    g.fillText(group(most), left - 6, TOP + 9);
    g.textAlign = "left";
    const b = densest(this.bars);
    this.most.hidden = !b;
    text(this.most, b ? `most: ${this.words(b)}` : "");
  }

  private room = 0;

  private at(x: number): Bar | undefined {
    const { paper } = this;
    return paper ? this.bars.find((b) => paper.x(b.begin) <= x && x < paper.x(b.end)) : undefined;
  }

  private point(b: Bar | undefined): void {
    this.el.style.cursor = b ? "pointer" : "";
    this.onPoint(b ? `${this.words(b)}; a press shows them in the timeline.` : "");
  }

  private words(b: Bar): string {
    const wide = b.end - b.begin;
    return `${counted(b.messages, "message")} in ${about(wide, 3)} from ${seconds(BigInt(this.answer!.begin) + BigInt(b.begin) - this.view.origin(), wide < 1e7 ? 6 : 3)}`;
  }

  private go(b: Bar | undefined): void {
    if (b && this.answer) this.onStretch(BigInt(this.answer.begin) + BigInt(b.begin), BigInt(this.answer.begin) + BigInt(b.end));
  }
}
