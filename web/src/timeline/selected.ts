// What is selected in the timeline: a row, what it did at a time, and a message. One leads to the other, the address
// has all three, and each section draws what concerns it.

import type { Thread } from "../model/chosen.js";
import { HOST, type RowTable } from "../model/rows.js";
import type { Choice } from "../model/trail.js";
import type { Resources } from "../resources/resources.js";
import { timeAt, windowOf } from "../time/window.js";
import { followChain } from "./chain.js";
import type { Communication } from "./communication.js";
import type { Context, ControlFlow } from "./controlflow.js";
import type { Follow } from "./follow.js";
import type { Inspector } from "./inspector.js";
import type { Mark } from "./mark.js";
import { Moments } from "./moments.js";
import type { End, Picked } from "./picked.js";
import type { Pointer } from "./pointer.js";
import { SelectedState, type Led } from "./selectedstate.js";
import { soughtBy, type Sought } from "./sought.js";

// The row of a thread, or with a tid below 0 of a host.
const rowOf = (rows: RowTable, { host, tid }: Thread): number | undefined => (tid < 0 ? rows.hostRow(host) : rows.find(host, tid));

/** The parts of the timeline that show what is selected. */
export interface Showing {
  readonly flow: ControlFlow;
  readonly talk: Communication;
  readonly resources: Resources;
  readonly inspector: Inspector;
  readonly follow: Follow;
  readonly pointer: Pointer;
  readonly mark: Mark;
}

export class Selected {
  readonly state: SelectedState;
  readonly moments: Moments;
  private readonly flow: ControlFlow;
  private readonly talk: Communication;
  private readonly follow: Follow;
  /** Another message was chosen, in words, "" for none. */
  onMessage: (words: string) => void = () => {};
  /** Another state of a CPU or an interrupt was chosen, in words, "" for none. */
  onLane: (words: string) => void = () => {};
  private restored: number | null = null;
  /** Of a message and a state that are both selected the message was the last. */
  private atMessage = false;
  /** The row came with an address that has a message and no state: what the row did at that message is selected once it is found. */
  private byMessage = false;
  private heard: { message: Picked; words: string } | null = null; // what was said of the message that is chosen

  constructor(private readonly c: Context, private readonly on: Showing) {
    const { flow, talk, follow, inspector, pointer } = on;
    [this.flow, this.talk, this.follow] = [flow, talk, follow];
    this.state = new SelectedState(c, flow, inspector, pointer);
    this.moments = new Moments(c, pointer, flow, follow, on.mark, () => this.atMessage);
    followChain(c, inspector, follow, this.state, (row, at, led) => this.arrive(row, at, led));
    follow.onRenew = (m, end) => this.tellMessage(m, end);
    follow.onReach = () => inspector.reveal();
    follow.onPick = (m, end) => {
      this.atMessage = m !== null;
      if (m) this.byMessage = false;
      this.tellMessage(m, end);
    };
    follow.onArrive = (row, at) => this.arrive(row, at);
    follow.onKey = () => this.moments.byKey("moment");
    talk.onFound = (m, wanted) => (wanted ? follow.click(m, "to") : this.showAgain(m));
  }

  /** Rows came or changed: one that came with the address is shown once. */
  rowsChanged(): void {
    const { view } = this.c;
    const id = this.flow.pane.selected;
    if (view.row && id !== null && id !== this.restored) {
      this.restored = this.talk.pane.selected = id;
      this.talk.pane.layout();
      if (!this.flow.returning) this.flow.reveal(id);
      this.byMessage = !this.state.restore(id, view.selection?.begin ?? timeAt(view.window, 0.5)) && this.follow.missing;
    }
    this.findMessage();
  }

  /** The set or a clock map changed. */
  clocksChanged(): void {
    this.state.clocksChanged();
    this.follow.clocksChanged();
    this.findMessage();
  }

  /** Times are others: what was selected is asked for by those. */
  retime(): void {
    this.follow.retime();
    this.showLane(null);
    this.state.retime();
  }

  /** What was selected is forgotten; the address keeps it. */
  reset(): void {
    this.restored = null;
    this.byMessage = false;
    this.follow.forget();
    this.showLane(null);
    this.state.reset();
  }

  private tellMessage(m: Picked | null, end: End): void {
    this.flow.meet(m);
    this.on.inspector.showMessage(m, end);
    this.heard = m && { message: m, words: "" };
    if (m) this.sayMessage();
    else this.onMessage("");
    this.on.pointer.onChange();
  }

  /** Says which message is chosen, anew where more is known of it. */
  sayMessage(): void {
    const words = this.heard ? this.on.pointer.sentence(this.heard.message) : "";
    if (!this.heard || words === this.heard.words) return;
    this.heard.words = words;
    this.onMessage(words);
  }

  // A message that came with the address, or is found by other times; once, what the thread of a row that came with it did then.
  private showAgain(m: Picked): void {
    const { byMessage, flow: { pane: { selected: id } } } = this;
    this.follow.again(m);
    if (byMessage && !m.bundle && (id === m.from || id === m.to)) this.state.ask(id, id === m.from ? m.sent : m.received);
  }

  // The message that came with the address, once its rows and the clocks of its hosts are there.
  private findMessage(): void {
    const { message } = this.c.view;
    const m = message && this.follow.missing ? soughtBy(message, this.c) : null;
    if (m) this.talk.find(m, false);
  }

  /** Selects what a row did at a time that is in sight. */
  did(id: number, at: bigint): void {
    this.follow.pick(null);
    this.select(id);
    this.state.ask(id, at);
  }

  /** Selects a row by its name, with what it did at a time; a message that is chosen stays so. */
  byName(id: number, at: bigint): void {
    this.moments.byKey("moment");
    this.atMessage = false;
    this.select(id);
    this.state.ask(id, at);
  }

  /** Selects what a thread, or with a tid below 0 its host, did at a time. */
  point(host: number, tid: number, at: bigint): void {
    const { rows } = this.c;
    const id = (tid < 0 ? undefined : rows.find(host, tid)) ?? rows.hostRow(host);
    if (id === undefined) return;
    this.moments.elsewhere();
    this.follow.pick(null);
    this.arrive(id, at);
  }

  /** The same, of a bookmark: a message that is chosen stays so unless another row is selected by it. */
  revisit(host: number, tid: number, at: bigint): void {
    const { rows, view } = this.c;
    const id = (tid < 0 ? undefined : rows.find(host, tid)) ?? rows.hostRow(host);
    if (id === undefined) return;
    if (view.row === null || rowOf(rows, view.row) !== id) this.follow.pick(null);
    this.arrive(id, at);
  }

  /** Selects what was selected before: a row, its state and a message. */
  chooseAgain({ row, did, message }: Choice): void {
    const { view, rows } = this.c;
    const id = row ? rowOf(rows, row) : undefined;
    this.follow.pick(null);
    if (id === undefined) this.clear();
    else {
      this.bring(id);
      view.did = did;
      view.led = null;
      if (did === null) this.state.clear();
      else this.state.restore(id, timeAt(view.window, 0.5));
    }
    view.message = message;
    this.byMessage = false;
    this.findMessage();
  }

  /** Selects what a thread did longest from one time to another, and goes there where that is out of sight. */
  pointLongest(host: number, tid: number, begin: bigint, end: bigint): void {
    const id = this.c.rows.find(host, tid);
    if (id === undefined) return this.point(host, tid, begin);
    this.follow.pick(null);
    this.flow.unfold(id);
    this.bring(id);
    this.state.askLongest(id, begin, end, (at) => this.follow.bring(at));
  }

  /** Selects the next state of the selected row, or the one before. */
  step(forward: boolean): void {
    this.atMessage = this.byMessage = false;
    this.moments.byKey("moment");
    this.state.step(forward);
  }

  /** Shows a message, with room about it, also where the messages of other hosts alone were shown. */
  showMessage(m: Sought): void {
    const { view, set } = this.c;
    const [begin, end] = m.sent < m.received ? [m.sent, m.received] : [m.received, m.sent];
    const room = (end - begin) * 2n + 1000n;
    this.follow.pick(null);
    if (view.pair && ![m.from, m.to].every((host) => view.pair!.includes(set.host(host)?.name ?? ""))) view.pair = null;
    view.jump(windowOf(begin - room, end + room));
    this.talk.find(m, true);
  }

  /** What the inspector has of a CPU or an interrupt, and those hear who do not see it. */
  showLane(block: HTMLElement | null, words = ""): void {
    this.on.inspector.showOther(block);
    this.onLane(words);
  }

  /** Nothing is selected any more, and the address has nothing. */
  clear(): void {
    this.c.view.row = null;
    this.flow.chosen = null;
    this.follow.pick(null);
    this.on.resources.leave();
    this.showLane(null);
    this.state.clear();
    this.flow.relist();
    this.talk.pane.selected = null;
    this.talk.pane.layout();
  }

  // What a row did at a time, beside the message that led to it. The window goes there, and what hides the row is unfolded.
  private arrive(id: number, at: bigint, led?: Led): void {
    this.follow.bring(at);
    this.flow.unfold(id);
    this.bring(id);
    this.state.ask(id, at, led);
  }

  // Selects a row and brings it into sight.
  private bring(id: number): void {
    this.select(id);
    this.flow.relist();
    this.flow.reveal(id);
  }

  private select(id: number): void {
    this.byMessage = false;
    this.state.leave();
    const row = this.c.rows.get(id);
    if (!row) return;
    this.flow.stay();
    this.c.view.row = { host: row.host, tid: row.kind === HOST ? -1 : row.tid };
    this.c.view.did = this.c.view.led = null;
    this.restored = id;
    this.talk.pane.selected = id;
    this.follow.stay();
    this.flow.chosen = null;
    this.on.resources.leave();
    this.showLane(null);
    this.flow.mark(id);
    this.talk.pane.layout();
    this.c.view.emit();
  }
}
