// A link's plot before synchronization: by how much one clock is ahead of the other as both were recorded, as each of its messages says. Synchronized it is
// drawn as what remains after the estimate is taken away; here that is added again, but for what it is in the middle of what is shown, or nothing else would be seen.

import type { Points } from "../net/json.js";
import { parseNs, seconds, type Ns } from "../time/time.js";
import type { Window } from "../time/window.js";

/** A line straight from one of its points to the next: x, and how high it is there. */
export type Line = readonly (readonly [number, number])[];

/** What is drawn of points as they were recorded. */
export interface Recorded {
  readonly points: Points;
  /** By how many ns the second host's clock is ahead of the first's at a height of 0. */
  readonly ahead: Ns;
  /** The estimate within what is shown. */
  readonly estimate: Line;
}

/** How high a line is at x; beyond its ends it goes on as there. */
export function heightAt(line: Line, x: number): number {
  if (line.length < 2) return line[0]?.[1] ?? 0;
  let [low, high] = [1, line.length - 1];
  while (low < high) {
    const i = (low + high) >> 1;
    if (line[i][0] < x) low = i + 1;
    else high = i;
  }
  const [[x0, v0], [x1, v1]] = [line[low - 1], line[low]];
  return x1 > x0 ? v0 + ((v1 - v0) * (x - x0)) / (x1 - x0) : v1;
}

let made: { readonly p: Points; readonly window: Window | null; readonly recorded: Recorded } | null = null;

/** Points as they were recorded, of which a window is shown, null for all; made once, though each frame draws. The steepest and the flattest line would be seen as one. */
export function asRecorded(p: Points, window: Window | null): Recorded {
  if (made?.p !== p || made.window !== window) made = { p, window, recorded: make(p, window) };
  return made.recorded;
}

function make(p: Points, window: Window | null): Recorded {
  const drift = p.drift ?? [];
  const begin = parseNs(p.begin) ?? 0n;
  const from = window ? Number(window.begin - begin) : 0;
  const to = from + (window ? window.span : Number((parseNs(p.end) ?? begin) - begin));
  const middle = heightAt(drift, (from + to) / 2);
  const at = (x: number) => heightAt(drift, x) - middle;
  const moved = (list: [number, number][] | null | undefined) => list?.map(([x, v]): [number, number] => [x, v + at(x)]) ?? null;
  return {
    points: {
      ...p,
      points: p.points?.map(([x, v, d]) => [x, v + at(x), d]) ?? null,
      lmin: null,
      lmax: null,
      upper: moved(p.upper),
      lower: moved(p.lower),
      band: p.band?.map(([x, low, high]) => [x, low + at(x), high + at(x)]) ?? null,
      force: moved(p.force),
    },
    ahead: (parseNs(p.ahead) ?? 0n) + BigInt(Math.round(middle)),
    estimate: [from, ...drift.map(([x]) => x).filter((x) => x > from && x < to), to].map((x) => [x, at(x)]),
  };
}

/** What the plot of two clocks as they were recorded shows. */
export function recordedWords(a: string, b: string, ahead: Ns): string {
  return `by how much ${b}'s clock is ahead of ${a}'s by each message, both as they were recorded; 0 stands for ${ahead > 0n ? "+" : ""}${seconds(ahead, 6)}`;
}
