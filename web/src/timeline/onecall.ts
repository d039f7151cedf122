// The way to one system call of a thread.

import { exact, maxNs, minNs, seconds, type Ns } from "../time/time.js";
import { windowOf } from "../time/window.js";
import type { Context } from "./controlflow.js";
import type { Timeline } from "./timeline.js";

/** Of the time that a call took, as much stands on each side of it; and so much at least, ns. */
const SHARE = 4n;
const LEAST = 1000n;

/** Shows a system call, with room about it as far as anything is recorded: it is the selected range, of which is told how long it took and what the thread did
 *  in it, and its thread is selected in what it did as the call began, where the cursor is. what names the call. */
export function showCall({ view }: Context, timeline: Timeline, host: number, tid: number, begin: Ns, end: Ns, what: string): void {
  const room = (end - begin) / SHARE + LEAST;
  const { begin: first, end: last } = view.bounds ?? { begin: begin - room, end: end + room };
  view.selection = { begin, end };
  view.jumpChoosing(windowOf(minNs(begin, maxNs(begin - room, first)), maxNs(end, minNs(end + room, last))));
  // A clock map may round the begin out of the call.
  timeline.selected.point(host, tid, begin + minNs(2n, (end - begin) / 2n));
  view.cursor = begin;
  view.pointed.emit();
  timeline.pointer.note(host, `${what}: ${exact(end - begin)} from ${seconds(begin - view.origin())}.`);
}
