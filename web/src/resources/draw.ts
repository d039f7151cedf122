// Draws what no row of threads has: use as a filled line, frequency as steps, and the
// stretches in which CPUs ran the selected thread.

import { EMPTY, MANY, type Strip } from "../draw/columns.js";
import { LOOKS, type Palette } from "../draw/palette.js";
import type { PixelBuffer } from "../draw/states.js";
import { NOTHING, STATES, type StatesAnswer } from "../net/wire.js";
import type { Piece } from "../timeline/tiles.js";
import type { Window } from "../time/window.js";
import { CPU_LOOKS, IDLE } from "./looks.js";

/** The mean use of the CPUs of a host, as far as parts of pixels tell it: what is less than a 510th of one is left out. */
export interface Use {
  readonly least: number;
  readonly most: number;
}

const UNTOLD = 1 / 510;
const EDGE = 0.25; // of a pixel, at either end

/** From the bottom up: what is most of the time first, so that the line is calm. */
const STACK = [2, 3, 6, 4, 5] as const;

/**
 * Draws the use of a host's CPUs, of a strip that is not dressed: as high as their share of the time, all of the row
 * being 100 %, in the colours of what they did. What is unknown hangs from above, hatched. Returns the mean use, null if unknown.
 */
export function drawUse(buffer: PixelBuffer, strip: Strip, y: number, height: number, ratio: number, palette: Palette): Use | null {
  const [top, bottom] = [y + Math.round(2 * ratio), y + height - Math.round(2 * ratio)];
  const full = bottom - top;
  const line = palette.word("line");
  const stripe = Math.max(1, Math.round(2 * ratio));
  let [busy, known, open] = [0, 0, 0];
  for (let x = 0, end = 0; x < strip.pixels; x = end) {
    const state = strip.state[x];
    end = x + 1; // pixels of one state are drawn at once
    if (state !== MANY) while (end < strip.pixels && strip.state[end] === state) end++;
    if (state === EMPTY) continue;
    const share = (s: number) => (state === MANY ? strip.shares[x * STATES + s] : state === s ? 1 : 0);
    buffer.rect(x, end, bottom, bottom + 1, line);
    let at = bottom;
    let sum = 0;
    for (const s of STACK) {
      const part = share(s);
      if (state === MANY && part === 0) open += UNTOLD;
      sum += part;
      const next = bottom - (sum > 0 ? Math.max(1, Math.round(sum * full)) : 0);
      if (next < at) buffer.rect(x, end, next, at, palette.words[CPU_LOOKS[s].as]);
      at = Math.min(at, next);
    }
    const unknown = Math.round(share(0) * full);
    for (let j = Math.max(0, top); j < Math.min(buffer.height, top + unknown, at); j++)
      for (let i = x; i < end; i++) if ((i + j) % (2 * stripe) < stripe) buffer.words[j * buffer.width + i] = palette.words[0];
    busy += sum * (end - x);
    known += (sum + share(IDLE)) * (end - x);
  }
  if (known === 0) return null;
  // Whether CPUs are used all the time, or never, is known; else an end of the window may lie within a pixel of what was recorded.
  const ends = Number(strip.state[0] !== EMPTY) + Number(strip.state[strip.pixels - 1] !== EMPTY);
  const edge = open === 0 && (busy === 0 || busy === known) ? 0 : ends * EDGE;
  return { least: Math.max(0, busy - edge) / known, most: Math.min(known, busy + open + edge) / known };
}

/** The numbers of a run of levels: least and most; null where there are none. */
export function levelsOf(a: StatesAnswer, k: number): [number, number] | null {
  if (a.runState[k] === NOTHING || a.runLabel[k] === 0) return null;
  const [least, most] = a.labels[a.runLabel[k] - 1].split("~").map(Number);
  return Number.isFinite(least) ? [least, most ?? least] : null;
}

/** The largest number in pieces of a row of levels, 0 if there is none. */
export function topLevel(pieces: readonly Piece[]): number {
  let top = 0;
  for (const { answer: a, r } of pieces) for (let k = a.rowRuns[r]; k < a.rowRuns[r + 1]; k++) top = Math.max(top, levelsOf(a, k)?.[1] ?? 0);
  return top;
}

/** Draws pieces of a row of levels as steps below top; a column with several is a bar from the least to the most. */
export function drawLevels(buffer: PixelBuffer, pieces: readonly Piece[], window: Window, y: number, height: number, ratio: number, palette: Palette, top: number): void {
  const scale = buffer.width / window.span;
  const [fill, edge] = [palette.word("accent-bg"), palette.word("accent")];
  const [high, low] = [y + Math.round(3 * ratio), y + height - Math.round(2 * ratio)];
  const thick = Math.max(1, Math.round(1.5 * ratio));
  const place = (hz: number) => low - Math.round((hz / Math.max(1, top)) * (low - high));
  let before: number | null = null;
  for (const { answer: a, r, step, from, to } of [...pieces].sort((p, q) => p.from - q.from)) {
    const origin = Number(a.begin - window.begin);
    const [left, right] = [Math.max(0, Math.round(from * scale)), Math.min(buffer.width, Math.round(to * scale))];
    let t0 = origin;
    for (let k = a.rowRuns[r]; k < a.rowRuns[r + 1]; k++) {
      const t1 = origin + a.runEnd[k] * step;
      const levels = levelsOf(a, k);
      const [x0, x1] = [Math.max(left, Math.round(t0 * scale)), Math.min(right, Math.max(Math.round(t0 * scale) + 1, Math.round(t1 * scale)))];
      t0 = t1;
      if (x1 <= x0) continue;
      if (!levels) {
        before = null;
        continue;
      }
      const [least, most] = [place(levels[0]), place(levels[1])];
      buffer.rect(x0, x1, least, low, fill);
      buffer.rect(x0, x1, most, least + thick, edge);
      if (before !== null) buffer.rect(x0, x0 + 1, Math.min(before, most), Math.max(before, least) + thick, edge);
      before = most;
      if (t0 * scale >= right) break;
    }
  }
}

/** Underlines where a strip has anything: the stretches in which a CPU ran the selected thread. */
export function drawRan(buffer: PixelBuffer, strip: Strip, y: number, height: number, ratio: number, palette: Palette): void {
  const thick = Math.max(2, Math.round(2 * ratio));
  const color = palette.word("ink");
  for (let x = 0; x < strip.pixels; x++) if (strip.state[x] !== EMPTY) buffer.rect(x, x + 1, y + height - thick, y + height, color);
}

/** Whether a label that needs so wide a bar fits into one of so high a look. */
export const fits = (as: number, needed: number, width: number): boolean => LOOKS[as].height === 1 && needed <= width;
