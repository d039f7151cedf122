import assert from "node:assert/strict";
import { test } from "node:test";
import { Glide, type Drawn } from "../src/timeline/glide.js";

const WINDOW = { begin: 1000n, span: 1000 };

// An answer over [0, 4000) in which each host's clock is ahead by so many ns.
function answer(version: number, raw: boolean, ...ahead: bigint[]): Drawn {
  return { begin: 0n, end: 4000n, raw, clocks: { version, spans: BigInt64Array.from(ahead.flatMap((a) => [a, 4000n + a])) } };
}

function glide(still = false): { g: Glide; at: (ms: number) => number[] } {
  let now = 0;
  const g = new Glide({ now: () => now, still: () => still });
  return { g, at: (ms) => ((now = ms), [0, 1].map((host) => Math.round(g.gap(host)) + 0)) };
}

test("a host that a better map moves goes from where it was to where it is within 300 ms", () => {
  const { g, at } = glide();
  g.take(answer(1, false, 0n, 100n), WINDOW);
  assert.deepEqual(at(0), [0, 0]);
  g.take(answer(2, false, 0n, 40n), WINDOW); // what host 1 did at 140 was shown at 40 and is now at 100
  assert.deepEqual(at(0), [0, -60]);
  const [, half] = at(150);
  assert(half < 0 && half > -60);
  assert(g.moving);
  assert.deepEqual(at(300), [0, 0]);
  assert(!g.moving);
});

test("a second map within the glide goes on from what is on screen", () => {
  const { g, at } = glide();
  g.take(answer(1, false, 0n, 0n), WINDOW);
  g.take(answer(2, false, 0n, 400n), WINDOW);
  const [, before] = at(100);
  g.take(answer(3, false, 0n, 500n), WINDOW);
  assert.deepEqual(at(100), [0, before + 100]);
  assert.deepEqual(at(400), [0, 0]);
});

test("another range or window by the same map moves nothing", () => {
  const { g, at } = glide();
  g.take(answer(2, false, 0n, 100n), WINDOW);
  g.take({ ...answer(2, false, 0n, 90n), begin: 50n }, { begin: 100n, span: 10 });
  assert.deepEqual(at(0), [0, 0]);
});

test("raw time far off comes in from outside the window, and not at all without motion", () => {
  const { g, at } = glide();
  g.take(answer(1, false, 0n, -3_600_000_000_000n), WINDOW);
  g.take(answer(0, true, 0n, 0n), WINDOW);
  assert.deepEqual(at(0), [0, 1200]);
  const calm = glide(true);
  calm.g.take(answer(1, false, 0n, -3_600_000_000_000n), WINDOW);
  calm.g.take(answer(0, true, 0n, 0n), WINDOW);
  assert.deepEqual(calm.at(0), [0, 0]);
  assert(!calm.g.moving);
});

test("a host that was not there before does not move", () => {
  const { g, at } = glide();
  g.take(answer(1, false, 0n), WINDOW);
  g.take(answer(2, false, 0n, 500n), WINDOW);
  assert.deepEqual(at(0), [0, 0]);
});

test("what moves far takes longer, so that nothing moves faster than four windows in a second", () => {
  const { g, at } = glide();
  g.take(answer(1, false, 0n, 1000n), WINDOW);
  g.take(answer(2, false, 0n, 0n), WINDOW); // one window
  const [, first] = at(0);
  assert.equal(first, -1000);
  for (let ms = 0, before = first; ms < 750; ms += 10) {
    const [, now] = at(ms);
    assert(now >= before && now - before <= 41, `${now - before} ns of a window of 1000 within 10 ms`);
    before = now;
  }
  assert.deepEqual(at(750), [0, 0]);
  assert(!g.moving);
});

test("another reference moves only what other clocks move", () => {
  const { g, at } = glide();
  g.take(answer(1, false, 0n, 100n), WINDOW);
  const hours = 7_200_000_000_000n;
  g.shift(hours);
  const next = answer(2, false, 0n, 130n);
  g.take({ ...next, begin: hours, end: hours + 4000n }, { begin: hours + 1000n, span: 1000 });
  assert.deepEqual(at(0), [0, 30]); // late by what b's clock moved
});

test("an answer by a new map that comes before the map itself is not moved again by it", () => {
  const { g, at } = glide();
  g.take(answer(2, false, 0n, 100n), WINDOW);
  g.shift(500n, 2);
  g.take(answer(3, false, 0n, 100n), WINDOW);
  assert.deepEqual(at(0), [0, 0]);
  g.shift(500n, 4);
  g.take(answer(4, false, -500n, -400n), WINDOW); // all times are 500 ns later
  assert.deepEqual(at(0), [0, 0]);
});

test("an answer by another reference that nobody told of yet is of another time, and moves nothing", () => {
  const { g, at } = glide();
  const hours = 7_200_000_000_000n;
  g.take(answer(1, false, 0n, 100n), WINDOW);
  g.take(answer(2, false, hours, hours + 130n), WINDOW);
  assert.deepEqual(at(0), [0, 0]);
  g.shift(hours, 2);
  g.take({ ...answer(2, false, 0n, 130n), begin: hours, end: hours + 4000n }, { begin: hours + 1000n, span: 1000 });
  assert.deepEqual(at(0), [0, 30]);
});
