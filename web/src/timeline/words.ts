// Sentences and short notes that several parts of the timeline say alike.

import { boundScale, boundStep, boundStyle } from "../draw/bounds.js";
import { WAIT_CPU } from "../draw/palette.js";
import { knownWords, NOT_ENDED, UNREAD, unrelatedWords, type Silence } from "../model/known.js";
import { isolated } from "../model/names.js";
import type { By } from "../model/order.js";
import { HOST, threadName, UNNUMBERED, type RowTable } from "../model/rows.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import type { At } from "../net/json.js";
import { cap, span } from "../sync/number.js";
import { bytes, counted, group, MINUS } from "../time/number.js";
import { about, digitsFor, exact, measured, parseNs, plusMinus, seconds, type Ns } from "../time/time.js";
import { endOf, timeAt } from "../time/window.js";
import type { Picked } from "./picked.js";
import type { RowWords } from "./panerows.js";

/** How a row reads in either tree; null for one that is not there yet. */
export function rowWords(rows: RowTable, set: SetModel, view: View, id: number): RowWords | null {
  const row = rows.get(id);
  if (!row) return null;
  if (row.kind !== HOST && row.tid >= UNNUMBERED) return { name: row.name || "(no name)", note: "", tone: "thread", noteTone: "plain", title: row.name };
  if (row.kind !== HOST) return { name: row.name || "(no name)", note: String(row.tid), tone: "thread", noteTone: "plain", title: `${row.name}, thread ${row.tid}` };
  const [note, noteTone, title, mark, brief, also] = clockWords(set, row.host, view);
  return { name: row.name, note, brief, tone: "host", noteTone, title, mark, also };
}

/** The same with the number that rows are ordered by, of a thread: its id gives way where there is no room for both. */
export function orderedWords(words: RowWords | null, by: By, effort: number): RowWords | null {
  if (!words || words.tone === "host") return words;
  const [figure, meaning] = by === "cpu" ? [effort > 0 ? about(effort, 3) : "0 s", "on a CPU in view"] : [group(effort), effort === 1 ? "change of state in view" : "changes of state in view"];
  return { ...words, note: words.note ? `${figure} · ${words.note}` : figure, brief: figure, title: `${words.title}, ${figure} ${meaning}` };
}

/** How a row reads among those that are pinned: its host is not above it there. */
export function pinnedWords(c: { rows: RowTable; set: SetModel; view: View }, id: number): RowWords | null {
  const words = rowWords(c.rows, c.set, c.view, id);
  const host = c.set.host(c.rows.get(id)?.host ?? -1)?.name ?? "?";
  return words && { ...words, name: `${words.name} · ${isolated(host)}`, title: `${words.title}, on ${isolated(host)}, pinned` };
}

// What a host's row says of its clock: note, tone, a sentence, the colour of its bound, a shorter note, the larger end of a range, and what that means.
function clockWords(set: SetModel, host: number, view: View): [string, "plain" | "good" | "warn", string, (string | undefined)?, (string | undefined)?, (string | undefined)?] {
  const info = set.host(host);
  if (!info) return ["", "plain", ""];
  const silent = info.reference && !info.unsynchronized ? silentIn(set, host, view) : "";
  if (silent) return [knownWords(info, null, silent), "plain", `${isolated(info.name)}: all times are those of this host's clock; ${silent === UNREAD ? "this window is not read yet" : "it recorded nothing in this window"}`];
  if (info.reference && !info.unsynchronized && info.provisional && set.hosts.length > 1) return ["reference so far", "plain", `${isolated(info.name)}: all times are those of this host's clock, until more is read and another may be the better reference`];
  if (info.reference && !info.unsynchronized) return ["reference", "good", `${isolated(info.name)}: all times are those of this host's clock`];
  if (info.unsynchronized && info.provisional) return [unrelatedWords(info), "plain", `${isolated(info.name)}: no message that was read yet relates it to the reference; until then it is drawn at its own clock`];
  if (info.unsynchronized) {
    const alone = !set.hosts.some((x) => x.index !== host && x.component === info.component);
    const by = set.hosts.find((x) => x.component === info.component && x.reference && x.index !== host);
    return [unrelatedWords(info), alone ? "warn" : "plain", `${isolated(info.name)} exchanged no usable message with the reference: it is drawn at ${by ? `the clock of ${isolated(by.name)}` : "its own clock"}`, undefined, "not related"];
  }
  if (view.raw) {
    const offset = offsetTo(set, host, view);
    const way = offset?.startsWith(MINUS) ? "behind" : "ahead of";
    return offset === null ? ["", "plain", ""] : [offset, "plain", `${isolated(info.name)}: its own clock is ${offset.slice(1)} ${way} that of the reference`];
  }
  const extent = set.extent(host, true);
  const all = extent && set.errorOver(host, extent.begin, extent.end);
  if (!all && set.importing) return ["", "plain", `${isolated(info.name)}: no error bound yet`];
  if (!all) return ["no bound", "warn", `${isolated(info.name)}: nothing bounds the error of its clock; Synchronization says what is known of it`];
  const w = view.window;
  const [begin, end] = [set.toLocal(host, w.begin), set.toLocal(host, endOf(w))];
  const here = begin !== null && end !== null ? set.errorOver(host, begin, end) : null;
  if (!here && begin !== null && set.silence(host, begin) === UNREAD) return [UNREAD, "plain", `${isolated(info.name)}: this window is not read yet`];
  if (!here && set.unread(host) && extent && end !== null && end > extent.begin) return ["", "plain", `${isolated(info.name)}: no error bound yet in this window`];
  if (!here) return ["not recorded here", "plain", `${isolated(info.name)} recorded nothing in this window`];
  // Of the whole recording both ends are told, as on Synchronization.
  const whole = span(all.least, all.worst);
  const known = span(here.least, here.worst);
  const over = `over its whole recording to ${whole}`;
  const scale = boundScale(set.clocks);
  const mark = scale ? boundStyle(scale, boundStep(scale, here.worst)) : undefined;
  const worst = plusMinus(here.worst);
  const also = here.least < here.worst ? " at worst in this window" : undefined;
  const ends = known === whole ? known : `${plusMinus(here.least)} at best and ${worst} at worst`;
  return [known, "plain", `${isolated(info.name)}: in this window its clock is known to ${ends}, ${over}${rests(set, host)}`, mark, known === worst ? undefined : worst, also];
}

// Why nothing of the host that all times are of is in the window: by its extent, for the bound of its clock is 0 wherever it may be known.
function silentIn(set: SetModel, host: number, view: View): Silence {
  const { begin } = view.window;
  return set.mayRecord(host, begin, endOf(view.window), view.raw) ? "" : set.silence(host, begin);
}

// What a host's bounds rest on, as the end of a sentence.
function rests(set: SetModel, host: number): string {
  const limit = set.clock(host)?.rate_cap;
  return limit ? `, as long as its rate changes by at most ${cap(limit)} ppm a second` : "";
}

/** A thread by the name that it had at a time and, where that is another, the one it has in the list of rows, its last. */
export function threadWords(then: string, last: string, tid: number): string {
  return threadName({ name: then && last && then !== last ? `${then}, later ${last}` : then || last || "thread", tid });
}

/** Where a thread runs, waits to run, or ran last: null where nobody knows. */
export function cpuWords(at: At): string | null {
  if (at.cpu !== null && at.cpu >= 0) return at.status_code === WAIT_CPU ? `queued or last on ${at.cpu}` : String(at.cpu);
  return at.last_cpu !== null && at.last_cpu >= 0 ? `last on ${at.last_cpu}` : null;
}

/** A priority as sched_switch counts: from 0 to 39 by niceness, below in real time. */
export function priorityWords(p: number): string {
  return p < 0 ? `${p}, real time`.replace("-", MINUS) : `${p}, nice ${String(p - 20).replace("-", MINUS)}`;
}

/** What is known of a state, for the inspector and what stands beside the pointer. */
export function stateTerms(at: At, view: View): [string, string][] {
  if (at.status === null) return [];
  const [begin, end] = [parseNs(at.begin), parseNs(at.end)];
  const out: [string, string | null][] = [
    ["Begin", begin !== null ? seconds(begin - view.origin()) : null],
    ["End", end !== null ? seconds(end - view.origin()) : NOT_ENDED],
    ["Duration", begin !== null && end !== null ? exact(end - begin) : null],
    ["CPU", cpuWords(at) ?? "not known"],
    ["Priority", at.priority === null ? null : priorityWords(at.priority)],
    ["Interrupt", at.irq],
    ["Sleeps", at.sleep ?? null],
    [WOKEN, wakerWords(at)],
  ];
  return out.filter((p): p is [string, string] => !!p[1]);
}

/** The term of what ended a sleep. */
export const WOKEN = "Woken by";

/** What ended a sleep, in words; null where nobody knows. */
export function wakerWords(at: At): string | null {
  const w = at.woken;
  if (!w) return null;
  if (w.how === "thread") return w.tid > 0 ? `${w.name || "thread"} · ${w.tid}` : "a thread";
  if (w.how === "thread or interrupt") return `${w.name || "thread"} · ${w.tid}, or an interrupt while it ran`;
  if (w.how === "time over") return `a timer: the time of ${at.syscall ?? "its call"} was over`;
  if (w.how === "timer or signal") return `a timer or a signal: ${at.syscall ?? "its call"} waits for no packet and no device`;
  const words = sourceWords(w.how);
  return w.tid > 0 ? `${words}, while ${w.name || "thread"} · ${w.tid} ran` : words;
}

/** What the soft interrupts of Linux are for, by number. */
const SOFT = ["an urgent task", "a timer", "a packet that was sent", "", "a disk", "a disk that was polled", "a task of the kernel", "the scheduler", "a precise timer", "the kernel's RCU"];

/** The number of the soft interrupt in which packets are received. */
const NET_RX = 3;

/** Whether the network ended a sleep: a packet did, or a thread that receives them in place of an interrupt. */
export function byNetwork(w: { how: string; name: string } | null | undefined): boolean {
  return !!w && (w.how === "packet" || (w.how === "thread" && /^(ksoftirqd|napi)\//.test(w.name)));
}

// What is no thread and woke one, as the server names it, in words.
function sourceWords(how: string): string {
  if (how === "packet") return `a packet from the network (soft interrupt ${NET_RX})`;
  if (how === `softirq ${NET_RX}`) return `a packet or a timer, in soft interrupt ${NET_RX}: which of them was not recorded`;
  const soft = /^softirq (\d+)$/.exec(how);
  if (!soft) return how === "timer" ? "a timer" : how.replace(/^irq /, "interrupt ");
  const means = SOFT[Number(soft[1])];
  return means ? `${means} (soft interrupt ${soft[1]})` : `soft interrupt ${soft[1]}`;
}

// How far a host's clock is from the reference's in the middle of the window.
function offsetTo(set: SetModel, host: number, view: View): string | null {
  const extent = set.extent(host, true);
  const t = timeAt(view.window, 0.5);
  const local = extent ? (t < extent.begin ? extent.begin : t > extent.end ? extent.end : t) : t;
  const reference = set.toReference(host, local);
  if (reference === null) return null;
  const offset = Number(local - reference);
  return (offset < 0 ? MINUS : "+") + about(Math.abs(offset), 4);
}

/** What raw time changes; "" while times are synchronized, and where there is nothing to synchronize. */
export function rawWords(set: SetModel, view: View): string {
  const reference = set.hosts.find((x) => x.reference && !x.unsynchronized);
  if (!view.raw || !reference || set.hosts.length < 2) return "";
  return `Each host's own clock is drawn; beside it, how far it is ahead (+) of ${isolated(reference.name)}'s or behind (${MINUS}). Messages may seem received before they were sent; Synchronized sets this right.`;
}

/** Which stretch of time the window shows. */
export function windowWords(view: View): string {
  return `from ${seconds(view.window.begin - view.origin(), digitsFor(view.window.span))}, ${about(view.window.span)} wide`;
}

/** What a request was that a thread is shown for, as a sentence; its times are from the begin of the set. */
export function requestWords(server: string, asked: Ns, answered: Ns): string {
  return `Request to ${server}: ${about(Number(answered - asked))}, from ${seconds(asked, 6)} to ${seconds(answered, 6)}.`;
}

/** What messages are told by: rows by their ids, hosts with their clocks, and the time that is drawn. */
interface Told {
  readonly rows: RowTable;
  readonly set: SetModel;
  readonly view: View;
}

/** The error of a message's latency in synchronized time: -1 where none is known. */
export function latencyError({ rows, set, view }: Told, m: Picked): number {
  const [from, to] = [rows.get(m.from)?.host, rows.get(m.to)?.host];
  if (view.raw || from === undefined || to === undefined) return -1;
  const [sent, received] = [set.toLocal(from, m.ends?.sentFirst ?? m.sent), set.toLocal(to, m.ends?.receivedLast ?? m.received)];
  if (sent === null || received === null) return -1;
  if (!m.bundle) return set.errorBetween(from, sent, to, received) ?? -1;
  // Of a bundle by the worst bounds that its messages have, and a latency as long as the mean: by both hosts' bounds the server tells it.
  const sum = m.errorFrom < 0 || m.errorTo < 0 ? null : m.errorFrom + m.errorTo;
  const direct = m.ends && !m.violation ? set.directError(from, sent, to, received, Number(m.received - m.sent)) : null;
  return direct === null || sum === null ? (direct ?? sum ?? -1) : Math.min(sum, direct);
}

/** Whether times of two hosts, given by rows, are drawn that nothing relates: each is by another clock, and only of raw time does the page say so. */
export function apart({ rows, set, view }: Told, from: number, to: number): boolean {
  const [a, b] = [rows.get(from), rows.get(to)];
  return !view.raw && !!a && !!b && !set.related(a.host, b.host);
}

/** How long a message took, or those of a bundle on average: in synchronized time as well as the clocks let it be known, where there is a bound. */
export function latencyWords(c: Told, m: Picked): string {
  const latency = Number(m.received - m.sent);
  if (c.view.raw) return exact(latency);
  const error = latencyError(c, m);
  return error < 0 ? `${about(latency)} ± ?` : measured(latency, error); // as the table of events has it
}

/** When a message, or on average those of a bundle, was sent and received, and how long it took where that is known. */
export function messageTerms(c: Told, m: Picked): [string, string][] {
  const { view } = c;
  const mean = m.bundle ? ", mean" : "";
  const out: [string, string][] = [
    ["Sent" + mean, seconds(m.sent - view.origin())],
    ["Received" + mean, seconds(m.received - view.origin())],
  ];
  if (!apart(c, m.from, m.to)) out.push(["Latency" + mean, latencyWords(c, m)]);
  if (m.bytes > 0) out.push(["Size", bytes(m.bytes)]);
  return out;
}

/** How many messages a bundle has. */
export const manyWords = (m: Picked): string => `${m.roughly ? "about " : ""}${counted(m.count, "message")}`;

/** What is known of a chosen message; of a bundle when the first and the last of its messages were sent and received, in place of the means. */
export function chosenTerms(c: Told, m: Picked): [string, string][] {
  const terms = messageTerms(c, m);
  if (!m.ends) return terms;
  const at = (t: Ns) => seconds(t - c.view.origin());
  return [
    ["First sent", at(m.ends.sentFirst)],
    ["Last sent", at(m.ends.sentLast)],
    ["First received", at(m.ends.receivedFirst)],
    ["Last received", at(m.ends.receivedLast)],
    ...terms.slice(2),
  ];
}

/** A host's local time, its error, and why nothing of the host is there, for a time of the view. */
export function hostTime(set: SetModel, host: number, view: View, t: Ns): { local: Ns | null; error: number | null; silent: Silence } {
  const local = view.raw ? t : set.toLocal(host, t);
  return { local, error: local === null ? null : set.errorAt(host, local), silent: local === null ? "" : set.silence(host, local) };
}
