// What one row shows, pixel by pixel, from the runs of a states answer.
//
// The columns of an answer are no wider than a pixel and do not fall together with
// pixels; while the user zooms they may be much wider. So each pixel takes from each
// run that touches it the share of its width. A pixel with one state only is pure; any
// other is mixed and keeps the shares, from which the row is drawn without loss:
// nothing is sampled and no short state can vanish between two pixels.

import { MIXED, NOTHING, STATES, type StatesAnswer } from "../net/wire.js";
import type { Window } from "../time/window.js";

/** A pixel that is mixed: its shares stand in Strip.shares. */
export const MANY = 254;
/** A pixel with nothing in it. */
export const EMPTY = 255;

/** A pixel with one state and more than this of it is pure. */
const WHOLE = 0.995;

/** Bars of one state are told apart where they are at least so many pixels wide. */
const WIDE = 3;

/** A column is no wider than about a pixel, which it may be by what is rounded. */
const NARROW = 1.01;

/** Two parts' edges less than so many pixels apart are one: each was worked out from its own answer. */
const NEAR = 1e-3;

/** A run wide enough for a name; the label is "" where it has none of its own. */
export interface Bar {
  x0: number; // pixels
  x1: number;
  state: number;
  label: string;
}

export class Strip {
  readonly state: Uint8Array;
  readonly shares: Float32Array;
  /** 1 where a run ends beside one of the same state. */
  readonly seam: Uint8Array;
  /** Of a mixed pixel the state in which a thread ran for less than any share, where no share tells that it ran; 0 for none. */
  readonly brief: Uint8Array;
  readonly bars: Bar[] = [];
  /** The pixels whose shares are not all 0. */
  private readonly shared: Int32Array;
  private sharedCount = 0;
  /** The state whose share of a pixel is the only one, MANY, or EMPTY where there is none. */
  private readonly only: Uint8Array;
  /** What is laid is cut to these, pixels. */
  private left = 0;
  private right = 0;
  /** Where parts that were laid begin, pixels. */
  private readonly edges = new Set<number>();
  private leastBar = 0;

  constructor(readonly pixels: number) {
    this.state = new Uint8Array(pixels);
    this.shares = new Float32Array(pixels * STATES);
    this.seam = new Uint8Array(pixels);
    this.brief = new Uint8Array(pixels);
    this.shared = new Int32Array(pixels);
    this.only = new Uint8Array(pixels).fill(EMPTY);
  }

  /** Takes row r of an answer, drawn in window over all pixels; bars at least so wide are listed. */
  load(a: StatesAnswer, r: number, window: Window, leastBar: number): void {
    this.clear();
    this.lay(a, r, window, leastBar, 0, this.pixels);
    this.settle();
  }

  /** Forgets what was laid. */
  clear(): void {
    this.state.fill(EMPTY);
    this.seam.fill(0);
    this.brief.fill(0);
    this.bars.length = 0;
    this.edges.clear();
    const { shares, shared, only } = this;
    for (let k = 0; k < this.sharedCount; k++) {
      const i = shared[k];
      only[i] = EMPTY;
      for (let s = i * STATES; s < (i + 1) * STATES; s++) shares[s] = 0;
    }
    this.sharedCount = 0;
  }

  /** Lays a part of row r, from one pixel to another, which need not be whole; settle after the last part. */
  lay(a: StatesAnswer, r: number, window: Window, leastBar: number, left: number, right: number): void {
    this.left = Math.max(0, left);
    this.right = Math.min(this.pixels, right);
    this.edges.add(this.left);
    const perPixel = window.span / this.pixels;
    const step = Number(a.end - a.begin) / a.columns / perPixel;
    const origin = Number(a.begin - window.begin) / perPixel;
    let mix = a.rowMixes[r];
    let x0 = origin;
    let before = NOTHING;
    let wide = false;
    const last = a.rowRuns[r + 1];
    for (let k = a.rowRuns[r]; k < last; k++) {
      const x1 = origin + a.runEnd[k] * step;
      const state = a.runState[k];
      const m = state === MIXED ? mix++ : -1;
      if (x1 > this.left && state !== NOTHING) {
        if (m >= 0) {
          this.spread(x0, x1, a.mixes, m * STATES);
          if (a.runLabel[k] !== 0) this.glimpse(x0, x1, a.runLabel[k]);
          // A column that only changes its label: a seam between two bars of one state.
          else if (wide && k + 1 < last && a.runState[k + 1] === before) this.mark(x0);
        } else {
          this.pure(x0, x1, state);
          if (x1 - x0 >= WIDE && k + 1 < last && a.runState[k + 1] === state) this.mark(Math.ceil(x1) - 1);
          this.bar(x0, x1, state, a.runLabel[k] === 0 ? "" : a.labels[a.runLabel[k] - 1], leastBar);
        }
      }
      wide = x1 - x0 >= WIDE;
      before = state;
      x0 = x1;
      if (x0 >= this.right) break;
    }
  }

  // Lists a bar that is wide enough, or that another part may go on with.
  private bar(from: number, to: number, state: number, label: string, leastBar: number): void {
    if (leastBar === Infinity) return;
    this.leastBar = leastBar;
    const x0 = from < this.left + NEAR ? this.left : from;
    const x1 = to > this.right - NEAR ? this.right : to;
    const open = x0 === this.left || x1 === this.right;
    if (x1 - x0 >= (open ? NEAR : leastBar)) this.bars.push({ x0: x0 === 0 ? Math.min(0, from) : x0, x1: x1 === this.pixels ? Math.max(x1, to) : x1, state, label });
  }

  // Makes one bar of those that go on with each other where two parts meet, which come in any order.
  private join(): void {
    if (this.edges.size > 1) this.bars.sort((a, b) => a.x0 - b.x0);
    let n = 0;
    for (const b of this.bars) {
      const before = n > 0 ? this.bars[n - 1] : null;
      if (before && before.x1 === b.x0 && before.state === b.state && before.label === b.label && this.edges.has(b.x0)) before.x1 = b.x1;
      else {
        if (before && before.x1 - before.x0 < this.leastBar) n--;
        this.bars[n++] = b;
      }
    }
    const last = n > 0 ? this.bars[n - 1] : null;
    this.bars.length = last && last.x1 - last.x0 < this.leastBar ? n - 1 : n;
  }

  private mark(x: number): void {
    const i = Math.floor(x);
    if (i >= this.left && i < this.right) this.seam[i] = 1;
  }

  private add(i: number, state: number, width: number): void {
    if (this.only[i] === EMPTY) {
      this.only[i] = state;
      this.shared[this.sharedCount++] = i;
    } else if (this.only[i] !== state) this.only[i] = MANY;
    this.shares[i * STATES + state] += width;
  }

  private pure(from: number, to: number, state: number): void {
    const x0 = Math.max(this.left, from);
    const x1 = Math.min(this.right, to);
    if (x1 <= x0) return;
    const i0 = Math.floor(x0);
    const i1 = Math.floor(x1);
    if (i0 === i1) {
      if (i0 < this.pixels) this.add(i0, state, x1 - x0);
      return;
    }
    let i = i0;
    if (x0 > i0) this.add(i++, state, i0 + 1 - x0);
    if (i1 > i) this.state.fill(state, i, i1);
    if (i1 < this.pixels && x1 > i1) this.add(i1, state, x1 - i1);
  }

  private spread(from: number, to: number, mixes: Uint8Array, at: number): void {
    const x0 = Math.max(this.left, from);
    const x1 = Math.min(this.right, to);
    for (let i = Math.floor(x0); i < x1; i++) {
      const width = (Math.min(x1, i + 1) - Math.max(x0, i)) / 255;
      for (let s = 0; s < STATES; s++) if (mixes[at + s] !== 0) this.add(i, s, mixes[at + s] * width);
    }
  }

  // A column that is no wider than a pixel marks the one that its middle is in.
  private glimpse(from: number, to: number, state: number): void {
    const narrow = to - from <= NARROW;
    const first = Math.floor(narrow ? (from + to) / 2 : from);
    const last = narrow ? first : Math.ceil(to) - 1;
    for (let i = Math.max(this.left, first); i <= Math.min(this.right - 1, last); i++) this.brief[i] = state;
  }

  /** Marks what the shares say of the pixels that no run fills, and joins the bars of all parts. */
  settle(): void {
    this.join();
    for (let k = 0; k < this.sharedCount; k++) {
      const i = this.shared[k];
      if (this.state[i] !== EMPTY) continue;
      const only = this.only[i];
      this.state[i] = only !== MANY && this.shares[i * STATES + only] > WHOLE && this.brief[i] === 0 ? only : MANY;
    }
  }
}
