import assert from "node:assert/strict";
import { test } from "node:test";
import { placeCounts } from "../src/draw/counts.js";

const box = ({ of, x, y }: { of: { label: string }; x: number; y: number }) => ({ left: x, right: x + 7 * of.label.length, top: y - 10, bottom: y + 2 });

test("no count stands on another, those there and back of the same hosts included", () => {
  const arrows = [];
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  // Two rows; the messages there take their time to the right, those back as long to the left, as between clocks an hour apart.
  for (let i = 0; i < 40; i++) {
    const [x, count] = [random() * 300, 1 + Math.floor(random() * 3000)];
    arrows.push({ x0: x, y0: 20, x1: x + 900, y1: 20 + 22 * (1 + (i % 3)), count, label: `×${count}`, violation: false });
    arrows.push({ x0: x + 900, y0: 20 + 22 * (1 + (i % 3)), x1: x, y1: 20, count: count + 1, label: `! ×${count + 1}`, violation: true });
  }
  const placed = placeCounts(arrows, 1200);
  assert(placed.length >= 10, `${placed.length} are placed`);
  for (const a of placed)
    for (const b of placed) {
      const [p, q] = [box(a), box(b)];
      assert(a === b || p.right <= q.left || q.right <= p.left || p.bottom <= q.top || q.bottom <= p.top, `${a.of.label} on ${b.of.label}`);
    }
  assert.equal(placed[0].of.count, Math.max(...arrows.map((a) => a.count)), "that of the most messages is there");
});

test("two of the same hosts, there and back, both have their count", () => {
  const there = { x0: 100, y0: 20, x1: 500, y1: 64, count: 900, label: "×900", violation: false };
  const back = { x0: 500, y0: 64, x1: 100, y1: 20, count: 901, label: "×901", violation: false };
  const placed = placeCounts([there, back], 800);
  assert.deepEqual(placed.map((p) => p.of.label), ["×901", "×900"]);
  assert(Math.abs(placed[0].x - placed[1].x) > 28 || Math.abs(placed[0].y - placed[1].y) > 12);
});

test("of many bundles few counts stand, with room around each, and those of messages that cannot be among them", () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ x0: 4 * i, y0: 20, x1: 4 * i + 2, y1: 60, count: 100 + (i % 7), label: `×${100 + (i % 7)}`, violation: false }));
  const wrong = { x0: 401, y0: 20, x1: 403, y1: 60, count: 4, label: "! ×4", violation: true };
  const placed = placeCounts([...many, wrong], 800);
  assert.equal(placed[0].of.label, "! ×4");
  assert(placed.length >= 6 && placed.length <= 20, `${placed.length} are placed`);
  const places = placed.map((p) => p.x).sort((a, b) => a - b);
  for (let i = 1; i < places.length; i++) assert(places[i] - places[i - 1] >= 28 + 50, `one at ${places[i - 1]}, the next at ${places[i]}`);
  // As far as they are in view: zoomed in, those that are left have more of theirs.
  const near = many.slice(0, 10).map((a) => ({ ...a, x0: 10 * a.x0, x1: 10 * a.x1 }));
  const far = many.slice(10).map((a) => ({ ...a, x0: a.x0 + 5000, x1: a.x1 + 5000 }));
  assert(placeCounts([...near, ...far], 800).length >= 10);
});

test("a count that has no room on one side of its bundle stands on the other, whole, or nowhere", () => {
  const at = (x: number) => ({ x0: x, y0: 20, x1: x, y1: 100, count: 322, label: "×322", violation: false });
  for (const x of [0, 4, 400, 770, 785, 799]) {
    const placed = placeCounts([at(x)], 800);
    assert.equal(placed.length, 1, `that of a bundle at ${x}`);
    const { left, right } = box(placed[0]);
    assert(left >= 0 && right <= 800, `that of a bundle at ${x} goes from ${left} to ${right}`);
    assert(left - x <= 8 && x - right <= 8, `that of a bundle at ${x} stands at ${left}`);
  }
  assert.deepEqual(placeCounts([at(5), at(-15), at(900)], 30), []);
});

test("a count stands on its bundle, and beside one that is too short to show behind it", () => {
  const at = (y1: number) => ({ x0: 400, y0: 20, x1: 402, y1, count: 10, label: "×10", violation: false });
  const [on] = placeCounts([at(64)], 800).map(box);
  assert(on.left < 395 && on.right > 405 && on.top > 30 && on.bottom < 55, JSON.stringify(on));
  const [beside] = placeCounts([at(42)], 800).map(box);
  assert(beside.left > 402 && beside.left < 412, JSON.stringify(beside));
});
