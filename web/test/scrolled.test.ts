import assert from "node:assert/strict";
import { test } from "node:test";
import { View } from "../src/model/view.js";
import type { Pane } from "../src/timeline/pane.js";
import { Scrolled } from "../src/timeline/scrolled.js";

// A part of the timeline, and what listens to the window.
function part(run: (p: { view: View; scrolled: Scrolled; at: () => number | undefined; scroll: (y: number) => void; select: (wants: (y: number) => number) => void; deed: () => void; shift: (y: number) => void; said: () => string }) => void): void {
  const before = globalThis.addEventListener;
  const heard: ((e: object) => void)[] = [];
  globalThis.addEventListener = ((type: string, act: (e: object) => void) => type === "wheel" && heard.push(act)) as never;
  try {
    let wants = (y: number) => y;
    let top = 0;
    const pane = {
      inSight: true,
      onScroll: () => {},
      onShift: () => {},
      onShown: () => {},
      rewind: () => (top = 0),
      get scrolled() {
        return top;
      },
      scroller: {
        get scrollTop() {
          return top;
        },
        set scrollTop(y: number) {
          top = y;
          pane.onScroll();
        },
      },
    };
    const view = new View();
    view.tab = "timeline";
    view.entries.bar.keep = () => {};
    const scrolled = new Scrolled(pane as unknown as Pane, view, "talk", (y) => wants(y));
    run({
      view,
      scrolled,
      at: () => top,
      scroll: (y) => (pane.scroller.scrollTop = y),
      select: (w) => (wants = w),
      deed: () => heard.forEach((act) => act({})),
      shift: (y) => {
        top = y;
        pane.onShift();
        pane.onScroll();
      },
      said: () => String(view.scrolled.talk),
    });
  } finally {
    globalThis.addEventListener = before;
  }
}

// A row that is in sight where the rows are scrolled by 32 to 80.
const low = (y: number) => Math.min(80, Math.max(32, y));

test("how far rows are scrolled is said, but where that follows from what is selected", () => {
  part(({ scrolled, at, scroll, select, said }) => {
    scroll(50);
    assert.equal(said(), "50");
    scroll(0);
    assert.equal(said(), "undefined");
    select(low);
    scrolled.stay();
    assert.equal(said(), "0", "the row that is selected is not in sight, and the rows stay");
    scrolled.bring();
    assert.deepEqual([at(), said()], [32, "undefined"]);
    scroll(90);
    assert.equal(said(), "90");
    scrolled.bring();
    assert.deepEqual([at(), said()], [80, "80"], "from elsewhere the row is brought in sight elsewhere");
    scroll(0);
    assert.equal(said(), "0");
    select((y) => y);
    scrolled.stay();
    assert.equal(said(), "undefined");
  });
});

test("what an address selects is brought in sight again when other rows are listed, until somebody does something", () => {
  part(({ view, scrolled, at, select, scroll, deed, said }) => {
    view.returned.emit();
    scrolled.bring();
    select(low);
    scrolled.goBack();
    assert.deepEqual([at(), said()], [32, "undefined"]);
    deed();
    scroll(0);
    scrolled.goBack();
    assert.deepEqual([at(), said()], [0, "0"]);

    select((y) => Math.max(y, 0));
    scrolled.goBack();
    assert.equal(said(), "undefined", "other rows are listed, among which the selected one is in sight on top");
    select(low);
    scrolled.goBack();
    assert.equal(said(), "0");

    view.returned.emit();
    scrolled.bring();
    assert.deepEqual([at(), said()], [0, "0"], "as the address says, of the first row, too");
  });
});

test("where rows come to as others are listed is not said", () => {
  part(({ shift, scroll, said }) => {
    shift(20);
    assert.equal(said(), "undefined");
    scroll(25);
    assert.equal(said(), "25");
    scroll(20);
    assert.equal(said(), "20", "somebody came there");
    shift(30);
    assert.equal(said(), "30", "it goes on from what somebody scrolled to");
  });
});
