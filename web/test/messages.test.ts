import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleOf, stepOf } from "../src/draw/latency.js";
import { pairWords } from "../src/messages/matrix.js";
import { BUNDLE, type MessagesAnswer } from "../src/net/wire.js";
import { Flows, isFlow, wayWords } from "../src/timeline/flows.js";

test("latencies have five steps of equal ratio between round ends", () => {
  const s = scaleOf([130_000, 3_100_000, -5, 0])!;
  assert.deepEqual([s.low, s.high], [100_000, 5_000_000]);
  const steps = [-1, 100_000, 130_000, 300_000, 1_000_000, 2_000_000, 5_000_000, 9e9].map((ns) => stepOf(s, ns));
  assert.deepEqual(steps, [0, 0, 0, 1, 2, 3, 4, 4]);
  assert.equal(scaleOf([-3, 0]), null);
  assert.equal(stepOf(scaleOf([1000])!, 1000), 0);
});

// Hosts are the tens of rows: 10 is a thread of host 1.
function answer(messages: { from: number; to: number; ports?: [number, number]; protocol: number; sent: number; count?: number }[]): MessagesAnswer {
  const of = <T>(f: (m: (typeof messages)[number]) => T) => messages.map(f);
  return {
    count: messages.length, from: Uint32Array.from(of((m) => m.from)), to: Uint32Array.from(of((m) => m.to)),
    fromPort: Uint16Array.from(of((m) => m.ports?.[0] ?? 0)), toPort: Uint16Array.from(of((m) => m.ports?.[1] ?? 0)), protocol: Uint8Array.from(of((m) => m.protocol)),
    sent: Float64Array.from(of((m) => m.sent)), received: Float64Array.from(of((m) => m.sent + 5)), counts: Uint32Array.from(of((m) => m.count ?? 1)), flags: Uint8Array.from(of((m) => (m.count ? BUNDLE : 0))),
  } as MessagesAnswer;
}

test("both ways of a connection are one row at each of its hosts", () => {
  const flows = new Flows((row) => Math.floor(row / 10), (host) => `h${host}`);
  const a = answer([
    { from: 10, to: 20, ports: [4000, 80], protocol: 6, sent: 0 },
    { from: 21, to: 11, ports: [80, 4000], protocol: 6, sent: 10, count: 4 },
    { from: 10, to: 20, ports: [4001, 80], protocol: 6, sent: 20 },
    { from: 10, to: 20, protocol: 17, sent: 30 },
    { from: 10, to: 20, protocol: 6, sent: 40, count: 9 }, // of several connections
    { from: 10, to: 20, ports: [4002, 80], protocol: 6, sent: 900 }, // out of view
  ]);
  assert.equal(flows.take(a, 0, 100), true);
  assert.equal(flows.take(a, 0, 100), false);
  const words = (host: number) => flows.rows(host).map((id) => [flows.words(id)!.name, flows.words(id)!.note]);
  assert.deepEqual(words(1), [[":4000 ↔ h2:80", "5"], [":4001 ↔ h2:80", "1"], ["UDP ↔ h2", "1"]]);
  assert.deepEqual(words(2), [[":80 ↔ h1:4000", "5"], [":80 ↔ h1:4001", "1"], ["UDP ↔ h1", "1"]]);
  assert(flows.rows(1).every(isFlow));
  assert.equal(flows.rowOf(a, 0, 0), flows.rowOf(a, 1, 1), "where it was sent is where the answer was received");
  assert(flows.rowOf(a, 0, 0) !== flows.rowOf(a, 0, 1), "each host has a row of its own");
  assert.equal(flows.rowOf(a, 4, 0), undefined);
  assert.deepEqual(flows.life(flows.rows(1)[0]), [0, 15]);
});

test("a connection that comes back has the row it had, and no row is ever that of another", () => {
  const flows = new Flows((row) => Math.floor(row / 10), (host) => `h${host}`);
  const one = answer([{ from: 10, to: 20, ports: [4000, 80], protocol: 6, sent: 0 }]);
  flows.take(one, 0, 100);
  const [row] = flows.rows(1);
  const seen = new Set(flows.rows(1));
  for (let round = 0; round < 5; round++) {
    flows.take(answer(Array.from({ length: 4500 }, (_, i) => ({ from: 10, to: 20, ports: [i, 100 + round] as [number, number], protocol: 6, sent: i }))), 0, 1e6);
    for (const id of flows.rows(1)) {
      assert(!seen.has(id));
      seen.add(id);
    }
    if (round === 0) flows.take(one, 0, 100);
    if (round === 0) assert.deepEqual(flows.rows(1), [row]);
  }
});

test("connections beyond the most have no row and are told of", () => {
  const flows = new Flows((row) => row, (host) => `h${host}`);
  flows.take(answer(Array.from({ length: 150 }, (_, i) => ({ from: 1, to: 2, ports: [1000 + i, 80] as [number, number], protocol: 6, sent: i }))), 0, 1000);
  assert.equal(flows.rows(1).length, 120);
  assert(/^30\u00a0connections more/.test(flows.omitted([1])), flows.omitted([1]));
  assert.equal(flows.omitted([3]), "");
});

test("ways and pairs in words", () => {
  assert.equal(wayWords("web", "db", { protocol: 6, fromPort: 37616, toPort: 80 }), "TCP web:37616 → db:80");
  assert.equal(wayWords("web", "db", { protocol: 17, fromPort: 0, toPort: 0 }), "UDP");
  assert.equal(wayWords("web", "db", { protocol: 0, fromPort: 0, toPort: 0 }), "");
  const p = { from: "a", to: "b", messages: 1, bytes: 0, before_sent: 0, least_ns: null, median_ns: null, most_ns: null, error_ns: null };
  assert(/^a to b: 1\u00a0message, 0\u2009B, latency unknown/.test(pairWords(p)), pairWords(p));
});
