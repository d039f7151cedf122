// The Timeline tab: overview, one time axis, control flow and communication under it,
// the inspector beside them, and what floats above: cursor, selection, tooltip.

import { Surface } from "../draw/surface.js";
import { groupWords } from "../model/known.js";
import type { Whose } from "../home/api.js";
import { anyLost, type Loss } from "../model/losses.js";
import { unreadWords } from "../model/unread.js";
import { waitsFor } from "../model/wait.js";
import { timeAt } from "../time/window.js";
import { add, attribute, h, hide, text } from "../ui/dom.js";
import { Resources } from "../resources/resources.js";
import { splitter } from "../ui/splitter.js";
import { actsOf } from "./acts.js";
import { Axis } from "./axis.js";
import { Communication } from "./communication.js";
import { isFlow } from "./flows.js";
import { ControlFlow, type Context } from "./controlflow.js";
import { CrumbLine } from "./crumbs.js";
import { zoomsAround } from "./gestures.js";
import { paneHands } from "./hands.js";
import { Follow } from "./follow.js";
import { Inspector } from "./inspector.js";
import { Wakeups } from "./wakeups.js";
import { showRange, timelineKeys, type Acts } from "./keys.js";
import { LossesInView } from "./lossesinview.js";
import { LostList } from "./lostlist.js";
import { Mark } from "./mark.js";
import { Overview } from "./overview.js";
import { Overlay } from "./overlay.js";
import { Pointer } from "./pointer.js";
import { recordedWords } from "./recordings.js";
import { RowControls } from "./rowcontrols.js";
import { RowFilter } from "./rowfilter.js";
import { Selected } from "./selected.js";
import { Sizes } from "./sizes.js";
import { rawWords } from "./words.js";

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
  readonly pointer: Pointer;
  readonly selected: Selected;
  private readonly acts: Acts;
  private readonly filter: RowFilter;
  private readonly controls: RowControls;
  /** Rows and drawings, without the overview and the inspector. */
  readonly plot = h("div", { class: "plot" });
  private readonly unread = h("p", { class: "unread warn", role: "status", hidden: true }, h("span"), " ",
    h("a", { href: "?tab=import", onclick: (e: Event) => { e.preventDefault(); this.onReport(); } }, "Import report"));
  /** The import report is wanted, or what it has to say of losses. */
  onReport: () => void = () => {};
  onLosses: () => void = () => {};
  /** The ways to keep what is shown are wanted. */
  onKeep: () => void = () => {};
  /** Asks for the list of bookmarks. */
  onBookmarks: () => void = () => {};
  /** The events are wanted where something was lost. */
  onLostEvents: (x: Loss) => void = () => {};
  /** Each looks, after a drawing, whether a pointer at rest has something else under it. */
  private hands: (() => void)[] = [];
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
    c.commands.add({ group: "Select", words: "Follow what the selected state waited for", also: "cause critical path blocked", keys: ["g"], tab: "timeline", possible: () => this.selected.state.canFollow, needs: "This key goes on from a state: select one first.", run: () => {
      this.selected.moments.byKey("moment");
      this.selected.state.onward();
    } });
    this.follow = new Follow(c, this.talk);
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
    this.talk.listed.onOpened = (words) => this.pointer.note(null, words);
    this.talk.finding.onLost = () => this.pointer.note(null, "No such message is found at these times: the clocks may have changed since it was listed.");
    this.pointer = new Pointer(c, this.flow, this.talk);
    this.axis = new Axis(c);
    const head = h("div", { class: "axisrow" }, this.filter.el, this.axis.el);
    this.mark = new Mark(c);
    this.selected = new Selected(c, { flow: this.flow, talk: this.talk, resources: this.resources, inspector: this.inspector, follow: this.follow, pointer: this.pointer, mark: this.mark });
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
    this.controls = new RowControls(c.view, () => this.rowsChosen(), () => this.acts.pin());
    this.wakeups = new Wakeups(c, this.flow);
    this.pointer.tooltip.ceiling = () => this.axis.el.getBoundingClientRect().bottom;
    this.pointer.tooltip.spared = () => (this.inspector.el.offsetHeight > 0 ? this.inspector.el.getBoundingClientRect() : null);
    this.flow.pane.setControls(this.wakeups.words, this.wakeups.key, this.wakeups.button, ...this.controls.nodes);
    this.flow.pane.fit();
    this.acts = actsOf(c, { flow: this.flow, resources: this.resources, follow: this.follow, pointer: this.pointer, mark: this.mark, filter: this.filter, controls: this.controls, selected: this.selected }, (host) => this.showRecorded(host));
    this.wire();
    timelineKeys(c.view, c.commands, this.acts);
  }

  private wire(): void {
    const { selected, c: { view } } = this;
    const { moments, state } = selected;
    // What moves under a pointer at rest may look like a move of it.
    let rests = { clientX: NaN, clientY: NaN };
    this.plot.addEventListener("pointerdown", () => moments.elsewhere(), { capture: true });
    this.plot.addEventListener("pointermove", (e) => {
      if (e.clientX !== rests.clientX || e.clientY !== rests.clientY) moments.elsewhere();
      rests = e;
    });
    zoomsAround(this.root, this.axis.el, view);
    this.hands = paneHands(this.c, { flow: this.flow, talk: this.talk, resources: this.resources, axis: this.axis, pointer: this.pointer }, {
      flow: (pane, x, y) => {
        const id = pane.rowAt(y)?.id;
        if (id !== undefined) selected.did(id, this.flow.timeAtX(x));
      },
      talk: (x, y) => this.follow.click(this.talk.at(x, y), this.talk.nearer(x, y)),
      thread: (host, tid, at) => selected.point(host, tid, at),
      lane: (block, words) => selected.showLane(block, words),
    });
    this.axis.el.addEventListener("dblclick", () => view.showAll());
    for (const pane of [this.flow.top, this.flow.pane, this.talk.pane, this.resources.pane])
      pane.onName = (id, x, y) => this.pointer.on(id, x, y);
    for (const pane of [this.flow.top, this.flow.pane, this.talk.pane])
      pane.onSelect = (id) => {
        if (isFlow(id)) return pane.pointOut(id); // no other section and no address has it: what is selected stays
        selected.byName(id, state.lived(id, view.cursor ?? timeAt(view.window, 0.5)));
        pane.scrollTo(id);
      };
  }

  /** Rows came or changed. */
  rowsChanged(): void {
    this.flow.relist();
    this.filter.render();
    this.talk.relist();
    this.resources.relist();
    this.inspector.viewChanged();
    this.selected.rowsChanged();
  }

  /** All is what an address says: what was selected before is forgotten, and what that has is selected. */
  comeBack(): void {
    this.selected.reset();
    this.flow.chosen = null;
    this.flow.relist();
    this.talk.pane.selected = this.flow.pane.selected;
    this.rowsChanged();
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
    this.selected.clocksChanged();
    this.overview.request();
    this.inspector.render();
  }

  /** More is known of how two clocks lie to each other. */
  clocksCompared(): void {
    this.inspector.render();
    this.selected.sayMessage();
    this.pointer.clocksCompared();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    this.talk.again();
    this.inspector.again();
  }

  /** Rows mean something else: another connection. */
  reset(): void {
    this.flow.reset();
    this.wakeups.reset();
    this.talk.reset();
    this.resources.reset();
    this.overview.reset();
    this.selected.reset();
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
    this.selected.retime();
  }

  /** What is kept to come back to is told by another clock; along is the host that the window went with as times became raw. */
  retell(along?: number): void {
    this.crumbs.retell(along);
  }

  /** The page is left: the address is to have all that was done. */
  leave(): void {
    this.filter.leave();
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
  opened(why: () => string, of: Whose | null = null): void {
    this.inspector.open(why, of);
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

  // Other rows are listed, or in another order.
  private rowsChosen(): void {
    this.c.view.kept = [];
    this.flow.relist();
    this.c.view.emit();
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
    const flag = this.mark.draw(view.cursor === null ? null : { host: this.pointer.host, t: view.cursor }, this.selected.moments.order(), width, height, selected);
    this.axis.under(flag ? [flag] : []);
  }
}
