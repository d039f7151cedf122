// A section of the timeline: a head, a virtual tree of DOM rows and beside it a canvas
// for the same rows. Both lie in one scroller, so they move as one.

import { Surface } from "../draw/surface.js";
import { fill, h, text } from "../ui/dom.js";
import { middle } from "../ui/middle.js";
import { fitLine } from "../ui/fit.js";
import type { EmptyWords } from "../model/lacks.js";
import { seldom } from "../model/seldom.js";
import { Signal } from "../model/signal.js";
import { Beyond, NEAREST, type Hidden } from "./beyond.js";
import { Notes } from "./notes.js";
import type { PaneRow, RowWords } from "./panerows.js";

const ROW = 22;
const TALLEST = 44;
const SPARE = 6;
/** While the window moves, what stands beside the names follows so many ms later. */
const RENOTE = 120;

export class Pane {
  readonly el: HTMLElement;
  readonly head: HTMLElement;
  private readonly first = h("span", { class: "long" });
  private readonly rest = h("span");
  private readonly last = h("span", { class: "long" });
  readonly note = h("small", {}, this.first, this.rest, this.last);
  readonly controls = h("span", { class: "controls" });
  readonly scroller: HTMLElement;
  readonly surface: Surface;
  /** What is drawn, with the keys: who has the screen read out gets them by focusing it. */
  readonly stick = h("div", { class: "stick", role: "application", tabindex: 0, "aria-description": "W and S zoom, A and D move in time, 0 shows all, arrows move and scroll; the question mark lists all keys" });
  readonly moved = new Signal();
  rows: readonly PaneRow[] = [];
  rowHeight = ROW;
  selected: number | null = null;
  onToggle: (id: number) => void = () => {};
  onSelect: (id: number) => void = () => {};
  /** The mouse is on the name of a row, at a place of the page; null where it is on none any more. */
  onName: (id: number | null, x: number, y: number) => void = () => {};
  /** The rows were scrolled, by whomever. */
  onScroll: () => void = () => {};
  /** The rows were scrolled by nobody, but as the section has another size or lists other rows; onScroll follows. */
  onShift: () => void = () => {};
  /** The section came in sight: its tab was opened, or itself. */
  onShown: () => void = () => {};
  /** Does what the word beside the name of a row says; null where no row has one. */
  onDeed: ((id: number) => void) | null = null;
  /** That word: "pin", of a host "go there"; "" of a row that has none. */
  deedWords: (id: number) => string = () => "";
  /** What is said of the selected row beside its name, to who has the rows read out. */
  describes: (id: number) => string = () => "";
  private readonly beyond = new Beyond();
  private readonly notes = new Notes();
  /** Where the rows of hosts stand in the list. */
  private hosts: number[] = [];
  private readonly tree: HTMLElement;
  private readonly content = h("div", { class: "content" });
  private readonly pool: HTMLElement[] = [];
  private readonly empty = h("p", { class: "empty", hidden: true });
  /** The host of the rows on top, while its own row is scrolled away. A second sight of it, so not for readers of the tree. */
  private readonly pin = this.blank();
  private index = new Map<number, number>();
  private emptyWords: EmptyWords = "";
  private holdWords = "";

  constructor(private readonly title: string, private readonly words: (id: number) => RowWords | null, private readonly stretch: boolean) {
    this.head = h("div", { class: "head" }, h("h2", {}, title), this.note, this.beyond.el, this.controls);
    this.pin.classList.add("pin");
    this.pin.setAttribute("aria-hidden", "true");
    this.tree = h("div", { class: "rows", role: "treegrid", tabindex: 0, "aria-label": title + ": rows", "aria-readonly": true });
    this.stick.setAttribute("aria-label", `${title}: chart`);
    this.scroller = h("div", { class: "scroller" }, this.content, this.empty);
    const names = h("div", { class: "treecol" }, this.pin, this.tree);
    names.addEventListener("pointermove", (e) => this.onName(this.idOf(e.target), e.clientX, e.clientY));
    names.addEventListener("pointerleave", (e) => this.onName(null, e.clientX, e.clientY));
    this.content.append(names, h("div", { class: "plotcol" }, this.stick));
    this.el = h("section", { class: "pane", "aria-label": title }, this.head, this.scroller);
    this.surface = new Surface(this.stick, `${title}: drawn beside the rows; the status line says what is under the cursor`, () => this.moved.emit());
    this.scroller.addEventListener("scroll", () => {
      this.top = this.scroller.scrollTop;
      this.layout();
      this.moved.emit();
      this.onScroll();
    });
    new ResizeObserver(() => {
      const [seen, before, away] = [this.selected !== null && this.sees(this.selected), this.top, !this.inSight];
      this.resize();
      if (this.rewinding) this.rewind();
      else if (seen) this.scrollTo(this.selected!);
      if (this.top !== before) this.onShift();
      if (away && this.inSight) this.onShown();
      this.layout();
      this.moved.emit();
    }).observe(this.scroller);
    let wide = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === wide) return;
      wide = contentRect.width;
      this.notes.resized();
      this.layout();
    }).observe(this.tree);
    this.beyond.onGo = (side) => this.goBeyond(side);
    this.tree.addEventListener("click", (e) => this.click(e));
    this.pin.addEventListener("click", (e) => this.click(e));
    this.tree.addEventListener("keydown", (e) => this.key(e));
  }

  // What the browser laid out, read where it changes: read within a frame it would be laid out anew.
  private top = 0;
  private height = 0;
  private rewinding = false;
  /** The width of the bar that scrolls the rows. */
  bar = 0;

  private scrollTop(y: number): void {
    this.scroller.scrollTop = y;
    this.top = this.scroller.scrollTop;
  }

  /** Lists other rows. The row that is opened or closed stays where it is on screen, or the selected one, or else what stood on top, where it still exists. below: the words stand below
   * the rows that are listed nevertheless, or as far down as they are in sight. */
  setRows(rows: readonly PaneRow[], emptyWords: EmptyWords, below = false): void {
    const before = (this.top = this.scroller.scrollTop);
    const anchor = this.anchor();
    this.rows = rows;
    this.index = new Map(rows.map((r, i) => [r.id, i]));
    this.hosts = rows.flatMap((r, i) => (r.level === 1 ? [i] : []));
    this.emptyWords = emptyWords;
    this.empty.classList.toggle("below", below);
    this.tell();
    this.resize();
    const at = anchor === null ? undefined : this.index.get(anchor.id);
    if (anchor && at !== undefined && at * this.rowHeight - anchor.y !== this.top) this.scrollTop(at * this.rowHeight - anchor.y);
    if (this.top !== before) this.onShift();
    this.tree.setAttribute("aria-rowcount", String(rows.length));
    this.layout();
    this.moved.emit();
  }

  // A row is opened or closed, and stays in place meanwhile; one that is scrolled away, and pinned, is on top then.
  private toggle(id: number): void {
    this.toggled = { id, y: Math.max(0, this.topOf(this.index.get(id) ?? 0)) };
    this.onToggle(id);
    this.toggled = null;
  }

  private toggled: { id: number; y: number } | null = null;

  // What stays in place, and how far below the top it is; null where the list begins on top.
  private anchor(): { id: number; y: number } | null {
    if (this.toggled) return this.toggled;
    const top = Math.floor(this.top / this.rowHeight);
    const selected = this.selected === null ? undefined : this.index.get(this.selected);
    const i = selected !== undefined && selected >= top && (selected + 1) * this.rowHeight <= this.top + this.height ? selected : top;
    return this.rows[i] && (i !== top || top > 0) ? { id: this.rows[i].id, y: i * this.rowHeight - this.top } : null;
  }

  /** Says why nothing is drawn beside the rows; "" to draw. */
  hold(words: string): void {
    if (words === this.holdWords) return;
    this.holdWords = words;
    this.tell();
  }

  get held(): boolean {
    return this.holdWords !== "";
  }

  private tell(): void {
    const words = this.holdWords || this.emptyWords;
    const [sentence, command] = typeof words === "string" ? [words, ""] : words;
    this.empty.hidden = sentence === "";
    if (sentence + command === this.empty.textContent) return; // or what is selected in it would be let go
    fill(this.empty, sentence, command ? h("code", {}, command) : null);
  }

  private resize(): void {
    const height = (this.height = this.scroller.clientHeight);
    this.bar = this.scroller.offsetWidth - this.scroller.clientWidth;
    this.stick.style.height = `${height}px`;
    this.el.style.setProperty("--rows", `${height}px`); // below the head, of however many lines that is
    this.rowHeight = this.stretch && this.rows.length ? Math.max(ROW, Math.min(TALLEST, Math.floor(height / this.rows.length))) : ROW;
    this.content.style.height = `${Math.max(height, this.rows.length * this.rowHeight)}px`;
    this.empty.style.setProperty("--end", `${this.rows.length * this.rowHeight}px`);
    this.top = this.scroller.scrollTop;
  }

  /** The rows on screen: from the first to before the last; or where the rows were scrolled by so many CSS pixels. */
  visible(scrolled = this.top): [number, number] {
    const first = Math.floor(scrolled / this.rowHeight);
    return [first, Math.min(this.rows.length, first + Math.ceil(this.height / this.rowHeight) + 1)];
  }

  /** The height of a page of rows, CSS pixels: one row of it stays in sight. */
  page(): number {
    return Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight) - 1) * this.rowHeight; // it may have come up just now
  }

  /** Where the top of a row lies on the canvas. */
  topOf(index: number): number {
    return index * this.rowHeight - this.top;
  }

  indexOf(id: number): number | undefined {
    return this.index.get(id);
  }

  /** The host that is pinned on top, and where its row lies then: above the canvas by what the next host pushes it. */
  pinned(): { index: number; top: number } | null {
    const first = Math.min(this.rows.length - 1, Math.floor(this.top / this.rowHeight));
    if (this.stretch || first < 0 || this.top <= 0) return null;
    let index = first;
    while (index > 0 && this.rows[index].level > 1) index--;
    if (this.rows[index].level > 1 || this.topOf(index) >= 0) return null;
    const next = this.rows[first + 1];
    return { index, top: next?.level === 1 ? Math.min(0, this.topOf(first + 1) - this.rowHeight) : 0 };
  }

  rowAt(y: number): PaneRow | undefined {
    const pinned = this.pinned();
    if (pinned && y < pinned.top + this.rowHeight) return this.rows[pinned.index];
    return this.rows[Math.floor((y + this.top) / this.rowHeight)];
  }

  /** Whether the section has room on the page: nothing is scrolled while its tab is not open, or itself is not. */
  get inSight(): boolean {
    return this.height > 0;
  }

  /** How far the rows are scrolled, CSS pixels. */
  get scrolled(): number {
    return this.top;
  }

  /** Scrolls to the first row, as soon as the section is in sight: the browser does not scroll what has no room. */
  rewind(): void {
    this.rewinding = !this.inSight;
    this.scrollTop(0);
  }

  /** The row that the section begins with, and how much of it lies above; null where there is none. */
  begins(): { id: number; above: number } | null {
    const i = Math.floor(this.top / this.rowHeight);
    return this.rows[i] ? { id: this.rows[i].id, above: Math.round(this.top - i * this.rowHeight) } : null;
  }

  /** Makes the section begin with a row, if it is listed. */
  beginWith(id: number, above: number): void {
    const i = this.index.get(id);
    if (i !== undefined) this.scrollTop(i * this.rowHeight + above);
  }

  /** How far the rows are scrolled where one is on top, or as far as they can be. */
  topmost(id: number): number {
    return Math.max(0, Math.min((this.index.get(id) ?? 0) * this.rowHeight, this.rows.length * this.rowHeight - this.height));
  }

  private sees(id: number): boolean {
    const i = this.index.get(id);
    return i !== undefined && this.topOf(i) >= 0 && this.topOf(i) + this.rowHeight <= this.height;
  }

  /** How far the rows are scrolled where a row alone, or none, says so: not at all where it is among the first, else until it stands in the middle. */
  placeOf(id: number | null): number {
    const i = (id === null ? undefined : this.index.get(id)) ?? 0;
    if ((i + 1) * this.rowHeight <= this.height) return 0;
    const middle = (i - Math.round(this.height / this.rowHeight / 2)) * this.rowHeight;
    return Math.max(0, Math.min(middle, this.rows.length * this.rowHeight - this.height));
  }

  /** Scrolls to where a row alone says. */
  place(id: number): void {
    if (this.index.has(id)) this.scrollTop(this.placeOf(id));
  }

  /** Selects a row, and brings it in sight. */
  pointOut(id: number): void {
    this.selected = id;
    this.layout();
    this.scrollTo(id);
  }

  /** Scrolls no farther than needed for a row to be in sight. */
  scrollTo(id: number): void {
    const y = this.still ? this.top : this.reach(id, this.top);
    if (y !== this.top) this.scrollTop(y);
  }

  /** How far the rows are scrolled, CSS pixels, for one to be in sight, from where they are scrolled so far: no farther than needed. */
  reach(id: number, from: number): number {
    const i = this.index.get(id);
    if (i === undefined) return from;
    const y = i * this.rowHeight;
    if (y < from + this.rowHeight) return Math.max(0, Math.min(from, y - (this.stretch || this.rows[i].level === 1 ? 0 : this.rowHeight)));
    return Math.max(from, y + this.rowHeight - this.height);
  }

  /** Puts DOM rows where the listed rows are on screen. */
  layout(): void {
    const [first, last] = this.visible();
    const from = Math.max(0, first - SPARE);
    const to = Math.min(this.rows.length, last + SPARE);
    while (this.pool.length < to - from) {
      const el = this.blank();
      el.setAttribute("role", "row");
      for (const cell of el.querySelectorAll(":scope > :not(.deed)")) cell.setAttribute("role", "gridcell");
      this.pool.push(el);
      this.tree.append(el);
    }
    this.pool.forEach((el, k) => {
      const row = this.rows[from + k];
      el.hidden = from + k >= to || !row;
      if (!el.hidden) this.dress(el, row, from + k);
    });
    this.layoutPin();
    this.notes.fit();
    this.beyond.show(this.hidden("above"), this.hidden("below"));
    const at = this.selected === null ? undefined : this.index.get(this.selected);
    if (at !== undefined && at >= from && at < to) this.tree.setAttribute("aria-activedescendant", `${this.idBase()}-${this.selected}`);
    else this.tree.removeAttribute("aria-activedescendant");
    this.describe();
  }

  private describe(): void {
    for (const el of this.pool) {
      const id = Number(el.dataset.id);
      const words = el.hidden || id !== this.selected ? "" : this.describes(id);
      if (words) el.setAttribute("aria-description", words);
      else el.removeAttribute("aria-description");
    }
  }

  // The rows of hosts that are out of sight on a side, or but for less than their half; the one that is pinned on top is not.
  private hostsBeyond(side: "above" | "below"): number[] {
    const half = this.rowHeight / 2;
    const pin = this.pinned();
    const pinned = pin && pin.top >= -half ? pin.index : undefined;
    return this.hosts.filter((i) => (side === "above" ? this.topOf(i) < -half && i !== pinned : this.topOf(i) > this.height - half));
  }

  // Rows of which less than half is seen are out of sight.
  private hidden(side: "above" | "below"): Hidden {
    const rows = side === "above" ? Math.ceil(this.top / this.rowHeight - 0.5) : this.rows.length - Math.floor((this.top + this.height) / this.rowHeight + 0.5);
    if (rows <= 0) return { count: 0, hosts: [], rows: 0 };
    const hosts = this.hostsBeyond(side);
    const near = side === "above" ? hosts.slice(-NEAREST) : hosts.slice(0, NEAREST);
    return { count: hosts.length, hosts: near.map((i) => this.words(this.rows[i].id)?.name ?? "?"), rows };
  }

  // To the nearest host on a side; without one a screen on.
  private goBeyond(side: "above" | "below"): void {
    const hosts = this.hostsBeyond(side);
    const host = side === "above" ? hosts.at(-1) : hosts[0];
    const page = Math.max(this.rowHeight, this.height - 2 * this.rowHeight);
    this.scrollTop(host !== undefined ? host * this.rowHeight : this.top + (side === "above" ? -page : page));
  }

  /** Says anew what stands beside the names, and of the selected row: the rows are the same, the window or what is known of it is not. */
  readonly renote = seldom(RENOTE, () => {
    for (const el of [this.pin, ...this.pool]) {
      if (el.hidden) continue;
      const words = this.words(Number(el.dataset.id));
      if (words) this.notes.write(el, words);
    }
    this.notes.fit();
    this.describe();
  });

  private blank(): HTMLElement {
    return h("div", { class: "row" }, h("span", { class: "cell" }, h("span", { class: "twist", "aria-hidden": true }), h("span", { class: "name" })), h("span", { class: "deed", "aria-hidden": true, hidden: true }), h("span", { class: "note" }));
  }

  private layoutPin(): void {
    const pinned = this.pinned();
    const row = pinned && this.rows[pinned.index];
    const words = row && this.words(row.id);
    this.pin.hidden = !words;
    if (!pinned || !row || !words) return;
    this.face(this.pin, row, words, "");
    this.pin.classList.add("pin");
    this.pin.style.transform = `translateY(${pinned.top}px)`;
    this.pin.style.height = `${this.rowHeight}px`;
    this.pin.style.marginBottom = `${-this.rowHeight}px`;
  }

  private idBase(): string {
    return "row-" + this.title.replace(/\W+/g, "").toLowerCase();
  }

  private dress(el: HTMLElement, row: PaneRow, i: number): void {
    const words = this.words(row.id);
    el.hidden = !words;
    if (!words) return;
    const deed = this.onDeed ? this.deedWords(row.id) : "";
    const dress = [i, this.rowHeight, row.id, row.level, row.expandable, row.expanded, row.dimmed, row.id === this.selected, words.tone, deed, words.name].join();
    if (dress === this.dresses.get(el)) return this.notes.write(el, words);
    this.dresses.set(el, dress);
    this.face(el, row, words, deed);
    el.id = `${this.idBase()}-${row.id}`;
    el.style.transform = `translateY(${i * this.rowHeight}px)`;
    el.style.height = `${this.rowHeight}px`;
    el.setAttribute("aria-level", String(row.level));
    el.setAttribute("aria-rowindex", String(i + 1));
    el.setAttribute("aria-selected", String(row.id === this.selected));
    if (row.expandable) el.setAttribute("aria-expanded", String(row.expanded));
    else el.removeAttribute("aria-expanded");
  }

  /** How the rows of the tree are dressed, but for their notes. */
  private readonly dresses = new WeakMap<HTMLElement, string>();

  // What a row looks like wherever it stands.
  private face(el: HTMLElement, row: PaneRow, words: RowWords, deed: string): void {
    el.dataset.id = String(row.id);
    el.className = `row ${words.tone} level${Math.min(row.level, 6)}${row.id === this.selected ? " selected" : ""}${row.dimmed ? " dimmed" : ""}`;
    const cell = el.firstElementChild!;
    text(cell.firstElementChild!, row.expandable ? (row.expanded ? "▾" : "▸") : "");
    middle(cell.lastElementChild!, words.name);
    this.notes.write(el, words);
    const word = el.querySelector<HTMLElement>(".deed")!;
    word.hidden = !deed;
    if (deed) text(word, deed);
    word.title = words.tone === "host" ? "Go to where this host recorded (key Z)" : "";
  }

  /** Gives the rows the keys. */
  enter(): void {
    this.tree.focus();
  }

  private idOf(target: EventTarget | null): number | null {
    const id = (target as Element).closest<HTMLElement>(".row")?.dataset.id;
    return id === undefined ? null : Number(id);
  }

  private click(e: MouseEvent): void {
    const target = e.target as HTMLElement;
    const id = this.idOf(target);
    const i = id === null ? undefined : this.index.get(id);
    if (id === null || i === undefined) return;
    if (target.classList.contains("deed")) this.onDeed?.(id);
    else if (target.classList.contains("twist") && this.rows[i].expandable) this.toggle(id);
    else {
      this.still = this.pin.contains(target);
      this.onSelect(id);
      this.still = false;
    }
  }

  /** The head on top is pressed: it is in sight where it is. */
  private still = false;

  private key(e: KeyboardEvent): void {
    if (e.metaKey || e.altKey) return;
    if (e.ctrlKey) return this.toEdge(e);
    const now = this.selected === null ? -1 : (this.index.get(this.selected) ?? -1);
    const page = this.page() / this.rowHeight;
    const row = this.rows[now];
    const goTo: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + page, PageUp: now - page, End: this.rows.length - 1 };
    if (e.key in goTo) {
      const next = this.rows[Math.min(this.rows.length - 1, Math.max(0, goTo[e.key]))];
      if (next) this.onSelect(next.id);
    } else if (e.key === "ArrowRight" && row) {
      const next = this.rows[now + 1];
      if (row.expandable && !row.expanded) this.toggle(row.id);
      else if (next && next.level > row.level) this.onSelect(next.id); // and the key of a row in which there is none moves nothing
    } else if (e.key === "ArrowLeft" && row?.expanded) this.toggle(row.id);
    else if (e.key === "ArrowLeft" && row) {
      for (let k = now - 1; k >= 0; k--)
        if (this.rows[k].level < row.level) {
          this.onSelect(this.rows[k].id);
          break;
        }
    } else if (e.key === "Enter" && row?.expandable) this.toggle(row.id);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // Home alone shows the whole set, here too.
  private toEdge(e: KeyboardEvent): void {
    const row = e.key === "Home" ? this.rows[0] : e.key === "End" ? this.rows[this.rows.length - 1] : undefined;
    if (!row) return;
    this.onSelect(row.id);
    e.preventDefault();
    e.stopPropagation();
  }

  /** Says how much there is in the head; what is around brief, a part of it, goes first where there is no room. why explains it, as a sentence. */
  say(s: string, brief = s, why = ""): void {
    const at = Math.max(0, s.lastIndexOf(brief));
    text(this.first, s.slice(0, at));
    text(this.rest, brief);
    text(this.last, s.slice(at + brief.length));
    const title = why ? `${s}. ${why}` : s;
    if (this.note.title !== title) this.note.title = title;
  }

  /** Makes what stands in the head give way where there is no room for all. */
  fit(): void {
    fitLine(this.head, 8, () => this.head.querySelectorAll<HTMLElement>("h2 + small, .beyond, .beyond button:not([hidden]), .wokenwords, .wakekey"));
  }

  setControls(...nodes: Node[]): void {
    fill(this.controls, ...nodes);
  }
}

