// Two clocks that exchange messages are mostly known better against each other than both against the reference: what the ways to it have
// in common does not count between them. So of a pair that somebody points at the server is asked, once for each
// version of the clocks; until it has answered, and where it cannot, what is said of a pair is what both errors add up to.

import type { Between } from "../net/json.js";
import { parseNs, type Ns } from "../time/time.js";

/** No two clocks run apart by more: so much of a time between two moments may be the rate of the clock that it is told by. */
export const RATES = 1e-3;
/** ns that a map may round away. */
export const MAP_ROUNDS = 1;

/** The error of a time between two hosts that know each other to a bound, where the rate of the clock that it is told by differs from the reference's by no more than
 * steep; null where that is more than rates explain, so that a clock was set. */
export function timeError(bound: number, time: number, steep: number): number | null {
  return steep > RATES ? null : bound + time * steep + (time + bound) * RATES + MAP_ROUNDS;
}

export class Directs {
  private answers = new Map<string, Between | null>(); // null: asked, and nothing better is known
  private version = -1;
  private wanted: (() => void) | null = null; // the last that was wanted while another was on its way
  private asking = false;

  /** read asks the server to compare two hosts; onKnown is told that there is an answer. */
  constructor(private readonly read: (a: string, b: string) => Promise<Between>, private readonly onKnown: () => void) {}

  /** How two hosts, a before b in the order of asked, compare by the clocks of a version; null where that is not known, or not yet. */
  of(a: string, b: string, version: number): Between | null {
    if (version !== this.version) {
      this.version = version;
      this.answers.clear();
      this.wanted = null;
    }
    const key = `${a}\n${b}`;
    const known = this.answers.get(key);
    if (known === undefined) {
      this.wanted = () => void this.ask(a, b, key, version);
      if (!this.asking) this.next();
    }
    return known ?? null;
  }

  /** The server is there again: what it did not answer may be asked once more. */
  again(): void {
    for (const [key, answer] of this.answers) if (!answer) this.answers.delete(key);
  }

  private next(): void {
    const { wanted } = this;
    this.wanted = null;
    wanted?.();
  }

  private async ask(a: string, b: string, key: string, version: number): Promise<void> {
    if (this.answers.has(key)) return; // it was wanted again while it was on its way
    this.asking = true;
    const answer = await this.read(a, b).catch(() => null);
    this.asking = false;
    if (version === this.version) {
      this.answers.set(key, answer?.version === version ? answer : null);
      if (answer) this.onKnown();
    }
    this.next();
  }
}

/** The bound at a's time t: between two entries the larger one; null outside of them. */
export function boundOf(c: Between, t: Ns): number | null {
  const next = c.error.findIndex(([at]) => (parseNs(at) ?? t) >= t);
  if (next < 0) return null;
  if (BigInt(c.error[next][0]) === t) return c.error[next][1];
  return next === 0 ? null : Math.max(c.error[next - 1][1], c.error[next][1]);
}

/** The largest bound from one of a's times to a later one; null where there is none for all of that. */
export function worstOf(c: Between, from: Ns, to: Ns): number | null {
  const [begin, end] = [boundOf(c, from), boundOf(c, to)];
  if (begin === null || end === null) return null;
  return c.error.reduce((worst, [at, bound]) => (from < BigInt(at) && BigInt(at) < to ? Math.max(worst, bound) : worst), Math.max(begin, end));
}
