// Latency over the time of sending: one way upwards, the other downwards, so that an error of the clocks moves all
// dots the same way, and the band about zero is how far it can. Where many messages share a place its dot is darker.

import type { Palette } from "../draw/palette.js";
import type { Surface } from "../draw/surface.js";
import { outlined } from "../draw/words.js";
import { isolated } from "../model/names.js";
import { axisLabel, roundValues, type Tick } from "../time/ticks.js";
import type { Window } from "../time/window.js";
import type { Dot, LatenciesAnswer } from "./answers.js";

/** Room for what the axis says, pixels: of latencies, and of such as are far from zero, which take more digits. */
const [LEFT, FAR_LEFT] = [56, 88];
const RIGHT = 12;
const BOTTOM = 22;
const TOP = 4;
/** Room above and below the scale, pixels: next to it for what lies off it, whose marks are half as wide and as high, and beyond these for words. */
const [BEYOND, OFF, MARK] = [24, 6, 4];
/** Up to so many times what is usual the scale reaches, to have the longest in it. */
const STRETCHED = 2.5;

export class Scatter {
  private readonly first: number;
  private readonly span: number;
  private readonly reach: number;
  private readonly middle: number;
  /** What lies in the middle, ns: 0, unless clocks are so wrong that all dots are far from there. */
  private readonly about: number;
  private readonly left: number;

  constructor(private readonly a: LatenciesAnswer, private readonly width: number, private readonly height: number) {
    [this.first, this.span] = stretchOf(a);
    const far = farOf(a);
    this.about = far?.about ?? 0;
    this.reach = far?.reach ?? reachOf(a);
    this.left = far ? FAR_LEFT : LEFT;
    this.middle = TOP + (height - TOP - BOTTOM) / 2;
  }

  /** Whether it is of an answer, in a plot of this size. */
  is(a: LatenciesAnswer, width: number, height: number): boolean {
    return a === this.a && width === this.width && height === this.height;
  }

  x = (after: number): number => this.left + (this.room * (after - this.first)) / this.span;
  /** Room for the plot, pixels. */
  get room(): number {
    return this.width - this.left - RIGHT;
  }

  /** Where a value lies; those that are off the scale lie in the room beyond its edge. */
  y = (v: number): number => {
    const off = (v - this.about) / this.reach;
    const half = this.middle - TOP - BEYOND;
    return this.middle - (Math.abs(off) <= 1 ? off * half : Math.sign(off) * (half + OFF));
  };

  /** The time that is drawn. */
  get window(): Window {
    return { begin: BigInt(this.a.begin) + BigInt(Math.round(this.first)), span: this.span };
  }

  /** The place in the dots of the one at most so many pixels away; -1 where there is none. */
  at(px: number, py: number, most: number): number {
    let [best, nearest] = [-1, most * most];
    this.a.dots.forEach((d, i) => {
      const distance = (this.x(d[0]) - px) ** 2 + (this.y(valueOf(d)) - py) ** 2;
      if (distance <= nearest) [best, nearest] = [i, distance];
    });
    return best;
  }

  /** Draws all; marked is the place of a dot that is pointed at. */
  draw(s: Surface, palette: Palette, ticks: readonly Tick[], marked: number): void {
    const g = s.begin(palette.css.panel);
    g.font = palette.mono;
    this.axes(g, palette, ticks);
    this.band(g, palette);
    g.fillStyle = palette.css.ink2;
    if (this.about === 0) g.fillRect(this.left, Math.round(this.middle), this.room, 1);
    const [there, back] = this.a.directions;
    for (const [words, y, color] of [[`● ${isolated(there.from)} → ${isolated(there.to)}`, TOP + 9, palette.css.sys], [`■ ${isolated(back.from)} → ${isolated(back.to)}`, this.height - BOTTOM - 2, palette.css.user]] as const) outlined(g, palette, words, this.left + 8, y, color);
    this.dots(g, palette); // none is behind the words
    const d = this.a.dots[marked];
    if (!d) return;
    g.strokeStyle = palette.css.ink;
    g.lineWidth = 2;
    g.beginPath();
    g.arc(this.x(d[0]), this.y(valueOf(d)), 6, 0, 7);
    g.stroke();
  }

  private axes(g: CanvasRenderingContext2D, palette: Palette, ticks: readonly Tick[]): void {
    g.textAlign = "right";
    const { about, reach } = this;
    const values = roundValues(about - reach, about + reach, 6);
    const step = values.length > 1 ? values[1] - values[0] : 0;
    for (const v of values) {
      if (Math.abs(v - about) > reach * 0.98) continue;
      g.fillStyle = palette.css.grid;
      g.fillRect(this.left, Math.round(this.y(v)), this.room, 1);
      g.fillStyle = palette.css.ink2;
      g.fillText(about === 0 ? axisLabel(Math.abs(v), reach) : axisLabel(v, Math.abs(about) + reach, false, step), this.left - 6, this.y(v) + 4, this.left - 8);
    }
    g.textAlign = "left";
    for (const t of ticks) {
      const x = this.left + t.share * this.room;
      g.fillStyle = t.major ? palette.css.ink : palette.css.ink2;
      if (x + 4 + g.measureText(t.label).width <= this.width) g.fillText(t.label, x + 4, this.height - 7);
      g.fillStyle = palette.css.grid;
      g.fillRect(Math.round(x), TOP, 1, this.height - TOP - (t.major ? 0 : BOTTOM - 4));
    }
  }

  private band(g: CanvasRenderingContext2D, palette: Palette): void {
    const { band } = this.a;
    if (band.length < 2) return;
    g.beginPath();
    g.save();
    g.rect(this.left, 0, this.room, this.height);
    g.clip();
    g.beginPath();
    band.forEach(([t, e], i) => (i ? g.lineTo(this.x(t), this.y(e)) : g.moveTo(this.x(t), this.y(e))));
    for (const [t, e] of band.toReversed()) g.lineTo(this.x(t), this.y(-e));
    g.fillStyle = palette.css.brush;
    g.fill();
    g.strokeStyle = palette.css.accent;
    g.globalAlpha = 0.6;
    g.lineWidth = 1;
    for (const sign of [1, -1]) {
      g.beginPath();
      band.forEach(([t, e], i) => (i ? g.lineTo(this.x(t), this.y(sign * e)) : g.moveTo(this.x(t), this.y(sign * e))));
      g.stroke();
    }
    g.restore();
  }

  private dots(g: CanvasRenderingContext2D, palette: Palette): void {
    const most = this.a.dots.reduce((m, d) => Math.max(m, d[3]), 1);
    const larger = Math.max(1, Math.min(2, this.height / 700)); // in a tall plot dots lie far apart
    for (const direction of [0, 1]) {
      for (const d of this.a.dots) {
        if (d[2] !== direction) continue;
        const dense = most === 1 ? 0.5 : Math.log(d[3]) / Math.log(most);
        const size = (most === 1 ? 2.2 : 1.3 + 1.5 * dense) * larger;
        const [x, y] = [this.x(d[0]), this.y(valueOf(d))];
        g.globalAlpha = 0.4 + 0.6 * dense;
        g.fillStyle = d[1] < 0 ? palette.css.warn : direction === 0 ? palette.css.sys : palette.css.user;
        const off = valueOf(d) - this.about;
        if (Math.abs(off) > this.reach) {
          const tip = Math.sign(off) * MARK;
          g.beginPath();
          g.moveTo(x, y - tip);
          g.lineTo(x - MARK, y + tip);
          g.lineTo(x + MARK, y + tip);
          g.fill();
        } else if (direction === 0) {
          g.beginPath();
          g.arc(x, y, size, 0, 7);
          g.fill();
        } else g.fillRect(x - size, y - size, 2 * size, 2 * size);
      }
    }
    g.globalAlpha = 1;
  }
}

const valueOf = (d: Dot) => (d[2] === 0 ? d[1] : -d[1]);

/** What is drawn: from the first dot to the last, or to the end of the last cell, and a little beyond: ns after begin, and ns. */
export function stretchOf({ begin, end, single, dots, cells }: Pick<LatenciesAnswer, "begin" | "end" | "single" | "dots" | "cells">): [number, number] {
  const whole = Number(BigInt(end) - BigInt(begin));
  if (dots.length < 2) return [0, Math.max(1, whole)];
  const [first, last] = single ? [dots[0][0], dots[dots.length - 1][0]] : [Math.min(dots[0][0], cells[0]), Math.max(dots[dots.length - 1][0], cells[1])];
  const room = 0.03 * (last - first) + 1;
  const from = Math.max(0, first - room);
  return [from, Math.max(1, Math.min(whole, last + room) - from)];
}

/** Where dots lie that are all far from zero, by clocks that are wrong, and how far they spread about there; null for others. Those one way lie above
 *  that error of the clocks, the others below it. What is not usual does not count. Dots
 *  that stand for several messages, which may be as far apart as their latencies are long, stay where they were. */
export function farOf(a: Pick<LatenciesAnswer, "dots" | "band" | "single">): { about: number; reach: number } | null {
  if (!a.single || a.band.length > 1 || a.dots.length === 0) return null;
  const dots = a.dots.map((d): [number, number] => [valueOf(d), d[3]]).sort((x, y) => x[0] - y[0]);
  const all = dots.reduce((n, d) => n + d[1], 0);
  const at = (share: number) => {
    let rest = all * share;
    return (dots.find(([, n]) => (rest -= n) <= 0) ?? dots[dots.length - 1])[0];
  };
  const [low, high] = [at(0.015), at(0.985)];
  const [about, spread] = [Math.round((low + high) / 2), high - low];
  return Math.abs(about) > 2 * spread ? { about, reach: Math.max(1, spread * 0.7) } : null;
}

// As far as what is usual of the latencies and the band, and to the longest where that is not far off; not to a straggler beside which they would be a line.
function reachOf(a: LatenciesAnswer): number {
  const dots = a.dots.map((d): [number, number] => [Math.abs(d[1]), d[3]]).sort((x, y) => x[0] - y[0]);
  let rest = dots.reduce((n, d) => n + d[1], 0) * 0.97;
  const usual = dots.find(([, n]) => (rest -= n) <= 0)?.[0] ?? 0;
  const errors = a.band.map(([, e]) => e).sort((x, y) => x - y);
  const wide = errors[Math.floor(errors.length / 2)] ?? 0;
  const last = dots.length ? dots[dots.length - 1][0] : 0;
  return Math.max(1, (last <= usual * STRETCHED ? last * 1.08 : usual * 1.4) || last, wide * 1.3);
}
