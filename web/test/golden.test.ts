// The server's own golden messages: what it writes is what this reads. The tests run
// in static/.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode } from "../src/net/wire.js";

function golden(name: string): ArrayBuffer {
  const dump = readFileSync(`../handlers/wire/testdata/${name}.hex`, "utf8");
  const bytes = dump.split("\n").flatMap((line) => line.slice(10, 58).trim().split(/\s+/).filter(Boolean).map((b) => parseInt(b, 16)));
  return new Uint8Array(bytes).buffer;
}

test("states as the server writes them", () => {
  const m = decode(golden("states"));
  assert(m.kind === "states");
  assert.deepEqual([m.view, m.seq, m.columns, m.complete, [...m.rows]], [3, 9, 8192, true, [4, 0x80000000, 5]]);
  assert.deepEqual([[...m.rowRuns], [...m.runEnd], [...m.runState], [...m.runLabel]], [[0, 3, 3, 5], [1, 2, 8192, 8000, 8192], [2, 254, 3, 3, 255], [0, 8, 1, 2, 1]]);
  assert.deepEqual([[...m.mixes], m.labels], [[0, 100, 155, 0, 0, 0, 0, 0, 0], ["futex", "read"]]);
  assert.deepEqual([m.clocks.version, [...m.clocks.spans]], [3, [-5n, 1795229345235842846n, 95n, 1795229345235842947n]]);
});

test("messages as the server writes them", () => {
  const m = decode(golden("messages"));
  assert(m.kind === "messages");
  assert.deepEqual([m.view, m.count, m.total, m.violations, m.complete], [0xffff, 3, 7, 1, true]);
  assert.deepEqual([[...m.sent], [...m.received].slice(0, 2)], [[-10, 30, 40.25], [20.5, 25]]);
  assert.deepEqual([[...m.counts], [...m.flags], m.errorFrom[0], m.errorTo[0]], [[1, 1, 5], [0, 1, 2], 0, 31000]);
  assert.deepEqual([[...m.backward], [...m.fromPort], [...m.toPort], [...m.protocol]], [[0, 1, 0], [37616, 0, 0], [80, 0, 0], [6, 17, 0]]);
  assert.deepEqual([...m.ends], [[2, { sentFirst: 40, sentLast: 41, receivedFirst: 7e8, receivedLast: 2e9 }]]);
  assert.deepEqual([m.clocks.version, [...m.clocks.spans]], [0, [1n, 2n]]);
});

test("density as the server writes it", () => {
  const m = decode(golden("density"));
  assert(m.kind === "density");
  assert.deepEqual([m.begin, m.end, [...m.events], [...m.lost], m.error[0]], [10n, 40n, [0, 5, 0xffffffff], [0, 0, 2], -1]);
  assert.deepEqual([[...m.packets], [...m.reaching], [...m.share]], [[0, 9, 0], [0, 1, 0], [0, 0.25, 1]]);
});

test("rows that are listed as the server writes them", () => {
  const m = decode(golden("listing"));
  assert(m.kind === "listing");
  assert.deepEqual([m.view, m.gen, m.seq, m.unsure, m.map, [...m.rows], [...m.values]], [1, 2, 3, 1, 9, [4, 0, 0xffffffff], [1, 2 ** 60, 0.5]]);
});

test("a sign of life as the server writes it", () => {
  assert.deepEqual(decode(golden("alive")), { view: 7, gen: 70000, kind: "alive" });
});

test("rows and errors as the server writes them", () => {
  const m = decode(golden("rows"));
  assert(m.kind === "rows");
  assert.deepEqual([m.names, [...m.tid], [...m.rowKind]], [["web", "Web Übersicht", ""], [-1, 4121, 4122], [0, 1, 2]]);
  const e = decode(golden("error"));
  assert(e.kind === "error");
  assert.equal(e.body.message, 'There is no row "7".');
});
