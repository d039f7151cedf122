// The bound on each host's clock over reference time, all hosts on one paper, and a
// cursor that says what holds at an instant.

import type { Palette } from "../draw/palette.js";
import { Surface } from "../draw/surface.js";
import { outlined } from "../draw/words.js";
import type { SetModel } from "../model/set.js";
import { fitted, shortened } from "../model/shortened.js";
import { group } from "../time/number.js";
import { axisLabel, roundValues } from "../time/ticks.js";
import { plusMinus, seconds } from "../time/time.js";
import { add, h } from "../ui/dom.js";
import { Readout } from "../ui/readout.js";
import { reads } from "../ui/reads.js";
import { bounding } from "./force.js";
import { boundAt, linesOf, pieceAt, type Line } from "./bounds.js";
import { clearOf } from "./clear.js";
import { beside, FEW, loud, nearest } from "./emphasis.js";

const LEFT = 62;
/** The margin with the names: it grows with them to a share of the width, and what is longer then is shortened. */
const RIGHT = 70;
const WIDEST = 0.25;
const BOTTOM = 24;
const TOP = 8;
const HUES = ["accent", "user", "cpuw", "msg", "blk", "warn"] as const;
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
/** Up to so many hosts each have a row of ticks below the plot where their pieces end, more share one; and the height of a row. */
const TICKED = 6;
const TICKS = 7;
/** Up to so many lines what is below them is tinted; more would be mud. */
const TINTED = 6;
/** How many hosts the readout names, the one that is looked at and then the worst, and how many letters of a name at its begin and its end. */
const NAMED = 6;
const NAMED_OF_MANY = 3;
const [HEAD, TAIL] = [16, 10];
/** How far the names of powers are apart at least, pixels; of nearer ones some are left out. */
const LINE = 13;
/** How faint the lines in the background are. */
const FAINT = 0.4;

export class ErrorPlot {
  readonly el = h("div", { class: "canvas" });
  /** Above the plot, so that it is seen with it. */
  readonly readout = new Readout();
  private readonly surface: Surface;
  private readonly slider = h("div", { class: "slider", role: "slider", tabindex: 0, "aria-label": "Instant of the error plot", "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0 });
  private lines: Line[] = [];
  private first = 0; // ns after the set's begin
  private span = 1;
  private at: number | null = null;
  private right = RIGHT; // where the margin begins, from the right edge
  private floor = 0; // of the plot, above the ticks
  private height: (v: number) => number = () => 0; // of a bound, as drawn last
  /** The hosts that something else on the page is about, such as the chosen link, and the one that the pointer or the keys are at. */
  private about: readonly string[] = [];
  private focused: string | null = null;
  private looks: ReadonlyMap<Line, number> = new Map();

  /** The instant that is pointed at is another one. */
  onPoint: () => void = () => {};

  constructor(private readonly set: SetModel, private readonly schedule: () => void) {
    this.surface = new Surface(this.el, "The error bound of each host over time; the table gives least and worst", schedule);
    add(this.el, this.slider);
    reads(this.slider, (e) => {
      const scale = Math.max(1, this.surface.width - LEFT - this.right) / this.span;
      const at = this.first + (e.offsetX - LEFT) / scale;
      this.focused = nearest(this.lines, at, scale, this.height, e.offsetY)?.name ?? null;
      this.point(at);
    }, () => this.point(null), () => document.activeElement === this.slider);
    this.slider.addEventListener("focus", () => this.at === null && this.point(this.first + this.span / 2));
    this.slider.addEventListener("blur", () => this.point(null));
    this.slider.addEventListener("keydown", (e) => this.key(e));
  }

  // Up and down are for the lines, so that of the keys for pages the one down leads on, as through what is read.
  private key(e: KeyboardEvent): void {
    const step = { ArrowRight: 0.01, ArrowUp: 0, ArrowLeft: -0.01, ArrowDown: 0, PageDown: 0.1, PageUp: -0.1, Home: -1, End: 1 }[e.key];
    if (step === undefined) return;
    e.preventDefault();
    const at = this.at ?? this.first + this.span / 2;
    if (step === 0) this.focused = beside(this.lines, this.focused, at, e.key === "ArrowUp")?.name ?? null;
    this.point(at + step * this.span);
  }

  /** The hosts that something else on the page is about: their lines do not stay in the background. */
  tell(hosts: readonly string[]): void {
    this.about = hosts;
    this.schedule();
  }

  private point(at: number | null): void {
    if (at === null) this.focused = null;
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
    const words = at === null ? "" : this.words(at, false);
    const brief = at === null ? "" : this.words(at, true);
    this.readout.say(brief || this.hint(), brief === "");
    slider.hidden = this.lines.length === 0;
    for (const [name, value] of [["max", this.span], ["now", (at ?? this.first) - this.first]] as const) slider.setAttribute(`aria-value${name}`, (value / 1e9).toFixed(3));
    slider.setAttribute("aria-valuetext", words || "no instant chosen");
  }

  private hint(): string {
    if (this.lines.length === 0) return "";
    const many = this.crowded ? " Named: the worst, and those of the chosen link." : "";
    const ticks = this.lines.some((l) => l.ends.length > 0) ? " A tick below it is where a piece of a clock ends." : "";
    return `Point at the plot, or go along it with the arrow keys, from line to line by ↑ and ↓${this.crowded ? "" : ": it says how well each clock is known there, first that of the nearest line, then the worst"}.${many}${ticks}`;
  }

  // As long as what is said of an instant can be.
  private longest(): string {
    const told = this.lines.map((l) => toldOf(l, shortened(l.name, HEAD, TAIL), WIDE, l.ends.length + 1)).sort((a, b) => b.length - a.length);
    if (told.length === 0) return "";
    return sentence(this.first + this.span, told);
  }

  private words(at: number, brief: boolean): string {
    const here = this.lines.flatMap((l) => {
      const bound = boundAt(l, at);
      return bound === null ? [] : [{ l, bound }];
    });
    here.sort((a, b) => b.bound - a.bound);
    const focused = here.findIndex(({ l }) => l.name === this.focused);
    if (focused > 0) here.unshift(...here.splice(focused, 1));
    const told = here.map(({ l, bound }) => toldOf(l, brief ? shortened(l.name, HEAD, TAIL) : l.name, plusMinus(bound), pieceAt(l, at)));
    return sentence(at, told);
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
      this.readout.room("", []);
      this.readout.say("", true);
      return;
    }
    // Only the time that some bound covers: hosts without one may lie years away.
    const times = this.lines.flatMap((l) => [l.points[0][0], l.points[l.points.length - 1][0]]);
    this.first = Math.min(...times);
    this.span = Math.max(1, Math.max(...times) - this.first);
    const ticked = this.lines.filter((l) => l.ends.length > 0);
    const shared = ticked.length > TICKED;
    this.floor = s.height - BOTTOM - (shared ? 1 : ticked.length) * TICKS;
    this.right = Math.max(RIGHT, Math.min(s.width * WIDEST, 10 + Math.max(...this.lines.map((l) => g.measureText(l.name).width))));
    const y = (this.height = this.axes(g, palette));
    this.looks = loud(this.lines, this.focused === null ? this.about : [...this.about, this.focused]);
    ticked.forEach((l, row) => this.ticks(g, l, shared ? 0 : row, shared ? palette.css.ink2 : this.hue(palette, l)));
    if (this.lines.length <= TINTED) this.lines.forEach((l) => this.tint(g, l, y, this.hue(palette, l)));
    // What is looked at lies over the others, and those over what stays in the background.
    const layer = (l: Line) => (l.name === this.focused ? 2 : this.looks.has(l) ? 1 : 0);
    for (const level of [0, 1, 2]) for (const l of this.lines) if (layer(l) === level) this.drawLine(g, l, y, palette);
    this.names(g, y, palette);
    this.cursor(g, y, palette);
    this.readout.room(this.hint(), [this.longest()]);
    this.say();
  }

  private x = (t: number): number => LEFT + ((this.surface.width - LEFT - this.right) * (t - this.first)) / this.span;

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
    const every = log ? Math.max(1, Math.ceil((LINE * (marks.length - 1)) / Math.max(1, this.floor - TOP))) : 1;
    for (const [k, v] of marks.entries()) {
      if (k % every > 0) continue;
      g.fillStyle = palette.css.grid;
      g.fillRect(LEFT, Math.round(y(v)), width - LEFT - this.right, 1);
      g.fillStyle = palette.css.ink2;
      g.textAlign = "right";
      g.fillText(axisLabel(v, log ? v : high), LEFT - 6, y(v) + 4, LEFT - 8);
    }
    g.textAlign = "center";
    const last = this.first + this.span;
    const room = g.measureText(axisLabel(last, last, false, this.span / 10)).width + 24;
    const times = roundValues(this.first, last, Math.max(1, Math.min(6, Math.floor((width - LEFT - this.right) / room))));
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
    const look = this.looks.get(l);
    g.globalAlpha = look === undefined ? FAINT : 1;
    g.strokeStyle = this.hue(palette, l);
    g.lineWidth = look === undefined ? 1 : l.name === this.focused ? 3.2 : 1.8;
    if (look !== undefined) g.setLineDash(DASHES[(this.crowded ? look : Math.floor(look / 2)) % DASHES.length]);
    g.stroke();
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  private names(g: CanvasRenderingContext2D, y: (v: number) => number, palette: Palette): void {
    const { width } = this.surface;
    const names: { y: number; name: string; hue: string }[] = [];
    const time = (x: number) => this.first + ((x - LEFT) * this.span) / Math.max(1, width - LEFT - this.right);
    const ground = { time, y, top: 0, floor: this.floor };
    this.looks.forEach((_, l) => {
      const hue = this.hue(palette, l);
      const last = l.points[l.points.length - 1];
      // A line that ends early has its name at its end, the others stand in the margin.
      const end = this.x(last[0]) + 6;
      const wide = g.measureText(l.name).width;
      const early = end + wide < width - this.right;
      if (early) outlined(g, palette, l.name, end, clearOf(this.lines.filter((other) => other !== l), end, end + wide, y(last[1]) + 4, ground), hue);
      else names.push({ y: y(last[1]) + 4, name: l.name, hue });
    });
    names.sort((a, b) => a.y - b.y);
    const quiet = this.lines.length - this.looks.size;
    const most = Math.max(1, Math.floor((this.floor - TOP) / 14) - (quiet > 0 ? 2 : 1));
    if (names.length > most + 1) names.splice(most, names.length, { y: 0, name: `+${group(names.length - most)} more`, hue: palette.css.ink2 });
    if (quiet > 0) names.push({ y: this.floor - 4, name: `+${group(quiet)} more`, hue: palette.css.ink2 });
    names.forEach((n, i) => (n.y = i > 0 ? Math.max(n.y, names[i - 1].y + 14) : Math.max(n.y, TOP + 6)));
    // What went below the plot, where the times stand, is moved up, with what is above it.
    for (let i = names.length - 1, floor = this.floor; i >= 0 && names[i].y > floor; i--, floor -= 14) names[i].y = floor;
    for (const n of names) {
      g.fillStyle = n.hue;
      g.fillText(fitted(n.name, this.right - 8, (words) => g.measureText(words).width), width - this.right + 6, n.y);
    }
  }

  private cursor(g: CanvasRenderingContext2D, y: (v: number) => number, palette: Palette): void {
    if (this.at === null) return;
    const x = this.x(this.at);
    g.fillStyle = palette.css.ink2;
    g.fillRect(Math.round(x), TOP, 1, this.floor - TOP);
    this.looks.forEach((_, l) => {
      const bound = boundAt(l, this.at!);
      if (bound === null) return;
      g.fillStyle = this.hue(palette, l);
      g.beginPath();
      g.arc(x, y(bound), l.name === this.focused ? 4.5 : 3.5, 0, 7);
      g.fill();
      if (l.name !== this.focused || !this.crowded) return;
      // What the line is, beside the cursor, on the side where there is room, or from where the plot begins: no name is longer than that.
      const [end, figure] = [this.surface.width - this.right, ` ${plusMinus(bound)}`];
      const measure = (words: string) => g.measureText(words).width;
      const words = fitted(shortened(l.name, HEAD, TAIL), end - LEFT - measure(figure), measure) + figure;
      const wide = measure(words);
      const left = x + 8 + wide > end ? Math.max(LEFT, x - 8 - wide) : x + 8;
      outlined(g, palette, words, left, Math.max(TOP + 12, y(bound) - 8), palette.css.ink);
    });
  }

  private get crowded(): boolean {
    return this.lines.length > FEW;
  }

  private hue(palette: Palette, l: Line): string {
    const look = this.looks.get(l);
    if (this.crowded && l.name === this.focused) return palette.css.ink;
    return look === undefined ? palette.css.ink3 : palette.css[HUES[look % HUES.length]];
  }
}

/** As wide as a bound is in words. */
const WIDE = plusMinus(88_800);

function toldOf(l: Line, name: string, bound: string, piece: number): string {
  return `${name} ${bound}${l.ends.length > 0 ? ` in piece ${group(piece)} of ${group(l.ends.length + 1)}` : ""}`;
}

// What is said of an instant and its hosts: of as many as have room.
function sentence(at: number, told: readonly string[]): string {
  const time = seconds(BigInt(Math.round(at)), 3);
  if (told.length === 0) return `${time}: no clock is bounded here`;
  const named = told.length > FEW ? NAMED_OF_MANY : NAMED;
  const others = told.length - named;
  return `${time}: ${[...told.slice(0, named), ...(others > 0 ? [`and ${group(others)} more, known better than the worst`] : [])].join("; ")}`;
}

function whyNone(set: SetModel): string {
  if (set.hosts.length === 1) return "A single host is its own reference: there is no error to show.";
  if (!bounding(set.clocks)) return "The method in force bounds no clock.";
  return set.clocks?.final === false ? "No clock has a bound yet." : "No clock has a bound.";
}
