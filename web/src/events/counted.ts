// How many events a filter wants, of the whole set: counted a part at a time beside what is listed, and no further than is worth it.

import { counted, group, percent } from "../time/number.js";

/** What one part has; until is where the next begins, null behind the last. */
export interface Part {
  readonly count: number;
  readonly looked: number;
  readonly until: string | null;
}

/** So many events of a set are looked at; of a larger one it is said that there are more. */
export const MOST = 40e6;
/** What is asked for has rested for so many ms before it is counted: the rows come first. */
const RESTS = 300;

export class Counted {
  /** There is another number. */
  onChange: () => void = () => {};
  /** How many there are so far; null while nobody knows of any. */
  count: number | null = null;
  /** All were looked at. */
  whole = false;
  private looked = 0;
  private key = "";
  private timer = 0;
  private reading: AbortController | null = null;

  /** ask is for the part that begins at a time, "" for the first. */
  constructor(private readonly ask: (begin: string, signal: AbortSignal) => Promise<Part>) {}

  /** Counts what a question wants, once for each; "" for nothing. */
  of(key: string): void {
    if (key === this.key) return;
    this.key = key;
    this.leave();
    [this.count, this.whole, this.looked] = [null, false, 0];
    if (key) this.timer = setTimeout(() => void this.read(), RESTS);
  }

  /** It is being counted, or about to be. */
  get counting(): boolean {
    return this.timer !== 0 || this.reading !== null;
  }

  /** It is known that there are none. */
  get none(): boolean {
    return this.whole && this.count === 0;
  }

  /** Counts no further; what is known is kept, and the same question is counted anew. */
  rest(): void {
    if (!this.timer && !this.reading) return;
    this.leave();
    this.key = "";
  }

  /** The server is there again: what it did not answer is counted anew. */
  again(): void {
    if (!this.whole && !this.reading && !this.timer && this.looked < MOST) this.key = "";
  }

  private leave(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.reading?.abort();
    this.reading = null;
  }

  private async read(): Promise<void> {
    this.timer = 0;
    const reading = (this.reading = new AbortController());
    try {
      for (let begin: string | null = ""; begin !== null && this.looked < MOST; ) {
        const part: Part = await this.ask(begin, reading.signal);
        if (this.reading !== reading) return;
        this.count = (this.count ?? 0) + part.count;
        this.looked += part.looked;
        begin = part.until;
        this.whole = begin === null;
        if (begin !== null && this.looked < MOST) this.onChange();
      }
    } catch {
      if (this.reading !== reading) return; // what is wrong with the question is said of the rows
    }
    this.reading = null;
    this.onChange();
  }

  /** The number that a question wants in words, of so many in all; "" where nobody knows it. */
  words(all: number, question: string): string {
    if (this.count === null || question !== this.key) return "";
    const n = counted(this.count, "event");
    if (this.whole) return this.count !== all ? `${group(this.count)} of ${counted(all, "event")}` : all === 1 ? "the only event" : `all ${n}`;
    if (this.reading) return `${n} so far, ${percent(Math.min(1, this.looked / Math.max(1, Math.min(all, MOST))))} looked at…`;
    return this.count > 0 ? `${n} or more` : `none among the first ${group(this.looked)} events`;
  }
}
