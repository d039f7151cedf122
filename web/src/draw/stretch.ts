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

/** A stretch of the line of an end of messages: row is its place, id the row of the end; times are ns from the base of the answer. */
export interface Stretch {
  readonly row: number;
  readonly id: number;
  readonly begin: number;
  end: number;
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

/** The wide bundles of an answer, found once: it is drawn in many frames. */
export class WideBundles {
  /** Their places in the answer. */
  readonly places: readonly number[];
  private readonly aside: Float64Array | null = null;

  constructor(readonly answer: MessagesAnswer, perColumn: number) {
    const { ends, count, from, to, sent } = answer;
    const places: number[] = [];
    for (const [i, e] of ends) if (isWide(e, perColumn)) places.push(i);
    this.places = places;
    if (places.length === 0) return;
    this.aside = new Float64Array(count);
    for (const i of places) this.aside[i] = standing(ends.get(i)!, from[i], to[i]) - sent[i];
  }

  /** By how much the arrow of the message at a place stands aside of the mean of its times, ns. */
  asideOf(i: number): number {
    return this.aside === null ? 0 : this.aside[i];
  }

  /** How long the longest among arrows is, ns; 0 where there is none. */
  longest(arrows: readonly Arrow[]): number {
    if (this.aside === null) return 0;
    const wide = new Set(this.places);
    let most = 0;
    for (const { members } of arrows)
      for (const i of members) {
        if (!wide.has(i)) continue;
        const ends = this.answer.ends.get(i)!;
        most = Math.max(most, ends.sentLast - ends.sentFirst);
      }
    return most;
  }

  /** The stretches in which the messages of those that are among some places lie, on the lines of both their ends; row is the place of the line of an end, undefined where it is not listed. No
   * two lie on each other. */
  stretches(of: Iterable<number>, row: (i: number, end: 0 | 1) => number | undefined): Stretch[] {
    if (this.aside === null) return [];
    const { ends, from, to } = this.answer;
    const wide = new Set(this.places);
    const all: Stretch[] = [];
    const add = (line: number | undefined, id: number, begin: number, end: number) => {
      if (line !== undefined) all.push({ row: line, id, begin, end });
    };
    for (const i of of) {
      if (!wide.has(i)) continue;
      const e = ends.get(i)!;
      add(row(i, 0), from[i], e.sentFirst, e.sentLast);
      add(row(i, 1), to[i], e.receivedFirst, e.receivedLast);
    }
    return joined(all);
  }
}

/** Stretches of which no two lie on each other, of all that lie on any. */
export function joined(stretches: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (const s of [...stretches].sort((a, b) => a.row - b.row || a.begin - b.begin)) {
    const last = out.at(-1);
    if (last && last.row === s.row && s.begin <= last.end) last.end = Math.max(last.end, s.end);
    else out.push({ ...s });
  }
  return out;
}

const THICK = 3;

/** Draws stretches of lines thick, as far as a width shows them. x is where a time on a row is, y where a line is. */
export function drawStretches(g: CanvasRenderingContext2D, stretches: readonly Stretch[], width: number, height: number, x: (ns: number, id: number) => number, y: (row: number) => number, color: string, alpha: number): void {
  g.fillStyle = color;
  g.globalAlpha = alpha;
  for (const s of stretches) {
    const line = y(s.row);
    if (line < -BESIDE || line > height + BESIDE) continue;
    const [x0, x1] = [Math.max(x(s.begin, s.id), -BESIDE), Math.min(x(s.end, s.id), width + BESIDE)];
    if (x0 <= x1) g.fillRect(x0, Math.round(line) - (THICK - 1) / 2, Math.max(1, x1 - x0), THICK);
  }
  g.globalAlpha = 1;
}
