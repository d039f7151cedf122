// What the selected range comes to, as the server adds it up: exact, and the same wherever the window is.

import { readSums, Refusal, type SumsAnswer, type Whose } from "../home/api.js";
import type { Context } from "./controlflow.js";

/** A selection that rests for so many ms is asked about. */
const RESTS = 200;
/** While an import reads more, or when the server has no time, it is asked again after so many ms. */
const AGAIN = 2000;

export class Sums {
  /** The answer to what was asked for last; null while that is not there. */
  answer: SumsAnswer | null = null;
  /** Why there is none, in a sentence; "" where there is one, or will be. */
  refusal = "";
  /** There is an answer, or why not. */
  onAnswer: () => void = () => {};
  private wanted = ""; // the question, without what it is asked of
  private known = ""; // how much of the set there was when it was asked
  private timer = 0;
  private reading: AbortController | null = null;

  constructor(private readonly id: string, private readonly c: Context) {}

  /** Asks what the selection comes to once it rests; tells whether that is another question than before. */
  request(whose: Whose | null): boolean {
    const { selection: s, raw, tab, empty } = this.c.view;
    const wanted = s ? [s.begin, s.end, raw, whose?.tid ?? "", whose?.host ?? ""].join() : "";
    const other = wanted !== this.wanted;
    if (other) {
      this.leave();
      this.wanted = wanted;
      [this.answer, this.refusal, this.known] = [null, "", ""];
    }
    if (!s || empty || tab !== "timeline" || this.c.set.info?.preview) {
      this.leave();
      return other;
    }
    if (this.timer || this.reading || this.state() === this.known) return other;
    this.timer = setTimeout(() => void this.read(s.begin, s.end, raw, whose), this.known && this.c.set.info?.state !== "ready" ? AGAIN : RESTS);
    return other;
  }

  /** The server is there again: what it did not answer can be asked once more. */
  again(): void {
    if (!this.reading && !this.refusal) return;
    this.leave();
    this.known = "";
  }

  // How much of the set is read, by which clocks.
  private state(): string {
    const { info, clocks } = this.c.set;
    return [info?.state, info?.events, info?.preview, clocks?.version].join();
  }

  private leave(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.reading?.abort();
    this.reading = null;
  }

  private async read(begin: bigint, end: bigint, raw: boolean, whose: Whose | null): Promise<void> {
    this.timer = 0;
    const reading = (this.reading = new AbortController());
    const state = this.state();
    const answer = await readSums(this.id, begin, end, raw, whose, reading.signal).catch((e: unknown) => (e instanceof Error ? e : new Error(String(e))));
    if (this.reading !== reading) return;
    this.reading = null;
    this.known = state;
    if (answer instanceof Error) {
      [this.answer, this.refusal] = [null, answer.message];
      if (answer instanceof Refusal && answer.retry) {
        this.timer = setTimeout(() => void this.read(begin, end, raw, whose), AGAIN);
      }
    } else [this.answer, this.refusal] = [answer, ""];
    this.onAnswer();
  }
}
