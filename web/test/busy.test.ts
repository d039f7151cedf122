import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListingAnswer } from "../src/net/wire.js";
import { Busy } from "../src/timeline/busy.js";
import type { Context } from "../src/timeline/controlflow.js";
import { Wanted } from "../src/timeline/wanted.js";

function listing(rows: number[], unsure = 0, map = 1): ListingAnswer {
  return { kind: "listing", view: 1, gen: 1, seq: 1, unsure, map, rows: Uint32Array.from(rows), values: new Float64Array(0) };
}

// A page with some threads, in a window that begins at 0 by clocks of version 1; answers are given by hand.
function page() {
  const set = { clocks: { version: 1 } };
  const view = { busyOnly: true, empty: false, tab: "timeline", time: "reference", filter: "status == running", window: { begin: 0n, span: 100 } };
  let given: ((m: ListingAnswer) => void) | null = null;
  const requests: Record<string, unknown>[] = [];
  const live = { ask: (_: number, q: Record<string, unknown>, take: (m: ListingAnswer) => void) => (requests.push(q), (given = take)), drop: () => {}, onError: () => {} };
  const c = { rows: { threads: 3 }, view, set, live } as unknown as Context;
  let changes = 0;
  const busy = new Busy(c, () => changes++);
  const asked = async (of: { request(): void } = busy) => {
    const before = given;
    of.request();
    for (let i = 0; i < 1000 && given === before; i++) await new Promise((done) => setTimeout(done, 5));
    return requests.at(-1)!;
  };
  const are = () => [1, 2, 3].filter((id) => busy.is(id));
  return { c, busy, set, view, asked, are, last: () => given!, changes: () => changes, requests };
}

test("which rows run is what the server says of the window, for all of them by one question", async () => {
  const { busy, asked, are, last, changes, requests } = page();
  assert.deepEqual(await asked(), { op: "measure", by: "busy", begin: "0", end: "100", time: "reference" });
  assert.deepEqual([busy.known, changes()], [false, 0]);
  last()(listing([1, 3]));
  assert.deepEqual([busy.known, are(), changes()], [true, [1, 3], 1]);
  last()(listing([3, 1]));
  assert.equal(changes(), 1); // it says the same
  last()(listing([]));
  assert.deepEqual([are(), changes()], [[], 2]);
  assert.equal(requests.length, 1);
});

test("rows that are not found again yet stay as they were", async () => {
  const { asked, are, last } = page();
  await asked();
  last()(listing([1, 2]));
  last()(listing([2, 1, 3], 2));
  assert.deepEqual(are(), [1, 2]);
  last()(listing([2]));
  assert.deepEqual(are(), [2]);
});

test("an answer about rows that are others now leaves none out", async () => {
  const { busy, asked, last } = page();
  await asked();
  last()(listing([1]));
  assert(busy.known);
  busy.reset();
  last()(listing([1]));
  assert(!busy.known);
});

test("what clocks of another reference say of a window by its old name leaves no row out, whichever comes first", async () => {
  const { busy, set, view, asked, are, last } = page();
  await asked();
  last()(listing([1]));
  last()(listing([], 0, 2)); // by the clocks that come next
  assert.deepEqual(are(), [1]);
  const old = last();
  busy.retime();
  set.clocks = { version: 2 };
  view.window = { begin: 7_200_000_000_000n, span: 100 };
  await asked();
  old(listing([], 0, 2)); // on its way when they came
  assert.deepEqual(are(), [1]);
  last()(listing([], 0, 2)); // now it is known that none runs
  assert.deepEqual(are(), []);
});

test("an answer by better clocks that came before them holds as soon as they are there", async () => {
  const { busy, set, asked, are, last } = page();
  await asked();
  last()(listing([1], 0, 2));
  busy.request(); // as at each frame
  assert.deepEqual([busy.known, are()], [false, []]);
  set.clocks = { version: 2 };
  busy.request();
  assert.deepEqual([busy.known, are()], [true, [1]]);
});

test("a filter waits for the clocks of its answer too, and takes none to the filter before", async () => {
  const { c, view, set, asked, last } = page();
  const wanted = new Wanted(c, () => {});
  assert.equal((await asked(wanted)).where, "status == running");
  last()(listing([1, 2]));
  last()(listing([], 0, 2));
  assert.deepEqual([...wanted.rows!], [1, 2]);
  wanted.retime();
  set.clocks = { version: 2 };
  const old = last();
  view.filter = "status == kernel";
  assert.equal((await asked(wanted)).where, "status == kernel");
  old(listing([3], 0, 2));
  assert.deepEqual([...wanted.rows!], [1, 2]);
  last()(listing([2], 0, 2));
  assert.deepEqual([...wanted.rows!], [2]);
});

test("rows that come do not have the server begin anew, and are asked about when it has answered", async () => {
  const { c, busy, asked, are, last, requests } = page();
  await asked();
  for (let threads = 4; threads < 10; threads++) {
    Object.assign(c.rows, { threads });
    busy.request();
    await new Promise((done) => setTimeout(done, 60)); // longer than a window needs to settle, in all
  }
  assert.equal(requests.length, 1);
  last()(listing([1]));
  assert.deepEqual([are(), requests.length], [[1], 1]);
  for (let i = 0; i < 200 && requests.length < 2; i++) await new Promise((done) => setTimeout(done, 5));
  assert.equal(requests.length, 2);
  last()(listing([1, 2]));
  await new Promise((done) => setTimeout(done, 300));
  assert.deepEqual([are(), requests.length], [[1, 2], 2]);
});
