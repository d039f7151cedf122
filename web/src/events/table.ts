// A table of which only the rows in sight exist. The keyboard moves one chosen row; it is
// told to screen readers as the active one of a grid.

import { add, h } from "../ui/dom.js";
import { middled } from "../ui/middle.js";
import { bring, sees } from "../ui/insight.js";
import { takeSpareKeys } from "../ui/keys.js";
import { tabBehindFilters } from "./filterkeys.js";

const ROW = 22; // px, as in events.css
const SPARE = 8; // rows beyond either edge

export interface Column {
  name: string;
  title?: string;
  width: string; // of a grid
  long?: string; // its width where its words are long
  text?: boolean; // aligned left
  named?: boolean; // what has no room gives way in its middle, and is told by the mouse
  filter?: HTMLElement; // stands below its name
}

/** What stands in a cell of which more is to be said than its words. */
export interface Cell {
  readonly words: string;
  readonly title: string;
  /** Added to the words for who hears them. */
  readonly heard: string;
  readonly class: string | undefined;
}

/** What stands in a row. */
export interface Cells {
  /** Of each column, or one over all of them. */
  cells: readonly (string | Cell)[] | string;
  class?: string | undefined;
}

export class Table {
  readonly root: HTMLElement;
  /** The chosen row, -1 for none. */
  chosen = -1;
  onChoose: () => void = () => {};
  /** Enter on the chosen row, or a double click. */
  onOpen: () => void = () => {};
  /** Keys that the table leaves to its owner: Home, End and others; true if it is his. */
  onKey: (e: KeyboardEvent) => boolean = () => false;
  /** The chosen row was brought in sight, as the room for rows became less. */
  onBrought: () => void = () => {};
  /** The rows in sight changed. */
  onScroll: (first: number, last: number) => void = () => {};
  private readonly head: HTMLElement;
  private readonly body = h("div", { class: "grid-body", role: "rowgroup" });
  private heads = 1; // rows above the first
  private count = 0;
  private cells: (row: number) => Cells = () => ({ cells: [] });
  private stale = false; // the rows are those of before
  private from = 0;
  private to = 0;
  private kept = 0; // px at least that the rows take
  private tall = 0; // of the rows, as they were laid out last
  private seenAt = 0; // px that the rows were scrolled by when they were in sight last
  private moved: number | null = null; // px that they are to be scrolled by once they are in sight again
  private pressed: { row: number; readonly el: Element } | null = null; // where the pointer went down

  constructor(label: string, private readonly columns: readonly Column[]) {
    this.head = h("div", { class: "grid-head", role: "row", "aria-rowindex": 1 },
      ...columns.map((c) => h("span", { role: "columnheader", class: c.text ? "text" : null, title: c.title }, c.name)));
    this.root = h("div", { class: "grid", role: "grid", "aria-label": label, "aria-rowcount": -1, tabindex: 0 }, h("div", { role: "rowgroup", class: "grid-top" }, this.head, this.filters()), this.body);
    this.lengthen(false);
    const filters = columns.flatMap((c) => c.filter ?? []);
    if (filters.length > 0) tabBehindFilters(this.root, this.body, filters);
    this.root.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.root.addEventListener("keydown", (e) => e.target === this.root && this.key(e)); // else it is typed into a filter
    takeSpareKeys(this.root, (e) => this.key(e));
    // The rows of the first click of two are no more at the second, so the browser tells of no double click, and the chosen
    // one may have moved.
    this.body.addEventListener("pointerdown", (e) => {
      const el = (e.target as Element).closest("[data-row]");
      this.pressed = el && e.isPrimary && e.button === 0 ? { row: this.rowOf(e), el } : null;
    });
    this.body.addEventListener("pointerup", (e) => this.pointerUp(e));
    this.body.addEventListener("click", (e) => (e.detail === 2 && this.chosen >= 0 ? this.onOpen() : this.choose(this.rowOf(e))));
    new ResizeObserver(() => this.resize()).observe(this.root);
  }

  /** Makes room for long words, or takes it back. */
  lengthen(long: boolean): void {
    const of = (c: Column) => (long && c.long) || c.width;
    const least = (words: string) => parseFloat(/[\d.]+/.exec(words)![0]);
    this.root.style.setProperty("--columns", this.columns.map(of).join(" "));
    this.root.style.setProperty("--more", `${this.columns.reduce((n, c) => n + least(of(c)) - least(c.width), 0)}px`);
    this.tellBeyond();
  }

  /** Shows so many rows; what came in front and went there keeps its place on screen. */
  show(count: number, cells: (row: number) => Cells, shifted = 0): void {
    this.count = count;
    this.cells = cells;
    if (shifted > 0) this.kept = this.px + shifted * ROW + this.height;
    this.lay();
    if (this.chosen >= 0) this.chosen = this.chosen + shifted < 0 || this.chosen + shifted >= count ? -1 : this.chosen + shifted;
    if (shifted) this.px += shifted * ROW;
    if (this.pressed) this.pressed.row += shifted;
    this.draw(true);
  }

  // What has no box cannot be scrolled: what comes in front while another tab is in sight moves the rows when this one is.
  private get px(): number {
    return this.moved ?? (this.inSight ? this.root.scrollTop : this.seenAt);
  }

  private set px(px: number) {
    this.moved = this.inSight ? null : px;
    if (this.inSight) this.root.scrollTop = px;
  }

  private get inSight(): boolean {
    return this.root.clientHeight > 0;
  }

  // Below few rows there is room as long as one looks at it: what comes in front would push them down otherwise.
  private lay(): void {
    this.body.style.height = `${Math.max(this.count * ROW, this.kept)}px`;
  }

  // Who scrolls up from the room below the last row leaves it.
  private scrolled(): void {
    const seen = this.root.scrollTop + this.height;
    if (this.inSight) this.seenAt = this.root.scrollTop;
    if (seen < this.kept && this.inSight) {
      this.kept = seen > this.count * ROW ? seen : 0;
      this.lay();
    }
    this.draw(false);
    this.tellBeyond();
  }

  // Columns that are out of sight: a shade at the edge shows that there are some, and who hears the table is told which.
  private tellBeyond(): void {
    const [from, to] = [this.root.scrollLeft, this.root.scrollLeft + this.root.clientWidth];
    const heads = [...this.head.children] as HTMLElement[];
    const named = (is: (x: HTMLElement) => boolean) => heads.filter(is).map((x) => x.textContent ?? "");
    const left = named((x) => x.offsetLeft < from - 1);
    const right = named((x) => x.offsetLeft + x.offsetWidth > to + 1);
    this.root.classList.toggle("moreleft", left.length > 0);
    this.root.classList.toggle("moreright", right.length > 0);
    const words = beyondWords(left, right);
    if ((this.root.getAttribute("aria-description") ?? "") === words) return;
    if (words) this.root.setAttribute("aria-description", words);
    else this.root.removeAttribute("aria-description");
  }

  /** The rows are those of before, until others come or, where none are on their way, until what was refused is asked for in another way. None of them can be chosen. */
  old(old: boolean, coming: boolean): void {
    this.stale = old;
    this.root.classList.toggle("old", old);
    this.root.setAttribute("aria-busy", String(old && coming));
  }

  /** The first row that is wholly in sight. */
  get top(): number {
    return Math.min(this.count, Math.ceil(this.px / ROW));
  }

  /** Scrolls to a row, which may be chosen. */
  goTo(row: number, choose: boolean): void {
    this.kept = 0;
    this.lay();
    this.px = row * ROW;
    this.draw(false);
    if (choose) this.choose(row);
  }

  /** Another row is the chosen one, or with -1 none; nobody is told and nothing moves. */
  rechoose(row: number): void {
    this.chosen = row;
    this.draw(true);
  }

  /** What stands in the rows is other; they are the same. */
  redraw(): void {
    this.draw(true);
  }

  choose(row: number): void {
    if (this.stale || row < 0 || row >= this.count) return;
    this.chosen = row;
    this.bring();
    this.draw(true);
    this.onChoose();
  }

  /** Whether the chosen row is in sight. */
  get seesChosen(): boolean {
    return this.chosen >= 0 && this.inSight && sees({ scroller: this.root, height: this.height, row: ROW }, this.chosen);
  }

  /** Brings the chosen row in sight, if there is one. */
  bringChosen(): void {
    if (this.chosen < 0 || !this.inSight) return;
    this.bring();
    this.draw(false);
  }

  private bring(): void {
    bring({ scroller: this.root, height: this.height, row: ROW }, this.chosen);
  }

  // What is told of the chosen row takes room of the table: the row stays in sight.
  private resize(): void {
    if (!this.inSight) return;
    if (this.moved !== null) this.px = this.moved;
    const seen = sees({ scroller: this.root, height: this.tall, row: ROW }, this.chosen);
    this.tall = this.height;
    if (seen) this.bring();
    this.draw(false);
    this.tellBeyond();
    if (seen) this.onBrought();
  }

  // There is no click where the row that was pressed has been drawn anew meanwhile.
  private pointerUp(e: PointerEvent): void {
    const { pressed } = this;
    this.pressed = null;
    if (pressed && !pressed.el.isConnected && this.rowOf(e) === pressed.row) this.choose(pressed.row);
  }

  // Of the rows, below the heads.
  private get height(): number {
    return this.inSight ? Math.max(ROW, this.root.clientHeight - this.body.offsetTop) : Math.max(ROW, this.tall);
  }

  private rowOf(e: Event): number {
    const el = (e.target as Element).closest<HTMLElement>("[data-row]");
    return el ? Number(el.dataset.row) : -1;
  }

  private filters(): HTMLElement | null {
    if (!this.columns.some((c) => c.filter)) return null;
    this.heads = 2;
    return h("div", { class: "grid-head filters", role: "row", "aria-rowindex": 2 }, ...this.columns.map((c) => h("span", { role: "gridcell", class: "text" }, c.filter)));
  }

  /** Of an element beside the table the arrow keys that choose the row before and the next, and the focus with them. */
  takeArrows(el: HTMLElement): void {
    el.addEventListener("keydown", (e) => {
      if ((e.key === "ArrowUp" || e.key === "ArrowDown") && this.key(e)) this.root.focus({ preventScroll: true });
    });
  }

  // Whether a key is the table's.
  private key(e: KeyboardEvent): boolean {
    if (e.ctrlKey || e.metaKey || e.altKey) return false;
    const page = Math.max(1, Math.floor(this.height / ROW) - 1);
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
    if (e.key in steps) {
      const from = this.chosen < 0 ? this.top - Math.sign(steps[e.key]) : this.chosen;
      this.choose(Math.min(this.count - 1, Math.max(0, from + steps[e.key])));
    } else if (e.key === "Enter" && this.chosen >= 0) this.onOpen();
    else if (!this.onKey(e)) return false;
    e.preventDefault();
    e.stopPropagation();
    return true;
  }

  private draw(anew: boolean): void {
    if (!this.inSight) return;
    const first = Math.floor(this.root.scrollTop / ROW);
    const last = Math.min(this.count, Math.ceil((this.root.scrollTop + this.height) / ROW));
    if (anew || first < this.from + SPARE / 2 || last > this.to - SPARE / 2) {
      this.from = Math.max(0, first - SPARE);
      this.to = Math.min(this.count, last + SPARE);
      const rows: HTMLElement[] = [];
      for (let row = this.from; row < this.to; row++) rows.push(this.row(row));
      this.body.replaceChildren(...rows);
      if (this.chosen >= this.from && this.chosen < this.to) this.root.setAttribute("aria-activedescendant", this.idOf(this.chosen));
      else this.root.removeAttribute("aria-activedescendant");
    }
    this.onScroll(first, last);
  }

  private idOf(row: number): string {
    return `${this.root.getAttribute("aria-label")}-${row}`.replace(/\W/g, "-").toLowerCase();
  }

  private row(row: number): HTMLElement {
    const { cells, class: look } = this.cells(row);
    const el = h("div", { role: "row", class: look, id: this.idOf(row), "data-row": row, "aria-rowindex": row + 1 + this.heads, "aria-selected": row === this.chosen ? "true" : "false" });
    el.style.top = `${row * ROW}px`;
    if (typeof cells === "string") add(el, h("span", { role: "gridcell", class: "text wide", "aria-colspan": this.columns.length, title: cells }, cells));
    else add(el, ...cells.map((cell, i) => (typeof cell === "string" ? plain(this.columns[i], cell) : h("span", { role: "gridcell", class: cell.class, title: cell.title }, cell.words, h("span", { class: "sr" }, cell.heard)))));
    return el;
  }
}

function plain(c: Column, words: string): HTMLElement {
  return h("span", { role: "gridcell", class: c.text ? "text" : null, title: c.named || c.width.includes("fr") ? words : null }, ...(c.named ? middled(words) : [words]));
}

/** Which columns are beyond the edges, whole or in part, as sentences; "" for none. */
export function beyondWords(left: readonly string[], right: readonly string[]): string {
  const side = (name: string, columns: readonly string[]) => (columns.length > 0 ? `Beyond the ${name} edge: ${columns.join(", ")}.` : "");
  const all = [side("left", left), side("right", right)].filter(Boolean);
  return all.length > 0 ? [...all, "The table scrolls sideways."].join(" ") : "";
}
