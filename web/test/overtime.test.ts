import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dot } from "../src/messages/answers.js";
import { barsOf, densest } from "../src/messages/overtime.js";

const dot = (sent: number, messages = 1): Dot => [sent, 5, 0, messages, -1, -1];

test("bars count the messages both ways, where each has a dot over what is drawn", () => {
  const dots = [dot(100), dot(104), [150, 7, 1, 1, -1, -1] as Dot, dot(190), dot(191), dot(192)];
  const bars = barsOf({ begin: "1000", end: "2000", single: true, dots }, 100, 100, 100);
  assert.deepEqual(bars, [{ begin: 100, end: 110, messages: 2 }, { begin: 150, end: 160, messages: 1 }, { begin: 190, end: 200, messages: 3 }]);
  assert.deepEqual(densest(bars), bars[2]);
  assert.equal(densest(bars.slice(0, 1)), undefined, "one is not more than others");
  assert.equal(densest([]), undefined);
});

test("where a dot is all messages of a cell a bar is of whole cells, from the begin of the stretch on", () => {
  // 256 cells of 100 ns, each told at the first of its messages.
  const dots = Array.from({ length: 256 }, (_, i) => dot(100 * i + (i * 37) % 100, i === 77 ? 50 : 3));
  const bars = barsOf({ begin: "0", end: "25600", single: false, dots }, 0, 25600, 430);
  assert.equal(bars.length, 64);
  assert(bars.every((b) => b.messages === (b.begin === 7600 ? 59 : 12) && b.end - b.begin === 400));
  assert.deepEqual(densest(bars), { begin: 7600, end: 8000, messages: 59 });
});
