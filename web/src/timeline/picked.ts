// A single message, taken out of an answer.

import { VIOLATION, type MessagesAnswer } from "../net/wire.js";

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
