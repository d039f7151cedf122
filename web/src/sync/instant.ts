// The instant that figures of the clocks are told for while nothing points at one: what clocks are and how well they are
// known does not depend on whether they are applied to what is drawn.

import { isolated } from "../model/names.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { seconds, type Ns } from "../time/time.js";
import { timeAt } from "../time/window.js";

/** An instant of reference time, and the words for it. */
export type Moment = readonly [words: string, t: Ns];

/** The middle of the timeline's window; where that is all of the set, of what a host (by its number, else the reference) and those
 * related to it recorded, for between islands nothing may have been. Of raw time that is many instants: it is the one at which the host of the selected row, else
 * the reference, else any that recorded then, read it; where none did it is as if all of the set were shown. */
export function middleOf(set: SetModel, view: View, of?: number): Moment {
  const all = set.bounds(false);
  const origin = all?.begin ?? 0n;
  const at = (t: Ns, of: string): Moment => [`at ${seconds(t - origin, 3)}, the middle of the ${of}`, t];
  if (view.whole) return middleOfAll(set, of) ?? at(timeAt(view.window, 0.5), "recording");
  if (!view.raw) return at(timeAt(view.window, 0.5), "timeline's window");
  const local = timeAt(view.window, 0.5);
  const related = set.hosts.filter((x) => !x.unsynchronized);
  const chosen = (index: number) => Number(index === view.row?.host);
  const host = related
    .filter((x) => recorded(set, x.index, local))
    .sort((x, y) => chosen(y.index) - chosen(x.index) || Number(y.reference) - Number(x.reference))[0];
  const t = !host ? null : set.toReference(host.index, local);
  if (t !== null) return at(t, `timeline's window by ${isolated(host.name)}'s clock`);
  return middleOfAll(set, of) ?? at(local, "timeline's window");
}

/** The instant that was chosen; where none was, that of middleOf. */
export function chosenMoment(set: SetModel, view: View, of?: number): Moment {
  const all = set.bounds(false);
  if (typeof view.comparedAt === "number" && all) return [`at ${seconds(BigInt(view.comparedAt), 3)}`, all.begin + BigInt(view.comparedAt)];
  return (view.comparedAt === "recording" ? middleOfAll(set, of) : null) ?? middleOf(set, view, of);
}

/** An instant that the plot of errors is pointed at. */
export function pointedMoment(set: SetModel, t: Ns): Moment {
  return [`at ${seconds(t - (set.bounds(false)?.begin ?? 0n), 3)}, where Error over time is pointed at`, t];
}

/** What the middle of all is that a host and those related to it recorded, as middleOf has it. */
export function middleWords(set: SetModel, of?: number): string {
  const host = hostOf(set, of);
  const alone = host && set.hosts.some((x) => !set.related(x.index, host.index));
  return `the middle of ${alone ? `what ${isolated(host.name)} and the hosts related to it recorded` : "the recording"}`;
}

function middleOfAll(set: SetModel, of?: number): Moment | null {
  const host = hostOf(set, of);
  const all = host ? set.recorded(host) : set.bounds(false);
  if (!all) return null;
  const t = (all.begin + all.end) / 2n;
  return [`at ${seconds(t - (set.bounds(false)?.begin ?? 0n), 3)}, ${middleWords(set, of)}`, t];
}

const hostOf = (set: SetModel, of?: number) => (of === undefined ? set.hosts.find((x) => x.reference && !x.unsynchronized) : set.host(of));

function recorded(set: SetModel, index: number, local: Ns): boolean {
  const e = set.extent(index, true);
  return e !== null && local >= e.begin && local < e.end;
}
