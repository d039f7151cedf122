// Which sets a word finds, and the orders they are listed in.

import { byName } from "../model/natural.js";
import type { SetStatus } from "./api.js";

/** Whether every word stands in a set's name, the names of its hosts, its state or its date. Those of its archives do not count: the list does not show them, and a set is
 * mostly called as its archive was, so whoever gave it another name would still find it by the old one and not see why. */
export function found(set: SetStatus, words: string): boolean {
  const date = new Date(set.created);
  const known = Number.isNaN(date.getTime()) ? "" : `${date.toISOString()} ${date.toLocaleString()} ${date.toLocaleString(undefined, { dateStyle: "full" })} ${date.toLocaleString(undefined, { dateStyle: "medium" })}`;
  const text = [set.name, ...(set.hosts ?? []).map((x) => x.name), set.state, known].join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every((w) => text.includes(w));
}

type Order = (a: SetStatus, b: SetStatus) => number;

const newest: Order = (a, b) => b.created.localeCompare(a.created);

/** By the value of the choice on the page. What is equal stays in the order of the server, the newest first. */
export const ORDERS: Record<string, Order> = {
  newest,
  name: (a, b) => byName(a.name, b.name) || newest(a, b),
  size: (a, b) => b.bytes - a.bytes || newest(a, b),
  events: (a, b) => b.events - a.events || newest(a, b),
};
