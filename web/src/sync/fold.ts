// Hosts in rows: each has one of its own, further right the more hops it is from the root of its tree, so that no name can lie on
// another. Rows that find no room below each other go on in further columns, the lines of the trees with them.

import { byName } from "../model/natural.js";
import type { Spot } from "./arrange.js";
import type { Branch } from "./forest.js";

/** A longer name is cut, to less where bounds would else have no room, but not to less than FEWEST letters. */
export const LONGEST = 24;
const FEWEST = 14;
/** How far rows are apart, pixels; nearer than small, names are set in small letters. Where nothing fits they scroll. */
const PITCH = { least: 13, small: 18, most: 40, scrolled: 20 };
/** A letter of a name, and of one in small letters. */
const LETTER = { usual: 7.4, small: 6.6 };
/** What bounds take right of the names. */
const NOTES = 165;
/** How far a host stands right of the one it hangs from; far, where rows are so far apart that words find room between them. */
const INDENT = { least: 3, usual: 12, most: 34, far: 76 };
const FAR = 38;
const EDGE = 6;
const RADIUS = { usual: 6, small: 4.5 };

/** How rows are folded into columns. */
export interface Fold {
  readonly lines: number; // rows of a column
  readonly pitch: number;
  readonly width: number; // of a column
  readonly step: number; // right, for each hop
  readonly small: boolean;
  readonly noted: boolean; // bounds have room at the right
  readonly letters: number; // of a name, at most
}

/** Where the hosts of trees stand in rows. They are as wide and as high as there is room, and more only if nothing else is legible. */
export function fold(roots: readonly Branch[], width: number, height: number): { spots: Map<string, Spot>; width: number; height: number } {
  const f = plan(roots, width, height);
  const spots = new Map<string, Spot>();
  const r = f.small ? RADIUS.small : RADIUS.usual;
  let row = 0;
  const visit = (b: Branch, depth: number) => {
    const column = Math.floor(row / f.lines);
    const y = ((row % f.lines) + 0.5) * f.pitch;
    spots.set(b.name, { x: EDGE + r + column * f.width + depth * f.step, y, r, middle: { x: width / 2, y: 0 }, tree: { fold: f, row, column, depth } });
    row++;
    for (const c of [...b.children].sort((p, q) => byName(p.name, q.name))) visit(c, depth + 1);
  };
  for (const root of roots) {
    if (row % f.lines > 0) row++; // apart from the tree above
    visit(root, 0);
  }
  const columns = Math.ceil(row / f.lines);
  return { spots, width: Math.max(width, columns * f.width), height: Math.min(row, f.lines) * f.pitch };
}

function plan(roots: readonly Branch[], width: number, height: number): Fold {
  const rows = roots.reduce((n, b) => n + b.hosts + 1, -1);
  const depth = roots.reduce((n, b) => Math.max(n, b.depth), 0);
  const most = Math.min(LONGEST, Math.max(...roots.map(longest)));
  const of = (columns: number, lines: number, pitch: number): Fold => {
    const small = pitch < PITCH.small;
    const [letter, beside] = [small ? LETTER.small : LETTER.usual, 2 * EDGE + 2 * (small ? RADIUS.small : RADIUS.usual) + 6];
    const room = Math.floor((width - beside - depth * INDENT.usual - NOTES) / letter);
    const noted = columns === 1 && room >= Math.min(most, FEWEST);
    const letters = noted ? Math.min(most, room) : most;
    const taken = beside + letters * letter;
    const step = Math.max(INDENT.least, Math.min(noted && pitch >= FAR ? INDENT.far : INDENT.most, (width / columns - taken - (noted ? NOTES : 0)) / Math.max(1, depth)));
    const least = taken + depth * step;
    return { lines, pitch, width: columns === 1 ? least : Math.max(least, width / columns), step, small, noted, letters };
  };
  for (let columns = 1; columns <= rows; columns++) {
    const lines = Math.ceil(rows / columns);
    const f = of(columns, lines, Math.min(PITCH.most, height / lines));
    if (columns > 1 && columns * f.width > width + 0.5) break;
    if (f.pitch >= PITCH.least) return f;
  }
  return of(1, rows, PITCH.scrolled);
}

function longest(b: Branch): number {
  return b.children.reduce((most, c) => Math.max(most, longest(c)), b.name.length);
}

/** The line from a host to one that hangs from it: down, from the bottom of a column to the top of the next, and right. */
export function drop(a: Spot, b: Spot): string {
  const [from, to] = a.tree!.row < b.tree!.row ? [a, b] : [b, a];
  const { fold: f, column } = from.tree!;
  const out = [`M${from.x} ${from.y}`];
  for (let k = column; k < to.tree!.column; k++) out.push(`V${f.lines * f.pitch}M${from.x + (k + 1 - column) * f.width} 0`);
  const x = from.x + (to.tree!.column - column) * f.width;
  const bend = Math.min(5, to.x - x);
  return `${out.join("")}V${to.y - bend}Q${x} ${to.y} ${x + bend} ${to.y}H${to.x}`;
}
