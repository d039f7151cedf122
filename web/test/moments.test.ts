import assert from "node:assert/strict";
import { test } from "node:test";

import { SetModel } from "../src/model/set.js";
import type { SetInfo } from "../src/net/json.js";
import { Moments } from "../src/timeline/moments.js";

// A window from 1000 to 2000; a state of row 10, of host 1, from 1200 to 1300; the pointer over host 0.
function moments(more: { cursor?: bigint | null; selection?: { begin: bigint; end: bigint } | null; begin?: bigint; message?: bigint; bundle?: bigint } = {}) {
  const view = { cursor: more.cursor === undefined ? 1700n : more.cursor, selection: more.selection ?? null, window: { begin: 1000n, span: 1000 } };
  const begin = more.begin ?? 1200n;
  const flow = { chosen: { row: 10, begin, end: begin + 100n } };
  const stands = more.message === undefined ? null : { row: 20, t: more.message };
  const begins = more.bundle === undefined ? stands : { row: 20, t: more.bundle };
  const c = { view, set: new SetModel(), rows: { get: (row: number) => ({ host: row / 10 }) } };
  const m = new Moments(c as never, { host: view.cursor === null ? null : 0 } as never, flow as never, { stands, begins } as never, {} as never, () => begins !== null);
  return m;
}

test("what was done last counts: a choice by keys, or the pointer that moved after it", () => {
  const m = moments();
  const all = () => [m.meant(), m.moment(), m.first(), m.pointed()];
  const pointed = { host: 0, t: 1700n };
  assert.deepEqual(all(), [pointed, 1700n, 1700n, pointed]);
  m.byKey("moment");
  assert.deepEqual(all(), [{ host: 1, t: 1200n }, 1200n, 1200n, pointed]);
  m.elsewhere();
  assert.deepEqual(all(), [pointed, 1700n, 1700n, pointed]);
});

test("a message or a stretch that keys chose last counts as well, and what they chose before does not", () => {
  const message = moments({ message: 1400n, selection: { begin: 1600n, end: 1650n } });
  assert.equal(message.moment(), 1700n);
  message.byKey("moment");
  assert.deepEqual([message.meant(), message.moment()], [{ host: 2, t: 1400n }, 1400n]);
  message.byKey("stretch");
  assert.deepEqual([message.meant(), message.moment()], [{ host: 0, t: 1700n }, 1600n]);
});

test("a bundle that keys chose counts from its first message on", () => {
  const m = moments({ bundle: 1500n });
  assert.deepEqual([m.meant(), m.first()], [{ host: 0, t: 1700n }, 1700n]);
  m.byKey("moment");
  assert.deepEqual([m.meant(), m.moment(), m.first()], [{ host: 2, t: 1500n }, 1500n, 1500n]);
  assert.deepEqual(moments({ bundle: 1500n, cursor: null }).pointed(), { host: 2, t: 1500n });
});

test("without a pointer, and with what was chosen out of sight, moments are what they were", () => {
  const none = moments({ cursor: null });
  none.byKey("moment");
  assert.deepEqual([none.meant(), none.moment()], [{ host: 1, t: 1200n }, 1200n]);
  const out = moments({ begin: 2500n });
  out.byKey("moment");
  assert.equal(out.moment(), 1700n);
  // One that began before is looked at from the edge on.
  const before = moments({ begin: 950n });
  before.byKey("moment");
  assert.equal(before.moment(), 1000n);
});

test("without a pointer all keys mean the same moment of what is selected, and nothing else", () => {
  const all = (m: Moments) => [m.meant()?.t, m.moment(), m.first()];
  // A long state that goes through the middle of the window, as when the page opens; one that began before; a message.
  for (const [made, at] of [[{ begin: 1450n }, 1450n], [{ begin: 950n }, 1000n], [{ message: 1800n }, 1800n], [{ bundle: 1100n }, 1100n]] as const) {
    const m = moments({ cursor: null, ...made });
    assert.deepEqual(all(m), [at, at, at]);
    m.byKey("moment");
    assert.deepEqual(all(m), [at, at, at]);
  }
  // Of what is out of sight, what is in view counts.
  const out = moments({ cursor: null, begin: 2500n });
  assert.deepEqual([out.moment(), out.first()], [1500n, 1000n]);
});

test("where nothing is pointed at or chosen, the moment is recorded, by the host of the selected row or the reference if either did", () => {
  const hosts = [["web", 0n, 1n], ["db", 1200n, 1300n], ["cache", 1600n, 3000n]].map(([name, begin, end], index) => ({ name, index, id: index + 1, begin: String(begin), end: String(end), local_begin: String(begin), local_end: String(end), reference: index === 0 }));
  const at = (of: { window?: { begin: bigint; span: number }; row?: number; host?: string; hosts?: typeof hosts }) => {
    const set = new SetModel();
    set.setInfo({ hosts: of.hosts ?? hosts } as unknown as SetInfo);
    const view = { cursor: null, selection: null, raw: true, state: { host: of.host ?? "" }, window: of.window ?? { begin: 1000n, span: 1000 }, row: of.row === undefined ? null : { host: of.row, tid: 1 } };
    return new Moments({ view, set, rows: { get: () => undefined } } as never, {} as never, { chosen: null } as never, {} as never, {} as never, () => false).found();
  };
  assert.deepEqual(at({ window: { begin: 0n, span: 50 } }), { host: 0, t: 0n }, "the only event, which is 1 ns of the window");
  assert.deepEqual(at({}), { host: 1, t: 1299n }, "what the first host did that recorded anything in the window");
  assert.deepEqual(at({ host: "cache" }), { host: 2, t: 1600n });
  assert.deepEqual(at({ row: 2, host: "db" }), { host: 2, t: 1600n });
  assert.deepEqual(at({ row: 2, window: { begin: 1500n, span: 1000 } }), { host: 2, t: 2000n }, "the middle");
  assert.deepEqual(at({ window: { begin: 5000n, span: 1000 } }), { host: null, t: 5500n }, "nothing is recorded there");
  assert.deepEqual(at({ hosts: [] }), { host: null, t: 1500n });
});
