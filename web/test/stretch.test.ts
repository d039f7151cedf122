import assert from "node:assert/strict";
import { test } from "node:test";

import { isWide, joined, standing, WideBundles } from "../src/draw/stretch.js";
import type { Arrow } from "../src/draw/gather.js";
import type { Ends, MessagesAnswer } from "../src/net/wire.js";

const ends = (sentFirst: number, sentLast: number): Ends => ({ sentFirst, sentLast, receivedFirst: sentFirst + 1, receivedLast: sentLast + 1 });

test("a bundle of a cell that is as small as cells are is not wide", () => {
  assert.equal(isWide(undefined, 1), false);
  assert.equal(isWide(ends(0, 1600), 100), false);
  assert.equal(isWide(ends(0, 1601), 100), true);
});

test("arrows of wide bundles stand within them, those of all pairs of rows evenly", () => {
  for (const hosts of [20, 60]) {
    const tenths = Array(10).fill(0) as number[];
    let pairs = 0;
    for (let from = 0; from < hosts; from++)
      for (let to = 0; to < hosts; to++) {
        if (from === to) continue;
        const at = standing(ends(1000, 2000), from * 53, to * 53);
        assert(at >= 1000 && at < 2000);
        tenths[Math.floor((at - 1000) / 100)]++;
        pairs++;
      }
    for (const n of tenths) assert(n > (0.8 * pairs) / 10 && n < (1.2 * pairs) / 10, `${hosts} hosts: ${tenths.join(" ")}`);
  }
});

test("stretches that touch are one, on each line", () => {
  const on = (row: number, begin: number, end: number) => ({ row, id: 10 * row, begin, end });
  assert.deepEqual(joined([on(2, 5, 9), on(1, 0, 3), on(1, 8, 9), on(1, 2, 6), on(1, 3, 4)]), [on(1, 0, 6), on(1, 8, 9), on(2, 5, 9)]);
  assert.deepEqual(joined([]), []);
});

const answer = (...of: Ends[]) =>
  ({ count: of.length, ends: new Map(of.map((e, i) => [i, e])), from: Uint32Array.from(of, () => 7), to: Uint32Array.from(of, (_, i) => 8 + i), sent: Float64Array.from(of, (e) => (e.sentFirst + e.sentLast) / 2) }) as unknown as MessagesAnswer;

test("how long the longest in view is", () => {
  const wide = new WideBundles(answer(ends(0, 100), ends(0, 5000), ends(0, 9000)), 10);
  const arrow = (...members: number[]) => ({ members }) as unknown as Arrow;
  assert.equal(wide.longest([arrow(0), arrow(0, 1)]), 5000);
  assert.equal(wide.longest([arrow(0)]), 0);
});

test("the lines of both ends of wide bundles are thick where their messages lie, and the arrows stand aside within", () => {
  const of = [ends(0, 100), ends(0, 5000), ends(4000, 9000)];
  const wide = new WideBundles(answer(...of), 10);
  assert.deepEqual(wide.places, [1, 2]);
  const line = (i: number, end: 0 | 1) => (end === 0 ? 0 : i === 2 ? undefined : i);
  assert.deepEqual(wide.stretches(wide.places, line), [{ row: 0, id: 7, begin: 0, end: 9000 }, { row: 1, id: 9, begin: 1, end: 5001 }]);
  assert.deepEqual(wide.stretches([0, 2], line), [{ row: 0, id: 7, begin: 4000, end: 9000 }]);
  assert.deepEqual(of.map((e, i) => (e.sentFirst + e.sentLast) / 2 + wide.asideOf(i)), [50, standing(of[1], 7, 9), standing(of[2], 7, 10)]);
  const narrow = new WideBundles(answer(ends(0, 100)), 10);
  assert.equal(narrow.asideOf(0), 0);
  assert.deepEqual(narrow.stretches(narrow.places, line), []);
});
