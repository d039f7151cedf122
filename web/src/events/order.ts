// How two events lie to each other, in words: apart by so much, and whether the clocks
// are known well enough to say which came first.

import type { SetModel } from "../model/set.js";
import { about, exact, measured } from "../time/time.js";

/** A moment on a host, by its own clock. */
export interface Moment {
  readonly host: string;
  readonly local: bigint;
}

/** A sentence about the time from one event, or any moment, to another. */
export function orderWords(set: SetModel, from: Moment, to: Moment): string {
  if (from.host === to.host) {
    const d = Number(to.local - from.local);
    return d === 0 ? "At the same time by the clock of their host." : `${exact(Math.abs(d))} ${d > 0 ? "later" : "earlier"}, certain: both were timed by ${to.host}'s clock.`;
  }
  const [a, b] = [place(set, from), place(set, to)];
  if (!a || !b || a.component !== b.component) return "Which came first is not known: nothing relates the clocks of these hosts.";
  const d = Number(b.time - a.time);
  if (a.error === null || b.error === null) return `${about(Math.abs(d))} ${d >= 0 ? "later" : "earlier"} as far as is known; no bound holds here.`;
  const error = a.error + b.error;
  const apart = `${measured(Math.abs(d), error)} ${d >= 0 ? "later" : "earlier"}`;
  return Math.abs(d) > error ? `${apart}, certain.` : `${apart}: within the error, so either may have come first.`;
}

function place(set: SetModel, e: Moment): { time: bigint; error: number | null; component: number } | null {
  const host = set.hosts.find((h) => h.name === e.host);
  const time = host ? set.toReference(host.index, e.local) : null;
  return !host || time === null ? null : { time, error: set.errorAt(host.index, e.local), component: host.component };
}
