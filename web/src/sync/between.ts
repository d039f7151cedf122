// Two clocks compared along the way between them: by how much one is ahead, and how well that is known.

import { boundOf } from "../model/direct.js";
import { forceOf } from "../model/inforce.js";
import type { SetModel } from "../model/set.js";
import type { Between, LinkInfo } from "../net/json.js";
import { about, bound, measured, type Ns } from "../time/time.js";
import { span } from "./number.js";

/** What b's clock shows beyond a's when a's shows t, ns; the pieces at both ends go on. null where nothing says. */
export function aheadAt(c: Between, t: Ns): number | null {
  const piece = c.map.find((p) => BigInt(p.end) > t) ?? c.map[c.map.length - 1];
  if (!piece) return null;
  const [begin, end, from, to] = [piece.begin, piece.end, piece.b_begin, piece.b_end].map(BigInt);
  return end > begin ? Number(from + ((t - begin) * (to - from)) / (end - begin) - t) : null;
}

/** Which of two hosts is to be asked for first. */
export function asked(set: SetModel, a: string, b: string): [string, string] {
  const [x, y] = [a, b].map((name) => set.hosts.find((h) => h.name === name));
  return x && y && set.asked(x.index, y.index)[0] !== x.index ? [b, a] : [a, b];
}

/** By how much one of the two is ahead of the other, first, at the time t of a, as a sentence without its end; "" where nothing says.
 * bounded tells whether a bound holds then. */
export function aheadWords(c: Between, t: Ns, first = c.a, bounded = true): string {
  const by = aheadAt(c, t);
  if (by === null) return "";
  const error = bounded ? boundOf(c, t) : null;
  const [one, other, behind] = first === c.a ? [c.a, c.b, by < 0] : [c.b, c.a, by > 0];
  return `${other} is ${behind ? "behind" : "ahead of"} ${one} by ${error === null ? about(Math.abs(by)) : measured(Math.abs(by), error)}`;
}

/** That hosts recorded nothing at a moment, and what is taken of their clocks then, as a sentence behind another; "" of none. Of each host, whether it began only later. */
export function silentWords(hosts: readonly { name: string; later: boolean }[]): string {
  if (hosts.length === 0) return "";
  const names = hosts.map((x) => x.name).join(" and ");
  const clocks = hosts.length > 1 ? "their clocks are" : "its clock is";
  const [when, how] = hosts.every((x) => x.later) ? ["recorded nothing yet then", "to have gone as when it began"] : hosts.some((x) => x.later) ? ["recorded nothing then", "to go as where they recorded"] : ["recorded nothing then any more", "to go on as when it ended"];
  return ` ${names} ${when}, so no bound holds: ${clocks} taken ${hosts.length > 1 ? how.replace("it ", "they ") : how}.`;
}

/** The way from one of the two, first, and how well it is known over all that a recorded; direct is the link between the two, if they have one. */
export function wayWords(c: Between, direct: LinkInfo | undefined, first = c.a): string {
  const known = c.error_ns ? `known to ${span(c.error_ns.min, c.error_ns.max)} while ${c.a} recorded` : "which nothing bounds";
  const link = c.path.length === 2 && direct ? forceOf(direct) : null;
  if (link) return `By the clock in force over their own link, known to ${span(link.error_ns.min, link.error_ns.max)} while both recorded.`;
  if (c.path.length === 2) return `By their own link, ${known}.`;
  const own = direct?.error_ns && !direct.in_tree && !direct.excluded ? direct : null;
  const line = own?.error_ns ? ` A line by their own messages alone, which is not in use, would be known to ${span(own.error_ns.min, own.error_ns.max)} while both did${verdict(own)}.` : "";
  const path = (first === c.a ? c.path : c.path.toReversed()).join("\u00a0– ");
  // A link that contradicts the way bounds nothing.
  return own && own.loop_ns?.consistent !== false ? `Along ${path}, and held to what their own messages allow: ${known}.${line}` : `Along ${path}, ${known}.${line}`;
}

function verdict(l: LinkInfo): string {
  if (!l.loop_ns) return "";
  return l.loop_ns.consistent ? `, and agrees: ${about(l.loop_ns.residual, 3)} apart at most, of ${bound(l.loop_ns.bound)} allowed` : ", and contradicts it";
}
