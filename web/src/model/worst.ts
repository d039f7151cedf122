// How well the clock that is known worst at a time is known. It is told from the lists of bounds themselves, so it does not depend on
// how finely anything is drawn.

import type { Ns } from "../time/time.js";
import type { SetModel } from "./set.js";

interface Turn {
  readonly t: Ns; // reference time
  readonly host: number;
  readonly here: number; // the bound at that instant, -1 for none
  readonly then: number; // and from there to the host's next
}

/** The bound of the clock that is known worst at a time, ns: at the time at which that is best, and at which it is worst, of all times at which any
 * clock related to the reference but that itself is bounded. null where none is. */
export function worstOverTime(set: SetModel): { least: number; worst: number } | null {
  const turns = set.hosts.flatMap((x) => (x.reference || x.unsynchronized ? [] : turnsOf(set, x.index)));
  turns.sort((x, y) => (x.t < y.t ? -1 : x.t > y.t ? 1 : 0));
  const now = new Map<number, number>();
  let out: { least: number; worst: number } | null = null;
  const take = (bounds: Iterable<number>) => {
    let most = -1;
    for (const b of bounds) most = Math.max(most, b);
    if (most >= 0) out = out ? { least: Math.min(out.least, most), worst: Math.max(out.worst, most) } : { least: most, worst: most };
  };
  for (let i = 0; i < turns.length; ) {
    const from = i;
    while (i < turns.length && turns[i].t === turns[from].t) i++;
    const meanwhile = turns.slice(from, i);
    for (const x of meanwhile) now.set(x.host, x.here);
    take(now.values());
    for (const x of meanwhile) now.set(x.host, x.then);
    if (i < turns.length && turns[i].t - turns[from].t > 1n) take(now.values());
  }
  return out;
}

// Where a host's bound becomes another, within what it recorded.
function turnsOf(set: SetModel, host: number): Turn[] {
  const e = set.extent(host, true);
  if (!e) return [];
  const local = [e.begin, ...set.errorList(host).flatMap(([t]) => (e.begin < t && t < e.end ? [t] : [])), e.end];
  return local.flatMap((at, i) => {
    const t = set.toReference(host, at);
    return t === null ? [] : [{ t, host, here: set.errorWithin(host, at) ?? -1, then: i + 1 < local.length ? (set.errorWithin(host, at + 1n) ?? -1) : -1 }];
  });
}
