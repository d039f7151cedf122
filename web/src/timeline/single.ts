// Where the messages of a bundle are drawn one by one: how narrow a window must be for that depends on all the messages around, so the
// server is asked for one narrower window after the other, as if that were drawn.

import type { Ends } from "../draw/arrows.js";
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

/** Less than so many pixels apart two arrows are seen as one. */
export const APART = 10;

/** A window, and how many of the bundle's messages are drawn in it one by one; none where even the narrowest has them in a bundle. */
export interface Single {
  readonly window: Window;
  readonly count: number;
}

/** Finds the widest window, of each half as wide as the one before, that begins with the first message that was sent; here, if that is given and
 * has all of them one by one already. Where no window has them apart it is one in which they are drawn one by one, though close together. */
export function single(ends: PickedEnds, here: Window | null, trial: Trial, found: (s: Single) => void): void {
  const last = maxNs(ends.sentLast, ends.receivedLast);
  const most = Number(last - ends.sentFirst) * (1 + 2 * ROOM);
  let close: Single | null = null;
  const look = (window: Window, otherwise: () => void): void =>
    trial.ask(window, (a) => {
      const chosen = trial.chosen(a);
      const [from, to] = [Number(window.begin - a.base), Number(endOf(window) - a.base)];
      const inView = (i: number) => chosen.has(i) && endsAt(a, i).sentLast >= from && endsAt(a, i).sentFirst < to;
      const arrows = trial.drawn(a, window).filter((x) => x.members.some(inView));
      const alone = arrows.length > 0 && arrows.every((x) => !x.bundle);
      if (alone && asunder(arrows)) return found({ window, count: arrows.length });
      if (alone) close ??= { window, count: arrows.length };
      otherwise();
    });
  const attempt = (span: number): void => {
    const window = { begin: ends.sentFirst - BigInt(Math.round((span * ROOM) / (1 + 2 * ROOM))), span };
    look(window, () => (span <= NARROWEST ? found(close ?? { window, count: 0 }) : attempt(Math.max(NARROWEST, span / 2))));
  };
  const narrow = () => attempt(Math.max(NARROWEST, most));
  if (here && here.begin <= minNs(ends.sentFirst, ends.receivedFirst) && endOf(here) >= last) look(here, narrow);
  else narrow();
}

/** Whether no two arrows between the same rows lie so close that they are seen as one. */
export function asunder(arrows: readonly Ends[]): boolean {
  const order = [...arrows].sort((p, q) => p.x0 - q.x0);
  return order.every((p, i) => {
    for (let k = i + 1; k < order.length && order[k].x0 - p.x0 < APART; k++) {
      const q = order[k];
      if (p.y0 === q.y0 && p.y1 === q.y1 && Math.abs(q.x1 - p.x1) < APART) return false;
    }
    return true;
  });
}
