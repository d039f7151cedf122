// A single message, taken out of an answer.

import { VIOLATION, type MessagesAnswer } from "../net/wire.js";
import type { Ns } from "../time/time.js";

/** A message taken out of an answer, in the time of the view. */
export interface Picked {
  readonly sent: bigint;
  readonly received: bigint;
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly bytes: number;
  readonly errorFrom: number;
  readonly errorTo: number;
  readonly protocol: number; // of IP, 0 unknown
  readonly fromPort: number; // of TCP, 0 unknown
  readonly toPort: number;
  readonly violation: boolean;
  readonly bundle: boolean;
  /** The first message, by which it is found again in a newer answer. */
  readonly first: { readonly from: number; readonly to: number; readonly sent: bigint };
}

/** The message at a place of an answer, which is no bundle. */
export function pickedAt(a: MessagesAnswer, i: number): Picked {
  const at = (of: Float64Array) => a.base + BigInt(Math.round(of[i]));
  return {
    sent: at(a.sent), received: at(a.received), from: a.from[i], to: a.to[i], count: 1, bytes: a.bytes[i], errorFrom: a.errorFrom[i], errorTo: a.errorTo[i],
    protocol: a.protocol[i], fromPort: a.fromPort[i], toPort: a.toPort[i], violation: (a.flags[i] & VIOLATION) !== 0, bundle: false, first: { from: a.from[i], to: a.to[i], sent: at(a.sent) },
  };
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
