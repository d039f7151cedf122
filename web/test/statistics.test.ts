import assert from "node:assert/strict";
import { test } from "node:test";
import type { OneCall, Spent } from "../src/home/api.js";
import { longestCell, LongestOfThreads } from "../src/statistics/longest.js";
import { CPUS, PAIRS, sheetCSV, THREADS, TIMES } from "../src/statistics/sheets.js";
import { unknownOnCPU } from "../src/statistics/unknown.js";
import { unrecordedWords } from "../src/statistics/unrecorded.js";

test("a thread is given away with the time it spent in every state", () => {
  const status = [{ name: "blocked", code: 1, ns: 70, count: 2 }, { name: "user", code: 2, ns: 30, count: 1 }, { name: "forked", code: 7, ns: 1, count: 1 }];
  assert.equal(sheetCSV(THREADS, [{ host: "db", name: "=sh", tid: 206, pid: 200, on_cpu_ns: 30, status, longest: null, told: "yes" }]),
    "host,thread,tid,pid,on_cpu_ns,unknown_ns,blocked_ns,user_ns,syscall_ns,interrupted_ns,wait_for_cpu_ns,wait_ns,forked_ns,kernel_ns,longest_call,longest_ns,longest_begin_ns,longest_known\r\ndb,'=sh,206,200,30,0,70,30,0,0,0,0,1,0,,,,yes\r\n");
});

test("of the time on a CPU what is in no state is not known", () => {
  const status = [{ name: "unknown", code: 0, ns: 900, count: 2 }, { name: "user", code: 2, ns: 30, count: 1 }, { name: "syscall", code: 3, ns: 20, count: 1 }, { name: "interrupted", code: 4, ns: 9, count: 1 }, { name: "wait_for_cpu", code: 5, ns: 7, count: 1 }, { name: "kernel", code: 8, ns: 1, count: 1 }];
  const of = (on_cpu_ns: number | null) => unknownOnCPU({ name: "sh", tid: 206, pid: 200, on_cpu_ns, status });
  assert.deepEqual([of(60), of(72), of(null)], [0, 12, 0]);
});

test("without a kernel trace a thread has only the times that were declared of it", () => {
  const row = (...status: Spent[]) => sheetCSV(THREADS, [{ host: "a", name: "app", tid: 42, pid: 42, on_cpu_ns: null, status, longest: null, told: "yes" }]).split("\r\n")[1];
  assert.equal(row({ name: "unknown", code: 0, ns: 900, count: 4 }, { name: "user", code: 2, ns: 3, count: 3 }), "a,app,42,42,,900,,,,,,,,,,,,yes");
  assert.equal(row({ name: "user", code: 2, ns: 700, count: 4 }, { name: "blocked", code: 1, ns: 200, count: 2 }), "a,app,42,42,,0,200,700,,,,,,,,,,yes");
});

test("a latency that nobody knows is an empty cell", () => {
  assert.equal(sheetCSV(PAIRS, [{ from: "a", to: "b", messages: 3, bytes: 9, least_ns: null, most_ns: null }]), "from,to,messages,bytes,latency_min_ns,latency_max_ns\r\na,b,3,9,,\r\n");
});

test("what a host did not record is an empty cell, and said of all hosts alike at once", () => {
  const unrecorded = ["system calls", "soft interrupts", "interrupts"];
  assert.equal(sheetCSV(CPUS, [{ host: "db", unrecorded, cpu: "0", user_ns: 7, syscall_ns: null, softirq_ns: null, irq_ns: null, idle_ns: 0, unknown_ns: 0, kernel_ns: 3 }]),
    "host,cpu,user_ns,syscall_ns,softirq_ns,irq_ns,idle_ns,unknown_ns,kernel_ns\r\ndb,0,7,,,,0,0,3\r\n");
  const status = [{ name: "user", code: 2, ns: 30, count: 1 }];
  assert.equal(sheetCSV(THREADS, [{ host: "db", unrecorded, name: "sh", tid: 206, pid: 200, on_cpu_ns: 30, status, longest: null, told: "yes" }]).split("\r\n")[1], "db,sh,206,200,30,0,0,30,,,0,0,0,0,,,,not recorded");
  const hosts = [{ host: "a", unrecorded }, { host: "b", unrecorded: [] }, { host: "c", unrecorded }, { host: "d", unrecorded: ["soft interrupts"] }, { host: "e", unrecorded: ["system calls"] }];
  assert.equal(unrecordedWords(hosts), "system calls, soft interrupts and interrupts of a and c are not recorded: their time counts as user space or idle; "
    + "soft interrupts of d are not recorded: their time counts as what they interrupted; system calls of e are not recorded: their time counts as user space");
  assert.equal(unrecordedWords([hosts[1]]), "");
});

const call = (tid: number, begin: number, ns: number): OneCall =>
  ({ name: "flock", tid, thread: "dbwork", begin: String(17n * 10n ** 17n + BigInt(begin)), end: String(17n * 10n ** 17n + BigInt(begin + ns)), local_begin: String(begin), local_end: String(begin + ns) });

test("the longest call is given away with the thread and the begin, exact to the ns", () => {
  const longest = call(205, 7, 691_190_001);
  const status: Spent[] = [];
  assert.equal(sheetCSV(THREADS, [{ host: "db", name: "dbwork", tid: 205, pid: 205, on_cpu_ns: 0, status, longest, told: "yes" }]).split("\r\n")[1], "db,dbwork,205,205,0,0,0,0,0,0,0,0,0,0,flock,691190001,1700000000000000007,yes");
  const row = { host: "db", name: "flock", count: 1, ns: 9, least_ns: 9, median_ns: 9, p90_ns: 9, p99_ns: 9, most_ns: 9, bins: [], longest };
  assert.equal(sheetCSV(TIMES, [row]), "host,call,count,least_ns,median_ns,p90_ns,p99_ns,most_ns,ns,longest_thread,longest_tid,longest_begin_ns\r\ndb,flock,1,9,9,9,9,9,9,dbwork,205,1700000000000000007\r\n");
});

test("threads of another host have their own longest calls, and there may be none", () => {
  assert.equal(longestCell("db", new LongestOfThreads().of("db", 205), () => {}), "…");
  const host = (name: string, threads: OneCall[]) => ({ host: name, all: 0, counted: 0, unfinished: 0, local_until: null, calls: [], threads, others: 0 });
  const all = new LongestOfThreads({ hosts: [host("db", [call(205, 0, 9)]), host("web", [call(205, 5, 3)])] });
  assert.deepEqual([all.of("db", 205).longest?.local_begin, all.of("web", 205).longest?.local_begin, all.of("web", 206).longest], ["0", "5", null]);
  assert.equal(longestCell("web", all.of("web", 206), () => {}), "–");
});
