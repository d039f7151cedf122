import assert from "node:assert/strict";
import { test } from "node:test";

import { isWide, joined, longest, standing } from "../src/draw/stretch.js";
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
  assert.deepEqual(joined([{ y: 2, x0: 5, x1: 9 }, { y: 1, x0: 0, x1: 3 }, { y: 1, x0: 8, x1: 9 }, { y: 1, x0: 2, x1: 6 }, { y: 1, x0: 3, x1: 4 }]),
    [{ y: 1, x0: 0, x1: 6 }, { y: 1, x0: 8, x1: 9 }, { y: 2, x0: 5, x1: 9 }]);
  assert.deepEqual(joined([]), []);
});

test("how long the longest in view is", () => {
  const a = { ends: new Map([[0, ends(0, 100)], [1, ends(0, 5000)], [2, ends(0, 9000)]]) } as unknown as MessagesAnswer;
  const arrow = (...members: number[]) => ({ members }) as unknown as Arrow;
  assert.equal(longest(a, [arrow(0), arrow(0, 1)], 10), 5000);
  assert.equal(longest(a, [arrow(0)], 10), 0);
});
