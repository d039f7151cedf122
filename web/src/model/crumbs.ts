// The ranges the window was narrowed through, the widest first: what one zooms into stays, to come
// back to, as long as the window lies within it.

import { parseNs, type Ns } from "../time/time.js";
import { endOf, type Window } from "../time/window.js";

/** A range is kept when the window becomes narrower by this factor. */
const NARROWER = 4;
/** A window may stick out of a range by so much of it. */
const SLACK = 0.02;
const MOST = 8;

export class Crumbs {
  /** The ranges; the last one is where the window is. Empty while that is as wide as the whole set, or wider. */
  list: Window[] = [];

  /** The window has come to rest; the whole set lasts so many ns. */
  settle(window: Window, all: number): void {
    if (window.span >= all) {
      this.list = [];
      return;
    }
    const kept = this.list.filter((w) => w.span >= window.span * NARROWER && holds(w, window));
    this.list = [...kept, window].slice(-MOST);
  }

  /** The ranges as a text of few letters, from which restore makes them again, with spans of whole ns as in the address. */
  get text(): string {
    return this.list.map((w) => `${w.begin}~${Math.round(w.span)}`).join(".");
  }

  /** Takes the ranges of a text; what is none is left out. */
  restore(text: string): void {
    this.list = text.split(".").flatMap((range) => {
      const [begin, span] = range.split("~").map(parseNs);
      return begin !== null && span !== null && span > 0n ? [{ begin, span: Number(span) }] : [];
    }).slice(-MOST);
  }

  /** Times are others, later by so much. */
  shift(by: Ns): void {
    this.list = this.list.map((w) => ({ begin: w.begin + by, span: w.span }));
  }
}

function holds(range: Window, w: Window): boolean {
  const slack = BigInt(Math.round(range.span * SLACK));
  return w.begin >= range.begin - slack && endOf(w) <= endOf(range) + slack;
}
