import assert from "node:assert/strict";
import { test } from "node:test";
import { Trail, type Choice, type Folded, type Place } from "../src/model/trail.js";

const at = (n: number): Place => ({ window: { begin: BigInt(n), span: 10 }, whole: false });
const choosing = (tid: number, folded?: Folded): Choice => ({ row: { host: 0, tid }, did: null, message: null, folded });
const chosen = (n: number, tid: number, folded?: Folded) => ({ ...at(n), choice: choosing(tid, folded) });
const begin = (p: Place | null) => p && Number(p.window.begin);

// A way over 0, 10, 20 and 30, each a jump, at the last of which one is.
function walked(): Trail {
  const trail = new Trail();
  for (const n of [0, 10, 20]) {
    trail.rest();
    trail.leave(at(n), n);
  }
  return trail;
}

test("a place of the way is gone to by its number, over all between, and the way goes on from there both ways", () => {
  const trail = walked();
  assert.deepEqual([trail.here, trail.next], [3, 4]);
  assert.equal(begin(trail.goTo(1, at(33))), 10);
  assert.equal(trail.here, 1);
  assert.equal(begin(trail.forward(at(10))), 20);
  assert.equal(begin(trail.forward(at(20))), 33, "where the window was as it left");
  assert.equal(begin(trail.goTo(0, at(33))), 0);
  assert.deepEqual([trail.canGoBack, trail.canGoForward], [false, true]);
  assert.equal(begin(trail.goTo(0, at(5))), 5, "where it is already");
  assert.equal(begin(trail.goTo(3, at(5))), 33);
  assert.deepEqual([trail.canGoForward, begin(trail.back(at(33)))], [false, 20]);
});

test("a place that a movement took from the way is there no more", () => {
  const trail = walked();
  trail.goTo(1, at(30));
  trail.leave(at(10), 5000);
  assert.deepEqual([0, 1, 2, 3, 4].map((n) => trail.has(n)), [true, true, false, false, true]);
  assert.equal(trail.goTo(3, at(40)), null);
  assert.deepEqual([trail.here, begin(trail.back(at(40)))], [4, 10]);
});

test("what is chosen comes back over steps that chose something else, and no others change it", () => {
  const trail = new Trail();
  trail.leave(at(0), 0);
  trail.rest();
  trail.leave(chosen(10, 1), 10);
  assert.equal(trail.back(chosen(20, 2))?.choice?.row?.tid, 1);
  assert.equal(trail.back(chosen(10, 1))?.choice, undefined, "the window alone was moved");
  assert.equal(trail.forward(chosen(0, 3))?.choice, undefined);
  assert.equal(trail.forward(chosen(10, 3))?.choice?.row?.tid, 2);
  trail.renumbered();
  assert.equal(trail.back(chosen(20, 2))?.choice, undefined, "hosts have other numbers");
});

test("what is unfolded for where the window goes is of that step, and later of one of its own", () => {
  const folded: Folded = { hosts: [1], processes: [] };
  const trail = new Trail();
  trail.leave(at(0), 1000);
  trail.unfold(chosen(10, 1, folded), 1050);
  assert.equal(trail.here, 1);
  assert.deepEqual(trail.back(chosen(10, 2, { hosts: [], processes: [] }))?.choice, choosing(1, folded));
  trail.forward(chosen(0, 1, folded));
  trail.unfold(chosen(10, 2, folded), 2000);
  assert.equal(trail.here, 2);
  assert.deepEqual(trail.back(chosen(10, 3, { hosts: [], processes: [] }))?.choice?.folded, folded);
});
