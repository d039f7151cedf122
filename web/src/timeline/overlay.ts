// What lies over all rows and moves with the mouse: the cursor, along a time and across all of them, and the selected stretch of time.

import type { View } from "../model/view.js";
import { about } from "../time/time.js";
import { shareOf } from "../time/window.js";
import { h, text } from "../ui/dom.js";

/** The flag of a selected stretch is at most so wide, CSS pixels. */
const FLAG = 90;

export class Overlay {
  private readonly cursor = h("div", { class: "cursor", hidden: true });
  private readonly across = h("div", { class: "across", hidden: true });
  private readonly flag = h("span", { class: "flag" });
  private readonly range = h("div", { class: "range", hidden: true }, this.flag);
  readonly el: HTMLElement;
  private height: number | null = null; // of the pointer in the plot, while it is there

  /** The mark stands among them, its flag above all. */
  constructor(plot: HTMLElement, mark: { readonly el: HTMLElement; readonly flag: HTMLElement }) {
    this.el = h("div", { class: "overlay", "aria-hidden": true }, this.range, mark.el, this.across, this.cursor, mark.flag);
    plot.addEventListener("pointermove", (e) => (this.height = e.clientY - plot.getBoundingClientRect().top), { capture: true });
    plot.addEventListener("pointerleave", () => (this.height = null));
  }

  /** Draws over a plot of a width, CSS pixels; tells whether a selected stretch is in sight. */
  draw(view: View, width: number): boolean {
    const { cursor, selection: s } = view;
    this.cursor.hidden = cursor === null;
    if (cursor !== null) this.cursor.style.transform = `translateX(${Math.round(shareOf(view.window, cursor) * width)}px)`;
    this.across.hidden = cursor === null || this.height === null;
    if (!this.across.hidden) this.across.style.transform = `translateY(${Math.round(this.height!)}px)`;
    const [x0, x1] = s ? [Math.max(-4, shareOf(view.window, s.begin) * width), Math.min(width + 4, shareOf(view.window, s.end) * width)] : [0, 0];
    this.range.hidden = !s || x1 < 0 || x0 > width;
    if (!s || this.range.hidden) return false;
    text(this.flag, about(Number(s.end - s.begin), 5));
    this.range.style.transform = `translateX(${x0}px)`;
    this.range.style.width = `${Math.max(1, x1 - x0)}px`;
    // The flag hangs on the left edge, or, where that is too near the end, on the right one.
    this.range.classList.toggle("turned", x0 + FLAG > width);
    return true;
  }
}
