// Fingers on a canvas. One moves what is drawn, in time or, up and down, over the rows; one that rested first draws a selection
// instead. Two zoom, so that the moments under them stay there. A short touch is a click.

import type { View } from "../model/view.js";
import { pan, zoom } from "../time/window.js";

/** A place on a canvas, and how wide that is, CSS pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Fingertip {
  /** The scroller that a finger moves; null where there are no rows. */
  readonly scroller: HTMLElement | null;
  /** A finger rested here. */
  rest(at: Place): void;
  /** After it rested it is drawn from one place to another. */
  draw(from: Place, to: Place): void;
  click(at: Place): void;
}

/** A finger is not still: it has moved only when it moved so far, CSS pixels. */
const SLOP = 8;
/** So long it rests before it draws a selection, ms. */
const REST = 400;
/** Two fingers side by side are held to be so far apart at least, CSS pixels. */
export const CLOSE = 20;

type Does = "nothing yet" | "time" | "rows" | "draw" | "zoom" | "no more";

export class Touch {
  private readonly at = new Map<number, Place>();
  private does: Does = "nothing yet";
  private from: Place = { x: 0, y: 0, width: 1 };
  /** How far the rows were scrolled when the finger came: browsers round it, which would add up. */
  private scrolled = 0;
  private timer = 0;

  constructor(private readonly view: View, private readonly tip: Fingertip) {}

  down(id: number, at: Place): void {
    clearTimeout(this.timer);
    this.at.set(id, at);
    if (this.at.size > 1) {
      this.does = this.at.size === 2 && this.does !== "draw" ? "zoom" : "no more";
      return;
    }
    this.does = "nothing yet";
    this.from = at;
    this.scrolled = this.tip.scroller?.scrollTop ?? 0;
    this.timer = setTimeout(() => {
      this.does = "draw";
      this.tip.rest(this.from);
    }, REST);
  }

  move(id: number, at: Place): void {
    const before = this.at.get(id);
    if (!before) return;
    if (this.does === "nothing yet") {
      const [dx, dy] = [Math.abs(at.x - this.from.x), Math.abs(at.y - this.from.y)];
      if (Math.max(dx, dy) < SLOP) return;
      clearTimeout(this.timer);
      this.does = this.tip.scroller && dy > dx ? "rows" : "time";
    }
    if (this.does === "time") this.view.show(pan(this.view.window, (before.x - at.x) / at.width));
    else if (this.does === "rows") this.tip.scroller!.scrollTop = this.scrolled + this.from.y - at.y;
    else if (this.does === "draw") this.tip.draw(this.from, at);
    else if (this.does === "zoom") this.spread(id, before, at);
    this.at.set(id, at);
  }

  up(id: number, cancelled: boolean): void {
    clearTimeout(this.timer);
    const was = this.at.get(id);
    this.at.delete(id);
    if (was && this.does === "nothing yet" && !cancelled) this.tip.click(was);
    // The finger that is left of two does nothing: it seldom leaves at the same moment.
    this.does = "no more";
  }

  // One of two fingers moves: what was under both is under both again.
  private spread(id: number, before: Place, now: Place): void {
    const other = [...this.at].find(([which]) => which !== id)?.[1];
    if (!other) return;
    const apart = (p: Place) => Math.max(CLOSE, Math.hypot(p.x - other.x, p.y - other.y));
    const { view } = this;
    const moved = pan(view.window, (before.x - now.x) / 2 / now.width);
    view.show(zoom(moved, (now.x + other.x) / 2 / now.width, apart(before) / apart(now), view.widest()));
  }
}
