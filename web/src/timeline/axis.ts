// The axis of time: ticks, so far apart that no label reaches the next one. A label that a flag lies on gives way.

import { Surface, type Spot } from "../draw/surface.js";
import { SPACING, ticks, type Tick } from "../time/ticks.js";
import { h } from "../ui/dom.js";
import type { Context } from "./controlflow.js";

/** How far letters of a label reach above and below the line that they stand on, CSS pixels. */
const [RISE, FALL] = [8, 2];

const covered = (spot: Spot, over: readonly Spot[]): boolean => over.some((o) => o.x0 < spot.x1 && spot.x0 < o.x1 && o.y0 < spot.y1 && spot.y0 < o.y1);

export class Axis {
  readonly el = h("div", { class: "axis" });
  readonly surface: Surface;
  /** What lies above it. */
  private over: readonly Spot[] = [];
  /** Where labels stand, those that give way included, and which of these do. */
  private labels: Spot[] = [];
  private hidden = "";

  constructor(private readonly c: Context) {
    this.surface = new Surface(this.el, "Time axis", c.schedule);
  }

  /** Draws the axis of the window; the ticks go on over the rows. */
  draw(): Tick[] {
    const { view, palette: { css, mono } } = this.c;
    const shown = view.empty ? [] : this.spaced();
    const g = this.surface.begin(css.panel);
    const { width: W, height: H } = this.surface;
    g.font = mono;
    this.labels = [];
    for (const t of shown) {
      const x = Math.round(t.share * W);
      g.fillStyle = css.grid;
      g.fillRect(x, t.major ? 0 : H - 8, 1, H);
      g.fillStyle = t.major ? css.ink : css.ink2;
      const end = x + 4 + g.measureText(t.label).width;
      if (end > W) continue;
      const spot = { x0: x + 4, x1: end, y0: H - 8 - RISE, y1: H - 8 + FALL };
      this.labels.push(spot);
      if (!covered(spot, this.over)) g.fillText(t.label, x + 4, H - 8);
    }
    this.hidden = this.hiddenBy(this.over);
    return shown;
  }

  /** Tells what lies above the axis now, CSS pixels; it is drawn anew where that is above other labels than before. */
  under(over: readonly Spot[]): void {
    this.over = over;
    if (this.hiddenBy(over) !== this.hidden) this.draw();
  }

  private hiddenBy(over: readonly Spot[]): string {
    return this.labels.flatMap((spot, i) => (covered(spot, over) ? [i] : [])).join();
  }

  private spaced(): Tick[] {
    const { view, palette } = this.c;
    const { g, width } = this.surface;
    g.font = palette.mono;
    const close = ticks(view.window, view.origin(), width);
    const room = 12 + Math.max(...close.map((t) => g.measureText(t.label).width));
    return room > SPACING ? ticks(view.window, view.origin(), width, room) : close;
  }
}
