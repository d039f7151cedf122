// What a bundle of messages stands for in time. The server bundles by cells of time as wide as it takes for the bundles of all pairs of hosts to be few
// enough: with many hosts that is many pixels, up to the whole window. An arrow at the mean of each would stand in the middle of its cell, those of all pairs
// beside each other and nothing in between: bursts and pauses that there never were. So the arrow of a wide bundle stands at another place of its
// stretch for each pair of rows, and all together are about as dense as the messages are; and the lines of its hosts are thick where its
// messages lie, from the first to the last, so that there are none where a line is thin and no arrow is.
//
// An even row of arrows for each bundle would say more, of bundles that are even, but be too much to draw in the time of a frame.

import type { Ends, MessagesAnswer } from "../net/wire.js";
import { BESIDE } from "./arrows.js";
import type { Arrow } from "./gather.js";

/** A stretch of a line, CSS pixels. */
export interface Stretch {
  readonly y: number;
  readonly x0: number;
  readonly x1: number;
}

/** Cells have less columns than this where there is no need for wider ones. */
const WIDE_COLUMNS = 16;

const GOLDEN = (Math.sqrt(5) - 1) / 2;
const ROW = 1021;

/** Whether messages that were sent within so many ns are a bundle of a wide cell; perColumn is the time of a column that was asked for. */
export const isLong = (ns: number, perColumn: number): boolean => ns > WIDE_COLUMNS * perColumn;

/** Whether a bundle is one of a wide cell. */
export function isWide(ends: Ends | undefined, perColumn: number): ends is Ends {
  return ends !== undefined && isLong(ends.sentLast - ends.sentFirst, perColumn);
}

/** The time at which the arrow of a wide bundle between two rows begins, ns from the base of its answer. */
export function standing(ends: Ends, from: number, to: number): number {
  const share = (from * ROW + to) * GOLDEN;
  return ends.sentFirst + (share - Math.floor(share)) * (ends.sentLast - ends.sentFirst);
}

/** The stretches of those messages of an answer that are wide bundles, on the lines of both their hosts, as far as a width shows them. x is where a time on a row is, y the line of an end, null where none is in sight. */
export function stretchesOf(a: MessagesAnswer, perColumn: number, width: number, messages: Iterable<number>, x: (ns: number, id: number) => number, y: (i: number, end: 0 | 1) => number | null): Stretch[] {
  const out: Stretch[] = [];
  const add = (line: number | null, from: number, to: number) => {
    const [x0, x1] = [Math.max(from, -BESIDE), Math.min(to, width + BESIDE)];
    if (line !== null && x0 <= x1) out.push({ y: line, x0, x1 });
  };
  for (const i of messages) {
    const e = a.ends.get(i);
    if (!isWide(e, perColumn)) continue;
    add(y(i, 0), x(e.sentFirst, a.from[i]), x(e.sentLast, a.from[i]));
    add(y(i, 1), x(e.receivedFirst, a.to[i]), x(e.receivedLast, a.to[i]));
  }
  return out;
}

/** How long the longest of the wide bundles among arrows is, ns; 0 where there is none. */
export function longest(a: MessagesAnswer, arrows: readonly Arrow[], perColumn: number): number {
  let most = 0;
  for (const { members } of arrows)
    for (const i of members) {
      const ends = a.ends.get(i);
      if (isWide(ends, perColumn)) most = Math.max(most, ends.sentLast - ends.sentFirst);
    }
  return most;
}

/** Stretches of which no two lie on each other, of all that lie on any. */
export function joined(stretches: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (const s of [...stretches].sort((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const last = out.at(-1);
    if (last && last.y === s.y && s.x0 <= last.x1) out[out.length - 1] = { ...last, x1: Math.max(last.x1, s.x1) };
    else out.push(s);
  }
  return out;
}

const THICK = 3;

/** Draws stretches of lines thick. */
export function drawStretches(g: CanvasRenderingContext2D, stretches: readonly Stretch[], color: string, alpha: number): void {
  g.fillStyle = color;
  g.globalAlpha = alpha;
  for (const { y, x0, x1 } of stretches) g.fillRect(x0, Math.round(y) - (THICK - 1) / 2, Math.max(1, x1 - x0), THICK);
  g.globalAlpha = 1;
}
