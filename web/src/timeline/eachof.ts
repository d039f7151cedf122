// The messages of a bundle, one after the other: whoever chose the bundle goes through them, and through none between them.

import type { MessagesAnswer } from "../net/wire.js";
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

/** The next or the one before of the messages of a bundle; null at their end. */
export function stepIn({ all, at }: Stand, by: 1 | -1): Stand | null {
  return at + by >= 0 && at + by < all.length ? { all, at: at + by } : null;
}

/** Where one stands, in words. */
export function standWords({ all, at }: Stand): string {
  if (at === all.length - 1) return `The last of the ${group(all.length)} messages of the bundle.`;
  return `Message ${group(at + 1)} of the ${group(all.length)} of the bundle: M goes to the next of them.`;
}
