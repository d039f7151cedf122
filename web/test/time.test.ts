import assert from "node:assert/strict";
import { test } from "node:test";
import { about, bound, clock, date, exact, measured, parseNs, seconds } from "../src/time/time.js";
import { bytes, certainDecimals, fixed, group, percent } from "../src/time/number.js";
import { clamp, columnsFor, endOf, floorTo, pan, serves, timeAt, windowOf, zoom } from "../src/time/window.js";
import type { View } from "../src/model/view.js";
import { windowWords } from "../src/timeline/words.js";
import { axisLabel, ticks } from "../src/time/ticks.js";

const BEGIN = 1795229342346870277n;
const plain = (s: string) => s.replace(/[\u202f\u00a0]/g, " ");

test("times are read to the ns and nothing else is taken for one", () => {
  assert.equal(parseNs("1795229342346870277"), BEGIN);
  assert.equal(parseNs("-5"), -5n);
  for (const s of ["", "1.5", "0x10", "1e9", " 1", "99999999999999999999", null, undefined]) assert.equal(parseNs(s), null);
});

test("times and durations as they stand on the page", () => {
  assert.equal(plain(about(172_799.94e9, 5)), "172 800 s");
  assert.equal(plain(about(172_800e9, 5)), "2.000 d");
  assert.equal(plain(about(-418_632_868e9, 5)), "−4 845.3 d");
  assert.deepEqual([about(999_999_600, 3), about(999_999_600), about(999_400_000, 3), about(-999_999, 3), about(0.9996, 3)].map(plain), ["1.00 s", "1.000 s", "999 ms", "−1.00 ms", "1 ns"]);
  assert.equal(plain(seconds(12424118402n)), "12.424 118 402 s");
  assert.equal(plain(seconds(-1n)), "−0.000 000 001 s");
  assert.equal(plain(seconds(3600000000000n, 3)), "3 600.000 s");
  assert.equal(plain(exact(16646756)), "16.646 756 ms");
  assert.equal(plain(exact(999)), "999 ns");
  assert.equal(plain(clock(BEGIN)), "02:49:02.346 870 277");
  assert.equal(plain(clock(-1n)), "23:59:59.999 999 999");
  assert.deepEqual([date(BEGIN), date(-1n), date(0n)], ["2026-11-21", "1969-12-31", "1970-01-01"]);
});

test("where the window begins is said as finely as it is wide", () => {
  const words = (span: number) => plain(windowWords({ window: { begin: BEGIN + 2_012_072_451n, span }, origin: () => BEGIN } as unknown as View));
  assert.equal(words(50), "from 2.012 072 451 s, 50 ns wide");
  assert.equal(words(5e9), "from 2.012 s, 5.000 s wide");
});

test("a bound is never rounded down", () => {
  assert.equal(plain(bound(24100)), "24.1 µs");
  assert.equal(plain(bound(24101)), "24.2 µs");
  assert.equal(plain(bound(0.2)), "1 ns");
  assert.deepEqual([bound(999_999), bound(999.5), bound(999_000_000)].map(plain), ["1.00 ms", "1.00 µs", "999 ms"]);
  assert.equal(plain(measured(183600, 24050)), "183.6 ± 24.1 µs");
  assert.equal(plain(measured(3_592_999_583_000, 190_526)), "3 592.999 583 s ± 191 µs");
  assert.equal(plain(measured(3_000_060_000, 1_200_001)), "3.000 1 ± 0.001 3 s");
});

test("what is larger than its error is seen to be", () => {
  assert.equal(plain(measured(123_400, 123_300)), "123.4 ± 123.3 µs");
  assert.equal(plain(measured(-123_400, 123_399)), "−123.400 ± 123.399 µs");
  assert.equal(plain(measured(5, 4.5)), "5.0 ± 4.5 ns");
  assert.equal(plain(measured(123_300, 123_400)), "123 ± 124 µs");
  for (let ns = 1; ns < 3e9; ns = Math.ceil(ns * 1.37)) {
    for (const error of [ns - 1, ns * 0.999, ns * 0.9]) {
      const [value, rest] = plain(measured(ns, error)).split(" ± ").map((x) => Number(x.replace(/[^0-9.]/g, "")));
      if (ns > error && ns - error >= 0.1) assert(value > rest, measured(ns, error));
    }
  }
});

test("digits end where certainty ends", () => {
  assert.equal(certainDecimals(9), 1);
  assert.equal(certainDecimals(0.4), 2);
  assert.equal(certainDecimals(120), 0);
  assert.equal(plain(fixed(-150.104, 2)), "−150.10");
  assert.equal(fixed(-0.0001, 2), "0.00");
  assert.equal(plain(group(612408)), "612 408");
  assert.equal(plain(bytes(8 << 20)), "8.0 MiB");
});

test("zooming in and out again about a point leaves that point where it was, to the ns", () => {
  let w = windowOf(BEGIN, BEGIN + 38_214_000_000n);
  const at = timeAt(w, 0.25);
  for (let i = 0; i < 40; i++) w = zoom(w, Number(at - w.begin) / w.span, 0.8, 1e12);
  assert(at >= w.begin && at <= endOf(w));
  for (let i = 0; i < 200; i++) w = zoom(w, Number(at - w.begin) / w.span, 0.5, 1e12);
  assert.equal(w.span, 50);
  assert(at >= w.begin && at <= endOf(w));
});

test("panning there and back is exact", () => {
  const w = { begin: BEGIN, span: 1001 };
  assert.deepEqual(pan(pan(w, 0.37), -0.37), w);
});

test("nothing is asked where no recording is", () => {
  const EVER = 1n << 62n;
  for (const span of [1e3, 1e12, 2e18])
    for (const at of [-EVER, EVER - BigInt(span)]) {
      const w = { begin: at, span };
      const c = columnsFor(w, 1000);
      assert(c.begin >= -EVER && c.end <= EVER, `asked is ${c.begin} to ${c.end}`);
      assert(serves(c, w, 1000));
      const beyond = clamp({ begin: at + (at < 0n ? -BigInt(span) : BigInt(span)) / 2n, span }, -EVER, EVER);
      assert.deepEqual(beyond, w);
    }
});

test("a clamped window still shows a tenth of the set", () => {
  const w = clamp({ begin: BEGIN + 10_000n, span: 1000 }, BEGIN, BEGIN + 5000n);
  assert.equal(w.begin, BEGIN + 4900n);
});

test("columns: a power of two of ns, on its multiples, no coarser than a pixel, one screen around", () => {
  for (const span of [50, 999, 123_456, 61_800_000, 38_214_000_000])
    for (const pixels of [1, 700, 860, 1700]) {
      const w = { begin: BEGIN, span };
      const c = columnsFor(w, pixels);
      assert.equal(Math.log2(c.step) % 1, 0);
      assert.equal(c.begin % BigInt(c.step), 0n);
      assert.equal(c.end - c.begin, BigInt(c.columns) * BigInt(c.step));
      assert(c.columns <= 8192);
      assert(c.step === 1 || c.step <= span / pixels);
      assert(c.begin <= w.begin && c.end >= endOf(w));
      assert(serves(c, w, pixels), `${span} ${pixels}`);
      assert(c.columns >= 2 * (span / c.step) || c.columns > 8000);
    }
});

test("a small pan asks for nothing, a zoom by two does", () => {
  const w = { begin: BEGIN, span: 61_800_000 };
  const c = columnsFor(w, 860);
  assert(serves(c, pan(w, 0.5), 860));
  assert(!serves(c, pan(w, 1.5), 860));
  assert(!serves(c, { begin: BEGIN, span: w.span / 2 }, 860));
});

test("multiples below zero", () => {
  assert.equal(floorTo(-1n, 8n), -8n);
  assert.equal(floorTo(-8n, 8n), -8n);
  assert.equal(floorTo(9n, 8n), 8n);
});

test("ticks are round, inside, and counted from the origin", () => {
  const t = ticks({ begin: BEGIN + 12_406_231_900n, span: 61_800_000 }, BEGIN, 860);
  assert.deepEqual(t.map((x) => plain(x.label)), ["12.410 s", "+10 ms", "+20 ms", "+30 ms", "+40 ms", "+50 ms"]);
  assert(t.every((x) => x.share >= 0 && x.share <= 1));
  // Whole seconds are told as they are.
  assert.deepEqual(ticks({ begin: BEGIN, span: 39e9 }, BEGIN, 500).map((x) => plain(x.label)), ["0 s", "10 s", "20 s", "30 s"]);
  assert.deepEqual(ticks({ begin: BEGIN + 3_600_000_000_000n, span: 4e9 }, BEGIN, 500).map((x) => plain(x.label)), ["3 600 s", "3 601 s", "3 602 s", "3 603 s", "3 604 s"]);
});

test("fewer decimals are rounded, less than all does not read as all, nor more than nothing as nothing", () => {
  assert.deepEqual([139_830_000n, 999_999_999n, -139_830_000n, -400n, 0n].map((ns) => plain(seconds(ns, 3))), ["0.140 s", "1.000 s", "\u22120.140 s", "0.000 s", "0.000 s"]);
  assert.equal(plain(seconds(1_500_000_000n, 0)), "2 s");
  assert.deepEqual([0.9952, 0.9996, 1, 0.994, 0.004, 1.2, 0.0005, 0.0004, 0].map((x) => plain(percent(x))), ["99.5 %", "99.9 %", "100 %", "99 %", "0.4 %", "120 %", "0.1 %", "< 0.1 %", "0 %"]);
});

test("values of an axis that are a small step apart are told apart", () => {
  const labels = (from: number, step: number) => [0, 1, 2].map((k) => plain(axisLabel(from + k * step, from + 2 * step, false, step)));
  assert.deepEqual(labels(3600.5e9, 5e8), ["3 600.5 s", "3 601.0 s", "3 601.5 s"]);
  assert.deepEqual(labels(0, 1e10), ["0 s", "10 s", "20 s"]);
  assert.deepEqual(labels(2e9, 2e5), ["2.000 0 s", "2.000 2 s", "2.000 4 s"]);
  assert.deepEqual(labels(0, 2.5e5), ["0.0 µs", "250.0 µs", "500.0 µs"].map((x) => x.replace(".0", "")));
});
