// The moment from which the page works: what was done to it before is done then. The script in the head keeps that, web/src/head.ts.

import type { Found } from "../home/parcel.js";

export const WORKS = "synchroscope-works";

/** Takes the files that were dropped before. */
export type Works = CustomEvent<(found: Promise<Found[]>) => void>;

/** Everything on the page is listened to. */
export function works(take: (found: Promise<Found[]>) => void): void {
  dispatchEvent(new CustomEvent(WORKS, { detail: take }));
}
