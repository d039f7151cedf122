import assert from "node:assert/strict";
import { test } from "node:test";
import { boundColor, boundScale, boundStep, boundStyle, boundWidth, scaleOver, stepWords } from "../src/draw/bounds.js";
import type { Clocks } from "../src/net/json.js";

const plain = (s: string) => s.replace(/[\u202f\u00a0]/g, " ");

test("of two bounds the steps differ where one is more than twice the other, however far the scale goes", () => {
  for (const bounds of [[106_000, 333_000], [3, 4_000_000_000], [999, 1001], [50_000, 50_000]]) {
    const scale = scaleOver(bounds)!;
    const [low, high] = [Math.min(...bounds), Math.max(...bounds)];
    assert(scale.edges[0] <= low && scale.edges[scale.edges.length - 1] >= high);
    for (let ns = low; 2.001 * ns <= high; ns *= 1.37) {
      const [a, b] = [boundStep(scale, ns), boundStep(scale, 2.001 * ns)];
      assert(b > a, `${ns} and its double`);
      assert(boundStyle(scale, a) !== boundStyle(scale, b));
      assert(boundWidth(scale, a) > boundWidth(scale, b));
    }
  }
  assert.equal(scaleOver([]), null);
});

test("steps have their ends in figures and colours from green over blue to magenta", () => {
  const scale = scaleOver([106_000, 333_000_000])!;
  assert.deepEqual([0, 1, 3].map((n) => plain(stepWords(scale, n))), ["100 to 200 µs", "200 to 400 µs", "800 µs to 1.6 ms"]);
  assert.equal(plain(stepWords(scale, 0, 3)), "100 µs to 1.6 ms");
  const css = (hue: string) => hue;
  const last = scale.edges.length - 2;
  assert.deepEqual([boundColor(scale, 0, css), boundColor(scale, last, css)], ["good", "irq"]);
  assert(/^color-mix\(in oklab, good, sys \d+%\)$/.test(boundColor(scale, 1, css)));
});

test("the scale of a set is over the bounds of its links and hosts", () => {
  const clocks = { links: [{ error_ns: { min: 2500, median: 3000, max: 4000 } }, { error_ns: null }], hosts: [{ error_ns: { min: 0, max: 0 } }, { error_ns: { min: 5000, max: 9000 } }] } as unknown as Clocks;
  assert.deepEqual(boundScale(clocks)!.edges, [2000, 4000, 8000, 16_000]);
  assert.equal(boundScale({ links: null, hosts: null } as Clocks), null);
});
