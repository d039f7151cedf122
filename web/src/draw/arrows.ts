// Messages as arrows; the dense ones, bundled, as broad as they are many, in the colour of their latency, with their count. Whiskers at the ends of an arrow show how well its two clocks are known.
// One between hosts whose clocks nothing relates has no latency: it is broken, in the ink of messages.

import type { MessagesAnswer } from "../net/wire.js";
import { placeCounts } from "./counts.js";
import type { Arrow } from "./gather.js";
import { latencyColors, stepOf, type LatencyScale } from "./latency.js";
import type { Palette } from "./palette.js";
import type { Spot } from "./surface.js";

const HEAD = 7;
const CROWD = 150;
/** How broad the line of a chosen message is, and of each of several, pixels. */
const CHOSEN = 2.2;
const AMONG = 1.4;
/** What is no farther aside at one end than at the other, pixels, is drawn upright: nobody sees it, and it takes a tenth of the time. */
const UPRIGHT = 0.5;
/** How far a side of a head lies from its line, as a turn. */
const [TURN, ACROSS] = [Math.cos(0.35), Math.sin(0.35)];
/** What lies so many pixels beside what is drawn on may reach into it. */
export const BESIDE = 20;

/** Where an arrow begins and where it ends, CSS pixels. */
export type Ends = Pick<Arrow, "x0" | "y0" | "x1" | "y1">;

/** The count of a bundle, where it stands. */
export interface Count extends Spot {
  readonly of: Arrow;
}

/** Draws arrows, bundles first, those that are chosen last. perPixel is ns, width that of what is drawn on in pixels; chosen, messages of the answer, are drawn stronger; those apart are of clocks that are not related; over, a chosen message or bundle that none of the arrows is, lies on them all. Counts lie on whatever is drawn. Returns where they stand. */
export function drawArrows(g: CanvasRenderingContext2D, a: MessagesAnswer, arrows: Arrow[], apart: ReadonlySet<Arrow>, perPixel: number, width: number, palette: Palette, chosen: ReadonlySet<number>, scale: LatencyScale | null, over: Ends | null = null): Count[] {
  // Many arrows are drawn fainter each, so that how dense they are can still be seen.
  const faint = Math.min(1, Math.sqrt(CROWD / Math.max(1, arrows.length)));
  const colors = latencyColors(palette);
  const picked = new Set(chosen.size > 0 ? arrows.filter((arrow) => arrow.members.some((i) => chosen.has(i))) : []);
  const others = picked.size > 0 ? arrows.filter((arrow) => !picked.has(arrow)) : arrows;
  for (const [some, strong, bundles] of [[others, false, true], [others, false, false], [picked, true, true], [picked, true, false]] as const) {
    const these = [...some].filter((arrow) => arrow.bundle === bundles);
    const look = (arrow: Arrow): string => (strong ? palette.css.accent : arrow.violation ? palette.css.warn : bundles && scale && !apart.has(arrow) ? colors[stepOf(scale, latencyOf(a, arrow))] : palette.css.msg);
    const tip = (arrow: Arrow, color: string): void => {
      g.fillStyle = color;
      g.globalAlpha = strong ? 1 : bundles ? 0.75 : 0.95 * faint;
      head(g, arrow, bundles ? HEAD + widthOf(arrow.count) / 2 : HEAD);
      g.globalAlpha = 1;
      if (faint > 0.6 || strong) {
        whisker(g, arrow.x0, arrow.y0, worst(a.errorFrom, arrow) / perPixel, color);
        whisker(g, arrow.x1, arrow.y1, worst(a.errorTo, arrow) / perPixel, color);
      }
    };
    // Of several that are chosen no line lies on the head of another.
    const several = strong && !bundles && these.length > 1;
    for (const arrow of these) {
      const color = look(arrow);
      const wide = bundles ? widthOf(arrow.count) : several ? AMONG : strong ? CHOSEN : 1.1;
      g.globalAlpha = strong ? 1 : bundles ? 0.5 : 0.85 * faint;
      const dashes = apart.has(arrow) ? [6 + wide, 4 + wide / 2] : arrow.violation && !bundles ? [5, 2] : null;
      const near = nearby(arrow, width, dashes ? dashes[0] + dashes[1] : 0);
      if (near && !dashes && Math.abs(near.x1 - near.x0) <= UPRIGHT) upright(g, near, wide, color);
      else if (near) {
        g.strokeStyle = color;
        g.lineWidth = wide;
        if (dashes) g.setLineDash(dashes);
        line(g, near.x0, near.y0, near.x1, near.y1);
        if (dashes) g.setLineDash([]);
      }
      if (!several) tip(arrow, color);
    }
    if (several) for (const arrow of these) tip(arrow, look(arrow));
  }
  if (over) drawChosen(g, over, palette);
  g.font = palette.mono;
  const counts: Count[] = [];
  const widths: number[] = []; // by letters: all are as wide as each other
  for (const { of, x, y } of placeCounts(arrows.filter((a) => a.bundle), width)) {
    g.fillStyle = palette.css.panel; // or a broad arrow strikes it through
    const wide = (widths[of.label.length] ??= g.measureText(of.label).width);
    const spot = { x0: x - 3, x1: x + wide + 3, y0: y - 10, y1: y + 3, of };
    g.fillRect(spot.x0, spot.y0, spot.x1 - spot.x0, spot.y1 - spot.y0);
    g.fillStyle = of.violation ? palette.css.warn : palette.css.ink2;
    g.fillText(of.label, x, y);
    counts.push(spot);
  }
  return counts;
}

/** The part of an arrow that lies beside what is drawn on, whose dashes, of a period in pixels, stay where they are; null for none. In raw time an end can be millions of
 * pixels away, and a canvas makes each dash on the way there. */
export function nearby({ x0, y0, x1, y1 }: Ends, width: number, period: number): Ends | null {
  const [least, most] = [-BESIDE, width + BESIDE];
  if (Math.max(x0, x1) < least || Math.min(x0, x1) > most) return null;
  if (Math.min(x0, x1) >= least && Math.max(x0, x1) <= most) return { x0, y0, x1, y1 };
  const share = (x: number) => Math.min(1, Math.max(0, (x - x0) / (x1 - x0)));
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [a, end] = x0 < x1 ? [share(least), share(most)] : [share(most), share(least)];
  const begin = period > 0 ? (Math.floor((a * length) / period) * period) / length : a;
  return { x0: x0 + begin * (x1 - x0), y0: y0 + begin * (y1 - y0), x1: x0 + end * (x1 - x0), y1: y0 + end * (y1 - y0) };
}

// Draws a chosen message over the bundle that has it, or several over one that has others too.
function drawChosen(g: CanvasRenderingContext2D, at: Ends, palette: Palette): void {
  for (const [color, wide] of [[palette.css.panel, 5], [palette.css.accent, CHOSEN]] as const) {
    g.strokeStyle = g.fillStyle = color;
    g.lineWidth = wide;
    line(g, at.x0, at.y0, at.x1, at.y1);
    head(g, at, HEAD + wide);
  }
}

/** The mean latency of what is drawn as one arrow, ns. */
export function latencyOf(a: MessagesAnswer, arrow: Arrow): number {
  let sum = 0;
  for (const i of arrow.members) sum += a.counts[i] * (a.received[i] - a.sent[i]);
  return sum / arrow.count;
}

// From 2 pixels for a few to 11 for thousands.
const widthOf = (count: number) => Math.min(11, 1.5 + Math.log2(count) * 0.85);

// The largest bound of all members; less than 0 if one has none.
function worst(of: Float32Array, arrow: Arrow): number {
  let out = 0;
  for (const i of arrow.members) {
    if (of[i] < 0) return -1;
    out = Math.max(out, of[i]);
  }
  return out;
}

function line(g: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  g.beginPath();
  g.moveTo(x0, y0);
  g.lineTo(x1, y1);
  g.stroke();
}

function upright(g: CanvasRenderingContext2D, { x0, y0, x1, y1 }: Ends, wide: number, color: string): void {
  g.fillStyle = color;
  g.fillRect((x0 + x1 - wide) / 2, Math.min(y0, y1), wide, Math.abs(y1 - y0));
}

function head(g: CanvasRenderingContext2D, { x0, y0, x1, y1 }: Ends, size: number): void {
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [along, down] = length > 0 ? [(size * (x1 - x0)) / length, (size * (y1 - y0)) / length] : [size, 0];
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x1 - along * TURN - down * ACROSS, y1 - down * TURN + along * ACROSS);
  g.lineTo(x1 - along * TURN + down * ACROSS, y1 - down * TURN - along * ACROSS);
  g.fill();
}

function whisker(g: CanvasRenderingContext2D, x: number, y: number, reach: number, color: string): void {
  if (!(reach > 1)) return;
  g.fillStyle = color;
  g.globalAlpha = 0.8;
  g.fillRect(x - reach, y - 0.5, 2 * reach, 1);
  g.fillRect(x - reach - 0.5, y - 4, 1, 8);
  g.fillRect(x + reach - 0.5, y - 4, 1, 8);
  g.globalAlpha = 1;
}

/** The arrow of which something is drawn under a point, or within reach of it: its count, which lies on all else, or its line, as broad as that is. The nearest
 * as drawn; of several that are under it the one whose middle is nearest. Null where there is none. */
export function arrowAt(arrows: readonly Arrow[], counts: readonly Count[], x: number, y: number, reach = 6): Arrow | null {
  let best: Arrow | null = null;
  let nearest = reach;
  let middle = Infinity;
  for (const { of, x0, x1, y0, y1 } of counts) {
    const d = Math.hypot(Math.max(0, x0 - x, x - x1), Math.max(0, y0 - y, y - y1));
    if (d >= nearest) continue;
    [best, nearest] = [of, d];
    if (d === 0) return of;
  }
  for (const a of arrows) {
    const [dx, dy] = [a.x1 - a.x0, a.y1 - a.y0];
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - a.x0) * dx + (y - a.y0) * dy) / length));
    const away = Math.hypot(x - a.x0 - t * dx, y - a.y0 - t * dy);
    const d = Math.max(0, away - (a.bundle ? widthOf(a.count) : 1) / 2);
    if (d >= reach || d > nearest || (d === nearest && away >= middle)) continue;
    [best, nearest, middle] = [a, d, away];
  }
  return best;
}
