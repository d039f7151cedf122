// How many messages are in view, and how many of them were received before they were sent: exact where the server has
// counted them, else by the mean times of bundles.

import type { View } from "../model/view.js";
import type { MessagesAnswer } from "../net/wire.js";
import { counted, group } from "../time/number.js";
import type { Context } from "./controlflow.js";
import { Sent } from "./sent.js";
import { apart } from "./words.js";

/** Messages of a window. */
export interface Counts {
  readonly all: number; // on their way in it; in raw time sent in it or received in it
  readonly open: number; // of them between hosts whose clocks are not related
  readonly backward: number; // of them received before they were sent
  readonly exact: boolean;
  readonly part?: boolean; // there may be more in what of the window has not been told of yet
}

/** The times that a window shows. */
export function inWindow({ window: w }: View): { begin: bigint; end: bigint } {
  return { begin: w.begin, end: w.begin + BigInt(Math.round(w.span)) };
}

export class InView {
  private readonly sent: Sent;

  /** onAnswer is called when there is a better answer than before. */
  constructor(id: string, private readonly c: Context, onAnswer: () => void) {
    this.sent = new Sent(id, c);
    this.sent.onAnswer = onAnswer;
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    this.sent.again();
  }

  /** The counts of what is drawn, which is part of the window or all, those of two hosts alone where pair names them; null while nothing is there. */
  of(a: MessagesAnswer | null, part: boolean, pair: readonly string[] | null): Counts | null {
    if (!a) return null;
    const { view } = this.c;
    const { begin, end } = inWindow(view);
    const bundled = this.bundled(a);
    const counted = this.exactly(begin, end, bundled, pair);
    return counted ?? { ...this.drawn(a, Number(begin - a.base), Number(end - a.base), !bundled), part };
  }

  // Whether bundles may lie across an edge of the window: which of their messages are in view, they do not say.
  private bundled(a: MessagesAnswer): boolean {
    const { set, view } = this.c;
    const all = set.bounds(view.raw);
    const { begin, end } = inWindow(view);
    return a.counts.some((n) => n > 1) && !(all && begin <= all.begin && end >= all.end);
  }

  private exactly(begin: bigint, end: bigint, want: boolean, pair: readonly string[] | null): Counts | null {
    const { set, view } = this.c;
    const answer = this.sent.of(begin, end, want);
    if (!answer) return null;
    const index = (name: string) => set.hosts.find((x) => x.name === name)?.index ?? -1;
    const wanted = (p: { from: string; to: string }) => !pair || (pair.includes(p.from) && pair.includes(p.to));
    const pairs = answer.pairs.filter(wanted);
    const sum = (of: typeof pairs) => of.reduce((n, p) => n + p.messages, 0);
    const backward = pairs.reduce((n, p) => n + p.before_sent, 0);
    return { all: sum(pairs), open: view.raw ? 0 : sum(pairs.filter((p) => !set.related(index(p.from), index(p.to)))), backward, exact: true };
  }

  // Times are relative to the base of the answer.
  private drawn(a: MessagesAnswer, from: number, to: number, exact: boolean): Counts {
    const inside = (t: number) => t >= from && t < to;
    const seen = (sent: number, received: number) => (this.c.view.raw ? inside(sent) || inside(received) : Math.min(sent, received) < to && Math.max(sent, received) >= from);
    let [all, open, backward] = [0, 0, 0];
    for (let i = 0; i < a.count; i++) {
      if (!seen(a.sent[i], a.received[i])) continue;
      all += a.counts[i];
      backward += a.backward[i];
      if (apart(this.c, a.from[i], a.to[i])) open += a.counts[i];
    }
    return { all, open, backward, exact };
  }
}

const roughly = ({ exact }: Counts) => (exact ? "" : "about ");

export function countWords(n: Counts): string {
  return `${roughly(n)}${counted(n.all, "message")} in view${n.part ? " so far" : ""}${n.open > 0 ? `, ${group(n.open)} between hosts whose clocks are not related` : ""}`;
}

/** That there are none is said too, of those of which it can be told. within is that none is so by more than the error of the clocks. */
export function backwardWords(n: Counts, within = false): string {
  if (n.backward > 0) return within ? `${roughly(n)}${group(n.backward)} received before sent, within the error of the clocks` : `⚠ ${roughly(n)}${group(n.backward)} received before sent`;
  if (n.all <= n.open) return "";
  return `none ${n.open > 0 ? "of the others " : ""}received before sent${n.part ? " so far" : ""}`;
}
