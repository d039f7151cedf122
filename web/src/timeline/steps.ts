// Steps from state to state along a row: of a thread, a CPU or an interrupt. While one is on its way more may be wanted.

import type { At } from "../net/json.js";
import { parseNs, type Ns } from "../time/time.js";
import { askAt } from "./askat.js";
import type { Chosen } from "./chosen.js";
import type { Context } from "./controlflow.js";
import type { Pointer } from "./pointer.js";

/** So many steps wait for the one that is on its way: a key that is held is soon at rest when it is let go. */
const MOST_STEPS = 8;

/** Whose states are gone along. */
export interface Along {
  /** The view by which the server is asked. */
  readonly view: number;
  /** The state that is selected; null for none. */
  chosen(): Chosen | null;
  /** What has its states in a row, as a word. */
  whose(row: number): string;
  /** Something else is on its way to be told of the state that is left. */
  leave(): void;
  /** Selects what the server answered for a time in a row. */
  take(row: number, at: At | null, asked: Ns): void;
  /** Selects a state where none is. */
  first(): void;
}

export class Steps {
  /** A state is on its way, and so many steps to those beside it are wanted after it, back if below 0; null where none is. */
  private wanted: number | null = null;

  constructor(private readonly c: Pick<Context, "live" | "view" | "rows" | "set">, private readonly pointer: Pick<Pointer, "note">, private readonly along: Along) {}

  /** A state was asked for: steps go on from that. */
  wait(): void {
    this.wanted = 0;
  }

  /** What was wanted is not any more. */
  stop(): void {
    this.wanted = null;
  }

  /** Whether there is a state to go on from, or one on its way. */
  get begun(): boolean {
    return this.wanted !== null || this.along.chosen() !== null;
  }

  /** The state after the selected one, or before it; while one is on its way, the one after that. */
  step(forward: boolean): void {
    if (this.wanted !== null) this.wanted = Math.max(-MOST_STEPS, Math.min(MOST_STEPS, this.wanted + (forward ? 1 : -1)));
    else if (this.along.chosen()) {
      this.wanted = 0;
      this.beside(forward, 0n);
    } else this.along.first();
  }

  // A ns that a clock map rounds away is gone on by one more.
  private beside(forward: boolean, further: Ns): void {
    const { view, rows, set } = this.c;
    const { along } = this;
    const from = along.chosen()!;
    along.leave();
    const at = forward ? from.end + further : from.begin - 1n - further;
    askAt(this.c, along.view, from.row, at, (m) => {
      if (m.kind !== "at" || along.chosen() !== from) return this.stop();
      const begin = parseNs(m.body?.begin);
      if (begin === null) {
        this.stop();
        const host = rows.get(from.row)?.host ?? null;
        const so = forward && host !== null && set.unread(host) ? " that is read so far" : "";
        return this.pointer.note(host, `This is the ${along.whose(from.row)}'s ${forward ? "last" : "first"} state${so}.`);
      }
      if (begin === from.begin && further < 4n) return this.beside(forward, further + 1n);
      along.take(from.row, m.body, at);
      const w = view.window;
      if (begin < w.begin || begin >= w.begin + BigInt(Math.round(w.span))) view.jump({ begin: begin - BigInt(Math.round(w.span * (forward ? 0.3 : 0.7))), span: w.span }, false);
      this.goOn();
    });
  }

  /** The state is there: the steps that were wanted meanwhile are made. */
  goOn(): void {
    const more = this.wanted ?? 0;
    this.wanted = null;
    if (more === 0 || !this.along.chosen()) return;
    this.step(more > 0);
    this.wanted = more - Math.sign(more);
  }
}
