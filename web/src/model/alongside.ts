// Which host the window goes with as times are by each host's own clock, or are again by that of the reference: clocks may be hours apart, so
// what is in sight of one is elsewhere by the others.

import type { SetModel } from "./set.js";
import type { View } from "./view.js";
import type { Ns } from "../time/time.js";
import { endOf, timeAt } from "../time/window.js";

export type Seen = Pick<View, "raw" | "window" | "row" | "did" | "lane" | "was" | "message">;
type Clocks = Pick<SetModel, "toReference" | "extent"> & { readonly hosts: readonly { index: number; reference?: boolean }[] };

/** The number of the host: of what is chosen and in sight, else of what is selected, else of one that recorded what is in the middle; undefined for none. */
export function alongside(view: Seen, set: Clocks): number | undefined {
  return chosenInSight(view, set) ?? selected(view) ?? recorded(view, set)[0];
}

/** The number of a host that what is in sight can be found again by: of what is chosen there, else of one that recorded what is in the middle, be it what is
 * selected; undefined for none. */
export function witness(view: Seen, set: Clocks): number | undefined {
  const there = recorded(view, set);
  const host = selected(view);
  return chosenInSight(view, set) ?? (host !== undefined && there.includes(host) ? host : (there[0] ?? host));
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

// Those that recorded what is in the middle, the reference first.
function recorded({ raw, window }: Seen, set: Clocks): number[] {
  const middle = timeAt(window, 0.5);
  const there = set.hosts.filter(({ index }) => {
    const e = set.extent(index, raw);
    return e && e.begin <= middle && middle <= e.end;
  });
  return there.sort((a, b) => Number(b.reference ?? false) - Number(a.reference ?? false)).map((h) => h.index);
}
