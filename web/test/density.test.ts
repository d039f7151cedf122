import assert from "node:assert/strict";
import { test } from "node:test";
import { fullHeight } from "../src/timeline/density.js";

test("columns are as high as they count, unless one would make all others flat", () => {
  const even = Array.from({ length: 300 }, (_, i) => i % 100);
  assert.equal(fullHeight(even), 99);
  assert.equal(fullHeight([...even, 5000]), 98 * 1.25);
  assert.equal(fullHeight([...even, 290]), 290);
  assert.equal(fullHeight([0, 0, 7, 0]), 7);
  assert.equal(fullHeight([0, 0]), 1);
  assert.equal(fullHeight(new Float64Array(0)), 1);
});
