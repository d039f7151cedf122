import assert from "node:assert/strict";
import { test } from "node:test";
import { MIXED, NOTHING, type StatesAnswer } from "../src/net/wire.js";
import { runs, verdict } from "../src/timeline/busy.js";

function answer(...states: (number | number[])[]): StatesAnswer {
  const mixes = states.flatMap((s) => (typeof s === "number" ? [] : s));
  const n = states.length;
  return {
    kind: "states", view: 1, gen: 1, seq: 1, begin: 0n, end: BigInt(n), columns: n, complete: true,
    rows: new Uint32Array(1), rowRuns: new Uint32Array([0, n]), rowMixes: new Uint32Array(1),
    runEnd: Uint16Array.from(states, (_, i) => i + 1), runLabel: new Uint16Array(n),
    runState: Uint8Array.from(states, (s) => (typeof s === "number" ? s : MIXED)), mixes: new Uint8Array(mixes), labels: [],
    clocks: { version: 0, spans: new BigInt64Array(0) },
  };
}

const mix = (shares: Record<number, number>) => Array.from({ length: 8 }, (_, s) => shares[s] ?? 0);

test("one column tells most rows apart", () => {
  assert.equal(verdict(answer(NOTHING), 0), "idle");
  assert.equal(verdict(answer(1), 0), "idle"); // blocked
  assert.equal(verdict(answer(2), 0), "busy"); // user space
  assert.equal(verdict(answer(mix({ 1: 254, 3: 1 })), 0), "busy");
  assert.equal(verdict(answer(mix({})), 0), "busy"); // lived too shortly for any share
  assert.equal(verdict(answer(mix({ 1: 200 })), 0), "doubtful");
  assert.equal(verdict(answer(mix({ 1: 255 })), 0), "doubtful");
});

test("to begin, to end and to become known is not to run", () => {
  assert(!runs(answer(NOTHING, mix({ 1: 120 }), 1, 1, mix({ 1: 30 }), NOTHING), 0));
  assert(!runs(answer(mix({ 1: 120 }), 1), 0));
  assert(!runs(answer(0, mix({ 0: 100, 1: 155 }), 1), 0));
});

test("what is up for less than a share can tell is found in the middle", () => {
  assert(runs(answer(NOTHING, mix({ 1: 120 }), 1, mix({ 1: 255 }), 1), 0));
  assert(runs(answer(1, mix({ 1: 250, 2: 5 }), 1), 0));
  assert(runs(answer(1, 3, 1), 0));
  const alike = answer(NOTHING, mix({ 0: 255 }), NOTHING); // one run of many columns that something happens in
  assert(!runs(alike, 0));
  assert(runs({ ...alike, columns: 20, runEnd: Uint16Array.from([1, 19, 20]) }, 0));
});
