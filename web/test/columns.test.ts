import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY, MANY, Strip } from "../src/draw/columns.js";
import { LOOKS, USER, WAIT, type Palette } from "../src/draw/palette.js";
import { BAR, drawStrip, PixelBuffer } from "../src/draw/states.js";
import { MIXED, NOTHING, STATES, type StatesAnswer } from "../src/net/wire.js";

// An answer of one row from its runs: [end, state] or [end, shares of 255].
function answer(columns: number, step: number, runs: [number, number | number[]][]): StatesAnswer {
  const mixes = runs.flatMap(([, s]) => (typeof s === "number" ? [] : s));
  return {
    kind: "states", view: 1, gen: 1, seq: 1, begin: 0n, end: BigInt(columns * step), columns, complete: true,
    rows: new Uint32Array([0]), rowRuns: new Uint32Array([0, runs.length]), rowMixes: new Uint32Array([0]),
    runEnd: new Uint16Array(runs.map((r) => r[0])), runLabel: new Uint16Array(runs.length),
    runState: new Uint8Array(runs.map(([, s]) => (typeof s === "number" ? s : MIXED))), mixes: new Uint8Array(mixes), labels: [],
    clocks: { version: 0, spans: new BigInt64Array(0) },
  };
}

test("time in each state is the same whatever the pixels", () => {
  const a = answer(64, 100, [[10, 1], [11, [0, 100, 100, 0, 0, 0, 0, 0, 50]], [30, NOTHING], [33, 3], [64, 6]]);
  const want = [0, 10 + 100 / 255, 100 / 255, 3, 0, 0, 31, 0, 50 / 255].map((n) => n * 100);
  for (const pixels of [1, 7, 64, 100, 860]) {
    const strip = new Strip(pixels);
    strip.load(a, 0, { begin: 0n, span: 6400 }, Infinity);
    const got = new Array<number>(STATES).fill(0);
    for (let i = 0; i < pixels; i++)
      for (let s = 0; s < STATES; s++) {
        const pure = strip.state[i] === s ? 1 : 0;
        got[s] += (pure || (strip.state[i] === MANY ? strip.shares[i * STATES + s] : 0)) * (6400 / pixels);
      }
    got.forEach((g, s) => assert(Math.abs(g - want[s]) < 0.006 * 6400, `${pixels} pixels, state ${s}: ${g}, want ${want[s]}`));
  }
});

test("a state shorter than a pixel is never lost", () => {
  const a = answer(4096, 1, [[2000, 1], [2001, 2], [4096, 1]]);
  const strip = new Strip(100);
  strip.load(a, 0, { begin: 0n, span: 4096 }, Infinity);
  const mixed = [...strip.state].flatMap((s, i) => (s === MANY ? [i] : []));
  assert.deepEqual(mixed, [48]);
  assert(strip.shares[48 * STATES + 2] > 0.02);
});

test("what lies outside of the window or the answer is empty", () => {
  const a = answer(10, 10, [[10, 2]]);
  const strip = new Strip(30);
  strip.load(a, 0, { begin: -100n, span: 300 }, Infinity);
  assert.deepEqual([...strip.state], [...new Array(10).fill(EMPTY), ...new Array(10).fill(2), ...new Array(10).fill(EMPTY)]);
});

test("what runs for a little of a pixel is seen, and seen to be little beside what it rests in", () => {
  (globalThis as { ImageData?: unknown }).ImageData ??= class { data: Uint8ClampedArray; constructor(w: number, h: number) { this.data = new Uint8ClampedArray(4 * w * h); } };
  const strip = new Strip(3);
  for (const [x, rest, runs] of [[0, 0.97, 0.03], [1, 0, 0.03], [2, 0.5, 0.5]]) {
    strip.state[x] = MANY;
    strip.shares[x * STATES + WAIT] = rest;
    strip.shares[x * STATES + USER] = runs;
  }
  const buffer = new PixelBuffer();
  buffer.begin(3, 21, 0);
  drawStrip(buffer, strip, 0, 21, 1, { words: LOOKS.map((_, i) => i + 1) } as unknown as Palette, 0);
  const heights = (state: number) => [0, 1, 2].map((x) => [...Array(21).keys()].filter((y) => buffer.words[y * 3 + x] === state + 1).length);
  const bar = Math.round(BAR * LOOKS[WAIT].height);
  assert.deepEqual(heights(USER), [2, 4, 8]);
  assert.equal(heights(WAIT)[0], bar - 2, "the bar of what it rests in is seen behind it");
});

test("a state that the edges of tiles cut is one bar, in whatever order they are laid", () => {
  // Of three tiles the state has the end of the first, less than what is listed, all of the second and the begin of the third.
  const tile = (k: number, runs: [number, number][]): StatesAnswer => ({ ...answer(128, 64, runs), begin: BigInt(k * 8192), end: BigInt((k + 1) * 8192) });
  const tiles = [tile(0, [[125, WAIT], [128, USER]]), tile(1, [[128, USER]]), tile(2, [[60, USER], [128, WAIT]])];
  for (let shift = 0; shift < 400; shift++) {
    const [begin, span, pixels] = [100 + 7 * shift, 20_011 + 13 * shift, 877];
    const scale = pixels / span;
    for (const order of [[0, 1, 2], [2, 0, 1], [0, 2, 1], [1, 2, 0]]) {
      const strip = new Strip(pixels);
      strip.clear();
      for (const k of order) strip.lay(tiles[k], 0, { begin: BigInt(begin), span }, 20, (k * 8192 - begin) * scale, ((k + 1) * 8192 - begin) * scale);
      strip.settle();
      const bars = strip.bars.filter((b) => b.state === USER).map((b) => [b.x0, b.x1].map((x) => Math.round(x * 100) / 100));
      assert.deepEqual(bars, [[125 * 64, 16384 + 60 * 64].map((t) => Math.round((t - begin) * scale * 100) / 100)], `window ${begin}+${span}, laid in the order ${order}`);
    }
  }
});

test("what ran for less than any share marks one pixel, and is added to no state's time", () => {
  const a = answer(8, 100, [[3, 1], [4, [0, 255, 0, 0, 0, 0, 0, 0, 0]], [8, 1]]);
  a.runLabel[1] = USER;
  const strip = new Strip(6);
  strip.load(a, 0, { begin: 0n, span: 800 }, Infinity);
  assert.deepEqual([...strip.brief], [0, 0, USER, 0, 0, 0]);
  assert.deepEqual([...strip.state], [1, 1, MANY, 1, 1, 1]);
  assert.equal(strip.shares[2 * STATES + USER], 0);
  const wide = new Strip(80);
  wide.load(a, 0, { begin: 0n, span: 800 }, Infinity);
  assert.equal(wide.seam.some((x) => x === 1), false, "beside its mark there is no notch");
  assert(Math.abs(strip.shares[2 * STATES + 1] - 1) < 1e-6);
  // Stretched, while one zooms, it is all of its column.
  strip.load(a, 0, { begin: 300n, span: 100 }, Infinity);
  assert.deepEqual([...strip.brief], new Array(6).fill(USER));
  strip.load(a, 0, { begin: 400n, span: 400 }, Infinity);
  assert.deepEqual([...strip.state, ...strip.brief], [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
});
