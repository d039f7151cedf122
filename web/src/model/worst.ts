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

/** The bound of the clock that is known worst at a time, ns: at the time at which that is best, of those at which as many hosts recorded as ever, and at which it is worst. The last
 * to record, alone, would be known better than they ever were together. Of clocks that are related to the reference, and not that itself; null where none is bounded. */
export function worstOverTime(set: SetModel): { least: number; worst: number } | null {
  const turns = set.hosts.flatMap((x) => (x.reference || x.unsynchronized ? [] : turnsOf(set, x.index)));
  turns.sort((x, y) => (x.t < y.t ? -1 : x.t > y.t ? 1 : 0));
  const now = new Map<number, number>();
  let [together, least, worst] = [0, 0, 0]; // how many at once, at most, and what is known of the worst of them
  const take = () => {
    let [count, most] = [0, 0];
    for (const b of now.values()) {
      if (b < 0) continue;
      count++;
      most = Math.max(most, b);
    }
    if (count === 0) return;
    worst = Math.max(worst, most);
    if (count >= together) [together, least] = [count, count > together ? most : Math.min(least, most)];
  };
  for (let i = 0; i < turns.length; ) {
    const from = i;
    while (i < turns.length && turns[i].t === turns[from].t) i++;
    const meanwhile = turns.slice(from, i);
    for (const x of meanwhile) now.set(x.host, x.here);
    take();
    for (const x of meanwhile) now.set(x.host, x.then);
    if (i < turns.length && turns[i].t - turns[from].t > 1n) take();
  }
  return together > 0 ? { least, worst } : null;
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
