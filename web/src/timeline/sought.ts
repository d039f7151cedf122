// A message, or several, that another page or the address leads to: they are asked for by themselves, for where there are many what is
// drawn has them in bundles.

import { HOST, type Row } from "../model/rows.js";
import type { SetModel } from "../model/set.js";
import type { Chosen, Many } from "../model/chosen.js";
import type { View } from "../model/view.js";
import type { MessagesAnswer } from "../net/wire.js";
import { ROUNDED, type Ns } from "../time/time.js";
import { endsAt } from "./picked.js";

/** In raw time many messages pass the one that is looked for. */
const LIMIT = 20_000;
/** Where there are more of several than the limit, they come in so many parts. */
const PARTS = 8192;

/** A message that is looked for: its hosts by number and its times in the view, which a clock map may have rounded; of several, the first times. */
export interface Sought {
  readonly from: number;
  readonly to: number;
  readonly sent: bigint;
  readonly received: bigint;
  readonly many?: Many;
}

/** What the address has of a message, or of several, in the time of the view; null while the clocks of its hosts are not known. */
export function soughtBy({ from, to, sent, received, many }: Chosen, { set, view }: { set: SetModel; view: View }): Sought | null {
  const shown = (host: number, local: Ns) => (view.raw ? local : set.toReference(host, local));
  const [first, arrived] = [shown(from, sent), shown(to, received)];
  if (first === null || arrived === null) return null;
  if (!many) return { from, to, sent: first, received: arrived };
  const [sentLast, receivedLast] = [shown(from, many.sentLast), shown(to, many.receivedLast)];
  return sentLast === null || receivedLast === null ? null : { from, to, sent: first, received: arrived, many: { ...many, sentLast, receivedLast } };
}

/** The request for a message that is looked for, or several. */
export const seek = (m: Sought, time: string) => ({ op: "messages" as const, begin: String(m.sent - ROUNDED), end: String((m.many?.sentLast ?? m.sent) + ROUNDED + 1n), columns: m.many ? PARTS : 1, time, limit: LIMIT, a: m.from, b: m.to });

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

/** The places of an answer where some of several messages that are looked for are; rough tells that others may be there too. Only where all of
 * what lies at a place is of them, unless some is enough. */
export function manyIn(a: MessagesAnswer, m: Sought, many: Many, row: (id: number) => Row | undefined, some = false): { places: number[]; rough: boolean } {
  const far = Number(ROUNDED);
  const [sent, sentLast, received, receivedLast] = [m.sent, many.sentLast, m.received, many.receivedLast].map((t) => Number(t - a.base));
  // A bundle has what all of its messages have in common, be it no more than the host.
  const is = (id: number, host: number, tid: number, bundle: boolean) => {
    const r = row(id);
    return r?.host === host && (tid < 0 || r.tid === tid || (bundle && r.kind === HOST));
  };
  const alike = (n: number, wanted: number, bundle: boolean) => wanted === 0 || n === wanted || (bundle && n === 0);
  const places: number[] = [];
  let rough = false;
  for (let i = 0; i < a.count; i++) {
    const bundle = a.counts[i] > 1;
    const e = endsAt(a, i);
    if (e.sentLast < sent - far || e.sentFirst > sentLast + far || e.receivedLast < received - far || e.receivedFirst > receivedLast + far) continue;
    if (!is(a.from[i], m.from, many.fromTid, bundle) || !is(a.to[i], m.to, many.toTid, bundle)) continue;
    if (!alike(a.protocol[i], many.protocol, bundle) || !alike(a.fromPort[i], many.fromPort, bundle) || !alike(a.toPort[i], many.toPort, bundle)) continue;
    const whole = e.sentFirst >= sent - far && e.sentLast <= sentLast + far && e.receivedFirst >= received - far && e.receivedLast <= receivedLast + far;
    if (!whole && !some) continue;
    rough ||= !whole;
    places.push(i);
  }
  return { places, rough };
}
