import assert from "node:assert/strict";
import { test } from "node:test";
import { Used } from "../src/resources/used.js";
import type { Context } from "../src/timeline/controlflow.js";

test("the use of a host is exact once its window is added up, until then what pixels show, and that of the window before where they allow it", () => {
  const [before, { now }] = [globalThis.setTimeout, performance];
  const waits: (() => void)[] = [];
  let at = 0;
  Object.assign(globalThis, { setTimeout: (run: () => void) => waits.push(run) });
  performance.now = () => at;
  const rest = () => {
    at += 10_000;
    waits.splice(0).forEach((run) => run());
  };
  try {
    let answer: (m: unknown) => void = () => {};
    let asked = "";
    const view = { empty: false, tab: "timeline", window: { begin: 0n, span: 100 }, time: "reference" };
    const live = { ask: (_view: number, request: { begin: string; end: string }, take: (m: unknown) => void) => ([asked, answer] = [`${request.begin}-${request.end}`, take]), drop: () => {} };
    const used = new Used({ view, live, rows: { threads: 1 }, set: { clocks: null }, schedule: () => {} } as unknown as Context);
    const shown = { least: 0.2, most: 0.8 };
    used.request();
    rest();
    assert.deepEqual([asked, used.exactly(3, shown)], ["0-100", shown], "not answered yet");
    answer({ kind: "listing", rows: [3], values: Float64Array.of(0.5), unsure: 0, map: 0 });
    assert.deepEqual([used.exactly(3, shown), used.exactly(4, shown)], [{ least: 0.5, most: 0.5 }, shown]);
    assert.deepEqual(used.exactly(3, { least: 0.6, most: 0.7 }), { least: 0.5, most: 0.5 }, "of this window it is exact, whatever pixels show");

    view.window = { begin: 50n, span: 100 };
    used.request();
    assert.deepEqual([used.exactly(3, shown), used.exactly(3, { least: 0.6, most: 0.7 })], [{ least: 0.5, most: 0.5 }, { least: 0.6, most: 0.7 }], "of another it may be so, or not");
    // An answer that is late is of the window that it was asked for.
    answer({ kind: "listing", rows: [3], values: Float64Array.of(0.4), unsure: 0, map: 0 });
    assert.deepEqual(used.exactly(3, { least: 0.6, most: 0.7 }), { least: 0.6, most: 0.7 });
    rest();
    answer({ kind: "listing", rows: [], values: new Float64Array(0), unsure: 0, map: 0 });
    assert.deepEqual([asked, used.exactly(3, shown)], ["50-150", shown], "nothing is known of it there");
  } finally {
    Object.assign(globalThis, { setTimeout: before });
    performance.now = now;
  }
});
