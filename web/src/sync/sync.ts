// The Synchronization tab: who is linked to whom and how well, how the error runs over
// time, and the messages from which all of it follows.

import type { Source } from "../commands/finder.js";
import { Surface } from "../draw/surface.js";
import { isolated } from "../model/names.js";
import type { HostInfo, LinkInfo, Points } from "../net/json.js";
import type { SetModel } from "../model/set.js";
import { twoText } from "../model/two.js";
import { VIEWS } from "../net/views.js";
import type { Sought } from "../timeline/sought.js";
import type { Context } from "../timeline/controlflow.js";
import { group, counted } from "../time/number.js";
import { about, parseNs, seconds, type Ns } from "../time/time.js";
import { endOf, windowOf } from "../time/window.js";
import { add, fill, h, text } from "../ui/dom.js";
import { near } from "../ui/reads.js";
import { MOVES, Stays, STEPS } from "../ui/stays.js";
import { Candidates } from "./candidates.js";
import { clockSource } from "./choices.js";
import { Compare } from "./compare.js";
import { Early } from "./early.js";
import { ErrorPlot } from "./errors.js";
import { recordedWords } from "./asrecorded.js";
import { bounding } from "./force.js";
import { HostGraph } from "./graph.js";
import { HostTable } from "./hosts.js";
import { LinkTable } from "./links.js";
import { matchingWords } from "./matching.js";
import { Milestones } from "./milestones.js";
import type { Paper } from "./paper.js";
import { PointMark } from "./pointmark.js";
import { drawPoints } from "./points.js";
import { Resync } from "./resync.js";
import { PlotTimes } from "./plottimes.js";
import { PlotZoom } from "./zoom.js";

const LIMIT = 5000;
const REFRESH = 1000;

export class SyncPage {
  /** The table of links. */
  readonly table: LinkTable;
  private readonly graph: HostGraph;
  private readonly errors: ErrorPlot;
  private readonly resync: Resync;
  private readonly candidates: Candidates;
  private readonly milestones: Milestones;
  private readonly compare: Compare;
  private readonly early: Early;
  private readonly hosts: HostTable;
  private readonly plot: Surface;
  private readonly referenceNote = h("small");
  private readonly errorNote = h("small");
  private readonly pairs = h("small");
  private readonly plotTitle = h("span");
  private readonly plotNote = h("small");
  private readonly plotMark = h("small", { "aria-hidden": "true" });
  private readonly markHeard = new Stays(STEPS);
  private readonly partHeard = new Stays(MOVES);
  private points: Points | null = null;
  private refusal = "";
  /** The link that the plot is of, "" for none. */
  private shown = "";
  private asked = "";
  private askedAt = 0;
  private timer = 0;
  /** The link that is shown where none is chosen: it stays, whichever becomes the best while an import runs. */
  private first: { readonly a: string; readonly b: string } | null = null;
  private paper: Paper | null = null;
  /** What is said in the place of what only several hosts have. */
  private readonly alone = h("section", { class: "card alone" });
  private readonly zoom: PlotZoom;
  private readonly mark: PointMark;
  private readonly whole = h("button", { type: "button", hidden: true, onclick: () => this.zoom.all() }, "Show all");

  /** A point of the plot was clicked: the timeline is to show its message. */
  onFind: (m: Sought) => void = () => {};

  constructor(private readonly root: HTMLElement, id: string, private readonly c: Context) {
    this.resync = new Resync(id, c);
    this.candidates = new Candidates(c.set, this.resync);
    this.milestones = new Milestones(id);
    this.early = new Early(id, c);
    this.early.onAnswer = () => this.setChanged();
    this.table = new LinkTable(c.set, c.view, (l) => this.choose(l), this.resync, this.early);
    this.table.onColumns = () => this.setChanged();
    c.view.returned.on(() => (this.shown = "\n")); // the plot may be of another part
    this.graph = new HostGraph(c.set, () => ({ compared: c.view.compared, choose: (l) => this.choose(l), pick: (host) => this.compare.pick(host) }), () => this.chosen);
    this.errors = new ErrorPlot(c.set, c.schedule);
    this.resync.onBusy = () => this.setChanged();
    this.compare = new Compare(id, c);
    this.compare.instant = () => this.errors.instant;
    this.compare.onChosen = () => this.pairChosen();
    this.compare.onForget = () => this.forgetStrange();
    this.compare.link = () => {
      const [{ link }, l] = [c.view, this.chosen];
      return { asked: link && [link.a, link.b], shown: l && [l.a, l.b] };
    };
    this.compare.onMoment = () => this.hosts.render();
    this.hosts = new HostTable(c.set, c.view, () => this.compare.moment(), () => this.resync.before());
    this.graph.onPoint = (host) => this.errors.tell([this.chosen?.a, this.chosen?.b, host].filter((name) => !!name) as string[]);
    this.errors.onPoint = () => {
      this.compare.say();
      this.hosts.render();
    };
    const plot = h("div", { class: "canvas", tabindex: 0, role: "group", "aria-label": "Messages of the link. Plus and minus zoom, left and right move, up and down stretch the height, 0 shows all. Full stop and comma go from message to message, Enter shows it in the timeline." });
    add(
      root,
      this.resync.el,
      this.compare.el,
      this.alone,
      h("section", { class: "card ofgraph" }, h("h2", {}, "Hosts and links ", this.referenceNote), this.graph.el, this.graph.legend, this.graph.key),
      h("section", { class: "card oflinks" }, h("h2", {}, "Links ", this.pairs, this.table.more), this.table.el),
      h("section", { class: "card oferrors" }, h("h2", {}, "Error over time ", this.errorNote), this.errors.readout.el, this.errors.el),
      h("section", { class: "card ofpoints" }, h("h2", {}, this.plotTitle, " ", this.whole, " ", h("span", { class: "either" }, this.plotNote, this.plotMark), this.markHeard.el, this.partHeard.el), plot),
      this.table.detail,
      this.hosts.el,
      this.milestones.el,
      this.candidates.el,
    );
    this.plot = new Surface(plot, "The constraint points of the chosen link", c.schedule);
    this.mark = new PointMark(plot, () => this.paper, () => this.markChanged(), (i) => this.find(i));
    this.plot.canvas.addEventListener("mousemove", (e) => {
      const i = this.pointAt(e);
      this.plot.canvas.style.cursor = i < 0 ? "" : "pointer";
      this.mark.mark(i);
    });
    this.plot.canvas.addEventListener("mouseleave", () => this.mark.mark(-1));
    this.plot.canvas.addEventListener("click", (e) => this.zoom.dragged || this.find(this.pointAt(e)));
    this.zoom = new PlotZoom(plot, () => this.paper, () => this.mark.share(), () => this.partChanged());
    new ResizeObserver(() => this.drawGraph()).observe(this.graph.el);
    this.addCommands();
  }

  private addCommands(): void {
    const { set, commands } = this.c;
    const [group, tab] = ["Clocks", "sync"] as const;
    const several = () => set.hosts.length > 1 && !!set.clocks;
    commands.add(
      { group, words: "Synchronize in another way: method, reference, messages", also: "resynchronize re-synchronize regression exclude", tab, possible: () => several() && this.resync.ready, run: () => this.resync.open() },
      { group, words: "Let the best host be the reference again", tab, possible: () => !!set.clocks?.options?.reference && this.resync.ready, run: () => this.resync.pin(null) },
      { group, words: "Go back to the default synchronization", tab, possible: () => this.resync.own && this.resync.ready, run: () => this.resync.reset() },
      { group, words: "Compare the clocks of two hosts", also: "offset difference", tab, possible: several, run: () => this.compare.focus() },
      { group, words: "Go to the table of hosts", tab, possible: () => set.hosts.length > 0, run: () => this.goTo(this.hosts.el) },
      { group, words: "Go to the table of links", tab, possible: several, run: () => this.goTo(this.table.el) },
      { group, words: "Go to what each host costs as the reference", also: "what-if", tab, possible: several, run: () => this.goTo(this.candidates.el) },
      { group, words: "Go to how the clocks became known during the import", also: "accuracy", tab, possible: several, run: () => this.goTo(this.milestones.el) },
    );
  }

  /** What can be done with single hosts and links, for the palette. open shows this tab. */
  source(open: () => void): Source {
    const { resync } = this;
    const there = (what: () => void) => {
      open();
      what();
    };
    return clockSource(this.c.set, {
      get ready() {
        return resync.ready;
      },
      pin: (host) => there(() => resync.pin(host)),
      turn: (l) => there(() => resync.turn(l)),
      out: (l) => resync.out(l),
      show: (l) => there(() => {
        this.choose(l);
        this.goTo(this.table.el);
      }),
    });
  }

  // What is gone to is scrolled to, and the keyboard goes on from its first control.
  private goTo(part: HTMLElement): void {
    part.scrollIntoView({ block: "nearest" });
    const first = part.querySelector<HTMLElement>("button:not(:disabled, [aria-disabled='true']), tr[tabindex='0']");
    if (!first) part.tabIndex = -1;
    (first ?? part).focus({ preventScroll: !first });
  }

  private get reference(): HostInfo | undefined {
    return this.c.set.hosts.find((x) => x.reference && !x.unsynchronized);
  }

  private get chosen(): LinkInfo | null {
    const links = this.table.sorted();
    const { link } = this.c.view;
    const either = link && links.find((l) => l.a === link.b && l.b === link.a);
    const first = this.first && links.find((l) => l.a === this.first!.a && l.b === this.first!.b);
    return links.find((l) => this.named(l)) ?? either ?? this.between ?? first ?? links[0] ?? null;
  }

  // The link of the two hosts that are compared, if they have one.
  private get between(): LinkInfo | null {
    const [a, b] = this.c.view.compared;
    const l = a && b ? this.c.set.link(a, b) : undefined;
    return l && l.class !== "absent" ? l : null;
  }

  // What is below is of the two that are compared.
  private pairChosen(): void {
    const l = this.between;
    if (l && !this.named(l)) this.choose(l);
    else this.drawGraph();
  }

  private choose(l: LinkInfo): void {
    const { view } = this.c;
    view.link = { a: l.a, b: l.b };
    [view.plot, view.tall] = [null, 1];
    this.forget(l);
    this.setChanged();
    view.emit();
  }

  private forgetStrange(): void {
    const { view } = this.c;
    const l = this.chosen;
    if (!this.named(l) && !(l && view.link && l.a === view.link.b && l.b === view.link.a)) [view.link, view.plot, view.tall] = [null, null, 1];
    this.setChanged();
    view.emit();
  }

  // What the plot shows is of another link, all of it unless the address has a part of that.
  private forget(l: LinkInfo | null): void {
    const { plot, tall } = this.c.view;
    this.c.live.drop(VIEWS.points);
    this.points = null;
    if (this.named(l)) this.zoom.begin(plot && windowOf(plot.begin, plot.end), tall);
    else this.zoom.begin(null, 1);
    this.refusal = "";
    this.asked = "";
    this.partHeard.say("");
  }

  // Whether a link is the one that the address has.
  private named(l: LinkInfo | null): boolean {
    const { link } = this.c.view;
    return !!l && l.a === link?.a && l.b === link.b;
  }

  private get open(): boolean {
    return this.c.view.tab === "sync";
  }

  tabChanged(): void {
    if (this.open) this.setChanged();
    else this.c.live.drop(VIEWS.points);
    this.asked = this.open ? this.asked : "";
  }

  /** Where a host recorded is wanted, in the timeline. */
  set onRecorded(go: (host: number) => void) {
    this.hosts.onRecorded = go;
  }

  /** Something was done of which there is to be told. */
  set onSay(say: (sentence: string) => void) {
    this.hosts.onSay = say;
    this.resync.onSay = say;
  }

  /** Gives the table of hosts away as CSV. */
  saveHosts(): void {
    this.hosts.save();
  }

  themeChanged(): void {
    this.c.schedule();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    this.compare.again();
    this.early.again();
    this.milestones.again();
  }

  /** It became known how two clocks are known against each other. */
  clocksCompared(): void {
    if (this.open) this.table.render(this.chosen, this.points);
  }

  setChanged(): void {
    if (!this.open) return;
    const { set } = this.c;
    const { reference } = this;
    this.referenceNote.title = "The reference is the host with the smallest total error to all others";
    const apart = reference && set.hosts.some((x) => x.unsynchronized) ? `, of the hosts related to ${isolated(reference.name)}` : "";
    text(this.errorNote, bounding(set.clocks) ? "half-width of what the messages allow" + apart : "");
    const n = set.hosts.length;
    const single = n === 1 && !set.importing;
    this.root.classList.toggle("single", single);
    fill(this.alone, ...(single ? aloneWords(set) : []));
    const all = (n * (n - 1)) / 2;
    text(this.pairs, n > 1 ? `${group(this.table.sorted().length)} of ${counted(all, "pair")} exchanged messages${set.clocks?.options?.window ? " in the window that counts" : ""}` : "");
    const l = this.chosen;
    if (l && !this.named(l) && l !== this.between) this.first = { a: l.a, b: l.b };
    const link = l ? twoText([l.a, l.b]) : "";
    if (link !== this.shown) this.forget(l); // also by itself, as where the clocks are made in another way
    this.shown = link;
    this.resync.render();
    this.early.refresh();
    this.table.render(l, this.points);
    this.compare.render();
    this.hosts.render();
    this.candidates.render();
    this.milestones.refresh(set.clocks?.version ?? 0, set.info?.state === "ready");
    this.drawGraph();
    text(this.plotTitle, l ? `${l.a} – ${l.b}` : "Constraints");
    this.note(l);
    this.candidates.stay(this.root);
    if (l) this.request(l);
    this.c.schedule();
  }

  private partChanged(): void {
    const l = this.chosen;
    const { view } = this.c;
    const { window: w, tall, zoomed } = this.zoom;
    // A part is of a link, which may not be the one that comes first elsewhere.
    if (l && zoomed) view.link = { a: l.a, b: l.b };
    if (this.named(l)) {
      [view.plot, view.tall] = [w && { begin: w.begin, end: endOf(w) }, tall];
      view.keep();
    }
    this.note(l);
    if (l) {
      this.partHeard.say(`${this.partOf(l) || "All messages"}${tall === 1 ? "" : `, ${Number(tall.toPrecision(3))} times as high as by itself`}.`);
      this.request(l);
    }
    this.c.schedule();
  }

  private markChanged(): void {
    this.note(this.chosen);
    this.c.schedule();
  }

  private note(l: LinkInfo | null): void {
    const p = this.points;
    const kept = p && p.shown < p.total ? `, ${group(p.shown)} of ${group(p.total)} shown` : "";
    const marked = this.mark.words(l, this.times(l));
    text(this.plotMark, marked);
    this.markHeard.say(marked);
    // What is said of a point stands in the place of the note, which keeps its room: the plot stays where it is.
    const part = l && this.partOf(l);
    text(this.plotNote, l ? `${part ? `${part}; ` : ""}${this.noteWords(l)}${kept}` : "");
    this.plotNote.classList.toggle("covered", marked !== "");
    this.whole.hidden = !this.zoom.zoomed;
  }

  // Which part of the time of a link is shown, "" for all of it.
  private partOf(l: LinkInfo): string {
    const w = this.zoom.origin === null ? null : this.zoom.window;
    return w ? `${about(w.span, 3)} from ${seconds(this.times(l).told(w.begin), 9)} on` : "";
  }

  private times(l: LinkInfo | null): PlotTimes {
    return new PlotTimes(this.c.set, this.c.set.hosts.find((x) => x.name === l?.a)?.index ?? -1);
  }

  private noteWords(l: LinkInfo): string {
    const { recorded, told } = this.paper ?? {};
    if (this.c.view.raw && recorded) return `${recordedWords(l.a, l.b, recorded.ahead)}${told?.force?.length ? "; bold: the clock in force" : ""}${told?.knots?.length ? ", a tick where a piece of the estimate ends" : ""}`;
    if (this.points?.midline !== false) return `what each message says about ${l.b}'s clock, minus the ${this.lineWords()}${this.points?.lmax?.length === 2 && this.points.lmin?.length === 2 ? "; dashed: the steepest and the flattest line that fit" : ""}${this.points?.knots?.length ? ", a tick where a piece ends" : ""}`;
    if (this.c.set.clocks?.final === false) return "against slope 1: no estimate yet";
    if (l.class === "accurate" || l.class === "approximate") return "against slope 1: this method has no estimate of a link that is left out";
    return l.class === "fail" ? "against the line that is nearest to fitting: none fits" : "against slope 1: messages went one way only";
  }

  // What the link is by itself, beside the clock in force if that is drawn.
  private lineWords(): string {
    return this.points?.force?.length ? "estimate of the link alone; bold: the clock in force" : "estimate";
  }

  private drawGraph(): void {
    if (!this.open) return;
    this.graph.render();
    const { set } = this.c;
    const { bounded, labelled } = this.graph;
    const links = bounded === 0 ? "" : labelled === 0 ? ", of links in the table" : `, of links the median${labelled < bounded ? " where there is room" : ""}`;
    const words = this.graph.noted ? `hosts best to worst${links}` : bounded > 0 && labelled === 0 ? "hosts and of links in the tables" : `hosts in the table${links}`;
    const bounds = bounding(set.clocks) ? `; ± of ${words}` : "";
    text(this.referenceNote, this.reference && set.hosts.length > 1 ? `reference: ${isolated(this.reference.name)}${bounds}` : "");
  }

  // Points are asked for again when the map improved, at most once a second.
  private request(l: LinkInfo): void {
    const { set, live } = this.c;
    const [a, b] = [l.a, l.b].map((name) => set.hosts.find((x) => x.name === name)?.index);
    if (a === undefined || b === undefined) return;
    const link = `${a} ${b}`;
    const w = this.zoom.origin === null ? null : this.zoom.window; // it must be known first what it is a part of
    const part = w ? { begin: String(w.begin), end: String(endOf(w)) } : {};
    const shown = `${link} ${part.begin ?? ""} ${part.end ?? ""} `;
    const key = shown + (set.clocks?.version ?? 0);
    if (key === this.asked) return;
    const wait = this.asked.startsWith(shown) ? this.askedAt + REFRESH - performance.now() : 0;
    clearTimeout(this.timer);
    if (wait > 0) {
      this.timer = setTimeout(() => this.setChanged(), wait);
      return;
    }
    this.asked = key;
    this.askedAt = performance.now();
    live.ask(VIEWS.points, { op: "points", a, b, limit: LIMIT, ...part }, (m) => {
      // A refusal, as while no message of the link is stored yet, stands where the plot would.
      this.refusal = m.kind === "error" ? m.body.message : "";
      if (m.kind === "points") {
        this.points = m.body;
        const [begin, end] = [parseNs(m.body.begin), parseNs(m.body.end)];
        if (!w && begin !== null && end !== null && end > begin) {
          this.zoom.reaches(begin, end);
          if (this.zoom.window) this.request(l);
        }
        this.table.render(this.chosen, this.points);
      }
      this.note(this.chosen);
      this.c.schedule();
    });
  }

  private pointAt(e: MouseEvent): number {
    return this.paper?.at(e.offsetX, e.offsetY, near(e)) ?? -1;
  }

  // A point is a message: it is looked for by when its ends were sent and received, in the time that is shown. Its place is one
  // in what is drawn, and other points may have come since.
  private find(i: number): void {
    const { set, view } = this.c;
    const p = this.paper?.p;
    const [point, after, aBegin, bBegin] = [p?.points?.[i], p?.b_times?.[i], parseNs(p?.begin), parseNs(p?.b_begin)];
    if (!p || !point || after === undefined || aBegin === null || bBegin === null) return;
    const shown = (host: number, local: Ns) => (view.raw ? local : set.toReference(host, local));
    const [a, b] = [shown(p.a, aBegin + BigInt(point[0])), shown(p.b, bBegin + BigInt(after))];
    if (a === null || b === null) return;
    this.onFind(point[2] === 0 ? { from: p.a, to: p.b, sent: a, received: b } : { from: p.b, to: p.a, sent: b, received: a });
  }

  draw(): void {
    if (!this.open) return;
    this.errors.draw(this.c.palette);
    const l = this.chosen;
    const empty = this.refusal || (l ? (this.points ? "No message between these two hosts yet." : "The messages of this link are being read.") : "This shows what the messages of a link say about its clock. There is no link.");
    this.paper = drawPoints(this.plot, this.points, this.zoom, this.times(l), l?.a ?? "", l?.b ?? "", bounding(this.c.set.clocks), this.c.view.raw, empty, this.c.palette);
    this.note(l);
    this.mark.draw(this.plot.g, this.c.palette);
  }
}

// Of one host there is nothing to relate, and no plot of it.
function aloneWords(set: SetModel): HTMLElement[] {
  const packets = matchingWords(set.clocks?.matching, false);
  return [
    h("h2", {}, "One host"),
    h("p", {}, `The only clock of this set is that of ${set.hosts[0].name}, by which all times are told: nothing is to be synchronized. Drop the traces of several machines together to see how their clocks lie to each other.`),
    ...(packets ? [h("p", { class: "minor" }, packets)] : []),
  ];
}
