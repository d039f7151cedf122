// Resources: what CPUs and interrupt lines of every host did, on the axis of the other panes.
// What is at hand is drawn at once, stretched to wherever the window is, and what is missing is
// fetched, see timeline/tiles.ts.

import { Strip } from "../draw/columns.js";
import { drawStrip, PixelBuffer } from "../draw/states.js";
import { barWidth, drawBarLabels, spotOf, type BarLabel } from "../draw/words.js";
import { knownUntil, localKnownUntil } from "../model/known.js";
import { CPU, FREQUENCY, HOST, INTERRUPT, SOFT_INTERRUPT, type Row } from "../model/rows.js";
import { lackOf, type EmptyWords } from "../model/lacks.js";
import { NO_EVENTS, NOTHING } from "../model/unread.js";
import type { At } from "../net/json.js";
import type { StatesAnswer } from "../net/wire.js";
import { VIEWS } from "../net/views.js";
import type { Tick } from "../time/ticks.js";
import { counted, percent } from "../time/number.js";
import { parseNs } from "../time/time.js";
import { columnsFor, endOf, serves, timeAt, type Columns } from "../time/window.js";
import { h, text } from "../ui/dom.js";
import type { Context } from "../timeline/controlflow.js";
import { drawChosen, type Chosen } from "../timeline/chosen.js";
import { Glide } from "../timeline/glide.js";
import { Pane } from "../timeline/pane.js";
import { ReadUntil } from "../timeline/readuntil.js";
import { Scrolled } from "../timeline/scrolled.js";
import { sightOf } from "../timeline/sight.js";
import { lay, StateTiles, type Sight } from "../timeline/tiles.js";
import { drawLevels, drawRan, drawUse, type Use, fits, topLevel } from "./draw.js";
import { busyShare, CPU_LOOKS, dress, LINE_LOOKS, looksOf, pixelWords, type LaneLook } from "./looks.js";
import { findLane, hostOfGroup, keyOf, laneOf, listResources, Open } from "./tree.js";
import { Used } from "./used.js";
import { barNames, gigahertz, lackNote, lackOfCPUs, lackOfLines, lackWordsByLength, resourceWords, usedWords } from "./words.js";

/** In place of the version of clock maps where nothing was asked for by any. */
const NOT_ASKED = -1;

export class Resources {
  readonly pane: Pane;
  private readonly scrolled: Scrolled;
  private readonly open: Open;
  private readonly fold = h("button", { type: "button", class: "fold", "aria-expanded": "true", title: "Shows or hides Resources" }, "▾");
  private readonly tiles: StateTiles;
  private marks: StatesAnswer | null = null;
  private askedRan: { thread: number; columns: Columns; rows: string; time: string } | null = null;
  private strip = new Strip(1);
  private readonly buffer = new PixelBuffer();
  private readonly glide = new Glide();
  private readonly readUntil: ReadUntil;
  private readonly use = new Map<number, Use>();
  private readonly used: Used;
  private readonly levels = new Map<number, string>();
  /** A row is to be selected: one that came with the address, or again the one that is, at a time under other clock maps. */
  onRestore: (id: number, at: bigint | null) => void = () => {};
  /** The state after the selected one of a row, or before it, is wanted. */
  onStep: (forward: boolean) => void = () => {};
  private restored = false;
  /** The selected row at a time of its host, and the clock maps by which that was asked for. */
  private kept: { id: number; local: bigint; version: number } | null = null;
  /** The stretch that is selected in a row of a CPU or a line. */
  chosen: Chosen | null = null;

  constructor(private readonly c: Context) {
    this.open = new Open(c.view.resources);
    this.pane = new Pane("Resources", (id) => resourceWords(c.rows, c.set, id, this.use, this.levels), false);
    this.scrolled = new Scrolled(this.pane, c.view, "cpus", (y) => this.wanted(y));
    this.pane.el.classList.add("resources");
    this.pane.onToggle = (id) => this.toggle(id);
    this.pane.moved.on(() => {
      this.request();
      c.schedule();
    });
    this.tiles = new StateTiles(c.live, VIEWS.lanes, VIEWS.lanesAhead);
    this.used = new Used(c);
    this.readUntil = new ReadUntil(c);
    this.tiles.onTake = (m) => {
      this.readUntil.take(m);
      this.glide.take({ begin: m.begin, end: m.end, raw: c.view.raw, clocks: m.clocks }, c.view.window);
    };
    this.tiles.onChange = () => c.schedule();
    this.pane.head.prepend(this.fold);
    this.fold.setAttribute("aria-label", "Resources");
    this.fold.addEventListener("click", () => this.hide(!this.open.off));
    this.hide(this.open.off, true);
    c.view.returned.on(() => {
      this.open.parse(c.view.resources);
      this.hide(this.open.off, true);
      this.pane.selected = this.chosen = this.kept = null;
      this.restored = false;
    });
    c.commands.add({ group: "Rows", words: "Show or hide Resources", also: "cpus interrupts irqs frequency", tab: "timeline", run: () => this.hide(!this.open.off) });
  }

  /** What the colours mean in the kinds of rows that are listed. */
  legend(): { name: string; samples: readonly LaneLook[] }[] {
    const kinds = this.open.off ? [] : this.pane.rows.map((r) => this.c.rows.get(r.id)?.kind);
    return [
      ...(kinds.includes(CPU) ? [{ name: "CPUs", samples: CPU_LOOKS }] : []),
      ...(kinds.some((k) => k === INTERRUPT || k === SOFT_INTERRUPT) ? [{ name: "Interrupts", samples: LINE_LOOKS.slice(1, 3) }] : []),
    ];
  }

  private hide(off: boolean, silent = false): void {
    this.open.off = off;
    this.pane.el.classList.toggle("folded", off);
    this.fold.setAttribute("aria-expanded", String(!off));
    text(this.fold, off ? "▸" : "▾");
    if (silent) return;
    if (off) this.pause();
    else this.request();
    this.keep();
  }

  private toggle(id: number): void {
    const { rows } = this.c;
    const key = keyOf(rows, id);
    if (key === null) return;
    this.open.toggle(rows, key, rows.hostRows().map((r) => rows.get(r)!.host));
    this.relist();
    this.keep();
  }

  private keep(): void {
    this.c.view.resources = this.open.format();
    this.c.view.emit();
  }

  /** Forgets all answers: rows or times mean something else now. */
  reset(): void {
    this.tiles.reset();
    this.readUntil.reset();
    this.marks = this.askedRan = this.chosen = this.kept = null;
    this.use.clear();
    this.used.reset();
    this.levels.clear();
    this.glide.reset();
  }

  /** What is drawn of a first look stays until there is more. */
  giveWay(): void {
    this.tiles.giveWay();
  }

  /** Hosts have other numbers now. */
  renumbered(): void {
    this.open.parse(this.c.view.resources);
    this.glide.reset();
  }

  /** Times are others from a version of the clock maps on, later by so much: what is drawn stays until the answer in the new times is there. */
  retime(by: bigint, version?: number): void {
    this.tiles.retime(by, version);
    this.used.retime();
    if (this.marks) {
      this.marks.begin += by;
      this.marks.end += by;
    }
    this.askedRan = this.chosen = null;
    if (this.kept) this.kept.version = NOT_ASKED; // the selected row is in the address: what it did then is told by the new times
    this.glide.shift(by, version);
  }

  /** Not on screen now: the server need not answer anew. */
  pause(): void {
    this.askedRan = null;
    this.tiles.pause();
    this.used.pause();
    this.c.live.drop(VIEWS.ran);
  }

  relist(): void {
    const { rows, set } = this.c;
    const list = listResources(rows, this.open);
    this.pane.setRows(list, this.emptyWords());
    const lacks = rows.cpus > 0 ? [] : set.hosts.map((x) => lackOfCPUs(set, rows, x.index)).filter((l) => l !== null);
    this.restore();
    this.scrolled.goBack();
    this.keepChosen();
    this.pane.say(rows.cpus > 0 ? counted(rows.cpus, "CPU") : lacks.length > 0 ? lackNote(lacks) : "");
    this.request();
    this.c.schedule();
  }

  // A row that came with the address is opened and selected once.
  private restore(): void {
    const { rows, set, view } = this.c;
    if (this.restored || !view.lane || view.empty) return;
    const found = findLane(rows, view.lane);
    if (!found) return;
    this.restored = true;
    if (!laneOf(rows, found.id)) view.was = null; // a host, or what gathers its lines, has no states
    if (view.was !== null && !set.importing && !set.recordedAt(rows.get(found.id)!.host, view.was)) view.was = null;
    this.open.add(rows, found.above, rows.hostRows().map((r) => rows.get(r)!.host));
    this.pane.setRows(listResources(rows, this.open), this.emptyWords());
    this.pane.selected = found.id;
    this.scrolled.bring();
    if (view.was === null) return this.onRestore(found.id, null);
    // Its state is that at a time of its host, once that is known by the times of the view.
    this.kept = { id: found.id, local: view.was, version: NOT_ASKED };
  }

  // The selected stretch under another clock map: what happened at the same local time.
  private keepChosen(): void {
    const { rows, set, view } = this.c;
    const [kept, version] = [this.kept, set.clocks?.version ?? 0];
    if (!kept || version === kept.version || (view.raw && kept.version !== NOT_ASKED)) return;
    const at = view.raw ? kept.local : set.toReference(rows.get(kept.id)!.host, kept.local);
    if (at !== null || kept.version !== NOT_ASKED) kept.version = version;
    if (at !== null) this.onRestore(kept.id, at);
  }

  // What an empty view says: what it would show, what is missing, what to do.
  private emptyWords(): EmptyWords {
    const { rows, set } = this.c;
    const shows = "This shows what each CPU runs, and its interrupts.";
    if (rows.hostRows().length === 0) return set.info?.state === "failed" ? NOTHING : `${shows}${set.importing ? " Rows come as soon as the first events are read." : ""}`;
    if (rows.cpus > 0) return "";
    const lack = lackOf(shows, set.hosts, (host) => lackOfCPUs(set, rows, host.index));
    if (!lack && set.info?.state === "ready" && set.info.events === 0) return `${shows} ${NO_EVENTS}`;
    return lack;
  }

  viewChanged(): void {
    this.request();
  }

  /** Asks for what is on screen unless it is at hand. */
  request(): void {
    const { view } = this.c;
    if (view.empty || view.tab !== "timeline" || this.open.off || this.pane.surface.width === 0) return;
    this.requestRan();
    this.used.request();
    this.tiles.request(this.sight());
  }

  private sight(): Sight {
    const seen = sightOf(this.c, this.pane);
    const [{ rows }, { first }] = [this.c, seen];
    const host = this.pane.pinned()?.index ?? first;
    // With the rows in sight goes the host above them that is pinned on top.
    const pinned = (from: number, to: number) => (host < from && from <= first && first < to ? [this.pane.rows[host]] : []);
    return { ...seen, rows: (from, to) => [...pinned(from, to), ...this.pane.rows.slice(Math.max(0, from), Math.max(0, to))].map((r) => r.id).filter((id) => rows.get(id)) };
  }

  // The stretches of the selected thread, on the CPUs of its host that are listed.
  private requestRan(): void {
    const { view, rows, live } = this.c;
    const thread = view.row && view.row.tid > 0 ? rows.find(view.row.host, view.row.tid) : undefined;
    const ids = thread === undefined ? [] : this.pane.rows.map((r) => r.id).filter((id) => rows.get(id)?.kind === CPU && rows.get(id)!.host === view.row!.host).slice(0, 1024);
    const asked = this.askedRan;
    if (thread === undefined || ids.length === 0) {
      if (asked) live.drop(VIEWS.ran);
      this.askedRan = this.marks = null;
      return;
    }
    const pixels = this.pane.surface.canvas.width;
    if (asked && asked.thread === thread && asked.time === view.time && asked.rows === ids.join() && serves(asked.columns, view.window, pixels)) return;
    if (asked?.thread !== thread) {
      this.marks = null;
      this.scrolled.bring();
    }
    const columns = columnsFor(view.window, pixels);
    const time = view.time;
    this.askedRan = { thread, columns, rows: ids.join(), time };
    live.ask(VIEWS.ran, { op: "ran", begin: String(columns.begin), end: String(columns.end), columns: columns.columns, time, rows: ids, row: thread }, (m) => {
      if (m.kind === "error") this.askedRan = null;
      if (m.kind !== "states" || time !== view.time) return;
      this.marks = m;
      this.c.schedule();
    });
  }

  // How far the rows are scrolled, from where they are so far, for the selected one to be in sight, or else the CPUs of the selected thread's host, or of more than there is room for some.
  // The head of a host lies over the first row.
  private wanted(y: number): number {
    const { rows, view } = this.c;
    if (this.pane.selected !== null) return this.pane.reach(this.pane.selected, y);
    if (!view.row || view.row.tid <= 0) return y;
    const [first, last] = this.pane.visible(y);
    const { host } = view.row;
    const cpus = [...this.pane.rows.keys()].filter((i) => rows.get(this.pane.rows[i].id)?.kind === CPU && rows.get(this.pane.rows[i].id)!.host === host);
    const inSight = (i: number) => i > first && i < last - 1;
    const seen = cpus.length < last - first - 2 ? cpus.every(inSight) : cpus.some(inSight);
    const top = rows.hostRow(host);
    return seen || top === undefined ? y : this.pane.topmost(top);
  }

  draw(ticks: Tick[]): void {
    const { palette, rows } = this.c;
    const s = this.pane.surface;
    if (s.width === 0 || this.open.off) return;
    if (this.pane.held) {
      s.begin(palette.css.panel);
      s.spots = [];
      const told = this.use.size + this.levels.size;
      this.use.clear();
      this.levels.clear();
      if (told > 0) this.pane.layout();
      return;
    }
    const [W, H, ratio] = [s.canvas.width, s.canvas.height, s.ratio];
    if (this.strip.pixels !== W) this.strip = new Strip(W);
    const panel = palette.word("panel");
    this.buffer.begin(W, H, panel);
    for (const t of ticks) {
      const x = Math.round(t.share * W);
      if (x >= 0 && x < W) this.buffer.rect(x, x + 1, 0, H, palette.word("grid"));
    }
    const [first, last] = this.pane.visible();
    const labels: BarLabel[] = [];
    const words: { y: number; words: string[] }[] = [];
    let renamed = false;
    const sight = this.sight();
    this.readUntil.begin();
    for (let i = first; i < last; i++) {
      const id = this.pane.rows[i].id;
      const y = Math.round(this.pane.topOf(i) * ratio);
      const height = Math.round(this.pane.rowHeight * ratio);
      const background = id === this.pane.selected ? palette.word("accent-bg") : panel;
      if (background !== panel) this.buffer.rect(0, W, y, y + height, background);
      const lack = this.lackOf(id);
      if (lack.length > 0) words.push({ y: y + height / 2, words: lack });
      const row = rows.get(id);
      if (row) renamed = this.drawRow(row, sight, y, height, background, labels) || renamed;
    }
    this.drawMarks(first, last);
    const covered = this.pane.pinned();
    const below = covered ? Math.round((covered.top + this.pane.rowHeight) * ratio) : 0;
    if (covered) renamed = this.drawPinned(this.pane.rows[covered.index].id, sight, below) || renamed;
    this.buffer.put(s.g);
    const g = s.g;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.save();
    g.beginPath();
    g.rect(0, below, W, H - below);
    g.clip();
    s.spots = [];
    drawBarLabels(s, palette, labels);
    g.fillStyle = palette.css.ink2;
    for (const w of words) {
      const words = w.words.find((s) => g.measureText(s).width <= W - 16 * ratio) ?? w.words.at(-1)!;
      g.fillText(words, 8 * ratio, w.y + 0.5 * ratio);
      s.spots.push(spotOf(8 * ratio, w.y, g.measureText(words).width, ratio));
    }
    this.readUntil.cover(g, this.pane, W, H, ratio, (id) => hostOfGroup(id) ?? rows.get(id)?.host);
    drawChosen(g, this.pane, this.chosen, this.c.view.window, palette);
    g.restore();
    if (renamed) this.pane.renote();
    if (this.glide.moving) this.c.schedule();
  }

  // Beside the pinned host goes its own use, not the rows it covers, down to a height; says whether the words beside its name are others now.
  private drawPinned(id: number, sight: Sight, below: number): boolean {
    const { palette, rows } = this.c;
    const { buffer } = this;
    const height = Math.round(this.pane.rowHeight * this.pane.surface.ratio);
    const background = palette.word(id === this.pane.selected ? "accent-bg" : "panel");
    buffer.rect(0, buffer.width, 0, below, background);
    const row = rows.get(id);
    const renamed = !!row && this.drawRow(row, sight, below - height, height, background, []);
    buffer.rect(0, buffer.width, below - 1, below, palette.word("line"));
    return renamed;
  }

  // What a row without data says in its place, the longest words first; none for one that has some.
  private lackOf(id: number): string[] {
    const { rows, set } = this.c;
    const group = hostOfGroup(id);
    const row = rows.get(id);
    const lack = group !== null ? lackOfLines(set, group) : row?.kind === HOST && rows.cpus > 0 ? lackOfCPUs(set, rows, row.host) : null;
    return lack ? lackWordsByLength(lack) : [];
  }

  // Draws one row; says whether the words beside its name are others now.
  private drawRow(row: Row, sight: Sight, y: number, height: number, background: number, labels: BarLabel[]): boolean {
    const { palette } = this.c;
    const [W, ratio] = [this.buffer.width, this.pane.surface.ratio];
    const seen = this.glide.seen(sight, row.host);
    const { window } = seen;
    const parts = this.tiles.parts(row.id, seen);
    if (parts.pieces.length === 0) return !this.c.set.mayRecord(row.host, window.begin, endOf(window), this.c.view.raw) && this.forget(row.id);
    if (row.kind === FREQUENCY) {
      const top = topLevel(parts.pieces);
      drawLevels(this.buffer, parts.pieces, window, y, height, ratio, palette, top);
      return this.note(this.levels, row.id, top > 0 ? `to ${gigahertz(top)}` : "");
    }
    lay(this.strip, parts, window, barWidth(2, ratio));
    this.readUntil.note(row.host, this.strip, window);
    if (row.kind === HOST) {
      const shown = drawUse(this.buffer, this.strip, y, height, ratio, palette);
      const use = shown && this.used.exactly(row.id, shown);
      const before = this.use.get(row.id);
      if (use === null) this.use.delete(row.id);
      else this.use.set(row.id, use);
      return (before === undefined ? "" : usedWords(before)) !== (use === null ? "" : usedWords(use));
    }
    const looks = looksOf(row.kind);
    dress(this.strip, looks);
    drawStrip(this.buffer, this.strip, y, height, ratio, palette, background);
    for (const b of this.strip.bars) {
      const [x0, x1] = [Math.max(0, b.x0), Math.min(W, b.x1)];
      const name = barNames(b.label, row, this.c.rows).find((n) => fits(looks[b.state].as, barWidth(n.length, ratio), x1 - x0));
      if (name) labels.push({ x: x0, y: y + height / 2, label: name, color: palette.onStates[looks[b.state].as] });
    }
    return false;
  }

  // What is said beside a row is of nothing in the window; says whether that was anything.
  private forget(id: number): boolean {
    const said = this.use.delete(id);
    return this.levels.delete(id) || said;
  }

  private note(notes: Map<number, string>, id: number, words: string): boolean {
    if ((notes.get(id) ?? "") === words) return false;
    notes.set(id, words);
    return true;
  }

  private drawMarks(first: number, last: number): void {
    const a = this.marks;
    if (!a) return;
    const { view, palette, rows } = this.c;
    const ratio = this.pane.surface.ratio;
    a.rows.forEach((id, r) => {
      const i = this.pane.indexOf(id);
      if (i === undefined || i < first || i >= last) return;
      const late = BigInt(Math.round(this.glide.gap(rows.get(id)?.host ?? 0)));
      this.strip.load(a, r, { begin: view.window.begin - late, span: view.window.span }, Infinity);
      drawRan(this.buffer, this.strip, Math.round(this.pane.topOf(i) * ratio), Math.round(this.pane.rowHeight * ratio), ratio, palette);
    });
  }

  /** Whether nothing is told of a host at a place of the canvas as it is not read yet. */
  unread(host: number, x: number): boolean {
    const from = this.readUntil.of(host);
    return from !== null && this.timeAtX(x) >= from;
  }

  /** What a row shows at a place of the canvas, in words, from what is drawn there; "" for nothing. */
  at(id: number, x: number): string {
    const row = this.c.rows.get(id);
    const sight = this.sight();
    const parts = this.tiles.parts(id, sight);
    if (!row || parts.pieces.length === 0 || row.kind === FREQUENCY || this.strip.pixels !== sight.pixels) return "";
    lay(this.strip, parts, sight.window, Infinity);
    const px = Math.min(this.strip.pixels - 1, Math.max(0, Math.floor(x * this.pane.surface.ratio)));
    const words = pixelWords(this.strip, px, looksOf(row.kind, this.c.set.lacksCalls(row.host)));
    if (row.kind !== HOST) return words;
    const busy = busyShare(this.strip, px);
    return busy === null ? words : `${percent(busy)} used: ${words}`;
  }

  timeAtX(x: number): bigint {
    return timeAt(this.c.view.window, x / Math.max(1, this.pane.surface.width));
  }

  /** The row of a CPU or a line that is selected; null for none. */
  get selected(): number | null {
    const { selected } = this.pane;
    return selected !== null && laneOf(this.c.rows, selected) ? selected : null;
  }

  /** Something else was chosen, or nothing. */
  leave(): void {
    this.scrolled.choose();
    this.pane.selected = this.chosen = this.kept = null;
    this.scrolled.stay();
    this.c.view.lane = "";
    this.c.view.was = null;
    this.pane.layout();
    this.request();
  }

  // A time of the view by the clock of a row's host, as where nothing is known of what it did.
  private ownTime(id: number, at: bigint | null): bigint | null {
    const { rows, set, view } = this.c;
    const row = rows.get(id);
    return at === null || !row || view.raw ? at : set.toLocal(row.host, at);
  }

  /** Frames the stretch of an answer of the server. */
  choose(id: number, at: At | null): void {
    const other = this.pane.selected !== id;
    this.pane.selected = id;
    this.restored = true;
    if (other) this.scrolled.stay();
    this.pane.layout();
    const [from, to] = [parseNs(at?.begin), knownUntil(at)];
    this.chosen = from !== null && to !== null ? { row: id, begin: from, end: to } : null;
    const [begin, end] = [parseNs(at?.local_begin), localKnownUntil(at)];
    const local = begin !== null && end !== null ? (begin + end) / 2n : this.ownTime(id, parseNs(at?.at));
    this.kept = local !== null ? { id, local, version: this.c.set.clocks?.version ?? 0 } : null;
    this.c.view.lane = laneOf(this.c.rows, id) || (keyOf(this.c.rows, id) ?? "");
    this.c.view.was = local;
    this.c.view.emit();
    this.c.schedule();
  }
}
