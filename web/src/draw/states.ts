// Draws strips into a pixel buffer, which is twenty times as fast as rectangles
// where states are many.
//
// A pure pixel is a bar at its state's height. A mixed pixel is stacked: each state that
// runs takes of its height its share of the time, all of them about the middle of the
// row; behind them, at its own height, lies the state the thread rested in longest.
// Hues stay those of the legend (blended ones would be colours that mean nothing), and
// activity that is short beside a pixel still shows as a mark.

import { STATES } from "../net/wire.js";
import { EMPTY, MANY, type Strip } from "./columns.js";
import { INTERRUPTED, KERNEL, LOOKS, SYSCALL, UNKNOWN, USER, WAIT_CPU, FORKED, type Palette } from "./palette.js";

/** The height of a full bar in a row, CSS pixels. */
export const BAR = 15;
/** The least height of what runs within a pixel, so that it can be seen: by itself, and on the bar of what it rests in, which is seen anyway and says by how much it is the more. */
const LEAST = 4;
const LEAST_ON_REST = 2;
/** And of what ran for less than any share. */
const GLIMPSE = 1;

/** Fewer pixels beside each other are filled faster one by one. */
const NARROW = 24;
/** The slanting lines of what was lost are so many CSS pixels apart. */
const LOSS_STEP = 4;

const STACK = [USER, SYSCALL, KERNEL, INTERRUPTED, WAIT_CPU, FORKED] as const;

export class PixelBuffer {
  private image: ImageData | null = null;
  words = new Uint32Array(0);
  width = 0;
  height = 0;

  /** Takes a size in device pixels and fills it. */
  begin(width: number, height: number, background: number): void {
    if (!this.image || this.width !== width || this.height !== height) {
      this.image = new ImageData(Math.max(1, width), Math.max(1, height));
      this.words = new Uint32Array(this.image.data.buffer);
      this.width = width;
      this.height = height;
    }
    this.words.fill(background);
  }

  rect(x0: number, x1: number, y0: number, y1: number, color: number): void {
    const { words, width } = this;
    const end = Math.min(this.height, y1) * width;
    if (x1 - x0 >= NARROW) {
      for (let at = Math.max(0, y0) * width; at < end; at += width) words.fill(color, at + x0, at + x1);
      return;
    }
    for (let at = Math.max(0, y0) * width; at < end; at += width) for (let i = at + x0; i < at + x1; i++) words[i] = color;
  }

  put(g: CanvasRenderingContext2D): void {
    if (this.image) g.putImageData(this.image, 0, 0);
  }
}

/** Draws in a row, between two places, device pixels, which may be beyond its ends, that something was lost there: a box of slanting lines, told from the bars by more than its colour. */
export function drawLoss(buffer: PixelBuffer, from: number, to: number, y: number, rowHeight: number, ratio: number, color: number): void {
  const [line, step] = [Math.max(1, Math.round(ratio)), Math.max(3, Math.round(LOSS_STEP * ratio))];
  const inset = Math.round((rowHeight - BAR * ratio) / 2);
  const [top, bottom] = [Math.max(0, y + inset), Math.min(buffer.height, y + rowHeight - inset)];
  const x0 = Math.max(0, Math.min(buffer.width - line, Math.round(from)));
  const x1 = Math.max(x0 + line, Math.min(buffer.width, Math.round(to)));
  for (const edge of [top, bottom - line]) buffer.rect(x0, x1, edge, edge + line, color);
  if (x1 - x0 >= 2 * step) { // many beside each other would be solid
    if (from >= 0) buffer.rect(x0, x0 + line, top, bottom, color);
    if (to < buffer.width) buffer.rect(x1 - line, x1, top, bottom, color);
  }
  const { words, width } = buffer;
  for (let row = top; row < bottom; row++) for (let x = x0; x < x1; x++) if ((x + row - y) % step < line) words[row * width + x] = color;
}

/** Draws a strip in a row whose top is at y and whose bars are so many device pixels high. */
export function drawStrip(buffer: PixelBuffer, strip: Strip, y: number, rowHeight: number, ratio: number, palette: Palette, background: number): void {
  const full = Math.round(BAR * ratio);
  const top = y + Math.round((rowHeight - full) / 2);
  for (let x = 0; x < strip.pixels; ) {
    const state = strip.state[x];
    let end = x + 1;
    if (state === EMPTY) {
      while (end < strip.pixels && strip.state[end] === EMPTY) end++;
    } else if (state === MANY) {
      drawMixed(buffer, strip, x, top, full, ratio, palette);
    } else {
      while (end < strip.pixels && strip.state[end] === state && !strip.seam[end - 1]) end++;
      drawPure(buffer, state, x, end, top, full, ratio, palette);
      if (strip.seam[end - 1] && end - x > 2) {
        const height = Math.max(1, Math.round(full * LOOKS[state].height));
        const at = top + Math.round((full - height) / 2);
        buffer.rect(end - 1, end, at, at + height, blend(palette.words[state], background));
      }
    }
    x = end;
  }
}

function drawPure(buffer: PixelBuffer, state: number, x0: number, x1: number, top: number, full: number, ratio: number, palette: Palette): void {
  const height = Math.max(1, Math.round(full * LOOKS[state].height));
  const y = top + Math.round((full - height) / 2);
  const color = palette.words[state];
  if (state !== UNKNOWN) {
    buffer.rect(x0, x1, y, y + height, color);
    return;
  }
  const stripe = Math.max(1, Math.round(2 * ratio)); // hatched
  for (let j = Math.max(0, y); j < Math.min(buffer.height, y + height); j++)
    for (let x = x0; x < x1; x++) if ((x + j) % (2 * stripe) < stripe) buffer.words[j * buffer.width + x] = color;
}

function drawMixed(buffer: PixelBuffer, strip: Strip, x: number, top: number, full: number, ratio: number, palette: Palette): void {
  const at = x * STATES;
  let rest = -1;
  for (let s = 0; s < STATES; s++)
    if (!LOOKS[s].running && strip.shares[at + s] > 0 && (rest < 0 || strip.shares[at + s] > strip.shares[at + rest])) rest = s;
  if (rest >= 0) drawPure(buffer, rest, x, x + 1, top, full, ratio, palette);
  let total = 0;
  for (const s of STACK) total += strip.shares[at + s] * LOOKS[s].height;
  if (total === 0) {
    const high = Math.max(1, Math.round(GLIMPSE * ratio));
    const y = top + ((full - high) >> 1);
    if (strip.brief[x] !== 0) buffer.rect(x, x + 1, y, y + high, palette.words[strip.brief[x]]);
    return;
  }
  const height = Math.min(full, Math.max(Math.round((rest < 0 ? LEAST : LEAST_ON_REST) * ratio), Math.round(total * full)));
  const bottom = top + ((full + height) >> 1);
  let share = 0;
  let y = bottom;
  for (const s of STACK) {
    if (strip.shares[at + s] === 0) continue;
    share += strip.shares[at + s] * LOOKS[s].height;
    const next = Math.max(bottom - height, Math.min(y - 1, bottom - Math.round((share / total) * height)));
    buffer.rect(x, x + 1, next, y, palette.words[s]);
    y = next;
  }
}

// Three parts of the background and one of a colour.
function blend(color: number, background: number): number {
  let out = 0;
  for (let shift = 0; shift < 32; shift += 8) out |= ((((color >>> shift) & 255) + 3 * ((background >>> shift) & 255)) >> 2) << shift;
  return out >>> 0;
}
