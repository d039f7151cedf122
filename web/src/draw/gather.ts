// Arrows that would lie on each other become one bundle: those between the same two rows
// whose ends fall into the same few pixels. The server bundles what would be too much to send;
// this bundles what would be too much to see, and knows which rows are open.

import { BUNDLE, VIOLATION, type MessagesAnswer } from "../net/wire.js";

/** Where a message lies, CSS pixels; index is its place in the answer. */
export interface Placed {
  readonly index: number;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** What is drawn as one arrow: one message of the answer, or several. */
export interface Arrow extends Placed {
  readonly members: readonly number[];
  readonly count: number;
  readonly bundle: boolean;
  readonly violation: boolean;
  /** How many a bundle has, in words; "" of a single message. */
  readonly label: string;
}

/** Ends within so many pixels count as the same place. */
const CELL = 8;
/** Fewer messages than this are still told apart. */
const FEW = 4;

/** Gathers placed messages; ends of a bundle are the means of its members'. */
export function gather(a: MessagesAnswer, placed: readonly Placed[]): Arrow[] {
  const cells = new Map<string, Placed[]>();
  for (const p of placed) {
    const key = `${p.y0} ${p.y1} ${Math.floor(p.x0 / CELL)} ${Math.floor(p.x1 / CELL)}`;
    const cell = cells.get(key);
    if (cell) cell.push(p);
    else cells.set(key, [p]);
  }
  const out: Arrow[] = [];
  for (const cell of cells.values()) {
    if (cell.length < FEW) for (const p of cell) out.push(arrow(a, [p]));
    else out.push(arrow(a, cell));
  }
  return out;
}

function arrow(a: MessagesAnswer, of: readonly Placed[]): Arrow {
  let [count, x0, x1] = [0, 0, 0];
  let [bundle, violation] = [of.length > 1, false];
  for (const p of of) {
    const n = a.counts[p.index];
    count += n;
    x0 += n * p.x0;
    x1 += n * p.x1;
    bundle ||= (a.flags[p.index] & BUNDLE) !== 0 || n > 1;
    violation ||= (a.flags[p.index] & VIOLATION) !== 0;
  }
  const { index, y0, y1 } = of[0];
  [x0, x1] = [x0 / count, x1 / count];
  // Bundles there and back would lie on each other: each keeps to its right-hand side.
  const aside = bundle && Math.abs(x1 - x0) < CELL ? (y1 > y0 ? -4 : 4) : 0;
  const label = bundle ? `${violation ? "! " : ""}×${count}` : "";
  return { index, members: of.map((p) => p.index), count, bundle, violation, label, x0: x0 + aside, y0, x1: x1 + aside, y1 };
}
