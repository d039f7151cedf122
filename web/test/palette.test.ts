import assert from "node:assert/strict";
import { test } from "node:test";
import { fit } from "../src/commands/fuzzy.js";
import type { Choice } from "../src/commands/finder.js";
import { hostOf, timeSource } from "../src/commands/places.js";
import { parseTime, stretchOf } from "../src/commands/times.js";
import type { Context } from "../src/timeline/controlflow.js";
import { endOf } from "../src/time/window.js";

const S = 1_000_000_000n;
const NOON = 1795262400n * S; // 2026-11-21 12:00 UTC
const frame = { begin: NOON, end: NOON + 40n * S, from: NOON + 10n * S };
const at = (typed: string, f = frame) => {
  const t = parseTime(typed, f);
  return t && `${t.kind} ${t.at - f.begin}`;
};

test("times are read from the begin, from the cursor, by the clock and in ns", () => {
  assert.equal(at("12.5 s"), "since begin 12500000000");
  assert.equal(at("12 s"), "since begin 12000000000");
  assert.equal(at("6.2"), "since begin 6200000000"); // no thread has such an id
  assert.equal(at("6.268 360 328"), "since begin 6268360328");
  assert.equal(at("+0.5"), "relative 10500000000");
  assert.equal(at("1.5min"), "since begin 90000000000");
  assert.equal(at("+3.5 ms"), "relative 10003500000");
  assert.equal(at("\u2212250µs"), "relative 9999750000");
  assert.equal(at("0,25 us"), "since begin 250");
  assert.equal(at("12:00:01.5"), "clock 1500000000");
  assert.equal(at("12:00:23.355 118 402"), "clock 23355118402"); // as the status line writes it
  assert.equal(at("2026-11-21T12:00:02Z"), "clock 2000000000");
  assert.equal(at(`${NOON + 7n}`), "absolute 7");
  assert.equal(at(`${NOON + 7n} ns`), "absolute 7");
});

test("a time of day without a date is of the night that the set goes on through", () => {
  const night = { begin: NOON + 43190n * S, end: NOON + 43230n * S, from: NOON };
  assert.equal(at("00:00:05", night), "clock 15000000000");
  assert.equal(at("23:59:55", night), "clock 5000000000");
});

test("a stretch is read from side to side, the second from the first where it says how far on", () => {
  const of = (typed: string) => {
    const s = stretchOf(typed, frame);
    return s && `${s.from === null ? "" : s.from - frame.begin} ${s.to === null ? "" : s.to - frame.begin}`;
  };
  assert.equal(of("6.1..6.5"), "6100000000 6500000000");
  assert.equal(of("6.1 s .. 6500 ms"), "6100000000 6500000000");
  assert.equal(of("6 s..+250 ms"), "6000000000 6250000000");
  assert.equal(of("-1 s..+1 s"), "9000000000 11000000000"); // both from the cursor
  assert.equal(of("12:00:01..12:00:02"), "1000000000 2000000000");
  assert.equal(of("6 s.."), "6000000000 ");
  assert.equal(of("6 s"), null);
});

test("what is no time is none", () => {
  for (const typed of ["", "205", "12", "s", "25:00", "12:60", "2026-02-30 12:00", "+5", "5 parsec", "1e3 s", "9999999999999999999 h", "12:00:00.1234567891"])
    assert.equal(parseTime(typed, frame), null, typed);
});

test("letters fit along the text and at beginnings of later words", () => {
  const best = (typed: string, ...texts: string[]) => texts.map((t) => ({ t, f: fit(typed, t) })).filter((x) => x.f).sort((a, b) => b.f!.score - a.f!.score)[0]?.t;
  assert.equal(best("ws", "Show the whole set", "Browse"), "Show the whole set");
  assert.equal(best("whole set", "Show the selection, or the selected state, over the whole width", "Show the whole set"), "Show the whole set");
  assert.equal(best("zoom", "Zoom in", "A zone of rooms"), "Zoom in");
  assert.equal(best("stat open", "Open Statistics", "Open Events"), "Open Statistics");
  assert.equal(fit("xyz", "Zoom in"), null);
  assert.equal(fit("cru", "Scroll rows up"), null);
  assert.deepEqual(fit("sru", "Scroll rows up")?.at, [0, 7, 12]);
  assert.deepEqual(fit("oll", "Scroll rows up")?.at, [3, 4, 5]);
  assert.deepEqual(fit("in", "Zoom in")?.at, [5, 6]);
  assert(fit("", "anything"));
});

test("what is asked for by another word is found by the beginning of that, behind what has the word in sight", () => {
  assert(fit("undo", "Go back to where the window was", "undo previous"));
  assert.equal(fit("evious", "Go back to where the window was", "undo previous"), null);
  assert.deepEqual(fit("exp picture", "Save a picture", "export image")?.at, [7, 8, 9, 10, 11, 12, 13]);
  assert.equal(fit("export drawing", "Save a picture", "export image"), null);
  assert(fit("search", "Search attributes", "find")!.score > fit("search", "Filter it", "search")!.score);
});

test("a time is read by the clock of the host whose name stands before it, of several the longest name", () => {
  const hosts = [{ name: "web" }, { name: "web 1" }, { name: "db" }];
  assert.deepEqual(hostOf("web 12:00:01.5", hosts), { host: hosts[0], rest: "12:00:01.5" });
  assert.deepEqual(hostOf("WEB 1 12:00:01.5", hosts), { host: hosts[1], rest: "12:00:01.5" });
  assert.deepEqual(hostOf("db: 2026-11-21 12:00", hosts), { host: hosts[2], rest: "2026-11-21 12:00" });
  for (const typed of ["webs 12:00", "db", "db12:00", "12:00 db", ""]) assert.equal(hostOf(typed, hosts), null, typed);
});

test("either end of a stretch may be by the clock of a host, and the second goes by that of the first", () => {
  // The clock of db reads 5 s more when the set begins, and runs twice as fast as that of web.
  const extents = [[NOON, NOON + 40n * S], [NOON + 5n * S, NOON + 85n * S]].map(([begin, end]) => ({ begin, end }));
  const set = {
    hosts: [{ name: "web", index: 0 }, { name: "db", index: 1 }], clocks: { reference: "web" },
    extent: (host: number) => extents[host], toReference: (host: number, local: bigint) => (host === 0 ? local : NOON + (local - NOON - 5n * S) / 2n),
  };
  const view = { bounds: frame, cursor: frame.from, window: { begin: NOON, span: 40e9 }, clock: String, raw: false };
  let shown = "";
  const source = timeSource({ view, set } as unknown as Context, () => {}, (w) => (shown = `${Number(w.begin - NOON) / 1e9} ${Number(endOf(w) - NOON) / 1e9}`));
  const of = (typed: string) => {
    shown = "";
    for (const c of source(typed, 60) as readonly Choice[]) c.run();
    return shown;
  };
  for (const [typed, want] of [
    ["db 12:00:15..db 12:00:25", "5 10"], ["db 12:00:15..12:00:25", "5 10"], ["db 12:00:15..web 12:00:25", "5 25"],
    ["12:00:02..db 12:00:25", "2 10"], ["2..db 12:00:25", "2 10"], ["2 s .. db 12:00:25", "2 10"], ["-1 s..db 12:00:27", "9 11"],
    ["db 12:00:15..+10 s", "5 10"], ["db 12:00:15..+10", "5 10"], ["db 12:00:15..+500 ms", "5 5.25"],
    ["db 12:00:15..25 s", "5 25"], ["db 12:00:15..25", "5 25"],
    // A side without an end, and so far on by a clock from no time by it, are none.
    ["db 12:00:15..", ""], ["..db 12:00:15", ""], ["2 s..db +1 s", ""], ["db +1 s..12:00:25", ""], ["db 3 s..5 s", ""], ["db 12:00:15", ""],
  ]) assert.equal(of(typed), want, typed);
});
