// The stretch of a link in the head of Time. It is in seconds from the begin of the set, or in other words that mean a time by the clock of the
// reference: under another one the same words mean other moments. As long as nobody types another, each clock map is asked anew for the words
// that mean what was meant.

import { stretchOf, type Frame } from "../commands/times.js";
import type { Bounds, SetModel } from "../model/set.js";
import { maxNs, minNs, plainSeconds, type Ns } from "../time/time.js";

export class LinkedStretch {
  private stands: string;

  /** typed is by the clock of the host named by. */
  constructor(readonly by: string, private readonly typed: string) {
    this.stands = typed;
  }

  /** Whether what is in the head now is what the link brought there. */
  holds(now: string): boolean {
    return now === this.stands;
  }

  /** The same stretch in words that mean it by the clocks of now; as it was typed where it is none, or nothing says when it was. */
  told(set: SetModel): string {
    const bounds = set.bounds(false);
    const host = set.hosts.find((x) => x.name === this.by);
    const frame = bounds && host && set.clocks?.reference !== this.by ? this.frame(set, host.index) : null;
    const meant = frame && stretchOf(this.typed, frame);
    const now = (t: Ns | null) => (t === null || !host ? null : set.toReference(host.index, t));
    const [from, to] = [now(meant?.from ?? null), now(meant?.to ?? null)];
    return (this.stands = bounds && (from !== null || to !== null) ? stretchWords(from, to, bounds.begin) : this.typed);
  }

  // The stretch of the set by the clock that the words are by: of the hosts that messages relate to that one, and of others as it is.
  private frame(set: SetModel, by: number): Frame | null {
    let all: Bounds | null = null;
    for (const x of set.hosts) {
      const e = set.extent(x.index, false);
      if (!e) continue;
      const there = (t: Ns) => (set.related(x.index, by) ? (set.toLocal(by, t) ?? t) : t);
      const [begin, end] = [there(e.begin), there(e.end)];
      all = all ? { begin: minNs(all.begin, begin), end: maxNs(all.end, end) } : { begin, end };
    }
    return all && { ...all, from: all.begin };
  }
}

/** A stretch as it is typed into the head of Time, to the ns: "6.1..6.200000012", or with one open side ">= 6.1". */
export function stretchWords(from: Ns | null, to: Ns | null, begin: Ns): string {
  const words = (t: Ns) => (t < begin ? String(t) : plainSeconds(t - begin)); // ahead of it in ns since 1970
  return from === null ? `<= ${words(to ?? begin)}` : to === null ? `>= ${words(from)}` : `${words(from)}..${words(to)}`;
}
