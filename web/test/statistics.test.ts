import assert from "node:assert/strict";
import { test } from "node:test";
import { PAIRS, sheetCSV, THREADS } from "../src/statistics/sheets.js";

test("a thread is given away with the time it spent in every state", () => {
  const status = [{ name: "blocked", code: 1, ns: 70, count: 2 }, { name: "user", code: 2, ns: 30, count: 1 }, { name: "forked", code: 7, ns: 1, count: 1 }];
  assert.equal(sheetCSV(THREADS, [{ host: "db", name: "=sh", tid: 206, pid: 200, on_cpu_ns: 30, status }]),
    "host,thread,tid,pid,on_cpu_ns,unknown_ns,blocked_ns,user_ns,syscall_ns,interrupted_ns,wait_for_cpu_ns,wait_ns,forked_ns\r\ndb,'=sh,206,200,30,0,70,30,0,0,0,0,1\r\n");
});

test("a latency that nobody knows is an empty cell", () => {
  assert.equal(sheetCSV(PAIRS, [{ from: "a", to: "b", messages: 3, bytes: 9, least_ns: null, most_ns: null }]), "from,to,messages,bytes,latency_min_ns,latency_max_ns\r\na,b,3,9,,\r\n");
});
