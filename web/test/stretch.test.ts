import assert from "node:assert/strict";
import { test } from "node:test";

import { chanceOf, isWide, laidOn, standing, strength, WideBundles } from "../src/draw/stretch.js";
import type { Arrow } from "../src/draw/gather.js";
import type { Ends, MessagesAnswer } from "../src/net/wire.js";

const ends = (sentFirst: number, sentLast: number): Ends => ({ sentFirst, sentLast, receivedFirst: sentFirst + 1, receivedLast: sentLast + 1 });

test("a bundle of a cell that is as small as cells are is not wide", () => {
  assert.equal(isWide(undefined, 1), false);
  assert.equal(isWide(ends(0, 1600), 100), false);
  assert.equal(isWide(ends(0, 1601), 100), true);
});

test("the arrows of wide bundles of all pairs of rows stand as densely as their messages are, to the edges of their cells", () => {
  for (const [hosts, count] of [[20, 2], [20, 5], [60, 3], [60, 40]]) {
    // Messages come evenly in 20 cells of 1000 ns, which all pairs share: of count in a cell the first and the last are (count - 1) / (count + 1) of it apart in
    // the mean, anywhere in it.
    const cells = 20;
    const tenths = Array(10).fill(0) as number[];
    let [n, seed] = [0, 1];
    const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let from = 0; from < hosts; from++)
      for (let to = 0; to < hosts; to++)
        for (let cell = 0; cell < cells; cell++) {
          if (from === to) continue;
          const times = Array.from({ length: count }, () => 1000 * chance()).sort((a, b) => a - b);
          const [first, last] = [times[0], times[count - 1]];
          const at = standing(ends(first, last), count, chanceOf(from * 53, to * 53, cell * 128));
          assert(at >= first && at <= last);
          if (count === 2) assert(at === first || at === last);
          tenths[Math.floor(at / 100)]++;
          n++;
        }
    for (const one of tenths) assert(one > (0.85 * n) / 10 && one < (1.15 * n) / 10, `${hosts} hosts, ${count} in a bundle: ${tenths.join(" ")}`);
  }
});

test("chance is even, for numbers as rows and times are", () => {
  for (const [from, to, time] of [[1, 1, 128], [53, 53, 1], [1, 20, 0], [1024, 1, 3]]) {
    const tenths = Array(10).fill(0) as number[];
    for (let i = 0; i < 40; i++) for (let j = 0; j < 40; j++) for (let k = 0; k < 10; k++) tenths[Math.floor(10 * chanceOf(i * from, j * to, k * time))]++;
    for (const n of tenths) assert(n > (time ? 1440 : 1000) && n < (time ? 1760 : 2200), `${from} ${to} ${time}: ${tenths.join(" ")}`);
  }
});

test("where stretches lie on each other, on one line, their messages add up", () => {
  const on = (row: number, begin: number, end: number, density: number) => ({ row, id: 10 * row, begin, end, density });
  assert.deepEqual(laidOn([on(2, 5, 9, 1), on(1, 0, 3, 2), on(1, 8, 9, 1), on(1, 2, 6, 4), on(1, 3, 4, 8)]),
    [on(1, 0, 2, 2), on(1, 2, 3, 6), on(1, 3, 4, 12), on(1, 4, 6, 4), on(1, 8, 9, 1), on(2, 5, 9, 1)]);
  assert.deepEqual(laidOn([]), []);
  // By no order of the stretches, and nowhere by other than what lies there.
  let seed = 7;
  const chance = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 200; round++) {
    const some = Array.from({ length: 1 + chance(12) }, () => ((begin) => on(chance(2), begin, begin + 1 + chance(9), 1 + chance(5)))(chance(20)));
    const laid = laidOn(some);
    for (const row of [0, 1])
      for (let t = 0.5; t < 32; t++) {
        const here = (s: { row: number; begin: number; end: number }) => s.row === row && s.begin < t && t < s.end;
        const sum = some.filter(here).reduce((n, s) => n + s.density, 0);
        const got = laid.filter(here);
        assert.equal(got.length, sum > 0 ? 1 : 0);
        if (sum > 0) assert.equal(got[0].density, sum);
      }
  }
});

test("a line is the stronger the more messages a pixel has", () => {
  assert.deepEqual([0, 0.01, 0.1, 1, 50].map(strength), [0, 0, 3, 6, 6]);
});

const answer = (...of: Ends[]) =>
  ({ count: of.length, counts: Uint32Array.from(of, () => 4), ends: new Map(of.map((e, i) => [i, e])), from: Uint32Array.from(of, () => 7), to: Uint32Array.from(of, (_, i) => 8 + i), base: 0n, sent: Float64Array.from(of, (e) => (e.sentFirst + e.sentLast) / 2) }) as unknown as MessagesAnswer;

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
  const part = (row: number, id: number, begin: number, end: number, density: number) => ({ row, id, begin, end, density });
  assert.deepEqual(wide.stretches(wide.places, line), [part(0, 7, 0, 4000, 4 / 5000), part(0, 7, 4000, 5000, 8 / 5000), part(0, 7, 5000, 9000, 4 / 5000), part(1, 9, 1, 5001, 4 / 5000)]);
  assert.deepEqual(wide.stretches([0, 2], line), [part(0, 7, 4000, 9000, 4 / 5000)]);
  assert.deepEqual(of.map((e, i) => (e.sentFirst + e.sentLast) / 2 + wide.asideOf(i)), [50, standing(of[1], 4, chanceOf(7, 9, 0)), standing(of[2], 4, chanceOf(7, 10, 0))]);
  const narrow = new WideBundles(answer(ends(0, 100)), 10);
  assert.equal(narrow.asideOf(0), 0);
  assert.deepEqual(narrow.stretches(narrow.places, line), []);
});
