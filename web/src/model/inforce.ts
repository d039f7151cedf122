// A link in use is told by the clock that is in force between its hosts, by which everything is drawn, and which was moved from the link's own line
// to where all messages have it; what is said of the two hosts is said by that clock too. Others have their own line only.

import type { ForceInfo, LinkInfo } from "../net/json.js";
import { parseNs } from "../time/time.js";

/** The clock in force over a link, where it has a bound. */
export function forceOf(l: LinkInfo): (ForceInfo & { error_ns: Known; ends_ns: [number, number] }) | null {
  const f = l.in_force;
  return f?.error_ns && f.ends_ns ? { ...f, error_ns: f.error_ns, ends_ns: f.ends_ns } : null;
}

export interface Known {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** How well a link tells one clock from the other while both were recorded, ns; null where nothing bounds them. */
export function knownBy(l: LinkInfo): Known | null {
  return forceOf(l)?.error_ns ?? l.error_ns;
}

/** How much faster the second clock of a link runs than the first by the clock in force, ppm: on average, and its slowest and fastest piece. */
export interface Pace {
  readonly mean: number | null; // null where a clock was set
  readonly least: number;
  readonly most: number;
}

/** null where no clock is in force over the link. */
export function paceOf(l: LinkInfo): Pace | null {
  const f = forceOf(l);
  const [begin, end, from, to] = [f?.begin, f?.end, f?.b_begin, f?.b_end].map((t) => parseNs(t));
  if (!f?.rate || begin === null || end === null || from === null || to === null || end <= begin) return null;
  const mean = l.shape === "steps" ? null : (Number(to - from - (end - begin)) / Number(end - begin)) * 1e6;
  return { mean, least: (f.rate.min - 1) * 1e6, most: (f.rate.max - 1) * 1e6 };
}

/** How far a rate of a link can be off if its clock is one line, ppm: that in force, or else the link's own; null where no lines tell. */
export function rateError(l: LinkInfo): number | null {
  if (l.alpha_min === null || l.alpha_max === null) return null;
  const ppm = [l.alpha_min, l.alpha_max].map((alpha) => (alpha - 1) * 1e6);
  const mean = paceOf(l)?.mean ?? (ppm[0] + ppm[1]) / 2;
  return Math.max(mean - ppm[0], ppm[1] - mean);
}
