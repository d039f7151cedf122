import assert from "node:assert/strict";
import { test } from "node:test";
import { scaleOver } from "../src/draw/bounds.js";
import { earlyWords, withinError } from "../src/model/early.js";
import { knownBy } from "../src/model/inforce.js";
import { SetModel } from "../src/model/set.js";
import type { Clocks, HostClock, LinkInfo, Points, SetInfo } from "../src/net/json.js";
import { arrange } from "../src/sync/arrange.js";
import { boundAt, linesOf, pieceAt, type Line } from "../src/sync/bounds.js";
import { candidatesOf } from "../src/sync/candidates.js";
import { clearOf } from "../src/sync/clear.js";
import { beside, loud, nearest } from "../src/sync/emphasis.js";
import { latencyWords } from "../src/sync/pointmark.js";
import { hostRows, hostsCSV } from "../src/sync/hosts.js";
import { apart, loop, loopsWords, ownRate, paceWords, rate, rests, shape, span, stepSize, tier, tiersOf, unused } from "../src/sync/number.js";
import { storyWords } from "../src/sync/milestones.js";
import { linkLatencyError, moreWords } from "../src/sync/links.js";
import { matchingWords } from "../src/sync/matching.js";
import { BOTTOM, LEFT, Paper } from "../src/sync/paper.js";
import { PlotTimes } from "../src/sync/plottimes.js";
import { stretches } from "../src/sync/points.js";
import { earlyOf } from "../src/sync/early.js";
import { hopWords, lanes, nameEnd } from "../src/sync/rowlinks.js";
import { cutSpans, knots, lengths, offsetAt, rates, rounded } from "../src/sync/path.js";

const T = 1795229448269925784n;
const plain = (s: string | null) => s && s.replace(/[\u202f\u00a0]/g, " ");

function link(more: Partial<LinkInfo>): LinkInfo {
  return {
    a: "client", b: "web", class: "accurate", in_tree: true, alpha: null, beta: null, alpha_min: null, alpha_max: null,
    messages: { a_to_b: 1, b_to_a: 1 }, accurate: 1, segments: 1, error_ns: null, violations: 0, latency_ns: null, ...more,
  };
}

// Two seconds at +40 ppm, then three at -38 ppm, 2.5 s ahead.
const AHEAD = 2_500_000_000n;
const bent = link({
  segments: 2, shape: "pieces", rate_cap: 3.552713678800501e-6, error_ns: { min: 1, median: 2, max: 3 },
  path: [[T, T + AHEAD], [T + 2_000_000_000n, T + AHEAD + 2_000_080_000n], [T + 5_000_000_000n, T + AHEAD + 4_999_966_000n]].map(([a, b]): [string, string] => [String(a), String(b)]),
});

test("a path is evaluated to the ns, between its knots and beyond", () => {
  assert.equal(offsetAt(bent, T), 2_500_000_000);
  assert.equal(offsetAt(bent, T + 25_000n), 2_500_000_001);
  assert.equal(offsetAt(bent, T + 2_000_000_000n), 2_500_080_000);
  assert.equal(offsetAt(bent, T + 3_000_000_000n), 2_500_042_000);
  assert.equal(offsetAt(bent, T - 1_000_000_000n), 2_499_960_000);
  assert.equal(offsetAt(bent, T + 6_000_000_000n), 2_499_928_000);
  assert.equal(offsetAt(link({}), T), null);
  assert.equal(offsetAt(link({ alpha: 1, alpha_exact: "1.0000000010", beta_exact: "-5" }), T), 1_795_229_443);
});

test("a decimal of many digits is rounded to those that say something", () => {
  assert.equal(plain(rounded("-176826516605803.8178255051544571588", 0)), "−176 826 516 605 804");
  assert.equal(plain(rounded("0.9997929734483701560437384573885102", 12)), "0.999 792 973 448");
  assert.deepEqual(["1.5", "-0.4", "1e-3", "x"].map((s) => plain(rounded(s, 0))), ["2", "0", "0", "x"]);
});

test("knots that are none are left out", () => {
  assert.deepEqual(knots(link({ path: [["1", "x"], ["2", "2"]] })), []);
  assert.deepEqual(knots(link({ path: [["1", "1"], ["1", "5"], ["3", "4"]] })), [[1n, 1n], [3n, 4n]]);
});

test("the rate of a path is a range, that of a line a figure with its error", () => {
  assert.equal(plain(rate(bent).text), "−38.0 to +40.0 ppm");
  assert.deepEqual([rate(link({ alpha: 1.00005, alpha_min: 1.0000305, alpha_max: 1.0000695 }))].map((r) => [plain(r.text), r.error]), [["+50 ppm", "± 20"]]);
  assert.equal(rate(link({})).text, "–");
  assert.deepEqual(lengths(bent), { least: 2e9, most: 3e9 });
});

test("of a link in use the clock in force is told, of another its own line", () => {
  const force = { begin: "0", end: "1000000000", b_begin: "5", b_end: "1000050005", segments: 3, rate: { min: 1.00004, max: 1.00006 }, error_ns: { min: 10, median: 20, max: 30 }, ends_ns: [400, 600] as [number, number] };
  const line = { alpha: 1.00005, alpha_min: 1.0000305, alpha_max: 1.0000695, error_ns: { min: 11, median: 12, max: 13 }, shape: "one line" as const };
  const [forced, own] = [link({ ...line, in_force: force }), link({ ...line, in_force: null })];
  assert.deepEqual([knownBy(forced)?.max, knownBy(own)?.max, knownBy(link({ ...line, in_force: { ...force, error_ns: null, ends_ns: null } }))?.max], [30, 13, 13]);
  assert.deepEqual([plain(shape(forced)), shape(own)], ["3 pieces", "one line"]);
  const said = rate(forced);
  assert.deepEqual([said.text, said.error, said.title].map((s) => plain(s ?? "")), ["+50 ppm", "± 20", "On average; from piece to piece +40.0 to +60.0 ppm"]);
  const moved = rate(link({ ...line, in_force: { ...force, b_end: "1000052005", rate: { min: 1.000052, max: 1.000052 } } }));
  assert.deepEqual([plain(moved.text), moved.error, rate(own).error, ownRate(forced).error], ["+52 ppm", "± 22", "± 20", "± 20"]);
  assert.deepEqual(plain(paceWords({ mean: null, least: -1, most: 2 }, 5).text + paceWords({ mean: null, least: -1, most: 2 }, 5).error), "−1.0 to +2.0 ppm");
});

test("a step is no rate", () => {
  const path: [string, string][] = [["0", "0"], ["1000000000", "1000010000"], ["1100000000", "1130010000"], ["2100000000", "2130010000"]];
  const r = rates(link({ shape: "steps", path }))!;
  assert.deepEqual([r.least.toFixed(3), r.most.toFixed(3)], ["0.000", "10.000"]);
  assert.equal(rates(link({ shape: "pieces", path }))!.most.toFixed(0), "300000");
});

test("the line of a link is as its bound is, a contradiction is none", () => {
  const of = (median: number) => link({ error_ns: { min: median, median, max: median } });
  const scale = scaleOver([106_000, 333_000]);
  assert.deepEqual([106_000, 120_000, 200_000, 200_001, 283_000].map((n) => tier(of(n), scale).step), [0, 0, 0, 1, 1]);
  assert.equal(tier(link({ class: "approximate" }), scale).words, "no bound");
  assert.equal(tier({ ...of(5), class: "fail" }, scale).words, "contradiction");
  assert.deepEqual(tiersOf([link({ class: "fail" }), link({}), of(283_000), of(120_000), of(130_000)], scale).map((t) => plain(t.words)), ["100 to 200 µs", "200 to 400 µs", "no bound", "contradiction"]);
});

test("what messages fit and what the bound rests on, in words", () => {
  assert.equal(shape(link({ shape: "one line" })), "one line");
  assert.equal(plain(shape(link({ segments: 29, shape: "pieces" }))), "29 pieces");
  assert.equal(shape(link({ segments: 5, shape: "steps" })), "steps");
  assert.equal(shape(link({ segments: 0, shape: null })), "–");
  assert.equal(rests(bent), "the rate of one clock against the other changes by at most 3.6 ppm a second");
  assert.equal(/at most 0\.028 ppm a second$/.test(rests({ ...bent, rate_cap: 2 ** -55 * 1e9 })!), true);
  assert.equal(/at most 230 ppm a second$/.test(rests({ ...bent, rate_cap: 2 ** -42 * 1e9 })!), true);
  assert.equal(/, but for the steps$/.test(rests({ ...bent, shape: "steps" })!), true);
  assert.equal(rests({ ...bent, error_ns: null }), null);
  assert.equal(plain(span(114_000, 257_000)), "± 114 µs to 257 µs");
  assert.equal(plain(span(114_001, 114_900)), "± 115 µs");
  assert.equal(plain(stepSize(-11_998_000, 41_000)), "−11.998 ± 0.041 ms");
});

test("a contradiction is between its first and its last message", () => {
  const cuts = [{ upper: [["30", "1"], ["10", "1"]] as [string, string][], lower: [["20", "1"]] as [string, string][] }, { upper: null, lower: null }];
  assert.deepEqual(cutSpans(link({ cuts })), [{ begin: 10n, end: 30n }]);
});

function points(more: Partial<Points>): Points {
  return { a: 0, b: 1, begin: String(T), end: String(T + 1000n), points: [], b_begin: String(T), b_times: [], ahead: "0", drift: [[0, 0], [1000, 0]], lmin: null, lmax: null, upper: null, lower: null, band: null, total: 0, shown: 0, ...more };
}

test("a click finds the point it is nearest to, and none that is off the scale", () => {
  const p = points({ points: [[0, 10, 0], [500, -10, 1], [510, 90, 0]], knots: [500], band: [[0, -10, 10], [1000, -10, 10]] });
  const paper = new Paper(p, LEFT + 1000 + 8, 200 + BOTTOM);
  assert.equal(paper.reach, 25);
  assert.deepEqual([paper.x(0), paper.x(1000), paper.y(0), paper.y(25)], [LEFT, LEFT + 1000, 100, 0]);
  assert.equal(paper.at(LEFT + 3, 61, 8), 0);
  assert.equal(paper.at(LEFT + 503, 140, 8), 1);
  assert.equal(paper.at(LEFT + 510, 0, 8), -1);
  assert.equal(paper.at(LEFT + 250, 100, 8), -1);
});

test("of a part of the points only that part is on the paper, as tall as wanted", () => {
  const p = points({ points: [[0, 10, 0], [500, -10, 1]], band: [[0, -10, 10], [1000, -10, 10]] });
  const paper = new Paper(p, LEFT + 1000 + 8, 200 + BOTTOM, { begin: T + 400n, span: 200 }, 4);
  assert.deepEqual([paper.x(400), paper.x(600), paper.x(500)], [LEFT, LEFT + 1000, LEFT + 500]);
  assert.equal(paper.reach, new Paper(p, 500, 300).reach / 4);
  assert.deepEqual([paper.share(LEFT - 9), paper.share(LEFT + 250), paper.share(9999)], [0, 0.25, 1]);
});

test("a part without a message is as high as its band needs", () => {
  const paper = new Paper(points({ points: [], band: [[0, -10, 10], [1000, -12, 12]] }), 500, 300);
  assert.equal(paper.reach, 18);
  assert.equal(new Paper(points({ points: [], band: [] }), 500, 300).reach, 1);
});

test("times of a link's plot count from the begin of the set, by the clock of the reference, wherever its first message is", () => {
  const set = new SetModel();
  const host = (index: number, name: string, begin: bigint) => ({ index, name, id: name, local_begin: String(begin), local_end: String(begin + 5000n) });
  set.setInfo({ hosts: [host(0, "a", T + 900n), host(1, "b", T), host(2, "c", 7n)] } as unknown as SetInfo);
  const map = [{ begin: String(T), end: String(T + 5000n), reference_begin: String(T + 1000n), reference_end: String(T + 11_000n), rate: 2 }];
  const clock = (name: string, more: Partial<HostClock>) => ({ name, id: name, component: 0, reference: false, error_ns: null, map: [], error: [], ...more });
  set.setClocks({ reference: "a", version: 1, links: [], hosts: [clock("a", { reference: true }), clock("b", { map })] } as unknown as Clocks);
  const times = new PlotTimes(set, 1);
  assert.deepEqual([times.told(T), times.told(T + 1000n), times.local(2100n)], [100n, 2100n, T + 1000n]);
  assert.deepEqual([new PlotTimes(set, 0).told(T + 900n), new PlotTimes(set, 2).told(27n)], [0n, 20n]); // of c nothing is known: from its own begin
});

test("links of hosts in rows run beside the names, not through them, and have their words where there is room", () => {
  const hosts = ["client", "web", "cache", "db"].map((name) => ({ name, component: 0, reference: name === "client" }));
  const edges = [{ a: "client", b: "web" }, { a: "cache", b: "web" }, { a: "db", b: "web" }];
  const named = hosts.map((x) => ({ host: x.name, name: x.name, note: "± 213 µs to 385 µs" }));
  const links = [...edges.map((e) => ({ ...e, used: true, words: "± 119 µs" })), { a: "client", b: "db", used: false, words: "" }, { a: "cache", b: "client", used: false, words: "" }];
  const { spots } = arrange(hosts, edges, 380, 300, true);
  const ways = lanes(spots, links, named, 380);
  assert.deepEqual([...ways.keys()].map((l) => l.b), ["client", "db"]);
  const right = Math.max(...hosts.map((x) => nameEnd(spots.get(x.name)!, x.name)));
  const upright = [...ways.values()].map((d) => Number(d.match(/([\d.]+) [\d.]+V/)![1]));
  for (const x of upright) assert.equal(x > right && x < 380 - 120, true, `a lane at ${x}, names to ${right}`);
  assert.equal(upright[0] === upright[1], false);
  const words = hopWords(spots, links);
  assert.equal(words.size, 3);
  const low = arrange(hosts, edges, 380, 100, true).spots; // rows close to each other
  assert.equal(hopWords(low, links).size, 0);
  assert.equal(lanes(arrange(hosts, edges, 200, 300, true).spots, links, named, 60).size, 0);
});

test("a band is drawn in the parts in which it is known", () => {
  assert.deepEqual(stretches([1, 2, 3, 4], [1, 3]), [[1], [2, 3], [4]]);
  assert.deepEqual(stretches([1, 2], []), [[1, 2]]);
  assert.deepEqual(stretches([], []), []);
});

test("a band as wide as a step does not hide what is around it", () => {
  const band = Array.from({ length: 100 }, (_, i): [number, number, number] => (i === 50 ? [i, -3e7, 3e7] : [i, -20, 20]));
  assert.equal(new Paper(points({ points: [[1, 3e7, 0]], knots: [1], band }), 500, 300).reach, 50);
});

test("between two entries of a bound the larger holds, outside of them none", () => {
  const line = { host: 0, name: "web", points: [[10, 5], [20, 3], [30, 7]] as [number, number][], ends: [15, 25] };
  assert.deepEqual([9, 10, 11, 20, 21, 30, 31].map((t) => boundAt(line, t)), [null, 5, 5, 3, 7, 7, null]);
  assert.deepEqual([0, 15, 16, 25, 99].map((t) => pieceAt(line, t)), [1, 2, 2, 3, 3]);
  assert.equal(pieceAt({ ...line, ends: [] }, 12), 1);
});

test("the bounds of a host that is being read are drawn where it was read", () => {
  const s = new SetModel();
  const host = (index: number, name: string, reference: boolean) => ({ index, name, id: name, component: 0, reference, unsynchronized: false, local_begin: String(T), local_end: String(T + 1000n) });
  s.setInfo({ state: "importing", hosts: [host(0, "a", true), host(1, "b", false)] } as unknown as SetInfo);
  const map = [{ begin: String(T), end: String(T + 1000n), reference_begin: String(T + 5n), reference_end: String(T + 1005n), rate: 1 }];
  const error = [[-400n, 90], [200n, 40], [600n, 30], [1500n, 80]].map(([t, bound]) => [String(T + BigInt(t)), bound]);
  s.setClocks({ reference: "a", version: 1, links: [], matching: null, hosts: [{ name: "b", id: "b", component: 0, reference: false, error_ns: null, map, error }] } as unknown as Clocks);
  assert.deepEqual(linesOf(s, T).map((l) => l.points), [[[5, 90], [205, 40], [605, 30], [1005, 80]]]);
});

test("a loop says how far it is from closing, and whether that is allowed", () => {
  const [good, open] = [true, false].map((consistent) => link({ in_tree: false, loop_ns: { residual: 35_000, bound: 499_000, consistent, hops: 2 } }));
  assert.equal(plain(loop(good)), "closes within the bounds: 35.0 µs from the way through 2 links at most, of 499 µs allowed");
  assert.equal(plain(loop(open)), "does not close, so a bound is wrong: 35.0 µs from the way through 2 links at most, of 499 µs allowed");
  assert.equal(loop(link({})), null);
  const lines = link({ lines_apart_ns: { first: 337817, middle: 31160, last: 275498, clock: "web", begin: "1", end: "2" } });
  assert.equal(plain(apart(lines)), "338 µs apart at the first message, 31.2 µs half way, 276 µs at the last that narrowed them");
  assert.equal(apart(link({ lines_apart_ns: null })), null);
  assert.deepEqual([good, open, link({ in_tree: false }), link({ in_tree: false, excluded: true })].map(unused), ["not in use, agrees", "not in use, contradicts", "not in use", "left out"]);
  assert.equal(plain(loopsWords([good, good, link({})])), "2 links not in use were held against the others: they agree within their bounds.");
  assert.equal(plain(loopsWords([good, open])), "2 links not in use were held against the others: 1 of them contradicts the bounds.");
  assert.equal(loopsWords([link({})]), "");
});

test("hosts of any forest stand apart from each other and on the paper", () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
  for (let round = 0; round < 400; round++) {
    const n = 1 + random(30);
    const hosts = Array.from({ length: n }, (_, i) => ({ name: `node-${i}`, component: 0, reference: false }));
    const edges = hosts.slice(1).flatMap((h, i) => (random(5) > 0 ? [{ a: hosts[Math.max(0, i - random(6))].name, b: h.name }] : []));
    hosts[random(n)].reference = true;
    const room = { width: 300 + random(600), height: 160 + random(300) };
    const { spots, width, height } = arrange(hosts, edges, room.width, room.height);
    assert.equal(spots.size, n);
    // Rows of 13 pixels, and one between the trees, find room below each other.
    if (13 * (2 * n - edges.length - 1) <= room.height) assert.equal(height <= room.height + 1e-6, true, `round ${round}: ${n} hosts are ${height} high in ${room.height}`);
    const all = [...spots.values()];
    all.forEach((s, i) => {
      assert.equal(s.x >= s.r && s.x <= width - s.r && s.y >= s.r && s.y <= height - s.r, true, `round ${round}: host ${i} of ${n} is at ${s.x}, ${s.y} of ${width}, ${height}`);
      for (const o of all.slice(0, i)) assert.equal(Math.hypot(s.x - o.x, s.y - o.y) > s.r + o.r, true, `round ${round}: two of ${n} hosts are ${Math.hypot(s.x - o.x, s.y - o.y)} apart`);
    });
  }
});

test("the table of hosts says what each is, how well its clock is known and how fast it runs", () => {
  const names = ["db", "web, main", "step", "alone"];
  const set = new SetModel();
  const piece = (begin: number, end: number, rate: number) => ({ begin: String(begin), end: String(end), reference_begin: String(begin), reference_end: String(end), rate });
  const clock = (name: string, more: Partial<HostClock>): HostClock => ({ name, id: name, component: 0, reference: false, error_ns: null, map: [piece(0, 1000, 1)], error: [], ...more });
  set.setInfo({ hosts: names.map((name, index) => ({ index, name, id: name, local_begin: "0", local_end: "1000", events: 7 * index, lost_events: index, lost_packets: 2 + index })) } as unknown as SetInfo);
  set.setClocks({
    reference: "web, main",
    hosts: [
      clock("db", { map: [piece(0, 1000, 1 / 1.00005)], error: [["0", 40], ["500", 20], ["1000", 60]], addresses: [{ address: "10.0.0.3", interface: "eth0" }, { address: "10.0.0.3", interface: "eth0" }, { address: "fe80::1", interface: null }] }),
      clock("web, main", { reference: true }),
      clock("step", { map: [piece(0, 400, 1 / 1.00001), piece(400, 500, 1.5), piece(500, 1000, 1 / 1.00003)] }),
      clock("alone", { component: 1, reference: true }),
    ],
    links: [
      link({ a: "db", b: "web, main", alpha: 0.99995, alpha_min: 0.99994, alpha_max: 0.99996 }),
      link({ a: "step", b: "db", class: "approximate", shape: "steps" }),
    ],
  } as unknown as Clocks);
  const rows = hostRows(set, () => 600n);
  assert.deepEqual(rows.map((r) => [r.role, r.clock, r.here, r.worst, r.pieces, r.lost]), [
    ["synchronized", "accurate", 60, 60, 1, 0],
    ["reference", null, 0, 0, 1, 1],
    ["synchronized", "approximate", null, null, 3, 2],
    ["not related to web, main", null, null, null, 1, 3],
  ]);
  assert.deepEqual(rows.map((r) => r.rate && [r.rate.least.toFixed(1), r.rate.most.toFixed(1), r.rate.error?.toFixed(1)]), [["50.0", "50.0", "10.0"], ["0.0", "0.0", "0.0"], ["10.0", "30.0", undefined], null]);
  assert.equal(rows[2].rate?.mean, null); // over a step there is no average
  assert.deepEqual(rows[0].addresses, ["10.0.0.3", "fe80::1"]);
  const lines = hostsCSV(rows, 600n).split("\r\n");
  assert(/^db,synchronized,accurate,600,60,20,60,50\.0\d*,50\.0\d*,(10|9\.9|10\.0)\d*,1,10\.0\.0\.3 fe80::1,0,0,2$/.test(lines[1]), lines[1]);
  assert(lines[2].startsWith('"web, main",reference,,600,0,0,0,0,0,0,1,'), lines[2]);
});

test("how long a message was on its way is told by the link alone and by the clock in force", () => {
  const force = [[0, 0], [1000, -7000]] as const;
  assert.equal(plain(latencyWords([1000, 105_200, 0], force)), ", latency 105.2 µs by the estimate of the link alone, 112.2 µs by the clock in force");
  assert.equal(plain(latencyWords([500, -105_200, 1], force)), ", latency 105.2 µs by the estimate of the link alone, 101.7 µs by the clock in force");
  assert.equal(plain(latencyWords([500, 105_200, 0], [])), ", latency 105.2 µs by the estimate");
});

test("packets that are alone wait while the set is imported, and have no partner after it", () => {
  const m = { sent: 1520, received: 1500, matched: 1490, retransmitted: 3, ambiguous: 0, loopback: 7, pieces: 0, unmatched_sent: 20, unmatched_received: 1, evicted: 0 };
  const begin = "1 490 messages were matched from 1 520 sent and 1 500 received packets. 3 retransmitted ones were left out. 7 never left their host.";
  assert.equal(plain(matchingWords(m, true)), `${begin} 20 sent and 1 received wait for their other end to be read.`);
  assert.equal(plain(matchingWords(m, false)), `${begin} 20 sent and 1 received found no partner: their other end was not recorded, or they were lost or changed on the way.`);
  const one = { ...m, retransmitted: 0, loopback: 0, unmatched_sent: 0 };
  assert.equal(plain(matchingWords(one, true))?.split(". ")[1], "1 received waits for its other end to be read.");
  const each = { ...m, matched: 1, retransmitted: 0, ambiguous: 1, pieces: 1, loopback: 1, unmatched_sent: 0, unmatched_received: 0, evicted: 1 };
  assert.equal(plain(matchingWords(each, false))?.replace(/^.*? packets\. /, ""), "1 ambiguous one was left out. 1 is a piece of a packet that was cut or joined on its way: another piece stands for the message. 1 never left its host. 1 waited too long for a partner and was dropped.");
  assert.equal(plain(matchingWords(each, false))?.startsWith("1 message was matched from "), true);
  assert.equal(plain(matchingWords(one, false))?.split(". ")[1], "1 received found no partner: its other end was not recorded, or it was changed on the way.");
  assert.equal(matchingWords({ ...m, unmatched_sent: 0, unmatched_received: 0 }, true).includes("wait"), false);
  assert.deepEqual([matchingWords({ ...m, sent: 0, received: 0 }, true), matchingWords(null, true)], ["", ""]);
});

test("of many lines the worst and those that are looked at speak up; the keys go from line to line", () => {
  const line = (host: number, bound: number): Line => ({ host, name: `n${host}`, points: [[0, bound], [10, bound / 2]], ends: [] });
  const few = Array.from({ length: 8 }, (_, i) => line(i, i));
  assert.deepEqual([...loud(few, ["n3"]).values()], [0, 1, 2, 3, 4, 5, 6, 7]);
  const many = Array.from({ length: 59 }, (_, i) => line(i, 100 + ((i * 7) % 59)));
  const names = (also: string[]) => [...loud(many, also)].map(([l, look]) => `${look} ${l.name}`);
  assert.deepEqual(names([]), ["0 n42", "1 n25", "2 n8"]);
  assert.deepEqual(names(["n25", "n0", "web"]), ["0 n42", "1 n25", "2 n8", "3 n0"]);
  // From none on the keys begin at the side they come from; at the last they stay.
  assert.equal(beside(many, null, 5, false)?.name, "n42");
  assert.equal(beside(many, "n42", 5, false)?.name, "n25");
  assert.equal(beside(many, "n42", 5, true)?.name, "n42");
  assert.equal(beside(many, null, 5, true)?.name, "n0");
  assert.equal(beside(many, null, 11, true), null);
  const height = (bound: number) => 200 - bound;
  assert.equal(nearest(many, 5, 0, height, 43)?.name, "n25");
  assert.equal(nearest(many, 11, 0, height, 43), null);
  // However far it is; of lines over each other the one on top; and where one goes straight down, all of that.
  assert.equal(nearest(many, 5, 0, height, -500)?.name, "n42");
  const [a, b] = [line(1, 90), line(2, 90)];
  assert.equal(nearest([a, b], 5, 0, height, 110)?.name, "n2");
  const steps: Line = { host: 3, name: "steps", points: [[0, 150], [5, 150], [5.01, 20], [10, 20]], ends: [] };
  assert.deepEqual([0.1, 1, 30].map((scale) => nearest([steps, b], 5.5, scale, height, 100)?.name), ["steps", "steps", "n2"]);
  // Between two steps it is the one that is closer, whichever line is on top, on either side.
  const down = (host: number, t: number): Line => ({ host, name: `at ${t}`, points: [[0, 150], [t, 150], [t + 0.01, 20], [100, 20]], ends: [] });
  const two = [down(1, 50), down(2, 53)];
  assert.deepEqual([49, 51, 52, 54].map((t) => nearest(two, t, 1, height, 100)?.name), ["at 50", "at 50", "at 53", "at 53"]);
});

test("a name on a plot stands beside its line where it covers another", () => {
  const flat = (bound: number): Line => ({ host: 0, name: "", points: [[0, bound], [1000, bound]], ends: [] });
  const ground = { time: (x: number) => x, y: (bound: number) => bound, top: 0, floor: 200 };
  assert.equal(clearOf([], 100, 140, 100, ground), 100);
  assert.equal(clearOf([flat(50)], 100, 140, 100, ground), 100);
  assert.equal(clearOf([flat(98)], 100, 140, 100, ground), 92); // above it
  assert.equal(clearOf([flat(90)], 100, 140, 100, ground), 108); // below it
  assert.equal(clearOf([flat(9)], 100, 140, 14, ground), 22); // there is no more room above
  assert.equal(clearOf([flat(98)], 1100, 1140, 100, ground), 100); // the line has ended
  assert.equal(clearOf([70, 80, 90, 100, 110, 120].map(flat), 100, 140, 100, ground), 100); // it has no place
});

test("messages that are received before they are sent within the error are told of, and why they are no violations", () => {
  const set = (links: LinkInfo[], final = true, state = "ready") => {
    const s = new SetModel();
    s.info = { state, hosts: [] } as unknown as SetInfo;
    s.clocks = { reference: "web", version: 1, final, hosts: [], links, matching: null };
    return s;
  };
  const steps = link({ shape: "steps" });
  assert.deepEqual([set([steps]), set([steps, link({ violations: 1 })]), set([steps], false), set([steps], true, "importing")].map(withinError), [true, false, false, false]);
  assert.equal(earlyWords(0, set([steps])), "");
  assert.equal(plain(earlyWords(1788, set([steps]))), "1 788 messages are received before they are sent in synchronized time, each by no more than the error of the clocks there, so they are no violations. A clock was set meanwhile, and of times close to that nothing tells whether it showed them before or after: within the error they may as well have been received after they were sent.");
  const pairs = [["client", "web", 4, 0], ["web", "client", 138, 0], ["web", "db", 7, 0]].map(([from, to, before_sent, beyond_error]) => ({ from, to, before_sent, beyond_error }) as Parameters<typeof earlyOf>[1][number]);
  assert.deepEqual([steps, link({ violations: 133 }), link({ violations: 200 }), link({ b: "db" })].map((l) => earlyOf(l, pairs)), [142, 9, 0, 0]);
  assert(earlyWords(9, set([link({ violations: 133 })])).startsWith("Beside the violations 9 messages are"));
  assert.equal(plain(earlyWords(1, set([link({})]))), "1 message is received before it is sent in synchronized time, by no more than the error of the clocks there, so it is no violation. Within the error they may as well have been received after they were sent.");
});

test("hosts that have no bound are in no sum of the candidates, which come by how many those are", () => {
  const clock = (name: string, more: Partial<HostClock>): HostClock => ({ name, id: name, component: 0, reference: name === "a", error_ns: null, map: [], error: [], ...more });
  const bounded = (sum_ns: number, unbounded: number) => ({ as_reference: null, as_reference_bounded: { sum_ns, most_ns: sum_ns, farthest: "a", unbounded } });
  const clocks = (hosts: HostClock[]) => ({ clocks: { reference: "a", hosts, links: [] } as unknown as Clocks, hosts: [] });
  const list = candidatesOf(clocks([clock("c", { ...bounded(5, 2), reference_loss_ns: null }), clock("a", { ...bounded(30, 1), reference_loss_ns: 0 }), clock("b", { ...bounded(20, 1), reference_loss_ns: 10 }), clock("d", { as_reference: null, as_reference_bounded: null })]));
  assert.deepEqual(list.map((x) => [x.name, x.sum, x.unbounded]), [["a", 30, 1], ["b", 20, 1], ["c", 5, 2]]);
  // Of a set that was read before there was such a thing, as it was.
  assert.deepEqual(candidatesOf(clocks([clock("a", { as_reference: { sum_ns: 7, most_ns: 7, farthest: "b" } })])).map((x) => [x.sum, x.unbounded]), [[7, 0]]);
});

test("of hosts that are as good the one that is chosen stands first, and each can be made the reference", () => {
  const clock = (name: string, sum_ns: number, most_ns: number, loss: number): HostClock => ({ name, id: name, component: 0, reference: false, error_ns: null, map: [], error: [], reference_loss_ns: loss, as_reference: { sum_ns, most_ns, farthest: "x" } });
  const hosts = [clock("a", 300, 160, 0), clock("b", 520, 270, 220), clock("c", 300, 130, 0)];
  const list = (reference: string, pinned: Clocks["pinned"] = null, of = hosts) => candidatesOf({ clocks: { reference, pinned, hosts: of, links: [] } as unknown as Clocks, hosts: [] }).map((x) => [x.name, x.best, x.pin]);
  assert.deepEqual(list("a"), [["a", true, "a"], ["c", true, "c"], ["b", false, "b"]]);
  assert.deepEqual(list("c"), [["c", true, "c"], ["a", true, "a"], ["b", false, "b"]]);
  assert.deepEqual(list("b", { host: "b", best: "a", hosts: 3, loss_ns: 220 }), [["a", true, "a"], ["c", true, "c"], ["b", false, "b"]]);
  // The only best one need not be pinned.
  assert.deepEqual(list("b", { host: "b", best: "a", hosts: 2, loss_ns: 220 }, hosts.slice(0, 2)), [["a", true, null], ["b", false, "b"]]);
});

test("latencies of a link are told with the error that messages are, be it of the longest of them", () => {
  const names = ["ref", "a", "b"];
  const set = new SetModel();
  const clock = (name: string, rate: number): HostClock => ({ name, id: name, component: 0, reference: name === "ref", error_ns: null, error: name === "ref" ? [] : [["0", 90_000], ["1000000000", 90_000]],
    map: [{ begin: "0", end: "1000000000", reference_begin: "0", reference_end: String(1_000_000_000 * rate), rate }] });
  const show = (rate: number, state = "ready") => {
    set.setInfo({ state, hosts: names.map((name, index) => ({ index, name, id: name, reference: name === "ref", local_begin: "0", local_end: "1000000000" })) } as unknown as SetInfo);
    set.setClocks({ reference: "ref", version: 1, hosts: names.map((name) => clock(name, name === "ref" ? 1 : rate)), links: [] } as unknown as Clocks);
  };
  const used = (a: string, b: string) => link({ a, b, in_tree: true, in_force: { error_ns: { min: 20_000, median: 25_000, max: 26_700 }, ends_ns: [26_700, 26_700] } as NonNullable<LinkInfo["in_force"]> });
  show(1.0001);
  assert.equal(Math.round(linkLatencyError(set, used("a", "b"), 200_000)!), 26_700 + 20 + 227 + 1);
  assert.equal(linkLatencyError(set, used("ref", "b"), 200_000), 26_700, "of the reference the other's bound is all");
  assert.equal(linkLatencyError(set, used("a", "b"), 900_000_000), 180_000, "never more than both together");
  assert.equal(linkLatencyError(set, link({ a: "a", b: "b" }), 200_000), 180_000);
  assert.equal(plain(moreWords(used("a", "b"), linkLatencyError(set, used("a", "b"), 200_000)!, "ref")), ": more than the ± 26.7 µs of the link, for times are told by ref's clock, against which the two are known less well than against each other");
  assert.equal(moreWords(used("ref", "b"), linkLatencyError(set, used("ref", "b"), 200_000)!, "ref"), "");
  assert.equal(moreWords(link({ a: "a", b: "b" }), 180_000, "ref"), "", "a link that is not in use");
  show(1.01);
  assert.equal(linkLatencyError(set, used("a", "b"), 200_000), 180_000, "a clock was set");
  show(1.0001, "importing");
  assert.equal(linkLatencyError(set, used("a", "b"), 200_000), 180_000, "while more is read no two hosts are compared");
});

test("how the clocks became known says how many have no bound", () => {
  const m = { after_s: 1, version: 1, hosts: 60, of: 60, median_ns: 1000, worst_ns: 5000 };
  assert.equal(plain(storyWords([{ ...m, without: 2 }]))?.split("over time.")[1], " 2 of them have no bound.");
  assert.equal(plain(storyWords([m]))?.split("over time.")[1], "");
});
