// The address bar follows what the page shows, not each of its movements: browsers let a page write it only so often.

import { Settled } from "./settled.js";

/** It follows after a rest of so many ms, and during a long movement each so many ms. */
const PAUSE = 250;
const LONGEST = 1000;
/** What the browser keeps for this tab: the address that was left before it was written, and what it should have said. */
const LEFT = "synchroscope.left";

export class AddressBar {
  private readonly settled = new Settled(PAUSE, () => this.tell(this.query() || location.pathname));
  private since = 0;
  private told = ""; // what it was told last
  private toldAt = Infinity; // when, ms; it has been told nothing
  private held = false;

  /** query is what the address has after the path, "" for nothing; state is what the browser keeps with it. */
  constructor(private readonly query: () => string, private readonly state: () => unknown) {}

  /** The browser goes to another entry: none is written until it is there. */
  hold(): void {
    this.settled.end();
    this.held = true;
  }

  /** It is there, and says what it said when it was left. */
  release(): void {
    this.held = false;
    this.told = "";
    this.keep();
  }

  /** Follows: at once, so that it holds for who reloads at once, or where it was told just now, soon. Of an address that nothing has been made of
   *  yet it is told once that has settled. */
  keep(): void {
    if (this.held) return;
    const query = this.query() || location.pathname;
    if (query === this.told) return this.settled.end();
    const now = performance.now();
    if (!this.settled.waits && now - this.toldAt > PAUSE) return this.tell(query);
    if (this.settled.waits && now - this.since > LONGEST - PAUSE) return;
    if (!this.settled.waits) this.since = now;
    this.settled.begin();
  }

  /** Is told at once what this entry is left with. */
  write(): void {
    this.settled.end();
    this.told = this.query() || location.pathname;
    history.replaceState(this.state(), "", this.told);
  }

  /** The page is out of sight, or left: what it was not told yet it is told now. */
  hide(): void {
    if (!this.settled.waits) return;
    this.settled.end();
    this.tell(this.query() || location.pathname);
  }

  /** The page is left. A reload goes to the address from before, for which the rest is kept. */
  leave(): void {
    const [at, pending] = [location.href, this.settled.waits];
    this.hide();
    try {
      if (pending) sessionStorage.setItem(LEFT, JSON.stringify([at, this.told]));
      else sessionStorage.removeItem(LEFT);
    } catch {
      // Without a store a reload shows what the address said.
    }
  }

  private tell(query: string): void {
    this.told = query;
    this.toldAt = performance.now();
    history.replaceState(this.state(), "", query);
  }
}

/** Whether the page was here before, and is loaded again. */
export function reloaded(): boolean {
  const [way] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return way?.type === "reload";
}

/** Writes what the address had no time to say before a reload. */
export function catchUp(): void {
  try {
    const [at, to] = JSON.parse(sessionStorage.getItem(LEFT) ?? "[]") as unknown[];
    sessionStorage.removeItem(LEFT);
    if (reloaded() && at === location.href && typeof to === "string") history.replaceState(history.state, "", to);
  } catch {
    // The address stays what it is.
  }
}
