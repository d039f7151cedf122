import assert from "node:assert/strict";
import { test } from "node:test";
import { Settled } from "../src/model/settled.js";

const after = (ms: number) => new Promise<void>((done) => void setTimeout(done, ms));

// Counts the timers that are set and taken back while something is done.
async function timers(run: () => Promise<void>): Promise<[number, number]> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  let [made, taken] = [0, 0];
  globalThis.setTimeout = ((...a: Parameters<typeof set>) => (made++, set(...a))) as typeof set;
  globalThis.clearTimeout = ((t: number) => (taken++, clear(t))) as typeof clear;
  try {
    await run();
  } finally {
    [globalThis.setTimeout, globalThis.clearTimeout] = [set, clear];
  }
  return [made, taken];
}

test("what waits begins once nothing has begun the wait anew, and not before", async () => {
  const begun = performance.now();
  let [last, times, at] = [0, 0, 0];
  const settled = new Settled(60, () => (times++, (at = performance.now())));
  assert.equal(settled.waits, false);
  const [made, taken] = await timers(async () => {
    for (let i = 0; i < 100; i++) {
      settled.begin();
      last = performance.now();
      if (i % 10 === 9) await after(10);
      if (performance.now() - last < 50) assert.equal(times, 0); // else it was kept waiting itself
    }
  });
  assert.equal(settled.waits, true);
  while (times === 0 && performance.now() - begun < 10_000) await after(5);
  assert.equal(times, 1);
  assert.equal(at - last >= 59, true, `${at - last} ms after the last`);
  assert.equal(settled.waits, false);
  assert.equal(made < 20 && taken === 0, true, `${made} timers were set and ${taken} taken back`);
});

test("a shorter wait is not kept by a longer one, and one that has ended does nothing", async () => {
  let times = 0;
  const settled = new Settled(60_000, () => times++);
  settled.begin();
  settled.begin(0);
  await after(20);
  assert.equal(times, 1);
  settled.begin(1);
  settled.end();
  assert.equal(settled.waits, false);
  await after(20);
  assert.equal(times, 1);
  settled.begin(0);
  await after(20);
  assert.equal(times, 2);
});

test("what begins a wait as it is done waits again", async () => {
  let times = 0;
  const settled: Settled = new Settled(1, () => {
    if (++times < 3) settled.begin();
  });
  settled.begin();
  const begun = performance.now();
  while (times < 3 && performance.now() - begun < 10_000) await after(2);
  assert.equal(times, 3);
  assert.equal(settled.waits, false);
});
