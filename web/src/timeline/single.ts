// Where the messages of a bundle are drawn one by one: how narrow a window must be for that depends on all the messages around, so the
// server is asked for one narrower window after the other, as if that were drawn.

import type { Arrow } from "../draw/gather.js";
import type { MessagesAnswer } from "../net/wire.js";
import { maxNs, minNs } from "../time/time.js";
import { endOf, NARROWEST, type Window } from "../time/window.js";
import { endsAt, type PickedEnds } from "./picked.js";

/** Room before the first message and, at first, behind the last, as a share of the time between. */
const ROOM = 0.04;

/** What drawing a window would draw. */
export interface Trial {
  /** Asks for the messages of a window, as drawing it would. */
  ask(window: Window, take: (a: MessagesAnswer) => void): void;
  /** What is drawn of them. */
  drawn(a: MessagesAnswer, window: Window): Arrow[];
  /** The places of the answer where messages of the bundle may be. */
  chosen(a: MessagesAnswer): ReadonlySet<number>;
}

/** A window, and how many of the bundle's messages are drawn in it one by one; none where even the narrowest has them in a bundle. */
export interface Single {
  readonly window: Window;
  readonly count: number;
}

/** Finds the widest window, of each half as wide as the one before, that begins with the first message that was sent; here, if that is given and
 * has all of them one by one already. */
export function single(ends: PickedEnds, here: Window | null, trial: Trial, found: (s: Single) => void): void {
  const last = maxNs(ends.sentLast, ends.receivedLast);
  const most = Number(last - ends.sentFirst) * (1 + 2 * ROOM);
  const look = (window: Window, otherwise: () => void): void =>
    trial.ask(window, (a) => {
      const chosen = trial.chosen(a);
      const [from, to] = [Number(window.begin - a.base), Number(endOf(window) - a.base)];
      const inView = (i: number) => chosen.has(i) && endsAt(a, i).sentLast >= from && endsAt(a, i).sentFirst < to;
      const arrows = trial.drawn(a, window).filter((x) => x.members.some(inView));
      if (arrows.length > 0 && arrows.every((x) => !x.bundle)) found({ window, count: arrows.length });
      else otherwise();
    });
  const attempt = (span: number): void => {
    const window = { begin: ends.sentFirst - BigInt(Math.round((span * ROOM) / (1 + 2 * ROOM))), span };
    look(window, () => (span <= NARROWEST ? found({ window, count: 0 }) : attempt(Math.max(NARROWEST, span / 2))));
  };
  const narrow = () => attempt(Math.max(NARROWEST, most));
  if (here && here.begin <= minNs(ends.sentFirst, ends.receivedFirst) && endOf(here) >= last) look(here, narrow);
  else narrow();
}
