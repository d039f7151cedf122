// Where a name may stand among the lines of a plot without covering one.

import { boundAt, type Line } from "./bounds.js";

/** How far a name rises over its line of text and reaches below it, and by how much it is moved from what it would cover, CSS pixels. */
const [ABOVE, BELOW, STEP] = [11, 4, 8];
/** How finely lines are looked at, CSS pixels. */
const GRAIN = 4;

/** The plot that a name stands on: where times and bounds are, and from where to where it reaches in height. */
export interface Ground {
  readonly time: (x: number) => number;
  readonly y: (bound: number) => number;
  readonly top: number;
  readonly floor: number;
}

/** The line of text nearest to one, y, on which a name from left to right covers none of the lines; that one where there is none. */
export function clearOf(lines: readonly Line[], left: number, right: number, y: number, ground: Ground): number {
  const covers = (base: number) => lines.some((l) => {
    for (let x = left; x <= right; x += GRAIN) {
      const bound = boundAt(l, ground.time(x));
      const at = bound === null ? null : ground.y(bound);
      if (at !== null && at > base - ABOVE && at < base + BELOW) return true;
    }
    return false;
  });
  const places = [0, -1, 1, -2, 2].map((step) => y + step * STEP).filter((base) => base - ABOVE >= ground.top && base + BELOW <= ground.floor);
  return places.find((base) => !covers(base)) ?? y;
}
