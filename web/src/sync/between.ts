// Two clocks compared along the way between them: by how much one is ahead, and how well that is known.

import type { Between, LinkInfo } from "../net/json.js";
import { about, bound, measured, parseNs, type Ns } from "../time/time.js";
import { span } from "./number.js";

/** What b's clock shows beyond a's when a's shows t, ns; the pieces at both ends go on. null where nothing says. */
export function aheadAt(c: Between, t: Ns): number | null {
  const piece = c.map.find((p) => BigInt(p.end) > t) ?? c.map[c.map.length - 1];
  if (!piece) return null;
  const [begin, end, from, to] = [piece.begin, piece.end, piece.b_begin, piece.b_end].map(BigInt);
  return end > begin ? Number(from + ((t - begin) * (to - from)) / (end - begin) - t) : null;
}

/** The bound at a's time t: between two entries the larger one; null outside of them. */
export function boundOf(c: Between, t: Ns): number | null {
  const next = c.error.findIndex(([at]) => (parseNs(at) ?? t) >= t);
  if (next < 0) return null;
  if (BigInt(c.error[next][0]) === t) return c.error[next][1];
  return next === 0 ? null : Math.max(c.error[next - 1][1], c.error[next][1]);
}

/** By how much b is ahead of a at a's time t, as a sentence without its end; "" where nothing says. */
export function aheadWords(c: Between, t: Ns): string {
  const by = aheadAt(c, t);
  if (by === null) return "";
  const error = boundOf(c, t);
  return `${c.b} is ${by < 0 ? "behind" : "ahead of"} ${c.a} by ${error === null ? about(Math.abs(by)) : measured(Math.abs(by), error)}`;
}

/** The way, and how well it is known; direct is the link between the two, if they have one. What is known of a link is of the time
 * in which both were recorded, as in the table of links, and what is known along others of all that the first host recorded. */
export function wayWords(c: Between, direct: LinkInfo | undefined): string {
  if (c.path.length === 2 && c.error_ns && direct?.error_ns) return `By their own link, known to ${span(direct.error_ns.min, direct.error_ns.max)} while both recorded.`;
  const known = c.error_ns ? `known to ${span(c.error_ns.min, c.error_ns.max)} while ${c.a} recorded` : "which nothing bounds";
  if (c.path.length === 2) return `By their own link, ${known}.`;
  const own = direct?.error_ns && !direct.in_tree && !direct.excluded ? ` Their own messages, which are not in use, know it to ${span(direct.error_ns.min, direct.error_ns.max)} while both did${verdict(direct)}.` : "";
  return `Along ${c.path.join("\u00a0– ")}, ${known}.${own}`;
}

function verdict(l: LinkInfo): string {
  if (!l.loop_ns) return "";
  return l.loop_ns.consistent ? `, and agree: ${about(l.loop_ns.residual, 3)} apart at most, of ${bound(l.loop_ns.bound)} allowed` : ", and contradict";
}
