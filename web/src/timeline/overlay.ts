// What lies over all rows and moves with the mouse: the cursor, along a time and across all of them, and the selected stretch of time. The lines
// of the cursor go behind words.

import type { Spot } from "../draw/surface.js";
import type { View } from "../model/view.js";
import { about } from "../time/time.js";
import { shareOf } from "../time/window.js";
import { h, hide, text } from "../ui/dom.js";
import type { Pane } from "./pane.js";

/** The flag of a selected stretch is at most so wide, CSS pixels. */
const FLAG = 90;

export class Overlay {
  private readonly cursor = h("div", { class: "cursor", hidden: true });
  private readonly across = h("div", { class: "across", hidden: true });
  private readonly flag = h("span", { class: "flag" });
  private readonly range = h("div", { class: "range", hidden: true }, this.flag);
  readonly el: HTMLElement;
  private height: number | null = null; // of the pointer in the plot, while it is there
  private tops: number[] = []; // where the surfaces of the panes begin in the plot

  /** The mark stands among them, its flag above all. */
  constructor(plot: HTMLElement, mark: { readonly el: HTMLElement; readonly flag: HTMLElement }, private readonly panes: readonly Pane[]) {
    this.el = h("div", { class: "overlay", "aria-hidden": true }, this.range, mark.el, this.across, this.cursor, mark.flag);
    plot.addEventListener("pointermove", (e) => (this.height = e.clientY - plot.getBoundingClientRect().top), { capture: true });
    plot.addEventListener("pointerleave", () => (this.height = null));
    const placed = new ResizeObserver(() => {
      const { top } = plot.getBoundingClientRect();
      this.tops = panes.map((p) => p.surface.canvas.getBoundingClientRect().top - top);
    });
    for (const { el } of [{ el: plot }, ...panes]) placed.observe(el);
  }

  // Where words stand that are not to be struck through, in the plot.
  private get spots(): Spot[] {
    return this.panes.flatMap((p, i) => p.surface.spots.map((s) => ({ ...s, y0: s.y0 + this.tops[i], y1: s.y1 + this.tops[i] })));
  }

  /** Draws over a plot of a width, CSS pixels; tells whether a selected stretch is in sight. */
  draw(view: View, width: number): boolean {
    const { cursor, selection: s } = view;
    hide(this.cursor, cursor === null);
    hide(this.across, cursor === null || this.height === null);
    const spots = this.cursor.hidden ? [] : this.spots;
    if (cursor !== null) {
      const x = Math.round(shareOf(view.window, cursor) * width);
      this.cursor.style.transform = `translateX(${x}px)`;
      gap(this.cursor, "to bottom", spots.filter((s) => s.x0 < x && x < s.x1).map((s) => [s.y0, s.y1]));
    }
    if (!this.across.hidden) {
      const y = Math.round(this.height!);
      this.across.style.transform = `translateY(${y}px)`;
      gap(this.across, "to right", spots.filter((s) => s.y0 < y && y < s.y1).map((s) => [s.x0, s.x1]));
    }
    const [x0, x1] = s ? [Math.max(-4, shareOf(view.window, s.begin) * width), Math.min(width + 4, shareOf(view.window, s.end) * width)] : [0, 0];
    hide(this.range, !s || x1 < 0 || x0 > width);
    if (!s || this.range.hidden) return false;
    text(this.flag, about(Number(s.end - s.begin), 5));
    this.range.style.transform = `translateX(${x0}px)`;
    this.range.style.width = `${Math.max(1, x1 - x0)}px`;
    // The flag hangs on the left edge, or, where that is too near the end, on the right one.
    this.range.classList.toggle("turned", x0 + FLAG > width);
    return true;
  }
}

// Leaves gaps in a line, from and to so many CSS pixels from its beginning.
function gap(line: HTMLElement, way: "to bottom" | "to right", gaps: [number, number][]): void {
  const stops = gaps.sort((a, b) => a[0] - b[0]).map(([from, to]) => `#000 ${from.toFixed(1)}px, #0000 ${from.toFixed(1)}px ${to.toFixed(1)}px, #000 ${to.toFixed(1)}px`);
  const mask = stops.length > 0 ? `linear-gradient(${way}, ${stops.join(", ")})` : "none";
  if (line.style.maskImage !== mask) line.style.maskImage = mask;
}
