// The axis of time: ticks, so far apart that no label reaches the next one.

import { Surface } from "../draw/surface.js";
import { SPACING, ticks, type Tick } from "../time/ticks.js";
import { h } from "../ui/dom.js";
import type { Context } from "./controlflow.js";

export class Axis {
  readonly el = h("div", { class: "axis" });
  readonly surface: Surface;

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
    for (const t of shown) {
      const x = Math.round(t.share * W);
      g.fillStyle = css.grid;
      g.fillRect(x, t.major ? 0 : H - 8, 1, H);
      g.fillStyle = t.major ? css.ink : css.ink2;
      if (x + 4 + g.measureText(t.label).width <= W) g.fillText(t.label, x + 4, H - 8);
    }
    return shown;
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
