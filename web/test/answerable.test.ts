import assert from "node:assert/strict";
import { test } from "node:test";
import { answerableFor, cameLate } from "../src/timeline/answerable.js";
import type { Context } from "../src/timeline/controlflow.js";

// Three threads of a host whose clock is that of the view: 208 from the begin on, 211, which it began, from 950 to 990, and 205 until 500.
const threads: Record<number, { tid: number; first: number; last: number }> = { 8: { tid: 208, first: 0, last: -1 }, 11: { tid: 211, first: 950, last: 990 }, 5: { tid: 205, first: 0, last: 500 } };
const c = {
  rows: {
    get: (id: number) => (threads[id] ? { host: 0, kind: 1, name: "dbwork", parent: 0, ...threads[id] } : undefined),
    find: (_host: number, tid: number) => Number(Object.keys(threads).find((id) => threads[Number(id)].tid === tid) ?? NaN) || undefined,
  },
  set: { host: () => ({ local_begin: "0" }), toReference: (_host: number, t: bigint) => t },
  view: { raw: false },
} as unknown as Context;

test("who began a thread that came late answers for what that did, if it was there itself", () => {
  assert.deepEqual(answerableFor(c, 11, 208, "flock", 0n, 1000n), { row: 8, via: { tid: 211, name: "flock" } });
  assert.deepEqual(answerableFor(c, 11, 208, "", 0n, 1000n), { row: 8, via: { tid: 211, name: "dbwork" } });
  assert.deepEqual(answerableFor(c, 11, 0, "flock", 0n, 1000n), { row: 11, via: null }, "the parent is not known");
  assert.deepEqual(answerableFor(c, 11, 205, "flock", 900n, 1000n), { row: 11, via: null }, "the parent was gone");
  assert.deepEqual(answerableFor(c, 11, 999, "flock", 0n, 1000n), { row: 11, via: null }, "the parent has no row");
});

test("a thread that was there for more than a quarter of a wait answers for itself", () => {
  assert.deepEqual(answerableFor(c, 11, 208, "flock", 900n, 1000n), { row: 11, via: null });
  assert.deepEqual([[0n, 1000n], [900n, 1000n], [950n, 960n], [1000n, 1000n]].map(([begin, end]) => cameLate(c, 11, begin, end)), [true, false, false, false]);
  assert.equal(cameLate(c, 99, 0n, 1000n), false);
});
