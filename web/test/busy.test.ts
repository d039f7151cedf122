import assert from "node:assert/strict";
import { test } from "node:test";
import { MIXED, NOTHING, STATES, type StatesAnswer } from "../src/net/wire.js";
import { Busy, runs, verdict } from "../src/timeline/busy.js";
import type { Context } from "../src/timeline/controlflow.js";

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

const mix = (shares: Record<number, number>) => Array.from({ length: STATES }, (_, s) => shares[s] ?? 0);

test("one column tells most rows apart", () => {
  assert.equal(verdict(answer(NOTHING), 0), "idle");
  assert.equal(verdict(answer(1), 0), "idle"); // blocked
  assert.equal(verdict(answer(2), 0), "busy"); // user space
  assert.equal(verdict(answer(8), 0), "busy"); // kernel
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

test("what is seen for a moment, between stretches of which nothing is known, runs", () => {
  assert(runs(answer(0, mix({ 0: 255 }), 0), 0));
  assert(!runs(answer(0, mix({ 0: 255 })), 0));
  assert(!runs(answer(mix({ 0: 255 }), 0, 0), 0));
});

// Busy over rows that in one column are blocked nearly all the time; closely each runs once, in the middle. answered is called with each
// answer, in turn, and may give it at once, later, or more than once.
function overRows(ids: number[], answered: (columns: number, give: () => void) => void, onChange = () => {}): Busy {
  const rows = { threads: ids.length, get: (id: number) => ({ kind: id === 0 ? 0 : 1 }), children: (id: number) => (id === 0 ? ids : []), hostRows: () => [0] };
  const ask = (view: number, q: { columns: number; rows: number[] }, take: (m: StatesAnswer) => void) => {
    const one = q.columns === 1 ? answer(mix({ 1: 255 })) : answer(1, mix({ 1: 200 }), 1);
    const per = one.runEnd.length;
    const repeat = <T>(a: ArrayLike<T>) => q.rows.flatMap(() => Array.from(a));
    answered(q.columns, () => take({
      ...one, view, rows: Uint32Array.from(q.rows), rowRuns: Uint32Array.from({ length: q.rows.length + 1 }, (_, i) => i * per), rowMixes: Uint32Array.from(q.rows, (_, i) => i),
      runEnd: Uint16Array.from(repeat(one.runEnd)), runState: Uint8Array.from(repeat(one.runState)), runLabel: new Uint16Array(per * q.rows.length), mixes: Uint8Array.from(repeat(one.mixes)),
    }));
  };
  const view = { busyOnly: true, empty: false, tab: "timeline", time: "reference", window: { begin: 0n, span: 100 } };
  return new Busy({ rows, view, set: {}, live: { ask, drop: () => {} } } as unknown as Context, onChange);
}

test("every row in doubt is looked at, however many there are", async () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => i + 1);
  const busy = overRows(ids, (_, give) => setTimeout(give));
  busy.request();
  for (let i = 0; i < 200 && !ids.every((id) => busy.is(id)); i++) await new Promise((done) => setTimeout(done, 5));
  assert.equal(ids.filter((id) => busy.is(id)).length, ids.length);
});

test("no row is left out before it was looked at, however often the first answer comes", async () => {
  let closer: (() => void) | null = null;
  const told: number[] = [];
  const busy = overRows([1, 2, 3], (columns, give) => {
    if (columns > 1) closer = give;
    else setTimeout(() => (give(), give()));
  }, () => told.push([1, 2, 3].filter((id) => busy.is(id)).length));
  busy.request();
  for (let i = 0; i < 1000 && !closer; i++) await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual([busy.known, told], [false, []]);
  closer!();
  assert.deepEqual([busy.known, told], [true, [3]]);
});

test("an answer about rows that are others now leaves none out", async () => {
  let closer: (() => void) | null = null;
  const busy = overRows([1, 2, 3], (columns, give) => (columns > 1 ? (closer = give) : setTimeout(give)));
  busy.request();
  for (let i = 0; i < 1000 && !closer; i++) await new Promise((done) => setTimeout(done, 5));
  closer!();
  assert(busy.known);
  busy.reset();
  closer!();
  assert(!busy.known);
});

// A row that is busy, in a window that begins at 0 by clocks of version 1; answers are given by hand.
function byClocks() {
  const set = { clocks: { version: 1 } };
  const view = { busyOnly: true, empty: false, tab: "timeline", time: "reference", window: { begin: 0n, span: 100 } };
  const rows = { threads: 1, get: (id: number) => ({ kind: id === 0 ? 0 : 1 }), children: (id: number) => (id === 0 ? [1] : []), hostRows: () => [0] };
  let given: ((m: StatesAnswer) => void) | null = null;
  const live = { ask: (_: number, __: unknown, take: (m: StatesAnswer) => void) => (given = take), drop: () => {} };
  const busy = new Busy({ rows, view, set, live } as unknown as Context, () => {});
  const give = (version: number, state: number, take = given!) => take({ ...answer(state), rows: Uint32Array.of(1), clocks: { version, spans: new BigInt64Array(0) } });
  const asked = async () => {
    const before = given;
    busy.request();
    for (let i = 0; i < 1000 && given === before; i++) await new Promise((done) => setTimeout(done, 5));
  };
  return { busy, set, view, give, asked, last: () => given! };
}

test("what clocks of another reference say of a window by its old name leaves no row out, whichever comes first", async () => {
  const { busy, set, view, give, asked, last } = byClocks();
  await asked();
  give(1, 2);
  assert(busy.is(1));
  give(2, NOTHING); // by the clocks that come next
  assert(busy.is(1));
  const old = last();
  busy.retime();
  set.clocks = { version: 2 };
  view.window = { begin: 7_200_000_000_000n, span: 100 };
  await asked();
  give(2, NOTHING, old); // on its way when they came
  assert(busy.is(1));
  give(2, 1); // now it is known that it only waits
  assert(!busy.is(1));
});

test("an answer by better clocks that came before them holds as soon as they are there", async () => {
  const { busy, set, give, asked } = byClocks();
  await asked();
  give(2, 2);
  busy.request(); // as at each frame
  assert.deepEqual([busy.known, busy.is(1)], [false, false]);
  set.clocks = { version: 2 };
  busy.request();
  assert.deepEqual([busy.known, busy.is(1)], [true, true]);
});

test("a row that is looked at closer meanwhile stays as it was", async () => {
  const { busy, give, asked, last } = byClocks();
  await asked();
  give(1, 2);
  assert(busy.is(1));
  const first = last();
  first({ ...answer(mix({ 1: 255 })), rows: Uint32Array.of(1), clocks: { version: 1, spans: new BigInt64Array(0) } }); // by better clocks it is in doubt
  assert(last() !== first && busy.is(1));
  last()({ ...answer(1, mix({ 1: 200 }), 1), rows: Uint32Array.of(1), clocks: { version: 1, spans: new BigInt64Array(0) } });
  assert(busy.is(1));
});
