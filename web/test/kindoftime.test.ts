import assert from "node:assert/strict";
import { test } from "node:test";
import { KindOfTime } from "../src/model/kindoftime.js";
import type { SetModel } from "../src/model/set.js";
import { page, setBack } from "./hosts.js";

// What a page shows of a kind of time, with what it was told of it.
function turning(there: ReturnType<typeof page>, untold = false) {
  const { set, view } = there;
  const told: unknown[] = [];
  const kind = new KindOfTime(set as unknown as SetModel, view, view.keeper!, { retime: (by) => told.push(Number(by)), retell: (along) => told.push(along ?? "all") }, untold);
  const heard = () => told.splice(0);
  return { ...there, kind, heard };
}

test("the window stays at what it shows of the selected host, and turning back leads to where it was", () => {
  const { view, at, go, kind, heard } = turning(page());
  view.row = { host: 1, tid: 7 };
  go(10_300n);
  assert.equal(kind.turn(false), false, "it is that already");
  assert.deepEqual(heard(), []);
  assert.equal(kind.turn(true), true);
  assert.deepEqual([view.raw, at()], [true, 110_300]);
  assert.deepEqual(heard(), [100_000, 1]);
  assert.equal(kind.turn(false), true);
  assert.deepEqual([view.raw, at()], [false, 10_300]);
  assert.deepEqual(heard(), [-100_000, "all"]);
});

test("where a clock was set back one comes back to the instant that was seen, not to the first that its time has", () => {
  const { at, go, kind } = turning(setBack());
  go(10_350n);
  const seen: number[] = [];
  for (const raw of [true, false, true, false]) {
    kind.turn(raw);
    seen.push(at());
  }
  assert.deepEqual(seen, [110_195, 10_350, 110_195, 10_350]);
});

test("the whole set is whole by any time", () => {
  const { view, at, kind, heard } = turning(page());
  view.row = { host: 2, tid: 7 };
  kind.turn(true);
  assert.equal(view.whole, true);
  assert.equal(at(), -1_000_000);
  assert.deepEqual(heard(), [0, 2]);
});

test("after a step back to where another host was chosen the window goes along with the one that is chosen now", () => {
  const { set, view, at, go, kind } = turning(page());
  set.lies = (i) => 100n * BigInt(i);
  view.row = { host: 1, tid: 7 };
  go(10_100n);
  kind.turn(true);
  go(10_400n);
  view.row = { host: 2, tid: 9 };
  view.back();
  assert.equal(at(), 10_200);
  kind.turn(false);
  assert.equal(at(), 10_000, "where c has it; b, with which it was seen, has it at 10100");
  kind.turn(true);
  kind.turn(false);
  assert.equal(at(), 10_000, "what was passed over is forgotten");
});

test("a place that was only told along with another host does not keep the window from the one that is chosen", () => {
  const { view, at, go, kind } = turning(page());
  go(10_100n);
  go(10_300n);
  view.row = { host: 2, tid: 9 };
  view.back();
  view.row = { host: 1, tid: 7 };
  kind.turn(true);
  kind.turn(false);
  view.row = { host: 2, tid: 9 };
  view.forward();
  assert.equal(at(), 10_300);
  kind.turn(true);
  assert.equal(at(), 210_300);
});

test("what stands at a time is where it was by raw time, though the whole set is shown and another row was chosen", () => {
  const { view, go, kind } = turning(page());
  go(10_100n);
  view.selection = { begin: 10_110n, end: 10_120n };
  view.row = { host: 2, tid: 9 };
  kind.turn(true);
  assert.equal(view.selection.begin, 210_110n);
  view.showAll();
  view.row = { host: 1, tid: 7 };
  kind.turn(false);
  assert.equal(view.selection.begin, 10_110n);
  kind.turn(true);
  assert.equal(view.selection.begin, 210_110n);
});

test("by other clock maps one is where the window is, though it was seen by raw time first", () => {
  const { set, view, at, go, kind } = turning(page());
  view.raw = true;
  view.row = { host: 1, tid: 7 };
  go(110_300n);
  kind.turn(false);
  assert.equal(at(), 10_300);
  set.lies = (i) => 100_005n * BigInt(i);
  view.landAnew();
  kind.turn(true);
  assert.equal(at(), 110_300);
  kind.turn(false);
  assert.equal(at(), 10_300);
});

test("a page that turns before there are clocks is brought to its place by the first", () => {
  const { set, view, at, go, kind, heard } = turning(page());
  set.known = false;
  view.by = "b";
  go(110_200n);
  kind.turn(true);
  assert.deepEqual([view.raw, at()], [true, 110_200]);
  kind.turn(false);
  assert.equal(at(), 110_200);
  heard();
  set.known = true;
  kind.retell();
  assert.equal(at(), 10_200);
  assert.deepEqual(heard(), ["all"]);
  kind.retell();
  assert.deepEqual(heard(), [], "they are told by these clocks");
});

test("raw times are what they are by any clocks; what was kept by others is told by them once", () => {
  const { set, view, kind, heard } = turning(page(), true);
  view.raw = true;
  view.window = { begin: 210_300n, span: 10 };
  view.whole = false;
  set.known = false;
  kind.retell();
  assert.deepEqual(heard(), [], "nobody can tell yet");
  set.known = true;
  kind.retell();
  assert.deepEqual(heard(), [2]);
  set.reference = 1;
  kind.retell();
  assert.deepEqual(heard(), []);
});

test("by other clock maps one is where the window is by them, and raw time leads back to there", () => {
  const { set, view, at, go, kind } = turning(page());
  go(10_300n);
  kind.turn(true);
  kind.turn(false);
  assert.equal(at(), 10_300);
  set.lies = (i) => 100_500n * BigInt(i);
  view.landAnew();
  kind.turn(true);
  kind.turn(false);
  assert.equal(at(), 10_300);
});
