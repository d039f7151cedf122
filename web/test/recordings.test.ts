import assert from "node:assert/strict";
import { test } from "node:test";

import type { SetModel } from "../src/model/set.js";
import { markAt, recordedWords, short } from "../src/timeline/recordings.js";

const second = 1_000_000_000n;

// A set whose hosts recorded from one second to another.
function set(extents: Record<string, [number, number]>): SetModel {
  const list = Object.values(extents);
  return { hosts: Object.keys(extents).map((name, index) => ({ name, index })), extent: (i: number) => ({ begin: BigInt(list[i][0]) * second, end: BigInt(list[i][1]) * second }) } as unknown as SetModel;
}

test("what is short over the whole set has a mark, with what lies beside it; what is long has none", () => {
  const hour = { begin: 0n, span: 3600e9 };
  const marks = short(set({ web: [0, 40], db: [1, 41], cache: [3560, 3600], all: [0, 3600], within: [1800, 1801] }), false, hour, 900);
  assert.deepEqual(marks.map((m) => m.hosts), [["web", "db"], ["within"], ["cache"]]);
  assert.equal(marks[0].end, 41n * second);
  assert.equal(markAt(marks, 451)?.hosts[0], "within");
  assert.equal(markAt(marks, 440), null);
  assert.equal(markAt(marks, 899)?.hosts[0], "cache");
  assert.deepEqual(short(set({ web: [0, 40], db: [1, 41] }), false, { begin: 0n, span: 41e9 }, 900), []);
});

test("who recorded is said by name, of many by some", () => {
  const who = (...hosts: string[]) => recordedWords(hosts, 0n, second, 0n).split(" recorded from ")[0];
  assert.deepEqual([who("a"), who("a", "b", "c"), who("a", "b", "c", "d")], ["a", "a, b and c", "a, b and 2 others"]);
});
