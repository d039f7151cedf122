// Where hosts stand. In a small component the reference is in the middle and every other
// host on a ring by its distance in hops, within the angle of what is behind it; a large
// one is a tree from left to right with a row for each leaf. Components stand side by side.

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
  readonly tree: boolean; // in a tree from left to right
  readonly leaf: boolean;
  readonly depth: number; // hops from the reference
}

interface Branch {
  readonly name: string;
  readonly children: Branch[];
  readonly hosts: number;
  readonly leaves: number;
  readonly depth: number; // hops to the furthest host behind it
}

export const RADIUS = 17;
const SMALL = 9;
/** More hosts than this do not find room around a middle. */
const AROUND = 8;
const ROW = 38;
const RING = 130;
/** What names take on both sides of a component. */
const CAPTIONS = 180;
/** What the names of leaves take right of a tree. */
const LEAVES = 165;

export function arrange(hosts: readonly Member[], edges: readonly Edge[], width: number, height: number): { spots: Map<string, Spot>; height: number } {
  const spots = new Map<string, Spot>();
  const roots = branches(hosts, edges).sort((a, b) => b.hosts - a.hosts);
  let [x, y, row] = [0, 0, 0];
  for (const root of roots) {
    if (root.hosts > AROUND) {
      y += hang(root, spots, y + 24, width) + 48;
      continue;
    }
    const size = roots.length === 1 ? { w: width, h: Math.max(extent(root).h, height) } : extent(root);
    const w = Math.min(size.w, width);
    if (x + w > width && x > 0) [x, y, row] = [0, y + row, 0];
    put(root, spots, x, y, w, size.h);
    x += w;
    row = Math.max(row, size.h);
  }
  return { spots, height: y + row };
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

function extent(root: Branch): { w: number; h: number } {
  if (root.depth === 0) return { w: 130, h: 100 };
  if (root.leaves === 1) return { w: root.depth * RING + CAPTIONS, h: 110 };
  if (root.leaves === 2) return { w: 2 * root.depth * RING + CAPTIONS, h: 150 };
  return { w: 2 * root.depth * RING + CAPTIONS, h: 2 * root.depth * 90 + 110 };
}

function put(root: Branch, spots: Map<string, Spot>, left: number, top: number, w: number, h: number): void {
  const chain = root.leaves === 1 && root.depth > 0;
  const middle = { x: chain ? left + CAPTIONS / 2 : left + w / 2, y: top + h / 2 };
  const reach = chain ? w - CAPTIONS : (w - CAPTIONS) / 2;
  const [rx, ry] = [Math.max(40, reach) / Math.max(1, root.depth), Math.max(40, (h - 110) / 2) / Math.max(1, root.depth)];
  const visit = (b: Branch, depth: number, from: number, to: number) => {
    const angle = (from + to) / 2;
    spots.set(b.name, { x: middle.x + depth * rx * Math.cos(angle), y: middle.y + depth * ry * Math.sin(angle), r: RADIUS, middle, tree: false, leaf: b.children.length === 0, depth });
    const each = (to - from) / b.leaves;
    for (const c of b.children) {
      visit(c, depth + 1, from, from + each * c.leaves);
      from += each * c.leaves;
    }
  };
  // Two branches go left and right; of three and more none goes straight up.
  const begin = root.leaves === 2 ? -Math.PI / 2 : -Math.PI;
  visit(root, 0, begin, begin + 2 * Math.PI);
}

// Returns how high the tree is.
function hang(root: Branch, spots: Map<string, Spot>, top: number, width: number): number {
  const step = (width - LEAVES - 40) / root.depth;
  const middle = { x: width / 2, y: top };
  let next = top + ROW / 2;
  const visit = (b: Branch, depth: number): number => {
    const leaf = b.children.length === 0;
    let y = next;
    if (leaf) next += ROW;
    else y = b.children.map((c) => visit(c, depth + 1)).reduce((m, v) => m + v, 0) / b.children.length;
    spots.set(b.name, { x: 34 + depth * step, y, r: SMALL, middle, tree: true, leaf, depth });
    return y;
  };
  visit(root, 0);
  return next - ROW / 2 - top;
}

/** The path of a link, and where its label stands. One that is not in use bends away from those that are. */
export function route(a: Spot, b: Spot, bent: boolean): { path: string; x: number; y: number } {
  const [mx, my] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
  if (!bent && a.tree) return { path: `M${a.x} ${a.y}C${mx} ${a.y} ${mx} ${b.y} ${b.x} ${b.y}`, x: Math.max(a.x, b.x) - 46, y: a.x > b.x ? a.y : b.y };
  if (!bent) return { path: `M${a.x} ${a.y}L${b.x} ${b.y}`, x: mx, y: my };
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  let [px, py] = [(b.y - a.y) / long, (a.x - b.x) / long]; // across the link
  if (px * (mx - a.middle.x) + py * (my - a.middle.y) < -1e-6 || (a.tree && px < 0)) [px, py] = [-px, -py];
  const far = a.tree ? Math.min(0.3 * long, 50) : 0.25 * long;
  [px, py] = [mx + px * far, my + py * far];
  return { path: `M${a.x} ${a.y}Q${px} ${py} ${b.x} ${b.y}`, x: (mx + px) / 2, y: (my + py) / 2 };
}
