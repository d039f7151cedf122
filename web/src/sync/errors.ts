// The bound on each host's clock over reference time, all hosts on one paper, and a
// cursor that says what holds at an instant.

import type { Palette } from "../draw/palette.js";
import { Surface } from "../draw/surface.js";
import { outlined } from "../draw/words.js";
import type { SetModel } from "../model/set.js";
import { group } from "../time/number.js";
import { axisLabel, roundValues } from "../time/ticks.js";
import { plusMinus, seconds } from "../time/time.js";
import { add, h, text } from "../ui/dom.js";
import { bounding } from "./force.js";
import { boundAt, linesOf, pieceAt, type Line } from "./bounds.js";

const LEFT = 62;
const RIGHT = 70;
const BOTTOM = 24;
const TOP = 8;
const HUES = ["accent", "user", "cpuw", "msg", "blk", "warn"] as const;
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
/** Up to so many hosts each have a row of ticks below the plot where their pieces end, more share one; and the height of a row. */
const TICKED = 6;
const TICKS = 7;
/** Up to so many lines what is below them is tinted; more would be mud. */
const TINTED = 6;
/** How many hosts the readout names, the worst first. */
const NAMED = 6;

export class ErrorPlot {
  readonly el = h("div", { class: "canvas" });
  readonly readout = h("p", { class: "readout" });
  private readonly surface: Surface;
  private readonly slider = h("div", { class: "slider", role: "slider", tabindex: 0, "aria-label": "Instant of the error plot", "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0 });
  private lines: Line[] = [];
  private first = 0; // ns after the set's begin
  private span = 1;
  private at: number | null = null;
  private floor = 0; // of the plot, above the ticks

  /** The instant that is pointed at is another one. */
  onPoint: () => void = () => {};

  constructor(private readonly set: SetModel, private readonly schedule: () => void) {
    this.surface = new Surface(this.el, "The error bound of each host over time; the table gives least and worst", schedule);
    add(this.el, this.slider);
    this.slider.addEventListener("pointermove", (e) => this.point(this.first + ((e.offsetX - LEFT) / Math.max(1, this.surface.width - LEFT - RIGHT)) * this.span));
    this.slider.addEventListener("pointerleave", () => document.activeElement !== this.slider && this.point(null));
    this.slider.addEventListener("focus", () => this.at === null && this.point(this.first + this.span / 2));
    this.slider.addEventListener("blur", () => this.point(null));
    this.slider.addEventListener("keydown", (e) => this.key(e));
  }

  private key(e: KeyboardEvent): void {
    const step = { ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01, PageUp: 0.1, PageDown: -0.1, Home: -1, End: 1 }[e.key];
    if (step === undefined) return;
    e.preventDefault();
    this.point((this.at ?? this.first + this.span / 2) + step * this.span);
  }

  private point(at: number | null): void {
    this.at = at === null ? null : Math.min(this.first + this.span, Math.max(this.first, at));
    this.say();
    this.onPoint();
    this.schedule();
  }

  /** The instant that is pointed at, reference time; null where it is not. */
  get instant(): bigint | null {
    const begin = this.set.bounds(false)?.begin;
    return this.at === null || begin === undefined ? null : begin + BigInt(Math.round(this.at));
  }

  private say(): void {
    const { at, slider } = this;
    const words = at === null ? "" : this.words(at);
    const ticks = this.lines.some((l) => l.ends.length > 0) ? " A tick below it is where a piece of a clock ends." : "";
    this.readout.classList.toggle("hint", words === "");
    text(this.readout, words || "Point at the plot, or go along it with the arrow keys: it says how well each clock is known there." + ticks);
    slider.hidden = this.lines.length === 0;
    for (const [name, value] of [["max", this.span], ["now", (at ?? this.first) - this.first]] as const) slider.setAttribute(`aria-value${name}`, (value / 1e9).toFixed(3));
    slider.setAttribute("aria-valuetext", words || "no instant chosen");
  }

  private words(at: number): string {
    const here = this.lines.flatMap((l) => {
      const bound = boundAt(l, at);
      return bound === null ? [] : [{ l, bound }];
    });
    here.sort((a, b) => b.bound - a.bound);
    const all = here.slice(0, NAMED).map(({ l, bound }) => `${l.name} ${plusMinus(bound)}${l.ends.length > 0 ? ` in piece ${pieceAt(l, at)} of ${group(l.ends.length + 1)}` : ""}`);
    if (here.length > NAMED) all.push(`and ${group(here.length - NAMED)} more, known better`);
    return `${seconds(BigInt(Math.round(at)), 3)}: ${all.join("; ") || "no clock is bounded here"}`;
  }

  draw(palette: Palette): void {
    const s = this.surface;
    if (s.width === 0) return;
    const { set } = this;
    const g = s.begin(palette.css.panel);
    const bounds = set.bounds(false);
    this.lines = bounds ? linesOf(set, bounds.begin) : [];
    g.font = palette.mono;
    if (this.lines.length === 0) {
      g.fillStyle = palette.css.ink2;
      g.fillText(whyNone(set), 8, 24);
      this.slider.hidden = true;
      text(this.readout, "");
      return;
    }
    // Only the time that some bound covers: hosts without one may lie years away.
    const times = this.lines.flatMap((l) => [l.points[0][0], l.points[l.points.length - 1][0]]);
    this.first = Math.min(...times);
    this.span = Math.max(1, Math.max(...times) - this.first);
    const ticked = this.lines.filter((l) => l.ends.length > 0);
    const shared = ticked.length > TICKED;
    this.floor = s.height - BOTTOM - (shared ? 1 : ticked.length) * TICKS;
    const y = this.axes(g, palette);
    ticked.forEach((l, row) => this.ticks(g, l, shared ? 0 : row, shared ? palette.css.ink2 : hueOf(palette, l)));
    if (this.lines.length <= TINTED) this.lines.forEach((l) => this.tint(g, l, y, hueOf(palette, l)));
    this.lines.forEach((l) => this.drawLine(g, l, y, palette));
    this.names(g, y, palette);
    this.cursor(g, y, palette);
    this.say();
  }

  private x = (t: number): number => LEFT + ((this.surface.width - LEFT - RIGHT) * (t - this.first)) / this.span;

  // Draws the axes and returns the height of a bound.
  private axes(g: CanvasRenderingContext2D, palette: Palette): (v: number) => number {
    const { width, height } = this.surface;
    const values = this.lines.flatMap((l) => l.points.map((p) => p[1]));
    const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b), 1)];
    // A scale of powers where the ends are much worse than the middle.
    const log = least > 0 && most / least > 30;
    const low = log ? 10 ** Math.floor(Math.log10(least)) : 0;
    const high = log ? 10 ** Math.ceil(Math.log10(most)) : most * 1.08;
    const y = (v: number) => TOP + (this.floor - TOP) * (1 - (log ? Math.log(Math.max(v, low) / low) / Math.log(high / low) : v / high));
    const marks = log ? Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, k) => low * 10 ** k) : roundValues(0, high, 5);
    for (const v of marks) {
      g.fillStyle = palette.css.grid;
      g.fillRect(LEFT, Math.round(y(v)), width - LEFT - RIGHT, 1);
      g.fillStyle = palette.css.ink2;
      g.textAlign = "right";
      g.fillText(axisLabel(v, log ? v : high), LEFT - 6, y(v) + 4, LEFT - 8);
    }
    g.textAlign = "center";
    const last = this.first + this.span;
    const room = g.measureText(axisLabel(last, last, false, this.span / 10)).width + 24;
    const times = roundValues(this.first, last, Math.max(1, Math.min(6, Math.floor((width - LEFT - RIGHT) / room))));
    const step = times.length > 1 ? times[1] - times[0] : this.span;
    for (const t of times) g.fillText(axisLabel(t, last, false, step), this.x(t), height - 6);
    g.textAlign = "left";
    return y;
  }

  // A tick where one piece of a host's map ends and the next begins.
  private ticks(g: CanvasRenderingContext2D, l: Line, row: number, hue: string): void {
    g.fillStyle = hue;
    for (const t of l.ends) g.fillRect(Math.round(this.x(t)) - 0.5, this.floor + row * TICKS + 2, 1.5, TICKS - 2);
  }

  // Between two entries the larger one holds.
  private trace(g: CanvasRenderingContext2D, l: Line, y: (v: number) => number): void {
    const { x } = this;
    g.beginPath();
    l.points.forEach(([t, v], i) => {
      const next = l.points[i + 1];
      const level = next ? Math.max(v, next[1]) : v;
      if (i === 0) g.moveTo(x(t), y(level));
      else g.lineTo(x(t), y(level));
      if (next) g.lineTo(x(next[0]), y(level));
    });
  }

  private tint(g: CanvasRenderingContext2D, l: Line, y: (v: number) => number, hue: string): void {
    this.trace(g, l, y);
    g.lineTo(this.x(l.points[l.points.length - 1][0]), this.floor);
    g.lineTo(this.x(l.points[0][0]), this.floor);
    g.fillStyle = hue;
    g.globalAlpha = 0.12 / this.lines.length;
    g.fill();
    g.globalAlpha = 1;
  }

  private drawLine(g: CanvasRenderingContext2D, l: Line, y: (v: number) => number, palette: Palette): void {
    this.trace(g, l, y);
    g.strokeStyle = hueOf(palette, l);
    g.lineWidth = 1.8;
    g.setLineDash(DASHES[Math.floor(l.host / 2) % DASHES.length]);
    g.stroke();
    g.setLineDash([]);
  }

  private names(g: CanvasRenderingContext2D, y: (v: number) => number, palette: Palette): void {
    const { width } = this.surface;
    const names: { y: number; name: string; hue: string }[] = [];
    this.lines.forEach((l) => {
      const hue = hueOf(palette, l);
      const last = l.points[l.points.length - 1];
      // A line that ends early has its name at its end, the others stand in the margin.
      const end = this.x(last[0]) + 6;
      const early = end + g.measureText(l.name).width < width - RIGHT;
      if (early) outlined(g, palette, l.name, end, y(last[1]) + 4, hue);
      else names.push({ y: y(last[1]) + 4, name: l.name, hue });
    });
    names.sort((a, b) => a.y - b.y);
    const most = Math.max(1, Math.floor((this.surface.height - 2 * TOP) / 14) - 1);
    if (names.length > most + 1) names.splice(most, names.length, { y: 0, name: `+${group(names.length - most)} more`, hue: palette.css.ink2 });
    names.forEach((n, i) => (n.y = i > 0 ? Math.max(n.y, names[i - 1].y + 14) : Math.max(n.y, TOP + 6)));
    // What went below the paper is moved up, with what is above it.
    for (let i = names.length - 1, floor = this.surface.height - 4; i >= 0 && names[i].y > floor; i--, floor -= 14) names[i].y = floor;
    for (const n of names) {
      g.fillStyle = n.hue;
      g.fillText(n.name, width - RIGHT + 6, n.y);
    }
  }

  private cursor(g: CanvasRenderingContext2D, y: (v: number) => number, palette: Palette): void {
    if (this.at === null) return;
    const x = this.x(this.at);
    g.fillStyle = palette.css.ink2;
    g.fillRect(Math.round(x), TOP, 1, this.floor - TOP);
    this.lines.forEach((l) => {
      const bound = boundAt(l, this.at!);
      if (bound === null) return;
      g.fillStyle = hueOf(palette, l);
      g.beginPath();
      g.arc(x, y(bound), 3.5, 0, 7);
      g.fill();
    });
  }
}

function whyNone(set: SetModel): string {
  if (set.hosts.length === 1) return "A single host is its own reference: there is no error to show.";
  if (!bounding(set.clocks)) return "The method in force bounds no clock.";
  return set.clocks?.final === false ? "No clock has a bound yet." : "No clock has a bound.";
}

function hueOf(palette: Palette, l: Line): string {
  return palette.css[HUES[l.host % HUES.length]];
}
