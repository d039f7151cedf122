// The tables of statistics as they are given away: every digit, times in ns, a name for each column that stays.

import type { CallTime, CpuStatistics, PairStatistics, Spent, ThreadStatistics } from "../home/api.js";
import { csv } from "../ui/file.js";
import type { AloneRow } from "./alone.js";
import { knownWords, tookOf, type Longest } from "./longest.js";
import { lacksCalls, lacksInterrupts, type Unrecorded } from "./unrecorded.js";

/** A row of a host. */
export type AtHost<T> = T & Unrecorded & { readonly host: string };

/** A thread with its longest call. */
export type ThreadRow = AtHost<ThreadStatistics & Longest>;

/** What a table is called, and its columns. */
export interface Sheet<T> {
  /** In the names of files. */
  readonly file: string;
  /** Behind "the table of". */
  readonly words: string;
  readonly columns: readonly (readonly [name: string, of: (row: T) => string | number | null])[];
}

const SYSCALL = 3;
const INTERRUPTED = 4;

/** How long a thread was in a state, ns; null where nobody knows. Without a kernel trace a thread is seen at its events alone, a ns each, and
 * in what was declared of it: that it was not in a state otherwise is not known. Neither is it where what tells of the state is not recorded. */
export function inState(row: ThreadStatistics & Unrecorded, code: number): number | null {
  const spent = row.status.find((s) => s.code === code);
  if (!spent && ((code === SYSCALL && lacksCalls(row)) || (code === INTERRUPTED && lacksInterrupts(row)))) return null;
  if (row.on_cpu_ns !== null || code === 0) return spent?.ns ?? 0;
  return spent && spent.ns > spent.count ? spent.ns : null;
}

/** The rows of a table with a head, as CSV. */
export function sheetCSV<T>(sheet: Sheet<T>, rows: readonly T[]): string {
  return csv([sheet.columns.map(([name]) => name), ...rows.map((r) => sheet.columns.map(([, of]) => of(r)))]);
}

export const CPUS: Sheet<AtHost<CpuStatistics>> = {
  file: "cpus", words: "CPUs",
  columns: [
    ["host", (r) => r.host], ["cpu", (r) => r.cpu], ["user_ns", (r) => r.user_ns], ["syscall_ns", (r) => r.syscall_ns], ["softirq_ns", (r) => r.softirq_ns],
    ["irq_ns", (r) => r.irq_ns], ["idle_ns", (r) => r.idle_ns], ["unknown_ns", (r) => r.unknown_ns], ["kernel_ns", (r) => r.kernel_ns],
  ],
};

// By code, as states.csv has them.
const STATES = ["unknown", "blocked", "user", "syscall", "interrupted", "wait_for_cpu", "wait", "forked", "kernel"];

export const THREADS: Sheet<ThreadRow> = {
  file: "threads", words: "threads",
  columns: [
    ["host", (r) => r.host], ["thread", (r) => r.name], ["tid", (r) => r.tid], ["pid", (r) => r.pid], ["on_cpu_ns", (r) => r.on_cpu_ns],
    ...STATES.map((name, code) => [`${name}_ns`, (r: ThreadRow) => inState(r, code)] as const),
    ["longest_call", (r) => r.longest?.name ?? null], ["longest_ns", (r) => r.longest && tookOf(r.longest)], ["longest_begin_ns", (r) => r.longest?.begin ?? null],
    ["longest_known", (r) => (lacksCalls(r) && !r.longest ? "not recorded" : knownWords(r))],
  ],
};

export const CALLS: Sheet<AtHost<Spent>> = {
  file: "calls", words: "system calls",
  columns: [["host", (r) => r.host], ["call", (r) => r.name], ["count", (r) => r.count], ["ns", (r) => r.ns]],
};

export const ALONE: Sheet<AloneRow> = {
  file: "thread-calls", words: "system calls of one thread",
  columns: [["host", (r) => r.host], ["thread", (r) => r.thread], ["tid", (r) => r.tid], ["call", (r) => r.name], ["count", (r) => r.count], ["began", (r) => r.began], ["ns", (r) => r.ns]],
};

export const TIMES: Sheet<AtHost<CallTime>> = {
  file: "call-times", words: "how long system calls took",
  columns: [
    ["host", (r) => r.host], ["call", (r) => r.name], ["count", (r) => r.count], ["least_ns", (r) => r.least_ns], ["median_ns", (r) => r.median_ns],
    ["p90_ns", (r) => r.p90_ns], ["p99_ns", (r) => r.p99_ns], ["most_ns", (r) => r.most_ns], ["ns", (r) => r.ns],
    ["longest_thread", (r) => r.longest.thread], ["longest_tid", (r) => r.longest.tid], ["longest_begin_ns", (r) => r.longest.begin],
  ],
};

export const PAIRS: Sheet<PairStatistics> = {
  file: "exchange", words: "messages",
  columns: [
    ["from", (r) => r.from], ["to", (r) => r.to], ["messages", (r) => r.messages], ["bytes", (r) => r.bytes || null], ["latency_min_ns", (r) => r.least_ns], ["latency_max_ns", (r) => r.most_ns],
  ],
};
