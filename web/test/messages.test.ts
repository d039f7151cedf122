import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleOf, stepOf } from "../src/draw/latency.js";
import { shown, type Dot } from "../src/messages/answers.js";
import { latencyTicks, rangesOf, wholes } from "../src/messages/histogram.js";
import { farOf } from "../src/messages/scatter.js";
import { noteOf } from "../src/messages/requests.js";
import { heatOf, earlyWords, pairWords } from "../src/messages/matrix.js";
import { exchanges, mostWords } from "../src/messages/pairs.js";
import type { FlowList } from "../src/net/json.js";
import { BUNDLE, type MessagesAnswer } from "../src/net/wire.js";
import { Flows, isFlow, openedWords, wayWords } from "../src/timeline/flows.js";

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

// Rows of hosts are the numbers of their tens: 20 is that of host 2.
function listed(host: number, connections: [protocol: number, port: number, peer: number, peerPort: number, count: number][], more = 0): FlowList {
  return { hosts: [{ host: host * 10, more, connections: connections.map(([protocol, port, peer, peer_port, count]) => ({ protocol, port, peer: peer * 10, peer_port, count })) }] };
}

test("connections are rows of their host, and their messages lie on them", () => {
  const flows = new Flows((row) => Math.floor(row / 10), (host) => `h${host}`);
  const list = listed(1, [[6, 4000, 2, 80, 5], [6, 4001, 2, 80, 1], [17, 0, 2, 0, 1234]]);
  assert.equal(flows.take(list), true);
  assert.equal(flows.take(list), false);
  assert.deepEqual(flows.rows(1).map((id) => [flows.words(id)!.name, flows.words(id)!.note]), [[":4000 ↔ h2:80", "5"], [":4001 ↔ h2:80", "1"], ["UDP ↔ h2", "1\u202f234"]]);
  assert.deepEqual(flows.rows(2), []);
  assert(flows.rows(1).every(isFlow));
  const a = answer([
    { from: 10, to: 20, ports: [4000, 80], protocol: 6, sent: 0 },
    { from: 21, to: 11, ports: [80, 4000], protocol: 6, sent: 10, count: 4 },
    { from: 10, to: 20, protocol: 17, sent: 30 },
    { from: 10, to: 20, protocol: 6, sent: 40, count: 9 }, // of several connections
    { from: 10, to: 20, ports: [4001, 80], protocol: 6, sent: 900 }, // out of view
  ]);
  flows.live(a, 0, 100);
  const [first, second, udp] = flows.rows(1);
  assert.deepEqual([0, 1, 2, 3, 4].map((i) => flows.rowOf(a, i, i === 1 ? 1 : 0)), [first, first, udp, undefined, second]);
  assert.equal(flows.rowOf(a, 0, 1), undefined, "host 2 is not open");
  assert.deepEqual([flows.life(first), flows.life(second)], [[0, 15], null]);
});

test("a connection that comes back has the row it had, and another count is told", () => {
  const flows = new Flows((row) => Math.floor(row / 10), (host) => `h${host}`);
  flows.take(listed(1, [[6, 4000, 2, 80, 5]]));
  const [row] = flows.rows(1);
  flows.take(listed(1, [[6, 4001, 2, 80, 5]]));
  assert(flows.rows(1)[0] !== row);
  flows.take(listed(1, [[6, 4000, 2, 80, 5]]));
  assert.deepEqual(flows.rows(1), [row]);
  assert.equal(flows.take(listed(1, [[6, 4000, 2, 80, 6]])), true);
  assert.equal(flows.words(row)!.note, "6");
});

test("connections that have no row are told of, where the host is open", () => {
  const flows = new Flows((row) => Math.floor(row / 10), (host) => `h${host}`);
  flows.take(listed(1, [[6, 4000, 2, 80, 5]], 30));
  assert(/^30\u00a0connections more/.test(flows.omitted([1])), flows.omitted([1]));
  assert.equal(flows.omitted([3]), "");
});

test("the ground of a cell tells powers of ten apart, and keeps what is alike alike", () => {
  const heat = heatOf([10, 100, 988, 2401]);
  assert.deepEqual([10, 2401].map((n) => heat(n).toFixed(2)), ["0.15", "1.00"]);
  assert(heat(988) - heat(10) > 0.7 && heat(100) - heat(10) > 0.3, `${heat(10)} ${heat(100)} ${heat(988)}`);
  const close = heatOf([20, 22]);
  assert(close(22) - close(20) < 0.05 && close(22) === 1);
  assert.deepEqual([heatOf([0])(0), heatOf([])(5) >= 1], [1, true]);
});

test("ways and pairs in words", () => {
  assert.equal(wayWords("web", "db", { protocol: 6, fromPort: 37616, toPort: 80 }), "TCP web:37616 → db:80");
  assert.equal(wayWords("web", "db", { protocol: 17, fromPort: 0, toPort: 0 }), "UDP");
  assert.equal(wayWords("web", "db", { protocol: 0, fromPort: 0, toPort: 0 }), "");
  const p = { from: "a", to: "b", messages: 1, bytes: 0, before_sent: 0, beyond_error: 0, least_ns: null, median_ns: null, most_ns: null, error_ns: null };
  assert(/^a to b: 1\u00a0message, size unknown, latency unknown/.test(pairWords(p)), pairWords(p));
  assert(/^a to b: 1\u00a0message, 52\u202fB, latency unknown/.test(pairWords({ ...p, bytes: 52 })), pairWords({ ...p, bytes: 52 }));
  assert(/; 3 received before sent, within the error of the clocks\.$/.test(pairWords({ ...p, before_sent: 3 })), pairWords({ ...p, before_sent: 3 }));
  assert(/; 3 received before sent\.$/.test(pairWords({ ...p, before_sent: 3, beyond_error: 3 })), pairWords({ ...p, before_sent: 3, beyond_error: 3 }));
  assert.deepEqual([[p], [p, { ...p, before_sent: 3 }], [{ ...p, before_sent: 3 }, { ...p, before_sent: 3, beyond_error: 1 }]].map(earlyWords), ["", "some were received before they were sent, all within the error of the clocks", "some were received before they were sent"]);
  assert.equal(mostWords(exchanges([p], "messages"), "messages", "In the window"), "In the window, a and b exchanged most: 1\u00a0message.");
});

test("by the hosts' own clocks the error of a median is told where the digits are not right without it", () => {
  const p = { from: "a", to: "b", messages: 5000, bytes: 0, before_sent: 0, beyond_error: 0, least_ns: 7_000_900_000, median_ns: 7_002_720_000, most_ns: 7_025_900_000, error_ns: 8000 };
  const plain = (more: Partial<typeof p>, local: boolean) => pairWords(shown({ ...p, ...more }, local)).replace(/\s/g, " ");
  const ends = "from 7.00 s to 7.03 s.";
  assert(plain({}, true).endsWith(`median latency 7.00 s, ${ends}`), plain({}, true));
  assert(plain({ error_ns: 0 }, true).endsWith(`median latency 7.00 s, ${ends}`), plain({ error_ns: 0 }, true));
  assert(plain({ error_ns: 4_000_000 }, true).endsWith(`median latency 7.00 s ± 4.00 ms, ${ends}`), plain({ error_ns: 4_000_000 }, true));
  assert(plain({}, false).endsWith(`median latency 7.00 s ± 8.00 µs, ${ends}`), plain({}, false));
});

test("bars of few latencies are of whole messages, and together of all", () => {
  const buckets: [number, number, number][] = [[100, 103, 1], [103, 106, 1], [106, 109, 3], [400, 412, 1], [412, 424, 2], [990, 1000, 1]];
  const place = (ns: number) => ((Math.log(ns) - Math.log(100)) / Math.log(10)) * 20;
  const bars = wholes(buckets, place, 20);
  assert.deepEqual(bars.filter((n) => n > 0), [5, 3, 1]);
  assert.deepEqual([bars[0], bars[12], bars[19]], [5, 3, 1]);
});

test("both ways have one axis of latencies, but for clocks so wrong that they have nothing in common: then each its own, as wide", () => {
  const way = (...histogram: [number, number, number][]) => ({ histogram }) as unknown as Parameters<typeof rangesOf>[0][number];
  const both = (low: number, high: number) => ({ ranges: [{ low, high }, { low, high }], apart: 0 });
  assert.deepEqual(rangesOf([way([7_000_000, 7_001_000, 4], [7_020_000, 7_021_000, 1]), way([-6_990_000, -6_989_000, 5])]), { ranges: [{ low: 7_000_000, high: 7_021_000 }, { low: -6_990_000, high: -6_969_000 }], apart: 13_990_000 });
  assert.deepEqual(rangesOf([way([-6_990_000, -6_989_000, 5]), way([7_000_000, 7_021_000, 4])])!.ranges[0], { low: -6_990_000, high: -6_969_000 });
  assert.deepEqual(rangesOf([way([100, 200, 1]), way([300, 500, 1])]), both(100, 500));
  assert.deepEqual(rangesOf([way([-100, 200, 1]), way([150, 500, 1])]), both(-100, 500));
  assert.deepEqual(rangesOf([way(), way([-70, -60, 1])]), both(-70, -60));
  assert.equal(rangesOf([way(), way()]), null);
  const raw = latencyTicks(100_000, 20_000_000, false).map(([, label]) => label.replaceAll("\u202f", " "));
  assert.deepEqual(raw, ["5 ms", "10 ms", "15 ms", "20 ms"]);
});

test("dots that are all far from zero, by clocks that are wrong, are drawn about where they are", () => {
  const dots = (...all: [latency: number, direction: 0 | 1][]) => all.map(([latency, direction], i): Dot => [i, latency, direction, 1, 1, 1, -1]);
  // One way has the error of the clocks added, the other taken away.
  assert.deepEqual(farOf({ single: true, band: [], dots: dots([7_000_100, 0], [7_000_300, 0], [-6_999_900, 1]) }), { about: 7_000_100, reach: 280 });
  assert.deepEqual(farOf({ single: true, band: [], dots: dots([-500, 0]) }), { about: -500, reach: 1 });
  assert.equal(farOf({ single: true, band: [], dots: dots([100, 0], [300, 1]) }), null);
  assert.equal(farOf({ single: true, band: [[0, 5], [9, 5]], dots: dots([7_000_100, 0]) }), null);
  assert.equal(farOf({ single: true, band: [], dots: [] }), null);
  assert.equal(farOf({ single: false, band: [], dots: dots([7_000_100, 0]) }), null);
  const many = Array.from({ length: 200 }, (_, i): [number, 0 | 1] => [7_000_000 + i, 0]);
  assert(farOf({ single: true, band: [], dots: dots(...many, [90_000_000, 0]) })!.reach < 200, "one straggler is no usual one");
});

test("the axis of latencies names some, each in words of its own, also where all are alike or before they were sent", () => {
  const plain = (low: number, high: number) => latencyTicks(low, high).map(([, label]) => label.replaceAll("\u202f", " ").replaceAll("\u00a0", " "));
  assert.deepEqual(plain(-10_200_547_328, -9_932_111_872).slice(0, 3), ["−10.20 s", "−10.15 s", "−10.10 s"]);
  assert.deepEqual(plain(524_288, 540_672), ["525 µs", "530 µs", "535 µs", "540 µs"]);
  assert.deepEqual(plain(100_000, 20_000_000).slice(0, 4), ["100 µs", "200 µs", "500 µs", "1 ms"]);
  for (const [low, high] of [[64, 65], [2_100_000, 9_900_000], [-3, 5], [1_000_000_000, 1_000_000_900], [-1_999_999_999, 3_000_000_000]]) {
    const labels = plain(low, high);
    assert(labels.length >= 2 && new Set(labels).size === labels.length, `${low} to ${high}: ${labels}`);
  }
});

test("what is left out of requests, or may be wrong of them, is said", () => {
  const answer = { complete: true, requests: 0, median_ns: 0, p95_ns: 0, unsure: 0, undated: [] as string[], unrelated: 0, slowest: [] };
  const note = (more: Partial<typeof answer>) => noteOf({ ...answer, ...more }, "").replace(/\s/g, " ");
  assert.equal(note({}), "");
  assert.equal(note({ unsure: 3 }), "3 requests left out: events of that time are lost or may be, or a clock was set then, so answers may belong to others");
  assert.equal(note({ undated: ["db", "web"] }), "whole packets of events are missing on db and web, and when is not known: what is told of requests there may be wrong");
  const some = note({ requests: 7, unsure: 1, unrelated: 4 });
  assert(some.startsWith("0 of 7 requests over TCP; ") && some.endsWith("; 1 request left out: events of that time are lost or may be, or a clock was set then, so answers may belong to others; messages between hosts whose clocks nothing relates are left out "), some);
});

test("of open hosts without a connection in view it is said why", () => {
  const to = "In Communication hosts open to their connections.";
  assert.equal(openedWords(false, ["db"], false), "In Communication hosts open to their threads.");
  assert.equal(openedWords(true, [], true), to);
  assert.equal(openedWords(true, ["db"], false), `${to} db is open, and recorded nothing in view, so no connection is listed.`);
  assert.equal(openedWords(true, ["db"], true), `${to} db is open, and has no message in view, so no connection is listed.`);
  assert.equal(openedWords(true, ["db", "web"], true), `${to} Those that are open have no message in view, so no connection is listed.`);
});
