// Which host the window goes with as times are by each host's own clock, or are again by that of the reference: clocks may be hours apart, so
// what is in sight of one is elsewhere by the others.

import type { SetModel } from "./set.js";
import type { View } from "./view.js";
import { maxNs, type Ns } from "../time/time.js";
import { endOf, timeAt } from "../time/window.js";

export type Seen = Pick<View, "raw" | "window" | "row" | "did" | "lane" | "was" | "message">;
type Clocks = Pick<SetModel, "toReference" | "extent"> & { readonly hosts: readonly { index: number; reference?: boolean }[] };

/** The number of the host: of what is chosen and in sight, else of what is selected, if its host recorded anything in the window, else of the one that recorded nearest
 * to the middle: where none did there, what is in sight lies as far before or after a recording by either time. undefined for none. */
export function alongside(view: Seen, set: Clocks): number | undefined {
  return chosenInSight(view, set) ?? recording(view, set, endOf(view.window) - timeAt(view.window, 0.5));
}

/** What is chosen, as a text that tells whether it is the same. */
export function chosenWords({ row, did, lane, was, message: m }: Seen): string {
  return [row?.host, row?.tid, did, lane, was, m?.from, m?.sent, m?.to, m?.received].join();
}

/** The number of a host that what is in sight can be found again by: of what is chosen there, else of one that recorded what is in the middle, be it what is
 * selected, else of the nearest; undefined for none. */
export function witness(view: Seen, set: Clocks): number | undefined {
  return chosenInSight(view, set) ?? recording(view, set, 0n);
}

// The selected host, if it recorded anything so near to the middle, ns, else the one that recorded nearest.
function recording(view: Seen, set: Clocks, reach: Ns): number | undefined {
  const [there, host] = [nearest(view, set), selected(view)];
  return there.length === 0 || there.some((h) => h.index === host && h.far <= reach) ? host : there[0]!.index;
}

const laneHost = ({ lane }: Seen) => (lane ? Number(lane.split(".")[0]) : undefined);

const selected = (view: Seen): number | undefined => view.row?.host ?? laneHost(view) ?? view.message?.from;

function chosenInSight(view: Seen, set: Clocks): number | undefined {
  const { row, message, window } = view;
  const shown = (host: number, local: Ns) => (view.raw ? local : set.toReference(host, local));
  const inSight = (host: number | undefined, local: Ns | null | undefined) => {
    const t = host === undefined || local == null ? null : shown(host, local);
    return t !== null && t >= window.begin && t <= endOf(window);
  };
  if (row && inSight(row.host, view.did)) return row.host;
  if (inSight(laneHost(view), view.was)) return laneHost(view);
  if (message && inSight(message.from, message.sent)) return message.from;
  return message && inSight(message.to, message.received) ? message.to : undefined;
}

// The hosts of which something is recorded, and how far from the middle, ns: the nearest first, and of two alike the reference.
function nearest({ raw, window }: Seen, set: Clocks): { index: number; far: Ns; reference: boolean }[] {
  const middle = timeAt(window, 0.5);
  const there = set.hosts.flatMap(({ index, reference }) => {
    const e = set.extent(index, raw);
    return e ? [{ index, reference: reference ?? false, far: maxNs(0n, maxNs(e.begin - middle, middle - e.end)) }] : [];
  });
  return there.sort((a, b) => Number(a.far > b.far) - Number(a.far < b.far) || Number(b.reference) - Number(a.reference));
}
