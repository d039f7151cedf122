// The browser's history of the page. Each tab that is opened, and each step to somewhere else, is an entry of its own; what is chosen or moved
// over meanwhile is written into the entry that one is at, and into no other. An entry that one comes back to brings back all that its
// address says. The page's own way back knows the same steps: each of the two goes along where the other went over one.

import { AddressBar } from "./addressbar.js";

/** What the browser keeps with an entry: its number, the page that made it, and which place of the way the window was at. */
interface Kept {
  readonly n: number;
  readonly life: string;
  readonly place: number;
}

/** A step that the window made: the place that it left, and the one that it came to. null of an entry that opened a tab. */
type Step = { readonly from: number; readonly to: number } | null;

/** What makes a page that is loaded again go on with the entries of the one that it was: the name of that, and the steps between its entries, by the number of the later one. */
export interface Steps {
  readonly life: string;
  readonly made: ReadonlyMap<number, Step>;
}

/** The page's own way: the number of the place where the window is, the one that the next would have, and whether it has one still. */
export interface Way {
  readonly here: number;
  readonly next: number;
  has(place: number): boolean;
}

/** The browser keeps about so many entries: it may not go farther back. */
const MOST = 48;
/** The browser takes a turn at once. One that it did not take after so many ms, it does not take at all. */
const TURN = 1000;

export class Entries {
  /** An entry is come back to, with its address and the place of the way that the window was at, null where another page made it. */
  onReturn: (query: string, place: number | null) => void = () => {};
  readonly bar: AddressBar;
  private life = Math.random().toString(36).slice(2);
  private listens = false;
  private n = 0;
  private fresh = false; // made by what is being done now
  private turns = 0; // that the browser was told to take, and has not
  private timer = 0;
  private readonly made = new Map<number, Step>();
  private readonly left = new Map<number, string>(); // what was shown there last, which the address may have had no time to say

  /** query is what the address has after the path. */
  constructor(private readonly query: () => string, private readonly way: Way) {
    this.bar = new AddressBar(query, () => this.kept);
  }

  /** Goes along with the browser's Back and Forward. */
  listen(): void {
    this.listens = true;
    this.n = numberOf(history.state);
    addEventListener("popstate", (e) => this.arrived(e.state as Kept | null));
  }

  get steps(): Steps {
    const { life, made } = this;
    return { life, made };
  }

  /** Goes on with the entries of a page, if that made the one that one is at. Tells which place of the way that has; null where it is another page's. */
  resume({ life, made }: Steps): number | null {
    const kept = history.state as Partial<Kept> | null;
    if (kept?.life !== life) return null;
    this.life = life;
    for (const [n, step] of made) this.made.set(n, step);
    return typeof kept.place === "number" ? kept.place : null;
  }

  /** What is shown now is left for a tab, or by a step of the window: what follows has an entry of its own. All that is done at once has one. */
  step(window: boolean): void {
    if (!this.listens || this.turns > 0) return;
    if (this.fresh) {
      if (!window) this.made.set(this.n, null);
      return;
    }
    this.bar.write();
    this.left.set(this.n, this.query());
    this.n++;
    for (const list of [this.made, this.left]) for (const n of [...list.keys()]) if (n >= this.n || n <= this.n - MOST) list.delete(n);
    this.made.set(this.n, window ? { from: this.way.here, to: this.way.next } : null);
    history.pushState(this.kept, "", this.query() || location.pathname);
    this.fresh = true;
    setTimeout(() => (this.fresh = false));
  }

  /** The window went back on the page's own way, or forward: over what was a step from one entry to the other, the browser goes along. */
  along(): void {
    const { here } = this.way;
    let n = this.n;
    for (let s = this.made.get(n); s && here <= s.from && this.way.has(s.from); s = this.made.get(n)) n--;
    for (let s = this.made.get(n + 1); s && here >= s.to && this.way.has(s.to); s = this.made.get(n + 1)) n++;
    if (n === this.n) return;
    const by = n - this.n;
    this.left.set(this.n, this.query());
    this.n = n;
    this.turns++;
    this.bar.hold();
    history.go(by);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.stay(), TURN);
  }

  // The browser did not go along: one is at the entry that it is at.
  private stay(): void {
    this.turns = 0;
    this.n = numberOf(history.state);
    this.bar.release();
  }

  private arrived(kept: Kept | null): void {
    if (this.turns > 0) {
      if (--this.turns > 0) return;
      clearTimeout(this.timer);
      this.bar.release();
      return;
    }
    const own = kept?.life === this.life;
    this.left.set(this.n, this.query());
    this.n = numberOf(kept);
    this.fresh = false;
    const query = (own ? this.left.get(this.n) : undefined) ?? location.search;
    this.bar.hold();
    this.onReturn(query, own ? kept.place : null);
    this.bar.release();
  }

  private get kept(): Kept {
    return { n: this.n, life: this.life, place: this.way.here };
  }
}

// The number of an entry by what the browser keeps with it; 0 for one that no page of ours made.
function numberOf(kept: unknown): number {
  const n = (kept as Partial<Kept> | null)?.n;
  return typeof n === "number" ? n : 0;
}
