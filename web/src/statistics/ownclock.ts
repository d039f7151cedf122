// What is added up is what hosts recorded, so it is counted by their own clocks, which run a little faster or slower than that by which
// the page tells times.

import { RATES } from "../model/direct.js";
import type { SetModel } from "../model/set.js";
import type { Ns } from "../time/time.js";

/** By whose clocks the time is counted that hosts spent from one time to another, as a sentence; "" where that is the clock by which times are told. only names
 * the hosts whose time is meant, where that is not all. */
export function ownClockWords(set: SetModel, raw: boolean, begin: Ns, end: Ns, only?: readonly string[]): string {
  if (raw) return "";
  let [steep, wasSet] = [0, false];
  for (const x of set.hosts) {
    if (only && !only.includes(x.name)) continue;
    const [from, to] = [begin, end].map((t) => set.toLocal(x.index, t));
    if (from === null || to === null) continue;
    wasSet ||= set.steepest(x.index, from, to) > RATES;
    steep = Math.max(steep, set.steepest(x.index, from, to, RATES));
  }
  if (steep < LEAST && !wasSet) return "";
  const percent = Math.ceil(steep * 1e6 - 1e-6) / 1e4;
  const much = steep < LEAST ? "more or less where a clock was set" : `up to ${percent}\u202f% more or less${wasSet ? ", and by anything where a clock was set" : ""}`;
  const whose = only?.length === 1 ? `${only[0]}'s own clock` : "each host's own clock";
  return `Time spent is counted by ${whose}: by ${set.clocks?.reference || "the reference"}'s, as the timeline has it, it is ${much}.`;
}

/** Rates that differ by less are as good as the same: a ns in a second. */
const LEAST = 1e-9;
