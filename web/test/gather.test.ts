import assert from "node:assert/strict";
import { test } from "node:test";

import { gather, type Placed } from "../src/draw/gather.js";
import { BUNDLE, VIOLATION, type MessagesAnswer } from "../src/net/wire.js";

function answer(counts: number[], flags: number[] = []): MessagesAnswer {
  return { counts: Uint32Array.from(counts), flags: Uint8Array.from(counts, (_, i) => flags[i] ?? 0) } as MessagesAnswer;
}

const at = (index: number, x0: number, x1 = x0, y0 = 10, y1 = 50): Placed => ({ index, x0, y0, x1, y1 });

test("few arrows in one place stay apart", () => {
  const got = gather(answer([1, 1, 1]), [at(0, 1), at(1, 2), at(2, 3)]);
  assert.deepEqual(got.map((g) => [g.index, g.count, g.bundle, g.x0]), [[0, 1, false, 1], [1, 1, false, 2], [2, 1, false, 3]]);
});

test("many between two rows in one place are one, and none is lost", () => {
  const placed = Array.from({ length: 40 }, (_, i) => at(i, i % 7));
  const got = gather(answer(placed.map(() => 1)), placed);
  assert.equal(got.length, 1);
  assert.equal(got[0].count, 40);
  assert.deepEqual([...got[0].members].sort((a, b) => a - b), placed.map((p) => p.index));
});

test("there and back, and other rows, are bundles of their own", () => {
  const there = [0, 1, 2, 3].map((i) => at(i, 2));
  const back = [4, 5, 6, 7].map((i) => at(i, 2, 2, 50, 10));
  const got = gather(answer(Array(8).fill(1)), [...there, ...back]);
  assert.deepEqual(got.map((g) => g.count), [4, 4]);
  assert(got[0].x0 < got[1].x0, "each keeps to its side");
});

test("a bundle of the server counts its messages; a violation shows through", () => {
  const got = gather(answer([9, 1, 1, 1], [BUNDLE, 0, VIOLATION, 0]), [0, 1, 2, 3].map((i) => at(i, 100, 140)));
  assert.deepEqual(got.map((g) => [g.count, g.violation]), [[12, true]]);
  assert.equal(gather(answer([9], [BUNDLE]), [at(0, 5)])[0].bundle, true);
});
