// Control flow: what every thread of every host does, host by host, process by process.
//
// What is at hand is drawn at once, stretched to wherever the window is now; meanwhile what is missing is asked for, see tiles.ts.

import type { CommandTable } from "../commands/table.js";
import { EMPTY, MANY, Strip } from "../draw/columns.js";
import { drawLoss, drawStrip, PixelBuffer } from "../draw/states.js";
import { barWords, LOOKS, stateWords, type Palette } from "../draw/palette.js";
import { UNREAD } from "../model/known.js";
import { BY_TID, comparison, effortOf, measured, type Order } from "../model/order.js";
import { list, type Listed } from "../model/tree.js";
import { Settled } from "../model/settled.js";
import { HOST, type RowTable } from "../model/rows.js";
import type { SetModel } from "../model/set.js";
import { MOST_PINS } from "../model/shown.js";
import type { View } from "../model/view.js";
import type { Live } from "../net/live.js";
import { NO_ROW, STATES, type StatesAnswer } from "../net/wire.js";
import { VIEWS } from "../net/views.js";
import { endOf, shareOf, stepFor, timeAt } from "../time/window.js";
import type { Tick } from "../time/ticks.js";
import { barWidth, drawBarLabels, type BarLabel } from "../draw/words.js";
import { Busy } from "./busy.js";
import { Awaited } from "./awaited.js";
import { drawChosen, type Chosen } from "./chosen.js";
import { Efforts } from "./efforts.js";
import type { Picked } from "./picked.js";
import { isExpression, Wanted } from "./wanted.js";
import { Glide } from "./glide.js";
import { countWords, emptyWords, type Listing } from "./listwords.js";
import type { LossesInView } from "./lossesinview.js";
import { Pane } from "./pane.js";
import type { RowWords } from "./panerows.js";
import { lifeOf, outside } from "./life.js";
import { Patience } from "./patience.js";
import { ReadUntil } from "./readuntil.js";
import { ABSENT, momentWords, shareWords } from "./sharewords.js";
import { sightOf } from "./sight.js";
import { lay, StateTiles, type Sight } from "./tiles.js";
import { Standing } from "./standing.js";
import { orderedWords, pinnedWords, rowWords } from "./words.js";

/** The window has settled after so many ms. */
const SETTLE = 220;
/** Bars at least so high have room for a name. */
const NAMED = 0.75;
/** So many pinned rows are in sight at once; more scroll. */
const MOST_ON_TOP = 8;

/** So few rows may be listed for those that are kept alone. */
const FEW = 100;

export interface Context {
  readonly live: Live;
  readonly set: SetModel;
  readonly rows: RowTable;
  readonly view: View;
  readonly palette: Palette;
  readonly commands: CommandTable;
  readonly schedule: () => void;
}

export class ControlFlow {
  readonly pane: Pane;
  /** The rows that are pinned, above the others, which have them too. */
  readonly top: Pane;
  private readonly tiles: StateTiles;
  private strip = new Strip(1);
  private readonly buffer = new PixelBuffer();
  private readonly topBuffer = new PixelBuffer();
  private readonly busy: Busy;
  private readonly awaited: Awaited;
  private readonly efforts: Efforts;
  private readonly readUntil: ReadUntil;
  private readonly standing: Standing;
  /** What was lost in view; null for nothing. */
  lost: LossesInView | null = null;
  /** What a filter in the language of rows wants. */
  readonly wanted: Wanted;
  /** The filter was answered. */
  onFiltered: () => void = () => {};
  /** All of the time in which a host recorded is wanted. */
  onRecorded: (host: number) => void = () => {};
  /** A row was not pinned, and why; "" when there is room again. */
  onUnpinned: (sentence: string) => void = () => {};
  /** Rows were listed anew: how many there are, in words. */
  onListed: (words: string) => void = () => {};
  private readonly glide = new Glide();
  private readonly loading = new Patience(() => this.c.schedule());
  private listed: Listed[] = [];
  /** So many threads fit the words that rows are filtered by, but do not run in view and are not listed. */
  private idle = 0;
  /** Rows are listed for having been selected in this window. */
  private stayed = false;
  private readonly settled = new Settled(SETTLE, () => this.relist());
  /** No row fits the words that rows are filtered by. */
  none = false;
  /** The state that is selected, in the time of the view. */
  chosen: Chosen | null = null;
  /** The rows of both ends of the message that is chosen. */
  private ends: readonly number[] = [];

  constructor(private readonly c: Context) {
    this.pane = new Pane("Control flow", (id) => this.words(id), false);
    this.pane.onToggle = (id) => this.toggle(id);
    this.top = new Pane("Pinned rows", (id) => pinnedWords(c, id), false);
    this.top.el.classList.add("top");
    for (const pane of [this.pane, this.top]) {
      pane.moved.on(() => {
        this.request();
        c.schedule();
      });
      pane.describes = (id) => this.spends(id);
      pane.onDeed = (id) => this.pin(id);
      pane.deedWords = (id) => {
        const row = c.rows.get(id);
        if (row?.kind === HOST) return c.set.extent(row.host, c.view.raw) ? "go there" : "";
        return c.view.pinned(row ?? null) ? "unpin" : "pin";
      };
    }
    this.standing = new Standing(c.rows, c.view, this.pane);
    this.pane.onShown = () => this.standing.show(this.unsettled);
    this.tiles = new StateTiles(c.live, VIEWS.states, VIEWS.statesAhead);
    this.tiles.onTake = (m) => this.take(m);
    this.readUntil = new ReadUntil(c);
    this.tiles.onChange = () => {
      this.pane.renote();
      c.schedule();
    };
    this.efforts = new Efforts(c, () => (this.relist(), this.pane.renote()));
    this.busy = new Busy(c, () => this.relist());
    this.awaited = new Awaited(() => this.relist());
    this.wanted = new Wanted(c, () => {
      this.relist();
      this.onFiltered();
    });
  }

  /** Forgets all answers: rows or times mean something else now. */
  reset(): void {
    this.tiles.reset();
    this.readUntil.reset();
    this.chosen = null;
    this.glide.reset();
    this.busy.reset();
    this.awaited.reset();
    this.wanted.reset();
    this.efforts.reset();
    this.lost?.reset();
  }

  /** What is drawn of a first look stays until there is more. */
  giveWay(): void {
    this.tiles.giveWay();
  }

  /** Hosts have other numbers now. */
  renumbered(): void {
    this.glide.reset();
  }

  /** Times are others from a version of the clock maps on, later by so much: what is drawn stays until the answer in the new times is there. */
  retime(by: bigint, version?: number): void {
    this.tiles.retime(by, version);
    this.chosen = null;
    this.glide.shift(by, version);
    this.lost?.reset();
    this.busy.retime();
    this.wanted.retime();
    this.efforts.retime();
  }

  /** Not on screen now: the server need not answer anew. */
  pause(): void {
    this.tiles.pause();
    this.busy.pause();
    this.wanted.pause();
    this.efforts.pause();
  }

  private collapsed(): Set<number> {
    const { view, rows } = this.c;
    const out = new Set<number>();
    for (const host of view.collapsedHosts) {
      const id = rows.hostRow(host);
      if (id !== undefined) out.add(id);
    }
    for (const process of view.collapsedProcesses) {
      const [host, tid] = process.split(".").map(Number);
      const id = rows.find(host, tid);
      if (id !== undefined) out.add(id);
    }
    return out;
  }

  private toggle(id: number): void {
    const row = this.c.rows.get(id);
    if (!row) return;
    const { collapsedHosts: hosts, collapsedProcesses: processes } = this.c.view;
    const process = `${row.host}.${row.tid}`;
    if (row.kind === HOST) hosts.delete(row.host) || hosts.add(row.host);
    else processes.delete(process) || processes.add(process);
    this.relist();
    this.c.view.emit();
  }

  /** Unfolds what hides a row: its host, and the processes above it. */
  unfold(id: number): void {
    const { rows, view } = this.c;
    const folded = this.collapsed();
    const [hosts, processes]: [number[], string[]] = [[], []];
    for (let up = rows.get(rows.get(id)?.parent ?? NO_ROW); up; up = rows.get(up.parent)) {
      if (!folded.has(up.id)) continue;
      if (up.kind === HOST) hosts.push(up.host);
      else processes.push(`${up.host}.${up.tid}`);
    }
    if (hosts.length + processes.length > 0) view.unfold(hosts, processes);
  }

  /** Pins the row of a thread to the top, or lets it go; what a host recorded is shown. */
  pin(id: number): void {
    const { rows, view } = this.c;
    const row = rows.get(id);
    if (!row) return;
    if (row.kind === HOST) return this.onRecorded(row.host);
    const thread = { host: row.host, tid: row.tid };
    if (view.pinned(thread)) {
      view.unpin(thread);
      this.onUnpinned("");
    } else if (!view.pin(thread)) return this.onUnpinned(`${MOST_PINS} rows are pinned, and no more can be: let one go, then pin this one.`);
    this.relist();
    view.emit();
  }

  /** Shows which row is selected. */
  mark(id: number | null): void {
    for (const pane of [this.pane, this.top]) {
      pane.selected = id;
      pane.layout();
    }
    this.standing.note();
  }

  /** Another row is to be selected: the one that is stays where it is as long as the window does, so that none moves under the pointer. */
  stay(): void {
    const { rows, view } = this.c;
    const id = view.row && view.row.tid >= 0 ? rows.find(view.row.host, view.row.tid) : undefined;
    const row = this.listed.find((r) => r.id === id);
    if (!row || row.expandable) return;
    const idle = view.busyOnly && this.busy.known && !this.busy.is(row.id);
    if (idle || (row.dimmed && !view.dim)) view.stay(view.row!);
  }

  /** Brings a row in sight, again when the rows that run are known and, until somebody does something, whenever others are listed. */
  reveal(id: number): void {
    this.standing.reveal(id, this.unsettled);
  }

  /** Scrolls rows by so many px. Whoever does does not wait until it is known which of them run. */
  scroll(by: number): void {
    if (this.awaited.end()) this.relist();
    this.pane.scroller.scrollTop += by;
  }

  // Rows that run are still to be listed.
  private get unsettled(): boolean {
    return this.c.view.busyOnly && !this.busy.known;
  }

  /** The rows begin as the address says, whatever comes, until somebody does something. */
  get returning(): boolean {
    return this.standing.returning;
  }

  /** A message is chosen, whose ends are listed meanwhile, or none. */
  meet(m: Picked | null): void {
    const ends = m && !m.bundle ? [m.from, m.to] : [];
    if (ends.join() === this.ends.join()) return;
    this.ends = ends;
    if (this.c.rows.threads > 0) this.relist();
  }

  /** Lists the rows anew: some came, or what is collapsed, filtered or busy changed. */
  relist(): void {
    const { rows, view } = this.c;
    this.busy.request();
    this.wanted.request();
    this.efforts.request();
    const own = view.row && rows.find(view.row.host, view.row.tid);
    this.pane.selected = this.top.selected = (view.row && view.row.tid < 0 ? rows.hostRow(view.row.host) : own) ?? null;
    const stayed = view.kept.map((p) => rows.find(p.host, p.tid)).filter((id) => id !== undefined);
    this.stayed = stayed.length > 0;
    const keep = new Set([...this.ends, ...stayed, ...(this.pane.selected !== null ? [this.pane.selected] : [])]);
    const waits = rows.threads > 0 && this.awaited.waits(this.unsettled && this.c.set.info?.state === "ready");
    const busy = view.busyOnly && (this.busy.known || waits) ? (id: number) => this.busy.is(id) : null;
    const expression = isExpression(view.filter);
    const wanted = expression ? this.wanted.rows : null;
    const choice = { collapsed: this.collapsed(), filter: expression ? "" : view.filter, wanted, dim: view.dim, busy, order: comparison(rows, this.order(), this.efforts.of), keep };
    this.listed = list(rows, choice);
    // What fits is counted in hosts and processes that are closed as well.
    const unfolded = { ...choice, collapsed: new Set<number>(), order: null };
    const open = choice.filter === "" || choice.collapsed.size === 0 ? this.listed : list(rows, unfolded);
    this.fit = open.filter((r) => !r.dimmed && rows.get(r.id)?.kind !== HOST).length;
    this.idle = busy && choice.filter ? this.missing(list(rows, { ...unfolded, dim: false, busy: null }), open) : 0;
    this.none = choice.filter !== "" && rows.threads > 0 && this.fit + this.idle === 0;
    this.standing.choose(rows.threads > 0 ? JSON.stringify([view.filter, view.dim, view.busyOnly, view.order, [...view.collapsedHosts], [...view.collapsedProcesses], view.pins]) : "");
    const pins = view.pins.map((p) => rows.find(p.host, p.tid)).filter((id) => id !== undefined);
    const left = pins.length === 0 && this.top.el.contains(document.activeElement); // not any more once it is hidden
    this.top.el.hidden = pins.length === 0;
    this.top.el.style.height = `${Math.min(MOST_ON_TOP, pins.length) * this.top.rowHeight}px`;
    this.top.setRows(pins.map((id) => ({ id, level: 2, expandable: false, expanded: false })), "");
    // A row that is only kept, as the selected one, answers nothing: of all others it is said why they are not there.
    const answers = keep.size === 0 || this.listed.length > FEW ? this.listed : list(rows, { ...choice, keep: new Set<number>() });
    const some = answers.some((r) => rows.get(r.id)?.kind !== HOST);
    const closed = this.listed.some((r) => r.expandable && !r.expanded);
    this.pane.setRows(this.listed, waits || some || (closed && !this.none) ? "" : emptyWords(this.c, this.counts()), true);
    if (left) this.pane.enter();
    this.standing.settle(this.unsettled);
    const { parts, brief, why } = countWords(this.c, this.counts());
    const words = waits ? parts[0] : parts.join(", ");
    this.pane.say(words, waits ? words : brief, waits ? "" : why);
    if (!waits) this.onListed(words);
    this.request();
    this.c.schedule();
  }

  // How many threads fit the words of the filter.
  private fit = 0;

  // How many of these threads are not among the others.
  private missing(of: readonly Listed[], among: readonly Listed[]): number {
    const there = new Set(among.map((r) => r.id));
    return of.filter((r) => !there.has(r.id) && this.c.rows.get(r.id)?.kind !== HOST).length;
  }

  private counts(): Listing {
    const { listed, fit, idle, wanted, busy, efforts } = this;
    return { listed, fit, idle, wanted, busy, efforts };
  }

  // How a row reads, with the number that rows stand in order by.
  private words(id: number): RowWords | null {
    const { rows, set, view } = this.c;
    const words = rowWords(rows, set, view, id);
    const { by } = this.ordered;
    if (rows.get(id)?.kind === HOST || !measured(by) || this.efforts.held !== by) return words; // of hosts it is not told
    return orderedWords(words, by, effortOf(rows, this.efforts.of, id));
  }

  private ordered: Order = BY_TID;

  // The order that is wanted, or, until what it goes by is counted, the one the rows stand in.
  private order(): Order {
    const { order } = this.c.view;
    if (!measured(order.by) || this.efforts.held === order.by) this.ordered = order;
    return this.ordered;
  }

  /** The window moved; the rows are the same until the server says which of them run. */
  viewChanged(): void {
    this.busy.request();
    this.wanted.request();
    this.efforts.request();
    this.pane.renote();
    this.request();
    if (!this.stayed || this.c.view.kept.length > 0) return;
    this.settled.begin();
  }

  /** Asks for what is on screen unless it is at hand. */
  request(): void {
    const { view } = this.c;
    if (view.empty || view.tab !== "timeline" || this.pane.surface.width === 0) return;
    this.lost?.request();
    this.tiles.request(this.sight());
  }

  private sight(): Sight {
    const { rows } = this.c;
    const seen = sightOf(this.c, this.pane);
    // Rows that came anew are listed with the next frame: until then some that are listed are none.
    const drawn = (id: number) => (rows.get(id)?.kind ?? HOST) !== HOST;
    const top = this.top.rows.map((r) => r.id);
    return {
      ...seen,
      rows: (from, to) => [...new Set([...top, ...this.pane.rows.slice(Math.max(0, from), Math.max(0, to)).map((r) => r.id)])].filter(drawn),
      last: top.length > 0 ? Math.max(seen.first + 1, seen.last) : seen.last,
    };
  }

  private take(m: StatesAnswer): void {
    this.readUntil.take(m);
    this.glide.take({ begin: m.begin, end: m.end, raw: this.c.view.raw, clocks: m.clocks }, this.c.view.window);
  }

  draw(ticks: Tick[]): void {
    this.readUntil.begin();
    if (this.top.rows.length > 0) this.drawPane(this.top, this.topBuffer, ticks);
    this.drawPane(this.pane, this.buffer, ticks);
    if (this.glide.moving) this.c.schedule();
  }

  private drawPane(pane: Pane, buffer: PixelBuffer, ticks: Tick[]): void {
    const { view, palette, rows, set } = this.c;
    const s = pane.surface;
    if (s.width === 0) return;
    if (this.pane.held) {
      s.begin(palette.css.panel);
      return;
    }
    const [W, H, ratio] = [s.canvas.width, s.canvas.height, s.ratio];
    if (this.strip.pixels !== W) this.strip = new Strip(W);
    const panel = palette.word("panel");
    buffer.begin(W, H, panel);
    const grid = palette.word("grid");
    for (const t of ticks) {
      const x = Math.round(t.share * W);
      if (x >= 0 && x < W) buffer.rect(x, x + 1, 0, H, grid);
    }
    const sight = this.sight();
    const [first, last] = pane.visible();
    const drawn = { rows: 0, blank: 0, coarse: 0, window: `${view.window.begin}+${view.window.span}` };
    const [labels, waiting]: [BarLabel[], BarLabel[]] = [[], []];
    for (let i = first; i < last; i++) {
      const id = pane.rows[i].id;
      const y = Math.round(pane.topOf(i) * ratio);
      const height = Math.round(pane.rowHeight * ratio);
      const background = id === pane.selected ? palette.word("accent-bg") : panel;
      if (background !== panel) buffer.rect(0, W, y, y + height, background);
      const row = rows.get(id);
      if (row?.kind === HOST) {
        const e = set.extent(row.host, view.raw);
        if (!e) continue;
        const late = this.glide.gap(row.host) / view.window.span;
        const [from, to] = [e.begin, e.end].map((t) => shareOf(view.window, t) + late);
        if (to <= 0 || from >= 1) continue;
        const x0 = Math.min(W - 1, Math.round(Math.max(0, from) * W));
        buffer.rect(x0, Math.max(x0 + 1, Math.round(Math.min(1, to) * W)), y + (height >> 1), y + (height >> 1) + 1, palette.word("line"));
        for (const x of this.lost?.of(row.host) ?? []) {
          const [begin, end] = [x.begin, x.end].map((t) => shareOf(view.window, t) + late);
          if (end >= 0 && begin < 1) drawLoss(buffer, begin * W, end * W, y, height, ratio, palette.word("warn"));
        }
        continue;
      }
      const seen = row ? this.glide.seen(sight, row.host) : sight;
      const { window } = seen;
      const parts = this.tiles.parts(id, seen);
      drawn.rows++;
      if (parts.blank) drawn.blank++;
      else if (parts.coarse) drawn.coarse++;
      if (parts.pieces.length === 0) {
        if (parts.blank) waiting.push({ x: 0, y: y + height / 2, label: "loading…", color: palette.css.ink2 });
        continue;
      }
      lay(this.strip, parts, window, barWidth(2, ratio));
      this.readUntil.note(row?.host, this.strip, window);
      drawStrip(buffer, this.strip, y, height, ratio, palette, background);
      const callsLacking = this.lacksCalls(id);
      for (const b of this.strip.bars) {
        if (LOOKS[b.state].height < NAMED) continue;
        const [x0, x1] = [Math.max(0, b.x0), Math.min(W, b.x1)];
        const label = barWords(b.state, b.label, callsLacking);
        if (barWidth(label.length, ratio) <= x1 - x0) labels.push({ x: x0, y: y + height / 2, label, color: palette.onStates[b.state] });
      }
    }
    buffer.put(s.g);
    const g = s.g;
    g.setTransform(1, 0, 0, 1, 0, 0);
    s.spots = [];
    drawBarLabels(s, palette, labels);
    if (pane === this.pane && this.loading.lasts(waiting.length > 0)) drawBarLabels(s, palette, waiting);
    if (pane === this.pane) this.drawDim(g, W, ratio);
    this.readUntil.cover(g, pane, W, H, ratio, (id) => rows.get(id)?.host);
    drawChosen(g, pane, this.chosen, view.window, palette);
    if (pane !== this.pane) return;
    this.drawPinned(g, W, ratio);
    // For who measures: rows on screen, those of which a part is blank, those that are stretched.
    dispatchEvent(new CustomEvent("drawn", { detail: drawn }));
  }

  // A veil over the rows that the filter does not want.
  private drawDim(g: CanvasRenderingContext2D, W: number, ratio: number): void {
    const [first, last] = this.pane.visible();
    g.fillStyle = this.c.palette.css.panel;
    g.globalAlpha = 0.72;
    for (let i = first; i < last; i++) if (this.pane.rows[i].dimmed) g.fillRect(0, Math.round(this.pane.topOf(i) * ratio), W, Math.round(this.pane.rowHeight * ratio));
    g.globalAlpha = 1;
  }

  // Beside the pinned host goes its own line, not the rows it covers.
  private drawPinned(g: CanvasRenderingContext2D, W: number, ratio: number): void {
    const { view, palette, rows, set } = this.c;
    const pinned = this.pane.pinned();
    if (!pinned) return;
    const row = rows.get(this.pane.rows[pinned.index].id);
    const height = Math.round((pinned.top + this.pane.rowHeight) * ratio);
    g.fillStyle = palette.css[row?.id === this.pane.selected ? "accent-bg" : "panel"];
    g.fillRect(0, 0, W, height);
    g.fillStyle = palette.css.line;
    g.fillRect(0, height - 1, W, 1);
    const e = row && set.extent(row.host, view.raw);
    if (!e) return;
    const [x0, x1] = [e.begin, e.end].map((t) => Math.round(Math.min(1, Math.max(0, shareOf(view.window, t))) * W));
    g.fillRect(x0, Math.round((pinned.top + this.pane.rowHeight / 2) * ratio), x1 - x0, 1);
  }

  /** What a row shows at a place of the canvas, in words, from what is drawn there. */
  at(id: number, x: number): string {
    const sight = this.sight();
    const W = sight.pixels;
    const parts = this.tiles.parts(id, sight);
    if (parts.pieces.length === 0 || this.strip.pixels !== W) return this.absence(id, x) === UNREAD ? UNREAD : "";
    lay(this.strip, parts, sight.window, Infinity);
    const px = Math.min(W - 1, Math.max(0, Math.floor(x * this.pane.surface.ratio)));
    const state = this.strip.state[px];
    if (state === EMPTY) return this.absence(id, x);
    const lacking = this.lacksCalls(id);
    if (state !== MANY) return stateWords(state, lacking);
    return shareWords((s) => this.strip.shares[px * STATES + s], lacking) + momentWords(this.strip.brief[px], lacking);
  }

  // Why nothing is drawn of a thread at a place of the canvas.
  private absence(id: number, x: number): string {
    const row = this.c.rows.get(id);
    const from = row ? this.readUntil.of(row.host) : null;
    const t = this.timeAtX(x);
    return from !== null && t >= from && !outside(lifeOf(this.c, id), t) ? UNREAD : ABSENT;
  }

  /** From when until when the pixel at a place of the canvas lasts; null where that is no ns. */
  pixelAt(x: number): { begin: bigint; end: bigint } | null {
    const { window, pixels: W } = this.sight();
    const px = Math.min(W - 1, Math.max(0, Math.floor(x * this.pane.surface.ratio)));
    const [begin, end] = [px, px + 1].map((i) => timeAt(window, i / W));
    return end > begin ? { begin, end } : null;
  }

  /** Whether the host of a row did not record system calls. */
  lacksCalls(id: number): boolean {
    const row = this.c.rows.get(id);
    return row !== undefined && this.c.set.lacksCalls(row.host);
  }

  // How a thread spends the window, in words, as far as that is at hand.
  private spends(id: number): string {
    const { view, rows } = this.c;
    if (view.empty || view.tab !== "timeline") return "";
    const row = rows.get(id);
    if (row?.kind === HOST) return this.lost?.words(row.host) ?? "";
    const times = this.summary(id, view.window.begin, endOf(view.window));
    return times ? shareWords((s) => times[s] / view.window.span, this.lacksCalls(id)) : "";
  }

  // Time in each state of a row within [begin, end), as far as the columns at hand tell; null where they do not cover it.
  private summary(id: number, begin: bigint, end: bigint): Float64Array | null {
    const window = { begin, span: Number(end - begin) };
    const parts = this.tiles.parts(id, { ...this.sight(), window });
    const finest = stepFor(this.c.view.window, this.strip.pixels);
    if (parts.blank || parts.pieces.length === 0 || parts.pieces.some((p) => p.step > finest)) return null;
    lay(this.strip, parts, window, Infinity);
    const out = new Float64Array(STATES);
    const width = Number(end - begin) / this.strip.pixels;
    for (let i = 0; i < this.strip.pixels; i++) {
      const state = this.strip.state[i];
      if (state < STATES) out[state] += width;
      else if (state === MANY) for (let s = 0; s < STATES; s++) out[s] += this.strip.shares[i * STATES + s] * width;
    }
    return out;
  }

  timeAtX(x: number): bigint {
    return timeAt(this.c.view.window, x / Math.max(1, this.pane.surface.width));
  }

  /** The thread rows on screen. */
  onScreen(): number[] {
    const [first, last] = this.pane.visible();
    return this.pane.rows.slice(first, last).map((r) => r.id).filter((id) => this.c.rows.get(id)?.kind !== HOST);
  }
}
