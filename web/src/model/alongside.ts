// Which host the window goes with as times are by each host's own clock, or are again by that of the reference: clocks may be hours apart, so
// what is in sight of one is elsewhere by the others.

import type { SetModel } from "./set.js";
import type { View } from "./view.js";
import type { Ns } from "../time/time.js";
import { endOf, timeAt } from "../time/window.js";

type Seen = Pick<View, "raw" | "window" | "row" | "did" | "lane" | "was" | "message">;
type Clocks = Pick<SetModel, "toReference" | "extent"> & { readonly hosts: readonly { index: number; reference?: boolean }[] };

/** The number of the host: of what is chosen and in sight, else of what is selected, else of one that recorded what is in the middle; undefined for none. */
export function alongside(view: Seen, set: Clocks): number | undefined {
  const { row, lane, message, window } = view;
  const laneHost = lane ? Number(lane.split(".")[0]) : undefined;
  const shown = (host: number, local: Ns) => (view.raw ? local : set.toReference(host, local));
  const inSight = (host: number | undefined, local: Ns | null | undefined) => {
    const t = host === undefined || local == null ? null : shown(host, local);
    return t !== null && t >= window.begin && t <= endOf(window);
  };
  if (row && inSight(row.host, view.did)) return row.host;
  if (inSight(laneHost, view.was)) return laneHost;
  if (message && inSight(message.from, message.sent)) return message.from;
  if (message && inSight(message.to, message.received)) return message.to;
  const selected = row?.host ?? laneHost ?? message?.from;
  if (selected !== undefined) return selected;
  const middle = timeAt(window, 0.5);
  const recorded = set.hosts.filter(({ index }) => {
    const e = set.extent(index, view.raw);
    return e && e.begin <= middle && middle <= e.end;
  });
  return (recorded.find((h) => h.reference) ?? recorded[0])?.index;
}
