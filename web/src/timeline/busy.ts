// Which rows run in the window. The server is asked for one single column per row. One
// pure state that is no running one: the row is idle. A share of a running state: it is
// busy. What is left is mixed without a share that counts: born or ended in the window,
// or up for less than a 500th of it. Of those a closer look at a few more columns tells
// which only begin or end.

import { LOOKS, UNKNOWN } from "../draw/palette.js";
import { HOST } from "../model/rows.js";
import { MIXED, NOTHING, STATES, type StatesAnswer } from "../net/wire.js";
import { VIEWS } from "../net/views.js";
import { endOf } from "../time/window.js";
import type { Context } from "./controlflow.js";

const CHUNK = 4096;
const MOST_CHUNKS = 16;
const CLOSER_COLUMNS = 128;
const SETTLE = 220;

type Verdict = "busy" | "idle" | "doubtful";

export class Busy {
  known = false;
  private readonly verdicts = new Map<number, Verdict>();
  private readonly looked = new Map<number, boolean>(); // doubtful rows: busy after the closer look
  private told: ReadonlySet<number> = new Set();
  private asked = "";
  private closer = "";
  private timer = 0;
  private missing = new Set<number>();
  private chunks = 0;
  private times = 0; // how often times were named anew
  private early = new Map<number, () => void>(); // answers by clocks that nobody has told of yet, by view

  constructor(private readonly c: Context, private readonly onChange: () => void) {}

  /** Whether a row runs, as far as all rows were looked at: while some are, it is as before. */
  is(id: number): boolean {
    return this.told.has(id);
  }

  reset(): void {
    this.known = false;
    this.asked = this.closer = "";
    this.early.clear();
    this.verdicts.clear();
    this.looked.clear();
    this.told = new Set();
  }

  /** Times are others: what is known stays until it is known anew, whatever is answered of the times that there were. */
  retime(): void {
    this.asked = this.closer = "";
    this.times++;
    this.early.clear();
  }

  /** Asks anew where window, time or the number of rows changed, once they have settled. */
  request(): void {
    const { view, rows } = this.c;
    const early = [...this.early.values()];
    this.early.clear();
    for (const take of early) take(); // or it waits again
    if (!view.busyOnly || view.empty || view.tab !== "timeline") return this.pause();
    const key = `${view.window.begin} ${view.window.span} ${view.time} ${rows.threads}`;
    if (key === this.asked) return;
    this.asked = key;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), this.known ? SETTLE : 0);
  }

  /** Stops asking; what is known stays. */
  pause(): void {
    clearTimeout(this.timer);
    for (let k = 0; k < this.chunks; k++) this.c.live.drop(VIEWS.busy + k);
    this.c.live.drop(VIEWS.busyCloser);
    this.early.clear();
    this.chunks = 0;
    this.asked = this.closer = "";
  }

  private states(columns: number, rows: number[]) {
    const { view } = this.c;
    return { op: "states", begin: String(view.window.begin), end: String(endOf(view.window)), columns, time: view.time, rows } as const;
  }

  private ask(): void {
    const { rows, live } = this.c;
    this.early.clear();
    const ids: number[] = [];
    const walk = (id: number) => {
      if (rows.get(id)!.kind !== HOST) ids.push(id);
      rows.children(id).forEach(walk);
    };
    rows.hostRows().forEach(walk);
    const chunks = Math.min(MOST_CHUNKS, Math.ceil(ids.length / CHUNK));
    for (let k = chunks; k < this.chunks; k++) live.drop(VIEWS.busy + k);
    this.chunks = chunks;
    this.closer = "";
    this.missing = new Set(Array.from({ length: chunks }, (_, k) => k));
    for (let k = 0; k < chunks; k++)
      this.answered(VIEWS.busy + k, this.states(1, ids.slice(k * CHUNK, (k + 1) * CHUNK)), (m) => {
        m.rows.forEach((id, r) => this.verdicts.set(id, verdict(m, r)));
        this.missing.delete(k);
        this.look();
      });
  }

  // The closer look, once all rows have a verdict and whenever others are in doubt.
  private look(): void {
    if (this.missing.size > 0) return;
    const doubtful = [...this.verdicts].filter(([, v]) => v === "doubtful").map(([id]) => id);
    const key = doubtful.join();
    if (doubtful.length === 0) return this.tell();
    if (key === this.closer) { // what the closer look has not told of them is no reason to leave any out
      if (doubtful.every((id) => this.looked.has(id))) this.tell();
      return;
    }
    this.closer = key;
    this.lookAt(doubtful, key);
  }

  // One answer has so many rows at most: the rest is asked for when it is there.
  private lookAt(ids: number[], key: string): void {
    this.answered(VIEWS.busyCloser, this.states(CLOSER_COLUMNS, ids.slice(0, CHUNK)), (m) => {
      if (key !== this.closer) return; // or it is of rows or times that are others now
      m.rows.forEach((id, r) => this.looked.set(id, runs(m, r)));
      this.tell();
      if (ids.length > CHUNK) this.lookAt(ids.slice(CHUNK), key);
    });
  }

  // Takes the answers to a request. By clocks of another reference the window is called otherwise, and an answer by them may come before
  // they do or after: what it says of the times that were asked for, when mostly nothing was recorded, would leave out every row. So an
  // answer waits for its clocks, and none is taken once times are others.
  private answered(view: number, request: ReturnType<Busy["states"]>, take: (m: StatesAnswer) => void): void {
    const times = this.times;
    this.c.live.ask(view, request, (m) => {
      if (m.kind !== "states") return;
      const now = () => {
        if (times !== this.times) return;
        if (m.clocks.version > (this.c.set.clocks?.version ?? 0)) this.early.set(view, now);
        else take(m);
      };
      this.early.delete(view);
      now();
    });
  }

  private tell(): void {
    const now = new Set<number>();
    for (const [id, v] of this.verdicts) if (v === "busy" || (v === "doubtful" && this.looked.get(id))) now.add(id);
    if (this.known && now.size === this.told.size && [...now].every((id) => this.told.has(id))) return;
    this.told = now;
    this.known = true;
    this.onChange();
  }
}

/** What one column says of row r. */
export function verdict(a: StatesAnswer, r: number): Verdict {
  const k = a.rowRuns[r];
  if (k === a.rowRuns[r + 1] || a.runState[k] === NOTHING) return "idle";
  if (a.runState[k] !== MIXED) return LOOKS[a.runState[k]].running ? "busy" : "idle";
  const mix = a.rowMixes[r] * STATES;
  return runningShare(a, mix) > 0 || restingShare(a, mix) === 0 ? "busy" : "doubtful";
}

/** Whether the columns of row r show more than that the thread began, ended, or became known. */
export function runs(a: StatesAnswer, r: number): boolean {
  const [first, last] = [a.rowRuns[r], a.rowRuns[r + 1]];
  let mix = a.rowMixes[r] * STATES;
  for (let k = first; k < last; k++) {
    const s = a.runState[k];
    if (s === NOTHING) continue;
    if (s !== MIXED) {
      if (LOOKS[s].running) return true;
      continue;
    }
    // Between two stretches of which nothing is known it was seen to do something: at an event, where user space alone is traced.
    const known = k > first && a.runState[k - 1] === UNKNOWN && !(k < last - 1 && a.runState[k + 1] === UNKNOWN);
    const begins = k === first || a.runState[k - 1] === NOTHING || known;
    const ends = k === last - 1 || a.runState[k + 1] === NOTHING;
    const alike = a.runEnd[k] - (k === first ? 0 : a.runEnd[k - 1]); // columns, each with something in it
    if (runningShare(a, mix) > 0 || !(begins || ends) || alike > 2) return true;
    mix += STATES;
  }
  return false;
}

function runningShare(a: StatesAnswer, mix: number): number {
  let n = 0;
  for (let s = 0; s < STATES; s++) if (LOOKS[s].running) n += a.mixes[mix + s];
  return n;
}

function restingShare(a: StatesAnswer, mix: number): number {
  let n = 0;
  for (let s = 0; s < STATES; s++) if (!LOOKS[s].running) n += a.mixes[mix + s];
  return n;
}
