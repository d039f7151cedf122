// The ranges the window was narrowed through, the widest first: what one zooms into stays, to come
// back to, as long as the window lies within it. Who zooms step by step comes to rest in many; of these the
// widest stays, and one for each quarter of it.

import { endOf, type Window } from "../time/window.js";
import { parseKept, parseWindow, stored, type Found, type KeptWindow } from "./kept.js";
import type { Bounds } from "./set.js";

/** A range is shown where the window is narrower by this factor, and one is kept within another where it is. */
const NARROWER = 4;
/** A window may stick out of a range by so much of it. */
const SLACK = 0.02;
const MOST = 16;

/** A range by the clock in force, and by which it is found again when that is another. */
export interface Range {
  readonly window: Window;
  readonly kept: KeptWindow | undefined;
}

export class Crumbs {
  /** The ranges; the last one is where the window is. Empty while that has the whole set in it. */
  list: Range[] = [];

  constructor(private readonly keep: (window: Window) => KeptWindow | undefined = () => undefined) {}

  /** Those that are told: one that is hardly wider than the window waits until that is narrower, or gone from it. */
  get shown(): readonly Range[] {
    const here = this.list.at(-1);
    return here ? this.list.filter((r) => r === here || r.window.span >= here.window.span * NARROWER) : [];
  }

  /** The window has come to rest; all is where the whole set lies, null where that is not known. */
  settle(window: Window, all: Bounds | null): void {
    if (all && window.begin <= all.begin && endOf(window) >= all.end) {
      this.list = [];
      return;
    }
    let widest = Infinity;
    const wider = this.list.filter(({ window: r }) => {
      const stays = r.span > window.span * (1 + SLACK) && holds(r, window) && r.span <= widest;
      if (stays) widest = r.span / NARROWER;
      return stays;
    });
    this.list = [...wider, { window, kept: this.keep(window) }].slice(-MOST);
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

  /** The clock is another, by which again says where a range is. */
  retell(again: (kept: KeptWindow, was: Window) => Found): void {
    this.list = this.list.map((range) => (range.kept ? again(range.kept, range.window) : range));
  }
}

function holds(range: Window, w: Window): boolean {
  const slack = BigInt(Math.round(range.span * SLACK));
  return w.begin >= range.begin - slack && endOf(w) <= endOf(range) + slack;
}
