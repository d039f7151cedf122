import assert from "node:assert/strict";
import { test } from "node:test";
import type { StatisticsAnswer } from "../src/home/api.js";
import { holds, listingOf, othersWords, ranWords, stillWords } from "../src/statistics/listing.js";

const answer = (...others: number[]): StatisticsAnswer =>
  ({ hosts: others.map((n, i) => ({ host: `h${i}`, local_begin: "0", local_end: "9", known: true, unrecorded: [], lost: null, cpus: [], ran: 1 + n, still: n, threads: [{ tid: i, pid: i, name: "", on_cpu_ns: 1, status: [] }], others: n, calls: [] })), messages: [] });

test("an answer that leaves no thread out has those of every order, and of narrower words", () => {
  const [all, cut] = [answer(0, 0), answer(0, 3)];
  const listed = { order: "on_cpu", narrow: "sl", still: false };
  for (const [order, narrow, ofAll, ofCut] of [["on_cpu", "sl", true, true], ["-blocked", "sl", true, false], ["on_cpu", "sleep", true, false], ["on_cpu", "s", false, false], ["name", "", false, false]] as const) {
    assert.deepEqual([holds(all, listed, { order, narrow, still: false }), holds(cut, listed, { order, narrow, still: false })], [ofAll, ofCut], `${order} ${narrow}`);
  }
  assert.equal(holds(all, listed, { ...listed, still: true }), false);
  assert.equal(holds(all, { ...listed, still: true }, listed), false);
});

test("the columns of threads are orders of the server, and hosts are none", () => {
  assert.deepEqual(listingOf([9, true], "a", true), { order: "-blocked", narrow: "a", still: true });
  assert.equal(listingOf([11, false], "", false).order, "longest");
  assert.equal(listingOf([2, true], "", false).order, "on_cpu");
});

test("it is said how many threads are not listed", () => {
  assert.equal(othersWords(answer(0).hosts), "");
  const words = (...others: number[]) => othersWords(answer(...others).hosts).replace(/\s/g, " ");
  assert.equal(words(0, 1), "the 1 of each host that are first in this order; 1 other is not listed");
  assert.equal(words(2, 3), "the 1 of each host that are first in this order; 5 others are not listed");
});

test("it is said how many threads never ran", () => {
  assert.equal(stillWords(answer(0).hosts), "");
  assert.equal(stillWords(answer(0, 1).hosts).replace(/\s/g, " "), "with the 1 thread that never ran here");
  assert.equal(stillWords(answer(1200, 3).hosts).replace(/\s/g, " "), "with the 1 203 threads that never ran here");
});

test("it is said how many threads ran", () => {
  assert.equal(ranWords([], false), "");
  assert.equal(ranWords(answer(1200, 3).hosts, false).replace(/\s/g, " "), "1 205 threads ran here");
  assert.equal(ranWords(answer(1200, 3).hosts, true).replace(/\s/g, " "), "1 205 threads ran or did something here");
});
