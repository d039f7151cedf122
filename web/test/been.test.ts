import assert from "node:assert/strict";
import { test } from "node:test";
import { Been, type Looked } from "../src/state/been.js";
import { firstRows } from "../src/ui/sorted.js";

test("times that were looked at are gone back to, and forward again", () => {
  const at = (local: bigint, path = "Threads/1"): Looked => ({ host: "db", local, path });
  const been = new Been();
  assert.deepEqual(been.ways, { back: false, forward: false });
  been.leave(null);
  been.leave(at(1n));
  been.leave(at(1n)); // twice at one place is once
  been.leave(at(2n));
  assert.equal(been.go(false, at(3n))?.local, 2n);
  assert.equal(been.go(false, at(2n))?.local, 1n);
  assert.equal(been.go(false, at(1n)), null);
  assert.equal(been.go(true, at(1n))?.local, 2n);
  assert.equal(been.go(true, at(2n))?.local, 3n);
  assert.deepEqual(been.ways, { back: true, forward: false });
  been.leave(at(3n));
  assert.equal(been.go(false, at(3n))?.local, 2n); // what was left for the same place is no step
  been.leave(at(2n));
  assert.deepEqual(been.ways, { back: true, forward: false }, "who goes elsewhere has nothing ahead");
});

test("a table shows more rows where there is room for them", () => {
  assert.deepEqual([600, 900, 1440, 2160].map(firstRows), [25, 25, 40, 64]);
});
