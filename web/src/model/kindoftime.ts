// Which kind of time the page shows, that of each host's own clock or that of the reference, and the turn from one to the other. What the window shows of one host
// stays (see alongside), and who turns back is where they were (see landing). The page may be asked to turn before there are clocks to turn by: it does at once,
// and goes to its place as the first clocks come.

import { timeAt, type Window } from "../time/window.js";
import type { Ns } from "../time/time.js";
import { alongside, chosenWords } from "./alongside.js";
import type { Keeper } from "./kept.js";
import { seenBy, sightOf, stillSeenBy, type Landing, type Sight } from "./landing.js";
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
  // What was chosen as the whole set was shown at the last turn; null where it was not.
  private whole: string | null = null;

  /** untold: what is kept is by the reference, though the page begins with raw times. */
  constructor(private readonly set: SetModel, private readonly view: View, private readonly keeper: Keeper, private readonly shown: Timed, private untold: boolean) {}

  /** Turns to a kind of time; reports whether that is another. */
  turn(raw: boolean): boolean {
    const { view, shown } = this;
    if (raw === view.raw) return false;
    const { by, host, sight, back } = this.way(raw);
    const chosen = chosenWords(view);
    const known = back || (view.whole && this.whole === chosen);
    this.whole = view.whole ? chosen : null;
    this.blind = !this.clocked;
    view.hold();
    view.move(by);
    view.raw = raw;
    view.land(sight);
    shown.retime(by);
    this.toldBy = "";
    this.untold = false;
    if (raw) this.tell(host, known);
    else this.retell(known);
    return true;
  }

  /** There may be other clocks: what is kept to come back to is told by them. Raw times stay, but for what was kept before. back tells that the window went back to where it
   * was seen by these times. */
  retell(back = false): void {
    const { set, view } = this;
    const by = `${set.clocks?.reference} ${set.clocks?.version} ${set.hosts.length}`;
    if (!this.clocked || (view.raw ? !this.untold : by === this.toldBy)) return;
    const along = view.raw ? alongside(view, set) : undefined;
    if (this.blind) this.place();
    this.untold = false;
    this.toldBy = by;
    this.tell(along, back);
  }

  private get clocked(): boolean {
    return this.set.clocks !== null && this.set.hosts.length > 0;
  }

  private tell(along: number | undefined, back: boolean): void {
    this.view.retell(along, back);
    this.shown.retell(along);
  }

  // How much later the window is by the other kind, the host that it goes along with, and where it is known to have been seen then.
  private way(raw: boolean): { by: Ns; host: number | undefined; sight: Sight; back: boolean } {
    const { set, view, keeper } = this;
    const [from, landing, chosen] = [view.window, view.unmoved, chosenWords(view)];
    const host = alongside(view, set);
    const name = host === undefined ? "" : (set.host(host)?.name ?? "");
    const seen = landing ? stillSeenBy(landing, raw, name) : undefined;
    if (landing && seen) {
      const along = set.hosts.find((h) => h.name === landing.along)?.index ?? host;
      return { by: keeper.tell(seen, from, undefined, raw).begin - from.begin, host: along, sight: { along: name, ...seenIn(landing, keeper, from), words: chosen }, back: true };
    }
    const kept = (landing && seenBy(landing, !raw)) ?? keeper.keep(from);
    const middle = timeAt(from, 0.5);
    const there = host === undefined ? null : raw ? set.toLocal(host, middle) : set.toReference(host, middle);
    if (there === null || view.whole) return { by: 0n, host, sight: { kept, along: name, words: chosen }, back: false };
    const window = { begin: from.begin + there - middle, span: from.span };
    return { by: there - middle, host, sight: { kept, other: { window, raw, host: name, local: raw ? there : middle }, along: name, words: chosen }, back: false };
  }

  private place(): void {
    this.blind = false;
    const { view, keeper } = this;
    const seen = view.unmoved && seenBy(view.unmoved, view.raw);
    if (seen) view.move(keeper.tell(seen, view.window).begin - view.window.begin);
  }
}

// A place that is left for where it was seen before: by now it was seen by both kinds of time.
function seenIn(landing: Landing, keeper: Keeper, from: Window): Sight {
  const { told, ...sight } = sightOf(landing);
  return sight.other ? sight : { ...sight, other: keeper.keep(from) };
}
