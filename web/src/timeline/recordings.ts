// Where hosts recorded: on the strip over the whole set a mark for what is too short there to be found, as where clocks that nothing relates
// lie an hour apart, and the way to it.

import { list } from "../model/names.js";
import type { SetModel } from "../model/set.js";
import { maxNs, seconds, type Ns } from "../time/time.js";
import { shareOf, type Window } from "../time/window.js";

/** What is narrower than so many CSS pixels on the strip has a mark, and recordings no farther apart have one together. */
const NARROW = 16;
const TOGETHER = 3;
/** So far from its middle a mark is clicked, CSS pixels. */
const REACH = 7;
/** A mark points down to what it is of. */
const HALF = 4;
const HIGH = 5;

/** Recordings that lie together on the strip, CSS pixels from x0 to x1. */
export interface Recording {
  readonly hosts: readonly string[];
  readonly begin: Ns;
  readonly end: Ns;
  readonly x0: number;
  readonly x1: number;
}

/** The recordings of a set that need a mark on a strip of W CSS pixels over all of it. */
export function short(set: SetModel, raw: boolean, all: Window, W: number): Recording[] {
  const extents = set.hosts.flatMap((h) => {
    const e = set.extent(h.index, raw);
    return e ? [{ name: h.name, ...e }] : [];
  });
  extents.sort((a, b) => (a.begin < b.begin ? -1 : a.begin > b.begin ? 1 : 0));
  const out: { hosts: string[]; begin: Ns; end: Ns; x0: number; x1: number }[] = [];
  for (const { name, begin, end } of extents) {
    const [x0, x1] = [begin, end].map((t) => shareOf(all, t) * W);
    if (x1 - x0 >= NARROW) continue;
    const last = out[out.length - 1];
    if (last && x0 <= last.x1 + TOGETHER) {
      last.hosts.push(name);
      last.end = maxNs(last.end, end);
      last.x1 = Math.max(last.x1, x1);
    } else out.push({ hosts: [name], begin, end, x0, x1 });
  }
  return out;
}

/** Draws the marks at the top of the strip. */
export function drawMarks(g: CanvasRenderingContext2D, list: readonly Recording[], W: number, color: string): void {
  g.fillStyle = color;
  for (const r of list) {
    const x = Math.min(W - HALF, Math.max(HALF, (r.x0 + r.x1) / 2));
    g.beginPath();
    g.moveTo(x - HALF, 0);
    g.lineTo(x + HALF, 0);
    g.lineTo(x, HIGH);
    g.fill();
  }
}

/** The recording whose mark is at a place of the strip; null for none. */
export function markAt(list: readonly Recording[], x: number): Recording | null {
  const far = (r: Recording) => Math.max(0, Math.abs(x - (r.x0 + r.x1) / 2) - (r.x1 - r.x0) / 2);
  const nearest = list.reduce<Recording | null>((a, b) => (a && far(a) <= far(b) ? a : b), null);
  return nearest && far(nearest) <= REACH ? nearest : null;
}

/** From when until when hosts recorded, as a sentence. */
export function recordedWords(hosts: readonly string[], begin: Ns, end: Ns, origin: Ns): string {
  return `${list(hosts, 3)} recorded from ${seconds(begin - origin, 3)} to ${seconds(end - origin, 3)}.`;
}
