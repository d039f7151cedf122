// The stretch of a row that is selected, framed.

import type { Palette } from "../draw/palette.js";
import type { Ns } from "../time/time.js";
import { shareOf, type Window } from "../time/window.js";
import type { Pane } from "./pane.js";

/** A state of a row, in the time of the view. */
export interface Chosen {
  readonly row: number;
  readonly begin: Ns;
  readonly end: Ns;
}

/** Frames it on the canvas of a pane, in device pixels, where the pane lists its row. */
export function drawChosen(g: CanvasRenderingContext2D, pane: Pane, chosen: Chosen | null, window: Window, palette: Palette): void {
  const i = chosen ? pane.indexOf(chosen.row) : undefined;
  if (!chosen || i === undefined) return;
  const { canvas, ratio } = pane.surface;
  const x0 = Math.max(-2, shareOf(window, chosen.begin) * canvas.width);
  const x1 = Math.min(canvas.width + 2, shareOf(window, chosen.end) * canvas.width);
  if (x1 < 0 || x0 > canvas.width) return;
  g.strokeStyle = palette.css.ink;
  g.lineWidth = 1.5 * ratio;
  g.strokeRect(x0, (pane.topOf(i) + 2) * ratio, Math.max(2, x1 - x0), (pane.rowHeight - 4) * ratio);
}
