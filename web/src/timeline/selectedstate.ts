// The state that is selected: what a thread did at a time, asked of the server for the inspector, kept
// while the clocks change, and the ways on from it: to the state before or after, to what a wait was for.

import { knownUntil, localKnownUntil } from "../model/known.js";
import { ledText, MOST_STOPS, type LedBy } from "../model/led.js";
import { HOST } from "../model/rows.js";
import type { Bounds } from "../model/set.js";
import type { At } from "../net/json.js";
import { VIEWS } from "../net/views.js";
import { percent } from "../time/number.js";
import { about, maxNs, minNs, parseNs, ROUNDED, type Ns } from "../time/time.js";
import { shareOf, timeAt } from "../time/window.js";
import { answerableFor, asSender, cameLate, type Answerable, type Via } from "./answerable.js";
import { askAt } from "./askat.js";
import { type Context, type ControlFlow } from "./controlflow.js";
import type { Picked } from "./picked.js";
import { ABSENT, LEAST_SHARE, shareWords } from "./sharewords.js";
import type { Inspector } from "./inspector.js";
import { lifeOf, nearest } from "./life.js";
import { Meanwhile } from "./meanwhile.js";
import { LASTS } from "./patience.js";
import type { Pointer } from "./pointer.js";
import { Steps } from "./steps.js";
import { byNetwork } from "./words.js";

/** In place of the clock map's version where times are others than the state was shown in. */
const NO_VERSION = -1;
/** A thread that was gone on from, to what it waited for, and a time in the state it was in, by its host's own clock. */
export interface Stop {
  readonly host: string;
  readonly tid: number;
  readonly name: string;
  readonly local: Ns;
}

/** How one came to a state from a wait for its thread. */
export interface Led {
  /** The thread, begun by this one, that was waited for; null for none. */
  readonly via: Via | null;
  /** The time in which it was waited for, by the clock of its host; null for none. */
  readonly waited: Bounds | null;
  /** What the thread did all the while, as a sentence, where that is more than the state, else ""; null until the server has told it. */
  readonly meanwhile: string | null;
  /** The threads that were gone on from, the first first. */
  readonly way: readonly Stop[];
}

const NOT_LED: Led = { via: null, waited: null, meanwhile: "", way: [] };

export class SelectedState {
  private readonly meanwhile: Meanwhile;
  /** What the inspector shows, by what no clock map changes. */
  private shown: { id: number; local: Ns | null; led: Led } | null = null;
  /** What the server is asked for and has not told yet. */
  private asked: { id: number; local: Ns | null; led: Led } | null = null;
  /** The row whose state the address has, while the clock of its host is not known. */
  private waiting: number | null = null;
  private readonly stepping: Steps;
  /** What ended the wait that is selected is looked for. */
  private seeking = false;
  /** What the selected state waited for is gone on to as soon as it is known. */
  private following = false;
  /** Until the server has answered, or it is said that it has not. */
  private late = 0;
  /** The version of the clock map that it was shown by. */
  private version = 0;

  constructor(private readonly c: Context, private readonly flow: ControlFlow, private readonly inspector: Inspector, private readonly pointer: Pointer) {
    this.meanwhile = new Meanwhile(c);
    this.stepping = new Steps(c, pointer, {
      view: VIEWS.selected,
      chosen: () => flow.chosen,
      whose: () => "thread",
      leave: () => {
        this.leave();
        this.following = false;
      },
      take: (row, at) => this.take(row, at, { ...NOT_LED, way: this.shown?.led.way ?? [] }),
      first: () => this.first(),
    });
  }

  /** The state of the row that is selected is known, and what its thread did meanwhile. */
  onState: (at: At | null, meanwhile: string) => void = () => {};
  /** Another row is to be selected, with what it did at a time, and how one came to it. */
  onArrive: (id: number, at: Ns, led: Led) => void = () => {};

  /** Asks for the state of a row at a time; a host has none. local is that time by the host's own clock, where that is known already. */
  ask(id: number, at: Ns, led = NOT_LED, local: Ns | null = null): void {
    const row = this.c.rows.get(id);
    this.waiting = null;
    this.stepping.stop();
    if (!row || row.kind === HOST) return this.clear();
    this.stepping.wait();
    clearTimeout(this.late);
    const before = this.asked ?? this.shown;
    this.asked = { id, local: local ?? this.ownTime(id, at), led };
    if (before?.id !== id || before.local !== this.asked.local) this.following = false;
    // What is shown may be of another row, which is not the one that is selected.
    if (!this.shown || this.shown.id !== id || this.shown.local !== local) this.late = setTimeout(() => this.tellLate(id, at), LASTS);
    askAt(this.c, VIEWS.selected, id, at, (m) => {
      this.asked = null;
      if (m.kind !== "at") {
        this.following = false;
        return this.stepping.stop();
      }
      this.take(id, m.body, led, local);
      this.stepping.goOn();
    });
  }

  /** Asks for the state that a row was in longest from one time to another, while its thread was there; see is told of a time in it. */
  askLongest(id: number, begin: Ns, end: Ns, see: (at: Ns) => void): void {
    const [first, last] = [this.lived(id, begin), this.lived(id, end - 1n)];
    this.meanwhile.longest(id, first, last + 1n, (at) => {
      see(at);
      this.ask(id, at);
    });
  }

  // To select a row no server is needed. Until it answers, what is known here is shown of what the row did.
  private tellLate(id: number, at: Ns): void {
    const { rows, set, view } = this.c;
    const row = rows.get(id);
    if (!row) return;
    const share = shareOf(view.window, at);
    this.flow.chosen = null;
    this.shown = { id, local: this.ownTime(id, at), led: NOT_LED };
    this.version = set.clocks?.version ?? 0;
    this.inspector.showAwaited({
      row: id, at, host: set.host(row.host)?.name ?? "", thread: { tid: row.tid, name: row.name },
      drawn: share >= 0 && share < 1 ? this.flow.at(id, share * this.flow.pane.surface.width) : "",
    });
    this.c.schedule();
  }

  private take(id: number, at: At | null, led = NOT_LED, known: Ns | null = null): void {
    clearTimeout(this.late);
    const [begin, end, until] = [parseNs(at?.begin), parseNs(at?.end), knownUntil(at)];
    this.flow.chosen = begin !== null && until !== null ? { row: id, begin, end: until } : null;
    const [localBegin, localEnd] = [parseNs(at?.local_begin), localKnownUntil(at)];
    const own = known ?? this.ownTime(id, parseNs(at?.at));
    const local = localBegin !== null && localEnd !== null ? within(localBegin, localEnd, own) : own;
    this.shown = { id, local, led };
    this.version = this.c.set.clocks?.version ?? 0;
    this.keep(local, this.addressed(led));
    this.inspector.showState(at, led);
    this.findCause(id, at, begin, end);
    this.onState(at, led.meanwhile ?? "");
    this.tellMeanwhile(id, at, led);
    this.pointer.onChange();
    this.c.schedule();
  }

  // The address has which state is selected.
  private keep(did: Ns | null, led: LedBy | null = null): void {
    const { view } = this.c;
    if (did === view.did && String(ledText(led)) === String(ledText(view.led))) return;
    if (view.did === null && did !== null) view.specify(did);
    else view.did = did;
    view.led = led;
    view.keep();
  }

  // What led to a state as the address has it.
  private addressed({ waited, via, way }: Led): LedBy | null {
    const { hosts } = this.c.set;
    const from = way.flatMap((s) => {
      const host = hosts.find((x) => x.name === s.host)?.index;
      return host === undefined ? [] : [{ host, tid: s.tid, local: s.local }];
    });
    return waited || from.length > 0 ? { waited, via: via?.tid ?? null, from } : null;
  }

  // What led to a state of a row by what the address has: what that names and nobody knows is left out.
  private ledBy(id: number, by: LedBy | null): Led {
    const { rows, set } = this.c;
    if (!by) return NOT_LED;
    const named = (host: number, tid: number) => {
      const row = rows.find(host, tid);
      return row === undefined ? "" : (rows.get(row)?.name ?? "");
    };
    const name = by.via !== null ? named(rows.get(id)!.host, by.via) : "";
    const way = by.from.flatMap(({ host, tid, local }) => {
      const [where, name] = [set.host(host)?.name, named(host, tid)];
      return where !== undefined && name && set.recordedAt(host, local) ? [{ host: where, tid, name, local }] : [];
    });
    return { via: name ? { tid: by.via!, name } : null, waited: by.waited, meanwhile: by.waited ? null : "", way };
  }

  // What the thread did while it was waited for, where only the address has that it was.
  private tellMeanwhile(id: number, at: At | null, led: Led): void {
    const host = this.c.rows.get(id)?.host;
    if (led.meanwhile !== null || !led.waited || host === undefined) return;
    const [begin, end] = [this.shownAt(host, led.waited.begin), this.shownAt(host, led.waited.end)];
    if (begin === null || end === null || end <= begin) return;
    this.meanwhile.longest(id, begin, end, (_, lived, shares) => {
      if (this.shown?.led !== led) return;
      const told = { ...led, meanwhile: this.words(id, begin, end, lived, shares) };
      this.shown.led = told;
      this.inspector.tellLed(told);
      this.onState(at, told.meanwhile);
    });
  }

  private words(id: number, begin: Ns, end: Ns, lived: number, shares: Float64Array | null): string {
    return shares ? meanwhileWords(end - begin, lived, shares, this.flow.lacksCalls(id)) : "";
  }

  /** No state is selected. */
  clear(): void {
    this.keep(null);
    this.hide();
  }

  // None is shown.
  private hide(): void {
    this.shown = this.asked = this.waiting = null;
    this.seeking = this.following = false;
    this.stepping.stop();
    clearTimeout(this.late);
    this.leave();
    this.c.live.drop(VIEWS.selected);
    this.inspector.showState(null);
    this.onState(null, "");
  }

  /** Rows are sent anew and have other ids: what is selected waits for its row. */
  reset(): void {
    this.hide();
  }

  /** The row that was selected is there again, or for the first time: its state is the one that the address has, else that at a time. Tells
   * whether it has one. */
  restore(id: number, at: Ns): boolean {
    const { set, view, rows } = this.c;
    const row = rows.get(id);
    if (row && view.did !== null && !set.importing && !set.recordedAt(row.host, view.did) && !this.inReach(this.shownAt(row.host, view.did))) this.keep(null);
    if (!row || view.did === null) {
      this.ask(id, this.lived(id, at));
      return false;
    }
    const was = this.shownAt(row.host, view.did);
    if (was === null) this.waiting = id;
    else this.ask(id, was, this.ledBy(id, view.led), view.did);
    return true;
  }

  // A time of the view by the clock of a row's host, as of a thread that was not there then.
  private ownTime(id: number, at: Ns | null): Ns | null {
    const row = this.c.rows.get(id);
    if (at === null || !row) return null;
    return this.c.view.raw ? at : this.c.set.toLocal(row.host, at);
  }

  // A time of a host's own clock in the time of the view; null while that is not known.
  private shownAt(host: number, local: Ns): Ns | null {
    return this.c.view.raw ? local : this.c.set.toReference(host, local);
  }

  // Whether a window can be moved to a time of the view: there a row can be pointed at that has nothing, also before all recordings and after them.
  private inReach(t: Ns | null): boolean {
    const { view } = this.c;
    const beside = BigInt(Math.round(view.widest()));
    return t !== null && view.bounds !== null && view.bounds.begin - beside <= t && t <= view.bounds.end + beside;
  }

  /** What led to it is not wanted any more. */
  leave(): void {
    this.meanwhile.leave();
    this.seeking = false;
  }

  /** Times are others. */
  retime(): void {
    this.leave();
    this.stepping.stop();
    this.c.live.drop(VIEWS.selected);
    this.version = NO_VERSION;
  }

  /** Another clock map, or raw times: the state at the same local time is the selected one. */
  clocksChanged(): void {
    const { set, rows, view } = this.c;
    const version = set.clocks?.version ?? 0;
    if (this.waiting !== null && view.did !== null) this.restore(this.waiting, timeAt(view.window, 0.5));
    const s = this.asked ?? this.shown;
    if (!s || version === this.version) return;
    const moved = this.version === NO_VERSION;
    this.version = version;
    const row = rows.get(s.id);
    const at = row && s.local !== null ? this.shownAt(row.host, s.local) : null;
    if (at !== null) this.ask(s.id, at, s.led, s.local);
    else if (moved) {
      this.hide();
      this.waiting = s.id;
    }
  }

  /** The state after the selected one, or before it; while one is on its way, the one after that. */
  step(forward: boolean): void {
    this.stepping.step(forward);
  }

  /** Whether there is a state to go on from, or a row that has some. */
  get canStep(): boolean {
    return this.stepping.begun || this.firstRow() !== null;
  }

  // None is selected to go on from: that of the selected row in the middle of the window is.
  private first(): void {
    const row = this.firstRow();
    if (row !== null) this.ask(row, this.lived(row, timeAt(this.c.view.window, 0.5)));
  }

  private firstRow(): number | null {
    const { selected } = this.flow.pane;
    return selected !== null && this.c.rows.get(selected)?.kind !== HOST ? selected : null;
  }

  /** The time nearest to one at which a row's thread was there. */
  lived(id: number, at: Ns): Ns {
    return nearest(lifeOf(this.c, id), at);
  }

  /** Whether there is a state to go on from, or one on its way. */
  get canFollow(): boolean {
    return this.asked !== null || this.flow.chosen !== null;
  }

  /** Goes to what the selected state waited for; while that, or the state itself, is being asked for, as soon as it is told. */
  onward(): void {
    const { chosen } = this.flow;
    this.following = this.asked !== null || this.seeking;
    if (this.following || !chosen) return;
    if (this.inspector.onward) this.inspector.onward();
    else this.pointer.note(this.c.rows.get(chosen.row)?.host ?? null, this.inspector.stopped);
  }

  /** Goes to what a row did longest from one time to another; via is the thread, begun by that one, that ended the wait. */
  toLongest(id: number, begin: Ns, end: Ns, via: Via | null = null): void {
    const way = this.wayOn();
    const [from, to] = [this.ownTime(id, begin), this.ownTime(id, end)];
    const waited = from !== null && to !== null && to > from ? { begin: from, end: to } : null;
    this.meanwhile.longest(id, begin, end, (at, lived, shares) => {
      this.onArrive(id, at, { via, waited, meanwhile: this.words(id, begin, end, lived, shares), way });
    });
  }

  // The way to what is shown, and that as its last stop.
  private wayOn(): readonly Stop[] {
    const { rows, set } = this.c;
    const s = this.shown;
    const row = s && rows.get(s.id);
    const host = row ? set.host(row.host)?.name : undefined;
    if (!s || !row || host === undefined || s.local === null) return [];
    return [...s.led.way, { host, tid: row.tid, name: row.name, local: s.local }].slice(-MOST_STOPS);
  }

  /** Goes back to a stop of the way to what is shown. */
  back(to: number): void {
    const { rows, set } = this.c;
    const way = this.shown?.led.way ?? [];
    const stop = way[to];
    const host = stop && set.hosts.find((x) => x.name === stop.host)?.index;
    const id = host === undefined ? undefined : rows.find(host, stop.tid);
    const at = host === undefined ? null : this.shownAt(host, stop.local);
    if (id !== undefined && at !== null) this.onArrive(id, at, { ...NOT_LED, way: way.slice(0, to) });
  }

  // Which message ended a wait that the network ended.
  private findCause(id: number, at: At | null, begin: Ns | null, end: Ns | null): void {
    const known = () => {
      this.seeking = false;
      if (this.following) this.onward();
    };
    this.seeking = begin !== null && end !== null && byNetwork(at?.woken);
    if (begin === null || end === null || !this.seeking) return known();
    const still = () => this.shown?.id === id && this.flow.chosen?.begin === begin;
    this.meanwhile.received(id, begin, end, (m) => {
      if (!still()) return;
      const tell = (whose: Answerable | null) => {
        if (!still()) return;
        if (m && whose) this.inspector.showCause(m, whose);
        known();
      };
      if (m) this.senderOf(m, asSender(this.c, m, begin), tell);
      else tell(null);
    });
  }

  // Who is to answer for a message that a wait was for, which began at a time of the sender's. Of one that came late the server knows who began it.
  private senderOf(m: Picked, begin: Ns, tell: (whose: Answerable) => void): void {
    if (!cameLate(this.c, m.from, begin, m.sent)) return tell({ row: m.from, via: null });
    askAt(this.c, VIEWS.maker, m.from, m.sent, (a) => {
      const thread = a.kind === "at" ? a.body?.thread : null;
      tell(answerableFor(this.c, m.from, thread?.ppid ?? 0, thread?.name ?? "", begin, m.sent));
    });
  }
}

// A time in a state, by the clock that it began and ended by: the one that was asked for, unless a clock map might round that out of it.
function within(begin: Ns, end: Ns, asked: Ns | null): Ns {
  if (asked === null || end - begin <= 2n * ROUNDED) return (begin + end) / 2n;
  return minNs(maxNs(asked, begin + ROUNDED), end - ROUNDED);
}

// What a thread did all the while that another waited for it.
function meanwhileWords(wait: Ns, lived: number, shares: Float64Array, callsLacking: boolean): string {
  const absent = 1 - lived < LEAST_SHARE ? "" : `, ${ABSENT} ${percent(1 - lived)}`;
  return `In the ${about(Number(wait), 3)} that it was waited for: ${shareWords((s) => shares[s], callsLacking)}${absent}.`;
}
