// The messages of a bundle, one after the other: whoever chose the bundle goes through them, and through none between them.

import type { MessagesAnswer } from "../net/wire.js";
import { near } from "../time/time.js";
import { group } from "../time/number.js";
import { pickedAt, type Picked } from "./picked.js";

/** The messages at some places of an answer by time of sending; none where some are not alone there. */
export function eachOf(a: MessagesAnswer, places: readonly number[]): Picked[] {
  if (places.some((i) => a.counts[i] > 1)) return [];
  return [...places].sort((x, y) => a.sent[x] - a.sent[y] || x - y).map((i) => pickedAt(a, i));
}

/** Where in a bundle one stands. */
export interface Stand {
  readonly all: readonly Picked[];
  readonly at: number;
}

/** Where one stands at a message; null where it is none of them, but for what clock maps round away. */
export function standAt(all: readonly Picked[], m: Picked): Stand | null {
  const far = (p: Picked) => Math.abs(Number(p.sent - m.sent)) + Math.abs(Number(p.received - m.received));
  const [at] = all.flatMap((p, i) => (near(p.sent, m.sent) && near(p.received, m.received) ? [i] : [])).sort((i, k) => far(all[i]) - far(all[k]) || i - k);
  return at === undefined ? null : { all: all.with(at, m), at };
}

/** The next or the one before of the messages of a bundle; null at their end. */
export function stepIn({ all, at }: Stand, by: 1 | -1): Stand | null {
  return at + by >= 0 && at + by < all.length ? { all, at: at + by } : null;
}

/** Where one stands, in words. */
export function standWords({ all, at }: Stand): string {
  if (at === all.length - 1) return `The last of the ${group(all.length)} messages of the bundle.`;
  return `Message ${group(at + 1)} of the ${group(all.length)} of the bundle: M goes to the next of them.`;
}
