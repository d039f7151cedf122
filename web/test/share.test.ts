import assert from "node:assert/strict";
import { test } from "node:test";
import { rectangles } from "../src/share/rectangles.js";
import { LOOKS } from "../src/draw/palette.js";
import { inLines, Legend, THREADS, THREADS_AND_LOSSES } from "../src/share/legend.js";
import { escaped } from "../src/share/recorder.js";
import { csv, fileName } from "../src/ui/file.js";

test("the rectangles of a picture, painted in order, are the picture", () => {
  let seed = 7;
  const chance = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 50; round++) {
    const [w, h] = [1 + chance(40), 1 + chance(30)];
    const words = new Uint32Array(w * h).fill(1);
    for (let k = chance(12); k > 0; k--) {
      const [x0, y0, color] = [chance(w), chance(h), 1 + chance(4)];
      const [x1, y1] = [x0 + 1 + chance(w - x0), y0 + 1 + chance(h - y0)];
      for (let y = y0; y < y1; y++) words.fill(color, y * w + x0, y * w + x1);
    }
    const painted = new Uint32Array(w * h);
    for (const r of rectangles(words, w, h)) for (let y = r.y0; y < r.y1; y++) painted.fill(r.color, y * w + r.x0, y * w + r.x1);
    assert.deepEqual(painted, words);
  }
});

test("a bar is one rectangle, not one for each line", () => {
  const words = new Uint32Array(20 * 10);
  for (let y = 3; y < 8; y++) words.fill(9, y * 20 + 4, y * 20 + 15);
  assert.deepEqual(rectangles(words, 20, 10), [{ x0: 0, y0: 0, x1: 20, y1: 10, color: 0 }, { x0: 4, y0: 3, x1: 15, y1: 8, color: 9 }]);
});

test("names of traces can neither end an element nor break the document", () => {
  assert.equal(escaped(`<a b="c">&\u0000\u0007\ud800x\u{1f600}`), "&#60;a b=&#34;c&#34;&#62;&#38;x\u{1f600}");
});

test("a name of a file is one that any system takes", () => {
  assert.equal(fileName("../shop: 4 hosts/x"), "shop-4-hosts-x");
  assert.equal(fileName("5.983\u202f331\u202fs"), "5.983331s");
  assert.equal(fileName("..."), "set");
});

test("a table as CSV quotes what it must, and has no formula in it", () => {
  assert.equal(csv([["a,b", 'c"d', null, -1.5], ["=1+2", "-12", "-cmd", "@x\ny"]]), `"a,b","c""d",,-1.5\r\n'=1+2,-12,'-cmd,"'@x\ny"\r\n`);
});

test("what is unknown is hatched in a legend, and each kind of rows has a line", () => {
  const rects: [string, number, number, number, number][] = [];
  const words: string[] = [];
  const pen = {
    fillStyle: "", font: "", measureText: (s: string) => ({ width: s.length * 6 }), fillText: (s: string) => words.push(s),
    fillRect(x: number, y: number, w: number, h: number) { rects.push([this.fillStyle, x, y, w, h]); },
  };
  const palette = { sans: "600 13px x", states: ["unk", "blk", "user", "sys", "irq", "cpuw", "wait", "fork", "kern"], css: { ink: "ink", ink2: "ink2" } };
  const cpus = { name: "CPUs", samples: [{ words: "unknown", as: 0 }, { words: "soft interrupt", as: 5 }] };
  const legend = new Legend(palette as never, [THREADS, cpus], pen as never, 2000);
  assert.equal(legend.height, new Legend(palette as never, [THREADS], pen as never, 2000).height + 19);
  legend.draw(pen as never, 0, 0);
  assert.deepEqual([words[0], ...words.slice(10)], ["Threads:", "CPUs:", "unknown", "soft interrupt"]);
  const unknown = rects.filter(([color]) => color === "unk");
  assert(unknown.length > 20 && unknown.every(([, , , w, h]) => w <= 2 && h === 1));
  assert.equal(rects.filter(([color]) => color === "cpuw").length, 2);
});

test("a legend says what the boxes of lost events are, which have an edge", () => {
  const rects: [string, number, number, number, number][] = [];
  const words: string[] = [];
  const pen = {
    fillStyle: "", font: "", measureText: (s: string) => ({ width: s.length * 6 }), fillText: (s: string) => words.push(s),
    fillRect(x: number, y: number, w: number, h: number) { rects.push([this.fillStyle, x, y, w, h]); },
  };
  const palette = { sans: "600 13px x", states: LOOKS.map((l) => l.words), css: { ink: "ink", ink2: "ink2", warn: "warn" } };
  new Legend(palette as never, [THREADS_AND_LOSSES], pen as never, 2000).draw(pen as never, 0, 0);
  assert.equal(words.at(-1), "events lost");
  const red = rects.filter(([color]) => color === "warn");
  const whole = red.filter(([, , , w, h]) => w === 14 || h === 10);
  assert(whole.length === 4 && red.length > 20, `${whole.length} edges of ${red.length}`);
});

test("a legend goes on in the next line where there is no more room", () => {
  assert.deepEqual(inLines([50, 60, 70], 300), [{ x: 0, line: 0 }, { x: 66, line: 0 }, { x: 142, line: 0 }]);
  assert.deepEqual(inLines([50, 60, 70], 211), [{ x: 0, line: 0 }, { x: 66, line: 0 }, { x: 0, line: 1 }]);
  assert.deepEqual(inLines([50, 60, 70], 212), [{ x: 0, line: 0 }, { x: 66, line: 0 }, { x: 142, line: 0 }]);
  assert.deepEqual(inLines([50, 400, 70], 211), [{ x: 0, line: 0 }, { x: 0, line: 1 }, { x: 0, line: 2 }]);
});
