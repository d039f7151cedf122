// Which lines of the error plot speak up where there are too many to be told apart: the worst, and those that are looked
// at. The others stay in the background.

import { boundAt, entryFrom, type Line } from "./bounds.js";

/** Up to so many lines all have a look of their own. */
export const FEW = 8;
/** Of more, so many of the worst have. */
const WORST = 3;

/** The lines that have a colour, a pattern and a name, and which: by their host where all have, else by their place here, the worst first. */
export function loud(lines: readonly Line[], also: readonly string[]): ReadonlyMap<Line, number> {
  if (lines.length <= FEW) return new Map(lines.map((l) => [l, l.host]));
  const out = new Map<Line, number>();
  for (const l of [...worstFirst(lines).slice(0, WORST), ...lines.filter((l) => also.includes(l.name))]) if (!out.has(l)) out.set(l, out.size);
  return out;
}

let ranked: { of: readonly Line[]; lines: readonly Line[] } | null = null;

function worstFirst(lines: readonly Line[]): readonly Line[] {
  if (ranked?.of !== lines) {
    const worst = new Map(lines.map((l) => [l, l.points.reduce((most, p) => Math.max(most, p[1]), 0)]));
    ranked = { of: lines, lines: [...lines].sort((a, b) => worst.get(b)! - worst.get(a)! || a.host - b.host) };
  }
  return ranked.lines;
}

/** The line next above or below another at an instant; from none on the first from that side; null where there is none. */
export function beside(lines: readonly Line[], name: string | null, at: number, up: boolean): Line | null {
  const here = lines.flatMap((l) => {
    const bound = boundAt(l, at);
    return bound === null ? [] : [{ l, bound }];
  });
  here.sort((a, b) => (up ? a.bound - b.bound : b.bound - a.bound) || a.l.host - b.l.host);
  const i = here.findIndex(({ l }) => l.name === name);
  return here[Math.min(here.length - 1, i + 1)]?.l ?? null;
}

/** Lines that are no farther apart than this, CSS pixels, lie over each other, and the one that is drawn last is seen. */
const OVER = 0.5;

/** The line that is nearest to a place of the plot, an instant and a height, as it is drawn: level between two entries and straight up or down at
 * one. How many pixels wide a unit of time is says the scale; of lines that lie over each other it is the one on top. */
export function nearest(lines: readonly Line[], at: number, scale: number, height: (bound: number) => number, y: number): Line | null {
  const away = lines.flatMap((l) => {
    const bound = boundAt(l, at);
    return bound === null ? [] : [{ l, d: distance(l, at, scale, height, y, Math.abs(height(bound) - y)) }];
  });
  const least = Math.min(...away.map((x) => x.d));
  return away.filter((x) => x.d <= least + OVER).at(-1)?.l ?? null;
}

// How far a place is from a line, at most so much: its steps on both sides that are not farther off than what is known already.
function distance(l: Line, at: number, scale: number, height: (bound: number) => number, y: number, most: number): number {
  const { points } = l;
  const level = (i: number) => height(Math.max(points[i][1], points[i + 1][1]));
  const next = entryFrom(l, at);
  for (const way of [-1, 1]) {
    for (let i = way < 0 ? next - 1 : next; i > 0 && i < points.length - 1; i += way) {
      const across = Math.abs(points[i][0] - at) * scale;
      if (across >= most) break;
      const [before, after] = [level(i - 1), level(i)];
      most = Math.min(most, Math.hypot(across, Math.max(0, Math.min(before, after) - y, y - Math.max(before, after))));
    }
  }
  return most;
}
