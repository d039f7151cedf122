import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY, type Strip } from "../src/draw/columns.js";
import { knownWords } from "../src/model/known.js";
import { SetModel } from "../src/model/set.js";
import type { Clocks, SetInfo } from "../src/net/json.js";
import { briefly, orderOf } from "../src/events/order.js";
import { ReadUntil } from "../src/timeline/readuntil.js";
import { rowWords } from "../src/timeline/words.js";
import { HOST, type RowTable } from "../src/model/rows.js";
import type { View } from "../src/model/view.js";
import type { Context } from "../src/timeline/controlflow.js";

const clock = (name: string) => ({ name, id: name, component: 0, reference: name === "a", error: [["0", 5], ["9000", 5]], map: [{ begin: "0", end: "9000", reference_begin: "0", reference_end: "9000", rate: 1 }] });

// a and b are read up to a time each, c is read to its end, and of d nothing is known yet.
function set(a: number, b: number, state = "importing"): SetModel {
  const s = new SetModel();
  const host = (name: string, index: number, end: number, state: string) => ({ index, name, id: name, local_begin: end > 0 ? "100" : "", local_end: end > 0 ? String(end) : "", state });
  s.setInfo({ state, hosts: [host("a", 0, a, "importing"), host("b", 1, b, "importing"), host("c", 2, 5000, "done"), host("d", 3, 0, "waiting")] } as unknown as SetInfo);
  s.setClocks({ reference: "a", version: 1, final: state === "ready", hosts: ["a", "b", "c", "d"].map(clock), links: [] } as unknown as Clocks);
  return s;
}

const context = (s: SetModel) => ({ set: s, view: { raw: false, window: { begin: 0n, span: 8000 }, bounds: null } }) as unknown as Context;
const strip = (filled: number) => ({ pixels: 80, state: new Uint8Array(80).fill(EMPTY).fill(0, 0, filled) }) as unknown as Strip;

test("what is not told of begins where what is drawn ends, however far is read by now", () => {
  const s = set(1000, 2000);
  const r = new ReadUntil(context(s));
  assert.equal(r.of(0), 1000n);
  r.take({ complete: false });
  s.setInfo({ ...s.info!, hosts: set(3000, 4000).info!.hosts });
  assert.equal(r.of(0), 1000n, "the answer that is drawn knows no more");
  r.note(0, strip(25), { begin: 0n, span: 8000 });
  assert.equal(r.of(0), 2500n);
  r.note(0, strip(5), { begin: 0n, span: 8000 }); // a thread that ended
  assert.equal(r.of(0), 2500n);
  r.note(0, strip(70), { begin: 0n, span: 8000 });
  assert.equal(r.of(0), 3000n, "and no later than what is read");
  r.begin();
  assert.equal(r.of(0), 1000n);
  assert.equal(r.of(2), null, "all of it is read");
  assert.equal(r.of(3), 0n, "nothing of it is read");
  assert.equal(r.lacks([2]), false);
  assert.equal(r.lacks([0, 2]), true);
  assert.equal(r.lacks(null), true);
  assert.equal(new ReadUntil(context(set(3000, 4000, "ready"))).of(0), null);
});

test("an answer from before the end of the import is one still when that is over, until another comes", () => {
  const end = (r: ReadUntil, s: SetModel, state: string) => {
    const done = set(3000, 4000, "ready").info!.hosts!.map((x) => ({ ...x, state }));
    s.setInfo({ ...s.info!, hosts: done } as SetInfo);
    const before = r.of(0);
    s.setInfo({ ...s.info!, state: state === "done" ? "ready" : "failed", hosts: done } as SetInfo);
    return [before, r.of(0), r.lacks([0])];
  };
  for (const [complete, state, want] of [[false, "done", [1000n, 1000n, true]], [true, "done", [null, null, false]], [false, "failed", [null, null, false]]] as const) {
    const s = set(1000, 2000);
    const r = new ReadUntil(context(s));
    r.take({ complete });
    assert.equal(r.of(0), 1000n);
    assert.deepEqual(end(r, s, state), want);
    assert.equal(r.of(2), null, "it was read before");
    r.take({ complete: false });
    assert.equal(r.of(0), null);
  }
  const s = set(1000, 2000);
  const r = new ReadUntil(context(s));
  r.take({ complete: false });
  end(r, s, "done");
  r.reset();
  assert.equal(r.of(0), null);
});

test("what is not read yet is not said to be not recorded", () => {
  const s = set(1000, 2000);
  assert.deepEqual([50n, 500n, 1500n].map((t) => s.silence(0, t)), ["not recorded here", "", "not read yet"]);
  assert.deepEqual([s.silence(2, 6000n), s.silence(3, 500n)], ["not recorded here", "not read yet"]);
  assert.equal(knownWords({ reference: false, unsynchronized: false }, null, s.silence(1, 3000n)), "not read yet");
  assert.equal(set(1000, 2000, "ready").silence(0, 1500n), "not recorded here");
  const says = (from: [string, number], to: [string, number]) => orderOf(s, { host: from[0], local: BigInt(from[1]) }, { host: to[0], local: BigInt(to[1]) }).words.replace(/[\u202f\u00a0]/g, " ");
  assert.equal(says(["a", 500], ["b", 3000]), "2.500 µs later as far as is known; b is not read so far yet.");
  assert.equal(says(["a", 1500], ["b", 3000]), "1.500 µs later as far as is known; a and b are not read so far yet.");
  assert.equal(says(["c", 6000], ["b", 3000]), "3.000 µs earlier as far as is known; c recorded nothing there, b is not read so far yet.");
  assert.equal(says(["b", 500], ["b", 3000]), "2.500 µs later by b's clock; b is not read so far yet.");
  assert.equal(briefly("2.50 µs later as far as is known; b is not read so far yet"), "2.50 µs later as far as is known");
});

test("beside a host that is read still, nothing says that it recorded nothing in view", () => {
  const note = (begin: number, state = "importing") => {
    const s = set(1000, 2000, state);
    s.setClocks({ ...s.clocks!, hosts: s.clocks!.hosts!.map((c) => ({ ...c, error: [["0", 5], ["400", 5]] })) } as unknown as Clocks);
    const rows = { get: () => ({ kind: HOST, host: 1, tid: -1, name: "b" }) } as unknown as RowTable;
    return rowWords(rows, s, { raw: false, window: { begin: BigInt(begin), span: 5000 } } as unknown as View, 0)!.note.replace(/[\u202f\u00a0]/g, " ");
  };
  assert.deepEqual([note(200), note(500), note(3000), note(-9000)], ["± 5 ns", "", "not read yet", "not recorded here"]);
  assert.deepEqual([note(500, "ready"), note(3000, "ready")], ["not recorded here", "not recorded here"]);
});
