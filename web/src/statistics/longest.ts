// The longest system calls: each a way to where it was.

import type { CallsAnswer, OneCall } from "../home/api.js";
import { about } from "../time/time.js";
import { h } from "../ui/dom.js";

/** Asks for the timeline, with a call of a host. */
export type Shows = (host: string, call: OneCall) => void;

export const tookOf = (c: OneCall): number => Number(BigInt(c.local_end) - BigInt(c.local_begin));

/** A call's time as a button that shows the call. */
export function longestButton(host: string, c: OneCall, words: string, show: Shows, more: Node | null = null): HTMLElement {
  return h("button", { type: "button", class: "link goes", title: `Show this ${c.name} of ${c.thread || "thread"} · ${c.tid} in the timeline`, onclick: () => show(host, c) }, words, more);
}

/** Of the threads of an answer of calls the longest call of each, by host and number. */
export class LongestOfThreads {
  private calls = new Map<string, OneCall>();
  private untold = new Map<string, number>(); // by host: so long was the shortest that is told, where some are left out
  private known = false;

  take(answer: CallsAnswer): void {
    this.forget();
    this.known = true;
    for (const x of answer.hosts) {
      for (const c of x.threads) this.calls.set(`${x.host} ${c.tid}`, c);
      const last = x.threads[x.threads.length - 1];
      if (x.untold && last) this.untold.set(x.host, tookOf(last));
    }
  }

  /** What is known is of another stretch. */
  forget(): void {
    this.known = false;
    this.calls.clear();
    this.untold.clear();
  }

  of(host: string, tid: number): OneCall | null {
    return this.calls.get(`${host} ${tid}`) ?? null;
  }

  /** What a row of a thread has for it. */
  cell(host: string, tid: number, show: Shows): Node | string {
    const c = this.of(host, tid);
    if (c) return longestButton(host, c, about(tookOf(c)), show, h("span", { class: "callname" }, ` · ${c.name}`));
    if (!this.known) return "…";
    const least = this.untold.get(host);
    return least === undefined ? "–" : h("span", { title: `Not told: it is none of those of ${host} that took ${about(least)} or longer` }, "–");
  }
}
