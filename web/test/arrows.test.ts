import assert from "node:assert/strict";
import { test } from "node:test";
import { arrowAt, drawArrows, nearby, type Count } from "../src/draw/arrows.js";
import type { Arrow } from "../src/draw/gather.js";
import type { Palette } from "../src/draw/palette.js";
import type { MessagesAnswer } from "../src/net/wire.js";

const WIDTH = 1000;

// The lines that are stroked for one message that was received before it was sent.
function strokes(at: { x0: number; y0: number; x1: number; y1: number }): number[][] {
  const lines: number[][] = [];
  let from = [0, 0];
  let to = [0, 0];
  const g = { beginPath() {}, fill() {}, fillRect() {}, setLineDash() {}, moveTo: (...p: number[]) => (from = p), lineTo: (...p: number[]) => (to = p), stroke: () => lines.push([...from, ...to]) };
  const arrow = { ...at, bundle: false, violation: true, count: 1, members: [0], label: "" } as unknown as Arrow;
  const answer = { counts: [1], sent: [1], received: [0], errorFrom: [-1], errorTo: [-1] } as unknown as MessagesAnswer;
  drawArrows(g as unknown as CanvasRenderingContext2D, answer, [arrow], new Set(), 1, WIDTH, { css: { sys: "#000000", cpuw: "#ffffff", warn: "#ff0000" } } as unknown as Palette, new Set(), null);
  return lines;
}

test("of an arrow whose ends are far away the part in sight is drawn: a canvas would make all its dashes, millions of them", () => {
  for (const at of [{ x0: 500, y0: 10, x1: -6e6, y1: 40 }, { x0: -6e6, y0: 10, x1: 500, y1: 40 }, { x0: -6e6, y0: 10, x1: 6e6, y1: 90 }]) {
    const [[x0, y0, x1, y1], ...others] = strokes(at);
    assert.equal(others.length, 0);
    for (const x of [x0, x1]) assert(x > -100 && x < WIDTH + 100, `${x} of ${JSON.stringify(at)}`);
    assert(Math.min(x0, x1) < 0 && Math.max(x0, x1) >= 500);
    const slope = (at.y1 - at.y0) / (at.x1 - at.x0);
    for (const [x, y] of [[x0, y0], [x1, y1]]) assert(Math.abs(at.y0 + (x - at.x0) * slope - y) < 1e-6);
    const ahead = Math.hypot(x0 - at.x0, y0 - at.y0) / 7;
    assert(Math.abs(ahead - Math.round(ahead)) < 1e-3, "the dashes are elsewhere than those of the whole line");
  }
  assert.deepEqual(strokes({ x0: 10, y0: 5, x1: 900, y1: 50 }), [[10, 5, 900, 50]]);
  assert.deepEqual(strokes({ x0: 300, y0: 5, x1: 300, y1: 50 }), [[300, 5, 300, 50]]);
});

test("of an arrow beside what is drawn on nothing is", () => {
  assert.equal(nearby({ x0: -500, y0: 0, x1: -6e6, y1: 10 }, WIDTH, 7), null);
  assert.equal(nearby({ x0: 6e6, y0: 0, x1: WIDTH + 50, y1: 10 }, WIDTH, 7), null);
});

test("the count of a bundle stands on ground of its own, in the middle of a broad arrow too", () => {
  const done: string[] = [];
  const rects: number[][] = [];
  const g = {
    fillStyle: "", strokeStyle: "", font: "", globalAlpha: 1, beginPath() {}, fill() {}, setLineDash() {}, moveTo() {}, lineTo() {}, stroke() {}, strokeText() {},
    measureText: (s: string) => ({ width: 7 * s.length }),
    fillRect(...at: number[]) { done.push(this.fillStyle); rects.push(at); },
    fillText(s: string, x: number, y: number) { done.push(s); rects.push([x, y]); },
  };
  const arrow = { x0: 10, y0: 100, x1: 900, y1: 20, bundle: true, violation: true, count: 1473, members: [0], label: "! ×1473" } as unknown as Arrow;
  const answer = { counts: [1473], sent: [1], received: [0], errorFrom: [-1], errorTo: [-1] } as unknown as MessagesAnswer;
  const css = { sys: "#000000", cpuw: "#ffffff", warn: "#ff0000", panel: "#eeeeee", ink2: "#333333" };
  drawArrows(g as unknown as CanvasRenderingContext2D, answer, [arrow], new Set(), 1, WIDTH, { css } as unknown as Palette, new Set(), null);
  assert.deepEqual(done, ["#eeeeee", "! ×1473"]);
  const [[x, y, w, h], [left, line]] = rects;
  assert(x < left && x + w > left + 7 * 7 && y < line - 8 && y + h > line);
});

test("the count of a bundle lies on the line of what is chosen", () => {
  const done: string[] = [];
  const g = {
    fillStyle: "", strokeStyle: "", font: "", globalAlpha: 1, beginPath() {}, fill() {}, fillRect() {}, setLineDash() {}, moveTo() {}, lineTo() {},
    stroke() { done.push(this.strokeStyle); },
    measureText: (s: string) => ({ width: 7 * s.length }),
    fillText: (s: string) => done.push(s),
  };
  const arrow = { x0: 10, y0: 100, x1: 900, y1: 20, bundle: true, violation: true, count: 1473, members: [0], label: "! ×1473" } as unknown as Arrow;
  const answer = { counts: [1473], sent: [1], received: [0], errorFrom: [-1], errorTo: [-1] } as unknown as MessagesAnswer;
  const css = { sys: "#000000", cpuw: "#ffffff", warn: "#ff0000", panel: "#eeeeee", ink2: "#333333", accent: "#0000ff" };
  drawArrows(g as unknown as CanvasRenderingContext2D, answer, [arrow], new Set(), 1, WIDTH, { css } as unknown as Palette, new Set(), null, arrow);
  assert.deepEqual(done.slice(-2), ["#0000ff", "! ×1473"]);
});

test("what is nearest to the pointer as it is drawn is under it", () => {
  const line = (x: number, count = 1) => ({ x0: x, y0: 20, x1: x, y1: 80, bundle: count > 1, count, members: [0], label: "", violation: false }) as unknown as Arrow;
  const [bundle, single] = [line(100, 400), line(107)]; // 9 pixels broad, and one
  const counts: Count[] = [{ of: bundle, x0: 84, x1: 116, y0: 44, y1: 57 }];
  const under = (x: number, y: number) => arrowAt([bundle, single], counts, x, y);
  assert.equal(under(107, 50), bundle, "its count lies on the line");
  assert.equal(under(90, 42), bundle, "just above the count, and nothing else there");
  assert.equal(under(104, 30), bundle, "on the bundle, and beside the line");
  assert.equal(under(107, 30), single);
  assert.equal(under(110, 30), single);
  assert.equal(under(92, 30), bundle, "beside what is drawn of it");
  assert.equal(under(120, 30), null);
  assert.equal(under(125, 50), null);
  assert.equal(arrowAt([line(100), line(104)], [], 101.9, 30)?.x0, 100);
});

test("an upright arrow is a bar from end to end, about its line; any other is a line between its ends", () => {
  const bars: number[][] = [];
  const lines: number[][] = [];
  const heads: number[][] = [];
  const g = { beginPath() {}, setLineDash() {}, stroke() {}, fill() {}, fillRect: (...at: number[]) => bars.push(at), moveTo: (...at: number[]) => lines.push(at), lineTo: (...at: number[]) => lines.push(at) };
  const answer = { counts: [1], sent: [1], received: [2], errorFrom: [-1], errorTo: [-1] } as unknown as MessagesAnswer;
  const draw = (at: { x0: number; y0: number; x1: number; y1: number }) => {
    bars.length = lines.length = heads.length = 0;
    const arrow = { ...at, bundle: false, violation: false, count: 1, members: [0], label: "" } as unknown as Arrow;
    drawArrows(g as unknown as CanvasRenderingContext2D, answer, [arrow], new Set(), 1, WIDTH, { css: { sys: "#000000", cpuw: "#ffffff", msg: "#333333" } } as unknown as Palette, new Set(), null);
    heads.push(...lines.splice(-3)); // it comes last: its tip and two corners
  };
  for (const [y0, y1] of [[20, 90], [90, 20]]) {
    draw({ x0: 300, y0, x1: 300.4, y1 });
    assert.deepEqual(lines, []);
    assert.equal(bars.length, 1);
    const [x, y, wide, high] = bars[0];
    assert(Math.abs(x + wide / 2 - 300.2) < 1e-9 && y === 20 && high === 70, bars.join());
    assert.deepEqual(heads[0], [300.4, y1]);
    for (const [hx, hy] of heads.slice(1)) assert(Math.abs(hx - 300.4) < 3 && Math.abs(hy - (y1 === 90 ? 83.4 : 26.6)) < 0.1, heads.join(" "));
  }
  draw({ x0: 300, y0: 20, x1: 301, y1: 90 });
  assert.deepEqual([bars, lines], [[], [[300, 20], [301, 90]]]);
});

test("of several chosen messages each is seen: their lines are thin, and none hides the head of another", () => {
  const done: string[] = [];
  const widths: number[] = [];
  const g = { beginPath() {}, fillRect(_x: number, _y: number, wide: number) { done.push("line"); widths.push(wide); }, moveTo() {}, lineTo() {}, fill() { done.push("head"); } };
  const arrows = [10, 13, 16].map((x, i) => ({ x0: x, y0: 10, x1: x, y1: 60, bundle: false, violation: false, count: 1, members: [i], label: "" }) as unknown as Arrow);
  const answer = { counts: [1, 1, 1], sent: [1, 2, 3], received: [2, 3, 4], errorFrom: [-1, -1, -1], errorTo: [-1, -1, -1] } as unknown as MessagesAnswer;
  const palette = { css: { sys: "#000000", cpuw: "#ffffff", accent: "#0000ff", msg: "#333333" } } as unknown as Palette;
  const draw = (chosen: number[]) => {
    done.length = widths.length = 0;
    drawArrows(g as unknown as CanvasRenderingContext2D, answer, arrows, new Set(), 1, WIDTH, palette, new Set(chosen), null);
  };
  draw([0, 1, 2]);
  assert.deepEqual(done, ["line", "line", "line", "head", "head", "head"]);
  assert(widths.every((w) => w < 1.6), widths.join());
  draw([1]);
  assert.deepEqual(widths, [1.1, 1.1, 2.2]);
});
