// Where the page is besides its window: what is selected, from when on events are listed, and when the state is looked at. As the clock that times
// are told by becomes another, each is found again by an instant of a host; the state by one of the host whose it is.

import type { Ns } from "../time/time.js";
import { same, type Window } from "../time/window.js";
import { parseKept, parseWindow, stored, type KeptWindow, type Keeper } from "./kept.js";
import type { Bounds } from "./set.js";

/** What stands at other times by another clock, by those in force. */
export interface Times {
  selection: Bounds | null;
  readonly events: { at: Ns | null };
  readonly state: { at: Ns | null; readonly host: string; exact: Exact | null };
}

/** A time of a host's own clock, and where that is by the clock in force: what that reads may lie one ns beside it. */
export interface Exact {
  readonly at: Ns;
  readonly host: string;
  readonly local: Ns;
}

const KINDS = ["selection", "events", "state"] as const;
type Kind = (typeof KINDS)[number];

/** What a page is left with, to be found again by another. */
export type HeldTime = readonly [Kind, Held];

export interface Held {
  /** Where it was as it was looked at last. */
  of: Window;
  /** The host that it is of, "" for none. */
  readonly host: string;
  readonly kept: KeptWindow;
  /** Where it was by the other kind of time, the last time; undefined where that was not seen. */
  other?: KeptWindow | undefined;
}

// Before there are clocks nothing is found again but by that of the host that an address names.
const found = ({ host, kept }: Held): boolean => kept.host !== "" && (host === "" || kept.host === host);

export class HeldTimes {
  private readonly held = new Map<Kind, Held>();

  constructor(private readonly times: () => Times) {}

  /** The clock is to be another: what was not yet is kept by an instant of a host. */
  hold(keeper: Keeper): void {
    for (const kind of KINDS) {
      const of = this.window(kind);
      const host = this.host(kind);
      const held = this.held.get(kind);
      if (!of) this.held.delete(kind);
      else if (!held || !found(held) || held.host !== host || !same(held.of, of)) this.held.set(kind, { of, host, kept: this.keep(kind, of, keeper) });
    }
  }

  /** What is held, for a page that is loaded again. */
  left(keeper: Keeper): HeldTime[] {
    this.hold(keeper);
    return [...this.held];
  }

  /** Goes on with what another page held, as far as it is where it was there. */
  resume(left: readonly HeldTime[]): void {
    for (const [kind, held] of left) {
      const of = this.window(kind);
      if (of && same(held.of, of) && held.host === this.host(kind)) this.held.set(kind, held);
    }
  }

  /** The clock is another. along is the host that the window went with as times became raw; back tells that it went back to where it was seen by these times. */
  tell(keeper: Keeper, along?: number, back = false): void {
    for (const [kind, held] of this.held) {
      const of = this.window(kind);
      if (!of || !same(held.of, of) || held.host !== this.host(kind)) continue;
      const { kept, other } = held;
      const there = back && kept.raw !== keeper.raw ? other : undefined;
      held.of = there ? keeper.tell(there, of) : keeper.tell(kept, of, kind === "state" ? undefined : along);
      if (kept.raw !== keeper.raw && !there) held.other = { window: held.of, raw: keeper.raw, host: kept.host, local: keeper.raw ? held.of.begin : kept.local };
      this.put(kind, held.of.begin);
      const { host, local } = held.kept;
      const { state } = this.times();
      if (kind === "state" && host && host === state.host) state.exact = { at: held.of.begin, host, local };
    }
  }

  /** Events are listed from another time by the clock of now, which is where one was by that of before. */
  listFrom(at: Ns): void {
    const [held, of] = [this.held.get("events"), this.window("events")];
    if (held && of && same(held.of, of)) held.of = { begin: at, span: 0 };
    this.put("events", at);
  }

  /** Whether the time that events are listed from is the one by which they were before times were told of the other kind. */
  listedBack(raw: boolean): boolean {
    const [held, of] = [this.held.get("events"), this.window("events")];
    return !!held && !!of && same(held.of, of) && held.kept.raw === raw;
  }

  /** Times are later by so much. */
  move(by: Ns): void {
    for (const kind of KINDS) {
      const of = this.window(kind);
      if (!of) continue;
      const begin = of.begin + by;
      const held = this.held.get(kind);
      if (held && same(held.of, of)) held.of = { begin, span: of.span };
      this.put(kind, begin);
    }
  }

  private keep(kind: Kind, of: Window, keeper: Keeper): KeptWindow {
    const exact = kind === "state" ? exactly(this.times().state) : null;
    if (exact) return { window: of, raw: keeper.raw, host: exact.host, local: exact.local };
    return keeper.keep(of, {}, this.host(kind));
  }

  private host(kind: Kind): string {
    return kind === "state" ? this.times().state.host : "";
  }

  private window(kind: Kind): Window | null {
    const { selection, events, state } = this.times();
    if (kind === "selection") return selection && { begin: selection.begin, span: Number(selection.end - selection.begin) };
    const { at } = kind === "events" ? events : state;
    return at === null ? null : { begin: at, span: 0 };
  }

  private put(kind: Kind, begin: Ns): void {
    const times = this.times();
    if (kind === "events") times.events.at = begin;
    else if (kind === "state") times.state.at = begin;
    else if (times.selection) times.selection = { begin, end: begin + times.selection.end - times.selection.begin };
  }
}

/** The own time of the host whose state is looked at, where that is known to the ns. */
export function exactly({ at, host, exact }: Times["state"]): Exact | null {
  return exact && exact.at === at && exact.host === host ? exact : null;
}

/** As it is stored. */
export const storedHeld = (held: readonly HeldTime[]): unknown[] => held.map(([kind, { of, host, kept, other }]) => [kind, [String(of.begin), of.span], host, stored(kept), ...(other ? [stored(other)] : [])]);

/** What was stored, without what is no such thing. */
export function parseHeld(from: unknown): HeldTime[] {
  return (Array.isArray(from) ? from.slice(0, KINDS.length) : []).flatMap((one: unknown): HeldTime[] => {
    const [name, at, host, as, too] = Array.isArray(one) ? (one as unknown[]) : [];
    const kind = KINDS.find((k) => k === name);
    const [of, kept, other] = [parseWindow(at, true), parseKept(as, true), parseKept(too, true)];
    return kind && of && kept && typeof host === "string" ? [[kind, { of, host, kept, ...(other ? { other } : {}) }]] : [];
  });
}
