// The part of a link's plot that is shown: by wheel, drag, fingers and keys from all messages down to a single one. Time is that of
// the link's first host, as it stands in the points.

import { TALLEST } from "../model/addressed.js";
import type { Ns } from "../time/time.js";
import { clamp, endOf, pan, windowOf, zoom, type Window } from "../time/window.js";
import { CLOSE } from "../timeline/touch.js";
import type { Paper } from "./paper.js";

const CLICK = 4;
/** So many digits of how much taller it is drawn are kept, so that an address says all of it. */
const DIGITS = 6;

export class PlotZoom {
  /** Null where all messages are shown. */
  window: Window | null = null;
  /** How much taller than by itself everything is drawn. */
  tall = 1;
  /** The press that ended last moved the paper, so the click after it means no point. */
  dragged = false;
  private whole: { begin: Ns; end: Ns } | null = null;

  /** Keys zoom around middle, a share of the paper's width. */
  constructor(el: HTMLElement, private readonly paper: () => Paper | null, private readonly middle: () => number, private readonly changed: () => void) {
    const at = new Map<number, { x: number; y: number }>(); // where each pointer is that is pressed
    el.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      if (at.size === 0) this.dragged = false;
      at.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    });
    el.addEventListener("pointermove", (e) => {
      if (e.buttons === 0) at.delete(e.pointerId); // nobody said so where it was let go
      const [p, before, now] = [this.paper(), at.get(e.pointerId), { x: e.offsetX, y: e.offsetY }];
      if (before === undefined || !p) return;
      const far = at.size > 1 ? Math.hypot(now.x - before.x, now.y - before.y) : Math.abs(now.x - before.x);
      if (!this.dragged && far < CLICK) return;
      if (!this.dragged) el.setPointerCapture(e.pointerId); // not before: who has it gets the click
      this.dragged = true;
      at.set(e.pointerId, now);
      if (at.size === 1) this.move((before.x - now.x) / p.across);
      if (at.size !== 2) return;
      // What was under both fingers is under both again, however they lie to each other, as in the timeline.
      const other = [...at].find(([id]) => id !== e.pointerId)![1];
      const apart = ({ x, y }: { x: number; y: number }) => Math.max(CLOSE, Math.hypot(x - other.x, y - other.y));
      this.move((before.x - now.x) / 2 / p.across);
      this.zoom(p.share((now.x + other.x) / 2), apart(before) / apart(now));
    });
    // Before it moved it may be let go beside the plot.
    for (const type of ["pointerup", "pointercancel"] as const) addEventListener(type, (e) => at.delete(e.pointerId), { capture: true });
    el.addEventListener("wheel", (e) => {
      const p = this.paper();
      const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
      const far = Math.max(-200, Math.min(200, (e.deltaY || e.deltaX) * unit)) * 0.0025;
      // Where all is shown there is no farther out: the page scrolls.
      if (!p || !this.whole || (!e.shiftKey && far >= 0 && this.window === null)) return;
      e.preventDefault();
      if (e.shiftKey) this.stretch(Math.exp(-far));
      else this.zoom(p.share(e.offsetX), Math.exp(far));
    }, { passive: false });
    el.addEventListener("keydown", (e) => {
      const act = this.keys[e.key];
      if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      e.stopPropagation();
      act();
    });
  }

  private readonly keys: Record<string, () => void> = {
    "+": () => this.zoom(this.middle(), 1 / 1.5),
    "=": () => this.zoom(this.middle(), 1 / 1.5),
    "-": () => this.zoom(this.middle(), 1.5),
    ArrowLeft: () => this.move(-0.1),
    ArrowRight: () => this.move(0.1),
    ArrowUp: () => this.stretch(1.5),
    ArrowDown: () => this.stretch(1 / 1.5),
    Home: () => this.all(),
    "0": () => this.all(),
  };

  get zoomed(): boolean {
    return this.window !== null || this.tall !== 1;
  }

  /** Says from when to when there are messages; what was asked for a part says nothing of it. A part without any is none. */
  reaches(begin: Ns, end: Ns): void {
    this.whole = { begin, end };
    if (this.window && (this.window.begin >= end || endOf(this.window) <= begin)) this.all();
  }

  /** Another link, of which nothing is known yet, with what of it is to be shown. */
  begin(window: Window | null, tall: number): void {
    this.whole = null;
    this.window = window;
    this.tall = tall;
  }

  /** When the first message is; null while none is there. */
  get origin(): Ns | null {
    return this.whole?.begin ?? null;
  }

  all(): void {
    this.window = null;
    this.tall = 1;
    this.changed();
  }

  private stretch(by: number): void {
    this.tall = Number(Math.min(TALLEST, Math.max(1 / TALLEST, this.tall * by)).toPrecision(DIGITS));
    if (Math.abs(this.tall - 1) < 0.01) this.tall = 1;
    this.changed();
  }

  private zoom(share: number, by: number): void {
    this.show((w, widest) => zoom(w, share, by, widest));
  }

  private move(share: number): void {
    this.show((w) => pan(w, share));
  }

  private show(next: (w: Window, widest: number) => Window): void {
    const { whole } = this;
    if (!whole) return;
    const all = windowOf(whole.begin, whole.end);
    const w = clamp(next(this.window ?? all, all.span), whole.begin, whole.end);
    this.window = w.span >= all.span ? null : { begin: w.begin, span: Math.round(w.span) };
    this.changed();
  }
}
