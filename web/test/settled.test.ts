import assert from "node:assert/strict";
import { test } from "node:test";
import { Settled } from "../src/model/settled.js";

// Timers by a clock that goes on only as it is told to; it counts those that are set and taken back.
function clocked(run: (clock: { pass: (ms: number) => void; made: number; taken: number }) => void): void {
  const [{ now }, { setTimeout: set, clearTimeout: clear }] = [performance, globalThis];
  let at = 0;
  const timers = new Map<number, { due: number; run: () => void }>();
  const clock = {
    made: 0,
    taken: 0,
    pass: (ms: number) => {
      for (const end = at + ms; at < end; at++) for (const [id, t] of [...timers]) if (t.due <= at + 1 && timers.delete(id)) (at++, t.run(), at--);
    },
  };
  performance.now = () => at;
  Object.assign(globalThis, {
    setTimeout: (f: () => void, ms: number) => (timers.set(++clock.made, { due: at + ms, run: f }), clock.made),
    clearTimeout: (id: number) => timers.delete(id) && clock.taken++,
  });
  try {
    run(clock);
  } finally {
    performance.now = now;
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}

test("what waits is done once nothing has begun the wait anew, and not before, by few timers", () => {
  clocked((clock) => {
    let times = 0;
    const settled = new Settled(60, () => times++);
    assert.equal(settled.waits, false);
    for (let i = 0; i < 100; i++) {
      settled.begin();
      clock.pass(16);
    }
    assert.deepEqual([times, settled.waits], [0, true]);
    assert.equal(clock.made < 50 && clock.taken === 0, true, `${clock.made} timers were set and ${clock.taken} taken back`);
    clock.pass(43);
    assert.equal(times, 0);
    clock.pass(1);
    assert.deepEqual([times, settled.waits], [1, false]);
    clock.pass(1000);
    assert.equal(times, 1);
  });
});

test("a shorter wait is not kept by a longer one, and one that has ended does nothing", () => {
  clocked((clock) => {
    let times = 0;
    const settled = new Settled(60_000, () => times++);
    settled.begin();
    settled.begin(5);
    clock.pass(5);
    assert.equal(times, 1);
    settled.begin(5);
    settled.end();
    assert.equal(settled.waits, false);
    clock.pass(100_000);
    assert.equal(times, 1);
    settled.begin(5);
    clock.pass(5);
    assert.equal(times, 2);
  });
});

test("what begins a wait as it is done waits again", () => {
  clocked((clock) => {
    let times = 0;
    const settled: Settled = new Settled(10, () => {
      if (++times < 3) settled.begin();
    });
    settled.begin();
    clock.pass(100);
    assert.deepEqual([times, settled.waits], [3, false]);
  });
});
