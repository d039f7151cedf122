// How many messages of each link are received before they are sent and no violations, for it is by no more than the error of the clocks, at times close
// to which one was set: the timeline counts them, too.

import { readMatrix, type MatrixAnswer, type PairMessages } from "../messages/answers.js";
import { wasSet } from "../model/early.js";
import type { LinkInfo } from "../net/json.js";
import type { Context } from "../timeline/controlflow.js";

export class Early {
  /** There is an answer. */
  onAnswer: () => void = () => {};
  private wanted = "";
  private answer: MatrixAnswer | null = null;
  private reading: AbortController | null = null;

  constructor(private readonly id: string, private readonly c: Context) {}

  /** Those of all links, 0 while they are not counted. */
  get all(): number {
    return (this.c.set.clocks?.links ?? []).reduce((n, l) => n + this.of(l), 0);
  }

  /** Those of a link. */
  of(l: LinkInfo): number {
    return earlyOf(l, this.answer?.pairs ?? []);
  }

  /** Has them counted, if there can be any: where a clock was set, or a latency is below zero. The whole set is read for that, so it is asked once for each synchronization. */
  refresh(): void {
    const { set } = this.c;
    const early = (l: LinkInfo) => Math.min(l.latency_ns?.a_to_b?.min ?? 0, l.latency_ns?.b_to_a?.min ?? 0) < 0;
    const some = set.info?.state === "ready" && set.clocks?.final !== false && (wasSet(set) || (set.clocks?.links ?? []).some(early));
    const wanted = some ? String(set.clocks?.version) : "";
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.answer = null;
    this.reading?.abort();
    this.reading = null;
    if (wanted) void this.read();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    if (this.wanted && !this.answer && !this.reading) void this.read();
  }

  private async read(): Promise<void> {
    const reading = (this.reading = new AbortController());
    for (;;) {
      const answer = await readMatrix(this.id, null, false, reading.signal).catch(() => null);
      if (this.reading !== reading) return;
      if (answer && !answer.complete) continue;
      this.reading = null;
      this.answer = answer;
      return answer ? this.onAnswer() : undefined;
    }
  }
}

/** How many messages of a link are received before they are sent and no violations, of those that went from host to host. */
export function earlyOf(l: LinkInfo, pairs: readonly Pick<PairMessages, "from" | "to" | "before_sent" | "beyond_error">[]): number {
  const own = pairs.filter(({ from, to }) => (from === l.a && to === l.b) || (from === l.b && to === l.a));
  const sum = (of: (p: (typeof own)[number]) => number) => own.reduce((n, p) => n + of(p), 0);
  return Math.max(0, sum((p) => p.before_sent) - Math.max(l.violations, sum((p) => p.beyond_error)));
}
