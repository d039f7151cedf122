import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKept, stored } from "../src/model/kept.js";
import { AHEAD, page, setBack } from "./hosts.js";

test("what lies where the clock of its host was set back is where it was, once times are by the same reference again", () => {
  const { set, view, at, go, turn } = setBack();
  go(10_300n);
  view.selection = { begin: 10_320n, end: 10_330n };
  go(10_350n);
  turn(true, 1);
  turn(false);
  assert.equal(view.selection.begin, 10_320n);
  // Other clock maps of the same reference.
  turn(false);
  assert.equal(view.selection.begin, 10_320n);
  // Another reference, to which that of before is related, and back again.
  set.reference = 2;
  turn(false);
  assert.equal(view.selection.begin, 210_320n);
  set.reference = 0;
  turn(false);
  assert.equal(view.selection.begin, 10_320n);
  view.back();
  assert.equal(at(), 10_300);
});

test("a page that is loaded again finds what stood at a time where the page before did", () => {
  const { view, turn } = setBack();
  view.selection = { begin: 10_320n, end: 10_330n };
  turn(true, 1);
  const [again, { view: other }] = [view.selection, setBack()];
  Object.assign(other, { raw: true, selection: again });
  other.entries.resume = () => 0;
  other.resume({ ...view.left, query: "" }, "");
  other.hold();
  other.raw = false;
  other.retell();
  assert.equal(other.selection!.begin, 10_320n);
});

test("a place that was left in the other time is the one that was seen, and so is one that one comes to there", () => {
  const { view, at, go, turn } = setBack();
  go(10_100n);
  go(10_350n);
  const kept = view.keeper!.keep(view.window);
  turn(true, 1);
  view.window = { begin: 110_195n, span: 10 }; // of many instants
  view.land({ kept });
  view.back();
  assert.equal(at(), 110_100);
  view.forward();
  assert.equal(at(), 110_195);
  // What came by a step leads back as what came by the other time does.
  assert.equal(Number(view.keeper!.tell(view.unmoved!.kept, view.window, undefined, false).begin), 10_350);
  view.back();
  turn(false);
  view.forward();
  assert.equal(at(), 10_350);
});

test("what was kept before anybody said by whose clock is kept by the first that are there", () => {
  const { set, view } = page();
  set.known = false;
  const kept = view.keeper!.keep({ begin: 10_100n, span: 10 });
  set.known = true;
  const { kept: anew } = view.keeper!.again(kept, kept.window);
  assert.equal(anew.host, "a");
  view.raw = true;
  assert.equal(view.keeper!.again(kept, kept.window).kept, kept, "these are by another kind of time");
  assert.equal(Number(view.keeper!.tell(anew, kept.window, 1).begin), 110_100);
});

test("what one goes back to is the stretch that was seen, whatever the clock is by then", () => {
  const { set, view, at, go } = page();
  go(10_100n);
  go(10_200n);
  view.selection = { begin: 10_300n, end: 10_310n };
  // By each host's own clock, along with b; then c is gone along with, far from there, and from that back to another reference.
  const turn = (raw: boolean, reference: number, along?: number) => {
    view.hold();
    [view.raw, set.reference] = [raw, reference];
    view.retell(along);
  };
  turn(true, 0, 1);
  view.window = { begin: 110_200n, span: 10 };
  assert.equal(view.selection.begin, 110_300n);
  go(210_400n);
  turn(false, 2);
  view.window = { begin: 210_400n, span: 10 };
  assert.equal(view.selection.begin, 210_300n);
  view.back();
  assert.equal(at(), 210_200, "it was seen by the clock of b, and is told by that of c");
  view.back();
  assert.equal(at(), 210_100);
  turn(false, 0);
  view.forward();
  assert.equal(at(), 10_200);
  turn(true, 0, 2);
  view.forward();
  assert.equal(at(), 210_400, "the very one by the host's own clock");
});

test("a place that something was chosen at is found by the host of that", () => {
  const { view, at } = page();
  view.onChoice = () => {};
  view.row = { host: 1, tid: 7 };
  view.jump({ begin: 10_100n, span: 10 });
  view.jumpChoosing({ begin: 10_200n, span: 10 });
  view.raw = true;
  view.retell(2);
  view.back();
  assert.equal(at(), 110_100);
});

test("beside an island a window is found by who recorded there, though a row of the island is selected", () => {
  const { set, view, at, go } = page(true);
  view.row = { host: 2, tid: 7 };
  go(10_100n);
  go(10_200n);
  set.reference = 1;
  view.retell();
  view.back();
  assert.equal(at(), 110_100);
});

test("before there are clocks times are by that of the host of the address", () => {
  const { set, view, at, go } = page();
  set.known = false;
  view.by = "b";
  go(110_100n);
  go(110_200n);
  set.known = true;
  view.retell();
  view.back();
  assert.equal(at(), 10_100);
});

test("the state that is looked at is that of an instant of its host, the list of events goes along with the window", () => {
  const { set, view } = page();
  view.state = { ...view.state, at: 10_300n, host: "c" };
  set.known = false;
  view.hold(); // nothing can be told yet
  set.known = true;
  view.events.at = 10_200n;
  const turn = (raw: boolean, reference: number, by: bigint, along?: number) => {
    view.hold();
    view.move(by);
    [view.raw, set.reference] = [raw, reference];
    view.retell(along);
    return [view.state.at, view.events.at].map(Number);
  };
  assert.deepEqual(turn(true, 0, AHEAD, 1), [210_300, 110_200]);
  assert.deepEqual(view.state.exact, { at: 210_300n, host: "c", local: 210_300n });
  assert.deepEqual(turn(false, 1, 0n), [110_300, 110_200]);
  assert.deepEqual(turn(false, 0, -AHEAD), [10_300, 10_200]);
  // What a step came to is known to the ns, though the clock map has it one beside.
  view.state = { ...view.state, at: 10_400n, exact: { at: 10_400n, host: "c", local: 210_401n } };
  assert.deepEqual(turn(true, 0, 0n), [210_401, 10_200]);
  view.raw = false;
  view.state = { ...view.state, at: 10_400n, host: "b", exact: { at: 10_400n, host: "c", local: 210_401n } };
  assert.deepEqual(turn(true, 0, 0n), [110_400, 10_200], "that of another host");
});

test("who turns back to the times that events were listed by is where they were, though by the others the list begins elsewhere", () => {
  const { view } = page();
  view.events.at = 10_200n;
  const turn = (raw: boolean) => {
    view.hold();
    view.raw = raw;
    view.retell(raw ? 1 : undefined);
    return view.listedBack;
  };
  assert.equal(turn(true), false);
  view.listFrom(110_250n);
  assert.deepEqual([turn(false), view.events.at], [true, 10_200n]);
  assert.equal(turn(true), false);
  view.events.at = 110_260n; // gone elsewhere
  assert.equal(turn(false), false);
  assert(view.events.at !== 10_200n);
});

test("what is kept is the same after it was stored, and what is broken is nothing", () => {
  const kept = { window: { begin: 1795226069841173990n, span: 62.5 }, raw: true, host: "a", local: -5n };
  for (const whole of [kept, { ...kept, raw: false, by: "b" }]) assert.deepEqual(parseKept(JSON.parse(JSON.stringify(stored(whole)))), whole);
  for (const broken of [null, {}, [], [1, 2, true, "a", "5"], ["1", 0, true, "a", "5"], ["1", 60, 1, "a", "5"], ["1", 60, true, 7, "5"], ["1", 60, true, "a", "x"], ["99999999999999999999", 60, true, "a", "5"], ["1", null, true, "a", "5"], ["1", 49, true, "a", "5"], ["1", -1, true, "a", "5"], ["9223372036854775807", 60, true, "a", "5"], ["1", 60, false, "a", "5", 7], ["1", 60, false, "a", "5", "b", "c"]])
    assert.equal(parseKept(broken), null, JSON.stringify(broken));
});
