// A single message, or a bundle of several, taken out of an answer.

import { VIOLATION, type Ends, type MessagesAnswer } from "../net/wire.js";
import { maxNs, minNs, type Ns } from "../time/time.js";

/** When the first and the last of several messages were sent and received, in the time of the view. */
export interface PickedEnds {
  readonly sentFirst: Ns;
  readonly sentLast: Ns;
  readonly receivedFirst: Ns;
  readonly receivedLast: Ns;
}

/** A message taken out of an answer, or several, in the time of the view. Times of several are means. */
export interface Picked {
  readonly sent: bigint;
  readonly received: bigint;
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** There are about so many. */
  readonly roughly: boolean;
  readonly bytes: number;
  readonly errorFrom: number;
  readonly errorTo: number;
  readonly protocol: number; // of IP, 0 unknown
  readonly fromPort: number; // of TCP, 0 unknown
  readonly toPort: number;
  readonly violation: boolean;
  readonly bundle: boolean;
  /** Of a bundle; null of one message. */
  readonly ends: PickedEnds | null;
  /** The first message, by which it is found again in a newer answer. */
  readonly first: { readonly from: number; readonly to: number; readonly sent: bigint };
}

/** The message at a place of an answer, which is no bundle. */
export const pickedAt = (a: MessagesAnswer, i: number): Picked => gathered(a, [i], a.from[i], a.to[i]);

/** What lies at these places of an answer, of which there is one at least, as one; from and to are the rows that all have in common. */
export function gathered(a: MessagesAnswer, members: readonly number[], from: number, to: number, roughly = false): Picked {
  const [first] = members;
  const sum = (of: ArrayLike<number>) => members.reduce((n, i) => n + of[i], 0);
  const count = sum(a.counts);
  const time = (t: number) => a.base + BigInt(Math.round(t));
  // Means from the first on, where the numbers are small.
  const mean = (of: Float64Array) => time(of[first] + members.reduce((n, i) => n + a.counts[i] * (of[i] - of[first]), 0) / count);
  const worst = (of: Float32Array) => members.reduce((most, i) => (most < 0 || of[i] < 0 ? -1 : Math.max(most, of[i])), of[first]);
  const same = (of: ArrayLike<number>) => (members.every((i) => of[i] === of[first]) ? of[first] : 0);
  const all = members.map((i) => endsAt(a, i));
  const edge = (of: (e: Ends) => number, by: (...n: number[]) => number) => time(all.map(of).reduce((x, y) => by(x, y)));
  const ports = same(a.fromPort) > 0 && same(a.toPort) > 0; // one of them alone is of no connection
  const bundle = count > 1;
  return {
    sent: mean(a.sent), received: mean(a.received), from, to, count, roughly, bytes: sum(a.bytes), errorFrom: worst(a.errorFrom), errorTo: worst(a.errorTo),
    protocol: same(a.protocol), fromPort: ports ? a.fromPort[first] : 0, toPort: ports ? a.toPort[first] : 0, violation: members.some((i) => (a.flags[i] & VIOLATION) !== 0), bundle,
    ends: bundle ? { sentFirst: edge((e) => e.sentFirst, Math.min), sentLast: edge((e) => e.sentLast, Math.max), receivedFirst: edge((e) => e.receivedFirst, Math.min), receivedLast: edge((e) => e.receivedLast, Math.max) } : null,
    first: { from: a.from[first], to: a.to[first], sent: time(a.sent[first]) },
  };
}

/** When what lies at a place of an answer was sent and received, ns from its base: of one message the first and the last are the same. */
export function endsAt(a: MessagesAnswer, i: number): Ends {
  return a.ends.get(i) ?? { sentFirst: a.sent[i], sentLast: a.sent[i], receivedFirst: a.received[i], receivedLast: a.received[i] };
}

/** From the first of the times of a message, or of several, to the last. */
export function stretchOf({ sent, received, ends }: Picked): { begin: Ns; end: Ns } {
  if (!ends) return { begin: minNs(sent, received), end: maxNs(sent, received) };
  return { begin: minNs(ends.sentFirst, ends.receivedFirst), end: maxNs(ends.sentLast, ends.receivedLast) };
}

/** An end of a message: where it was sent, or where it arrived. */
export type End = "from" | "to";

/** When and on which row an end of a message was, and its other end. */
export interface MessageEnd {
  readonly end: End;
  readonly row: number;
  readonly t: Ns;
  readonly other: { readonly row: number; readonly t: Ns };
}

/** An end of a message; null of a bundle, which has many. */
export function endOf(m: Picked, end: End): MessageEnd | null {
  if (m.bundle) return null;
  const [from, to] = [{ row: m.from, t: m.sent }, { row: m.to, t: m.received }];
  return end === "from" ? { end, ...from, other: to } : { end, ...to, other: from };
}
