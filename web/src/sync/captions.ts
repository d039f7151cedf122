// Where words stand in the graph of hosts: on nothing else, and where no line runs through them, as far as there is such a place.

import { route, type Spot } from "./arrange.js";

/** What words or a host take of the drawing. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A host by what is written of it. */
export interface Named {
  readonly host: string;
  readonly name: string;
  readonly note: string;
}

/** A link that is drawn, and the words that are to stand on it; "" for none. */
export interface Joined {
  readonly a: string;
  readonly b: string;
  readonly used: boolean;
  readonly words: string;
}

/** Where a name stands: its line of text, and the note below. */
export interface Caption {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
}

/** Where all words stand. */
export interface Placed<L extends Joined> {
  readonly spots: Map<string, Spot>;
  readonly captions: Map<string, Caption>;
  readonly labels: Map<L, { readonly x: number; readonly y: number }>;
  /** No name covers anything, and no line runs through one. */
  readonly clear: boolean;
}

/** The width of a letter of a note, and of a host's name, most of the time at most. */
export const LETTER = 6.6;
export const NAME = 8.2;
/** What it costs words to cover something or to be crossed by a line, more than any side is better than another; and to have no room. */
const COVERED = 4;
const LAST = 100;
/** How far a line stays from words, at least. */
const CLEAR = 2;
/** How far from the middle of its link a label stands that is beside it. */
const BESIDE = 5;
/** How finely lines are looked at, pixels. */
const GRAIN = 5;
/** Where on its link a label may stand, rather than not the first of them. */
const ALONG = [0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74];
/** How far all hosts are moved to the side if that helps, in how many steps each way. */
const MOVE = 8;
const MOVES = 12;

/** Finds places for all words; the hosts come to stand a little aside where those have more room then. */
export function place<L extends Joined>(spots: Map<string, Spot>, links: readonly L[], hosts: readonly Named[], width: number): Placed<L> {
  const xs = [...spots.values()].flatMap((s) => [s.x - s.r, s.x + s.r]);
  const [left, right] = [-Math.min(...xs) + 2, width - Math.max(...xs) - 2];
  let best: (Placed<L> & { cost: number }) | null = null;
  for (let k = 0; k <= 2 * MOVES; k++) {
    const by = (k % 2 ? 1 : -1) * Math.ceil(k / 2) * MOVE;
    if (by < Math.min(0, left) || by > Math.max(0, right)) continue;
    const found = attempt(moved(spots, by), links, hosts, width);
    if (!best || found.cost < best.cost) best = found;
    if (best.cost === 0) break;
  }
  return best!;
}

function moved(spots: Map<string, Spot>, by: number): Map<string, Spot> {
  return by === 0 ? spots : new Map([...spots].map(([name, s]) => [name, { ...s, x: s.x + by, middle: { x: s.middle.x + by, y: s.middle.y } }]));
}

// Places for all words while the hosts stand so, and what they cover.
function attempt<L extends Joined>(spots: Map<string, Spot>, links: readonly L[], hosts: readonly Named[], width: number): Placed<L> & { cost: number } {
  const lines = links.flatMap((l) => {
    const [a, b] = [spots.get(l.a), spots.get(l.b)];
    return a && b ? [{ l, a, b, ...route(a, b, !l.used) }] : [];
  });
  const ways = lines.map(({ a, b, at }) => {
    const n = Math.max(2, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / GRAIN));
    return Array.from({ length: n + 1 }, (_, i) => at(i / n));
  });
  const taken: Box[] = [...spots.values()].map((s) => ({ left: s.x - s.r, right: s.x + s.r, top: s.y - s.r, bottom: s.y + s.r }));
  const covers = (box: Box, own = -1) => taken.filter((b) => meet(b, box)).length + ways.filter((way, i) => i !== own && way.some((p) => within(p, box))).length;
  let cost = 0;

  const captions = new Map<string, Caption>();
  for (const h of hosts) {
    const s = spots.get(h.host);
    if (!s) continue;
    const leave = lines.flatMap(({ l, a, b, at }) => (l.a === h.host ? [towards(a, at(0.5))] : l.b === h.host ? [towards(b, at(0.5))] : []));
    const half = (Math.max(h.name.length * 1.3, h.note.length) * LETTER) / 2 + 4;
    const all = sides(s, half, width).map((side) => {
      const n = covers(boxOf(side, half));
      return { ...side, covers: n + (side.fits ? 0 : LAST), score: side.weight * free(side.angle, leave) - COVERED * n - (side.fits ? 0 : COVERED * LAST) };
    });
    const to = all.reduce((x, y) => (y.score > x.score + 1e-9 ? y : x));
    cost += to.covers;
    captions.set(h.host, to);
    taken.push(boxOf(to, half));
  }
  const clear = cost === 0;

  // A link goes without its words where they have no place: the table beside has them.
  const labels = new Map<L, { x: number; y: number }>();
  lines.forEach(({ l, a, b, at }, i) => {
    if (!l.words) return;
    // A plate that would cover its whole link says less than the link: the words stand beside it.
    const long = !l.used || Math.hypot(a.x - b.x, a.y - b.y) - a.r - b.r > l.words.length * LETTER + 24;
    const on = long ? ALONG.map(at).find((p) => covers(labelBox(p, l.words), i) === 0) : undefined;
    const to = on ?? ALONG.flatMap((t) => beside(at, t, l.words)).find((p) => inside(labelBox(p, l.words), width) && covers(labelBox(p, l.words)) === 0);
    if (!to) return void cost++;
    labels.set(l, to);
    taken.push(labelBox(to, l.words));
  });
  return { spots, captions, labels, clear, cost };
}

// Where a label may stand on either side of a link.
function beside(at: (t: number) => { x: number; y: number }, t: number, words: string): { x: number; y: number }[] {
  const [p, from, to] = [at(t), at(t - 0.05), at(t + 0.05)];
  const long = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [nx, ny] = [(to.y - from.y) / long, (from.x - to.x) / long];
  const box = labelBox(p, words);
  const far = (Math.abs(nx) * (box.right - box.left) + Math.abs(ny) * (box.bottom - box.top)) / 2 + BESIDE;
  return [1, -1].map((way) => ({ x: p.x + way * nx * far, y: p.y + way * ny * far }));
}

const inside = (b: Box, width: number) => b.left >= 0 && b.right <= width;

interface Side extends Caption {
  readonly angle: number; // of the side, seen from the host
  readonly weight: number; // the more the rather
  readonly fits: boolean;
}

// The sides of a host: rather below or above, where there is room for a long name, then beside it, and last askew.
function sides(s: Spot, half: number, W: number): Side[] {
  const middle = Math.min(Math.max(s.x, half), W - half);
  const across = (way: 1 | -1, far: number, y: number, angle: number, weight: number): Side => {
    const x = s.x + way * far;
    return { x, y, anchor: way > 0 ? "start" : "end", angle, weight, fits: way > 0 ? x + 2 * half < W : x > 2 * half };
  };
  const [below, above] = [s.y + s.r + 16, s.y - s.r - 21];
  return [
    { x: middle, y: below, anchor: "middle", angle: Math.PI / 2, weight: 1, fits: true },
    { x: middle, y: above, anchor: "middle", angle: -Math.PI / 2, weight: 1, fits: true },
    ...[8, 16, 26, 36, 48].flatMap((gap) => [across(1, s.r + gap, s.y - 2, 0, 0.8 - gap / 200), across(-1, s.r + gap, s.y - 2, Math.PI, 0.8 - gap / 200)]),
    ...([1, -1] as const).flatMap((way) => {
      const turn = (angle: number) => (way > 0 ? angle : Math.PI - angle);
      return [across(way, 0.6 * s.r, below + 2, turn(Math.PI / 3), 0.5), across(way, 0.6 * s.r, above, turn(-Math.PI / 3), 0.5)];
    }),
  ];
}

const towards = (s: Spot, p: { x: number; y: number }) => Math.atan2(p.y - s.y, p.x - s.x);

// How far a side is from the nearest of the ways in which lines leave.
const free = (angle: number, ways: readonly number[]) => ways.reduce((least, w) => Math.min(least, Math.abs(Math.atan2(Math.sin(w - angle), Math.cos(w - angle)))), Math.PI);

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const within = (p: { x: number; y: number }, b: Box) => b.left - CLEAR < p.x && p.x < b.right + CLEAR && b.top - CLEAR < p.y && p.y < b.bottom + CLEAR;

function boxOf({ x, y, anchor }: Caption, half: number): Box {
  const left = anchor === "middle" ? x - half : anchor === "end" ? x - 2 * half : x;
  return { left, right: left + 2 * half, top: y - 14, bottom: y + 19 };
}

/** What a label takes that stands on a link. */
export function labelBox({ x, y }: { x: number; y: number }, words: string): Box {
  const width = words.length * 6.9 + 8;
  return { left: x - width / 2, right: x + width / 2, top: y - 9, bottom: y + 9 };
}
