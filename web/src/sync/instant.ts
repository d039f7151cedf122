// The instant that figures of the clocks are told for while nothing points at one: what clocks are and how well they are
// known does not depend on whether they are applied to what is drawn.

import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { seconds, type Ns } from "../time/time.js";
import { timeAt } from "../time/window.js";

/** An instant of reference time, and the words for it. */
export type Moment = readonly [words: string, t: Ns];

/** The middle of the timeline's window. Of raw time that is many instants: it is the one at which the host of the selected row, else
 * the reference, else any that recorded then, read it; where none did it is the middle of the recording. */
export function middleOf(set: SetModel, view: View): Moment {
  const all = set.bounds(false);
  const origin = all?.begin ?? 0n;
  const at = (t: Ns, of: string): Moment => [`at ${seconds(t - origin, 3)}, the middle of the ${of}`, t];
  if (!view.raw) return at(timeAt(view.window, 0.5), view.whole ? "recording" : "timeline's window");
  const local = timeAt(view.window, 0.5);
  const related = set.hosts.filter((x) => !x.unsynchronized);
  const chosen = (index: number) => Number(index === view.row?.host);
  const host = related
    .filter((x) => recorded(set, x.index, local))
    .sort((x, y) => chosen(y.index) - chosen(x.index) || Number(y.reference) - Number(x.reference))[0];
  const t = view.whole || !host ? null : set.toReference(host.index, local);
  if (t !== null) return at(t, `timeline's window by ${host.name}'s clock`);
  return all ? at((all.begin + all.end) / 2n, "recording") : at(local, "timeline's window");
}

function recorded(set: SetModel, index: number, local: Ns): boolean {
  const e = set.extent(index, true);
  return e !== null && local >= e.begin && local < e.end;
}
