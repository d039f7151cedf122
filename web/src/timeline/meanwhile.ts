// What led to the end of a wait: the message that came then, and what the thread that was
// waited for did meanwhile: the state it was in longest at a time, and the share of each.

import { MIXED, NOTHING, STATES, type MessagesAnswer, type StatesAnswer } from "../net/wire.js";
import { VIEWS } from "../net/views.js";
import type { Ns } from "../time/time.js";
import type { Context } from "./controlflow.js";
import { pickedAt, type Picked } from "./picked.js";

/** Into so many columns a wait is cut; what is shorter is not the longest. */
const COLUMNS = 400;
/** A message that ended a wait came so long before its end at most, ns. */
const BEFORE = 20_000_000n;
/** Where messages come in bundles so many times less of the time before the end is looked at, but this at least, ns. */
const CLOSER = 10n;
const NEAREST = 20_000n;
const LIMIT = 2000;

export class Meanwhile {
  constructor(private readonly c: Context) {}

  /** Calls take with a time at which a row was in the state that it was in longest from begin to end, the last ns where it did many things, with the share of that stretch in which it was there, and with those of its states, null where it was in one all the time. */
  longest(row: number, begin: Ns, end: Ns, take: (at: Ns, lived: number, shares: Float64Array | null) => void): void {
    const { live, view } = this.c;
    const time = view.time;
    const columns = Number(end - begin < BigInt(COLUMNS) ? (end > begin ? end - begin : 1n) : BigInt(COLUMNS));
    live.ask(VIEWS.meanwhileStates, { op: "states", begin: String(begin), end: String(begin + (end > begin ? end - begin : 1n)), columns, time, rows: [row] }, (m) => {
      live.drop(VIEWS.meanwhileStates);
      if (m.kind === "states" && time === view.time) take(longestAt(m) ?? end - 1n, lived(m), shares(m));
    });
  }

  /** Calls take with the last message that a row received from begin to end; with null where there is none, or where it may lie in a bundle. */
  received(row: number, begin: Ns, end: Ns, take: (m: Picked | null) => void): void {
    this.lastBefore(row, begin, end, BEFORE, take);
  }

  private lastBefore(row: number, begin: Ns, end: Ns, before: Ns, take: (m: Picked | null) => void): void {
    const { live, view } = this.c;
    const time = view.time;
    const from = end - begin > before ? end - before : begin;
    live.ask(VIEWS.meanwhileMessages, { op: "messages", begin: String(from), end: String(end + 1n), columns: 1, time, limit: LIMIT }, (m) => {
      live.drop(VIEWS.meanwhileMessages);
      if (m.kind !== "messages" || time !== view.time) return take(null);
      if (m.counts.some((n) => n > 1)) return before > NEAREST ? this.lastBefore(row, from, end, before / CLOSER, take) : take(null);
      const i = lastReceived(m, row, Number(from - m.base), Number(end - m.base));
      take(i < 0 ? null : pickedAt(m, i));
    });
  }

  /** Nothing is wanted any more. */
  leave(): void {
    this.c.live.drop(VIEWS.meanwhileStates);
    this.c.live.drop(VIEWS.meanwhileMessages);
  }
}

/** The middle of the longest run of one state of an answer's only row; null where there is none. */
export function longestAt(m: StatesAnswer): Ns | null {
  let [best, from, middle] = [0, 0, 0];
  for (let i = 0; i < m.runEnd.length; i++) {
    const wide = m.runEnd[i] - from;
    if (m.runState[i] !== MIXED && m.runState[i] !== NOTHING && wide > best) [best, middle] = [wide, from + wide / 2];
    from = m.runEnd[i];
  }
  return best > 0 ? m.begin + BigInt(Math.floor((Number(m.end - m.begin) * middle) / m.columns)) : null;
}

/** The share of an answer's range in which its only row was there. */
export function lived(m: StatesAnswer): number {
  let [there, from] = [0, 0];
  for (let i = 0; i < m.runEnd.length; i++) {
    if (m.runState[i] !== NOTHING) there += m.runEnd[i] - from;
    from = m.runEnd[i];
  }
  return there / Math.max(1, m.columns);
}

/** The share of each state in an answer's range, of its only row; null where that is one from begin to end. */
export function shares(m: StatesAnswer): Float64Array | null {
  const out = new Float64Array(STATES);
  if (m.runEnd.length === 1 && m.runState[0] !== MIXED) return null;
  let [from, mix] = [0, 0];
  for (let i = 0; i < m.runEnd.length; i++) {
    const [state, wide] = [m.runState[i], m.runEnd[i] - from];
    if (state < STATES) out[state] += wide;
    else if (state === MIXED) {
      for (let s = 0; s < STATES; s++) out[s] += (m.mixes[mix * STATES + s] / 255) * wide;
      mix++;
    }
    from = m.runEnd[i];
  }
  return out.map((n) => n / Math.max(1, m.columns));
}

/** The last single message that a row received in [from, to], ns from the answer's base; -1 for none. */
export function lastReceived(a: MessagesAnswer, row: number, from: number, to: number): number {
  let best = -1;
  for (let i = 0; i < a.count; i++)
    if (a.to[i] === row && a.counts[i] === 1 && a.received[i] >= from && a.received[i] <= to && (best < 0 || a.received[i] > a.received[best])) best = i;
  return best;
}
