import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING, NO_ROW, type RowsMessage, type StatesAnswer } from "../src/net/wire.js";
import { CPU, FREQUENCY, HOST, INTERRUPT, type Row, RowTable, SOFT_INTERRUPT } from "../src/model/rows.js";
import { PixelBuffer } from "../src/draw/states.js";
import { KERNEL, type Palette, stateWords, SYSCALL, USER } from "../src/draw/palette.js";
import { drawLevels, topLevel } from "../src/resources/draw.js";
import { barNames, usedWords } from "../src/resources/words.js";
import { SetModel } from "../src/model/set.js";
import type { HostInfo } from "../src/net/json.js";
import { findLane, groupOf, keyOf, laneOf, listResources, Open } from "../src/resources/tree.js";
import { percent } from "../src/time/number.js";
import { shareWords } from "../src/timeline/sharewords.js";
import { split } from "../src/state/levels.js";

function table(rows: [id: number, parent: number, kind: number, tid: number, name: string][]): RowTable {
  const m: RowsMessage = {
    kind: "rows", view: 0, gen: 1,
    id: new Uint32Array(rows.map((r) => r[0])), parent: new Uint32Array(rows.map((r) => r[1])), host: new Uint16Array(rows.length),
    rowKind: new Uint8Array(rows.map((r) => r[2])), tid: new Int32Array(rows.map((r) => r[3])),
    first: new Float64Array(rows.length), last: new Float64Array(rows.length), names: rows.map((r) => r[4]),
  };
  const t = new RowTable();
  t.add(m);
  return t;
}

const machine = table([
  [0, NO_ROW, HOST, -1, "web"],
  [5, 0, CPU, 10, "CPU 10"], [1, 0, CPU, 2, "CPU 2"],
  [2, 1, SOFT_INTERRUPT, 3, "Soft IRQ 3"], [3, 1, INTERRUPT, -1, "IRQ local_timer"], [4, 1, INTERRUPT, 24, "IRQ 24"], [6, 1, FREQUENCY, 2, "Frequency"],
  [7, 0, INTERRUPT, 24, "IRQ 24"],
]);

const listed = (open: Open) => listResources(machine, open).map((r) => `${"  ".repeat(r.level - 1)}${machine.get(r.id)?.name ?? "Interrupts"}${r.expandable ? (r.expanded ? " -" : " +") : ""}`);

test("CPUs stand by number, what they have below them on demand, and none of it among threads", () => {
  assert.deepEqual(listed(new Open("")), ["web -", "  CPU 2 +", "  CPU 10", "  Interrupts +"]);
  assert.deepEqual(listed(new Open("0,0.2,0.i")), ["web -", "  CPU 2 -", "    Frequency", "    IRQ 24", "    IRQ local_timer", "    Soft IRQ 3", "  CPU 10", "  Interrupts -", "    IRQ 24"]);
  assert.deepEqual(listed(new Open("none")), ["web +"]);
  assert.deepEqual(machine.children(0), []);
  assert.equal(machine.threads, 0);
  assert.equal(machine.cpus, 2);
});

test("a row is found again by its name in the address, and what has to be open for that", () => {
  for (const [id, name, above] of [[1, "0.2", ["0"]], [6, "0.2.f", ["0", "0.2"]], [4, "0.2.q24", ["0", "0.2"]], [3, "0.2.qlocal_timer", ["0", "0.2"]], [2, "0.2.s3", ["0", "0.2"]], [7, "0.i.q24", ["0", "0.i"]]] as const) {
    assert.equal(laneOf(machine, id), name);
    assert.deepEqual(findLane(machine, name), { id, above });
  }
  for (const [id, name, above] of [[0, "0", []], [groupOf(0), "0.i", ["0"]]] as const) {
    assert.equal(laneOf(machine, id), "", "no row of a CPU or a line");
    assert.equal(keyOf(machine, id), name);
    assert.deepEqual(findLane(machine, name), { id, above });
  }
  for (const name of ["", "1", "0.", "1.2", "0.9", "0.2.q25", "<b>"]) assert.equal(findLane(machine, name), null);
  const open = new Open("");
  open.add(machine, ["0", "0.2"], [0]);
  assert.equal(open.format(), "0,0.2");
});

test("what is open is written into the address and read from it", () => {
  const open = new Open("");
  assert.equal(open.format(), "");
  open.toggle(machine, keyOf(machine, 1)!, [0]);
  assert.equal(open.format(), "0,0.2");
  open.toggle(machine, keyOf(machine, groupOf(0))!, [0]);
  open.toggle(machine, "0", [0]);
  open.toggle(machine, "0.2", [0]);
  open.toggle(machine, "0.i", [0]);
  assert.equal(open.format(), "none");
  open.off = true;
  assert.deepEqual([new Open(open.format()).off, new Open("off,none,0.x,<b>").format()], [true, "off,none"]);
});

test("a frequency is drawn as steps, and where it changed within a column from the least to the most", () => {
  const labels = ["1000", "2000", "1000~2000"];
  const a: StatesAnswer = {
    kind: "states", view: 1, gen: 1, seq: 1, begin: 0n, end: 40n, columns: 40, complete: true,
    rows: new Uint32Array([0]), rowRuns: new Uint32Array([0, 4]), rowMixes: new Uint32Array([0]),
    runEnd: new Uint16Array([10, 20, 21, 40]), runLabel: new Uint16Array([0, 1, 3, 2]), runState: new Uint8Array([NOTHING, 0, 0, 0]), mixes: new Uint8Array(0), labels,
    clocks: { version: 0, spans: new BigInt64Array(0) },
  };
  const [EDGE, FILL] = [1, 2];
  const buffer = new PixelBuffer();
  (globalThis as { ImageData?: unknown }).ImageData ??= class { data: Uint8ClampedArray; constructor(w: number, h: number) { this.data = new Uint8ClampedArray(4 * w * h); } };
  buffer.begin(40, 22, 0);
  const palette = { word: (n: string) => (n === "accent" ? EDGE : FILL) } as unknown as Palette;
  const pieces = [{ answer: a, r: 0, step: 1, from: 0, to: 40 }];
  assert.equal(topLevel(pieces), 2000);
  drawLevels(buffer, pieces, { begin: 0n, span: 40 }, 0, 22, 1, palette, 2000);
  const edges = (x: number) => [...Array(22).keys()].filter((y) => buffer.words[y * 40 + x] === EDGE);
  assert.deepEqual(edges(5), []);
  const [low, high] = [edges(15), edges(30)];
  assert(low.length > 0 && high.length > 0 && high[0] < low[0], `${high} above ${low}`);
  assert.equal(edges(20)[0], high[0]);
  assert.equal(edges(20).at(-1), low.at(-1));
});

test("a path is split where it is not escaped", () => {
  assert.deepEqual(split("Threads/205/Name"), ["Threads", "205", "Name"]);
  assert.deepEqual(split("Odd/a\\/b\\\\c/\\*"), ["Odd", "a\\/b\\\\c", "\\*"]);
  assert.deepEqual(split(""), []);
});

test("a bar has both names of a thread that took another, where there is room", () => {
  const rows = { find: (host: number, tid: number) => (host === 1 && tid === 211 ? 7 : undefined), get: (id: number) => (id === 7 ? ({ name: "md5sum" } as Row) : undefined) };
  assert.deepEqual(barNames("211 dbwork", { host: 1, kind: CPU }, rows), ["dbwork, later md5sum", "dbwork"]);
  assert.deepEqual(barNames("211 md5sum", { host: 1, kind: CPU }, rows), ["md5sum"]);
  assert.deepEqual(barNames("212 dbwork", { host: 1, kind: CPU }, rows), ["dbwork"]);
  assert.deepEqual(barNames("211 dbwork", { host: 1, kind: FREQUENCY }, rows), ["dbwork"]);
  assert.deepEqual(barNames("idle", { host: 1, kind: CPU }, rows), []);
});

test("a host that did not record system calls is known by what it lacks", () => {
  const lacks = (...missing: string[]) => {
    const set = new SetModel();
    set.host = () => ({ missing: missing.map((view) => ({ view, events: [], command: "" })) }) as unknown as HostInfo;
    return set.lacksCalls(0);
  };
  assert.equal(lacks("interrupts"), false);
  assert.equal(lacks("interrupts", "system calls"), true);
  assert.equal(lacks(), false);
});

test("user space is all that is not told apart where system calls are lacking", () => {
  assert.equal(stateWords(USER, false), "user space");
  assert.equal(stateWords(USER, true), "user space or system call");
  assert.equal(stateWords(SYSCALL, true), "system call");
  assert.equal(stateWords(KERNEL, true), "kernel");
  assert.equal(shareWords((s) => [0, 0.25, 0.75][s] ?? 0, true), `user space or system call ${percent(0.75)}, blocked ${percent(0.25)}`);
});

test("a use that is added up from shares of pixels is told as about so much, and little never as less than it can be", () => {
  assert.deepEqual([0, 0.001, 0.004, 0.005, 0.034, 0.5449, 0.997, 1].map((u) => usedWords({ least: u, most: u })).map((s) => s.replace("\u202f", " ")), ["0 %", "about 1 % or less", "about 1 % or less", "about 1 %", "about 3 %", "about 54 %", "about 99 %", "100 %"]);
  // What is between the two is told as far as it is known: 36.53 % are not told as 36.
  assert.deepEqual([[0.363, 0.368], [0.366, 0.369], [0.001, 0.012], [0.994, 0.999]].map(([least, most]) => usedWords({ least, most }).replaceAll("\u202f", " ")), ["36 to 37 %", "about 37 %", "about 1 % or less", "about 99 %"]);
});
