// Where the window has been: one step back undoes a movement, one forward does it again. A
// movement is all that follows without a rest, so a long zoom is one step. A step to where something else is chosen, as to a bookmark,
// has what was chosen with it. The times of all are by the clock in force: when that is another, they are told by it.

import type { Ns } from "../time/time.js";
import { same, type Window } from "../time/window.js";
import type { Chosen, Thread } from "./chosen.js";
import { unworded, type Sight } from "./landing.js";

const REST = 700; // ms
export const LONGEST = 200; // steps
/** What is unfolded so soon after the window left a place is of the same step, ms. */
const AT_ONCE = 100;

/** What is folded in Control flow: hosts by number, and processes as host and thread id with a dot between. */
export interface Folded {
  readonly hosts: readonly number[];
  readonly processes: readonly string[];
}

/** What is chosen in the timeline: a row, a time in a state of it by the clock of its host, and a message. */
export interface Choice {
  readonly row: Thread | null;
  readonly did: Ns | null;
  readonly message: Chosen | null;
  /** What was folded, where that changed. */
  readonly folded?: Folded | undefined;
}

export interface Place {
  /** Its number on the way, once it was left. */
  number?: number;
  window: Window;
  whole: boolean;
  /** What was chosen, where that changed with the window. */
  choice?: Choice;
  /** By which the window is found again when the clock is another. */
  sight?: Sight | undefined;
}

/** All of a way: the places behind, the last one at the end, and those ahead, the next one at the end; the number of where the window is, and the last that was given. */
export interface Walked {
  readonly here: number;
  readonly made: number;
  readonly behind: readonly Place[];
  readonly ahead: readonly Place[];
}

export class Trail {
  private behind: Place[] = [];
  private ahead: Place[] = [];
  private last = -Infinity;
  private left = -Infinity; // when the last place was left
  private made = 0;
  /** The number of the place where the window is. */
  here = 0;

  /** see tells by what the window of a place is found again when the clock is another. */
  constructor(private readonly see: (place: Place) => Sight | undefined = () => undefined) {}

  get way(): Walked {
    const { here, made, behind, ahead } = this;
    return { here, made, behind, ahead };
  }

  /** Goes on with a way that another page went. */
  resume({ here, made, behind, ahead }: Walked): void {
    [this.here, this.made, this.behind, this.ahead] = [here, made, [...behind], [...ahead]];
  }

  /** The window leaves a place, at a time in ms. */
  leave(from: Place, now: number): void {
    const moving = now - this.last < REST;
    this.last = now;
    if (moving && this.behind.length > 0) return;
    this.push(from, now);
  }

  /** What is folded or chosen is left, at a time in ms: with the place that the window left just now, else a step of its own. */
  unfold(from: Place & { choice: Choice }, now: number): void {
    const place = this.behind.at(-1);
    if (place && now - this.left < AT_ONCE) place.choice = { ...from.choice, ...place.choice, folded: place.choice?.folded ?? from.choice.folded };
    else this.push(from, now);
    this.rest();
  }

  private push(from: Place, now: number): void {
    this.ahead = [];
    this.behind.push({ ...from, number: this.here, sight: from.sight ?? this.see(from) });
    this.here = ++this.made;
    this.left = now;
    if (this.behind.length > LONGEST) this.behind.shift();
  }

  /** What follows is a movement of its own, however soon. */
  rest(): void {
    this.last = -Infinity;
  }

  /** The number that the next place gets. */
  get next(): number {
    return this.made + 1;
  }

  /** Whether a place is on the way still. */
  has(number: number): boolean {
    return number === this.here || this.behind.some((p) => p.number === number) || this.ahead.some((p) => p.number === number);
  }

  get canGoBack(): boolean {
    return this.behind.length > 0;
  }

  get canGoForward(): boolean {
    return this.ahead.length > 0;
  }

  /** The place before the last movement, null if there is none. Here is told with what is chosen. */
  back(here: Place): Place | null {
    return this.step(this.behind, this.ahead, here);
  }

  /** The place that the last step back came from. */
  forward(here: Place): Place | null {
    return this.step(this.ahead, this.behind, here);
  }

  /** Hosts have other numbers: what was chosen cannot be told by them any more. */
  renumbered(): void {
    for (const p of [...this.behind, ...this.ahead]) {
      delete p.choice;
      if (p.sight) p.sight = unworded(p.sight);
    }
  }

  /** The clock is another, by which again says where the window of a place is. */
  retell(again: (sight: Sight, place: Place) => { window: Window; sight: Sight }): void {
    for (const p of [...this.behind, ...this.ahead]) if (p.sight) Object.assign(p, again(p.sight, p));
  }

  /** The window is brought to where it was when it was at a place, which is returned; here is where it is now. null where the way has that place no longer. */
  goTo(number: number, here: Place): Place | null {
    this.rest();
    if (!this.has(number)) return null;
    const [from, to] = number < this.here ? [this.behind, this.ahead] : [this.ahead, this.behind];
    let place = here;
    while (this.here !== number) {
      const next = from.pop()!;
      to.push(place === here ? this.leaving(here, next) : { ...place, number: this.here });
      this.here = next.number!;
      place = next;
    }
    return place;
  }

  private step(from: Place[], to: Place[], here: Place): Place | null {
    let place = from.pop() ?? null;
    // A movement that ended where it began is no step.
    while (place && from.length > 0 && !place.choice && this.isSame(place, here)) place = from.pop()!;
    if (place) {
      to.push(this.leaving(here, place));
      this.here = place.number!;
    }
    this.rest();
    this.left = -Infinity;
    return place;
  }

  // Where a clock was set back, places that lie apart have the same window by its own time.
  private isSame(p: Place, here: Place): boolean {
    if (p.whole !== here.whole || !same(p.window, here.window)) return false;
    const [a, b] = [p.sight, here.sight ?? this.see(here)].map((s) => s?.kept);
    return !a || !b || a.raw !== b.raw || same(a.window, b.window);
  }

  // The place that is left for another, with what is chosen where that has it, and with what is folded where it changed in between: by hand rows
  // may be folded at any time.
  private leaving(here: Place, other: Place): Place {
    const { window, whole, choice } = here;
    const place = { window, whole, number: this.here, sight: here.sight ?? this.see(here) };
    return other.choice && choice ? { ...place, choice: { ...choice, folded: other.choice.folded && choice.folded } } : place;
  }
}
