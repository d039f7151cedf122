// What was done in a row at a time of the view. It is asked for by the clock of the row's host, and what is answered is put into the
// time of the view here: while an import runs the server may have another reference than this page has been told of, or other clock maps,
// and what it says of a time by those is of another time.

import type { SetModel } from "../model/set.js";
import type { At } from "../net/json.js";
import type { Message } from "../net/wire.js";
import { parseNs, type Ns } from "../time/time.js";
import type { Context } from "./controlflow.js";

/** Asks by a view. What has no clock yet is asked about by the time of the view itself. */
export function askAt({ live, view, rows, set }: Pick<Context, "live" | "view" | "rows" | "set">, number: number, row: number, at: Ns, receive: (m: Message) => void): void {
  const host = rows.get(row)?.host;
  const local = view.raw || host === undefined ? null : set.toLocal(host, at);
  if (host === undefined || local === null) return live.ask(number, { op: "at", row, at: String(at), time: view.time }, receive);
  live.ask(number, { op: "at", row, at: String(local), time: "raw" }, (m) => {
    if (m.kind !== "at" || !m.body || view.raw) return receive(m);
    const body = toldAt(m.body, host, at, local, set);
    if (body) receive({ ...m, body });
    else live.ask(number, { op: "at", row, at: String(at), time: view.time }, receive); // its clock is not known any more
  });
}

// An answer by the host's own clock, by that of the reference.
function toldAt(a: At, host: number, at: Ns, local: Ns, set: Pick<SetModel, "toReference" | "errorAt">): At | null {
  const told = (t: string | null | undefined): Ns | null => {
    const own = parseNs(t);
    return own === null ? null : set.toReference(host, own);
  };
  const [begin, end, until] = [told(a.begin), told(a.end), told(a.known_until)];
  if ((a.begin && begin === null) || (a.end && end === null)) return null;
  return {
    ...a, at: String(at), begin: begin?.toString() ?? null, end: end?.toString() ?? null, error_ns: set.errorAt(host, local),
    duration: begin !== null && end !== null ? String(end - begin) : null, ...(until !== null ? { known_until: String(until) } : {}),
  };
}
