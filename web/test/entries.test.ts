import assert from "node:assert/strict";
import { test } from "node:test";
import { Entries } from "../src/model/entries.js";
import { Trail } from "../src/model/trail.js";
import type { Window } from "../src/time/window.js";

/** After so many ms the address says what the page shows. */
const SOON = 300;

// The history of a browser, its timers, and a page whose address says where its window is.
class Browser {
  readonly entries: { state: unknown; query: string }[] = [{ state: null, query: "?begin" }];
  at = 0;
  turns: number[] = []; // that it was told to take, and has not
  query = "?begin";
  readonly trail = new Trail();
  readonly returns: [string, number | null][] = [];
  readonly page: Entries;
  private timers = new Map<number, { at: number; run: () => void }>();
  private timed = 0;
  private now = 0; // ms
  private popped: (e: { state: unknown }) => void = () => {};

  constructor() {
    const browser = this;
    Object.assign(globalThis, {
      history: {
        get state() {
          return browser.entries[browser.at].state;
        },
        pushState: (state: unknown, _: string, query: string) => (browser.entries.splice(++browser.at, Infinity, { state, query })),
        replaceState: (state: unknown, _: string, query: string) => (browser.entries[browser.at] = { state, query }),
        go: (by: number) => browser.turns.push(by),
      },
      location: {
        pathname: "/sets/1",
        get search() {
          return browser.entries[browser.at].query;
        },
      },
      addEventListener: (type: string, told: (e: { state: unknown }) => void) => type === "popstate" && (this.popped = told),
      performance: { now: () => this.now },
      setTimeout: (run: () => void, ms = 0) => (this.timers.set(++this.timed, { at: this.now + ms, run }), this.timed),
      clearTimeout: (timer: number) => this.timers.delete(timer),
    });
    this.page = new Entries(() => this.query, this.trail);
    this.page.onReturn = (query, place) => {
      this.returns.push([query, place]);
      this.query = query;
      if (place !== null) this.trail.goTo(place, this.place);
    };
    this.page.listen();
  }

  /** So many ms pass. */
  pass(ms: number): void {
    for (const end = this.now + ms; ; this.now++) {
      for (const [timer, t] of [...this.timers]) if (t.at <= this.now && this.timers.delete(timer)) t.run();
      if (this.now >= end) return;
    }
  }

  /** It goes back, or forward, by so many entries, once or more. */
  go(...turns: number[]): void {
    for (const by of turns) {
      this.at += by;
      this.popped({ state: this.entries[this.at].state });
    }
    this.pass(SOON);
  }

  /** It takes the turns that it was told to. */
  turn(): void {
    this.go(...this.turns.splice(0));
  }

  private get place(): { window: Window; whole: boolean } {
    const begin = [...this.query].reduce((n, letter) => n * 256n + BigInt(letter.charCodeAt(0)), 0n); // other queries, other windows
    return { window: { begin, span: 1 }, whole: false };
  }

  /** The window jumps: an entry of its own. */
  jump(to: string): void {
    this.page.step(true);
    this.trail.rest();
    this.trail.leave(this.place, 0);
    this.trail.rest();
    this.shows(to);
    this.pass(SOON);
  }

  /** Something is chosen or moved over meanwhile. */
  shows(query: string): void {
    this.query = query;
    this.page.bar.keep();
  }

  /** A step back on the page's own way, or forward. */
  step(to: string, forward = false): void {
    const { place } = this;
    if (forward) this.trail.forward(place);
    else this.trail.back(place);
    this.page.along();
    this.shows(to);
  }

  get queries(): string[] {
    return this.entries.map((e) => e.query);
  }
}

const keys = ["performance", "history", "location", "addEventListener", "setTimeout", "clearTimeout"] as const;

function browsing(what: string, run: (b: Browser) => void): void {
  test(what, () => {
    const globals = globalThis as Record<string, unknown>;
    const before = keys.map((key) => [key, Object.getOwnPropertyDescriptor(globals, key)] as const);
    try {
      run(new Browser());
    } finally {
      for (const [key, was] of before) {
        if (was) Object.defineProperty(globals, key, was);
        else delete globals[key];
      }
    }
  });
}

browsing("each jump is an entry, with what was shown when it was left, and all that is done at once is one", (b) => {
  b.jump("?one");
  b.shows("?one+chosen"); // the address has had no time to say so
  b.page.step(false);
  b.page.step(true);
  b.shows("?tab");
  b.pass(SOON);
  assert.deepEqual(b.queries, ["?begin", "?one+chosen", "?tab"]);
  b.go(-1);
  b.go(-1);
  assert.deepEqual(b.returns, [["?one+chosen", 1], ["?begin", 0]]);
  // What is ahead is gone with the next jump.
  b.jump("?two");
  assert.deepEqual(b.queries, ["?begin", "?two"]);
});

browsing("the browser goes along with the page's own way over jumps, and over no opened tab", (b) => {
  b.jump("?one");
  b.jump("?three");
  b.step("?one");
  assert.deepEqual(b.turns, [-1]);
  b.turn();
  assert.deepEqual([b.queries, b.returns], [["?begin", "?one", "?three"], []], "what the page did itself it is not told to do");
  b.step("?three", true);
  assert.deepEqual(b.turns, [1]);
  b.turn();
  b.step("?one");
  b.step("?begin");
  assert.deepEqual(b.turns, [-1, -1], "two at once");
  b.turn();
  assert.deepEqual([b.queries, b.at], [["?begin", "?one", "?three"], 0]);
  b.page.step(false);
  b.shows("?tab=events");
  b.pass(SOON);
  b.step("?nowhere");
  assert.deepEqual(b.turns, []);
});

browsing("until the browser went along no entry is made and none is written, and where it never does both go on", (b) => {
  b.jump("?one");
  b.step("?begin");
  b.jump("?two");
  assert.deepEqual(b.queries, ["?begin", "?one"], "the entry is that of the place which is left");
  b.turn();
  assert.deepEqual(b.queries, ["?two", "?one"], "once it is there it has what the page shows");

  b.jump("?three");
  b.step("?begin");
  b.turns = []; // it is lost
  b.shows("?lost");
  b.pass(900);
  assert.deepEqual(b.queries, ["?two", "?three"]);
  b.pass(500);
  assert.deepEqual(b.queries, ["?two", "?lost"], "the page is at the entry that it never left");
  b.jump("?four");
  assert.deepEqual(b.queries, ["?two", "?lost", "?four"]);
  b.go(-1);
  assert.deepEqual(b.returns.at(-1)?.[0], "?lost");
});

browsing("a turn that is slow is waited for as long after another", (b) => {
  b.jump("?one");
  b.jump("?two");
  b.step("?one");
  b.pass(900);
  b.step("?begin");
  b.pass(900);
  assert.deepEqual(b.queries, ["?begin", "?one", "?two"], "the second turn may come still");
  b.turn();
  assert.deepEqual([b.queries, b.at, b.returns], [["?begin", "?one", "?two"], 0, []]);
});

browsing("the browser is told to go no farther back than it keeps entries", (b) => {
  for (let i = 1; i <= 60; i++) b.jump(`?${i}`);
  let steps = 0;
  for (let i = 59; i >= 0; i--) {
    b.step(i > 0 ? `?${i}` : "?begin");
    steps += b.turns.length;
    b.turn();
  }
  assert.deepEqual([steps, b.at], [48, 12]);
  b.pass(SOON);
  assert.equal(b.queries[12], "?begin", "what is farther back is where the browser stands");
});

browsing("what another page made says all by its address", (b) => {
  b.entries.splice(0, Infinity, { state: { n: 3, life: "another", place: 9 }, query: "?theirs" }, { state: null, query: "?ours" });
  b.at = 1;
  b.go(-1);
  assert.deepEqual(b.returns, [["?theirs", null]]);
});
