// What was lost in the window, of each host, for its row: asked for around the window, once that is at rest, and kept until it goes elsewhere.

import { readLosses } from "../home/api.js";
import { anyLost, lossOf, lostThings, type Loss } from "../model/losses.js";
import { Settled } from "../model/settled.js";
import { counted } from "../time/number.js";
import type { Ns } from "../time/time.js";
import { endOf, type Window } from "../time/window.js";
import type { Context } from "./controlflow.js";

const SETTLE = 120; // ms
/** So many stretches are asked for of all hosts together, and of one at least and at most. */
const ALL = 8192;
const LEAST = 64;
const MOST = 1024;
/** An answer of so many times the window's width, or more, is too coarse for it. */
const COARSE = 8;

export class LossesInView {
  private held: { readonly begin: Ns; readonly end: Ns; readonly hosts: ReadonlyMap<string, readonly Loss[]> } | null = null;
  private key = ""; // what held is of, but for its times
  private readonly settled = new Settled(SETTLE, () => void this.ask());
  private asking = false;

  constructor(private readonly id: string, private readonly c: Context) {}

  /** Asks for what is in the window, unless that is at hand. */
  request(): void {
    const { view, set } = this.c;
    if (view.empty || view.tab !== "timeline" || this.asking || this.covers(view.window) || set.info?.preview || !set.hosts.some(anyLost)) return;
    this.settled.begin();
  }

  /** What was lost of a host in the window or beside it, by when it begins, as far as is at hand. */
  of(host: number): readonly Loss[] {
    const name = this.c.set.host(host)?.name;
    return (name !== undefined && this.held?.hosts.get(name)) || [];
  }

  /** What was being lost of a host at a time, or may have been. */
  at(host: number, t: Ns): Loss | undefined {
    return this.of(host).find((x) => x.begin <= t && t <= x.end);
  }

  /** What the window has of it, in words; "" for nothing. */
  words(host: number): string {
    const { begin } = this.c.view.window;
    const end = endOf(this.c.view.window);
    const here = this.of(host).filter((x) => x.begin < end && x.end >= begin);
    if (here.length === 0) return "";
    const sum = here.reduce((n, x) => ({ times: n.times + x.times, lost_events: n.lost_events + x.lost_events, lost_packets: n.lost_packets + (x.lost_packets ?? 0) }), { times: 0, lost_events: 0, lost_packets: 0 });
    const most = here.some((x) => x.begin < begin || x.end >= end) ? "up to " : "";
    return `in view ${most}${lostThings(sum)} lost${sum.times > 1 ? `, ${counted(sum.times, "time")}` : ""}`;
  }

  /** Times are others: what is held is of no use. */
  reset(): void {
    this.held = null;
  }

  private now(): string {
    const { view, set } = this.c;
    return [view.raw, view.raw ? 0 : set.clocks?.version, set.hosts.length, ...set.hosts.map((x) => x.lost_events + (x.lost_packets ?? 0))].join();
  }

  private covers(w: Window): boolean {
    return this.held !== null && this.key === this.now() && this.held.begin <= w.begin && endOf(w) <= this.held.end && Number(this.held.end - this.held.begin) < COARSE * w.span;
  }

  private async ask(): Promise<void> {
    const { view, set } = this.c;
    const span = BigInt(Math.max(1, Math.round(view.window.span)));
    const [begin, end] = [view.window.begin - span, endOf(view.window) + span];
    const most = Math.min(MOST, Math.max(LEAST, Math.floor(ALL / Math.max(1, set.hosts.length))));
    const key = this.now();
    this.asking = true;
    try {
      const hosts = await readLosses(this.id, begin, end, view.raw, most);
      this.held = { begin, end, hosts: new Map(hosts.map((x) => [x.host, x.stretches.map((s) => lossOf(x.host, s))])) };
      this.key = key;
      this.c.schedule();
    } catch {
      // What is not answered is asked for again when the window moves.
    }
    this.asking = false;
    if (this.held && key === this.now()) this.request(); // it has moved on meanwhile
  }
}
