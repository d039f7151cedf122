// The tree of attributes as a table of which only the lines in sight exist.

import { add, fill, h } from "../ui/dom.js";
import { bring, sees } from "../ui/insight.js";
import { takeSpareKeys } from "../ui/keys.js";
import { counted } from "../time/number.js";
import { holds, type Line } from "./levels.js";
import { meaningOf } from "./meanings.js";
import { CODE, told } from "./values.js";

const ROW = 22; // px, as in state.css
const SPARE = 8;

/** What stands behind the value: since, until, and how long it holds. */
export type Times = (l: Line) => readonly string[];

export class Tree {
  readonly root: HTMLElement;
  /** The path of the chosen line, "" for none. */
  chosen = "";
  onChoose: () => void = () => {};
  onToggle: (path: string, open: boolean) => void = () => {};
  /** The lines in sight. */
  onScroll: (lines: readonly Line[]) => void = () => {};
  private readonly body = h("div", { class: "lines", role: "rowgroup" });
  private readonly way = h("div", { class: "line-way", "aria-hidden": "true" }); // who hears the lines is told their level, and goes up by ←
  private ways = "";
  private lines: readonly Line[] = [];
  private whole = false;
  private tall = 0; // of the lines, as they were laid out last
  private wanted = -1; // the line that is chosen once it is there

  constructor(label: string, heads: readonly string[], private readonly times: Times, private readonly note: (path: string) => string) {
    const head = h("div", { role: "row", class: "line-head", "aria-rowindex": 1 }, ...heads.map((n) => h("span", { role: "columnheader" }, n)));
    this.root = h("div", { class: "attributes", role: "treegrid", "aria-label": label, tabindex: 0, "aria-readonly": "true" }, h("div", { role: "rowgroup", class: "line-top" }, head, this.way), this.body);
    this.root.addEventListener("scroll", () => this.draw(), { passive: true });
    this.root.addEventListener("keydown", (e) => this.key(e));
    takeSpareKeys(this.root, (e) => this.key(e));
    this.body.addEventListener("click", (e) => this.click(e));
    this.way.addEventListener("click", (e) => this.up(e));
    new ResizeObserver(() => this.resize()).observe(this.root);
  }

  /** Shows lines; with whole, by their paths instead of their names. */
  show(lines: readonly Line[], whole: boolean): void {
    this.lines = lines;
    this.whole = whole;
    this.body.style.height = `${lines.length * ROW}px`;
    this.root.setAttribute("aria-rowcount", String(lines.length + 1));
    const { wanted } = this;
    if (lines[wanted]?.item) this.choose(wanted);
    else this.draw();
  }

  // What is told of the chosen line takes room of the tree: the line stays in sight.
  private resize(): void {
    if (this.root.clientHeight === 0) return;
    const i = this.lines.findIndex((l) => l.item?.path === this.chosen);
    const seen = sees({ scroller: this.root, height: this.tall, row: ROW }, i);
    this.tall = this.height;
    if (seen) this.scrollToChosen();
    else this.draw();
  }

  get chosenLine(): Line | undefined {
    return this.lines.find((l) => l.item?.path === this.chosen);
  }

  /** Brings the chosen line on screen; says whether it is there. */
  scrollToChosen(middle = false): boolean {
    const i = this.lines.findIndex((l) => l.item?.path === this.chosen);
    if (i < 0) return false;
    const { height } = this;
    if (middle) this.root.scrollTop = i * ROW - Math.round(height / ROW / 3) * ROW;
    else bring({ scroller: this.root, height, row: ROW }, i);
    this.draw();
    return true;
  }

  private get height(): number {
    return Math.max(ROW, this.root.clientHeight - this.body.offsetTop);
  }

  private choose(i: number): void {
    const path = this.lines[i]?.item?.path;
    if (path === undefined) return;
    this.wanted = -1;
    this.chosen = path;
    this.scrollToChosen();
    this.onChoose();
  }

  private click(e: MouseEvent): void {
    const el = (e.target as Element).closest<HTMLElement>("[data-line]");
    if (!el) return;
    const i = Number(el.dataset.line);
    const l = this.lines[i];
    if ((e.target as Element).classList.contains("twist") && l?.item && l.item.children > 0) this.onToggle(l.item.path, !l.expanded);
    else this.choose(i);
  }

  // Whether a key is the tree's.
  private key(e: KeyboardEvent): boolean {
    if (e.ctrlKey || e.metaKey || e.altKey) return false;
    this.wanted = -1;
    const at = this.lines.findIndex((l) => l.item?.path === this.chosen);
    const line = this.lines[at];
    const page = Math.max(1, Math.floor(this.height / ROW) - 1);
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: Math.max(0, at) - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.lines.length - 1 };
    if (e.key in to) this.go(Math.min(this.lines.length - 1, Math.max(0, to[e.key])));
    else if ((e.key === "ArrowRight" || e.key === "Enter") && line?.item && line.item.children > 0 && !line.expanded) this.onToggle(line.item.path, true);
    else if ((e.key === "ArrowLeft" || e.key === "Enter") && line?.expanded) this.onToggle(line.item!.path, false);
    else if (e.key === "ArrowLeft" && line) {
      for (let k = at - 1; k >= 0; k--)
        if (this.lines[k].level < line.level) {
          this.choose(k);
          break;
        }
    } else if (e.key !== "ArrowRight" || !line) return false;
    e.preventDefault();
    e.stopPropagation();
    return true;
  }

  // Where a line is not there yet it is brought on screen, and so asked for; it is chosen when it comes.
  private go(i: number): void {
    if (this.lines[i]?.item) return this.choose(i);
    this.wanted = i;
    this.root.scrollTop = i * ROW;
  }

  private draw(): void {
    if (this.root.clientHeight === 0) return;
    const first = Math.floor(this.root.scrollTop / ROW);
    const last = Math.min(this.lines.length, Math.ceil((this.root.scrollTop + this.height) / ROW));
    const [from, to] = [Math.max(0, first - SPARE), Math.min(this.lines.length, last + SPARE)];
    const rows: HTMLElement[] = [];
    let active = "";
    for (let i = from; i < to; i++) {
      const row = this.row(i);
      if (this.lines[i].item && this.lines[i].item!.path === this.chosen) active = row.id;
      rows.push(row);
    }
    this.body.replaceChildren(...rows);
    if (active) this.root.setAttribute("aria-activedescendant", active);
    else this.root.removeAttribute("aria-activedescendant");
    this.tellWay(first);
    this.onScroll(this.lines.slice(first, last));
  }

  // What the first line in sight stands in, from the top: its row is always there, so that no line moves when there is more to say.
  private tellWay(first: number): void {
    const above: number[] = [];
    let level = this.lines[first]?.level ?? 1;
    for (let i = first - 1; i >= 0 && level > 1; i--)
      if (this.lines[i].level < level) {
        above.unshift(i);
        level = this.lines[i].level;
      }
    const names = above.map((i) => {
      const { item } = this.lines[i];
      const note = item ? this.note(item.path) : "";
      return item ? `${this.whole && this.lines[i].level === 1 ? item.path : item.name}${note ? ` ${note}` : ""}` : "…";
    });
    const ways = JSON.stringify([above, names]);
    if (ways === this.ways) return;
    this.ways = ways;
    const parts = above.flatMap((line, k) => {
      const el = h("span", { class: "link", title: "Go up to it" }, names[k]);
      el.dataset.line = String(line);
      return k > 0 ? [" › ", el] : [el];
    });
    fill(this.way, ...(parts.length > 0 ? ["in ", ...parts] : ["all attributes"]));
  }

  private up(e: MouseEvent): void {
    const { line } = (e.target as HTMLElement).dataset;
    if (line !== undefined) this.choose(Number(line));
  }

  private row(i: number): HTMLElement {
    const l = this.lines[i];
    const el = h("div", { role: "row", id: `attribute-${i}`, "data-line": i, "aria-rowindex": i + 2, "aria-level": l.level, "aria-selected": String(!!l.item && l.item.path === this.chosen) });
    el.style.top = `${i * ROW}px`;
    const item = l.item;
    if (!item) {
      add(el, h("span", { role: "gridcell", class: "minor" }, "…"));
      return el;
    }
    const open = item.children > 0;
    if (open) el.setAttribute("aria-expanded", String(l.expanded));
    const meaning = meaningOf(item.path);
    el.title = item.path;
    if (meaning) el.setAttribute("aria-description", meaning);
    const name = h("span", { role: "gridcell", class: "name" }, h("i", { class: "twist", "aria-hidden": "true" }, open ? (l.expanded ? "▾" : "▸") : ""), this.whole && l.level === 1 ? item.path : item.name);
    const note = this.note(item.path);
    if (note) add(name, h("small", {}, " " + note));
    if (meaning) name.title = `${item.path}: ${meaning}`;
    name.style.paddingLeft = `${(l.level - 1) * 16}px`;
    const value = holds(item) ? { text: "", meaning: counted(item.children, "attribute"), state: -1 } : told(item.path, item.value);
    const swatch = h("i", { class: "swatch", "aria-hidden": "true" });
    if (value.state >= 0) swatch.dataset.state = String(value.state);
    add(el, name,
      h("span", { role: "gridcell", class: "value", title: value.meaning && value.text ? CODE : null }, value.state >= 0 ? swatch : null, value.text, value.meaning ? h("small", {}, " " + value.meaning) : null),
      ...this.times(l).map((t) => h("span", { role: "gridcell" }, t)));
    return el;
  }
}
