// Where a place was seen, by each kind of time, and where the window was brought to, by a step of the way or by the other kind of time, as long as it stays there and
// nothing else is chosen. By the other time something else may be in sight, and a clock that was set back shows one time twice: a place is found again from where it was
// seen, and would not be if it were kept anew. By the other kind it is where it was seen by that; where it was not, or somebody of another host was chosen since, it is
// where the host that is gone along with now has it.

import { same, type Window } from "../time/window.js";
import { chosenWords, type Seen } from "./alongside.js";
import type { KeptWindow } from "./kept.js";

export interface Sight {
  /** By which it is found again: where it was seen first. */
  readonly kept: KeptWindow;
  /** Where it is by the kind of time that kept is not of; undefined where that is not known. */
  readonly other?: KeptWindow | undefined;
  /** That was only told, not seen: it is told anew each time. */
  readonly told?: boolean;
  /** The name of the host that leads from one to the other; "" for none. */
  readonly along?: string;
  /** What was chosen there, as chosenWords has it. */
  readonly words?: string;
}

export interface Landing extends Sight {
  readonly window: Window;
  readonly chosen: string;
}

export const landed = (view: Seen, sight: Sight): Landing => ({ ...sight, window: view.window, chosen: chosenWords(view) });

/** Whether the window has not moved since, and nothing else was chosen. */
export const unmoved = (landing: Landing | null, view: Seen): landing is Landing => landing !== null && same(landing.window, view.window) && landing.chosen === chosenWords(view);

/** Where it was seen by a kind of time; undefined where it was not. */
export const seenBy = ({ kept, other }: Sight, raw: boolean): KeptWindow | undefined => [kept, other].find((k) => k?.raw === raw);

/** Where a place is by a kind of time, if it is still: nobody was chosen but who was when it was seen, or the host that is gone along with now, by name, leads there; undefined
 * where it is not. */
export function stillSeenBy(landing: Landing, raw: boolean, now: string): KeptWindow | undefined {
  const { other, told, along, words, chosen } = landing;
  const there = seenBy(landing, raw);
  return along === now || (words === chosen && !(told && there === other)) ? there : undefined;
}

/** What is known of a landing, for a place of the way. */
export const sightOf = ({ kept, other, told, along, words }: Landing): Sight => ({ kept, ...(other ? { other } : {}), ...(told ? { told } : {}), ...(along === undefined ? {} : { along }), ...(words === undefined ? {} : { words }) });

/** A place of which nobody knows what was chosen there: hosts have other numbers. */
export const unworded = ({ words, ...sight }: Sight): Sight => sight;
