// What the section of control flow says of its list: how many rows there are, how many of them are listed and fit a filter, and why none is.

import { lackFor, lackOf, type EmptyWords } from "../model/lacks.js";
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

/** How many rows there are, how many are listed, and what the filter leaves open; what is said of it where there is no room for all; and
 * why some are there, as a sentence. */
export function countWords({ rows, view }: Context, of: Listing): { parts: string[]; brief: string; why: string } {
  if (rows.threads === 0) return { parts: [""], brief: "", why: "" };
  const threads = of.listed.filter((r) => rows.get(r.id)?.kind !== HOST);
  const wanted = isExpression(view.filter) ? of.wanted.rows : null;
  const parts = [counted(rows.threads, rows.unnumbered > 0 ? "row" : "thread")];
  const fitting = threads.filter((r) => (wanted ? wanted.has(r.id) : !r.dimmed)).length;
  const fit = wanted ? wanted.size : of.fit + of.idle;
  const [listed, beside] = view.filter ? listedWords(threads.length, fit > 0 ? threads.length - fitting : 0) : runningWords(threads, view.busyOnly && of.busy.known ? of.busy : null);
  if (threads.length < rows.threads) parts.push(listed + beside);
  let brief = threads.length < rows.threads ? listed : parts[0];
  const fits = (words: string[]) => {
    parts.push(...words);
    brief = words[0];
  };
  if (view.filter && !isExpression(view.filter)) fits(fitWords(fit, of.idle, fitting));
  if (of.efforts.counting) parts.push(`counting ${ORDER_WORDS[view.order.by]}, to sort by it`);
  if (wanted) {
    const there = new Set(threads.map((r) => r.id));
    const idle = view.busyOnly && of.busy.known ? [...wanted].filter((id) => !there.has(id) && !of.busy.is(id)).length : 0;
    fits(fitWords(fit, idle, fitting));
    if (of.wanted.unsure > 0) parts.push(`${group(of.wanted.unsure)} of these perhaps: too much happens here to tell, zoom in`);
  }
  return { parts, brief, why: threads.length < rows.threads && beside ? (view.filter ? NOT_FITTING : NOT_RUNNING) : "" };
}

/** Why no row is listed. */
export function emptyWords({ rows, view, set }: Context, of: Listing): EmptyWords {
  const { filter } = view;
  const fits = of.idle > 0 || (rows.threads > 0 && isExpression(filter) && !!of.wanted.rows?.size);
  if (fits) return "No row that fits the filter runs in this window. List all rows to see them.";
  if (rows.threads > 0 && filter) return `No row matches “${filter}”${isExpression(filter) ? " in this window" : ""}. Clear the filter to see all rows.`;
  const events = set.info?.events ?? 0;
  const lack = lackOf(`This shows what each thread does.${events > 0 ? ` What was recorded, ${counted(events, "event")}, is in the tab Events.` : ""}`, set.hosts, lackFor(/control/i));
  if (lack) return lack;
  if (rows.threads > 0) return "No thread is known to run in this window. Zoom out, or list all rows.";
  const { info } = set;
  if (info?.state === "failed") return NOTHING;
  return `This shows what each thread does. ${info?.state === "ready" && info.events === 0 ? NO_EVENTS : set.importing ? "Rows come as soon as the first events are read." : ""}`.trimEnd();
}

/** Why rows are listed beside those that are wanted. */
const NOT_FITTING = "Rows that do not fit are listed for what is below them, for you chose them, or, dimly, since you want to see them.";
const NOT_RUNNING = "Threads that run in view are listed; a process that does not run itself is, too, where a thread of it does, and so is a row that you chose.";

// How many threads are listed, and beside them how many others, which the filter does not want: for what is below them, for being chosen, or dim.
function listedWords(listed: number, others: number): [string, string] {
  return [`${group(listed - others)} listed`, others > 0 ? ` and ${group(others)} that ${others === 1 ? "does" : "do"} not fit` : ""];
}

// How many threads are listed for what they do in view, as many as Statistics has, and beside them how many only for the threads below them, or since
// they were chosen.
function runningWords(threads: readonly Listed[], busy: Busy | null): [string, string] {
  const others = busy ? threads.filter((r) => !busy.is(r.id)) : [];
  const hold = others.filter((r) => r.expandable).length;
  const rest = others.length - hold;
  const beside = [hold > 0 ? ` and ${counted(hold, "process", "processes")} of theirs` : "", rest > 0 ? ` and ${group(rest)} chosen` : ""].join("");
  return [`${group(threads.length - others.length)} listed`, beside];
}

// How many threads fit what is wanted, and how many of these are not listed: since they do not run, or are in a row that is closed.
function fitWords(fit: number, idle: number, listed: number): string[] {
  if (fit === 0) return ["none fits"];
  const fits = `${group(fit)} ${fit === 1 ? "fits" : "fit"}`;
  if (idle === fit) return [fits, fit === 1 ? "but does not run in view" : "but none of these runs in view"];
  const closed = fit - idle - listed;
  const runs = idle > 0 ? [`${group(idle)} of these ${idle === 1 ? "does" : "do"} not run in view`] : [];
  return [fits, ...runs, ...(closed > 0 ? [`${group(closed)} ${idle > 0 ? "" : "of these "}${closed === 1 ? "is" : "are"} in closed rows`] : [])];
}
