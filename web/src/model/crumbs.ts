// The ranges the window was narrowed through, the widest first: what one zooms into stays, to come
// back to, as long as the window lies within it.

import { endOf, type Window } from "../time/window.js";
import { parseKept, parseWindow, stored, type KeptWindow } from "./kept.js";

/** A range is kept when the window becomes narrower by this factor. */
const NARROWER = 4;
/** A window may stick out of a range by so much of it. */
const SLACK = 0.02;
const MOST = 8;

/** A range by the clock in force, and by which it is found again when that is another. */
export interface Range {
  readonly window: Window;
  readonly kept: KeptWindow | undefined;
}

export class Crumbs {
  /** The ranges; the last one is where the window is. Empty while that is as wide as the whole set, or wider. */
  list: Range[] = [];

  constructor(private readonly keep: (window: Window) => KeptWindow | undefined = () => undefined) {}

  /** The window has come to rest; the whole set lasts so many ns. */
  settle(window: Window, all: number): void {
    if (window.span >= all) {
      this.list = [];
      return;
    }
    const kept = this.list.filter((r) => r.window.span >= window.span * NARROWER && holds(r.window, window));
    this.list = [...kept, { window, kept: this.keep(window) }].slice(-MOST);
  }

  /** The ranges as a text, from which restore makes them again, with spans of whole ns as in the address. */
  get text(): string {
    return JSON.stringify(this.list.map(({ window, kept }) => [String(window.begin), Math.round(window.span), kept && stored(kept)]));
  }

  /** Takes the ranges of a text; what is none is left out. */
  restore(text: string): void {
    const all: unknown = JSON.parse(text);
    this.list = (Array.isArray(all) ? all : []).flatMap((range: unknown) => {
      const window = parseWindow(range);
      return window ? [{ window, kept: parseKept((range as unknown[])[2]) ?? undefined }] : [];
    }).slice(-MOST);
  }

  /** The clock is another, by which tell says where a range is. */
  retell(tell: (kept: KeptWindow, was: Window) => Window): void {
    this.list = this.list.map(({ window, kept }) => ({ window: kept ? tell(kept, window) : window, kept }));
  }
}

function holds(range: Window, w: Window): boolean {
  const slack = BigInt(Math.round(range.span * SLACK));
  return w.begin >= range.begin - slack && endOf(w) <= endOf(range) + slack;
}
