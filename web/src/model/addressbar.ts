// The address bar follows what the page shows, not each of its movements: browsers let a page write it only so often.

import { Settled } from "./settled.js";

/** It follows after a rest of so many ms, and during a long movement each so many ms. */
const PAUSE = 250;
const LONGEST = 1000;
/** What the browser keeps for this tab: the address that a page was left with. */
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

  /** The page is left. A reload goes to the address that was there when the browser asked for it, which may be older than what was written meanwhile:
   *  what the address says now is kept for the page that comes. */
  leave(): void {
    this.hide();
    try {
      sessionStorage.setItem(LEFT, location.href);
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

/** Writes what the address said when the page was left, where it is that page which is loaded again. */
export function catchUp(): void {
  try {
    const left = sessionStorage.getItem(LEFT);
    sessionStorage.removeItem(LEFT);
    if (left === null || left === location.href || !reloaded()) return;
    const { origin, pathname, search } = new URL(left);
    if (origin === location.origin && pathname === location.pathname) history.replaceState(history.state, "", search || pathname);
  } catch {
    // The address stays what it is.
  }
}
