// Where the window was brought to, by a step of the way or by the other kind of time, as long as it stays there. By the other time something else may be in sight, and a
// clock that was set back shows one time twice: from where the window was seen first it is found again, and would not be if it were kept anew.

import { same, type Window } from "../time/window.js";
import { chosenWords, type Seen } from "./alongside.js";
import type { KeptWindow } from "./kept.js";

export interface Landing {
  /** By which the window is found again. */
  readonly kept: KeptWindow;
  /** The host that it went with from one kind of time to the other; undefined where it did not. */
  readonly host: number | undefined;
  readonly window: Window;
  readonly chosen: string;
}

export const landed = (kept: KeptWindow, host: number | undefined, view: Seen): Landing => ({ kept, host, window: view.window, chosen: chosenWords(view) });

/** Whether the window has not moved since. */
export const stays = (landing: Landing | null, view: Seen): landing is Landing => landing !== null && same(landing.window, view.window);

/** Whether nothing else was chosen either: then the other kind of time leads back where it began. */
export const unmoved = (landing: Landing | null, view: Seen): landing is Landing => stays(landing, view) && landing.chosen === chosenWords(view);
