// Where events were lost, on the strip over everything, told by more than a colour: hatched, under a cap; a short stretch has a mark below
// its cap that is as broad as the eye needs, a long one has words.

import type { Palette } from "../draw/palette.js";

/** A stretch of the strip in which something was lost in each column, CSS pixels from x0 until x1. */
export interface LostSpan {
  readonly x0: number;
  x1: number;
}

/** A column in which something was lost; the share of what was lost reaches down to a height. */
export interface LostColumn extends LostSpan {
  readonly to: number;
}

const WORDS = "⚠ lost";
/** From line to line of the hatching, and how much of it shows: columns are read through it. */
const [APART, STRENGTH] = [6, 0.45];
/** How far down the hatching goes at least, however little was lost. */
const LEAST = 12;
/** A stretch narrower than this has a mark, of half its breadth and its height. */
const [NARROW, HALF, HIGH] = [12, 6, 8];

/** The columns beside each other as one. */
export function spansOf(columns: readonly LostColumn[]): LostSpan[] {
  const spans: LostSpan[] = [];
  for (const c of columns) {
    const last = spans[spans.length - 1];
    if (last && c.x0 <= last.x1) last.x1 = c.x1;
    else spans.push({ x0: c.x0, x1: c.x1 });
  }
  return spans;
}

/** Hatches columns below a height; drawn before what is counted in them. */
export function hatchLosses(g: CanvasRenderingContext2D, columns: readonly LostColumn[], top: number, palette: Palette): void {
  if (columns.length === 0) return;
  g.save();
  g.beginPath();
  for (const c of columns) g.rect(c.x0, top, c.x1 - c.x0, Math.max(LEAST, c.to - top));
  g.clip();
  const [from, until] = [columns[0].x0, columns[columns.length - 1].x1];
  const high = columns.reduce((most, c) => Math.max(most, c.to - top), LEAST);
  g.strokeStyle = palette.css.warn;
  g.globalAlpha = STRENGTH;
  g.lineWidth = 1;
  g.beginPath();
  for (let x = Math.floor((from - high) / APART) * APART; x < until; x += APART) {
    g.moveTo(x, top + high);
    g.lineTo(x + high, top);
  }
  g.stroke();
  g.restore();
}

/** Marks short stretches and names long ones, below a height of a strip so wide; drawn last. */
export function nameLosses(g: CanvasRenderingContext2D, spans: readonly LostSpan[], top: number, width: number, palette: Palette): void {
  g.font = palette.mono;
  g.textAlign = "left";
  const room = g.measureText(WORDS).width + 8;
  for (const { x0, x1 } of spans) {
    if (x1 - x0 < NARROW) {
      const middle = Math.min(width - HALF, Math.max(HALF, (x0 + x1) / 2)); // whole, also at the ends
      g.fillStyle = palette.css.warn;
      g.beginPath();
      g.moveTo(middle - HALF, top);
      g.lineTo(middle + HALF, top);
      g.lineTo(middle, top + HIGH);
      g.fill();
    } else if (x1 - x0 >= room + 8) {
      g.fillStyle = palette.css.panel;
      g.fillRect(x0 + 4, top + 2, room, 15);
      g.fillStyle = palette.css.warn;
      g.fillText(WORDS, x0 + 8, top + 14);
    }
  }
}
