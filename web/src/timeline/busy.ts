// Which rows run in the window. The server is asked for one single column per row: a
// row is idle where that column is nothing but waiting, which is exact, for a mixed
// column says that something happened in it.

import { LOOKS } from "../draw/palette.js";
import { HOST } from "../model/rows.js";
import { MIXED, type StatesAnswer } from "../net/wire.js";
import { endOf } from "../time/window.js";
import type { Context } from "./controlflow.js";

const FIRST_VIEW = 32;
const CHUNK = 4096;
const MOST_CHUNKS = 16;
const SETTLE = 220;

export class Busy {
  known = false;
  private readonly idle = new Set<number>();
  private readonly seen = new Set<number>();
  private key = "";
  private timer = 0;
  private chunks = 0;
  private countdown = 0;

  constructor(private readonly c: Context, private readonly onChange: () => void) {}

  is(id: number): boolean {
    return this.seen.has(id) && !this.idle.has(id);
  }

  reset(): void {
    this.known = false;
    this.key = "";
    this.idle.clear();
    this.seen.clear();
  }

  /** Asks anew where window, time or the number of rows changed, once they have settled. */
  request(): void {
    const { view, rows } = this.c;
    if (!view.busyOnly || view.empty || view.tab !== "timeline") return this.pause();
    const key = `${view.window.begin} ${view.window.span} ${view.time} ${rows.threads}`;
    if (key === this.key) return;
    this.key = key;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), this.known ? SETTLE : 0);
  }

  /** Stops asking; what is known stays. */
  pause(): void {
    clearTimeout(this.timer);
    for (let k = 0; k < this.chunks; k++) this.c.live.drop(FIRST_VIEW + k);
    this.chunks = 0;
    this.key = "";
  }

  private ask(): void {
    const { view, rows, live } = this.c;
    const ids: number[] = [];
    const walk = (id: number) => {
      if (rows.get(id)!.kind !== HOST) ids.push(id);
      rows.children(id).forEach(walk);
    };
    rows.hostRows().forEach(walk);
    const chunks = Math.min(MOST_CHUNKS, Math.ceil(ids.length / CHUNK));
    for (let k = chunks; k < this.chunks; k++) live.drop(FIRST_VIEW + k);
    this.chunks = chunks;
    this.countdown = chunks;
    const fresh = new Set<number>();
    for (let k = 0; k < chunks; k++)
      live.ask(
        FIRST_VIEW + k,
        { op: "states", begin: String(view.window.begin), end: String(endOf(view.window)), columns: 1, time: view.time, rows: ids.slice(k * CHUNK, (k + 1) * CHUNK) },
        (m) => {
          if (m.kind === "states") this.take(m, fresh, k);
        },
      );
  }

  private take(m: StatesAnswer, fresh: Set<number>, chunk: number): void {
    const before = this.idle.size * 65537 + this.seen.size;
    let changed = !this.known;
    m.rows.forEach((id, r) => {
      let runs = false;
      for (let k = m.rowRuns[r]; k < m.rowRuns[r + 1]; k++) {
        const s = m.runState[k];
        runs ||= s === MIXED || (s < LOOKS.length && LOOKS[s].running);
      }
      if (this.is(id) !== runs) changed = true;
      this.seen.add(id);
      if (runs) this.idle.delete(id);
      else this.idle.add(id);
    });
    if (!fresh.has(chunk)) {
      fresh.add(chunk);
      this.countdown--;
    }
    if (this.countdown <= 0 && (changed || before !== this.idle.size * 65537 + this.seen.size)) {
      this.known = true;
      this.onChange();
    }
  }
}
