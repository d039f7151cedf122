// What the messages of a link say about its clock: every message from a to b is a time
// that b's clock cannot lie above, every one from b to a one it cannot lie below. Drawn
// as what remains after the estimate is taken away, or the slope would hide all else; in
// raw time with that slope.

import type { Palette } from "../draw/palette.js";
import type { Surface } from "../draw/surface.js";
import { shortened } from "../model/shortened.js";
import type { Points } from "../net/json.js";
import type { Ns } from "../time/time.js";
import { axisLabel, roundValues, ticks } from "../time/ticks.js";
import { stepSize } from "./number.js";
import { asRecorded } from "./asrecorded.js";
import { BOTTOM, LEFT, Paper } from "./paper.js";
import type { PlotTimes } from "./plottimes.js";
import { endOf, timeAt, windowOf } from "../time/window.js";
import type { PlotZoom } from "./zoom.js";

/** Draws the plot and returns its paper; null where there is nothing to draw but words. */
export function drawPoints(s: Surface, p: Points | null, part: PlotZoom, times: PlotTimes, a: string, b: string, bounded: boolean, raw: boolean, empty: string, palette: Palette): Paper | null {
  if (s.width === 0) return null;
  const g = s.begin(palette.css.panel);
  g.font = palette.mono;
  if (!p || (!p.points?.length && !part.zoomed) || BigInt(p.end) <= BigInt(p.begin)) {
    g.fillStyle = palette.css.ink2;
    g.fillText(empty, 8, 24);
    return null;
  }
  const recorded = raw ? asRecorded(p, part.window) : null;
  const paper = new Paper(p, s.width, s.height, part.window, part.tall, recorded);
  drawAxes(g, paper, times, part.window !== null, palette);
  g.save();
  g.beginPath();
  g.rect(LEFT, 0, paper.across + DOT, s.height - BOTTOM); // a point at the end is whole
  g.clip();
  drawBand(g, paper, palette);
  drawDots(g, paper, palette);
  drawLines(g, paper, palette);
  drawKnots(g, paper, palette);
  drawCuts(g, paper, b, palette);
  const [there, back] = fittedMeanings(a, b, (x, y, fewer) => meanings(x, y, bounded, !recorded && p.midline !== false, fewer), s.width - LEFT - 20, (words) => g.measureText(`● ${words}`).width);
  plate(g, palette, `● ${there}`, LEFT + 10, 16, palette.css.sys);
  plate(g, palette, `■ ${back}`, LEFT + 10, s.height - BOTTOM - 8, palette.css.good);
  g.restore();
  return paper;
}

/** What the points of each direction mean: limits of b's clock by a method that keeps to them, else what the estimate makes of their latency.
 * In so many steps it is said in fewer words, down to which direction that is. */
export function meanings(a: string, b: string, bounded: boolean, estimated: boolean, fewer = 0): [string, string] {
  const of = bounded
    ? [["cannot be later than these", "cannot be earlier than these"], ["not later than these", "not earlier than these"], ["not later", "not earlier"]].map((words) => words.map((w) => `${b} ${w}`))
    : estimated ? [["latency by this estimate, upwards", "latency by this estimate, downwards"], ["latency, upwards", "latency, downwards"], ["upwards", "downwards"]] : [];
  const [there, back] = (of[fewer] ?? []).map((w) => `: ${w}`);
  return [`${a} → ${b}${there ?? ""}`, `${b} → ${a}${back ?? ""}`];
}

/** How often meanings are said in fewer words, and so many letters each name has as long as that helps. */
const FEWEST = 3;
const NAMED = 9;

/** The same in as many words, and with as many letters of the names, which are cut in their middle, as both fit. */
export function fittedMeanings(a: string, b: string, words: (a: string, b: string, fewer: number) => [string, string], room: number, measure: (words: string) => number): [string, string] {
  const longest = Math.max(a.length, b.length, 3);
  for (let fewer = 0; fewer <= FEWEST; fewer++) {
    for (let n = longest; n >= (fewer < FEWEST ? Math.min(NAMED, longest) : 3); n--) {
      const [x, y] = [a, b].map((name) => shortened(name, Math.ceil((n - 1) / 2), Math.floor((n - 1) / 2)));
      const all = words(x, y, fewer);
      if (all.every((w) => measure(w) <= room)) return all;
    }
  }
  return words("…", "…", FEWEST);
}

function drawAxes(g: CanvasRenderingContext2D, { p, x, y, reach, width, height, across, window }: Paper, times: PlotTimes, part: boolean, palette: Palette): void {
  g.textAlign = "right";
  for (const v of roundValues(-reach, reach, 8)) {
    if (Math.abs(v) > reach * 0.98) continue;
    g.fillStyle = palette.css.grid;
    g.fillRect(LEFT, Math.round(y(v)), width - LEFT, 1);
    g.fillStyle = palette.css.ink2;
    g.fillText(axisLabel(v, reach, true), LEFT - 6, Math.max(y(v) + 4, HIGH), LEFT - 8);
  }
  g.textAlign = "center";
  const inside = (words: string, at: number) => Math.min(at, width - g.measureText(words).width / 2);
  const put = (words: string, told: Ns) => g.fillText(words, inside(words, Math.max(x(Number(times.local(told) - BigInt(p.begin))), LEFT + g.measureText(words).width / 2)), height - 6);
  const told = windowOf(times.told(window.begin), times.told(endOf(window)));
  if (part) for (const t of ticks(told, 0n, across, 150)) put(t.label, timeAt(told, t.share));
  else {
    const [first, last] = [Number(told.begin), Number(endOf(told))];
    const values = roundValues(first, last, 6);
    for (const t of values) put(axisLabel(t, last, false, values.length > 1 ? values[1] - values[0] : told.span), BigInt(Math.round(t)));
  }
  g.textAlign = "left";
}

function trace(g: CanvasRenderingContext2D, { x, y }: Paper, points: readonly (readonly [number, number])[]): void {
  g.beginPath();
  points.forEach(([t, v], i) => (i ? g.lineTo(x(t), y(v)) : g.moveTo(x(t), y(v))));
}

// Where b's clock can be; for a path its edges as well, which are no hulls of straight pieces.
function drawBand(g: CanvasRenderingContext2D, paper: Paper, palette: Palette): void {
  const { band, breaks } = paper.p;
  for (const part of stretches(band ?? [], breaks ?? [])) drawStretch(g, paper, part, palette);
}

/** A list in parts, each but the first from one of some places on. */
export function stretches<T>(list: readonly T[], breaks: readonly number[]): T[][] {
  return [0, ...breaks].map((from, i) => list.slice(from, breaks[i] ?? list.length)).filter((part) => part.length > 0);
}

function drawStretch(g: CanvasRenderingContext2D, paper: Paper, band: readonly [number, number, number][], palette: Palette): void {
  const { upper, lower } = paper.p;
  const high = band.map(([t, , v]): [number, number] => [t, v]);
  const low = band.map(([t, v]): [number, number] => [t, v]);
  trace(g, paper, [...high, ...low.toReversed()]);
  g.fillStyle = palette.css.brush;
  g.fill();
  if (upper?.length || lower?.length) return;
  g.lineWidth = 1.2;
  for (const [edge, color] of [[high, palette.css.sys], [low, palette.css.user]] as const) {
    trace(g, paper, edge);
    g.strokeStyle = color;
    g.stroke();
  }
}

/** The radius of a point of a hull. */
const DOT = 3;
/** Up to so many messages on paper each is drawn twice as large. */
const FEW = 200;
/** How high letters and digits stand above their line. */
const HIGH = 9;

function drawDots(g: CanvasRenderingContext2D, { p, x, y, reach, height }: Paper, palette: Palette): void {
  g.globalAlpha = 0.55;
  const radius = (p.points?.length ?? 0) > FEW ? 1.5 : 3;
  for (const direction of [0, 1]) {
    g.fillStyle = direction === 0 ? palette.css.sys : palette.css.user;
    for (const [t, v, d] of p.points ?? []) {
      if (d !== direction) continue;
      // Circles and squares, and for what is off the scale a mark at the edge.
      if (Math.abs(v) > reach) g.fillRect(x(t) - 0.5, v > 0 ? 0 : height - BOTTOM - 4, 1, 4);
      else if (direction === 0) {
        g.beginPath();
        g.arc(x(t), y(v), radius, 0, 7);
        g.fill();
      } else g.fillRect(x(t) - 0.8 * radius, y(v) - 0.8 * radius, 1.6 * radius, 1.6 * radius);
    }
  }
  g.globalAlpha = 1;
}

function drawLines(g: CanvasRenderingContext2D, paper: Paper, palette: Palette): void {
  const { p, x, y } = paper;
  for (const [points, color] of [[p.upper, palette.css.sys], [p.lower, palette.css.user]] as const) {
    if (!points?.length) continue;
    trace(g, paper, points);
    g.strokeStyle = g.fillStyle = color;
    g.lineWidth = 1.6;
    g.stroke();
    for (const [t, v] of points) {
      g.beginPath();
      g.arc(x(t), y(v), DOT, 0, 7);
      g.fill();
    }
  }
  g.setLineDash([5, 4]);
  g.strokeStyle = palette.css.ink2;
  g.lineWidth = 1.3;
  for (const l of [p.lmax, p.lmin])
    if (l?.length === 2) {
      trace(g, paper, l);
      g.stroke();
    }
  g.setLineDash([]);
  if (paper.estimate) {
    trace(g, paper, paper.estimate);
    g.strokeStyle = p.force?.length ? palette.css.ink2 : palette.css.ink;
    g.lineWidth = p.force?.length ? 1 : 1.4;
    g.stroke();
  }
  drawForce(g, paper, palette);
  nameLines(g, paper, palette);
}

/** How thick the clock in force is, which no other line is, and what it is called. */
const FORCE = 2.4;
const FORCED = "in force";
/** What the names of the other lines take at the right. */
const ENDS = 150;

// The clock in force, which may be another than the line of the link alone; its name stands where it is farthest from that line, if that is to be seen.
function drawForce(g: CanvasRenderingContext2D, paper: Paper, palette: Palette): void {
  const { p, x, y, width } = paper;
  if (!p.force?.length) return;
  trace(g, paper, p.force);
  g.strokeStyle = palette.css.ink;
  g.lineWidth = FORCE;
  g.stroke();
  const seen = p.force.filter(([t]) => x(t) >= LEFT && x(t) <= width - ENDS);
  const off = ([t, v]: readonly [number, number]) => Math.abs(y(v) - paper.onEstimate(t));
  const at = seen.reduce((a, b) => (off(b) > off(a) ? b : a), seen[0] ?? [0, 0]);
  if (off(at) < 2 * FORCE) return;
  const [t, v] = at;
  const left = Math.min(width - g.measureText(FORCED).width - 8, Math.max(LEFT + 8, x(t)));
  plate(g, palette, FORCED, left, y(v) + (v < 0 ? 16 : -7), palette.css.ink);
}

// The ends of the band are empty between the lines, so their names stand there if there is room, else beyond them. Behind where they cross
// the steepest is the upper one, ahead of that the flattest.
function nameLines(g: CanvasRenderingContext2D, paper: Paper, palette: Palette): void {
  const { p, width, height, from, span, across, middle, y } = paper;
  const named = ([[p.lmax, "steepest"], [p.lmin, "flattest"]] as const).flatMap(([l, words]) => {
    if (l?.length !== 2) return [];
    const slope = (l[1][1] - l[0][1]) / (l[1][0] - l[0][0] || 1);
    const at = (px: number) => y(l[1][1] + slope * (from + ((px - LEFT) / across) * span - l[1][0]));
    return [{ words, near: at(width - 12), far: at(width - 12 - g.measureText(words).width) }];
  });
  named.sort((a, b) => a.near - b.near).forEach(({ words, near, far }, i) => {
    const upper = named.length > 1 ? i === 0 : near < middle;
    const inside = Math.abs(near - middle) > 40;
    const line = inside === upper ? Math.max(near, far) + 15 : Math.min(near, far) - 6;
    plate(g, palette, words, width - 12, Math.min(height - BOTTOM - 6, Math.max(14, line)), palette.css.ink2, "right");
  });
}

// A tick across the estimate where one piece ends and the next begins.
function drawKnots(g: CanvasRenderingContext2D, { p, x, onEstimate }: Paper, palette: Palette): void {
  g.fillStyle = palette.css.ink;
  for (const t of p.knots ?? []) g.fillRect(Math.round(x(t)) - 1, onEstimate(t) - 4, 2, 8);
}

// A step: from when to when the clock may be before it or after, both drawn.
function drawCuts(g: CanvasRenderingContext2D, paper: Paper, b: string, palette: Palette): void {
  const { p, x, width, height } = paper;
  (p.cuts ?? []).forEach(([from, to, step, error], i) => {
    const left = x(from);
    if (x(to) < LEFT || left > width) return;
    const wide = Math.max(3, x(to) - left);
    g.fillStyle = palette.css.warn;
    g.globalAlpha = wide > 6 ? 0.16 : 1;
    g.fillRect(left, 0, wide, height);
    g.globalAlpha = 1;
    for (const edge of [left, left + wide - 1.5]) g.fillRect(edge, 0, 1.5, height);
    const words = `step: ${b} set by ${stepSize(step, error)}`;
    const right = left + wide + 8 + g.measureText(words).width > width;
    plate(g, palette, words, right ? left - 6 : left + wide + 6, 34 + (i % 3) * 18, palette.css.warn, right ? "right" : "left");
  });
}

function plate(g: CanvasRenderingContext2D, palette: Palette, words: string, px: number, py: number, color: string, align: CanvasTextAlign = "left"): void {
  const wide = g.measureText(words).width;
  const left = align === "right" ? px - wide : px;
  g.fillStyle = palette.css.panel;
  g.globalAlpha = 0.85;
  g.fillRect(left - 3, py - 11, wide + 6, 15);
  g.globalAlpha = 1;
  g.fillStyle = color;
  g.fillText(words, left, py);
}
