import assert from "node:assert/strict";
import { test } from "node:test";
import type { Between, Clocks, HostClock, LinkInfo, Options, SetInfo } from "../src/net/json.js";
import { boundOf } from "../src/model/direct.js";
import { SetModel } from "../src/model/set.js";
import { aheadAt, aheadWords, asked, silentWords, wayWords } from "../src/sync/between.js";
import { changeWords, knownWords, referenceWords, type Known } from "../src/sync/change.js";
import { bounding, costWords, inForce, isDefault, leftOut, NO_OPTIONS, turned, windowOf } from "../src/sync/force.js";
import { classWords } from "../src/sync/number.js";
import { fittedMeanings, meanings } from "../src/sync/points.js";

const T = 1795229448269925784n;
const plain = (s: string) => s.replace(/[\u202f\u00a0]/g, " ");

const compared: Between = {
  version: 3, a: "client", b: "db", path: ["client", "web", "db"], error_ns: { min: 100_000, max: 300_000 },
  map: [
    { begin: String(T), end: String(T + 1_000_000_000n), b_begin: String(T - 3_000_000_000n), b_end: String(T - 2_000_050_000n), rate: 0.99995 },
    { begin: String(T + 1_000_000_000n), end: String(T + 2_000_000_000n), b_begin: String(T - 2_000_050_000n), b_end: String(T - 1_000_050_000n), rate: 1 },
  ],
  error: [[String(T), 300_000], [String(T + 1_000_000_000n), 100_000], [String(T + 2_000_000_000n), 200_000]],
};

test("two clocks are compared to the ns, within the map and beyond", () => {
  assert.equal(aheadAt(compared, T), -3_000_000_000);
  assert.equal(aheadAt(compared, T + 20_000n), -3_000_000_001);
  assert.equal(aheadAt(compared, T + 1_500_000_000n), -3_000_050_000);
  assert.equal(aheadAt(compared, T + 9_000_000_000n), -3_000_050_000);
  assert.equal(aheadAt({ ...compared, map: [] }, T), null);
});

test("the larger bound holds between two entries, and none outside", () => {
  const at = (ns: bigint) => boundOf(compared, T + ns);
  assert.deepEqual([at(-1n), at(0n), at(1n), at(1_000_000_000n), at(1_000_000_001n), at(2_000_000_000n), at(2_000_000_001n)], [null, 300_000, 300_000, 100_000, 200_000, 200_000, null]);
});

test("a comparison in words, with as many digits as are certain", () => {
  assert.equal(plain(aheadWords(compared, T + 1_000_000_000n)), "db is behind client by 3.000 050 s ± 100 µs");
  assert.equal(plain(aheadWords({ ...compared, error: [] }, T)), "db is behind client by 3.000 s");
  const direct = { a: "client", b: "db", in_tree: false, error_ns: { min: 1000, median: 1500, max: 2000 }, loop_ns: { residual: 500, bound: 9000, consistent: true, hops: 2 } } as LinkInfo;
  assert.equal(plain(wayWords(compared, undefined)), "Along client – web – db, known to ± 100 µs to 300 µs while client recorded.");
  assert.equal(plain(wayWords(compared, direct)), "Along client – web – db, and held to what their own messages allow: known to ± 100 µs to 300 µs while client recorded. A line by their own messages alone, which is not in use, would be known to ± 1.00 µs to 2.00 µs while both did, and agrees: 500 ns apart at most, of 9.00 µs allowed.");
  const contradicts = { ...direct, loop_ns: { ...direct.loop_ns!, consistent: false } };
  assert.equal(plain(wayWords(compared, contradicts)), "Along client – web – db, known to ± 100 µs to 300 µs while client recorded. A line by their own messages alone, which is not in use, would be known to ± 1.00 µs to 2.00 µs while both did, and contradicts it.");
  // What is told at an instant lies within what is told of all: no other figure is, such as that of the table of links, which is of its messages alone.
  assert.equal(plain(wayWords({ ...compared, path: ["client", "db"] }, { ...direct, in_tree: true })), "By their own link, known to ± 100 µs to 300 µs while client recorded.");
  assert.equal(plain(wayWords({ ...compared, path: ["client", "db"], error_ns: null }, direct)), "By their own link, which nothing bounds.");
});

test("the same is said of two hosts whoever is named first, and of a host and its reference what the host's own bound is", () => {
  assert.equal(plain(aheadWords(compared, T + 1_000_000_000n, "db")), "client is ahead of db by 3.000 050 s ± 100 µs");
  assert.equal(plain(wayWords(compared, undefined, "db")), "Along db – web – client, known to ± 100 µs to 300 µs while client recorded.");
  const set = new SetModel();
  set.setInfo({ hosts: ["cache", "db", "web"].map((name, index) => ({ index, name, id: name, local_begin: "0", local_end: "1000" })) } as unknown as SetInfo);
  set.setClocks({ reference: "db", links: [], hosts: ["cache", "db", "web"].map((name) => ({ name, id: name, component: 0, reference: name === "db", map: [], error: [] })) } as unknown as Clocks);
  for (const [a, b, first] of [["cache", "web", "cache"], ["web", "db", "web"], ["cache", "db", "cache"]] as const)
    assert.deepEqual([asked(set, a, b)[0], asked(set, b, a)[0]], [first, first]);
});

test("what became of the bounds is told of each host, what changed most first", () => {
  const before = new Map<string, Known>([["cache", { least: 100_000, worst: 200_000 }], ["db", { least: 1, worst: 150_000 }], ["same", { least: 2, worst: 9_000 }], ["web", { least: 0, worst: 0 }]]);
  const now = new Map<string, Known>([["cache", { least: 100_000, worst: 210_000 }], ["db", { least: 0, worst: 0 }], ["same", { least: 1, worst: 9_000 }], ["web", null]]);
  assert.equal(plain(changeWords(before, now)), "Known at worst to, before and now: web exact → no bound; db ± 150 µs → exact; cache ± 200 µs → ± 210 µs.");
  assert.equal(changeWords(now, now), "");
  const many = (worst: number) => new Map<string, Known>(Array.from({ length: 8 }, (_, i) => [`n${i}`, { least: 1, worst: worst + i }]));
  assert(plain(changeWords(many(10), many(20))).endsWith("; and 2 more hosts."));
  assert.deepEqual([null, { least: 0, worst: 0 }, { least: 1000, worst: 2000 }].map((k) => plain(knownWords(k))), ["–", "exact", "± 1.00 µs to 2.00 µs"]);
});

const clocks = (options: Partial<Options>, more: Partial<Clocks> = {}): Clocks => ({
  reference: "web", version: 3, hosts: [], matching: null, options: { ...NO_OPTIONS, ...options },
  links: ["accurate", "absent"].map((c) => ({ a: "db", b: "web", class: c }) as LinkInfo), ...more,
});

test("what is in force, in words", () => {
  const said = (c: Clocks) => inForce(c, T).map(plain);
  assert.equal(said({ ...clocks({}), links: [] })[2], "no link");
  assert.deepEqual(said(clocks({})), ["method hull (what every message allows)", "reference web, the best", "its one link", "all messages"]);
  const pinned = clocks({ reference: "web" }, { pinned: { host: "web", best: "db", hosts: 4, loss_ns: 269_100 } });
  assert.equal(said(pinned)[1], "reference web, pinned (with db the errors of the 4 hosts would add up to 269 µs less)");
  assert.equal(said(clocks({ reference: "web" }))[1], "reference web, pinned (no host would be better)");
  assert.equal(said(clocks({ reference: "web", method: "regression" }))[1], "reference web, pinned");
  assert.deepEqual(said(clocks({ exclude: [["db", "web"]], window: [String(T + 1_000_000_000n), String(T + 2_500_000_000n)] })).slice(2), ["without db – web", "messages of 1.000 s to 2.500 s only"]);
});

test("a link not in use is a check of the others where it was held against them, and not otherwise", () => {
  const loop_ns = { residual: 500, bound: 9000, consistent: true, hops: 2 };
  const [used, held, not] = [{ in_tree: true }, { loop_ns }, {}].map((x) => ({ a: "a", b: "b", class: "accurate", ...x }) as unknown as LinkInfo);
  const said = (...links: LinkInfo[]) => plain(inForce(clocks({}, { links }), T)[2]);
  assert.equal(said(used, held, held), "none of the 3 links left out (1 in use, 2 checks of these)");
  assert.equal(said(used, used, held, not, not), "none of the 5 links left out (2 in use, 1 a check of these)");
  assert.equal(said(used, not), "none of the 2 links left out (1 in use, 1 not)");
  assert.equal(said(used, used), "none of the 2 links left out");
});

test("the window that counts is told by the reference of the clocks in force, not by that of all messages", () => {
  const asked: [string, string] = [String(T + 3600_000_000_000n), String(T + 3601_000_000_000n)];
  const own: [string, string] = [String(T + 1_000_000_000n), String(T + 2_000_000_000n)];
  const c = clocks({ window: asked });
  const known = { ...c, hosts: [{ name: "db", window: asked }, { name: "web", window: own }] as HostClock[] };
  assert.deepEqual(windowOf(known), own);
  assert.equal(inForce(known, T).map(plain).at(-1), "messages of 1.000 s to 2.000 s only");
  assert.deepEqual(windowOf(c), asked);
  assert.equal(windowOf(clocks({})), null);
});

test("what a host costs as the reference is said before it is chosen", () => {
  assert.deepEqual([269_100, 0, null, undefined].map((loss) => plain(costWords("db", loss))), ["db: errors add up to 269 µs more", "db: none is better", "db", "db"]);
});

test("links are left out and taken in again, in either order of their hosts", () => {
  assert(isDefault(NO_OPTIONS) && bounding(null) && !bounding(clocks({ method: "roundtrip" })));
  const one = { ...NO_OPTIONS, exclude: turned(NO_OPTIONS, "db", "web") };
  assert(!isDefault(one) && leftOut(one, "web", "db") && !leftOut(one, "web", "cache"));
  assert.deepEqual(turned(one, "web", "db"), []);
});

test("what a class and a plot say is true of the method in force", () => {
  const both = { bounded: classWords("accurate", true), not: classWords("accurate", false) };
  assert.deepEqual([both.bounded.words, both.not.words, classWords("approximate", false).words], ["accurate", "both ways", "both ways"]);
  assert(/enclose/.test(both.bounded.sentence) && !/enclose/.test(both.not.sentence));
  assert(/they bound/.test(classWords("incomplete", true).sentence) && !/they bound/.test(classWords("incomplete", false).sentence));
  assert.equal(classWords("fail", false), classWords("fail", true));
  assert.deepEqual(meanings("db", "web", true, true), ["db → web: web cannot be later than these", "web → db: web cannot be earlier than these"]);
  assert.deepEqual(meanings("db", "web", false, true), ["db → web: latency by this estimate, upwards", "web → db: latency by this estimate, downwards"]);
  assert.deepEqual(meanings("db", "web", false, false), ["db → web", "web → db"]);
});

test("where a plot is narrow it is said in fewer words before names of few letters are cut", () => {
  const fit = (a: string, b: string, room: number, bounded = true) => fittedMeanings(a, b, (x, y, fewer) => meanings(x, y, bounded, true, fewer), room, (words) => words.length);
  assert.deepEqual(fit("client", "web", 50), ["client → web: web cannot be later than these", "web → client: web cannot be earlier than these"]);
  assert.deepEqual(fit("client", "web", 42), ["client → web: web not later than these", "web → client: web not earlier than these"]);
  assert.deepEqual(fit("client", "web", 38), ["client → web: web not later", "web → client: web not earlier"]);
  assert.deepEqual(fit("client", "web", 25), ["client → web", "web → client"]);
  assert.deepEqual(fit("client", "web", 30, false), ["client → web: upwards", "web → client: downwards"]);
  assert.deepEqual(fit("client", "web", 10), ["cl…t → web", "web → cl…t"]);
  assert.deepEqual(fit("client", "web", 5), ["… → …", "… → …"]);
  // Long names are cut before anything is said in fewer words.
  assert(/^a-ma\S*…\S* → anot\S*: anot\S* cannot be later than these$/.test(fit("a-machine-with-a-long-name", "another-of-many-letters", 75)[0]));
});

test("that another host became the reference unasked is told with what was changed", () => {
  const by = (reference: string, pinned: string | null = null) => ({ reference, options: { ...NO_OPTIONS, reference: pinned } });
  assert.equal(referenceWords("web", by("web")), "");
  assert.equal(referenceWords("web", by("db", "db")), "");
  assert.equal(referenceWords("web", by("client")), "All times are by client's clock now, which is the best reference in this way, or as good as any: it was web's.");
});

test("of a moment that a host did not record it is said whether it had not begun or had ended", () => {
  const [early, late] = [{ name: "a", later: true }, { name: "b", later: false }];
  assert.equal(silentWords([]), "");
  assert.equal(silentWords([early]), " a recorded nothing yet then, so no bound holds: its clock is taken to have gone as when it began.");
  assert.equal(silentWords([late]), " b recorded nothing then any more, so no bound holds: its clock is taken to go on as when it ended.");
  assert.equal(silentWords([early, late]), " a and b recorded nothing then, so no bound holds: their clocks are taken to go as where they recorded.");
  assert.equal(silentWords([late, { ...late, name: "c" }]), " b and c recorded nothing then any more, so no bound holds: their clocks are taken to go on as when they ended.");
});
