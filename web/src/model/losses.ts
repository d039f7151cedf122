// What was lost of a recording, in words.

import { counted, group } from "../time/number.js";

/** What a host or a set lost: events that the tracer counted, and whole packets, of an unknown number of events. */
export interface Losses {
  readonly lost_events: number;
  readonly lost_packets?: number;
}

export function anyLost(x: Losses): boolean {
  return x.lost_events > 0 || (x.lost_packets ?? 0) > 0;
}

/** "967 700", "21 packets" or "967 700, 21 packets"; "0" where nothing was lost. */
export function lostCount({ lost_events: events, lost_packets: packets = 0 }: Losses): string {
  return [...(events > 0 || packets === 0 ? [group(events)] : []), ...(packets > 0 ? [counted(packets, "packet")] : [])].join(", ");
}

/** "967 700 lost", "21 packets lost" or "967 700 lost, 21 packets"; "" where nothing was lost. */
export function lostWords({ lost_events: events, lost_packets: packets = 0 }: Losses): string {
  if (events === 0) return packets > 0 ? `${counted(packets, "packet")} lost` : "";
  return `${group(events)} lost${packets > 0 ? `, ${counted(packets, "packet")}` : ""}`;
}
