// Which times were looked at in the State tab: one step back, one forward again.

import type { Place } from "./api.js";

const LONGEST = 200; // steps

/** A time of a host's own clock, which no clock map changes, and the attribute that was chosen at it, "" for none. */
export interface Looked extends Place {
  readonly path: string;
}

export class Been {
  private readonly behind: Looked[] = [];
  private ahead: Looked[] = [];

  /** A place is left for another; null for none. */
  leave(from: Looked | null): void {
    if (!from) return;
    this.ahead = [];
    const last = this.behind[this.behind.length - 1];
    if (last && same(last, from)) return;
    this.behind.push(from);
    if (this.behind.length > LONGEST) this.behind.shift();
  }

  get ways(): { back: boolean; forward: boolean } {
    return { back: this.behind.length > 0, forward: this.ahead.length > 0 };
  }

  /** The place before, or the one that the last step back came from; null if there is none. */
  go(forward: boolean, here: Looked | null): Looked | null {
    const [from, to] = forward ? [this.ahead, this.behind] : [this.behind, this.ahead];
    let place = from.pop() ?? null;
    // What was left for the same place is no step.
    while (place && here && from.length > 0 && same(place, here)) place = from.pop()!;
    if (place && here) to.push(here);
    return place;
  }
}

const same = (a: Looked, b: Looked) => a.host === b.host && a.local === b.local && a.path === b.path;
