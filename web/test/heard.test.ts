import assert from "node:assert/strict";
import { test } from "node:test";
import type { At } from "../src/net/json.js";
import { chosenWords, tenthWords } from "../src/ui/heard.js";

test("the state of a row is heard with its thread, its host and for how long it lasts", () => {
  const at = { host: "db", thread: { tid: 205, pid: 205, ppid: 1, name: "dbwork" }, status: "blocked", syscall: "wait4", begin: "1795229345000000000", end: "1795229345453000000" } as At;
  assert.equal(chosenWords(at), "dbwork 205 on db: blocked in wait4, for 453.000\u202f000\u202fms.");
  assert.equal(chosenWords({ ...at, status: "blocked in wait4", end: null }), "dbwork 205 on db: blocked in wait4.");
  assert.equal(chosenWords({ ...at, end: null, known_until: at.end! }), "dbwork 205 on db: blocked in wait4, still so as far as is read.");
  assert.equal(chosenWords({ ...at, status: null, thread: null, begin: null }), "thread on db: nothing is known.");
  assert.equal(chosenWords({ ...at, host: "\u05d3\u05d1", end: null }), "dbwork 205 on \u2068\u05d3\u05d1\u2069: blocked in wait4.", "letters written from the right turn no number beside them");
});

test("an import that has read all and still works is heard to do so, not to be all done", () => {
  assert.equal(tenthWords(4, { stage: "reading 3 hosts", stages: [] }), "Import: 40 %, reading 3 hosts");
  assert.equal(tenthWords(4, { stage: "reading 3 hosts", stages: [{ name: "read", done: 4, total: 10, rate: 1, left_s: 30 }] }), "Import: 40 %, reading 3 hosts, about 30 s left");
  assert.equal(tenthWords(10, { stage: "finishing", stages: [] }), "Import: all is read, finishing");
});
