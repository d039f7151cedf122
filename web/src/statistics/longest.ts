// The longest system calls: each a way to where it was.

import type { CallsAnswer, OneCall } from "../home/api.js";
import { counted } from "../time/number.js";
import { about } from "../time/time.js";
import { h } from "../ui/dom.js";

/** Asks for the timeline, with a call of a host. */
export type Shows = (host: string, call: OneCall) => void;

export const tookOf = (c: OneCall): number => Number(BigInt(c.local_end) - BigInt(c.local_begin));

/** A call's time as a button that shows the call. */
export function longestButton(host: string, c: OneCall, words: string, show: Shows, more: Node | null = null): HTMLElement {
  return h("button", { type: "button", class: "link goes", title: `Show this ${c.name} of ${c.thread || "thread"} · ${c.tid} in the timeline`, onclick: () => show(host, c) }, words, more);
}

/** What is told of the longest call of a thread: it, or that there is none; the longest of its first calls alone; that none of its calls was seen to return;
 * nothing, or nothing yet. */
export type Told = "yes" | "in part" | "open" | "no" | "not yet";

/** The longest call of a thread; null where there is none, or none is told. */
export interface Longest {
  readonly longest: OneCall | null;
  readonly told: Told;
}

interface OfHost {
  readonly threads: Map<number, Longest>;
  /** What is told of those that are not among these: that they have no call, or nothing before they are asked for. */
  readonly others: Told;
}

/** Threads by the name of their host and their number. */
type Named = readonly { readonly host: string; readonly tid: number }[];

type Asks = (host: string, tids: readonly number[]) => Promise<CallsAnswer>;

/** So many threads are asked for at once. */
const PART = 400;

/** Of threads the longest call of each, in one stretch: what an answer of all calls tells, and of the threads it leaves out what is asked for. */
export class LongestOfThreads {
  private readonly hosts = new Map<string, OfHost>();
  private asking: Promise<void> = Promise.resolve();
  /** Why something is not told that was asked for. */
  fault = "";

  /** Without an answer nothing is told, or yet. before is what was told of a part of the stretch, which is shown meanwhile. */
  constructor(answer: CallsAnswer | null = null, private readonly asks: Asks | null = null, private readonly unknown: Told = "not yet", private before: LongestOfThreads | null = null) {
    for (const x of answer?.hosts ?? []) {
      const threads = new Map<number, Longest>();
      enter(threads, x);
      this.hosts.set(x.host, { threads, others: x.error ? "no" : x.untold || x.local_until ? "not yet" : "yes" });
    }
    if (before) before.before = null; // or all that was ever told would be kept
  }

  of(host: string, tid: number): Longest {
    const x = this.hosts.get(host);
    const found = x?.threads.get(tid) ?? { longest: null, told: x ? x.others : this.unknown };
    return found.told === "not yet" && this.before ? { longest: this.before.of(host, tid).longest, told: "not yet" } : found;
  }

  /** Asks for those of which nothing is told and that were not asked for, some hundred at a time: done once these are told, and those that were asked for
   * before. Null where there are none. */
  want(threads: Named): Promise<void> | null {
    const parts: [host: string, of: OfHost, tids: number[]][] = [];
    for (const { host, tid } of threads) {
      const of = this.hosts.get(host);
      if (of?.others !== "not yet" || of.threads.has(tid)) continue;
      of.threads.set(tid, { longest: null, told: "not yet" });
      const part = parts.find(([name, , tids]) => name === host && tids.length < PART);
      if (part) part[2].push(tid);
      else parts.push([host, of, [tid]]);
    }
    if (parts.length === 0) return null;
    this.asking = this.asking.then(async () => {
      for (const [host, of, tids] of parts) await this.ask(host, of, tids);
    });
    return this.asking;
  }

  private async ask(host: string, of: OfHost, tids: readonly number[]): Promise<void> {
    try {
      const x = (await this.asks!(host, tids)).hosts[0];
      const others = x.error || x.local_until ? "no" : "yes";
      for (const tid of tids) of.threads.set(tid, { longest: null, told: others });
      enter(of.threads, x);
    } catch (e) {
      this.fault = e instanceof Error ? e.message : String(e);
      for (const tid of tids) of.threads.set(tid, { longest: null, told: "no" });
    }
  }
}

function enter(threads: Map<number, Longest>, x: CallsAnswer["hosts"][number]): void {
  for (const c of x.threads) threads.set(c.tid, { longest: c, told: x.local_until ? "in part" : "yes" });
  for (const tid of x.open ?? []) threads.set(tid, { longest: null, told: "open" });
}

/** What a row of a thread has for it. */
export function longestCell(host: string, { longest, told }: Longest, show: Shows): Node | string {
  if (longest) return longestButton(host, longest, `${told === "in part" ? "≥ " : ""}${about(tookOf(longest))}`, show, h("span", { class: "callname" }, ` · ${longest.name}`));
  return { yes: "–", "in part": "not known", open: "not seen to return", no: "not known", "not yet": "…" }[told];
}

/** What a file has for it: whether the longest call, or that there is none, is known. */
export function knownWords({ told }: Longest): string {
  return { yes: "yes", "in part": "of the first calls", open: "not seen to return", no: "no", "not yet": "no" }[told];
}

/** What is said as they are given away, behind a semicolon; "" where all are known. */
export function lackWords(rows: readonly Longest[]): string {
  const lacking = rows.filter((r) => r.told !== "yes").length;
  return lacking > 0 ? `of ${counted(lacking, "thread")} the longest call is not known for sure, which its last column tells` : "";
}

/** What stands beside the rows; "" where nothing is to be said. */
export function partWords(rows: readonly Longest[]): string {
  return rows.some((r) => r.told === "in part") ? "longest calls with ≥ are those of the first part of the stretch: there are too many to look at each" : "";
}
