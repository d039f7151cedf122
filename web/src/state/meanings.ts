// What the attributes of the kernel model and of declared states tell, in a sentence each: docs/kernel-model.md, docs/format/states.md.

const THREAD: Record<string, string> = {
  "": "what the thread does",
  Name: "what it is called, at most 15 letters of it",
  PID: "the process that it is of",
  PPID: "the process that made it",
  Priority: "20 is nice 0, 0 to 39 are nice values, below 0 is real time",
  System_call: "the system call that it is in, also while it sleeps, is interrupted or waits for a CPU",
  "System_call/Argument": "what its last system call was about: a file, thread or address, by its number",
  "System_call/File": "the file that its last system call named",
  "System_call/Error": "the number of the error that its last system call returned",
  Sleep: "how it slept last, before this time or at it",
  Wakeup: "what woke it last, before this time or at it; what ends a sleep stands there when that has ended",
  Waker: "the thread that woke it last, before this time or at it; who ends a sleep stands there when that has ended; where an interrupt can have been it as well, Wakeup says so",
  Exit: "whether it has announced its end, or has ended and nobody has waited for it yet",
  CPU: "where it runs or waits, or did last",
  Function: "the function of its program, or span, that it is in",
  Stack: "how many functions it is in, one inside the other",
  Event: "the last event that it recorded",
};

const CPU: Record<string, string> = {
  "": "what the CPU does",
  Current_thread: "the number of the thread on it; 0 is its idle thread",
  Frequency: "cycles in a second",
  Switches: "how often it went from one thread to another, so far",
  System_calls: "system calls entered on it, so far",
  Page_faults: "page faults on it, so far",
  Wakeups: "threads woken from it, so far",
  Interrupts: "interrupts that it began to serve, so far",
  Soft_interrupts: "soft interrupts that it began to serve, so far",
};

const PROCESS: Record<string, string> = {
  Switches: "how often its threads got a CPU, so far",
  System_calls: "system calls of its threads, so far",
  Page_faults: "page faults of its threads, so far",
  Wakeups: "how often its threads were woken, so far",
  Bytes_read: "bytes that its system calls read, so far",
  Bytes_written: "bytes that its system calls wrote, so far",
};

const DISK: Record<string, string> = {
  "": "requests that the device serves",
  Queued: "requests that wait for it",
  Name: "what the device is called",
  Sectors_read: "sectors read since the recording began",
  Sectors_written: "sectors written since the recording began",
};

const LINE = { "": "whether it is served, on any CPU", Name: "what its handler is called" };

const GROUPS: Record<string, Record<string, string>> = { Threads: THREAD, CPUs: CPU, Processes: PROCESS, Disks: DISK, IRQs: LINE, Soft_IRQs: LINE };

/** What an attribute with a path tells; "" where its name says it all, or nothing is known of such attributes. */
export function meaningOf(path: string): string {
  const [, group, of] = /^([^/\\]+)\/(?:\\[\s\S]|[^/\\])+(?:\/([\s\S]+))?$/.exec(path) ?? [];
  const rest = of ?? "";
  if (group === "CPUs" && /^(IRQs|Soft_IRQs)\/[^/]+$/.test(rest)) return "whether the CPU serves it";
  if (group === "Threads" && /^Stack\/\d+$/.test(rest)) return "a function that it is in; 1 is the outermost";
  const table = group !== undefined && Object.hasOwn(GROUPS, group) ? GROUPS[group] : {};
  return Object.hasOwn(table, rest) ? table[rest] : "";
}
