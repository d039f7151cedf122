import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallsAnswer } from "../src/home/api.js";
import { LongestOfThreads } from "../src/statistics/longest.js";

test("what the longest calls of another stretch were is not told of this one", () => {
  const longest = new LongestOfThreads();
  const none = () => assert(false, "no call is shown");
  assert.equal(longest.cell("db", 210, none), "…", "not known yet");
  const call = { name: "flock", tid: 210, thread: "dbwork", begin: "0", end: "5", local_begin: "0", local_end: "5" };
  longest.take({ hosts: [{ host: "db", all: 1, counted: 1, unfinished: 0, local_until: null, calls: [], threads: [call], others: 0 }] } as CallsAnswer);
  assert.deepEqual(longest.of("db", 210), call);
  assert.equal(longest.cell("db", 211, none), "–", "it made none");
  longest.forget();
  assert.equal(longest.of("db", 210), null);
  assert.equal(longest.cell("db", 211, none), "…");
});
