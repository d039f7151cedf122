import assert from "node:assert/strict";
import { test } from "node:test";
import { RowNumbers } from "../src/model/rownumbers.js";
import { CPU, INTERRUPT, RowTable } from "../src/model/rows.js";
import { SetModel } from "../src/model/set.js";
import { comparison, orderText, parseOrder } from "../src/model/order.js";
import { list, type Choice } from "../src/model/tree.js";
import { NOTHING, NOTHING_PIECES, unreadWords } from "../src/model/unread.js";
import { Linked, relates } from "../src/model/linked.js";
import { View } from "../src/model/view.js";
import { parseWait, waitsFor } from "../src/model/wait.js";
import type { Clocks, HostClock, SetInfo } from "../src/net/json.js";
import { NO_ROW, type Message, type MessagesAnswer, type RowsMessage, type StatesAnswer } from "../src/net/wire.js";

function rows(...all: [id: number, parent: number, kind: number, tid: number, name: string][]): RowsMessage {
  const n = all.length;
  return {
    kind: "rows", view: 0, gen: 1,
    id: Uint32Array.from(all, (r) => r[0]), parent: Uint32Array.from(all, (r) => r[1]), host: new Uint16Array(n),
    rowKind: Uint8Array.from(all, (r) => r[2]), tid: Int32Array.from(all, (r) => r[3]),
    first: new Float64Array(n), last: new Float64Array(n).fill(-1), names: all.map((r) => r[4]),
  };
}

const EVERYTHING: Choice = { collapsed: new Set(), filter: "", wanted: null, dim: false, busy: null, order: null, keep: new Set() };

function table(): RowTable {
  const t = new RowTable();
  t.add(rows([3, 2, 2, 211, "httpd"], [1, 0, 1, 900, "sh"])); // children before their parents
  t.add(rows([0, NO_ROW, 0, -1, "web"], [2, 0, 1, 210, "httpd"], [4, 0, 1, 2, "kworker"]));
  return t;
}

const shown = (t: RowTable, c: Partial<Choice>) => list(t, { ...EVERYTHING, ...c }).map((r) => `${r.level}:${t.get(r.id)!.tid}`);

test("rows are listed below their parents by thread id, in whatever order they came", () => {
  assert.deepEqual(shown(table(), {}), ["1:-1", "2:2", "2:210", "3:211", "2:900"]);
});

test("a row that moves to another parent leaves the first", () => {
  const t = table();
  t.add(rows([3, 0, 1, 211, "httpd"]));
  assert.deepEqual(shown(t, {}), ["1:-1", "2:2", "2:210", "2:211", "2:900"]);
  assert.equal(t.threads, 4);
});

test("collapsed rows hide what is below, filters keep the way to what they find", () => {
  const t = table();
  assert.deepEqual(shown(t, { collapsed: new Set([2]) }), ["1:-1", "2:2", "2:210", "2:900"]);
  assert.deepEqual(shown(t, { filter: "211" }), ["1:-1", "2:210", "3:211"]);
  assert.deepEqual(shown(t, { filter: "HTTPD" }), ["1:-1", "2:210", "3:211"]);
  assert.deepEqual(shown(t, { filter: "web" }), ["1:-1", "2:2", "2:210", "3:211", "2:900"]);
  assert.deepEqual(shown(t, { filter: "nothing" }), []);
});

test("idle rows are hidden, but not the way to a busy one, the selected one, or a host", () => {
  const t = table();
  assert.deepEqual(shown(t, { busy: (id) => id === 3 }), ["1:-1", "2:210", "3:211"]);
  assert.deepEqual(shown(t, { busy: () => false, keep: new Set([4]) }), ["1:-1", "2:2"]);
  assert.deepEqual(shown(t, { busy: () => false }), ["1:-1"]);
});

const B = 1795229342346870277n;

function model(): SetModel {
  const s = new SetModel();
  const host = (index: number, name: string, reference: boolean) => ({
    index, name, id: name, component: 0, reference, unsynchronized: false, begin: String(B), end: String(B + 1000n),
    local_begin: String(B + 500n), local_end: String(B + 1500n), events: 1, lost_events: 0, state: "done", progress: 1, missing: [],
  });
  s.setInfo({ id: "x", name: "x", state: "ready", begin: String(B), end: String(B + 1000n), events: 2, lost_events: 0, hosts: [host(0, "a", true), host(1, "b", false)], progress: 1, rate: 0, stage: "", anomalies: 0 } as SetInfo);
  s.setClocks({
    reference: "a", version: 1, links: [], matching: null,
    hosts: [{
      name: "b", id: "b", component: 0, reference: false, error_ns: { min: 5, max: 50 },
      map: [
        { begin: String(B + 500n), end: String(B + 1000n), reference_begin: String(B), reference_end: String(B + 500n), rate: 1 },
        { begin: String(B + 1000n), end: String(B + 1500n), reference_begin: String(B + 500n), reference_end: String(B + 1500n), rate: 2 },
      ],
      error: [[String(B + 500n), 50], [String(B + 1000n), 5], [String(B + 1500n), 20]],
    }],
  } as Clocks);
  return s;
}

test("clock maps go both ways, piece by piece, to the ns", () => {
  const s = model();
  for (const [local, reference] of [[500n, 0n], [750n, 250n], [1000n, 500n], [1250n, 1000n], [1500n, 1500n], [400n, -100n], [1600n, 1700n]]) {
    assert.equal(s.toReference(1, B + local), B + reference);
    assert.equal(s.toLocal(1, B + reference), B + local);
  }
  assert.equal(s.toLocal(0, B), B);
});

test("a time is mapped to the nearest ns, so there and back again it stays where it was", () => {
  const s = model();
  const span = 39_465_339_257n;
  s.setClocks({
    reference: "a", version: 2, links: [], matching: null,
    hosts: [{
      name: "b", id: "b", component: 0, reference: false, error_ns: { min: 5, max: 50 }, error: [],
      map: [{ begin: String(B), end: String(B + span), reference_begin: String(B + 7n), reference_end: String(B + 7n + span - 5_919_801n), rate: 1 }],
    }],
  } as unknown as Clocks);
  assert.deepEqual([0n, 3333n, 3334n, -3333n, -3334n].map((t) => s.toReference(1, B + t)! - B - 7n), [0n, 3333n, 3333n, -3333n, -3333n]);
  for (let t = B - 1_000_000n; t < B + span; t += 98_765_431n) {
    const there = s.toLocal(1, t)!;
    const back = s.toReference(1, there)!;
    assert.equal(back, t);
    assert.equal(s.toLocal(1, back), there);
  }
});

test("a time is mapped by the knots of the whole map, not by the rounded ends of what was recorded", () => {
  const s = model();
  s.setClocks({
    reference: "a", version: 2, links: [], matching: null,
    hosts: [{
      name: "b", id: "b", component: 0, reference: false, error_ns: { min: 5, max: 50 }, error: [],
      knots: [[String(B), String(B)], [String(B + 3000n), String(B + 3001n)], [String(B + 6000n), String(B + 6001n)]],
      map: [
        { begin: String(B + 1501n), end: String(B + 3000n), reference_begin: String(B + 1502n), reference_end: String(B + 3001n), rate: 3001 / 3000 },
        { begin: String(B + 3000n), end: String(B + 4000n), reference_begin: String(B + 3001n), reference_end: String(B + 4001n), rate: 1 },
      ],
    }],
  } as unknown as Clocks);
  assert.deepEqual([-1501n, -1500n, 1499n, 1500n, 3000n, 7000n].map((t) => s.toReference(1, B + t)! - B), [-1502n, -1500n, 1499n, 1501n, 3001n, 7001n]);
});

test("between two bounds the larger holds", () => {
  const s = model();
  const at = (t: bigint) => s.errorAt(1, B + t);
  assert.deepEqual([at(500n), at(700n), at(1200n), at(1500n)], [50, 50, 20, 20]);
  assert.deepEqual([at(0n), at(9000n)], [null, null], "outside the recording nothing is known");
  assert.equal(s.errorAt(0, B), 0);
});

test("over a stretch the least and the largest bound that hold anywhere in it", () => {
  const s = model();
  const over = (begin: bigint, end: bigint) => {
    const e = s.errorOver(1, B + begin, B + end);
    return e && [e.least, e.worst];
  };
  assert.deepEqual(over(600n, 700n), [50, 50]);
  assert.deepEqual(over(1100n, 1200n), [20, 20]);
  assert.deepEqual(over(900n, 1100n), [5, 50], "where a bound stands it holds by itself");
  assert.deepEqual(over(0n, 9000n), [5, 50], "what lies outside the recording adds nothing: as error_ns has it");
  assert.deepEqual([over(0n, 400n), over(1600n, 1700n)], [null, null]);
  assert.deepEqual(s.errorOver(0, B, B + 1n), { least: 0, worst: 0 });
});

// What came first, the set by other clocks or these clocks, makes no difference to what is said of bounds.
test("the reference, and what is related to it, is that of the clocks", () => {
  const s = model();
  const info = structuredClone(s.info!);
  info.clocks = 2;
  for (const h of info.hosts!) [h.reference, h.begin, h.end] = [h.name === "b", h.local_begin, h.local_end];
  s.setInfo(info);
  const a = { name: "a", id: "a", component: 0, reference: true, error_ns: { min: 0, max: 0 }, error: [[String(B), 0], [String(B + 2000n), 0]], map: [{ begin: String(B), end: String(B + 2000n), reference_begin: String(B), reference_end: String(B + 2000n), rate: 1 }] };
  s.setClocks({ ...s.clocks!, hosts: [a as HostClock, ...s.clocks!.hosts!] });
  assert.deepEqual(s.hosts.map((h) => h.reference), [true, false]);
  assert.deepEqual([s.errorOver(0, B, B + 1000n)?.worst, s.errorOver(1, B + 500n, B + 1500n)?.worst], [0, 50]);
  assert.deepEqual(s.extent(1, false), { begin: B, end: B + 1500n }, "in the time of these clocks");
  assert.deepEqual(s.bounds(false), { begin: B, end: B + 1500n });

  s.setClocks({ ...s.clocks!, version: 2, reference: "b", hosts: [{ ...a, reference: false, component: 1 } as HostClock, { ...a, name: "b", id: "b", component: 0 } as HostClock] });
  assert.deepEqual(s.hosts.map((h) => [h.reference, h.unsynchronized]), [[false, true], [true, false]]);
  assert.deepEqual(s.hosts.map((h) => h.provisional), [false, false]);
  s.setInfo({ ...info, state: "importing" });
  assert.deepEqual(s.hosts.map((h) => h.provisional), [true, true]);
  s.setInfo({ ...info, state: "failed" });
  assert.deepEqual(s.hosts.map((h) => h.provisional), [false, false], "nothing more is to come");
  s.setInfo(info);
  assert.deepEqual([s.errorAt(0, B + 10n), s.errorAt(1, B + 10n)], [null, 0]);
});

test("where a page opens is taken only by the clocks it is told by", () => {
  const s = model();
  const focus = { begin: String(B), end: String(B + 10n) };
  s.setInfo({ ...s.info!, clocks: 2, focus });
  assert.equal(s.focus, null);
  s.setClocks({ ...s.clocks!, version: 2 });
  assert.deepEqual(s.focus, focus);
});

test("what could not be read is counted in a sentence", () => {
  const host = (name: string, state: string) => ({ name, state });
  assert.equal(unreadWords({ hosts: [host("a", "done")] }), "");
  assert.equal(unreadWords({ unreadable: 0, hosts: null }), "");
  assert.equal(unreadWords({ damaged: ["a.zip is empty.", "b.tar.gz is cut off."], unreadable: 1, hosts: null }), "a.zip is empty. b.tar.gz is cut off. 1\u00a0trace could not be read and is left out.");
  const archives = [{ name: "a.zip", kind: "damaged-archive", offset: 81234 }, { name: `${"b".repeat(60)}.tar.gz`, kind: "unreadable-archive", offset: 0 }, { name: "photos.zip", kind: "no-trace", offset: 0 }] as const;
  const several = { damaged: ["One.", "Two."], hosts: null };
  assert.equal(unreadWords({ ...several, incomplete: { count: 7, archives: [...archives] } }).replace(/\s/g, " "), `Of 7 archives something is missing: a.zip (a part, byte 81 234), ${"b".repeat(28)}…${"b".repeat(9)}.tar.gz (all of it), `
    + "photos.zip (no trace in it) and 4 others. When they are repaired, import all as a new set.");
  assert.equal(unreadWords({ ...several, incomplete: { count: 2, archives: [archives[2], archives[2]] } }).replace(/\s/g, " "), "Of 2 archives something is missing: photos.zip (no trace in it), photos.zip (no trace in it).");
  assert.equal(unreadWords({ damaged: ["a.zip is empty."], incomplete: { count: 1, archives: [archives[0]] }, hosts: null }), "a.zip is empty.");
  assert.equal(unreadWords({ hosts: ["a", "b", "c", "d", "e"].map((x) => host(x, "failed")) }).replace(/\s/g, " "), "a, b, c and 2 others could not be read to the end.");
  assert.equal(unreadWords({ unreadable: 1, hosts: [] }), "1\u00a0trace could not be read and is left out.");
  assert.equal(unreadWords({ unreadable: 2, hosts: [host("a", "failed"), host("b", "done")] }), "2\u00a0traces could not be read and are left out. a could not be read to the end.");
});

test("that nothing could be read is one sentence, with the way to the reason as a piece of its own", () => {
  assert.equal(NOTHING, "Nothing could be read; the Import tab says why.");
  assert.deepEqual([NOTHING_PIECES.join(""), NOTHING_PIECES[1]], [NOTHING, "Import tab"]);
});

test("the window is where it was after other references and back, whatever their maps are", () => {
  const s = model();
  const host = (name: string, reference: boolean, to: bigint, wide = 1000n) =>
    ({ name, id: name, component: 0, reference, error_ns: null, error: [], map: [{ begin: String(B), end: String(B + 1000n), reference_begin: String(to), reference_end: String(to + wide), rate: 1 }] });
  const clocks = (reference: string, ...hosts: ReturnType<typeof host>[]) => ({ reference, version: 2, links: [], matching: null, hosts }) as unknown as Clocks;
  const byA = clocks("a", host("a", true, B), host("b", false, B - 500n));
  const byB = clocks("b", host("a", false, B + 503n, 1007n), host("b", true, B));
  s.setClocks(byA);
  const held = s.anchored(B + 633n, byB);
  const there = held.place(byB);
  assert.deepEqual([there, held.holds(B + 633n), held.holds(B + 633n + there), held.holds(null)], [507n, false, true, false]);
  s.setClocks(byB);
  // From where it is now another step back by the map of the other way would not end where it began.
  assert.equal(s.anchored(B + 633n + there, byA).place(byA) === -there, false);
  assert.deepEqual([held.place(byA), held.holds(B + 633n)], [-there, true]);
  // A set that is shown as a whole follows its bounds, and is held for as long as it is.
  const whole = s.anchored(B, byA, true);
  assert.deepEqual([whole.holds(null), whole.holds(B)], [true, false]);
});

test("a link leads to the same instants of its host by whatever clocks there are until the final ones", () => {
  const host = (name: string, component: number, ...[from, to]: bigint[]) =>
    ({ name, id: name, component, map: to === undefined ? [] : [{ begin: String(from), end: String(from + 1000n), reference_begin: String(to), reference_end: String(to + 1000n), rate: 1 }] });
  const clocks = (reference: string, ...hosts: ReturnType<typeof host>[]) => ({ reference, version: 2, links: [], matching: null, hosts }) as unknown as Clocks;
  const link = new Linked("web", B + 100n);
  const v = new View();
  v.load(`?by=web&begin=${B}&end=${B + 200n}`);
  const take = (c: Clocks) => {
    assert.equal(link.holds(v.somewhere), true);
    v.move(link.place(c));
    return [v.window.begin - B, relates("web", c)];
  };
  // At first the host is not there, then not related, then by a rough map, by a better one, and in the end the reference.
  assert.deepEqual(take(clocks("cache", host("cache", 0, B, B))), [0n, false]);
  assert.deepEqual(take(clocks("cache", host("cache", 0, B, B), host("web", 1))), [0n, false]);
  assert.deepEqual(take(clocks("cache", host("cache", 0, B, B), host("web", 0, B, B + 7000n))), [7000n, true]);
  assert.deepEqual(take(clocks("cache", host("cache", 0, B, B), host("web", 0, B, B + 5000n))), [5000n, true]);
  assert.deepEqual(take(clocks("web", host("cache", 0, B, B - 5000n), host("web", 0, B, B))), [0n, true]);
  v.window = { begin: B + 1n, span: 200 };
  assert.equal(link.holds(v.somewhere), false);
});

test("where a link led on an island is by the clock of the island's own reference, and leads there again", () => {
  const host = (name: string, component: number, reference: boolean, to: bigint) =>
    ({ name, id: name, component, reference, map: [{ begin: String(B), end: String(B + 1000n), reference_begin: String(to), reference_end: String(to + 1000n), rate: 1 }] });
  const clocks = { reference: "web", version: 2, links: [], matching: null, hosts: [host("web", 0, true, B), host("db", 1, true, B), host("cache", 1, false, B + 7000n)] } as unknown as Clocks;
  const link = new Linked("cache", B + 100n);
  assert.deepEqual([link.place(clocks), link.shownBy(clocks)], [7000n, "db"]);
  const again = new Linked("db", B + 7100n);
  assert.deepEqual([again.place(clocks), again.shownBy(clocks)], [0n, "db"]);
  assert.equal(new Linked("nobody", B).shownBy(clocks), "nobody");
});

test("with another reference the window shows what it showed", () => {
  const s = model();
  const pieces = (from: bigint, to: bigint) => [{ begin: String(from), end: String(from + 1000n), reference_begin: String(to), reference_end: String(to + 1000n), rate: 1 }];
  const host = (name: string, reference: boolean, map: ReturnType<typeof pieces>) => ({ name, id: name, component: 0, reference, error_ns: null, map, error: [] });
  const clocks = (reference: string, hosts: ReturnType<typeof host>[]) => ({ reference, version: 2, links: [], matching: null, hosts }) as unknown as Clocks;
  s.setClocks(clocks("a", [host("a", true, pieces(B, B)), host("b", false, pieces(B + 500n, B))]));
  const moved = (c: Clocks, t: bigint) => s.anchored(t, c).place(c);
  assert.equal(moved(clocks("a", [host("a", true, pieces(B, B + 7n))]), B), 0n);
  assert.equal(moved(clocks("b", [host("a", false, pieces(B, B + 500n)), host("b", true, pieces(B + 500n, B + 500n))]), B + 100n), 500n);
  // Where nothing related the hosts one of them was the reference of a window in which another recorded.
  const [a, b] = s.info!.hosts!;
  s.setInfo({ ...s.info!, hosts: [a, { ...b, local_begin: String(B + 5000n), local_end: String(B + 6000n) }] });
  s.setClocks(clocks("a", [host("a", true, pieces(B + 500n, B + 500n)), { ...host("b", false, []), component: 1 }]));
  const related = clocks("b", [host("a", false, pieces(B + 500n, B + 5000n)), host("b", true, pieces(B + 5000n, B + 5000n))]);
  assert.deepEqual([B + 5200n, B + 700n].map((t) => moved(related, t)), [0n, 4500n]);
  const v = new View();
  v.window = { begin: B, span: 200 };
  v.whole = v.empty = false;
  v.selection = { begin: B + 10n, end: B + 20n };
  // What a link says is by the clock that was the reference when it was made.
  const opened = new SetModel();
  const now = clocks("b", [host("a", false, pieces(B, B + 500n)), host("b", true, pieces(B + 500n, B + 500n))]);
  assert.deepEqual(["a", "b", "", "gone"].map((by) => opened.rebased(now, B + 100n, by)), [500n, 0n, 0n, 0n]);
  v.move(500n);
  assert.deepEqual([v.window.begin, v.selection], [B + 500n, { begin: B + 510n, end: B + 520n }]);
});

test("drawing waits for clocks as an address asks, and says for which", () => {
  assert.deepEqual(["50us", "1.5ms", "2s", "7ns", "0us", "5", "us", "-5us", "1e3us", "", null].map(parseWait), [50_000, 1_500_000, 2e9, 7, null, null, null, null, null, null, null]);
  const s = model();
  const v = new View();
  v.load(`?begin=${B}&end=${B + 1000n}&wait=10ns`);
  assert(/wait=10ns/.test(v.query()));
  assert.equal(waitsFor(v, s), ""); // the set is ready: it gets no better
  s.setInfo({ ...s.info!, state: "importing" } as SetInfo);
  assert(/^Nothing is drawn before clocks are known to ±10.ns here; b's is known to ±\d+.ns so far\.$/.test(waitsFor(v, s)), waitsFor(v, s));
  v.raw = true;
  assert.equal(waitsFor(v, s), "");
  v.raw = false;
  v.waitFor("1s");
  assert.equal(waitsFor(v, s), "");
  v.waitFor("");
  assert.equal(waitsFor(v, s), "");
});

test("an expression wants each row for itself, and what is not wanted may be dim", () => {
  const t = table();
  assert.deepEqual(shown(t, { wanted: new Set([2]) }), ["1:-1", "2:210"]);
  assert.deepEqual(shown(t, { wanted: new Set([3]) }), ["1:-1", "2:210", "3:211"]);
  const dim = list(t, { ...EVERYTHING, wanted: new Set([3]), dim: true }).map((r) => `${t.get(r.id)!.tid}${r.dimmed ? " dim" : ""}`);
  assert.deepEqual(dim, ["-1", "2 dim", "210", "211", "900 dim"]);
});

test("rows below one row are put in order; a process counts with its threads", () => {
  const t = table();
  const by = (text: string) => comparison(t, parseOrder(text), new Map([[3, 50], [4, 30], [1, 40]]));
  assert.equal(by(""), null);
  assert.equal(by("size"), null);
  assert.deepEqual(shown(t, { order: by("-tid") }), ["1:-1", "2:900", "2:210", "3:211", "2:2"]);
  assert.deepEqual(shown(t, { order: by("-cpu") }), ["1:-1", "2:210", "3:211", "2:900", "2:2"]);
  assert.deepEqual(shown(t, { order: by("changes") }), ["1:-1", "2:2", "2:900", "2:210", "3:211"]);
  assert.deepEqual(shown(t, { order: by("-name") }), ["1:-1", "2:900", "2:2", "2:210", "3:211"]);
  assert.equal(orderText(parseOrder("-cpu")), "-cpu");
});

test("rows that come anew by other numbers keep those that they had, and what is asked and answered is in those of its reader", () => {
  const t = table();
  t.add(rows([6, 0, CPU, 1, "CPU 1"], [7, 6, INTERRUPT, -1, "IRQ local_timer"], [8, 0, INTERRUPT, -1, "IRQ local_timer"]));
  const before = new Map([...t.all()].map((r) => [r.id, `${r.host} ${r.kind} ${r.tid} ${r.parent}`]));
  const numbers = new RowNumbers();
  const states = (...ids: number[]) => [...(numbers.answer({ kind: "states", rows: Uint32Array.from(ids) } as Message) as StatesAnswer).rows];
  assert.deepEqual(states(3, 2), [3, 2]);
  numbers.begin(t.all());
  t.clear();
  // Another order, the parents last; thread 900 is gone, and thread 7 is new and has its number.
  const told = numbers.rows(rows([0, 1, INTERRUPT, -1, "IRQ local_timer"], [1, 3, CPU, 1, "CPU 1"], [2, 4, 2, 211, "httpd"], [3, NO_ROW, 0, -1, "web"], [4, 3, 1, 210, "httpd"], [5, 3, 1, 7, "new"], [6, 3, 1, 2, "kthreadd"], [7, 3, INTERRUPT, -1, "IRQ local_timer"]));
  t.add(told);
  for (const [id, was] of before) {
    const r = t.get(id);
    if (r) assert.equal(`${r.host} ${r.kind} ${r.tid} ${r.parent}`, was);
    else assert(/ 900 /.test(was), was);
  }
  const fresh = t.find(0, 7)!;
  assert(!before.has(fresh), "a row that is new has the number of none of before");
  assert.deepEqual(states(2, 5, 1), [3, fresh, 6]);
  const gone = [...before].find(([, was]) => / 900 /.test(was))![0];
  assert.deepEqual(numbers.request({ op: "ran", rows: [6, gone, fresh], row: 3 }), { op: "ran", rows: [1, 5], row: 2 });
  assert.equal(numbers.request({ op: "at", row: gone }).row, NO_ROW);
  const m = numbers.answer({ kind: "messages", from: Uint32Array.of(2), to: Uint32Array.of(NO_ROW) } as Message) as MessagesAnswer;
  assert.deepEqual([...m.from, ...m.to], [3, NO_ROW]);
  const answers = [
    { kind: "listing", rows: Uint32Array.of(2, 1) },
    { kind: "wakeups", waker: Uint32Array.of(2), woken: Uint32Array.of(1) },
    { kind: "at", body: { row: 2 } },
    { kind: "at", body: null },
    { kind: "connections", body: { hosts: [{ host: 3, connections: [{ peer: 2 }] }] } },
    { kind: "set", body: { row: 2 } },
  ].map((x) => JSON.stringify(numbers.answer(x as unknown as Message), (_, v: unknown) => (v instanceof Uint32Array ? [...v] : v)));
  assert.deepEqual(answers, [
    '{"kind":"listing","rows":[3,6]}',
    '{"kind":"wakeups","waker":[3],"woken":[6]}',
    '{"kind":"at","body":{"row":3}}',
    '{"kind":"at","body":null}',
    '{"kind":"connections","body":{"hosts":[{"host":0,"connections":[{"peer":3}]}]}}',
    '{"kind":"set","body":{"row":2}}',
  ]);
  // One that has the rows by the numbers of the page again needs no other.
  numbers.begin(t.all());
  const all = [...t.all()];
  numbers.rows(rows(...all.map((r): [number, number, number, number, string] => [r.id, r.parent, r.kind, r.tid, r.name])));
  assert.deepEqual(states(2, 5, 1), [2, 5, 1]);
});
