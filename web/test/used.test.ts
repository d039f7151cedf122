import assert from "node:assert/strict";
import { test } from "node:test";
import type { CpuStatistics } from "../src/home/api.js";
import { usedShare } from "../src/statistics/used.js";

test("what of a CPU was used is told of the time of which that is known", () => {
  const cpu = (of: Partial<CpuStatistics>): CpuStatistics => ({ cpu: "0", user_ns: 0, syscall_ns: 0, kernel_ns: 0, softirq_ns: 0, irq_ns: 0, idle_ns: 0, unknown_ns: 0, ...of });
  assert.equal(usedShare(cpu({ user_ns: 10, syscall_ns: 5, kernel_ns: 3, softirq_ns: 4, irq_ns: 3, idle_ns: 75, unknown_ns: 900 })), 0.25);
  assert.equal(usedShare(cpu({ user_ns: 25, syscall_ns: null, softirq_ns: null, irq_ns: null, idle_ns: 75 })), 0.25);
  assert.equal(usedShare(cpu({ unknown_ns: 900 })), null);
  assert.equal(usedShare(cpu({ idle_ns: 9, unknown_ns: 900 })), 0);
});
