// How many messages are in the window. Bundles do not say which of theirs are: where some are drawn the server is asked, once
// the window rests.

import { readMatrix, type MatrixAnswer } from "../messages/answers.js";
import type { Context } from "./controlflow.js";

/** A window that rests for so many ms is asked about. */
const RESTS = 250;

export class Sent {
  /** There is an answer. */
  onAnswer: () => void = () => {};
  private wanted = "";
  private answer: MatrixAnswer | null = null;
  private timer = 0;
  private reading: AbortController | null = null;

  constructor(private readonly id: string, private readonly c: Context) {}

  /** The messages of the window, by pairs of hosts; null while that is not known. Without want nobody needs to know. */
  of(begin: bigint, end: bigint, want: boolean): MatrixAnswer | null {
    const { set, view } = this.c;
    const known = want && set.info?.state === "ready" && view.tab === "timeline";
    const wanted = known ? [begin, end, view.raw, set.clocks?.version].join() : "";
    if (wanted !== this.wanted) {
      this.leave();
      this.wanted = wanted;
      this.answer = null;
      if (wanted) this.timer = setTimeout(() => void this.read(begin, end, view.raw), RESTS);
    }
    return this.answer;
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    if (!this.wanted || this.answer) return;
    this.wanted = "";
    this.onAnswer();
  }

  private leave(): void {
    clearTimeout(this.timer);
    this.reading?.abort();
    this.reading = null;
  }

  private async read(begin: bigint, end: bigint, raw: boolean): Promise<void> {
    const reading = (this.reading = new AbortController());
    for (;;) {
      const answer = await readMatrix(this.id, { begin, end }, raw, reading.signal).catch(() => null);
      if (this.reading !== reading || !answer) return;
      if (!answer.complete) continue;
      this.reading = null;
      this.answer = answer;
      return this.onAnswer();
    }
  }
}
