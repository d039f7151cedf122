// Where the window was brought to, by a step of the way or by the other kind of time, as long as it stays there and nothing else is chosen. By the other time something
// else may be in sight, and a clock that was set back shows one time twice: from where the window was seen first it is found again, and would not be if it were kept
// anew.

import { same, type Window } from "../time/window.js";
import { chosenWords, type Seen } from "./alongside.js";
import type { KeptWindow } from "./kept.js";

export interface Landing {
  /** By which the window is found again: where it was seen first. */
  readonly kept: KeptWindow;
  /** Where it was seen by the kind of time that kept is not told by; undefined where it was not. */
  readonly other: KeptWindow | undefined;
  /** The host that it went with from one kind of time to the other; undefined where it did not. */
  readonly host: number | undefined;
  readonly window: Window;
  readonly chosen: string;
  /** It was a step of the way, which leaves what is chosen as it is: it may be of another host than when the place was seen. */
  readonly stepped: boolean;
}

export const landed = (view: Seen, kept: KeptWindow, host?: number, other?: KeptWindow, stepped = false): Landing => ({ kept, other, host, window: view.window, chosen: chosenWords(view), stepped });

/** Whether the window has not moved since, and nothing else was chosen. */
export const unmoved = (landing: Landing | null, view: Seen): landing is Landing => landing !== null && same(landing.window, view.window) && landing.chosen === chosenWords(view);

/** Where it was seen by a kind of time; undefined where it was not. */
export const seenBy = ({ kept, other }: Landing, raw: boolean): KeptWindow | undefined => [kept, other].find((k) => k?.raw === raw);
