// How long after the row above an event was. Of two hosts that is known as well as their clocks are: the error stands beside it, and whether
// it leaves open which of the two came first is told to who points at it and to who hears it. Nobody compares all rows with
// each other, so of a message between two no more is told than is known already.

import { isolated } from "../model/names.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { about, exact, measured } from "../time/time.js";
import { orderOf } from "./order.js";
import { isEntry, type Entry, type Line } from "./pages.js";
import type { Cell } from "./table.js";

/** What is said of the time from the event above to the one of a row, which may be behind a loss; the first has none. */
export function sinceAbove(set: SetModel, { raw }: View, lines: readonly Line[], row: number): Cell | string {
  const e = lines[row] as Entry;
  let i = row - 1;
  while (i >= 0 && !isEntry(lines[i])) i--;
  const above = lines[i];
  if (!isEntry(above)) return "–";
  const d = Number(e.time - above.time);
  if (e.host === above.host) return exact(d);
  const order = orderOf(set, above, e, raw, false);
  const title = `After the row above, of ${isolated(above.host)}: ${order.words}`;
  const [a, b] = [above, e].map((x) => set.hosts.find((host) => host.name === x.host));
  const error = raw || !a || !b || !set.related(a.index, b.index) ? null : set.errorBetween(a.index, above.local, b.index, e.local);
  if (error === null) return { words: `${about(d)} ± ?`, class: "open", title: raw ? `By the clocks of two hosts as they were. ${title}` : title, heard: ", how well that is known is unknown" };
  return { words: measured(d, error), class: order.open ? "open" : undefined, title, heard: order.open ? ", within the error" : ", certain" };
}
