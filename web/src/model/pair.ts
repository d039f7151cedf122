// The two hosts whose messages alone are shown. An address names them, which may be of another set.

import { list } from "./names.js";

/** So many hosts are named that there are. */
const NAMED = 6;

/** A pair whose two hosts there are; null for others, and for none. */
export function pairIn(pair: readonly [string, string] | null, hosts: readonly string[]): readonly [string, string] | null {
  return pair && pair[0] !== pair[1] && pair.every((name) => hosts.includes(name)) ? pair : null;
}

/** Which of the two hosts there are not, in few words; "" where nothing is wrong with a pair, and while no host is known. */
export function strangersIn(pair: readonly [string, string] | null, hosts: readonly string[], importing: boolean): string {
  if (!pair || hosts.length === 0 || pairIn(pair, hosts)) return "";
  const strange = [...new Set(pair)].filter((name) => !hosts.includes(name));
  if (strange.length === 0) return `${pair[0]} is one host, not two`;
  return `no host ${strange.map((name) => name || "without a name").join(" or ")} in this set${importing ? " so far" : ""}`;
}

/** The same as sentences, with what is shown instead. */
export function strangerWords(pair: readonly [string, string] | null, hosts: readonly string[], importing: boolean): string {
  const words = strangersIn(pair, hosts, importing);
  if (!words) return "";
  const what = words.startsWith("no host") ? `There is ${words}` : `A pair is of two hosts, and ${words}`;
  return `The address asks for the messages of ${pair![0]} and ${pair![1]} alone. ${what}, so those of all hosts are shown. There ${hosts.length === 1 ? "is" : "are"} ${list(hosts, NAMED)}.`;
}
