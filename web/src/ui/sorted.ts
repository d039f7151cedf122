// A table that is sorted by a press on a head, and shows the first rows until all are wanted.

import type { Tables } from "../model/arranged.js";
import { byName } from "../model/natural.js";
import { counted } from "../time/number.js";
import { add, fill, h, keepFocus } from "./dom.js";

export interface Column<T> {
  name: string;
  title?: string;
  text?: boolean;
  /** A state whose colour stands before the name, for bars beside it have that. */
  look?: number;
  /** What rows are sorted by: numbers from the largest on, words from A on, of several the first that differ. */
  by: (row: T) => number | string | readonly string[];
  /** The column is there where this is true of a row, and as long as rows are sorted by it; without it, always. */
  any?: (row: T) => boolean;
  cell: (row: T) => Node | string;
  /** What an address calls it, where that is not its place among the columns: links outlive a column that is put between others. */
  id?: number;
}

const FIRST = 25;
/** What else stands above and below a table, and a row of it, CSS pixels. */
const AROUND = 220;
const ROW = 30;

/** How many rows are shown at first in a window of a height: more where there is room for them. */
export function firstRows(height: number): number {
  return Math.max(FIRST, Math.floor((height - AROUND) / ROW));
}

/** Where the arrangement of a table is kept. */
export interface Keeper {
  readonly tables: Tables;
  /** The arrangement of some table changed. */
  keep(): void;
}

function swatch(look: number): HTMLElement {
  const el = h("i", { class: "swatch", "aria-hidden": "true" });
  el.dataset.state = String(look);
  return el;
}

export class Sorted<T> {
  readonly root = h("section", { class: "card" });
  /** A row was pressed, or chosen with Enter. */
  onOpen: ((row: T) => void) | null = null;
  /** The rows are in another order. */
  onOrder: () => void = () => {};
  private rows: T[] = [];
  private column: number;
  private turned: boolean;
  private all: boolean;
  private note = "";
  private none = "";
  private readonly heading = h("h2");
  private headed: string | null = null; // what it says
  /** Stands behind the title where there are rows. */
  readonly controls: HTMLElement[] = [];
  /** Stands there without rows as well. */
  readonly standing: HTMLElement[] = [];

  /** The keeper knows the table by name. */
  constructor(private readonly title: string, private readonly columns: readonly Column<T>[], private readonly by: number, private readonly empty: string, private readonly keeper: Keeper, private readonly name: string) {
    [this.column, this.turned, this.all] = this.kept;
  }

  // The column, whether it is turned, and whether all rows are shown, as the keeper has it.
  private get kept(): [number, boolean, boolean] {
    const kept = this.keeper.tables.get(this.name);
    const column = kept ? this.columns.findIndex((c, i) => (c.id ?? i) === kept.column) : -1;
    return kept && column >= 0 ? [column, kept.turned, kept.all] : [this.by, false, false];
  }

  /** none stands where there are no rows, instead of what the table says of its own. */
  show(rows: T[], note = "", none = this.empty): void {
    this.rows = rows;
    this.note = note;
    this.none = none;
    [this.column, this.turned, this.all] = this.kept;
    this.draw();
  }

  /** By which column rows are sorted, as addresses call it, and whether that is turned round. */
  get sortedBy(): readonly [column: number, turned: boolean] {
    const [column, turned] = this.kept;
    return [this.columns[column].id ?? column, turned];
  }

  /** Rows in the order that was chosen; of what is shown all of it, also what waits below the first rows. */
  order(rows: readonly T[] = this.rows): T[] {
    const { by } = this.columns[this.column];
    const sign = this.turned ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [x, y] = [by(a), by(b)];
      return sign * (typeof x === "number" || typeof y === "number" ? Number(y) - Number(x) : byName(x, y));
    });
  }

  private get first(): number {
    return firstRows(innerHeight);
  }

  // The columns that are there, by their places among all.
  private get there(): number[] {
    return this.columns.flatMap((c, i) => (!c.any || i === this.column || this.rows.some(c.any) ? [i] : []));
  }

  private draw(): void {
    keepFocus(this.root, () => this.fill());
  }

  private fill(): void {
    const sorted = this.order();
    const shown = this.all ? sorted : sorted.slice(0, this.first);
    const columns = this.there.map((i) => [this.columns[i], i] as const);
    const heads = columns.map(([c, i]) =>
      h("th", { scope: "col", class: c.text ? "text" : null, "aria-sort": i !== this.column ? null : this.ascends(i) ? "ascending" : "descending", title: c.title },
        h("button", { type: "button", class: "head", onclick: () => this.sort(i) }, c.look === undefined ? null : swatch(c.look), c.name, i === this.column ? h("span", { "aria-hidden": "true" }, this.ascends(i) ? " ↑" : " ↓") : null)));
    const body = shown.map((row) =>
      h("tr", this.onOpen ? { class: "opens", onclick: (e: MouseEvent) => this.press(e, row) } : {}, ...columns.map(([c, i]) => h("td", { class: c.text ? "text" : null }, i === 0 && this.onOpen ? h("button", { type: "button", class: "link", onclick: () => this.onOpen!(row) }, c.cell(row)) : c.cell(row)))));
    this.head();
    if (this.rows.length === 0) add(this.root, h("p", { class: "minor" }, this.none));
    else add(this.root, h("div", { class: "wide" }, h("table", { "aria-label": this.title }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...body))));
    if (shown.length < sorted.length) add(this.root, h("p", {}, h("button", { type: "button", onclick: () => this.more() }, `All ${counted(sorted.length, "row")}`)));
  }

  // What stands above the rows stays as long as it is the same: a switch that is pressed while rows come would be another when it is let go.
  private head(): void {
    const controls = this.rows.length > 0 ? this.controls : [];
    const says = [this.note, this.standing.length, controls.length].join("\n");
    if (this.headed !== says) {
      this.headed = says;
      fill(this.heading, this.title, " ", h("small", {}, this.note), ...this.standing, ...controls);
    }
    if (this.heading.parentNode !== this.root) fill(this.root, this.heading);
    while (this.heading.nextSibling) this.heading.nextSibling.remove();
  }

  // A row is pressed anywhere but on its button, which does the same, and not to choose a part of its words.
  private press(e: MouseEvent, row: T): void {
    if ((e.target as Element).closest("button") || !getSelection()?.isCollapsed) return;
    this.onOpen!(row);
  }

  private ascends(column: number): boolean {
    return (this.rows.length > 0 && typeof this.columns[column].by(this.rows[0]) !== "number") !== this.turned;
  }

  private sort(column: number): void {
    this.turned = column === this.column && !this.turned;
    this.column = column;
    this.keep();
    this.draw();
    this.root.querySelectorAll<HTMLButtonElement>("button.head")[this.there.indexOf(column)]?.focus();
    this.onOrder();
  }

  private keep(): void {
    const { column, turned, all, keeper } = this;
    if (column === this.by && !turned && !all) keeper.tables.delete(this.name);
    else keeper.tables.set(this.name, { column: this.columns[column].id ?? column, turned, all });
    keeper.keep();
  }

  private more(): void {
    this.all = true;
    this.keep();
    this.draw();
    this.root.querySelectorAll<HTMLElement>("tbody tr")[this.first]?.querySelector("button")?.focus();
  }
}
