// Windows that are kept to come back to. What they show is told by the clock that is in force: by that of another reference, and by each host's own
// clock, the same stretch has other times, by hours maybe. So each is kept with an instant of a host in its middle, which no clock map changes.

import { near, type Ns } from "../time/time.js";
import { timeAt, type Window } from "../time/window.js";
import { ns64 } from "./addressed.js";
import { witness, type Seen } from "./alongside.js";
import type { SetModel } from "./set.js";

/** A window, and what it is found again by. */
export interface KeptWindow {
  readonly window: Window;
  /** Its times are by each host's own clock. */
  readonly raw: boolean;
  /** The instant in its middle, by the clock of a host; "" for that of none. */
  readonly host: string;
  readonly local: Ns;
  /** The clocks by which its times are, where that is known: by the very same it is what it was. Where the clock of the host was set back one time of it is
   * that of many instants, so that it would not be found again. */
  readonly by?: string | undefined;
}

/** Keeps windows by the clocks of a set, as a page shows it. */
export class Keeper {
  constructor(private readonly set: SetModel, private readonly view: Seen & { readonly by: string }) {}

  /** Whether times are by each host's own clock now. */
  get raw(): boolean {
    return this.view.raw;
  }

  private get by(): string | undefined {
    const { clocks } = this.set;
    return clocks && !this.raw ? `${clocks.reference} ${clocks.version}` : undefined;
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
    return local === null ? { window, raw, host: "", local: middle } : { window, raw, host: name, local, by: this.by };
  }

  /** A window that is told by the clock in force now; was is how it was told until then. By each host's own clock it is where along had it, if that
   * recorded then. */
  tell(kept: KeptWindow, was: Window, along?: number): Window {
    const { set, view } = this;
    if (view.raw ? kept.raw : !kept.raw && kept.by !== undefined && kept.by === this.by) return kept.window;
    const host = set.hosts.find((h) => h.name === kept.host)?.index;
    const at = host === undefined ? null : view.raw ? this.ownTime(host, kept.local, along) : set.toReference(host, kept.local);
    if (at === null) return was;
    const middle = timeAt(kept.window, 0.5);
    // The way there and back again rounds.
    return !view.raw && !kept.raw && near(at, middle) ? kept.window : { begin: at - (middle - kept.window.begin), span: kept.window.span };
  }

  // The time of another host at an instant of one, where that recorded then, else the instant itself.
  private ownTime(host: number, local: Ns, along: number | undefined): Ns {
    const { set } = this;
    const there = along === undefined || !set.related(host, along) ? null : set.elsewhere(along, host, local);
    return there !== null && set.recordedAt(along!, there) ? there : local;
  }
}

/** A kept window as it is stored: its times, and by which clock. */
export type Stored = readonly [begin: string, span: number, raw: boolean, host: string, local: string];

export const stored = ({ window, raw, host, local }: KeptWindow): Stored => [String(window.begin), window.span, raw, host, String(local)];

/** What was stored; null for what is no such thing. */
export function parseKept(from: unknown): KeptWindow | null {
  if (!Array.isArray(from) || from.length !== 5) return null;
  const [begin, span, raw, host, local] = from as unknown[];
  const [window, at] = [parseWindow([begin, span]), text64(local)];
  return !window || at === null || typeof raw !== "boolean" || typeof host !== "string" ? null : { window, raw, host, local: at };
}

export function parseWindow(from: unknown): Window | null {
  const [begin, span] = Array.isArray(from) ? [text64(from[0]), from[1] as unknown] : [null, null];
  return begin === null || typeof span !== "number" || !(span > 0 && span < 2 ** 62) ? null : { begin, span };
}

const text64 = (s: unknown): Ns | null => (typeof s === "string" ? ns64(s) : null);
