// Links of hosts that stand in one column of rows: those that are not in use run right of all names, each in a lane of its own, and
// the words of those in use stand above the line to the host that hangs there, where rows and hops are far enough apart.

import type { Spot } from "./arrange.js";
import { LETTER, NAME, type Joined } from "./captions.js";

/** What stands right of a host: its name, and the bound at the edge of the drawing. */
export interface Beside {
  readonly host: string;
  readonly name: string;
  readonly note: string;
}

/** How far a lane stays from words, and lanes from each other, pixels. */
const APART = 7;
/** How far links that end at one name are apart there. */
const FAN = 4;
/** How round the corners of a lane are. */
const CORNER = 4;
/** How high words are above their line, and how far rows are apart at least for words between them. */
const ABOVE = 10;
const HIGH = 38;

/** Where the name of a host in a row ends, with the space behind it. */
export const nameEnd = (s: Spot, name: string): number => s.x + s.r + 5 + (name.length + 1) * NAME;

/** The ways of the links that are not in use, for as many as there is room left of the bounds; the shortest are next to the names. */
export function lanes<L extends Joined>(spots: ReadonlyMap<string, Spot>, links: readonly L[], hosts: readonly Beside[], width: number): Map<L, string> {
  const out = new Map<L, string>();
  const rows = hosts.flatMap((h) => {
    const s = spots.get(h.host);
    return s?.tree ? [{ h, s, end: nameEnd(s, h.name) + APART }] : [];
  });
  if (rows.length < 2 || rows.some(({ s }) => s.tree!.column > 0 || s.tree!.fold.small)) return out;
  const noted = rows.some(({ s }) => s.tree!.fold.noted);
  const edge = width - 6 - (noted ? Math.max(...rows.map(({ h }) => h.note.length)) * LETTER + 4 : 0);
  const at = new Map(rows.map((r) => [r.h.host, r]));
  const joined = links
    .flatMap((l) => {
      const [a, b] = [at.get(l.a), at.get(l.b)];
      return a && b && !l.used ? [{ l, ends: a.s.y < b.s.y ? ([a, b] as const) : ([b, a] as const) }] : [];
    })
    .sort((p, q) => p.ends[1].s.y - p.ends[0].s.y - (q.ends[1].s.y - q.ends[0].s.y));
  let x = Math.max(...rows.map((r) => r.end));
  const leave = new Map<string, number>();
  const from = (host: string, y: number, way: 1 | -1): number => {
    const n = leave.get(host + way) ?? 0;
    leave.set(host + way, n + 1);
    return y + way * FAN * n;
  };
  for (const { l, ends } of joined) {
    x += APART;
    if (x > edge) break;
    const [top, bottom] = ends;
    const [y0, y1] = [from(top.h.host, top.s.y, -1), from(bottom.h.host, bottom.s.y, 1)];
    out.set(l, `M${top.end - APART + 2} ${y0}H${x - CORNER}Q${x} ${y0} ${x} ${y0 + CORNER}V${y1 - CORNER}Q${x} ${y1} ${x - CORNER} ${y1}H${bottom.end - APART + 2}`);
  }
  return out;
}

/** Where the words of links in use stand, of those that have room. */
export function hopWords<L extends Joined>(spots: ReadonlyMap<string, Spot>, links: readonly L[]): Map<L, { x: number; y: number }> {
  const out = new Map<L, { x: number; y: number }>();
  for (const l of links) {
    const [a, b] = [spots.get(l.a), spots.get(l.b)];
    if (!l.used || !l.words || !a?.tree || !b?.tree || a.tree.fold.pitch < HIGH || a.tree.column !== b.tree.column) continue;
    const [from, to] = a.tree.row < b.tree.row ? [a, b] : [b, a];
    const [left, right] = [from.x + 4, to.x - to.r];
    if (right - left >= l.words.length * LETTER + 2) out.set(l, { x: (left + right) / 2, y: to.y - ABOVE });
  }
  return out;
}
