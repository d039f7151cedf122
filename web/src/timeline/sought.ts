// A message that another page or the address leads to: it is asked for by itself, for where there are many what is
// drawn has it in a bundle.

import type { MessagesAnswer } from "../net/wire.js";

/** In raw time many messages pass the one that is looked for. */
const LIMIT = 20_000;
/** By so much at most a time differs that was mapped here instead of by the server, ns. */
const ROUNDED = 2n;

/** A message that is looked for: its hosts by number and its times in the view, which a clock map may have rounded. */
export interface Sought {
  readonly from: number;
  readonly to: number;
  readonly sent: bigint;
  readonly received: bigint;
}

/** The request for a message that is looked for. */
export const seek = (m: Sought, time: string) => ({ op: "messages" as const, begin: String(m.sent - ROUNDED), end: String(m.sent + ROUNDED + 1n), columns: 1, time, limit: LIMIT, a: m.from, b: m.to });

/** The message of an answer that is looked for, by itself; -1 where it is not there. */
export function soughtIn(a: MessagesAnswer, m: Sought, host: (row: number) => number | undefined): number {
  const [sent, received] = [Number(m.sent - a.base), Number(m.received - a.base)];
  const far = Number(ROUNDED);
  let [best, nearest] = [-1, Infinity];
  for (let i = 0; i < a.count; i++) {
    const [s, r] = [Math.abs(a.sent[i] - sent), Math.abs(a.received[i] - received)];
    if (s > far || r > far || s + r >= nearest || a.counts[i] > 1 || host(a.from[i]) !== m.from || host(a.to[i]) !== m.to) continue;
    [best, nearest] = [i, s + r];
  }
  return best;
}
