import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallsAnswer, OneCall } from "../src/home/api.js";
import { knownWords, lackWords, longestCell, LongestOfThreads, partWords } from "../src/statistics/longest.js";

const none = () => assert(false, "no call is shown");
const call = (tid: number, ns: number): OneCall => ({ name: "flock", tid, thread: "dbwork", begin: "0", end: String(ns), local_begin: "0", local_end: String(ns) });
const answer = (more: Partial<CallsAnswer["hosts"][number]>): CallsAnswer =>
  ({ hosts: [{ host: "db", all: 1, counted: 1, unfinished: 0, local_until: null, calls: [], threads: [], others: 0, ...more }] });
const named = (...tids: number[]) => tids.map((tid) => ({ host: "db", tid }));

test("what the longest calls of another stretch were is not told of this one", () => {
  const unasked = new LongestOfThreads();
  assert.equal(longestCell("db", unasked.of("db", 210), none), "…", "not known yet");
  const longest = new LongestOfThreads(answer({ threads: [call(210, 5)] }));
  assert.deepEqual(longest.of("db", 210), { longest: call(210, 5), told: "yes" });
  assert.equal(longestCell("db", longest.of("db", 211), none), "–", "it made none");
  assert.equal(unasked.of("db", 210).longest, null);
});

test("the longest calls that an answer leaves out are asked for by the threads that are listed, once and in parts", async () => {
  const asked: number[][] = [];
  const longest = new LongestOfThreads(answer({ threads: [call(1, 90)], untold: 5000 }), async (host, tids) => {
    assert.equal(host, "db");
    asked.push([...tids]);
    return answer({ threads: tids.filter((tid) => tid % 10 > 1).map((tid) => call(tid, tid)), open: tids.filter((tid) => tid % 10 === 1) });
  });
  assert.equal(longestCell("db", longest.of("db", 12), none), "…", "it is not told that there is none");
  assert.equal(longest.want(named(1)), null);
  await longest.want(named(1, ...Array.from({ length: 900 }, (_, i) => 10 + i)));
  assert.deepEqual(asked.map((tids) => tids.length), [400, 400, 100]);
  assert.deepEqual(longest.of("db", 12), { longest: call(12, 12), told: "yes" });
  assert.deepEqual([20, 21].map((tid) => longestCell("db", longest.of("db", tid), none)), ["–", "not seen to return"]);
  assert.deepEqual([12, 20, 21].map((tid) => knownWords(longest.of("db", tid))), ["yes", "yes", "not seen to return"]);
  assert.equal(longest.want(named(12, 20, 21)), null);
  await longest.want(named(12, 2000));
  assert.deepEqual(asked[3], [2000]);
});

test("what is not known of longest calls is said, and not that there are none", async () => {
  const cut = new LongestOfThreads(answer({ threads: [call(1, 90)], local_until: "70" }), async () => answer({ threads: [call(3, 5)], local_until: "80" }));
  await cut.want(named(1, 2, 3));
  assert.deepEqual([1, 2, 3].map((tid) => cut.of("db", tid).told), ["in part", "no", "in part"]);
  assert.deepEqual([1, 2].map((tid) => knownWords(cut.of("db", tid))), ["of the first calls", "no"]);
  assert.equal(longestCell("db", cut.of("db", 2), none), "not known");
  assert(/≥ are those of the first part/.test(partWords([cut.of("db", 1)])));
  assert(/^of 2\sthreads the longest call is not known/.test(lackWords([1, 2].map((tid) => cut.of("db", tid)))));

  const refused = new LongestOfThreads(answer({ untold: 9 }), () => Promise.reject(new Error("No.")));
  await refused.want(named(4));
  assert.deepEqual([refused.fault, longestCell("db", refused.of("db", 4), none), knownWords(refused.of("db", 4))], ["No.", "not known", "no"]);
  assert.equal(longestCell("db", new LongestOfThreads(null, null, "no").of("db", 4), none), "not known");
  assert.equal(longestCell("db", new LongestOfThreads(answer({ error: "Damaged." })).of("db", 4), none), "not known");
  assert.deepEqual([lackWords([{ longest: null, told: "yes" }]), partWords([{ longest: null, told: "yes" }])], ["", ""]);
});

test("while more is read, what was told before stays until it is told anew", async () => {
  let first = true;
  const asks = async () => answer({ threads: [call(7, first ? 5 : 6)] });
  const before = new LongestOfThreads(answer({ untold: 9 }), asks);
  await before.want(named(7));
  first = false;
  const now = new LongestOfThreads(answer({ untold: 9 }), asks, "no", before);
  assert.deepEqual(now.of("db", 7), { longest: call(7, 5), told: "not yet" });
  await now.want(named(7));
  assert.deepEqual(now.of("db", 7), { longest: call(7, 6), told: "yes" });
});
