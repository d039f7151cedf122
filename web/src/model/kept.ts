// Windows that are kept to come back to. What they show is told by the clock that is in force: by that of another reference, and by each host's own
// clock, the same stretch has other times, by hours maybe. So each is kept with an instant of a host in its middle, which no clock map changes.

import { near, type Ns } from "../time/time.js";
import { isWithin, NARROWEST, timeAt, type Window } from "../time/window.js";
import { ns64 } from "./addressed.js";
import { witness, type Seen } from "./alongside.js";
import type { Sight } from "./landing.js";
import type { SetModel } from "./set.js";

/** A window, and what it is found again by. */
export interface KeptWindow {
  readonly window: Window;
  /** Its times are by each host's own clock. */
  readonly raw: boolean;
  /** The instant in its middle, by the clock of a host; "" for that of none. */
  readonly host: string;
  readonly local: Ns;
  /** The host by whose clock its times are, the reference of then, where that of the host does not find it again: where a clock was set back, one time of it is that
   * of many instants. */
  readonly by?: string | undefined;
}

/** Where a kept window is by the clock in force. */
export interface Found {
  readonly window: Window;
  readonly kept: KeptWindow;
}

/** Keeps windows by the clocks of a set, as a page shows it. */
export class Keeper {
  constructor(private readonly set: SetModel, private readonly view: Seen & { readonly by: string }) {}

  /** Whether times are by each host's own clock now. */
  get raw(): boolean {
    return this.view.raw;
  }

  /** Keeps a window that is told by the clock in force, with what was chosen then, where that is not what is now, or of the host of a name. */
  keep(window: Window, chosen: Partial<Seen> = {}, of = ""): KeptWindow {
    const { set, view } = this;
    const { raw, row, did, lane, was, message } = view;
    const middle = timeAt(window, 0.5);
    // Before any clocks are there, times are by that of the host that the address names.
    if (!set.clocks && !raw) return { window, raw, host: view.by, local: middle };
    const host = set.hosts.find((h) => of && h.name === of)?.index ?? witness({ row, did, lane, was, message, ...chosen, raw, window }, set) ?? (set.hosts.find((h) => h.reference) ?? set.hosts[0])?.index;
    const name = host === undefined ? "" : (set.host(host)?.name ?? "");
    const local = host === undefined || raw ? middle : set.toLocal(host, middle);
    const by = raw || (host !== undefined && local !== null && this.finds(host, local, middle)) ? {} : { by: this.referenceOf(host) };
    return local === null ? { window, raw, host: "", local: middle, ...by } : { window, raw, host: name, local, ...by };
  }

  // Whether a time of a host is that of one instant, or of the first of those that have it.
  private finds(host: number, local: Ns, t: Ns): boolean {
    const again = this.set.toReference(host, local);
    return again !== null && near(again, t);
  }

  /** A window that is told by the clock in force now, or by the other kind of time; was is how it was told until then. By each host's own clock it is where along had
   * it, if that recorded then. */
  tell(kept: KeptWindow, was: Window, along?: number, raw = this.raw): Window {
    return this.foundBy(kept, was, along, raw).window;
  }

  // The same, and the name of the host that it was found by; "" for none.
  private foundBy(kept: KeptWindow, was: Window, along: number | undefined, raw: boolean): { window: Window; by: string } {
    if (raw && kept.raw) return { window: kept.window, by: kept.host };
    const { set } = this;
    const middle = timeAt(kept.window, 0.5);
    const host = this.named(kept.host);
    const instant = (kept.by === undefined ? null : this.byReference(kept.by, middle)) ?? (host === undefined ? null : set.toReference(host, kept.local));
    const [at, by] = !raw ? [instant, kept.host] : host === undefined ? [null, ""] : this.ownTime(host, kept.local, instant, along);
    if (at === null) return { window: was, by: "" };
    // The way there and back again rounds.
    return { window: !raw && !kept.raw && near(at, middle) ? kept.window : { begin: at - (middle - kept.window.begin), span: kept.window.span }, by };
  }

  /** Where a window that was kept is by the clock in force now, and by what it is found again from now on; was and along as for tell. */
  again(kept: KeptWindow, was: Window, along?: number): Found {
    const anew = this.anew(kept, was);
    return { window: this.tell(anew, was, along), kept: anew };
  }

  /** The same of a place that may have been seen by both kinds of time: by each of them it is where it was. */
  seenAgain(sight: Sight, was: Window, along?: number): { window: Window; sight: Sight } {
    const kept = this.anew(sight.kept, was);
    const there = kept.raw === this.raw ? kept : sight.told ? undefined : sight.other;
    if (there) return { window: this.tell(there, was), sight: kept === sight.kept ? sight : { ...sight, kept } };
    const { window, by } = this.foundBy(kept, was, along, this.raw);
    const local = this.raw ? timeAt(window, 0.5) : kept.local;
    return { window, sight: { ...sight, kept, told: true, along: by, other: by === "" ? undefined : { window, raw: this.raw, host: by, local } } };
  }

  // What was kept before any clocks were there, by that of nobody who was known, is kept by those of now.
  private anew(kept: KeptWindow, window: Window): KeptWindow {
    return kept.host === "" && kept.by === undefined && !kept.raw && !this.raw && this.set.clocks ? this.keep(window) : kept;
  }

  // By whose clock the times of a host are synchronized: on an island by another's than elsewhere.
  private referenceOf(host: number | undefined): string | undefined {
    const { set } = this;
    return (host === undefined ? undefined : set.hosts.find((h) => h.reference && set.related(h.index, host))?.name) ?? set.clocks?.reference;
  }

  private named(host: string): number | undefined {
    return this.set.hosts.find((h) => h.name === host)?.index;
  }

  // Where a time of the reference of then is by the one of now; null where that is not known.
  private byReference(name: string, t: Ns): Ns | null {
    const { set } = this;
    if (set.clocks?.reference === name) return t;
    const host = this.named(name);
    return host === undefined ? null : set.toReference(host, t);
  }

  // The time of another host at an instant, where that recorded then, else that of the host itself, and whose it is.
  private ownTime(host: number, local: Ns, instant: Ns | null, along: number | undefined): [at: Ns, by: string] {
    const { set } = this;
    const there = along === undefined || along === host || instant === null || !set.related(host, along) ? null : set.toLocal(along, instant);
    const [of, at] = there !== null && set.recordedAt(along!, there) ? [along!, there] : [host, local];
    return [at, set.host(of)?.name ?? ""];
  }
}

/** A kept window as it is stored: its times, and by which clock. */
export type Stored = readonly [begin: string, span: number, raw: boolean, host: string, local: string, by?: string];

export function stored({ window, raw, host, local, by }: KeptWindow): Stored {
  const told = [String(window.begin), window.span, raw, host, String(local)] as const;
  return by === undefined ? told : [...told, by];
}

/** What was stored; null for what is no such thing. A time, or a stretch of time that is selected, may be narrower than any window. */
export function parseKept(from: unknown, time = false): KeptWindow | null {
  if (!Array.isArray(from) || from.length < 5 || from.length > 6) return null;
  const [begin, span, raw, host, local, by] = from as unknown[];
  const [window, at] = [parseWindow([begin, span], time), text64(local)];
  return !window || at === null || typeof raw !== "boolean" || typeof host !== "string" || (by !== undefined && typeof by !== "string") ? null : { window, raw, host, local: at, ...(by === undefined ? {} : { by }) };
}

export function parseWindow(from: unknown, time = false): Window | null {
  const [begin, span] = Array.isArray(from) ? [text64(from[0]), from[1] as unknown] : [null, null];
  return begin === null || typeof span !== "number" || !(span >= (time ? 0 : NARROWEST) && span < 2 ** 62) || !isWithin(begin, begin + BigInt(Math.ceil(span))) ? null : { begin, span };
}

const text64 = (s: unknown): Ns | null => (typeof s === "string" ? ns64(s) : null);
