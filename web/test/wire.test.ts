import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, MIXED, NOTHING, STATES, type StatesAnswer } from "../src/net/wire.js";
import { WireError } from "../src/net/reader.js";
import { Writer } from "./writer.js";

// Two rows over ten columns: [user 0-4, mixed 4-5, nothing 5-10], [syscall "read" 0-10].
function states(change: Partial<Record<"runEnd" | "label" | "state" | "mixes", number[]>> = {}): ArrayBuffer {
  const runEnd = change.runEnd ?? [4, 5, 10, 10];
  const label = change.label ?? [0, 0, 0, 1];
  const state = change.state ?? [2, MIXED, NOTHING, 3];
  const mixes = change.mixes ?? [0, 100, 155, 0, 0, 0, 0, 0, 0];
  return new Writer()
    .header(4, 1, 7)
    .u32(42, 2)
    .i64(1795229342346870277n, 1795229342346880517n)
    .u32(10, 1, 4, mixes.length / STATES, 4, 1)
    .u32(5, 9)
    .u32(0, 3, 4)
    .u16(...runEnd).align(4)
    .u16(...label).align(4)
    .u8(...state).align(4)
    .u8(...mixes).align(4)
    .u32(4)
    .text("read")
    .clocks(3, -5n, 5n, 100n, 1n << 60n)
    .done();
}

test("states keep every ns of their range and find the mixes of each row", () => {
  const m = decode(states()) as StatesAnswer;
  assert.equal(m.kind, "states");
  assert.deepEqual([m.view, m.gen, m.seq, m.columns, m.complete], [1, 7, 42, 10, true]);
  assert.equal(m.begin, 1795229342346870277n);
  assert.equal(m.end - m.begin, 10240n);
  assert.deepEqual([...m.rows], [5, 9]);
  assert.deepEqual([...m.rowMixes], [0, 1]);
  assert.deepEqual([...m.mixes], [0, 100, 155, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(m.labels, ["read"]);
  assert.deepEqual([m.clocks.version, ...m.clocks.spans], [3, -5n, 5n, 100n, 1n << 60n]);
});

test("a states message cut anywhere is refused, never read past its end", () => {
  const whole = states();
  for (let n = 0; n < whole.byteLength; n++) assert.throws(() => decode(whole.slice(0, n)), Error);
});

test("what drawing relies on is checked", () => {
  assert.throws(() => decode(states({ runEnd: [4, 3, 10, 10] })), /outside of its row/);
  assert.throws(() => decode(states({ runEnd: [4, 5, 11, 10] })), /outside of its row/);
  assert.throws(() => decode(states({ label: [0, 0, 0, 2] })), /label/);
  assert.throws(() => decode(states({ state: [2, MIXED, NOTHING, 9] })), /unknown state 9/);
  assert.throws(() => decode(states({ state: [2, MIXED, MIXED, 3] })), /2 mixed columns and 1 mixes/);
});

test("an odd number of runs is padded", () => {
  const w = new Writer()
    .header(4, 1, 1).u32(1, 1).i64(0n, 8n).u32(8, 0, 3, 0, 3, 2).u32(0).u32(0, 3)
    .u16(2, 4, 8).align(4).u16(1, 2, 0).align(4).u8(3, 3, 6).align(4).u32(1, 3).text("aµ").clocks(0);
  const m = decode(w.done()) as StatesAnswer;
  assert.deepEqual([...m.runEnd], [2, 4, 8]);
  assert.deepEqual(m.labels, ["a", "µ"]);
});

test("messages", () => {
  const w = new Writer()
    .header(5, 2, 3).u32(11, 2).i64(-5n).u32(15, 1, 1, 0)
    .f64(1, 2.5).f64(3, 2).u32(7, 8).u32(9, 10).u32(1, 14).f32(142, 0).f32(0, -1).f32(24100, 100).u32(0, 3).u16(80, 0).u16(4000, 0).u8(6, 0).u8(0, 3).align(8).f64(1).f64(4).f64(2).f64(9).clocks(1, 7n, 9n);
  const m = decode(w.done());
  assert(m.kind === "messages");
  assert.equal(m.base, -5n);
  assert.deepEqual([m.total, m.violations, m.complete, [...m.sent], [...m.received]], [15, 1, true, [1, 2.5], [3, 2]]);
  assert.deepEqual([[...m.from], [...m.to], [...m.counts], [...m.flags]], [[7, 8], [9, 10], [1, 14], [0, 3]]);
  assert.deepEqual([[...m.errorFrom], [...m.errorTo]], [[0, -1], [24100, 100]]);
  assert.deepEqual([...m.ends], [[1, { sentFirst: 1, sentLast: 4, receivedFirst: 2, receivedLast: 9 }]]);
  assert.deepEqual([[...m.backward], [...m.fromPort], [...m.toPort], [...m.protocol]], [[0, 3], [80, 0], [4000, 0], [6, 0]]);
});

test("density", () => {
  const m = decode(new Writer().header(6, 3, 3).u32(1, 2).i64(10n, 20n).u32(5, 6).u32(0, 1).u32(0, 2).u32(0, 3).f32(0, 0.5).f32(-1, 12.5).done());
  assert(m.kind === "density");
  assert.deepEqual([m.begin, m.end, [...m.events], [...m.lost], [...m.error]], [10n, 20n, [5, 6], [0, 1], [-1, 12.5]]);
  assert.deepEqual([[...m.packets], [...m.reaching], [...m.share]], [[0, 2], [0, 3], [0, 0.5]]);
});

test("rows, with an odd count so that every column is padded", () => {
  const w = new Writer()
    .header(10, 0, 2).u32(3, 9).u32(0, 1, 2).u32(0xffffffff, 0, 1)
    .u16(0, 0, 0).align(4).u8(0, 1, 2).align(4).i32(-1, 210, 211).align(8)
    .f64(0, 0, 5e9).f64(-1, -1, 38e9).u32(3, 8, 9).text("webhttpdx");
  const m = decode(w.done());
  assert(m.kind === "rows");
  assert.deepEqual(m.names, ["web", "httpd", "x"]);
  assert.deepEqual([[...m.parent], [...m.tid], [...m.first], [...m.last]], [[0xffffffff, 0, 1], [-1, 210, 211], [0, 0, 5e9], [-1, -1, 38e9]]);
});

test("JSON bodies, unknown kinds and other versions", () => {
  const m = decode(new Writer().header(9, 4, 1).text('{"message":"no such row"}').done());
  assert(m.kind === "error");
  assert.equal(m.body.message, "no such row");
  assert.throws(() => decode(new Writer().header(77, 0, 0).done()), /unknown kind 77/);
  assert.throws(() => decode(new Writer().u8(1, 1).u16(0).u32(0).done()), WireError);
});
