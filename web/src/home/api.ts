// The HTTP API. A refusal carries one sentence, which is thrown as it is.

import { Signal } from "../model/signal.js";
import { Answer } from "../net/answer.js";
import type { Between, Clocks, Incomplete, Options, Stage } from "../net/json.js";

export interface FileStatus {
  name: string;
  size: number;
  received: number;
  given?: boolean; // it was not uploaded to this set: another one has it, or it is read in place
  lacks?: boolean; // it is damaged
}

/** A set that was deleted and can be had back until a time (RFC 3339). */
export interface Deleted {
  id: string;
  name: string;
  deleted: string;
  until: string;
}

export interface SetStatus {
  id: string;
  name: string;
  state: "uploading" | "importing" | "ready" | "failed";
  stage: string;
  error?: string;
  unshown?: boolean; // it failed at the start of the server, which left its files as they were
  halted?: boolean; // it failed for want of room on the disk, and can go on
  progress: number;
  rate: number;
  begin: string;
  end: string;
  events: number;
  lost_events: number;
  lost_packets?: number; // whole ones, of an unknown number of events
  created: string;
  bytes: number;
  files: FileStatus[] | null;
  hosts: { name: string; state: string }[] | null;
  anomalies: number;
  damaged?: string[]; // sentences on archives of which not all, or nothing, is here
  harmed?: string[]; // sentences on files of hosts that were found damaged
  incomplete?: Incomplete; // the same archives in short
  unreadable?: number; // traces that are left out
  stages?: Stage[];
  expires?: string; // RFC 3339: when an unfinished upload is removed
}

/** What was lost of a host at one time or several: nobody knows when between begin and end. */
export interface LossInfo {
  times: number;
  lost_events: number;
  lost_packets?: number; // whole ones, of an unknown number of events
  begin: string;
  end: string;
  place: string; // behind the events of which time the first is told
  last: string; // place of the last
  cpu: number | null; // -1 where the trace does not say, null of several
}

/** What was lost of a host at times that touch a stretch, and the part of it at times that reach out of it. */
export interface LostHere {
  times: number;
  lost_events: number;
  lost_packets: number;
  reaching_events: number;
  reaching_packets: number;
}

/** What was lost of a host in a stretch of time, or may have been. */
export interface HostLosses extends LossInfo {
  host: string;
  known: boolean; // when something was lost is known
  error?: string; // why it is not, where the file that has it is damaged
  reaching: number; // so many of the times reach out of the stretch
  stretches: LossInfo[];
}

/** An event; times are decimal strings of ns. */
export interface EventRow {
  lost?: ({ host: string } & LossInfo)[]; // since the event before
  time: string;
  local_time: string;
  recorded?: string; // the local time that stands in the trace, where that is another
  host: string;
  cpu: number; // -1 where the trace does not say
  name: string;
  fields: string;
}

/** A page of events; next and previous are places behind and before it, null where nothing is. */
export interface EventsAnswer {
  events: EventRow[];
  next: string | null;
  previous: string | null;
  lost_behind?: ({ host: string } & LossInfo)[]; // behind the last event, up to next
  undated?: string[]; // hosts of which something was lost and nobody knows when
  unread?: string[]; // sentences on damaged files, by which that is not known
  unknown?: UnknownField[]; // of a filter that wants nothing here
  unnamed?: UnnamedEvent[]; // the same of names
}

/** A name of events, or a pattern of names, that a filter asks for and no kind of event has, with what may be meant. */
export interface UnnamedEvent {
  name: string;
  near: string[];
}

/** What a filter names and no kind of event has, with what may be meant. */
export interface UnknownField {
  path: string;
  near: string[];
  /** Kinds of events have it that the pattern of names leaves out. */
  other?: boolean;
}

/** A part of a stretch of time: a state or a system call. */
export interface Spent {
  name: string;
  code?: number; // of a state
  ns: number;
  count: number;
}

export interface CpuStatistics {
  cpu: string;
  user_ns: number;
  syscall_ns: number | null; // null where the host did not record them, and so the next two
  softirq_ns: number | null;
  irq_ns: number | null;
  idle_ns: number;
  unknown_ns: number;
  kernel_ns: number;
}

export interface ThreadStatistics {
  tid: number;
  pid: number;
  name: string;
  on_cpu_ns: number | null; // null where no CPU is known
  status: Spent[];
}

/** How well the clocks were known when a solution was published while the set was imported. */
export interface Milestone {
  after_s: number;
  version: number;
  hosts: number; // related to the reference, itself included
  of: number;
  median_ns: number | null;
  worst_ns: number | null;
  without?: number; // of the related ones: how many have no bound
}

/** How long the system calls of a name took; all times are exact ns. */
export interface CallTime {
  name: string;
  count: number;
  ns: number;
  least_ns: number;
  median_ns: number;
  p90_ns: number;
  p99_ns: number;
  most_ns: number;
  bins: [from: number, count: number][]; // until before the next of 1, 2, 5, 10, 20, …
  longest: OneCall; // of several that took as long the first
}

/** One system call from entry to exit, also outside the stretch that was asked for; times are decimal strings of ns, by the clocks asked for and by the host's own. */
export interface OneCall {
  name: string;
  tid: number;
  thread: string; // its name
  begin: string;
  end: string;
  local_begin: string;
  local_end: string;
}

export interface CallsAnswer {
  hosts: { host: string; all: number; counted: number; unfinished: number; ongoing?: number; local_until: string | null; calls: CallTime[]; threads: OneCall[]; open?: number[]; untold?: number; others: number; error?: string }[];
}

export interface PairStatistics {
  from: string;
  to: string;
  messages: number;
  bytes: number;
  least_ns: number | null;
  most_ns: number | null;
}

export interface StatisticsAnswer {
  hosts: { host: string; local_begin: string; local_end: string; known: boolean; error?: string; unrecorded: string[]; lost: LostHere | null; cpus: CpuStatistics[]; ran: number; still: number; threads: ThreadStatistics[]; others: number; calls: Spent[] }[];
  messages: PairStatistics[];
}

/** Which threads statistics list: of each host the first in an order, of those that have words. */
export interface Listing {
  readonly order: string; // a column, with "-" before it the other way round
  readonly narrow: string; // "" for all
  readonly still: boolean; // with those that never were on a CPU
}

/** What a stretch of time comes to; states are those that threads were in, by code. */
export interface SumsAnswer {
  known: boolean; // false while more of the stretch may be read
  threads: number; // that were there
  states: { name: string; code: number; ns: number; threads: number }[];
  messages: number; // that the hosts sent
  calls?: CalledSum[]; // of one thread alone, longest first
}

/** What a thread spent in the system calls of a name, with what it slept or was interrupted in them. */
export interface CalledSum {
  name: string;
  ns: number;
  count: number; // that touch the stretch
  began: number; // that began in it
}

/** Whose sums they are: a host's by its name, with a tid those of a thread of it; null for all hosts'. */
export interface Whose {
  readonly host: string;
  readonly tid: number | null;
}

/** Of several values of one name all are sent. */
export type EventsQuery = Record<string, string | number | readonly string[] | undefined>;

/** The value of a parameter that an answer is refused for, and what is wrong with it, without its name. */
export interface WrongValue {
  parameter: string;
  index: number; // among the values of the parameter
  fault: string;
}

/** Why an upload ends that somebody has stopped. */
export const stoppedError = (): Error => new Error("The upload was stopped.");

/** A refusal of the server, in its own words, and the value that it is for, if it is one; retry says that another try may do. */
export class Refusal extends Error {
  constructor(sentence: string, readonly status: number, readonly wrong: WrongValue | null = null) {
    super(sentence);
  }

  get retry(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Nobody of the server answered: nothing is refused yet. */
  get away(): boolean {
    return this.status === 0 || (this.status >= 502 && this.status <= 504);
  }
}

/** A refusal as a sentence, with what is shown in spite of it; "" for nothing. */
export function refusalWords(e: unknown, shown: string): string {
  const sentence = e instanceof Error ? e.message : String(e);
  return shown ? `${sentence} What is shown is of ${shown}.` : sentence;
}

/** An answer that is no success. */
function refusalOf(status: number, body = ""): Refusal {
  try {
    const { error, parameter, index, fault } = JSON.parse(body) as { error?: unknown } & Partial<WrongValue>;
    if (typeof error === "string" && error) return new Refusal(error, status, parameter && fault ? { parameter, index: index ?? 0, fault } : null);
  } catch {
    // Not ours: a proxy's page, or nothing.
  }
  return new Refusal(status === 0 ? "The server cannot be reached." : `The server answered ${status}.`, status);
}

/** The server answers a question within 30 s, if only that it took too long: who hears nothing for so many ms is not connected. */
const SILENT = 60_000;
const NO_ANSWER = "The server does not answer.";

/** A question did not reach the server, or no answer came. */
export const unreached = new Signal();

/** The sets that are known to be deleted, by id: nothing about them is asked but whether they are there again. */
export const deletedSets = new Set<string>();

/** Asks the server; a Refusal is thrown for an answer that is no success, and for none, as after signal. */
export async function callServer(method: string, path: string, body?: unknown, signal: AbortSignal | null = null): Promise<unknown> {
  if ([...deletedSets].some((id) => path.startsWith(at(id) + "/"))) throw new Refusal("The set was deleted.", 0);
  let response: Response;
  let text: string;
  const gone = new AbortController();
  const answer = new Answer(() => gone.abort());
  try {
    const silent = method === "GET" ? [AbortSignal.timeout(SILENT)] : [];
    const init: RequestInit = { method, signal: AbortSignal.any([gone.signal, ...silent, ...(signal ? [signal] : [])]) };
    if (body !== undefined) {
      init.headers = { "Content-Type": "application/json" };
      init.body = JSON.stringify(body);
    }
    response = await fetch(path, init);
    text = await textOf(response, () => answer.heard());
  } catch {
    if (!signal?.aborted) unreached.emit();
    throw gone.signal.aborted ? new Refusal(NO_ANSWER, 0) : refusalOf(0);
  } finally {
    answer.end();
  }
  if (response.status === 502 || response.status === 504) unreached.emit(); // of a proxy that it stands behind
  if (!response.ok) throw refusalOf(response.status, text);
  return text ? JSON.parse(text) : null;
}

// The text of an answer; tells of each piece of it that came.
async function textOf(response: Response, heard: () => void): Promise<string> {
  heard();
  if (!response.body) return "";
  const [words, reader] = [new TextDecoder(), response.body.getReader()];
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + words.decode();
    heard();
    text += words.decode(value, { stream: true });
  }
}

const at = (id: string) => `/api/sets/${encodeURIComponent(id)}`;

/** Makes an empty set; where there is one of the name already, its name has a number behind it. */
export const createSet = async (name: string): Promise<SetStatus> => (await callServer("POST", "/api/sets", { name })) as SetStatus;
/** Makes a set of what another was made of, with that one's name and a number. */
export const createFrom = async (id: string): Promise<SetStatus> => (await callServer("POST", "/api/sets", { from: id })) as SetStatus;
export const readSet = async (id: string): Promise<SetStatus> => (await callServer("GET", at(id))) as SetStatus;
/** Answered once there are rows to look at, or it is known what is wrong. */
export const startImport = (id: string): Promise<unknown> => callServer("POST", at(id) + "/import?until=rows");
export const renameSet = (id: string, name: string): Promise<unknown> => callServer("PATCH", at(id), { name });
export const synchronize = async (id: string, options: Partial<Options>): Promise<Clocks> => (await callServer("POST", at(id) + "/sync", options)) as Clocks;
export const readBetween = async (id: string, a: string, b: string): Promise<Between> => (await callServer("GET", `${at(id)}/between?${new URLSearchParams({ a, b })}`)) as Between;
function eventsWords(query: EventsQuery): URLSearchParams {
  const q = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value ?? ""].flat()) if (one !== "") q.append(name, String(one));
  return q;
}
export async function readEvents(id: string, query: EventsQuery, signal?: AbortSignal): Promise<EventsAnswer> {
  return (await callServer("GET", `${at(id)}/events?${eventsWords(query)}`, undefined, signal)) as EventsAnswer;
}
/** Where the server gives all events that are wanted away as CSV. */
export const eventsTable = (id: string, query: EventsQuery): string => `${at(id)}/events.csv?${eventsWords(query)}`;
/** How many events are wanted, of as many as one answer looks at; until is the begin of the next question. */
export async function countEvents(id: string, query: EventsQuery, signal: AbortSignal): Promise<{ count: number; looked: number; until: string | null }> {
  return (await callServer("GET", `${at(id)}/events/count?${eventsWords(query)}`, undefined, signal)) as { count: number; looked: number; until: string | null };
}
const stretch = (begin: bigint, end: bigint, local: boolean) => new URLSearchParams({ begin: String(begin), end: String(end), local: local ? "1" : "0" });
/** What was lost from one time until before another, of each host at most so many stretches, and of one alone, if it is named; with placed, what is told in that time. */
export async function readLosses(id: string, begin: bigint, end: bigint, local: boolean, most: number, { host = "", placed = false } = {}): Promise<HostLosses[]> {
  const q = stretch(begin, end, local);
  q.set("most", String(most));
  if (host) q.set("host", host);
  if (placed) q.set("placed", "1");
  return ((await callServer("GET", `${at(id)}/losses?${q}`)) as { hosts: HostLosses[] }).hosts;
}
function stretchOf(begin: bigint, end: bigint, local: boolean, of: Whose | null): URLSearchParams {
  const q = stretch(begin, end, local);
  if (of) q.set("host", of.host);
  if (of && of.tid !== null) q.set("thread", String(of.tid));
  return q;
}
/** limit is how many threads of a host are listed at most; 0 for as many as the server lists of its own accord. */
export async function readStatistics(id: string, begin: bigint, end: bigint, local: boolean, listing: Listing, limit = 0): Promise<StatisticsAnswer> {
  const q = stretch(begin, end, local);
  q.set("order", listing.order);
  if (listing.narrow) q.set("narrow", listing.narrow);
  if (listing.still) q.set("still", "1");
  if (limit) q.set("limit", String(limit));
  return (await callServer("GET", `${at(id)}/statistics?${q}`)) as StatisticsAnswer;
}
export async function readSums(id: string, begin: bigint, end: bigint, local: boolean, of: Whose | null, signal?: AbortSignal): Promise<SumsAnswer> {
  const q = stretchOf(begin, end, local, of);
  return (await callServer("GET", `${at(id)}/sums?${q}`, undefined, signal)) as SumsAnswer;
}
export const readMilestones = async (id: string): Promise<Milestone[]> => (await callServer("GET", `${at(id)}/sync/milestones`)) as Milestone[];
export async function readCalls(id: string, begin: bigint, end: bigint, local: boolean, of: Whose | null): Promise<CallsAnswer> {
  return (await callServer("GET", `${at(id)}/calls?${stretchOf(begin, end, local, of)}`)) as CallsAnswer;
}
/** The same of some threads of a host, up to 2000, of each of which it has the longest call. */
export async function readCallsOfEach(id: string, begin: bigint, end: bigint, local: boolean, host: string, tids: readonly number[]): Promise<CallsAnswer> {
  const q = stretchOf(begin, end, local, { host, tid: null });
  q.set("thread", tids.join());
  return (await callServer("GET", `${at(id)}/calls?${q}`)) as CallsAnswer;
}
/** The thread that ran on a CPU at a time of the host's own clock; -1 where nobody knows. */
export async function readRunning(id: string, host: string, cpu: number, time: string): Promise<number> {
  const q = new URLSearchParams({ host, time, local: "1", path: `CPUs/${cpu}/Current_thread` });
  const answer = (await callServer("GET", `${at(id)}/state?${q}`)) as { hosts: { attributes: { value: unknown }[] | null }[] | null };
  const tid = answer.hosts?.[0]?.attributes?.[0]?.value;
  return typeof tid === "number" ? tid : -1;
}
export const deleteSet = (id: string): Promise<unknown> => callServer("DELETE", at(id));

export const readDeleted = async (): Promise<Deleted[]> => (await callServer("GET", "/api/deleted")) as Deleted[];
export const recoverSet = (id: string): Promise<unknown> => callServer("POST", `/api/deleted/${encodeURIComponent(id)}/recover`);
export const removeSet = (id: string): Promise<unknown> => callServer("DELETE", `/api/deleted/${encodeURIComponent(id)}`);

export async function readSets(): Promise<SetStatus[]> {
  const answer = (await callServer("GET", "/api/sets")) as SetStatus[] | { sets: SetStatus[] | null } | null;
  return (Array.isArray(answer) ? answer : answer?.sets) ?? [];
}

/** Sends one piece of an archive; tells the bytes of it that left so far. */
export function putPiece(id: string, name: string, blob: Blob, from: number, to: number, signal: AbortSignal, onSent: (bytes: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let unheard = false;
    const answer = new Answer(() => {
      unheard = true;
      request.abort();
    });
    request.open("PUT", `${at(id)}/files/${encodeURIComponent(name)}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    if (blob.size > 0) request.setRequestHeader("Content-Range", `bytes ${from}-${to - 1}/${blob.size}`);
    request.upload.onprogress = (e) => {
      answer.heard();
      onSent(e.loaded);
    };
    request.onload = () => (request.status < 300 ? resolve() : reject(refusalOf(request.status, request.responseText)));
    request.onerror = request.ontimeout = () => reject(refusalOf(0));
    request.onabort = () => reject(unheard ? new Refusal(NO_ANSWER, 0) : stoppedError());
    const stop = () => request.abort();
    signal.addEventListener("abort", stop);
    request.onloadend = () => {
      answer.end();
      signal.removeEventListener("abort", stop);
    };
    if (!signal.aborted) return request.send(blob.slice(from, to));
    answer.end();
    reject(stoppedError());
  });
}
