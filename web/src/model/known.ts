// How well a host's clock is known, in words.

import type { HostInfo } from "../net/json.js";
import { plusMinus } from "../time/time.js";

/** What is said of a host whose clock nothing relates to the reference: while it is still read nobody knows whether that stays so. */
export function unrelatedWords(host: Pick<HostInfo, "provisional">): string {
  return host.provisional ? "not known yet" : "unsynchronized";
}

/** How a host's clock lies to that of the reference, where its bound is error ns, or null where none holds, as before and after
 * what the host recorded. The reference of an island is not the one that all times are of. */
export function knownWords(host: Pick<HostInfo, "reference" | "unsynchronized" | "provisional">, error: number | null, recorded = true): string {
  const silent = recorded ? "" : "not recorded here";
  const own = host.unsynchronized ? unrelatedWords(host) : host.reference ? "reference" : "";
  if (own) return silent ? `${own}, ${silent}` : own;
  return error === null && silent ? silent : plusMinus(error);
}
