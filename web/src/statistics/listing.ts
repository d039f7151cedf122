// Which threads the server lists: of each host the first in the order of the table, of those that have the words of the field.

import type { Listing, StatisticsAnswer } from "../home/api.js";
import { counted, group } from "../time/number.js";

/** What the server calls the columns of threads, by what addresses call them. The order of hosts says nothing about the threads of one. */
const ORDERS: Readonly<Record<number, string>> = { 0: "name", 1: "tid", 3: "on_cpu", 4: "state", 5: "user", 6: "syscall", 7: "kernel", 8: "wait_for_cpu", 9: "blocked", 10: "interrupted", 11: "longest", 12: "unknown" };

/** The longest words that the server takes, in letters. */
const MOST = 200;

/** How many threads of a host are in a file, and how many at most the server lists. */
export const MOST_SAVED = 2000;

/** The threads that are wanted where the table is sorted so, and the field has these words; still is whether those that never ran are, too. */
export function listingOf([column, turned]: readonly [number, boolean], words: string, still: boolean): Listing {
  const order = ORDERS[column];
  return { order: order ? (turned ? "-" : "") + order : "on_cpu", narrow: words.slice(0, MOST), still };
}

/** Whether an answer that lists threads so has all rows that are to be listed otherwise. */
export function holds(answer: StatisticsAnswer, listed: Listing, wanted: Listing): boolean {
  if (listed.still !== wanted.still) return false;
  if (listed.order === wanted.order && listed.narrow === wanted.narrow) return true;
  return wanted.narrow.includes(listed.narrow) && answer.hosts.every((x) => x.others === 0);
}

/** How many threads are not listed, of those hosts; "" where all are. */
export function othersWords(hosts: StatisticsAnswer["hosts"]): string {
  const cut = hosts.filter((x) => x.others > 0);
  if (cut.length === 0) return "";
  const [most, others] = [Math.max(...cut.map((x) => x.threads.length)), cut.reduce((n, x) => n + x.others, 0)];
  return `the ${group(most)} of each host that are first in this order; ${counted(others, "other")} ${others === 1 ? "is" : "are"} not listed`;
}

/** What the switch says of the threads that were there and never ran; "" where all ran. */
export function stillWords(hosts: StatisticsAnswer["hosts"]): string {
  const still = hosts.reduce((n, x) => n + x.still, 0);
  return still ? `with the ${counted(still, "thread")} that never ran here` : "";
}

/** How many threads ran in the stretch, which is fewer than there were; with unsure, of some of which only user space tells, they may have done something there. */
export function ranWords(hosts: StatisticsAnswer["hosts"], unsure: boolean): string {
  const ran = hosts.reduce((n, x) => n + x.ran, 0);
  return ran ? `${counted(ran, "thread")} ran${unsure ? " or did something" : ""} here` : "";
}
