// How much of a CPU was used, as Resources has it, too.

import type { CpuStatistics } from "../home/api.js";

const USED = ["user_ns", "syscall_ns", "kernel_ns", "softirq_ns", "irq_ns"] as const;

/** The part of a CPU's time that it was not idle, of the time of which that is known, from 0 to 1; null where it is of none. */
export function usedShare(r: CpuStatistics): number | null {
  const used = USED.reduce((n, key) => n + (r[key] ?? 0), 0);
  return used + r.idle_ns > 0 ? used / (used + r.idle_ns) : null;
}
