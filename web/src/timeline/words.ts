// Sentences and short notes that several parts of the timeline say alike.

import { HOST, type RowTable } from "../model/rows.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { MINUS } from "../time/number.js";
import { about, plusMinus, type Ns } from "../time/time.js";
import { timeAt } from "../time/window.js";
import type { RowWords } from "./pane.js";

/** How a row reads in either tree; null for one that is not there yet. */
export function rowWords(rows: RowTable, set: SetModel, view: View, id: number): RowWords | null {
  const row = rows.get(id);
  if (!row) return null;
  if (row.kind !== HOST) return { name: row.name || "(no name)", note: String(row.tid), tone: "thread", noteTone: "plain", title: `${row.name}, thread ${row.tid}` };
  const [note, noteTone, title] = clockWords(set, row.host, view);
  return { name: row.name, note, tone: "host", noteTone, title };
}

/** What a host's row says of its clock: note, tone and a sentence. */
function clockWords(set: SetModel, host: number, view: View): [string, "plain" | "good" | "warn", string] {
  const info = set.host(host);
  if (!info) return ["", "plain", ""];
  if (info.reference && !info.unsynchronized) return ["reference", "good", `${info.name}: all times are those of this host's clock`];
  if (info.unsynchronized) return ["unsynchronized", "warn", `${info.name} exchanged no usable message with the reference: it is drawn at its own clock`];
  if (view.raw) {
    const offset = offsetTo(set, host, view);
    return offset === null ? ["", "plain", ""] : [offset, "plain", `${info.name}'s own clock, beside that of the reference host`];
  }
  const error = set.clock(host)?.error_ns;
  if (!error) return ["", "plain", `${info.name}: no error bound yet`];
  return [plusMinus(error.min), "good", `${info.name}: its clock is known to ${plusMinus(error.min)} at best and ${plusMinus(error.max)} at worst, by what messages allow`];
}

// How far a host's clock is from the reference's in the middle of the window.
function offsetTo(set: SetModel, host: number, view: View): string | null {
  const extent = set.extent(host, true);
  const t = timeAt(view.window, 0.5);
  const local = extent ? (t < extent.begin ? extent.begin : t > extent.end ? extent.end : t) : t;
  const reference = set.toReference(host, local);
  if (reference === null) return null;
  const offset = Number(local - reference);
  return (offset < 0 ? MINUS : "+") + about(Math.abs(offset), 4);
}

/** A host's local time and error for a time of the view. */
export function hostTime(set: SetModel, host: number, view: View, t: Ns): { local: Ns | null; error: number | null } {
  const local = view.raw ? t : set.toLocal(host, t);
  return { local, error: local === null ? null : set.errorAt(host, local) };
}
