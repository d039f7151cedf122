// The bound of each host as a line over reference time.

import type { SetModel } from "../model/set.js";
import { parseNs, type Ns } from "../time/time.js";

export interface Line {
  readonly host: number; // its index, by which it has its colour whatever else is drawn
  readonly name: string;
  readonly points: readonly [number, number][]; // ns after the set's begin, bound
  readonly ends: readonly number[]; // where one piece of the host's map ends and the next begins
}

/** The first entry of a line that is not before an instant; as many as there are where all are. */
export function entryFrom(l: Line, t: number): number {
  let [low, high] = [0, l.points.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (l.points[mid][0] < t) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** The bound at an instant: between two entries the larger one; null outside of them. */
export function boundAt(l: Line, t: number): number | null {
  const low = entryFrom(l, t);
  const next = l.points[low];
  if (!next) return null;
  if (next[0] === t) return next[1];
  return low === 0 ? null : Math.max(l.points[low - 1][1], next[1]);
}

/** Which piece of the host's map holds at an instant, the first being 1. */
export function pieceAt(l: Line, t: number): number {
  const i = l.ends.findIndex((end) => end > t);
  return (i < 0 ? l.ends.length : i) + 1;
}

let drawn: { clocks: SetModel["clocks"]; begin: bigint; hosts: SetModel["info"]; lines: Line[] } | null = null;

/** The lines of a solution, made once: entries are hundreds for each host, and each frame draws. */
export function linesOf(set: SetModel, begin: Ns): Line[] {
  if (drawn && drawn.clocks === set.clocks && drawn.hosts === set.info && drawn.begin === begin) return drawn.lines;
  drawn = { clocks: set.clocks, begin, hosts: set.info, lines: make(set, begin) };
  return drawn.lines;
}

function make(set: SetModel, begin: Ns): Line[] {
  const out: Line[] = [];
  for (const host of set.hosts) {
    if (host.reference || host.unsynchronized) continue;
    let points: [number, number][] = [];
    for (const [local, bound] of set.errorList(host.index)) {
      const t = set.toReference(host.index, local);
      if (t !== null && Number.isFinite(bound) && bound >= 0) points.push([Number(t - begin), bound]);
    }
    const e = set.extent(host.index, false);
    if (e) points = within(points, Number(e.begin - begin), Number(e.end - begin));
    const ends = (set.clock(host.index)?.map ?? []).slice(1).flatMap((p) => {
      const t = parseNs(p.reference_begin);
      return t === null ? [] : [Number(t - begin)];
    });
    if (points.length > 0) out.push({ host: host.index, name: host.name, points, ends });
  }
  return out;
}

// While the import runs bounds reach before and beyond what is read of a host.
function within(points: readonly [number, number][], from: number, to: number): [number, number][] {
  const out: [number, number][] = [];
  points.forEach(([t, bound], i) => {
    if (t >= from && t <= to) out.push([t, bound]);
    const next = points[i + 1];
    if (!next) return;
    const level = Math.max(bound, next[1]);
    for (const edge of [from, to]) if (t < edge && edge < next[0]) out.push([edge, level]);
  });
  return out;
}
