// Where the window has been: one step back undoes a movement, one forward does it again. A
// movement is all that follows without a rest, so a long zoom is one step.

import type { Ns } from "../time/time.js";
import { same, type Window } from "../time/window.js";

const REST = 700; // ms
const LONGEST = 200; // steps

export interface Place {
  window: Window;
  whole: boolean;
}

export class Trail {
  private readonly behind: Place[] = [];
  private ahead: Place[] = [];
  private last = -Infinity;

  /** The window leaves a place, at a time in ms. */
  leave(from: Place, now: number): void {
    const moving = now - this.last < REST;
    this.last = now;
    if (moving && this.behind.length > 0) return;
    this.ahead = [];
    this.behind.push(from);
    if (this.behind.length > LONGEST) this.behind.shift();
  }

  /** What follows is a movement of its own, however soon. */
  rest(): void {
    this.last = -Infinity;
  }

  get canGoBack(): boolean {
    return this.behind.length > 0;
  }

  get canGoForward(): boolean {
    return this.ahead.length > 0;
  }

  /** The place before the last movement, null if there is none. */
  back(here: Place): Place | null {
    return this.step(this.behind, this.ahead, here);
  }

  /** The place that the last step back came from. */
  forward(here: Place): Place | null {
    return this.step(this.ahead, this.behind, here);
  }

  /** Times are others, later by so much. */
  shift(by: Ns): void {
    for (const list of [this.behind, this.ahead]) for (const p of list) p.window = { begin: p.window.begin + by, span: p.window.span };
  }

  private step(from: Place[], to: Place[], here: Place): Place | null {
    let place = from.pop() ?? null;
    // A movement that ended where it began is no step.
    while (place && from.length > 0 && place.whole === here.whole && same(place.window, here.window)) place = from.pop()!;
    if (place) to.push(here);
    this.rest();
    return place;
  }
}
