// Where hosts stand. In a small component the reference is in the middle and every other
// host on a ring by its distance in hops, within the angle of what is behind it; a large
// one is a tree with a row for each host, so that no name can lie on another. Components stand side by side.

import { byName } from "../model/natural.js";

export interface Edge {
  readonly a: string;
  readonly b: string;
}

export interface Member {
  readonly name: string;
  readonly component: number;
  readonly reference: boolean;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly middle: { readonly x: number; readonly y: number }; // of the component
  readonly tree: boolean; // in a tree with a row for each host
  readonly noted: boolean; // there is room for more than the name
}

interface Branch {
  readonly name: string;
  readonly children: Branch[];
  readonly hosts: number;
  readonly leaves: number;
  readonly depth: number; // hops to the furthest host behind it
}

export const RADIUS = 17;
const SMALL = 6;
/** More hosts than this do not find room around a middle. */
const AROUND = 8;
const ROW = 20;
const RING = 130;
/** What names take on both sides of a component. */
const CAPTIONS = 180;
/** What bounds take right of the names of a tree, and a letter of a name. */
const NOTES = 165;
const LETTER = 7.4;
/** How far a host of a tree stands right of the one it hangs from. */
const INDENT = { least: 12, most: 34 };
/** Hops that are closer than this go up and down instead of left and right. */
const CLOSE = 110;
/** A hop up or down, at least. */
const HOP = 58;

export function arrange(hosts: readonly Member[], edges: readonly Edge[], width: number, height: number): { spots: Map<string, Spot>; width: number; height: number } {
  const spots = new Map<string, Spot>();
  let wide = width;
  const roots = branches(hosts, edges).sort((a, b) => b.hosts - a.hosts);
  let [x, y, row] = [0, 0, 0];
  for (const root of roots) {
    if (root.hosts > AROUND || tight(root, width)) {
      if (x > 0) [x, y, row] = [0, y + row, 0];
      const size = hang(root, spots, y, width);
      wide = Math.max(wide, size.w);
      y += size.h + 48;
      continue;
    }
    const e = extent(root, width);
    const size = roots.length === 1 ? { ...e, w: width, h: Math.max(e.h, Math.min(height, 1.6 * e.h)) } : e;
    if (x + size.w > width && x > 0) [x, y, row] = [0, y + row, 0];
    put(root, spots, x, y, size);
    x += size.w;
    row = Math.max(row, size.h);
  }
  return { spots, width: wide, height: y + row };
}

// The trees of the links in use, each hung from its reference, or from its first host.
function branches(hosts: readonly Member[], edges: readonly Edge[]): Branch[] {
  const neighbours = new Map<string, string[]>(hosts.map((h) => [h.name, []]));
  for (const { a, b } of edges) {
    neighbours.get(a)?.push(b);
    neighbours.get(b)?.push(a);
  }
  const seen = new Set<string>();
  const grow = (name: string): Branch => {
    seen.add(name);
    const children: Branch[] = [];
    for (const next of neighbours.get(name) ?? []) if (!seen.has(next) && neighbours.has(next)) children.push(grow(next));
    const sum = (f: (b: Branch) => number) => children.reduce((n, b) => n + f(b), 0);
    return { name, children, hosts: 1 + sum((b) => b.hosts), leaves: Math.max(1, sum((b) => b.leaves)), depth: children.reduce((n, b) => Math.max(n, 1 + b.depth), 0) };
  };
  const first = [...hosts].sort((a, b) => Number(b.reference) - Number(a.reference));
  return first.flatMap((h) => (seen.has(h.name) ? [] : [grow(h.name)]));
}

// Whether all hosts stand on one line: a chain, or two from the reference.
function straight(root: Branch): boolean {
  return root.leaves === 1 || (root.leaves === 2 && root.children.length === 2);
}

// Rings around a middle need room.
function tight(root: Branch, width: number): boolean {
  return !straight(root) && (extent(root, width).w - CAPTIONS) / (2 * root.depth) < 60;
}

interface Extent {
  readonly w: number;
  readonly h: number;
  readonly upright: boolean; // branches go up and down
}

function extent(root: Branch, width: number): Extent {
  const { depth, leaves } = root;
  if (depth === 0) return { w: 130, h: 100, upright: false };
  const across = leaves === 1 ? depth : 2 * depth; // hops from end to end
  const w = Math.min(across * RING + CAPTIONS, width);
  if (!straight(root)) return { w, h: 2 * depth * 90 + 110, upright: false };
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
    spots.set(b.name, { x: middle.x + depth * rx * Math.cos(angle), y: middle.y + depth * ry * Math.sin(angle), r: RADIUS, middle, tree: false, noted: true });
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

// Returns how large the tree is. Bounds stand at the right where there is room for them.
function hang(root: Branch, spots: Map<string, Spot>, top: number, width: number): { w: number; h: number } {
  const longest = (b: Branch): number => b.children.reduce((most, c) => Math.max(most, longest(c)), b.name.length * LETTER + 6);
  const left = SMALL + 6;
  const name = Math.min(180, longest(root)) + SMALL + 12;
  const step = Math.max(INDENT.least, Math.min(INDENT.most, (width - left - name - NOTES) / root.depth));
  const w = left + root.depth * step + name;
  const noted = w + NOTES <= width;
  const middle = { x: width / 2, y: top };
  let y = top + ROW / 2;
  const visit = (b: Branch, depth: number) => {
    spots.set(b.name, { x: left + depth * step, y, r: SMALL, middle, tree: true, noted });
    y += ROW;
    for (const c of [...b.children].sort((p, q) => byName(p.name, q.name))) visit(c, depth + 1);
  };
  visit(root, 0);
  return { w, h: root.hosts * ROW };
}

/** The path of a link, and where its label stands. One that is not in use bends away from those that are. */
export function route(a: Spot, b: Spot, bent: boolean): { path: string; x: number; y: number } {
  const [mx, my] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
  if (!bent && a.tree) {
    const [from, to] = a.y < b.y ? [a, b] : [b, a];
    return { path: `M${from.x} ${from.y}V${to.y - 5}Q${from.x} ${to.y} ${from.x + 5} ${to.y}H${to.x}`, x: from.x, y: to.y };
  }
  if (!bent) return { path: `M${a.x} ${a.y}L${b.x} ${b.y}`, x: mx, y: my };
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  let [px, py] = [(b.y - a.y) / long, (a.x - b.x) / long]; // across the link
  const out = px * (mx - a.middle.x) + py * (my - a.middle.y);
  // Across the middle upwards, or to the left, where no names are.
  const away = a.tree ? px > 0 : Math.abs(out) > 1 ? out > 0 : Math.abs(py) > 0.1 ? py < 0 : px < 0;
  if (!away) [px, py] = [-px, -py];
  const far = a.tree ? 30 + Math.min(0.3 * long, 90) : (Math.abs(px) > 0.9 ? Math.min(0.64 * long, 120) : 0.25 * long);
  [px, py] = [mx + px * far, my + py * far];
  return { path: `M${a.x} ${a.y}Q${px} ${py} ${b.x} ${b.y}`, x: (mx + px) / 2, y: (my + py) / 2 };
}
