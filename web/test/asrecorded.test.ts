import assert from "node:assert/strict";
import { test } from "node:test";
import type { Points } from "../src/net/json.js";
import { asRecorded, heightAt, recordedWords } from "../src/sync/asrecorded.js";
import { BOTTOM, LEFT, Paper } from "../src/sync/paper.js";
import { THIN } from "../src/time/number.js";

const T = 1795229345000000000n;
const AHEAD = 7_000_586_000n;

// A clock that gains 100 ppm in the first half of 1 ms, and none in the second; messages 10 µs off it.
function points(): Points {
  return {
    a: 0, b: 1, begin: String(T), end: String(T + 1_000_000n),
    points: [[0, 10_000, 0], [250_000, -10_000, 1], [1_000_000, 10_000, 0]],
    b_begin: String(T + AHEAD + 10_000n), b_times: [0, 230_025, 1_000_050],
    lmin: [[0, -5], [1_000_000, 5]], lmax: [[0, 5], [1_000_000, -5]], upper: [[0, 10_000], [1_000_000, 10_000]], lower: null,
    band: [[0, -9, 9], [500_000, -9, 9], [1_000_000, -9, 9]], force: [[0, 1], [500_000, 1], [1_000_000, 1]], knots: [500_000],
    ahead: String(AHEAD), drift: [[0, 0], [500_000, 50], [1_000_000, 50]], total: 3, shown: 3,
  };
}

test("a line is straight from one of its points to the next, and goes on beyond its ends", () => {
  const line = [[0, 0], [10, 100], [20, 100], [40, 0]] as const;
  assert.deepEqual([-1, 0, 5, 10, 15, 30, 40, 41].map((x) => heightAt(line, x)), [-10, 0, 50, 100, 100, 50, 0, -5]);
  assert.deepEqual([heightAt([], 3), heightAt([[1, 7]], 3)], [0, 7]);
});

test("what is drawn as recorded is by how much one clock is ahead of the other by each message", () => {
  const p = points();
  for (const window of [null, { begin: T + 100_000n, span: 400_000 }]) {
    const { points: drawn, ahead, estimate } = asRecorded(p, window);
    p.points!.forEach(([x], i) => {
      const apart = BigInt(p.b_begin) + BigInt(p.b_times![i]) - (T + BigInt(x));
      assert.equal(ahead + BigInt(Math.round(drawn.points![i][1])), apart, `message ${i}`);
      assert.deepEqual([drawn.points![i][0], drawn.points![i][2]], [x, p.points![i][2]]);
    });
    const middle = window ? 300_000 : 500_000;
    assert.equal(Math.abs(heightAt(estimate, middle)), 0);
    assert.equal(ahead, AHEAD + BigInt(heightAt(p.drift!, middle)));
    // Everything keeps its distance to the estimate.
    const off = (list: [number, number][] | null | undefined, was: [number, number][] | null | undefined) => list!.forEach(([x, v], i) => assert.equal(Math.round(1e6 * (v - (heightAt(p.drift!, x) - heightAt(p.drift!, middle)) - was![i][1])) / 1e6, 0));
    off(drawn.upper, p.upper);
    off(drawn.force, p.force);
    off(drawn.band!.map(([x, low]) => [x, low]), p.band!.map(([x, low]) => [x, low]));
    off(drawn.band!.map(([x, , high]) => [x, high]), p.band!.map(([x, , high]) => [x, high]));
    assert.deepEqual([drawn.lmin, drawn.lmax, drawn.lower], [null, null, null]);
  }
  assert.deepEqual(p, points(), "what was told stays as it is");
});

test("the paper of clocks as they were recorded reaches as far as their estimate leans, and tells points as they were told", () => {
  const p = points();
  const recorded = asRecorded(p, null);
  const paper = new Paper(p, LEFT + 1000 + 8, 200 + BOTTOM, null, 1, recorded);
  assert.equal(paper.reach, new Paper(p, LEFT + 1000 + 8, 200 + BOTTOM).reach + 50);
  assert.equal(paper.told, p);
  assert.equal(paper.onEstimate(500_000), paper.middle);
  assert.equal(paper.onEstimate(0), paper.y(-50));
  assert.equal(paper.at(paper.x(0), paper.y(recorded.points.points![0][1]), 2), 0);
  assert.equal(new Paper({ ...p, midline: false }, 500, 300, null, 1, recorded).estimate, null);
});

test("what the plot shows is said with what its middle stands for", () => {
  const plain = (s: string) => s.replaceAll(THIN, " ");
  assert.equal(plain(recordedWords("client", "web", 7_000_586_123n)), "by how much web's clock is ahead of client's by each message, both as they were recorded; 0 stands for +7.000 586 s");
  assert.equal(plain(recordedWords("a", "b", -1_500_000n)), "by how much b's clock is ahead of a's by each message, both as they were recorded; 0 stands for −0.001 500 s");
});
