// Where hosts stand. In a small component the reference is in the middle and every other
// host on a ring by its distance in hops, within the angle of what is behind it; components stand side by side. Where that
// finds no room all hosts stand in rows.

import { drop, fold, LONGEST, type Fold } from "./fold.js";
import { forest, type Branch, type Edge, type Member } from "./forest.js";

export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly middle: { readonly x: number; readonly y: number }; // of the component
  readonly tree: Place | null; // in a tree with a row for each host
}

/** A place among rows. */
export interface Place {
  readonly fold: Fold;
  readonly row: number;
  readonly column: number;
  readonly depth: number; // hops from the root
}

export const RADIUS = 17;
/** More hosts than this do not find room around a middle. */
const AROUND = 8;
const RING = 130;
/** What names take on both sides of a component. */
const CAPTIONS = 180;
/** How high name and bound are, and how wide: a letter of a name, and "reference" and a bound. */
const CAPTION = 34;
const LETTER = 8.6;
const NOTE = { least: 66, most: 128 };
/** Hops that are closer than this go up and down instead of left and right. */
const CLOSE = 110;
/** A hop up or down of a line, and of a ring, at least. */
const HOP = 58;
const RISE = 70;

/** With rows hosts stand in rows in any case. */
export function arrange(hosts: readonly Member[], edges: readonly Edge[], width: number, height: number, rows = false): { spots: Map<string, Spot>; width: number; height: number } {
  const roots = forest(hosts, edges);
  return (rows ? null : around(roots, width, height)) ?? fold(roots, width, height);
}

// Components around their middles, in shelves; null where they find no room.
function around(roots: readonly Branch[], width: number, height: number): { spots: Map<string, Spot>; width: number; height: number } | null {
  if (roots.some((root) => root.hosts > AROUND || tight(root, width))) return null;
  const shelves: { root: Branch; size: Extent; x: number }[][] = [];
  let x = Infinity;
  for (const root of roots) {
    const size = extent(root, width);
    if (x + size.w > width) {
      shelves.push([]);
      x = 0;
    }
    shelves[shelves.length - 1].push({ root, size: roots.length === 1 ? { ...size, w: width } : size, x });
    x += size.w;
  }
  const tallest = shelves.map((shelf) => Math.max(...shelf.map((s) => s.size.h)));
  const least = tallest.reduce((a, b) => a + b, 0);
  if (least > height) return null;
  const stretch = Math.min(1.8, height / Math.max(1, least));
  const spots = new Map<string, Spot>();
  let y = 0;
  shelves.forEach((shelf, i) => {
    const { size, x } = shelf[shelf.length - 1];
    const left = (width - x - size.w) / 2;
    for (const s of shelf) put(s.root, spots, left + s.x, y, { ...s.size, h: tallest[i] * stretch });
    y += tallest[i] * stretch;
  });
  // What is written of a middle stands on the side that is free, unless it has two neighbours at most.
  const notes = new Map(roots.map((root) => [root.name, straight(root) ? NOTE.least : 2 * RADIUS]));
  const stand = [...spots].map(([name, s]) => ({ x: s.x, y: s.y, wide: Math.max(Math.min(LONGEST, name.length) * LETTER, notes.get(name) ?? NOTE.most) }));
  if (stand.some((a, i) => stand.slice(0, i).some((b) => collide(a, b)))) return null;
  return { spots, width, height: y };
}

// Whether what is written of one host, below or above it, would lie on the other, or on what is written of that.
function collide(a: { x: number; y: number; wide: number }, b: { x: number; y: number; wide: number }): boolean {
  const [dx, dy] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  const beside = dx > (a.wide + b.wide) / 2 + 10;
  const below = dy > 2 * RADIUS + CAPTION;
  const between = dy > CAPTION && dx > Math.max(a.wide, b.wide) / 2 + RADIUS + 2;
  return !beside && !below && !between;
}

// Whether all hosts stand on one line: a chain, or two from the reference.
function straight(root: Branch): boolean {
  return root.leaves === 1 || (root.leaves === 2 && root.children.length === 2);
}

// Rings around a middle need room.
function tight(root: Branch, width: number): boolean {
  return !straight(root) && (extent(root, width).w - CAPTIONS) / (2 * root.depth) < 60;
}

// What a component takes, at least.
interface Extent {
  readonly w: number;
  readonly h: number;
  readonly upright: boolean; // branches go up and down
}

function extent(root: Branch, width: number): Extent {
  const { depth, leaves } = root;
  if (depth === 0) return { w: 130, h: 84, upright: false };
  const across = leaves === 1 ? depth : 2 * depth; // hops from end to end
  const w = Math.min(across * RING + CAPTIONS, width);
  if (!straight(root)) return { w, h: 2 * depth * RISE + 110, upright: false };
  if ((w - CAPTIONS) / across < CLOSE && across > 1) return { w: Math.min(360, width), h: across * HOP + 110, upright: true };
  return { w, h: leaves === 1 ? 110 : 150, upright: false };
}

function put(root: Branch, spots: Map<string, Spot>, left: number, top: number, { w, h, upright }: Extent): void {
  const chain = root.leaves === 1 && root.depth > 0;
  const hops = (chain ? 1 : 2) * Math.max(1, root.depth);
  const [rx, ry] = [Math.max(80, w - CAPTIONS) / hops, Math.max(80, h - 110) / hops];
  const middle = { x: chain && !upright ? left + (w - rx * hops) / 2 : left + w / (upright ? 3 : 2), y: chain && upright ? top + 55 : top + h / 2 };
  const visit = (b: Branch, depth: number, from: number, to: number) => {
    const angle = (from + to) / 2;
    spots.set(b.name, { x: middle.x + depth * rx * Math.cos(angle), y: middle.y + depth * ry * Math.sin(angle), r: RADIUS, middle, tree: null });
    const each = (to - from) / b.leaves;
    for (const c of b.children) {
      visit(c, depth + 1, from, from + each * c.leaves);
      from += each * c.leaves;
    }
  };
  // Two branches go left and right, or up and down; of three and more none goes straight up.
  const begin = chain ? (upright ? -Math.PI / 2 : -Math.PI) : straight(root) && !upright ? -Math.PI / 2 : -Math.PI;
  visit(root, 0, begin, begin + 2 * Math.PI);
}

/** The way of a link: its path, and where on it one is after a share of it; of one between rows that is told on the straight way. One that
 * is not in use bends away from those that are. */
export function route(a: Spot, b: Spot, bent: boolean): { path: string; at: (t: number) => { x: number; y: number } } {
  const straight = (t: number) => ({ x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) });
  if (!bent) return { path: a.tree ? drop(a, b) : `M${a.x} ${a.y}L${b.x} ${b.y}`, at: straight };
  const { x: mx, y: my } = straight(0.5);
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  let [px, py] = [(b.y - a.y) / long, (a.x - b.x) / long]; // across the link
  const out = px * (mx - a.middle.x) + py * (my - a.middle.y);
  // Across the middle upwards, or to the left, where no names are.
  const away = a.tree ? px > 0 : Math.abs(out) > 1 ? out > 0 : Math.abs(py) > 0.1 ? py < 0 : px < 0;
  if (!away) [px, py] = [-px, -py];
  const far = a.tree ? 30 + Math.min(0.3 * long, 90) : (Math.abs(px) > 0.9 ? Math.min(0.64 * long, 120) : 0.25 * long);
  [px, py] = [mx + px * far, my + py * far];
  const at = (t: number) => {
    const [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return { x: u * a.x + v * px + w * b.x, y: u * a.y + v * py + w * b.y };
  };
  return { path: `M${a.x} ${a.y}Q${px} ${py} ${b.x} ${b.y}`, at };
}
