// Whether a message went from one moment of a host to one of another: then the first came first, whatever the clocks leave open. The server is
// asked of two moments that somebody compares, once these rest; until it has answered nothing is known.

import { near, ROUNDED, type Ns } from "../time/time.js";

/** A message by when its ends were, each by the clock of its host. */
export interface Passed {
  readonly sent: Ns;
  readonly received: Ns;
}

/** What leads from one moment to another: they are the two ends of a message, or one was sent no earlier than the first and arrived no later than the second. */
export type Passage = "ends" | "through" | null;

/** How long moments rest before the server is asked, ms. */
const REST = 150;
/** So many answers are kept. */
const KEPT = 64;

export class Passages {
  private readonly answers = new Map<string, Passage>();
  private wanted: (() => Promise<void>) | null = null; // the last that was wanted
  private timer: ReturnType<typeof setTimeout> | null = null;
  private asking = false;

  /** read tells the messages from a host to another that were sent from one time of the sender's clock until before another; null where there are too many to
   * tell each. onKnown is told that there is an answer. */
  constructor(private readonly read: (from: string, to: string, begin: Ns, end: Ns) => Promise<readonly Passed[] | null>, private readonly onKnown: () => void, private readonly rest = REST) {}

  /** What leads from a moment of a host to one of another, each by its own clock, that lie no more than so many ns apart; null where that is nothing, or not known yet. */
  of(a: string, at: Ns, b: string, then: Ns, apart: number): Passage {
    const key = keyOf(a, at, b, then);
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    this.wanted = () => this.ask(key, a, at, b, then, BigInt(Math.ceil(apart)));
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.next(), this.rest);
    return null;
  }

  /** What is known to lead from the one to the other, without a question. */
  known(a: string, at: Ns, b: string, then: Ns): Passage {
    return this.answers.get(keyOf(a, at, b, then)) ?? null;
  }

  private async next(): Promise<void> {
    const { wanted } = this;
    if (this.asking || !wanted) return;
    this.wanted = null;
    this.asking = true;
    await wanted();
    this.asking = false;
    void this.next();
  }

  private async ask(key: string, a: string, at: Ns, b: string, then: Ns, apart: Ns): Promise<void> {
    if (this.answers.has(key)) return; // it was wanted again while it was on its way
    const passed = await this.read(a, b, at - ROUNDED, at + apart + ROUNDED).catch(() => undefined);
    if (passed === undefined) return;
    const found = !passed ? null : passed.some((m) => near(m.sent, at) && near(m.received, then)) ? "ends" : passed.some((m) => m.sent >= at && m.received <= then) ? "through" : null;
    if (this.answers.size >= KEPT) this.answers.delete(this.answers.keys().next().value!);
    this.answers.set(key, found);
    if (found) this.onKnown();
  }
}

const keyOf = (a: string, at: Ns, b: string, then: Ns) => [a, at, b, then].join("\n");
