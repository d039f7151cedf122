import assert from "node:assert/strict";
import { test } from "node:test";
import { RowTable } from "../src/model/rows.js";
import { View } from "../src/model/view.js";
import type { Pane } from "../src/timeline/pane.js";
import { Scrolled } from "../src/timeline/scrolled.js";
import { Standing } from "../src/timeline/standing.js";

// What listens to the window; deed does something there, with a key for the first time unless it repeats itself.
function listening(run: (listeners: () => number, deed: (type: string, repeat?: boolean) => void) => void): void {
  const before = globalThis.addEventListener;
  const heard: { type: string; act: (e: object) => void; once: boolean }[] = [];
  globalThis.addEventListener = ((type: string, act: (e: object) => void, options?: { once?: boolean }) => heard.push({ type, act, once: !!options?.once })) as never;
  try {
    run(() => heard.length, (type, repeat = false) => {
      for (const x of heard.filter((x) => x.type === type)) {
        x.act(type === "keydown" ? { type, repeat } : { type });
        if (x.once) heard.splice(heard.indexOf(x), 1);
      }
    });
  } finally {
    globalThis.addEventListener = before;
  }
}

const pane = () => ({ scroller: { scrollTop: 0 }, scrolled: 40, selected: null, inSight: true, placeOf: () => -1, begins: () => null, beginWith() {}, place() {} }) as unknown as Pane;

test("rows stand as an address says until somebody does something in the timeline, however often one comes back to it, and one listener is told of each deed", () => {
  for (const make of [
    (view: View) => {
      const s = new Standing(new RowTable(), view, pane());
      return () => s.returning;
    },
    (view: View) => {
      const p = pane();
      const s = new Scrolled(p, view, "talk", (y) => y);
      return () => {
        // What is returning puts the rows back where the address has them.
        p.scroller.scrollTop = 0;
        s.goBack();
        return p.scroller.scrollTop === 7;
      };
    },
  ])
    listening((listeners, deed) => {
      const view = new View();
      view.entries.bar.keep = () => {};
      const address = () => {
        view.top = { host: 0, tid: 1, above: 3 };
        view.scrolled.talk = 7;
      };
      address();
      const returning = make(view);
      assert.equal(returning(), true);
      const first = listeners();
      for (const type of ["wheel", "pointerdown", "keydown", "keydown"]) {
        address();
        view.returned.emit();
        view.tab = "events";
        deed(type);
        assert.equal(returning(), true, `${type} on another tab`);
        view.tab = "timeline";
        deed("keydown", true);
        assert.equal(returning(), true, "a key that is held since another tab was open");
        deed(type);
        assert.equal(returning(), false, type);
      }
      for (let i = 0; i < 5; i++) view.returned.emit();
      assert.equal(listeners(), first);
    });
});
