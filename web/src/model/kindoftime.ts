// Which kind of time the page shows, that of each host's own clock or that of the reference, and the turn from one to the other. What the window shows of one host
// stays (see alongside), and who turns back is where they were (see landing). The page may be asked to turn before there are clocks to turn by: it does at once,
// and goes to its place as the first clocks come.

import { timeAt, type Window } from "../time/window.js";
import type { Ns } from "../time/time.js";
import { alongside, chosenHost } from "./alongside.js";
import type { Keeper, KeptWindow } from "./kept.js";
import { seenBy, type Landing } from "./landing.js";
import type { SetModel } from "./set.js";
import type { View } from "./view.js";

/** What is drawn by times, or keeps some to come back to. */
export interface Timed {
  /** All times are of the other kind, and those that are looked at are later by so much. */
  retime(by: Ns): void;
  /** What is kept to come back to is told by another clock; along is the host that the window went with as times became raw. */
  retell(along?: number): void;
}

export class KindOfTime {
  // By which clocks what is kept to come back to was told last.
  private toldBy = "";
  // The other kind was chosen before there were clocks by which to go where it was.
  private blind = false;

  /** untold: what is kept is by the reference, though the page begins with raw times. */
  constructor(private readonly set: SetModel, private readonly view: View, private readonly keeper: Keeper, private readonly shown: Timed, private untold: boolean) {}

  /** Turns to a kind of time; reports whether that is another. */
  turn(raw: boolean): boolean {
    const { set, view, keeper, shown } = this;
    if (raw === view.raw) return false;
    const landing = this.landingFor(raw);
    const host = landing?.host ?? alongside(view, set);
    const from = view.window;
    const kept = landing?.kept ?? keeper.keep(from);
    const other = kept.raw === raw ? keeper.keep(from) : landing?.other;
    const by = view.whole ? 0n : this.distance(raw, from, landing && seenBy(landing, raw), host);
    this.blind = !this.clocked;
    view.hold();
    view.move(by);
    view.raw = raw;
    view.land(kept, host, other);
    shown.retime(by);
    this.toldBy = "";
    this.untold = false;
    if (raw) this.tell(host);
    else this.retell();
    return true;
  }

  /** There may be other clocks: what is kept to come back to is told by them. Raw times stay, but for what was kept before. */
  retell(): void {
    const { set, view } = this;
    const by = `${set.clocks?.reference} ${set.clocks?.version} ${set.hosts.length}`;
    if (!this.clocked || (view.raw ? !this.untold : by === this.toldBy)) return;
    const along = view.raw ? alongside(view, set) : undefined;
    if (this.blind) this.place();
    this.untold = false;
    this.toldBy = by;
    this.tell(along);
  }

  private get clocked(): boolean {
    return this.set.clocks !== null && this.set.hosts.length > 0;
  }

  private tell(along?: number): void {
    this.view.retell(along);
    this.shown.retell(along);
  }

  // How much later the window is by the other kind: where it was seen by that, else where the host that it goes with has its middle.
  private distance(raw: boolean, from: Window, seen: KeptWindow | null | undefined, host: number | undefined): Ns {
    if (seen) return this.keeper.tell(seen, from, undefined, raw).begin - from.begin;
    const middle = timeAt(from, 0.5);
    const there = host === undefined ? null : raw ? this.set.toLocal(host, middle) : this.set.toReference(host, middle);
    return there === null ? 0n : there - middle;
  }

  private place(): void {
    this.blind = false;
    const { view, keeper } = this;
    const seen = view.unmoved && seenBy(view.unmoved, view.raw);
    if (seen) view.move(keeper.tell(seen, view.window).begin - view.window.begin);
  }

  // Where the window was brought to; null where that was a step of the way to a place seen with another host than is chosen by now, which the window goes along with then.
  private landingFor(raw: boolean): Landing | null {
    const { view, set } = this;
    const landing = view.unmoved;
    const [seen, host] = landing?.stepped ? [seenBy(landing, raw), chosenHost(view, set)] : [];
    return seen && host !== undefined && set.host(host)?.name !== seen.host ? null : landing;
  }
}
