// The times of what is listed, by the clocks, and of the kind, of all others on the page: the server told them by those of then. Until
// there is an answer by those of now they are made anew from the local times of hosts.

import { type Loss } from "../model/losses.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import type { Ns } from "../time/time.js";
import type { Entry } from "./pages.js";

/** How times are told; null where nothing says. */
export interface Timed {
  /** The time on screen of a host's local time. */
  shown(host: string, local: Ns): Ns | null;
  /** A host's local time of the time on screen. */
  local(host: string, shown: Ns): Ns | null;
}

/** Times an event by its local time, where something says when that was. */
export function timed(e: Entry, now: Timed | null): Entry {
  e.time = now?.shown(e.host, e.local) ?? e.time;
  return e;
}

/** A loss that was told by some clocks, by others. */
export function retimed(x: Loss, before: Timed | null, now: Timed): Loss {
  const move = (t: Ns) => {
    const local = before?.local(x.host, t) ?? null;
    return (local === null ? null : now.shown(x.host, local)) ?? t;
  };
  return { ...x, begin: move(x.begin), end: move(x.end), place: move(x.place), last: move(x.last) };
}

/** Whatever is told by clocks: retime tells it by others. */
interface Told {
  retime(before: Timed | null, now: Timed): void;
}

export class Timing {
  private of = "";
  private now: Timed | null = null;

  constructor(private readonly set: SetModel, private readonly view: View) {}

  // By which clocks times are told, of which kind.
  private get wanted(): string {
    return `${this.view.raw} ${this.set.clocks?.version}`;
  }

  /** Whether what is told is not yet by the clocks of now. */
  get stale(): boolean {
    return this.of !== this.wanted;
  }

  /** Tells all by the clocks of now, unless it is; says whether it was not. */
  renew(...all: Told[]): boolean {
    const { set, view } = this;
    if (!this.stale) return false;
    const before = this.now;
    const { locals } = set;
    const { raw } = view;
    const index = (host: string) => set.hosts.find((x) => x.name === host)?.index ?? -1;
    this.now = { shown: (host, local) => (raw ? local : set.toReference(index(host), local)), local: (host, shown) => (raw ? shown : locals(index(host), shown)) };
    this.of = this.wanted;
    for (const x of all) x.retime(before, this.now);
    return true;
  }
}
