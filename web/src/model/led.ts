// How one came to the state that is selected, as it stands in an address: how long its thread was waited for, and by whom.

import type { Ns } from "../time/time.js";
import { ns64, range } from "./addressed.js";
import type { Bounds } from "./set.js";

/** A way has no more stops than this, the last. */
export const MOST_STOPS = 40;

/** All times are by the clocks of the hosts, which no clock map changes. */
export interface LedBy {
  /** The stretch in which the thread was waited for, by the clock of its host; null for none. */
  readonly waited: Bounds | null;
  /** The thread, begun by that one, that ended the wait; null for none. */
  readonly via: number | null;
  /** The threads that were gone on from, by the number of their host, with a time in the state that they were in. */
  readonly from: readonly { readonly host: number; readonly tid: number; readonly local: Ns }[];
}

/** Reads it for a state at a time of its host; null for nothing. */
export function parseLed(q: URLSearchParams, did: Ns): LedBy | null {
  const said = range(q.get("waited"));
  const waited = said && said.begin <= did && did <= said.end ? said : null;
  const via = waited && /^\d{1,10}$/.test(q.get("via") ?? "") ? Number(q.get("via")) : null;
  const from = (q.get("from") ?? "").split(",").slice(0, MOST_STOPS).flatMap((s) => {
    const m = /^(\d{1,5})\.(\d{1,10})~(-?\d{1,19})$/.exec(s);
    const local = ns64(m?.[3]);
    return m && local !== null ? [{ host: Number(m[1]), tid: Number(m[2]), local }] : [];
  });
  return waited || from.length > 0 ? { waited, via, from } : null;
}

/** Its parameters, by name. */
export function ledText(led: LedBy | null): [string, string][] {
  if (!led) return [];
  const from = led.from.map((s) => `${s.host}.${s.tid}~${s.local}`).join(",");
  return [
    ...(led.waited ? [["waited", `${led.waited.begin}~${led.waited.end}`] as [string, string]] : []),
    ...(led.via !== null ? [["via", String(led.via)] as [string, string]] : []),
    ...(from ? [["from", from] as [string, string]] : []),
  ];
}
