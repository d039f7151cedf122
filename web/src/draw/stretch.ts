// What a bundle of messages stands for in time. The server bundles by cells of time as wide as it takes for the bundles of all pairs of hosts to be few
// enough: with many hosts that is many pixels, up to the whole window. An arrow at the mean of each would stand in the middle of its cell, those of all pairs
// beside each other and nothing in between: bursts and pauses that there never were. So the arrow of a wide bundle stands where one of its messages,
// taken by chance, is: at the first of k with a chance of 1/k, at the last with as much, else somewhere between, which is all that is known of
// the others. Chance is the pair of rows and when the first was sent, so that the arrow stays where it is while the window moves. All together are as dense as
// the messages are then. Anywhere between the first and the last would not do: cells have the same edges for all pairs, and near an edge there would be few.
//
// The lines of its hosts are thick from the first to the last message of each, the stronger the more messages there are in a pixel, so that a bundle of two
// that are far apart looks like that. An even row of arrows for each bundle would say more, but be too much to draw in the time of a frame.

import type { Ends, MessagesAnswer } from "../net/wire.js";
import { BESIDE } from "./arrows.js";
import type { Arrow } from "./gather.js";

/** A stretch of the line of an end of messages: row is its place, id the row of the end; times are ns from the base of the answer. */
export interface Stretch {
  readonly row: number;
  readonly id: number;
  readonly begin: number;
  readonly end: number;
  /** So many messages for each ns of it, as far as bundles tell. */
  readonly density: number;
}

/** Cells have less columns than this where there is no need for wider ones. */
const WIDE_COLUMNS = 16;

/** Of times chance knows so many ns: clocks that become better known by less let arrows stay where they are. */
const GRAIN = 1 << 24;

/** Whether messages that were sent within so many ns are a bundle of a wide cell; perColumn is the time of a column that was asked for. */
export const isLong = (ns: number, perColumn: number): boolean => ns > WIDE_COLUMNS * perColumn;

/** Whether a bundle is one of a wide cell. */
export function isWide(ends: Ends | undefined, perColumn: number): ends is Ends {
  return ends !== undefined && isLong(ends.sentLast - ends.sentFirst, perColumn);
}

/** The time at which the arrow of a wide bundle of so many messages begins, ns from the base of its answer, by chance from 0 to below 1. */
export function standing(ends: Ends, count: number, chance: number): number {
  const edge = 1 / count;
  if (chance < edge) return ends.sentFirst;
  if (chance >= 1 - edge) return ends.sentLast;
  return ends.sentFirst + ((chance - edge) / (1 - 2 * edge)) * (ends.sentLast - ends.sentFirst);
}

/** A number from 0 to below 1 that three others have, and others near them do not (the finalizer of MurmurHash3, of each in turn). */
export function chanceOf(...of: readonly number[]): number {
  let h = 0;
  for (const n of of) {
    h = Math.imul(h ^ n, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return (h >>> 0) / 2 ** 32;
}

/** The wide bundles of an answer, found once: it is drawn in many frames. */
export class WideBundles {
  /** Their places in the answer. */
  readonly places: readonly number[];
  private readonly wide: ReadonlySet<number>;
  private readonly aside: Float64Array | null = null;

  constructor(readonly answer: MessagesAnswer, perColumn: number) {
    const { ends, count, counts, from, to, sent } = answer;
    const places: number[] = [];
    for (const [i, e] of ends) if (isWide(e, perColumn)) places.push(i);
    this.places = places;
    this.wide = new Set(places);
    if (places.length === 0) return;
    this.aside = new Float64Array(count);
    const base = Number(answer.base);
    for (const i of places) {
      const e = ends.get(i)!;
      this.aside[i] = standing(e, counts[i], chanceOf(from[i], to[i], (base + e.sentFirst) / GRAIN)) - sent[i];
    }
  }

  /** By how much the arrow of the message at a place stands aside of the mean of its times, ns. */
  asideOf(i: number): number {
    return this.aside === null ? 0 : this.aside[i];
  }

  /** How long the longest among arrows is, ns; 0 where there is none. */
  longest(arrows: readonly Arrow[]): number {
    if (this.aside === null) return 0;
    let most = 0;
    for (const { members } of arrows)
      for (const i of members) {
        if (!this.wide.has(i)) continue;
        const ends = this.answer.ends.get(i)!;
        most = Math.max(most, ends.sentLast - ends.sentFirst);
      }
    return most;
  }

  /** The stretches in which the messages of those that are among some places lie, on the lines of both their ends; row is the place of the line of an end, undefined where it is not listed. No
   * two lie on each other. */
  stretches(of: Iterable<number>, row: (i: number, end: 0 | 1) => number | undefined): Stretch[] {
    if (this.aside === null) return [];
    const { ends, counts, from, to } = this.answer;
    const all: Stretch[] = [];
    const add = (line: number | undefined, id: number, begin: number, end: number, count: number) => {
      if (line !== undefined) all.push({ row: line, id, begin, end, density: count / Math.max(1, end - begin) });
    };
    for (const i of of) {
      if (!this.wide.has(i)) continue;
      const e = ends.get(i)!;
      add(row(i, 0), from[i], e.sentFirst, e.sentLast, counts[i]);
      add(row(i, 1), to[i], e.receivedFirst, e.receivedLast, counts[i]);
    }
    return laidOn(all);
  }
}

/** Stretches of which no two lie on each other, of all that lie on any: where several do their densities add up. */
export function laidOn(stretches: readonly Stretch[]): Stretch[] {
  const edges: { row: number; id: number; at: number; by: number; of: number }[] = [];
  for (const { row, id, begin, end, density } of stretches) edges.push({ row, id, at: begin, by: density, of: 1 }, { row, id, at: end, by: -density, of: -1 });
  edges.sort((a, b) => a.row - b.row || a.at - b.at);
  const out: Stretch[] = [];
  let [density, lie] = [0, 0];
  for (let i = 0; i < edges.length; i++) {
    const { row, id, at, by, of } = edges[i];
    density += by;
    lie += of;
    if (lie === 0) density = 0; // and not what rounding leaves
    else if (edges[i + 1].at > at) out.push({ row, id, begin: at, end: edges[i + 1].at, density });
  }
  return out;
}

const THICK = 3;
/** A line with no more messages in a pixel than this is as faint as one can be, with so many as strong as one can. */
const FEW = 0.01;
const MANY = 1;
const STEPS = 6;

/** How strong a line with so many messages in a pixel is, of 0 to STEPS. */
export function strength(perPixel: number): number {
  return Math.round(STEPS * Math.min(1, Math.max(0, Math.log(perPixel / FEW) / Math.log(MANY / FEW))));
}

/** Draws stretches of lines thick, as far as a width shows them, from faint to strong as many messages as are in a pixel. x is where a time on a row is, y where a line is. */
export function drawStretches(g: CanvasRenderingContext2D, stretches: readonly Stretch[], width: number, height: number, perPixel: number, x: (ns: number, id: number) => number, y: (row: number) => number, color: string, faint: number, strong: number): void {
  g.fillStyle = color;
  for (let i = 0; i < stretches.length; ) {
    const { row, id, begin, density } = stretches[i];
    const step = strength(density * perPixel);
    let { end } = stretches[i];
    // What touches and looks the same is one.
    while (++i < stretches.length && stretches[i].row === row && stretches[i].begin === end && strength(stretches[i].density * perPixel) === step) ({ end } = stretches[i]);
    const line = y(row);
    if (line < -BESIDE || line > height + BESIDE) continue;
    const [x0, x1] = [Math.max(x(begin, id), -BESIDE), Math.min(x(end, id), width + BESIDE)];
    g.globalAlpha = faint + (step / STEPS) * (strong - faint);
    if (x0 <= x1) g.fillRect(x0, Math.round(line) - (THICK - 1) / 2, Math.max(1, x1 - x0), THICK);
  }
  g.globalAlpha = 1;
}
