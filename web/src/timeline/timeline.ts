// The Timeline tab: overview, one time axis, control flow and communication under it,
// the inspector beside them, and what floats above: cursor, selection, tooltip.

import { Surface } from "../draw/surface.js";
import { groupWords } from "../model/known.js";
import type { Whose } from "../home/api.js";
import { anyLost, type Loss } from "../model/losses.js";
import { HOST, threadName, type RowTable } from "../model/rows.js";
import type { Choice } from "../model/trail.js";
import type { Thread } from "../model/chosen.js";
import { unreadWords } from "../model/unread.js";
import { waitsFor } from "../model/wait.js";
import { exact, maxNs, minNs, seconds } from "../time/time.js";
import { timeAt, windowOf } from "../time/window.js";
import { add, attribute, h, hide, text } from "../ui/dom.js";
import { Resources } from "../resources/resources.js";
import { splitter } from "../ui/splitter.js";
import { Axis } from "./axis.js";
import { followChain } from "./chain.js";
import { Communication } from "./communication.js";
import { isFlow } from "./flows.js";
import type { End, Picked } from "./picked.js";
import { ControlFlow, type Context } from "./controlflow.js";
import { CrumbLine } from "./crumbs.js";
import { zoomsAround } from "./gestures.js";
import { paneHands } from "./hands.js";
import { Follow } from "./follow.js";
import { Inspector } from "./inspector.js";
import { Wakeups } from "./wakeups.js";
import { showRange, timelineKeys } from "./keys.js";
import { LossesInView } from "./lossesinview.js";
import { LostList } from "./lostlist.js";
import { Mark } from "./mark.js";
import { Moments } from "./moments.js";
import { Overview } from "./overview.js";
import { Overlay } from "./overlay.js";
import type { Pane } from "./pane.js";
import { Pointer } from "./pointer.js";
import { recordedWords } from "./recordings.js";
import { RowControls } from "./rowcontrols.js";
import { RowFilter } from "./rowfilter.js";
import { SelectedState, type Led } from "./selectedstate.js";
import { Sizes } from "./sizes.js";
import { soughtBy, type Sought } from "./sought.js";
import { rawWords } from "./words.js";

// The row of a thread, or with a tid below 0 of a host.
const rowOf = (rows: RowTable, { host, tid }: Thread): number | undefined => (tid < 0 ? rows.hostRow(host) : rows.find(host, tid));

export class Timeline {
  readonly flow: ControlFlow;
  readonly talk: Communication;
  readonly resources: Resources;
  private readonly overview: Overview;
  private readonly crumbs: CrumbLine;
  private readonly raw = h("p", { class: "raw", role: "status" });
  readonly inspector: Inspector;
  private readonly wakeups: Wakeups;
  private readonly follow: Follow;
  private readonly axis: Axis;
  private readonly overlay: Overlay;
  readonly mark: Mark;
  readonly moments: Moments;
  readonly pointer: Pointer;
  readonly state: SelectedState;
  private readonly filter: RowFilter;
  private readonly controls: RowControls;
  /** Rows and drawings, without the overview and the inspector. */
  readonly plot = h("div", { class: "plot" });
  private readonly unread = h("p", { class: "unread warn", role: "status", hidden: true }, h("span"), " ",
    h("a", { href: "?tab=import", onclick: (e: Event) => { e.preventDefault(); this.onReport(); } }, "Import report"));
  /** The import report is wanted, or what it has to say of losses. */
  onReport: () => void = () => {};
  /** Another message was chosen, in words, "" for none. */
  onMessage: (words: string) => void = () => {};
  /** Another state of a CPU or an interrupt was chosen, in words, "" for none. */
  onLane: (words: string) => void = () => {};
  onLosses: () => void = () => {};
  /** The ways to keep what is shown are wanted. */
  onKeep: () => void = () => {};
  /** Asks for the list of bookmarks. */
  onBookmarks: () => void = () => {};
  /** The events are wanted where something was lost. */
  onLostEvents: (x: Loss) => void = () => {};
  /** Each looks, after a drawing, whether a pointer at rest has something else under it. */
  private hands: (() => void)[] = [];
  private restored: number | null = null;
  /** Of a message and a state that are both selected the message was the last. */
  private atMessage = false;
  /** The row came with an address that has a message and no state: what the row did at that message is selected once it is found. */
  private byMessage = false;
  private heard: { message: Picked; words: string } | null = null; // what was said of the message that is chosen
  private readonly lost: LostList;

  constructor(private readonly root: HTMLElement, id: string, private readonly c: Context) {
    this.overview = new Overview(c);
    this.crumbs = new CrumbLine(c.view);
    add(this.crumbs.el, this.raw, h("button", { type: "button", class: "notes", "aria-haspopup": "dialog", title: "Bookmarks, with notes on times and rows: go to one, edit or set one (key Shift+B; key B sets one at the cursor)", onclick: () => this.onBookmarks() }, "Bookmarks…"), h("button", { type: "button", class: "keep", "aria-haspopup": "dialog", title: "This window as files: what every thread did and the messages (CSV), the picture (PNG, SVG)", onclick: () => this.onKeep() }, "Save…"));
    this.flow = new ControlFlow(c);
    this.flow.lost = new LossesInView(id, c);
    this.talk = new Communication(id, c);
    this.resources = new Resources(c);
    this.filter = new RowFilter(c.view, this.flow.wanted, () => c.set.hosts.map((x) => x.name), () => this.flow.none, () => this.rowsChosen(), () => this.flow.pane.enter());
    this.flow.onRecorded = (host) => this.showRecorded(host);
    this.flow.onFiltered = () => this.filter.render();
    this.inspector = new Inspector(id, c);
    this.inspector.onRecorded = (host) => this.showRecorded(host);
    c.commands.add({ group: "Select", words: "Follow what the selected state waited for", also: "cause critical path blocked", keys: ["g"], tab: "timeline", possible: () => this.flow.chosen !== null, needs: "This key goes on from a state: select one first.", run: () => {
      this.moments.byKey("moment");
      this.state.onward();
    } });
    this.follow = new Follow(c, this.talk);
    this.follow.onRenew = (m, end) => this.tellMessage(m, end);
    this.follow.onPick = (m, end) => {
      this.atMessage = m !== null;
      if (m) this.byMessage = false;
      this.tellMessage(m, end);
    };
    this.follow.onArrive = (row, at) => this.arrive(row, at);
    this.follow.onKey = () => this.moments.byKey("moment");
    this.follow.onNone = (words) => this.pointer.note(null, words);
    this.follow.onPart = (words) => this.inspector.tellPart(words);
    this.follow.ended = () => this.inspector.ended;
    this.follow.began = () => this.flow.chosen?.begin ?? null;
    this.inspector.onCross = () => this.follow.cross();
    this.inspector.onSingle = () => this.follow.single();
    this.inspector.onAll = () => {
      const r = this.follow.stretch;
      if (r) showRange(c.view, r.begin, r.end);
    };
    this.talk.onOpened = (words) => this.pointer.note(null, words);
    this.talk.onLost = () => this.pointer.note(null, "No such message is found at these times: the clocks may have changed since it was listed.");
    this.talk.onFound = (m, wanted) => (wanted ? this.follow.click(m, "to") : this.showAgain(m));
    this.pointer = new Pointer(c, this.flow, this.talk);
    this.state = new SelectedState(c, this.flow, this.inspector, this.pointer);
    followChain(c, this.inspector, this.follow, this.state, (row, at, led) => this.arrive(row, at, led));
    this.axis = new Axis(c);
    const head = h("div", { class: "axisrow" }, this.filter.el, this.axis.el);
    this.mark = new Mark(c);
    this.moments = new Moments(c, this.pointer, this.flow, this.follow, this.mark, () => this.atMessage);
    this.overlay = new Overlay(this.plot, this.mark, [this.flow.top, this.flow.pane, this.talk.pane, this.resources.pane]);
    const sizes = new Sizes(root, c.view);
    const between = splitter("row", "Height of Communication", (d) => sizes.resize("talk", -d, 56, this.talk.pane.el.offsetHeight));
    add(this.plot, head, this.flow.top.el, this.flow.pane.el, between, this.talk.pane.el, splitter("row", "Height of Resources", (d) => sizes.resize("cpus", -d, 56, this.resources.pane.el.classList.contains("folded") ? 0 : this.resources.pane.el.offsetHeight)), this.resources.pane.el, this.overlay.el);
    const treeEdge = splitter("column", "Width of the row names", (d) => sizes.resize("tree", d, 148, 0));
    treeEdge.classList.add("treeedge");
    const sideEdge = splitter("column", "Width of the inspector", (d) => sizes.resize("side", -d, 180, this.inspector.el.offsetWidth));
    sideEdge.classList.add("sideedge");
    add(this.plot, treeEdge);
    this.lost = new LostList(id, c, this.overview, this.inspector);
    this.lost.onReport = () => this.onLosses();
    this.lost.onSame = (words) => this.pointer.note(null, words);
    this.lost.onEvents = (x) => this.onLostEvents(x);
    c.commands.add({ group: "Views", words: "Show where events were lost", tab: "timeline", possible: () => c.set.hosts.some(anyLost), run: () => this.lost.show() });
    this.overview.onHover = (x, y, told) => this.pointer.overview(x, y, told);
    add(root, this.unread, this.overview.el, this.crumbs.el, h("div", { class: "body" }, this.plot, sideEdge, this.inspector.el), this.pointer.tooltip.el);
    this.controls = new RowControls(c.view, () => this.rowsChosen(), () => this.pin());
    this.wakeups = new Wakeups(c, this.flow);
    this.pointer.tooltip.ceiling = () => this.axis.el.getBoundingClientRect().bottom;
    this.pointer.tooltip.spared = () => (this.inspector.el.offsetHeight > 0 ? this.inspector.el.getBoundingClientRect() : null);
    this.flow.pane.setControls(this.wakeups.words, this.wakeups.key, this.wakeups.button, ...this.controls.nodes);
    this.flow.pane.fit();
    this.wire();
  }

  private wire(): void {
    const { view } = this.c;
    // What moves under a pointer at rest may look like a move of it.
    let rests = { clientX: NaN, clientY: NaN };
    this.plot.addEventListener("pointerdown", () => this.moments.elsewhere(), { capture: true });
    this.plot.addEventListener("pointermove", (e) => {
      if (e.clientX !== rests.clientX || e.clientY !== rests.clientY) this.moments.elsewhere();
      rests = e;
    });
    zoomsAround(this.root, this.axis.el, view);
    this.hands = paneHands(this.c, { flow: this.flow, talk: this.talk, resources: this.resources, axis: this.axis, pointer: this.pointer }, {
      flow: (pane, x, y) => this.clickFlow(pane, x, y),
      talk: (x, y) => this.clickTalk(x, y),
      thread: (host, tid, at) => this.point(host, tid, at),
      lane: (block, words) => this.showLane(block, words),
    });
    this.axis.el.addEventListener("dblclick", () => view.showAll());
    for (const pane of [this.flow.top, this.flow.pane, this.talk.pane, this.resources.pane])
      pane.onName = (id, x, y) => this.pointer.on(id, x, y);
    for (const pane of [this.flow.top, this.flow.pane, this.talk.pane])
      pane.onSelect = (id) => {
        if (isFlow(id)) return pane.pointOut(id); // no other section and no address has it: what is selected stays
        this.moments.byKey("moment");
        this.atMessage = false;
        this.select(id);
        pane.scrollTo(id);
        this.state.ask(id, this.state.lived(id, view.cursor ?? timeAt(view.window, 0.5)));
      };
    const ofSelected = () => this.resources.chosen ?? this.follow.stretch ?? this.flow.chosen;
    const stretch = () => {
      const [mark, here] = [this.mark.at, this.moments.meant()?.t ?? null];
      return mark !== null && here !== null && mark !== here ? { begin: minNs(mark, here), end: maxNs(mark, here) } : ofSelected();
    };
    const host = () => this.pointer.thread?.host ?? view.row?.host;
    timelineKeys(view, this.c.commands, {
      can: {
        focus: () => !!(view.selection ?? ofSelected()),
        stretch: () => !!stretch(),
        recorded: () => host() !== undefined,
        pin: () => this.pinnable() !== null,
        step: () => this.resources.selected !== null || !!this.resources.chosen || this.state.canStep,
        mark: () => this.moments.meant() !== null,
      },
      focus: () => {
        const r = view.selection ?? ofSelected();
        if (r) showRange(view, r.begin, r.end);
      },
      stretch: () => {
        const r = stretch();
        if (!r) return;
        view.selection = { begin: r.begin, end: r.end };
        this.moments.byKey("stretch");
        view.emit();
        this.pointer.note(null, `Selected: ${exact(r.end - r.begin)} from ${seconds(r.begin - view.origin())}.`);
      },
      recorded: () => {
        const of = host();
        if (of !== undefined) this.showRecorded(of);
      },
      clear: () => {
        if (this.filter.clearAgain()) return;
        this.pointer.tooltip.hide();
        if (this.mark.left()) return this.pointer.onChange(); // as in Events
        view.selection = null;
        view.kept = [];
        this.unselect();
        view.emit();
      },
      filter: () => this.filter.focus(),
      others: () => this.filter.toggleOthers(),
      sort: (by) => this.arranged(() => this.controls.sort(by)),
      nextOrder: () => this.arranged(() => this.controls.next()),
      reverse: () => this.arranged(() => this.controls.reverse()),
      busy: () => this.arranged(() => this.controls.turnBusy()),
      pin: () => this.pin(),
      step: (forward) => {
        // What was chosen last is gone along; of a bar of a CPU that was clicked that is the CPU.
        if (this.resources.chosen || (this.resources.selected !== null && !this.flow.chosen)) {
          this.moments.elsewhere();
          return this.resources.onStep(forward);
        }
        this.atMessage = this.byMessage = false;
        this.moments.byKey("moment");
        this.state.step(forward);
      },
      mark: () => {
        const p = this.moments.meant();
        if (!p) return;
        if (this.mark.set(p)) this.pointer.onChange();
        else this.pointer.note(p.host, "The clock of what is pointed at is not known here.");
      },
      unmark: () => {
        this.mark.clear();
        this.pointer.onChange();
      },
      scroll: (rows) => this.flow.scroll(rows * this.flow.pane.rowHeight),
      page: (by) => this.flow.scroll(by * this.flow.pane.page()),
    });
  }

  /** Rows came or changed. */
  rowsChanged(): void {
    this.flow.relist();
    this.filter.render();
    this.talk.relist();
    this.resources.relist();
    this.inspector.viewChanged();
    const { view } = this.c;
    const id = this.flow.pane.selected;
    if (view.row && id !== null && id !== this.restored) {
      // A row that came with the address: show it once.
      this.restored = this.talk.pane.selected = id;
      this.talk.pane.layout();
      if (!this.flow.returning) this.flow.reveal(id);
      this.byMessage = !this.state.restore(id, view.selection?.begin ?? timeAt(view.window, 0.5)) && this.follow.missing;
    }
    this.findMessage();
  }

  /** All is what an address says: what was selected before is forgotten, and what that has is selected. */
  comeBack(): void {
    this.follow.forget();
    this.showLane(null);
    this.state.reset();
    [this.flow.chosen, this.restored, this.byMessage] = [null, null, false];
    this.flow.relist();
    this.talk.pane.selected = this.flow.pane.selected;
    this.rowsChanged();
  }

  private tellMessage(m: Picked | null, end: End): void {
    this.flow.meet(m);
    this.inspector.showMessage(m, end);
    this.heard = m && { message: m, words: "" };
    if (m) this.sayMessage();
    else this.onMessage("");
    this.pointer.onChange();
  }

  // Says which message is chosen, anew where more is known of it.
  private sayMessage(): void {
    const words = this.heard ? this.pointer.sentence(this.heard.message) : "";
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

  /** The set or a clock map changed. */
  setChanged(): void {
    const words = this.c.set.info ? unreadWords(this.c.set.info) : "";
    text(this.unread.firstElementChild!, words);
    hide(this.unread, !words);
    this.noteRaw();
    this.flow.relist();
    this.talk.relist();
    this.resources.relist();
    this.state.clocksChanged();
    this.follow.clocksChanged();
    this.findMessage();
    this.overview.request();
    this.inspector.render();
  }

  /** More is known of how two clocks lie to each other. */
  clocksCompared(): void {
    this.inspector.render();
    this.sayMessage();
    this.pointer.clocksCompared();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    this.talk.again();
    this.inspector.again();
  }

  /** Rows mean something else: another connection. */
  reset(): void {
    this.restored = null;
    this.flow.reset();
    this.wakeups.reset();
    this.talk.reset();
    this.resources.reset();
    this.overview.reset();
    this.follow.forget();
    this.showLane(null);
    this.state.reset();
  }

  /** What was drawn so far gives way to more of the same set. */
  giveWay(): void {
    this.flow.giveWay();
    this.resources.giveWay();
  }

  /** Hosts have other numbers now. */
  renumbered(): void {
    this.flow.renumbered();
    this.talk.renumbered();
    this.resources.renumbered();
  }

  /** Times are others, later by so much: raw for synchronized ones or back, or those of another reference host, from a version of the clock maps on. */
  retime(by: bigint, version?: number): void {
    this.flow.retime(by, version);
    this.wakeups.retime(by);
    this.talk.retime(by, version);
    this.resources.retime(by, version);
    // Between raw and synchronized times hosts move against each other, so that the strip would be wrong, not only moved.
    if (version === undefined) this.overview.reset();
    else this.overview.retime(by);
    this.follow.retime();
    this.showLane(null);
    this.state.retime();
  }

  /** What is kept to come back to is told by another clock; along is the host that the window went with as times became raw. */
  retell(along?: number): void {
    this.crumbs.retell(along);
  }

  /** Off screen nothing is asked for. */
  tabChanged(): void {
    if (this.c.view.tab === "timeline") return;
    this.pointer.leave();
    this.flow.pause();
    this.wakeups.pause();
    this.talk.pause();
    this.resources.pause();
  }

  // What is to be known of the times that are drawn. In a line that is there anyway: nothing moves as raw time is chosen.
  private noteRaw(): void {
    const words = this.c.view.raw ? rawWords(this.c.set, this.c.view) : groupWords(this.c.set.hosts);
    text(this.raw, words);
    attribute(this.raw, "title", words);
  }

  viewChanged(): void {
    this.controls.render();
    this.noteRaw();
    this.crumbs.viewChanged();
    if (this.c.view.tab !== "timeline") return;
    this.flow.viewChanged();
    this.wakeups.request();
    this.talk.viewChanged();
    this.resources.viewChanged();
    this.overview.request();
    this.inspector.viewChanged();
  }

  /** The timeline shows something that was chosen for whoever looks, or that was chosen elsewhere: what there is to see. */
  opened(why: string, of: Whose | null = null): void {
    this.inspector.open(why, of);
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
    if (id === undefined) this.unselect();
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

  // What the inspector has of a CPU or an interrupt, and those hear who do not see it.
  private showLane(block: HTMLElement | null, words = ""): void {
    this.inspector.showOther(block);
    this.onLane(words);
  }

  private unselect(): void {
    this.c.view.row = null;
    this.flow.chosen = null;
    this.follow.pick(null);
    this.resources.leave();
    this.showLane(null);
    this.state.clear();
    this.flow.relist();
    this.talk.pane.selected = null;
    this.talk.pane.layout();
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

  /** Shows all of the time in which a host recorded. */
  showRecorded(host: number): void {
    const { set, view } = this.c;
    const e = set.extent(host, view.raw);
    const name = set.host(host)?.name ?? "";
    if (!e) return this.pointer.note(host, `It is not known yet when ${name} recorded.`);
    showRange(view, e.begin, e.end);
    this.pointer.note(host, recordedWords([name], e.begin, e.end, view.origin()));
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
    this.resources.leave();
    this.showLane(null);
    this.flow.mark(id);
    this.talk.pane.layout();
    this.c.view.emit();
  }

  // Other rows are listed, or in another order.
  private rowsChosen(): void {
    this.c.view.kept = [];
    this.flow.relist();
    this.c.view.emit();
  }

  // Rows are arranged by a key: what they are now is told, for it may not be seen.
  private arranged(act: () => void): void {
    act();
    this.pointer.note(null, this.controls.words());
  }

  // The selected row, if it can be pinned.
  private pinnable(): number | null {
    const { view: { row }, rows } = this.c;
    return (row && rows.find(row.host, row.tid)) ?? null;
  }

  private pin(): void {
    const { view, view: { row }, rows } = this.c;
    const id = this.pinnable();
    if (id === null || !row) return;
    const was = view.pinned(row);
    this.flow.pin(id);
    if (view.pinned(row) !== was) this.pointer.note(row.host, `${threadName(rows.get(id)!)} ${view.pinned(row) ? "stays on top" : "scrolls with the others"}.`);
  }

  private clickFlow(pane: Pane, x: number, y: number): void {
    const id = pane.rowAt(y)?.id;
    if (id === undefined) return;
    this.follow.pick(null);
    this.select(id);
    this.state.ask(id, this.flow.timeAtX(x));
  }

  private clickTalk(x: number, y: number): void {
    this.follow.click(this.talk.at(x, y), this.talk.nearer(x, y));
  }

  /** The drawings of the plot, the axis first. */
  get surfaces(): readonly Surface[] {
    return [this.axis.surface, this.flow.top.surface, this.flow.pane.surface, this.talk.pane.surface, this.resources.pane.surface];
  }

  private bar = -1;

  draw(): void {
    const { view } = this.c;
    if (view.tab !== "timeline" || this.axis.surface.width === 0) return;
    if (this.flow.pane.bar !== this.bar) this.root.style.setProperty("--bar", `${(this.bar = this.flow.pane.bar)}px`);
    const ticks = this.axis.draw();
    const words = waitsFor(view, this.c.set);
    this.flow.pane.hold(words && `${words} The Import tab can change that.`);
    this.talk.pane.hold(words);
    this.resources.pane.hold(words);
    this.flow.draw(ticks);
    this.wakeups.draw(this.c.palette);
    this.talk.draw(ticks);
    this.follow.drawn();
    this.resources.draw(ticks);
    this.overview.draw();
    for (const look of this.hands) look();
    this.drawOverlay();
  }

  /** Cursor and selection: the only things that move with the mouse. */
  drawOverlay(): void {
    const { view } = this.c;
    const { width, height } = this.axis.surface;
    this.overview.point(view.cursor);
    const selected = this.overlay.draw(view, width);
    const flag = this.mark.draw(view.cursor === null ? null : { host: this.pointer.host, t: view.cursor }, this.moments.order(), width, height, selected);
    this.axis.under(flag ? [flag] : []);
  }
}
