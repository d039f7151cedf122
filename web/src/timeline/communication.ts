// Communication: the messages between hosts, and between their threads where those
// are known. A host's row opens to the threads that take part around the window.

import { arrowAt, drawArrows, latencyOf, type Count, type Ends } from "../draw/arrows.js";
import { legend, scaleOf, type LatencyScale } from "../draw/latency.js";
import { drawStretches, isLong, WideBundles, type Stretch } from "../draw/stretch.js";
import { gather, type Arrow, type Placed } from "../draw/gather.js";
import { drawVeil } from "../draw/veil.js";
import { whyEarly, withinError } from "../model/early.js";
import { strangersIn, strangerWords } from "../model/pair.js";
import type { Bounds } from "../model/set.js";
import { seldom } from "../model/seldom.js";
import { Settled } from "../model/settled.js";
import { lackFor, lackOf, type EmptyWords } from "../model/lacks.js";
import { NOTHING } from "../model/unread.js";
import type { Message, MessagesAnswer } from "../net/wire.js";
import { VIEWS } from "../net/views.js";
import type { Tick } from "../time/ticks.js";
import { maxNs, minNs, type Ns } from "../time/time.js";
import { columnsFor, endOf, serves, shareOf, type Columns, type Window } from "../time/window.js";
import { attribute, fill, h, hide, text } from "../ui/dom.js";
import type { Context } from "./controlflow.js";
import { Finding } from "./finding.js";
import { isFlow } from "./flows.js";
import { Glide } from "./glide.js";
import { backwardWords, countWords, InView } from "./inview.js";
import { Pane } from "./pane.js";
import type { PaneRow } from "./panerows.js";
import { Patience } from "./patience.js";
import type { Picked } from "./picked.js";
import { Picking } from "./picking.js";
import { ReadUntil } from "./readuntil.js";
import { Scrolled } from "./scrolled.js";
import type { Sought } from "./sought.js";
import { Stepping } from "./stepping.js";
import { TalkRows } from "./talkrows.js";
import { apart, rowWords } from "./words.js";

/** More arrows than this over the three screens asked for are bundled; where connections are told apart there are more bundles. */
const LIMIT = 1800;
const FLOWS_LIMIT = 3600;
/** An end of an arrow is pointed at from so far away, CSS pixels. */
const NEAR = 8;
/** How long the window must rest before other connections are listed, ms. */
const SETTLE = 200;
/** While the window moves, the counts in words follow so many ms later. */
const TELLS = 100;
const ALL_AGAIN = "Show the messages of all hosts again";

export class Communication {
  readonly pane: Pane;
  private readonly scrolled: Scrolled;
  private listedPair = "";
  private listedFlows = false;
  private readonly settled = new Settled(SETTLE, () => {
    this.listed.listFlows();
    if (!this.c.view.flows && this.answer) this.listed.listTakers(this.answer);
  });
  private answer: MessagesAnswer | null = null;
  private wide: WideBundles | null = null; // those of the answer
  private thick: { readonly of: WideBundles; readonly rows: readonly PaneRow[]; readonly stretches: readonly Stretch[] } | null = null; // of all of them, among these rows
  /** The times that the answer tells of, and the hosts, "" for all. */
  private told: (Bounds & { readonly pair: string; readonly step: number }) | null = null;
  private readonly readUntil: ReadUntil;
  private readonly lacking = new Patience(() => this.c.schedule());
  private asked: { columns: Columns; time: string; pair: string } | null = null;
  private arrows: Arrow[] = [];
  /** The answer that the arrows are of. */
  private drawn: MessagesAnswer | null = null;
  private readonly picking: Picking;
  readonly stepping: Stepping;
  private readonly glide = new Glide();
  private readonly alone = h("button", { type: "button", class: "chosen", hidden: true, title: ALL_AGAIN, onclick: () => this.showAll() });
  private unrelated: ReadonlySet<Arrow> = new Set();
  private readonly wrong = h("small", { class: "backward" });
  private readonly key = h("small", { class: "latencykey", hidden: true });
  private readonly byFlow = h("button", { type: "button", class: "toggle", "aria-pressed": "false", title: "A host's row opens to its connections instead of its threads (L)", onclick: () => this.listed.toggleFlows() }, "by connection");
  readonly listed: TalkRows;
  readonly finding: Finding;
  private readonly inView: InView;
  /** A message that was looked for is there; wanted if it is to be gone to. */
  onFound: (m: Picked, wanted: boolean) => void = () => {};

  constructor(id: string, private readonly c: Context) {
    this.readUntil = new ReadUntil(c);
    this.picking = new Picking(c, () => ({ answer: this.drawn, arrows: this.arrows }));
    this.stepping = new Stepping(c, this.picking, () => ({ answer: this.answer, drawn: this.drawn, arrows: this.arrows, width: this.pane.surface.width, selected: this.pane.selected, listed: (id) => this.listed.rowOf(id) !== undefined }));
    this.inView = new InView(id, c, () => this.tell());
    this.pane = new Pane("Communication", (id) => (isFlow(id) ? this.listed.flows.words(id) : rowWords(c.rows, c.set, c.view, id)), true);
    this.listed = new TalkRows(c, this.pane, { answer: () => this.answer, columns: () => this.asked?.columns ?? null }, FLOWS_LIMIT);
    this.listed.onOther = () => this.relist();
    this.finding = new Finding(c, this.picking, {
      ask: (window, take) => {
        const { time } = c.view;
        c.live.ask(VIEWS.sought, this.question(columnsFor(window, this.pane.surface.canvas.width)), (answer) => {
          c.live.drop(VIEWS.sought);
          if (answer.kind === "messages" && time === c.view.time) take(answer);
        });
      },
      drawn: (a, window) => gather(a, this.place(new WideBundles(a, columnsFor(window, this.pane.surface.canvas.width).step), window, this.pane.surface.width, Infinity)),
    });
    this.finding.onFound = (m, wanted) => {
      this.scrolled.bring();
      this.onFound(m, wanted);
    };
    this.scrolled = new Scrolled(this.pane, c.view, "talk", (y) => this.wanted(y));
    c.commands.add({ group: "Rows", words: ALL_AGAIN, tab: "timeline", possible: () => this.c.view.pair !== null, run: () => this.showAll() });
    c.commands.add({ group: "Rows", words: "Show open hosts of Communication by connection, or by thread", also: "tcp flows expand collapse", keys: ["l"], tab: "timeline", run: () => this.listed.toggleFlows() });
    this.pane.onToggle = (id) => this.listed.toggle(id);
    this.pane.note.after(this.wrong);
    this.pane.setControls(this.key, this.byFlow, this.alone);
    this.pane.fit();
    this.pane.moved.on(() => {
      this.request();
      c.schedule();
    });
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    this.inView.again();
  }

  reset(): void {
    this.answer = this.drawn = this.wide = this.thick = this.told = null;
    this.arrows = [];
    this.counts = [];
    this.asked = null;
    this.readUntil.reset();
    this.picking.pick(null);
    this.glide.reset();
    this.listed.reset();
  }

  /** Hosts have other numbers now. */
  renumbered(): void {
    this.asked = null;
    this.glide.reset();
    this.listed.flows.clear();
  }

  /** The number of the host that has a connection's row; undefined for other rows. */
  hostOf(id: number): number | undefined {
    return this.listed.flows.hostOf(id);
  }

  /** Times are others, later by so much, from a version of the clock maps on: what is drawn stays until the answer in the new times is there. */
  retime(by: bigint, version = Infinity): void {
    if (this.answer && this.answer.clocks.version < version) {
      this.answer.base += by;
      if (this.told) this.told = { ...this.told, begin: this.told.begin + by, end: this.told.end + by };
    }
    this.asked = null;
    this.picking.pick(null);
    this.glide.shift(by, version);
  }

  /** Not on screen now: the server need not answer anew. */
  pause(): void {
    this.asked = null;
    this.settled.end();
    this.c.live.drop(VIEWS.messages);
    this.c.live.drop(VIEWS.flows);
  }

  relist(): void {
    const out = this.listed.list();
    const pair = this.listed.pair();
    const strange = strangersIn(this.c.view.pair, this.listed.hosts(), this.c.set.importing);
    hide(this.alone, !pair && !strange);
    this.alone.title = strange ? `${strangerWords(this.c.view.pair, this.listed.hosts(), this.c.set.importing)} A press forgets the pair.` : ALL_AGAIN;
    const words = pair ? `only ${pair.map((i) => this.c.set.host(i)!.name).join(" ↔ ")}` : strange;
    if (words) fill(this.alone, words, h("span", { "aria-hidden": "true" }, " ×"));
    this.pane.setRows(out, this.emptyWords(out.length));
    this.scrolled.goBack();
    this.c.schedule();
  }

  // What an empty view says: what it would show, what is missing, what to do.
  private emptyWords(hosts: number): EmptyWords {
    const shows = "This shows the messages that hosts sent each other.";
    if (hosts === 0 && this.c.set.info?.state === "failed") return NOTHING;
    if (hosts === 0) return `${shows}${this.c.set.importing ? " Rows come as soon as the hosts are known." : ""}`;
    if (this.listed.anyThread || (this.answer?.total ?? 0) > 0) return "";
    if (hosts === 1 && this.c.set.info?.unreadable) return `${shows} Only one host of this set could be read.`;
    if (hosts === 1 && !this.c.set.importing) return `${shows} This set has only one host.`;
    return lackOf(shows, this.c.set.hosts, lackFor(/communication/i));
  }

  private pairKey(): string {
    return this.listed.pair()?.join() ?? "";
  }

  private showAll(): void {
    this.c.view.pair = null;
    this.c.view.emit();
  }

  /** Picks a message, or several. They are asked for by themselves, for where there are many what is drawn has them in a bundle, maybe with others. */
  find(m: Sought, wanted: boolean): void {
    if (wanted) this.scrolled.choose();
    this.finding.find(m, wanted);
  }

  /** Brings both ends of the picked message in sight. */
  reveal(): void {
    this.scrolled.choose();
    this.scrolled.bring();
  }

  // How far the rows are scrolled, from where they are so far, for those of the picked message's ends to be in sight, one after the other: of their threads, where these are listed, else of their hosts.
  private wanted(y: number): number {
    const m = this.picking.picked;
    const places = m ? [m.from, m.to].flatMap((id) => this.listed.rowOf(id) ?? []) : [];
    return places.reduce((y, i) => this.pane.reach(this.pane.rows[i].id, y), y);
  }

  viewChanged(): void {
    attribute(this.byFlow, "aria-pressed", String(this.c.view.flows));
    const pair = this.c.view.pair?.join("~") ?? "";
    if (pair !== this.listedPair || this.c.view.flows !== this.listedFlows) {
      this.listedPair = pair;
      this.listedFlows = this.c.view.flows;
      this.relist();
    }
    this.settled.begin();
    this.pane.renote();
    this.request();
  }

  private request(): void {
    const { view, live } = this.c;
    const pixels = this.pane.surface.canvas.width;
    if (view.empty || view.tab !== "timeline" || this.pane.surface.width === 0) return;
    const chosen = this.pairKey();
    const pair = `${chosen} ${view.flows ? this.listed.opened().join() : undefined}`;
    if (this.asked && this.asked.time === view.time && this.asked.pair === pair && serves(this.asked.columns, view.window, pixels)) return;
    const columns = columnsFor(view.window, pixels);
    this.asked = { columns, time: view.time, pair };
    live.ask(VIEWS.messages, this.question(columns), (m) => this.take(m, view.time, columns, chosen));
  }

  // What is asked of the server to draw messages.
  private question(columns: Columns) {
    const { view } = this.c;
    const [a, b] = this.listed.pair() ?? [];
    const hosts = view.flows ? this.listed.opened() : undefined;
    const flows = !!hosts?.length;
    return { op: "messages" as const, begin: String(columns.begin), end: String(columns.end), columns: columns.columns, time: view.time, limit: flows ? FLOWS_LIMIT : LIMIT, a, b, flows, hosts };
  }

  private take(m: Message, time: string, asked: Columns, pair: string): void {
    if (m.kind === "error") {
      this.asked = null;
      this.c.live.onError(m.body.message);
    }
    if (m.kind !== "messages" || time !== this.c.view.time) return;
    this.glide.take({ begin: asked.begin, end: asked.end, raw: this.c.view.raw, clocks: m.clocks }, this.c.view.window);
    const none = !this.answer?.total;
    this.answer = m;
    this.readUntil.take(m);
    this.wide = new WideBundles(m, asked.step);
    this.told = { begin: asked.begin, end: asked.end, pair, step: asked.step };
    this.listed.listTakers(m);
    if (none !== !m.total) this.relist(); // an empty view says why it is
    this.listed.liveFlows();
    this.listed.listFlows();
    this.c.schedule();
  }

  draw(ticks: Tick[]): void {
    const { view, palette, set, rows } = this.c;
    const s = this.pane.surface;
    if (s.width === 0) return;
    const g = s.begin(palette.css.panel);
    if (this.pane.held) {
      this.arrows = [];
      this.counts = [];
      this.tell();
      return;
    }
    g.fillStyle = palette.css.grid;
    for (const t of ticks) g.fillRect(Math.round(t.share * s.width), 0, 1, s.height);
    const middle = this.middle;
    this.pane.rows.forEach((r, i) => {
      const y = Math.round(middle(i));
      if (y < -40 || y > s.height + 40) return;
      if (r.id === this.pane.selected) {
        g.fillStyle = palette.css["accent-bg"];
        g.fillRect(0, this.pane.topOf(i), s.width, this.pane.rowHeight);
      }
      const row = rows.get(r.id);
      const e = row && set.extent(row.host, view.raw);
      const life = this.answer && isFlow(r.id) ? this.listed.flows.life(r.id) : null;
      g.fillStyle = palette.css.line;
      const at = (ns: number) => ((Number(this.answer!.base - view.window.begin) + ns) / view.window.span) * s.width;
      const [x0, x1] = life ? [at(life[0]), at(life[1])] : e ? [shareOf(view.window, e.begin) * s.width, shareOf(view.window, e.end) * s.width] : [0, s.width];
      g.fillRect(Math.max(0, x0), y, Math.min(s.width, x1) - Math.max(0, x0), 1);
    });
    s.spots = [];
    const a = (this.drawn = this.answer);
    this.arrows = a ? gather(a, this.place(this.wide!, view.window, s.width, s.height)) : [];
    // All of one arrow go between the same two hosts.
    this.unrelated = new Set(a ? this.arrows.filter((x) => apart(this.c, a.from[x.index], a.to[x.index])) : []);
    this.scale = a && scaleOf(this.arrows.filter((x) => x.bundle && !x.violation && !this.unrelated.has(x)).map((x) => latencyOf(a, x)));
    this.longest = this.wide?.longest(this.arrows) ?? 0;
    this.tell();
    if (this.glide.moving) this.c.schedule();
    const cover = () => this.readUntil.cover(g, this.pane, s.width, s.height, 1, (id) => (isFlow(id) ? this.hostOf(id) : rows.get(id)?.host));
    if (!a) return cover();
    const settled = this.picking.settled();
    if (settled) this.onFound(settled, false);
    const [{ picked }, chosen] = [this.picking, this.picking.places()];
    const perPixel = view.window.span / s.width;
    const at = (ns: number, id: number) => (Number(a.base - view.window.begin) + ns + this.gap(id)) / perPixel;
    drawStretches(g, this.stretches(this.wide!), s.width, s.height, perPixel, at, middle, palette.css.msg, 0.15, 0.6);
    drawStretches(g, this.wide!.stretches(chosen, (i, end) => this.listed.endOf(a, i, end)), s.width, s.height, perPixel, at, middle, palette.css.accent, 1, 1);
    const hidden = picked?.bundle ? chosen.size === 0 : this.arrows.every((x) => x.bundle || !x.members.some((i) => chosen.has(i)));
    const ends = hidden && picked ? this.endsOf(picked, s.width, middle) : null;
    s.spots = this.counts = drawArrows(g, a, this.arrows, this.unrelated, perPixel, s.width, palette, chosen, this.scale, ends);
    cover();
    const untold = this.untold();
    if (this.lacking.lasts(untold.length > 0)) for (const [from, to] of untold) drawVeil(g, from * s.width, to * s.width, 0, s.height, 1, palette.css.line);
  }

  // The parts of the window, as shares, of which the answer does not tell: it was asked about another window, or other hosts.
  private untold(): [number, number][] {
    const { view } = this.c;
    const all = view.bounds;
    if (!this.told || !all) return [];
    const [begin, end] = [maxNs(view.window.begin, all.begin), minNs(endOf(view.window), all.end)];
    const other = this.told.pair !== this.pairKey();
    const parts: [Ns, Ns][] = other ? [[begin, end]] : [[begin, minNs(end, this.told.begin)], [maxNs(begin, this.told.end), end]];
    return parts.filter(([from, to]) => from < to).map(([from, to]) => [shareOf(view.window, from), shareOf(view.window, to)]);
  }

  private readonly middle = (i: number) => this.pane.topOf(i) + this.pane.rowHeight / 2;

  // Where the messages of wide bundles lie on the lines of their hosts.
  private stretches(wide: WideBundles): readonly Stretch[] {
    const { rows } = this.pane;
    if (this.thick?.of !== wide || this.thick.rows !== rows) this.thick = { of: wide, rows, stretches: wide.stretches(wide.places, (i, end) => this.listed.endOf(wide.answer, i, end)) };
    return this.thick.stretches;
  }

  // Where messages of an answer lie in a window; those above and below what is seen of a height are left out.
  private place(wide: WideBundles, window: Window, width: number, height: number): Placed[] {
    const a = wide.answer;
    const base = Number(a.base - window.begin);
    const scale = width / window.span;
    const out: Placed[] = [];
    for (let i = 0; i < a.count; i++) {
      const aside = wide.asideOf(i);
      const x0 = (base + a.sent[i] + aside + this.gap(a.from[i])) * scale;
      const x1 = (base + a.received[i] + aside + this.gap(a.to[i])) * scale;
      // In raw time a message may take hours: what only passes through says nothing here, and is not counted.
      if (this.c.view.raw && Math.min(x0, x1) < 0 && Math.max(x0, x1) > width) continue;
      if (Math.max(x0, x1) < -20 || Math.min(x0, x1) > width + 20) continue;
      const [from, to] = [this.listed.endOf(a, i, 0), this.listed.endOf(a, i, 1)];
      if (from === undefined || to === undefined) continue;
      const [y0, y1] = [this.middle(from), this.middle(to)];
      if (height < Infinity && Math.max(y0, y1) < -20 || Math.min(y0, y1) > height + 20) continue;
      out.push({ index: i, x0, y0, x1, y1 });
    }
    return out;
  }

  // Where a message lies by itself; null where its rows are not listed.
  private endsOf(m: Picked, width: number, middle: (i: number) => number): Ends | null {
    const { window } = this.c.view;
    const [from, to] = [this.listed.rowOf(m.from), this.listed.rowOf(m.to)];
    if (from === undefined || to === undefined) return null;
    const x = (t: bigint, id: number) => ((Number(t - window.begin) + this.gap(id)) * width) / window.span;
    return { x0: x(m.sent, m.from), y0: middle(from), x1: x(m.received, m.to), y1: middle(to) };
  }

  private gap(id: number): number {
    const row = this.c.rows.get(id);
    return row ? this.glide.gap(row.host) : 0;
  }

  private scale: LatencyScale | null = null;
  private longest = 0; // ns, from the first to the last message of a wide bundle in view
  private counts: readonly Count[] = [];

  private readonly tell = seldom(TELLS, () => {
    const n = this.pane.held ? null : this.inView.of(this.answer, this.untold().length > 0 || this.readUntil.lacks(this.listed.pair()), this.listed.pair() && this.c.view.pair);
    const omitted = this.c.view.flows ? this.listed.flows.omitted(this.c.view.openedHosts) : "";
    this.pane.say(n ? [countWords(n), omitted].filter(Boolean).join("; ") : "");
    const { set, view } = this.c;
    const within = !view.raw && withinError(set);
    text(this.wrong, n ? backwardWords(n, within) : "");
    this.wrong.title = n && n.backward > 0 && within ? `${whyEarly(set)} Synchronization counts those of the whole set.` : "";
    this.wrong.classList.toggle("warn", !!n && n.backward > 0 && !within);
    legend(this.key, this.scale, this.longest, this.unrelated.size > 0, this.c.palette);
  });

  /** Whether any answer about messages is there. */
  get known(): boolean {
    return this.answer !== null;
  }

  // The arrow under a point of the canvas, or whose count is there.
  private under(x: number, y: number): Arrow | null {
    return arrowAt(this.arrows, this.counts, x, y);
  }

  /** The end of the message that is nearer to a point of the canvas. */
  nearer(x: number, y: number): "from" | "to" {
    const arrow = this.under(x, y);
    return arrow && Math.hypot(x - arrow.x1, y - arrow.y1) < Math.hypot(x - arrow.x0, y - arrow.y0) ? "to" : "from";
  }

  /** The end of the message under a point of the canvas that lies there too; null where none of its ends does. */
  endAt(x: number, y: number): "from" | "to" | null {
    const arrow = this.under(x, y);
    if (!arrow) return null;
    const end = this.nearer(x, y);
    const away = end === "from" ? Math.hypot(x - arrow.x0, y - arrow.y0) : Math.hypot(x - arrow.x1, y - arrow.y1);
    return away <= NEAR ? end : null;
  }

  /** The message under a point of the canvas; null where there is none. */
  at(x: number, y: number): Picked | null {
    const arrow = this.under(x, y);
    const a = this.drawn;
    return arrow && a && this.picking.of(a, arrow);
  }

  /** Whether a message is a bundle that stands for so long that no mean of times says much of it. */
  isWide = ({ ends }: Picked): boolean => ends !== null && isLong(Number(ends.sentLast - ends.sentFirst), this.told?.step ?? Infinity);

  pick(p: Picked | null): void {
    const other = p !== this.picking.picked;
    this.picking.pick(p);
    if (other) this.scrolled.stay();
    this.c.live.drop(VIEWS.sought);
    this.c.schedule();
  }
}
