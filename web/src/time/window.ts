// A window is the stretch of time on screen. Its begin is exact; its span and all
// that is measured from begin are numbers of ns.

import { EVER, maxNs, minNs, type Ns } from "./time.js";

export interface Window {
  readonly begin: Ns;
  readonly span: number;
}

/** The narrowest window: 50 ns. Clocks of a trace tick in ns at best. */
export const NARROWEST = 50;

/** Whether a stretch is no longer, and lies no farther off, than recordings may: of another what is asked about its surroundings has more than 64 bits. */
export const isWithin = (begin: Ns, end: Ns): boolean => end - begin <= 1n << 61n && begin >= -(1n << 62n) && end <= 1n << 62n;

export function windowOf(begin: Ns, end: Ns): Window {
  return { begin, span: Math.max(NARROWEST, Number(end - begin)) };
}

export const endOf = (w: Window): Ns => w.begin + BigInt(Math.round(w.span));

/** The first whole ns behind all of it: a span may end in the midst of one, which is many pixels wide where few of them are on screen. */
export const behind = (w: Window): Ns => w.begin + BigInt(Math.ceil(w.span));

/** Where a time falls, as a share of the window: 0 at begin, 1 at the end. */
export const shareOf = (w: Window, t: Ns): number => Number(t - w.begin) / w.span;

export const timeAt = (w: Window, share: number): Ns => w.begin + BigInt(Math.round(share * w.span));

/** A window of a span with a time in its middle. */
export const around = (t: Ns, span: number): Window => ({ begin: t - BigInt(Math.round(span / 2)), span });

/** Zooms by factor (below 1: in) so that what is at share stays there. */
export function zoom(w: Window, share: number, factor: number, widest: number): Window {
  const span = Math.min(Math.max(w.span * factor, NARROWEST), Math.max(widest, NARROWEST));
  return { begin: w.begin + BigInt(Math.round(share * (w.span - span))), span };
}

export function pan(w: Window, share: number): Window {
  return { begin: w.begin + BigInt(Math.round(share * w.span)), span: w.span };
}

/** Whether two windows are the same stretch of time. */
export const same = (a: Window, b: Window): boolean => a.begin === b.begin && a.span === b.span;

/** Keeps at least a tenth of the window over [begin, end), and none of it where no recording is. */
export function clamp(w: Window, begin: Ns, end: Ns): Window {
  const span = BigInt(Math.round(w.span));
  const keep = BigInt(Math.round(w.span / 10));
  const last = minNs(end - keep, EVER - span);
  const first = maxNs(begin - span + keep, -EVER);
  if (w.begin > last) return { begin: last, span: w.span };
  if (w.begin < first) return { begin: first, span: w.span };
  return w;
}

/** What is asked of the server: whole columns of a power of two of ns. */
export interface Columns {
  readonly begin: Ns;
  readonly end: Ns;
  readonly columns: number;
  readonly step: number; // ns per column
}

const MOST_COLUMNS = 8192;

/**
 * The columns for a window of some device pixels: a column is no wider than a pixel,
 * its width is a power of two of ns and its edges are multiples of that width, so
 * that a small pan asks for the same columns again. One screen is added on both
 * sides; where that makes too many columns, less, and none where no recording is.
 */
export function columnsFor(w: Window, pixels: number): Columns {
  let step = 2 ** Math.max(0, Math.floor(Math.log2(w.span / Math.max(1, pixels))));
  while (w.span / step > MOST_COLUMNS - 2) step *= 2;
  const screens = Math.min(1, (MOST_COLUMNS - 2 - w.span / step) / 2 / (w.span / step));
  const margin = BigInt(Math.floor(screens * w.span));
  const s = BigInt(step);
  const begin = maxNs(floorTo(w.begin - margin, s), -EVER);
  let columns = Number((minNs(endOf(w) + margin, EVER) - begin + s - 1n) / s);
  columns = Math.min(Math.max(columns, 1), MOST_COLUMNS);
  return { begin, end: begin + BigInt(columns) * s, columns, step };
}

/** Whether columns still serve a window: it lies within, and they are no coarser than its pixels. */
export function serves(c: Columns, w: Window, pixels: number): boolean {
  const ideal = 2 ** Math.max(0, Math.floor(Math.log2(w.span / Math.max(1, pixels))));
  return c.begin <= w.begin && c.end >= endOf(w) && (c.step === ideal || c.columns >= MOST_COLUMNS - 4 && c.step === ideal * 2);
}

/** The greatest multiple of step at or before t. */
export function floorTo(t: Ns, step: Ns): Ns {
  const r = t % step;
  return r === 0n ? t : r < 0n ? t - r - step : t - r;
}

/** The widest column, a power of two of ns, that is no wider than a pixel. */
export function stepFor(w: Window, pixels: number): number {
  return 2 ** Math.max(0, Math.floor(Math.log2(w.span / Math.max(1, pixels))));
}
