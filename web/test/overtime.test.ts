import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dot } from "../src/messages/answers.js";
import { barsOf, densest } from "../src/messages/overtime.js";
import { stretchOf } from "../src/messages/scatter.js";

const dot = (sent: number, messages = 1): Dot => [sent, 5, 0, messages, -1, -1, -1];

test("bars count the messages both ways, where each has a dot over what is drawn", () => {
  const dots = [dot(100), dot(104), [150, 7, 1, 1, -1, -1, -1] as Dot, dot(190), dot(191), dot(192)];
  const bars = barsOf({ single: true, dots, cells: [100, 193, 0] }, 100, 100, 100);
  assert.deepEqual(bars, [{ begin: 100, end: 110, messages: 2 }, { begin: 150, end: 160, messages: 1 }, { begin: 190, end: 200, messages: 3 }]);
  assert.deepEqual(densest(bars), bars[2]);
  assert.equal(densest(bars.slice(0, 1)), undefined, "one is not more than others");
  assert.equal(densest([]), undefined);
});

test("where a dot is all messages of a cell a bar is of whole cells, parts of the stretch in which there are messages", () => {
  // 256 cells of 100 ns, each told at the first of its messages, somewhere in a much longer stretch that was asked for.
  const dots = Array.from({ length: 256 }, (_, i) => dot(9000 + 100 * i + (i * 37) % 100, i === 77 ? 50 : 3));
  const bars = barsOf({ single: false, dots, cells: [9000, 34600, 100] }, 9000, 25600, 430);
  assert.equal(bars.length, 64);
  assert(bars.every((b) => b.messages === (b.begin === 16600 ? 59 : 12) && b.end - b.begin === 400));
  assert.deepEqual(densest(bars), { begin: 16600, end: 17000, messages: 59 });
  // Coarser cells are no less than a bar, and the last ends with the stretch.
  const coarse = barsOf({ single: false, dots: [dot(9010, 7), dot(11_000, 5)], cells: [9000, 11_500, 1600] }, 9000, 2500, 430);
  assert.deepEqual(coarse, [{ begin: 9000, end: 10_600, messages: 7 }, { begin: 10_600, end: 11_500, messages: 5 }]);
});

test("what is drawn ends with the cells, of which the last dot is the first message of the last", () => {
  const a = { begin: "0", end: "1000000", dots: [dot(9010, 7), dot(11_000, 5)], cells: [9000, 20_000, 5500] as [number, number, number] };
  const [first, span] = stretchOf({ ...a, single: false });
  assert(first < 9000 && first + span > 20_000 && span < 12_000, `${first} ${span}`);
  const [one, wide] = stretchOf({ ...a, single: true });
  assert(one > 8900 && one < 9010 && one + wide > 11_000 && one + wide < 11_100);
});
