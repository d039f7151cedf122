// The time of which it is not known what a thread did, as where events were lost. A part of it may be known to be on a CPU all the same.

import type { ThreadStatistics } from "../home/api.js";

/** The states in which a thread has a CPU: in user space, in a system call, interrupted, in the kernel. */
const RUNS: readonly number[] = [2, 3, 4, 8];

/** How long a thread had a CPU of which it is not known what it did, ns. */
export function unknownOnCPU(r: ThreadStatistics): number {
  if (r.on_cpu_ns === null) return 0;
  return Math.max(0, r.status.reduce((n, s) => n - (RUNS.includes(s.code ?? 0) ? s.ns : 0), r.on_cpu_ns));
}
