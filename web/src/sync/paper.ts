// The paper of a link's plot: how far it reaches and which point is where.

import type { Points } from "../net/json.js";
import { windowOf, type Window } from "../time/window.js";
import { heightAt, type Line, type Recorded } from "./asrecorded.js";

export const LEFT = 64;
export const RIGHT = 8;
export const BOTTOM = 24;

export class Paper {
  /** What is shown: in ns after the begin of the points. */
  readonly from: number;
  readonly span: number;
  readonly reach: number;
  readonly middle: number;
  readonly across: number; // pixels
  readonly window: Window;
  /** What is drawn. */
  readonly p: Points;
  /** The estimate, against which points were told; null where there is none. */
  readonly estimate: Line | null;

  /** Of a window only that part of the points is on the paper, and it is tall times as high as by itself. What was told is drawn as it is, or as it was recorded. */
  constructor(readonly told: Points, readonly width: number, readonly height: number, window: Window | null = null, tall = 1, readonly recorded: Recorded | null = null) {
    this.p = recorded?.points ?? told;
    this.window = window ?? windowOf(BigInt(told.begin), BigInt(told.end));
    this.from = Number(this.window.begin - BigInt(told.begin));
    this.span = window ? window.span : Number(BigInt(told.end) - BigInt(told.begin));
    const estimate = recorded?.estimate ?? [[this.from, 0], [this.from + this.span, 0]];
    this.estimate = told.midline === false ? null : estimate;
    const lean = estimate.reduce((m, [, v]) => Math.max(m, Math.abs(v)), 0);
    this.reach = Math.max(1, (reachOf(told) + lean) / tall);
    this.middle = (height - BOTTOM) / 2;
    this.across = Math.max(1, width - LEFT - RIGHT);
  }

  x = (t: number): number => LEFT + (this.across * (t - this.from)) / this.span;
  y = (v: number): number => this.middle - (v / this.reach) * this.middle;

  /** Where the estimate is at x. */
  onEstimate = (t: number): number => this.y(heightAt(this.estimate ?? [], t));

  /** Where a pixel is, as a share of what is shown. */
  share = (px: number): number => Math.min(1, Math.max(0, (px - LEFT) / this.across));

  /** The places in points of those that are on the paper, none of them at its edge. */
  shown(): number[] {
    const points = this.p.points ?? [];
    return [...points.keys()].filter((i) => Math.abs(points[i][1]) <= this.reach && points[i][0] >= this.from && points[i][0] <= this.from + this.span);
  }

  /** The place in points of the one at most so many pixels away, the nearest; -1 where there is none. */
  at(px: number, py: number, most: number): number {
    let [best, nearest] = [-1, most * most];
    (this.p.points ?? []).forEach(([t, v], i) => {
      if (Math.abs(v) > this.reach) return;
      const d = (this.x(t) - px) ** 2 + (this.y(v) - py) ** 2;
      if (d <= nearest) [best, nearest] = [i, d];
    });
    return best;
  }
}

// The plot reaches past the band and what is usual of the hulls, not to the last
// straggler, beside which they would be a line. Beside a step the band may be as wide as
// the step; what holds nearly everywhere is what is to be seen.
function reachOf(p: Points): number {
  const hull = [...(p.upper ?? []), ...(p.lower ?? [])].map(([, v]) => Math.abs(v));
  const band = (p.band ?? []).map(([, low, high]) => Math.max(Math.abs(low), Math.abs(high)));
  const last = (p.points ?? []).reduce((m, [, v]) => Math.max(m, Math.abs(v)), 0);
  const wide = p.knots?.length ? quantile(band, 0.95) * 2.5 : band.reduce((a, b) => Math.max(a, b), 0) * 1.5;
  const usual = Math.max(wide, quantile(hull, 0.5) * 3.5);
  // A part without a message still has the band.
  return Math.max(1, p.points?.length ? Math.min(last * 1.08, usual) || last : usual);
}

function quantile(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  return values[Math.floor(values.length * share)] ?? 0;
}
