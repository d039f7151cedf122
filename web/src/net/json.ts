// The JSON bodies of docs/format/wire.md. Times are decimal strings of ns.

export interface Hint {
  view: string;
  events: string[];
  command: string;
}

export interface HostInfo {
  index: number;
  name: string;
  id: string;
  component: number;
  reference: boolean;
  unsynchronized: boolean;
  begin: string;
  end: string;
  local_begin: string;
  local_end: string;
  events: number;
  lost_events: number;
  lost_packets?: number; // whole ones, of an unknown number of events
  passed_twice?: { begin: string; end: string }[]; // stretches of its own time that its clock passed twice
  lost_by_cpu?: { cpu: number; lost_events: number }[]; // by number; -1 not told
  state: "waiting" | "importing" | "done" | "failed";
  progress: number;
  missing: Hint[] | null;
  /** Worked out here: how it lies to the reference, and whether it is that, may still change, as the import goes on. */
  provisional?: boolean;
  /** Worked out here: of a host that nothing relates to the reference, that, in words. */
  apart?: string;
}

/** A part of the way from archives to histories, in bytes of what it reads. */
export interface Stage {
  name: "upload" | "unpack" | "read";
  done: number;
  total: number; // -1 while unknown
  rate: number; // bytes per second
  left_s: number | null;
}

/** Archives of which something is missing: how many, and the first of them. */
export interface Incomplete {
  count: number;
  archives: { name: string; kind: "damaged-archive" | "unreadable-archive" | "no-trace"; offset: number }[];
}

export interface SetInfo {
  id: string;
  name: string;
  state: "uploading" | "importing" | "ready" | "failed";
  begin: string;
  end: string;
  events: number;
  lost_events: number;
  lost_packets?: number;
  hosts: HostInfo[] | null;
  preview?: boolean; // hosts, times and counts are those of a first look at what is unpacked
  progress: number;
  rate: number;
  stage: string;
  anomalies: number;
  damaged?: string[]; // sentences on archives of which not all, or nothing, is here
  harmed?: string[]; // sentences on files of hosts that were found damaged
  incomplete?: Incomplete; // the same archives in short
  unreadable?: number; // traces that are left out
  stages?: Stage[]; // up to the one under way, of a set that is not ready
  clocks?: number; // the version that begin, end, reference and the like are by
  error?: string;
  unshown?: boolean; // it failed at the start of the server, which left its files as they were
  focus?: { begin: string; end: string; row_tid?: number; host?: string; why?: string };
}

export interface Place {
  host: string; // "" of what is the set's
  kind: string;
  stream: string;
  offset: number;
  message: string;
  count: number;
}

/** All anomalies of a kind. */
export interface Oddity {
  kind: string;
  what: string;
  means: string;
  count: number;
  places: Place[];
  others: number; // places that are left out
}

/** What a command would have recorded. */
export interface Lack {
  views: string[];
  without: string;
  events: string[];
  command: string;
  hosts: string[];
}

export interface Report {
  anomalies: Oddity[];
  missing: Lack[];
}

export type LinkClass = "accurate" | "approximate" | "incomplete" | "absent" | "fail";

export interface Spread {
  min: number;
  median: number;
  p99?: number;
  max?: number;
  of?: number; // of latencies: messages that median and p99 are of, all or a sample
}

export interface LinkInfo {
  a: string;
  b: string;
  class: LinkClass;
  in_tree: boolean;
  excluded?: boolean; // it was not to be used
  loop_ns?: { residual: number; bound: number; consistent: boolean; hops: number } | null; // against the way through the tree
  alpha: number | null;
  beta: number | null;
  alpha_exact?: string | null;
  beta_exact?: string | null;
  alpha_min: number | null;
  alpha_max: number | null;
  lines_apart_ns?: { first: number; middle: number; last: number; clock: string; begin: string; end: string } | null; // the lines of alpha_min and alpha_max
  messages: { a_to_b: number; b_to_a: number };
  accurate: number;
  segments: number; // pieces of the clock, 0 where there is none
  shape?: "one line" | "pieces" | "steps" | null;
  path?: [string, string][] | null; // knots: a's and b's time, where the clock is no line
  cuts?: { upper: [string, string][] | null; lower: [string, string][] | null }[] | null;
  assumption?: string | null;
  rate_cap?: number | null; // change of rate per second
  relaxed_ns?: number;
  error_ns: { min: number; median: number; max: number } | null;
  in_force?: ForceInfo | null; // null where it is not in use
  violations: number;
  latency_ns: { a_to_b: Spread | null; b_to_a: Spread | null } | null;
}

/** A link as the maps of its hosts have it: from begin to end by a's clock b's goes from b_begin to b_end. */
export interface ForceInfo {
  begin: string;
  end: string;
  b_begin: string;
  b_end: string;
  segments: number;
  rate: { min: number; max: number } | null; // b's ns per a's, of the slowest and the fastest piece
  error_ns: { min: number; median: number; max: number } | null;
  ends_ns: [number, number] | null; // the bounds at begin and end
}

export interface HostClock {
  name: string;
  id: string;
  component: number;
  reference: boolean;
  error_ns: { min: number; max: number } | null;
  map: { begin: string; end: string; reference_begin: string; reference_end: string; rate: number }[] | null; // of what it recorded, to the ns
  knots?: [local: string, reference: string][]; // of the whole map, exact
  error: [string | number, number][] | null;
  window?: [string, string] | null; // in which messages counted, local
  addresses?: { address: string; interface: string | null }[] | null;
  assumption?: string | null;
  rate_cap?: number | null; // change of rate per second
  reference_loss_ns?: number | null; // by which the errors of all would add up to more, were it the reference
  as_reference?: { sum_ns: number; most_ns: number; farthest: string } | null; // what they would be
  as_reference_bounded?: { sum_ns: number; most_ns: number; farthest: string; unbounded: number } | null; // the same of those that would have a bound
}

export interface Matching {
  sent: number;
  received: number;
  matched: number;
  retransmitted: number;
  ambiguous: number;
  loopback: number;
  pieces: number; // of packets that were cut or joined on their way, whose message another piece makes
  unmatched_sent: number;
  unmatched_received: number;
  evicted: number;
}

/** What a synchronization was made by; null and empty are the default. */
export interface Options {
  method: string;
  reference: string | null; // that was pinned
  exclude: [string, string][];
  window: [string, string] | null;
}

/** What it costs that another than the best host is the reference. */
export interface Pinned {
  host: string;
  best: string;
  hosts: number; // of the component
  loss_ns: number | null; // by which their errors add up to more
}

/** Two hosts compared along their way. */
export interface Between {
  version: number;
  a: string;
  b: string;
  path: string[];
  error_ns: { min: number; max: number } | null;
  map: { begin: string; end: string; b_begin: string; b_end: string; rate: number }[];
  error: [string, number][]; // by a's clock
}

export interface Clocks {
  reference: string;
  version: number;
  final?: boolean;
  hosts: HostClock[] | null;
  links: LinkInfo[] | null;
  matching: Matching | null;
  options?: Options;
  pinned?: Pinned | null;
}

export interface At {
  row: number;
  host: string;
  thread: { tid: number; pid: number; ppid: number; name: string } | null;
  status: string | null;
  status_code: number | null;
  syscall: string | null;
  cpu: number | null; // it runs on or is queued on
  last_cpu: number | null; // it ran on last, where it is on none
  priority: number | null;
  begin: string | null;
  end: string | null;
  local_begin: string | null;
  local_end: string | null;
  duration: string | number | null;
  known_until?: string; // up to when a state is known that has no end, as more of its host is read
  local_known_until?: string;
  error_ns: number | null;
  at: string;
  irq: string | null;
  sleep?: string | null; // in words
  woken?: { how: string; tid: number; ppid: number; name: string } | null;
  hz?: number | null; // of a CPU
}

export interface Points {
  a: number;
  b: number;
  begin: string;
  end: string;
  midline?: boolean;
  points: [number, number, number][] | null;
  b_begin: string;
  b_times: number[] | null; // of each point, after b_begin
  lmin: [number, number][] | null;
  lmax: [number, number][] | null;
  upper: [number, number][] | null;
  lower: [number, number][] | null;
  band: [number, number, number][] | null;
  force?: [number, number][] | null; // the clock in force
  ahead: string; // by how much b's clock is ahead at begin by the estimate, both as recorded
  drift: [number, number][] | null; // by how much more there
  breaks?: number[] | null; // places in the band from which it is known again
  told?: boolean; // it is cut where other links show a step
  knots?: number[] | null;
  cuts?: [number, number, number, number][] | null; // before, after, by how much, error
  total: number;
  shown: number;
}

/** Connections of hosts, by their first message. */
export interface FlowList {
  readonly hosts: readonly {
    readonly host: number; // row
    readonly more: number; // that are left out
    readonly connections: readonly FlowInfo[];
  }[];
}

/** A connection as one of its hosts has it; ports of 0 are not known. */
export interface FlowInfo {
  readonly protocol: number; // of IP
  readonly port: number; // at the host
  readonly peer: number; // row of the other host
  readonly peer_port: number;
  readonly count: number; // messages both ways
}
