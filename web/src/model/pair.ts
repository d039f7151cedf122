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
  return absent(pair, hosts, importing) || `${pair[0]} is one host, not two`;
}

// The hosts that there are not, in few words; "" where there are all.
function absent(names: readonly string[], hosts: readonly string[], importing: boolean): string {
  const strange = [...new Set(names)].filter((name) => !hosts.includes(name));
  return strange.length === 0 ? "" : `no host ${strange.map((name) => name || "without a name").join(" or ")} in this set${importing ? " so far" : ""}`;
}

// The hosts that could have been meant, as a sentence.
const there = (hosts: readonly string[]) => `There ${hosts.length === 1 ? "is" : "are"} ${list(hosts, NAMED)}.`;

/** The same as sentences, with what is shown instead. */
export function strangerWords(pair: readonly [string, string] | null, hosts: readonly string[], importing: boolean): string {
  const words = strangersIn(pair, hosts, importing);
  if (!words) return "";
  const what = words.startsWith("no host") ? `There is ${words}` : `A pair is of two hosts, and ${words}`;
  return `The address asks for the messages of ${pair![0]} and ${pair![1]} alone. ${what}, so those of all hosts are shown. ${there(hosts)}`;
}

/** A link as an address names it, and that which is shown, null for none. */
export interface AskedLink {
  readonly asked: readonly [string, string] | null;
  readonly shown: readonly [string, string] | null;
}

/** That the link, or a host to be compared, which an address names is none of this set; "" where nothing is wrong. Of hosts that are compared
 *  either may be "", for one that is not chosen. */
export function unlinkedWords({ asked, shown }: AskedLink, compared: readonly [string, string], hosts: readonly string[], importing: boolean): string {
  if (hosts.length === 0) return "";
  const out: string[] = [];
  let strangers = false;
  if (asked && [...asked].sort().join("~") !== [...(shown ?? [])].sort().join("~")) {
    const strange = absent(asked, hosts, importing);
    strangers = !!strange;
    const why = strange ? `There is ${strange}` : asked[0] === asked[1] ? `A link is of two hosts, and ${asked[0]} is one` : `They exchanged no message${importing ? " so far" : ""}`;
    out.push(`The address asks for the link of ${asked.map((name) => name || "no host").join(" and ")}. ${why}${shown ? `, so that of ${shown.join(" and ")} is shown` : ""}.`);
  }
  const strange = absent(compared.filter(Boolean), hosts, importing);
  strangers ||= !!strange;
  if (strange) out.push(`The address asks to compare ${compared.filter(Boolean).join(" with ")}. There is ${strange}.`);
  if (strangers) out.push(there(hosts));
  return out.join(" ");
}
