// Messages that are received before they are sent in synchronized time, by no more than the error of the clocks: how they are told of wherever they are
// counted. Where a clock was set back its times stand for two moments, and which of them an end of a message was at nobody knows.

import { group } from "../time/number.js";
import type { SetModel } from "./set.js";

/** Whether messages that are received before they are sent in synchronized time are so by no more than the error of the clocks, at times close to which one was set:
 * of others, which are violations, no link has any. */
export function withinError(set: SetModel): boolean {
  const { clocks } = set;
  return !set.importing && !!clocks && clocks.final !== false && (clocks.links ?? []).every((l) => l.violations === 0);
}

/** Whether a clock was set against another. */
export function wasSet(set: SetModel): boolean {
  return (set.clocks?.links ?? []).some((l) => l.shape === "steps");
}

/** Why such messages are no violations, as a sentence. */
export function whyEarly(set: SetModel): string {
  return wasSet(set)
    ? "A clock was set meanwhile, and of times close to that nothing tells whether it showed them before or after: within the error they may as well have been received after they were sent."
    : "Within the error they may as well have been received after they were sent.";
}

/** How many messages are received before they are sent and no violations, as a sentence; "" where none is. */
export function earlyWords(n: number, set: SetModel): string {
  if (n === 0) return "";
  const more = (set.clocks?.links ?? []).some((l) => l.violations > 0) ? "Beside the violations " : "";
  const what = n === 1 ? `${more}1 message is received before it is sent in synchronized time, by no more than the error of the clocks there, so it is no violation.`
    : `${more}${group(n)} messages are received before they are sent in synchronized time, each by no more than the error of the clocks there, so they are no violations.`;
  return `${what} ${whyEarly(set)}`;
}
