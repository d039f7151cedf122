import assert from "node:assert/strict";
import { test } from "node:test";
import { SetModel } from "../src/model/set.js";
import { worstOverTime } from "../src/model/worst.js";
import type { Clocks, SetInfo } from "../src/net/json.js";

// Hosts by how far they are off the reference, with lists of bounds by their own clocks, which recorded from the first entry to the last.
function setOf(hosts: readonly (readonly [offset: number, errors: readonly (readonly [number, number])[]])[], component = 0): SetModel {
  const s = new SetModel();
  const all = [[0, [[0, 0], [1000, 0]]] as const, ...hosts];
  s.setInfo({ id: "x", name: "x", state: "ready", hosts: all.map(([, errors], index) => ({ index, name: `h${index}`, id: `h${index}`, local_begin: String(errors[0][0]), local_end: String(errors[errors.length - 1][0]), state: "done", missing: [] })) } as unknown as SetInfo);
  s.setClocks({ reference: "h0", version: 1, links: [], matching: null, hosts: all.map(([offset, errors], i) => ({
    name: `h${i}`, id: `h${i}`, component: i === 0 ? 0 : component, reference: i === 0, map: i === 0 ? [] : [{ begin: "0", end: "5000", reference_begin: String(-offset), reference_end: String(5000 - offset), rate: 1 }],
    error: i === 0 ? [] : errors.map(([t, ns]) => [String(t), ns]),
  })) } as unknown as Clocks);
  return s;
}

test("the clock that is known worst at a time is known best where that is least, not where any is", () => {
  // At 300 of reference time the one is known to 5, and the other to 40.
  const one = [0, [[100, 50], [299, 50], [300, 5], [301, 60], [900, 60]]] as const;
  const other = [1000, [[1100, 40], [1300, 40], [1350, 10], [1900, 70]]] as const;
  assert.deepEqual(worstOverTime(setOf([one, other])), { least: 40, worst: 70 });
  assert.deepEqual(worstOverTime(setOf([one])), { least: 5, worst: 60 });
});

test("between two entries the larger holds, and where nothing is recorded nothing is", () => {
  assert.deepEqual(worstOverTime(setOf([[0, [[100, 7], [200, 9], [300, 8]]]])), { least: 7, worst: 9 });
  assert.deepEqual(worstOverTime(setOf([[0, [[100, 7], [200, 9]]], [0, [[300, 3], [400, 2]]]])), { least: 2, worst: 9 }, "the reference alone, in between, is no time at which clocks are known to 0");
  assert.deepEqual(worstOverTime(setOf([[0, [[100, 70], [200, 90]]], [0, [[100, 3], [220, 2]]]])), { least: 70, worst: 90 }, "who records on alone is known better than both were");
  assert.equal(worstOverTime(setOf([])), null);
  assert.equal(worstOverTime(setOf([[0, [[100, 7], [200, 9]]]], 1)), null, "those of an island have another reference");
});
