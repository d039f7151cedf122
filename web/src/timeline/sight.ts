// What a part of the timeline shows of the window and of its rows, for its tiles.

import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import type { Pane } from "./pane.js";
import type { Sight } from "./tiles.js";

/** What a pane shows; rows and, where others stand on top of its own, the last of them are its owner's to say. */
export function sightOf({ view, set }: { view: View; set: SetModel }, pane: Pane): Omit<Sight, "rows"> {
  const [first, last] = pane.visible();
  const { begin, span } = view.window;
  return {
    window: view.window,
    bounds: view.bounds ?? { begin, end: begin + BigInt(Math.round(span)) },
    pixels: pane.surface.canvas.width,
    time: view.time,
    version: view.raw ? 0 : (set.clocks?.version ?? 0),
    settled: set.info?.state === "ready" && set.clocks?.final !== false,
    first,
    last,
    list: pane.rows,
  };
}
