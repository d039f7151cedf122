import assert from "node:assert/strict";
import { test } from "node:test";
import { backwardWords, countWords, inWindow } from "../src/timeline/inview.js";
import type { View } from "../src/model/view.js";

const plain = (s: string) => s.replace(/[\u202f\u00a0]/g, " ");

test("messages in view are told in words, about so where bundles cross an edge", () => {
  const n = { all: 1200, open: 0, backward: 0, exact: true };
  assert.deepEqual([countWords(n), backwardWords(n)].map(plain), ["1 200 messages in view", "none received before sent"]);
  const rough = { all: 1200, open: 40, backward: 1001, exact: false };
  assert.deepEqual([countWords(rough), backwardWords(rough)].map(plain), ["about 1 200 messages in view, 40 between hosts whose clocks are not related", "⚠ about 1 001 received before sent"]);
  assert.equal(plain(backwardWords({ ...n, backward: 1001 }, true)), "1 001 received before sent, within the error of the clocks");
  assert.equal(backwardWords(n, true), "none received before sent");
  assert.equal(backwardWords({ ...n, open: 40 }), "none of the others received before sent");
  assert.equal(backwardWords({ ...n, all: 40, open: 40 }), "");
});

test("of a window that is not told of as a whole nothing is said of all of it", () => {
  const n = { all: 459, open: 0, backward: 0, exact: true, part: true };
  assert.deepEqual([countWords(n), backwardWords(n)].map(plain), ["459 messages in view so far", "none received before sent so far"]);
});

test("a window ends where its width says, to the ns", () => {
  assert.deepEqual(inWindow({ window: { begin: 10n, span: 4.6 } } as View), { begin: 10n, end: 15n });
});
