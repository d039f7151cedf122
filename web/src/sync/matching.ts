// What became of the packets of a set, in words: which are messages, and which are not.

import type { Matching } from "../net/json.js";
import { counted, group } from "../time/number.js";

/** Sentences that add up; "" where there is no packet. While the set is imported what is alone may yet find its other end. */
export function matchingWords(m: Matching | null | undefined, importing: boolean): string {
  if (!m || m.sent + m.received === 0) return "";
  const were = (n: number) => (n === 1 ? "was" : "were");
  const out = [`${counted(m.matched, "message")} ${were(m.matched)} matched from ${group(m.sent)} sent and ${group(m.received)} received packets.`];
  const left = [m.retransmitted ? `${group(m.retransmitted)} retransmitted` : "", m.ambiguous ? `${group(m.ambiguous)} ambiguous` : ""].filter(Boolean).join(" and ");
  if (left) out.push(m.retransmitted + m.ambiguous === 1 ? `${left} one was left out.` : `${left} ones were left out.`);
  const [pieces, way] = m.pieces === 1 ? ["is a piece of a packet that was", "its way"] : ["are pieces of packets that were", "their way"];
  if (m.pieces) out.push(`${group(m.pieces)} ${pieces} cut or joined on ${way}: another piece stands for the message.`);
  if (m.loopback) out.push(`${group(m.loopback)} never left ${m.loopback === 1 ? "its" : "their"} host.`);
  const alone = [m.unmatched_sent ? `${group(m.unmatched_sent)} sent` : "", m.unmatched_received ? `${group(m.unmatched_received)} received` : ""].filter(Boolean).join(" and ");
  const [wait, their, they] = m.unmatched_sent + m.unmatched_received === 1 ? ["waits", "its", "it was"] : ["wait", "their", "they were"];
  if (alone) out.push(importing ? `${alone} ${wait} for ${their} other end to be read.` : `${alone} found no partner: ${their} other end was not recorded, or ${they} ${m.unmatched_sent ? "lost or " : ""}changed on the way.`);
  if (m.evicted) out.push(`${group(m.evicted)} waited too long for a partner and ${were(m.evicted)} dropped.`);
  return out.join(" ");
}
