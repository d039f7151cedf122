// What the section of control flow says of its list: how many rows there are, how many of them are listed and fit a filter, and why none is.

import { lackOf, type EmptyWords } from "../model/lacks.js";
import { ORDER_WORDS } from "../model/order.js";
import { HOST } from "../model/rows.js";
import type { Listed } from "../model/tree.js";
import { NO_EVENTS, NOTHING } from "../model/unread.js";
import { counted, group } from "../time/number.js";
import type { Busy } from "./busy.js";
import type { Context } from "./controlflow.js";
import type { Efforts } from "./efforts.js";
import { isExpression, type Wanted } from "./wanted.js";

/** What is listed, and by what. */
export interface Listing {
  readonly listed: readonly Listed[];
  readonly fit: number; // threads that fit the words of a filter and are listed, or would be if nothing were closed
  readonly idle: number; // those that fit, and are not, since they do not run
  readonly wanted: Wanted;
  readonly busy: Busy;
  readonly efforts: Efforts;
}

/** How many rows there are, how many are listed, and what the filter leaves open. */
export function countWords({ rows, view }: Context, of: Listing): string[] {
  if (rows.threads === 0) return [""];
  const threads = of.listed.filter((r) => rows.get(r.id)?.kind !== HOST);
  const wanted = isExpression(view.filter) ? of.wanted.rows : null;
  const parts = [counted(rows.threads, "thread")];
  if (threads.length < rows.threads) parts.push(`${group(threads.length)} listed`);
  if (view.filter && !isExpression(view.filter)) parts.push(...fitWords(of.fit + of.idle, of.idle));
  if (of.efforts.counting) parts.push(`counting ${ORDER_WORDS[view.order.by]}, to sort by it`);
  if (wanted) {
    const listed = new Set(threads.map((r) => r.id));
    const idle = view.busyOnly && of.busy.known ? [...wanted].filter((id) => !listed.has(id) && !of.busy.is(id)).length : 0;
    parts.push(...fitWords(wanted.size, idle));
    if (of.wanted.unsure > 0) parts.push(`${group(of.wanted.unsure)} of these perhaps: too much happens here to tell, zoom in`);
  }
  return parts;
}

/** Why no row is listed. */
export function emptyWords({ rows, view, set }: Context, of: Listing): EmptyWords {
  const { filter } = view;
  const fits = of.idle > 0 || (rows.threads > 0 && isExpression(filter) && !!of.wanted.rows?.size);
  if (fits) return "No row that fits the filter runs in this window. List all rows to see them.";
  if (rows.threads > 0 && filter) return `No row matches “${filter}”${isExpression(filter) ? " in this window" : ""}. Clear the filter to see all rows.`;
  const hints = set.hosts.flatMap((h) => (h.missing ?? []).filter((m) => /control/i.test(m.view)));
  const events = set.info?.events ?? 0;
  if (hints.length) return lackOf(`This shows what each thread does.${events > 0 ? ` What was recorded, ${counted(events, "event")}, is in the tab Events.` : ""}`, hints[0].events, hints[0].command);
  if (rows.threads > 0) return "No thread is known to run in this window. Zoom out, or list all rows.";
  const { info } = set;
  if (info?.state === "failed") return NOTHING;
  return `This shows what each thread does. ${info?.state === "ready" && info.events === 0 ? NO_EVENTS : set.importing ? "Rows come as soon as the first events are read." : ""}`.trimEnd();
}

// How many threads fit what is wanted, and how many of these are not listed since they do not run.
function fitWords(fit: number, idle: number): string[] {
  if (fit === 0) return ["none fits"];
  const fits = `${group(fit)} ${fit === 1 ? "fits" : "fit"}`;
  if (idle === 0) return [fits];
  if (idle === fit) return [fits, fit === 1 ? "but does not run in view" : "but none of these runs in view"];
  return [fits, `${group(idle)} of these ${idle === 1 ? "does" : "do"} not run in view`];
}
