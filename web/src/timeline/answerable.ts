// Which thread to look at for what ended a wait. One that began only as the wait ended did not cause it: the thread that began
// that one did. It is decided before anything leads there, so that what leads there can name it.

import type { Ns } from "../time/time.js";
import { maxNs, minNs } from "../time/time.js";
import type { Context } from "./controlflow.js";
import { lifeOf } from "./life.js";
import type { Picked } from "./picked.js";

/** A thread that was there for no more of a wait than this is not what was waited for. */
const SHORT_LIFE = 0.25;

/** A thread that ended a wait, but had only begun. */
export interface Via {
  readonly tid: number;
  readonly name: string;
}

export interface Answerable {
  readonly row: number;
  /** The thread, begun by this one, that ended the wait; null where it is this one. */
  readonly via: Via | null;
}

/** A time of the view as the receiver of a message has it, as its sender has it: in raw time each host has its own. */
export function asSender({ rows, set, view }: Pick<Context, "rows" | "set" | "view">, m: Pick<Picked, "from" | "to">, at: Ns): Ns {
  const [from, to] = [rows.get(m.from)?.host, rows.get(m.to)?.host];
  return view.raw && from !== undefined && to !== undefined && from !== to ? (set.elsewhere(from, to, at) ?? at) : at;
}

/** Names it; "" for none. */
export const viaWords = (via: Via | null): string => (via ? `${via.name} · ${via.tid}` : "");

/** Whether a row's thread was there for too little of a stretch of time; false where that is not known. */
export function cameLate(c: Pick<Context, "rows" | "set" | "view">, row: number, begin: Ns, end: Ns): boolean {
  const share = there(c, row, begin, end);
  return share !== null && share <= SHORT_LIFE;
}

/** The thread to look at for what a row's thread, of a name, did from begin to end: that one, or its parent where that was there for longer. */
export function answerableFor(c: Pick<Context, "rows" | "set" | "view">, row: number, ppid: number, name: string, begin: Ns, end: Ns): Answerable {
  const self = c.rows.get(row);
  const parent = self && ppid > 0 ? c.rows.find(self.host, ppid) : undefined;
  if (!self || parent === undefined || !cameLate(c, row, begin, end) || (there(c, parent, begin, end) ?? 1) <= (there(c, row, begin, end) ?? 1)) return { row, via: null };
  return { row: parent, via: { tid: self.tid, name: name || self.name } };
}

// The share of a stretch of time in which a row's thread was there, as far as that is known.
function there(c: Pick<Context, "rows" | "set" | "view">, row: number, begin: Ns, end: Ns): number | null {
  const life = lifeOf(c, row);
  if (!life || end <= begin) return null;
  const from = life.first === null ? begin : maxNs(begin, life.first);
  const to = life.last === null ? end : minNs(end, life.last);
  return Math.max(0, Number(to - from)) / Number(end - begin);
}
