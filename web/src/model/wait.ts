// A user may want nothing to be drawn before clocks are known well enough: wait=50us in the
// address, a choice of the Import tab. While an import runs, the timeline then says what it waits for.

import { bound, type Ns } from "../time/time.js";
import type { SetModel } from "./set.js";
import type { View } from "./view.js";

const UNITS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** A duration as it stands in an address, such as 50us or 1.5ms, in ns; null if it is none. */
export function parseWait(s: string | null): number | null {
  const m = /^(\d{1,9}(?:\.\d{1,9})?)(ns|us|ms|s)$/.exec(s ?? "");
  const ns = m ? Number(m[1]) * UNITS[m[2]] : 0;
  return ns > 0 ? ns : null;
}

/** The same words where they are such a duration, else "". */
export const waitWords = (s: string | null): string => (parseWait(s) === null ? "" : s!);

/** What the drawing of the window waits for, as a sentence; "" if for nothing: raw time needs no clocks, and a
 * finished synchronization gets no better. */
export function waitsFor(view: View, set: SetModel): string {
  if (view.wait === null || view.raw || view.empty || set.info?.state !== "importing") return "";
  const begin = view.window.begin;
  const end = begin + BigInt(Math.round(view.window.span));
  let worst = 0;
  let who = "";
  for (const host of set.hosts) {
    if (host.reference || !overlaps(host, begin, end)) continue;
    const [from, to] = [set.toLocal(host.index, begin), set.toLocal(host.index, end)];
    const known = from === null || to === null || host.unsynchronized ? null : set.errorOver(host.index, from, to);
    if (!known) return `Nothing is drawn before clocks are known to ±${bound(view.wait)} here; nothing is known of ${host.name}'s yet.`;
    if (known.worst > worst) [worst, who] = [known.worst, host.name];
  }
  if (worst <= view.wait) return "";
  return `Nothing is drawn before clocks are known to ±${bound(view.wait)} here; ${who}'s is known to ±${bound(worst)} so far.`;
}

function overlaps(host: { begin: string; end: string }, begin: Ns, end: Ns): boolean {
  return host.begin === "" || host.end === "" || (BigInt(host.begin) < end && BigInt(host.end) > begin);
}
