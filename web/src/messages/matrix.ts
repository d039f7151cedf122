// Hosts by hosts: what each sent to each, as numbers on a ground that is the stronger the more, by powers of ten. What says what the
// numbers are stands below, as it may take one line or two when a pair is chosen, and no cell moves then. The arrow keys go from cell to cell, and a line below says all that is known of the one they are on.

import { isolated } from "../model/names.js";
import type { Measure } from "../model/shown.js";
import { counted, group, sized } from "../time/number.js";
import { about, plusMinus } from "../time/time.js";
import { add, fill, h } from "../ui/dom.js";
import { middled } from "../ui/middle.js";
import { Readout } from "../ui/readout.js";
import { DIGITS, type PairMessages } from "./answers.js";

/** With more hosts than this a cell has room for one short number only. */
const ROOMY = 7;
const CHOOSE = "Choose a cell, by click or with the arrow keys and Enter, to see its latencies and only its messages in the timeline.";
const ALONE = "This set is of one host. Messages are what hosts send to each other: drop the traces of all of them together to see any.";

export class Matrix {
  readonly el = h("div", { class: "matrix" });
  /** What stands in a cell, and what its ground means. */
  readonly legend = h("p", { class: "minor cellkey", hidden: true });
  readonly readout = new Readout();
  /** A pair was chosen. */
  onChoose: (from: string, to: string) => void = () => {};
  private readonly table = h("table", { role: "grid", "aria-label": "Messages from host to host", "aria-readonly": true });
  private pairs = new Map<string, PairMessages>();
  private known = false; // whether a pair that is not among them exchanged nothing
  private alone = false; // whether there is one host and no other can come
  private hosts: string[] = [];
  private at: [row: number, column: number] = [0, 1];
  private chosen: readonly [string, string] | null = null;
  private measure: Measure = "messages";
  private drawn = "";

  constructor() {
    add(this.el, this.table);
    this.el.addEventListener("scroll", () => this.edges());
    new ResizeObserver(() => this.edges()).observe(this.el);
    this.table.addEventListener("keydown", (e) => this.key(e));
    this.table.addEventListener("click", (e) => this.press(e.target));
    this.table.addEventListener("pointerover", (e) => this.say(placeOf(e.target)));
    this.table.addEventListener("pointerleave", () => this.say(null));
    this.table.addEventListener("focusin", (e) => {
      const place = placeOf(e.target);
      if (place) this.at = place;
      this.say(place);
    });
  }

  /** Shows pairs of hosts, null while there is no answer; the chosen two are marked both ways. Of a set that is importing other hosts may come. */
  show(hosts: string[], pairs: readonly PairMessages[] | null, measure: Measure, chosen: readonly [string, string] | null, importing: boolean): void {
    const state = JSON.stringify([hosts, pairs, measure, chosen, importing]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focused = this.table.contains(document.activeElement);
    this.hosts = hosts;
    this.pairs = new Map(pairs?.map((p) => [`${p.from}\n${p.to}`, p]));
    this.known = pairs !== null;
    this.alone = hosts.length === 1 && !importing;
    this.measure = measure;
    this.chosen = chosen;
    this.at = [Math.min(this.at[0], Math.max(0, hosts.length - 1)), Math.min(this.at[1], Math.max(0, hosts.length - 1))];
    this.el.classList.toggle("dense", hosts.length > ROOMY);
    this.draw();
    this.legend.hidden = this.pairs.size === 0;
    fill(this.legend, ...this.legendWords());
    this.readout.room(this.hint, [...this.pairs.values()].map(pairWords));
    if (focused) this.cell(this.at)?.focus({ preventScroll: true });
    this.say(focused ? this.at : null);
  }

  /** How wide all of its columns are, pixels. */
  get width(): number {
    return this.table.offsetWidth;
  }

  // Where there is more beyond the right or the lower edge, the cells there are fainter.
  private edges(): void {
    const { el } = this;
    el.classList.toggle("right", el.scrollLeft + el.clientWidth < el.scrollWidth - 1);
    el.classList.toggle("below", el.scrollTop + el.clientHeight < el.scrollHeight - 1);
  }

  private draw(): void {
    const { hosts } = this;
    const heat = heatOf([...this.pairs.values()].map((p) => this.weight(p)));
    const head = h("tr", {}, h("th", { scope: "col", class: "corner" }, h("span", {}, "from ↓ to →")), ...hosts.map((x) => h("th", { scope: "col", title: x }, h("span", {}, ...middled(x)))), h("th", { scope: "col", class: "total" }, h("span", {}, "all")));
    const rows = hosts.map((from, r) => h("tr", {}, h("th", { scope: "row", title: from }, ...middled(from)), ...hosts.map((to, c) => this.cellOf(r, c, from, to, heat)), this.sum(hosts.map((to) => this.pairs.get(`${from}\n${to}`)))));
    const foot = h("tr", { class: "total" }, h("th", { scope: "row" }, "all"), ...hosts.map((to) => this.sum(hosts.map((from) => this.pairs.get(`${from}\n${to}`)))), this.sum([...this.pairs.values()]));
    fill(this.table, h("thead", {}, head), h("tbody", {}, ...rows), h("tfoot", {}, foot));
    this.edges();
  }

  private cellOf(r: number, c: number, from: string, to: string, heat: (weight: number) => number): HTMLElement {
    const p = this.pairs.get(`${from}\n${to}`);
    const on = !!p && this.isChosen(from, to);
    const el = h("td", { role: "gridcell", tabindex: r === this.at[0] && c === this.at[1] ? 0 : -1, "aria-selected": p ? on : null, class: p ? "some" : "none" });
    el.dataset.place = `${r} ${c}`;
    add(el, h("span", { class: "sr" }, p ? pairWords(p) : from === to ? `${from}, itself` : `${from} to ${to}: ${this.noneWords()}`));
    if (!p) {
      add(el, h("span", { "aria-hidden": "true" }, from === to || !this.known ? "" : "·"));
      return el;
    }
    el.style.setProperty("--heat", heat(this.weight(p)).toFixed(3));
    if (p.before_sent > 0) el.classList.add("wrong");
    if (this.hosts.length > ROOMY) add(el, h("span", { "aria-hidden": "true" }, this.short(p)));
    else {
      const latency = p.median_ns === null ? "not related" : about(p.median_ns, DIGITS) + (p.error_ns === null ? "" : ` ${plusMinus(p.error_ns)}`);
      const lines: Record<Measure, string> = { messages: group(p.messages), bytes: sized(p.bytes, UNKNOWN_SIZE), latency };
      add(el, h("b", { "aria-hidden": "true" }, lines[this.measure]), ...this.others.map((m) => h("small", { "aria-hidden": "true" }, m === "messages" ? counted(p.messages, "message") : lines[m])));
    }
    if (p.before_sent > 0) add(el, h("i", { "aria-hidden": "true", title: wrongWords(p) }, "!"));
    return el;
  }

  // What else stands in a cell, in order.
  private get others(): Measure[] {
    return (["messages", "bytes", "latency"] as const).filter((m) => m !== this.measure);
  }

  private legendWords(): (Node | string)[] {
    const first = h("b", {}, MEANS[this.measure]);
    const numbers = this.hosts.length > ROOMY ? ["In a cell: ", first, "; a line below says the rest"] : ["In a cell: ", first, ...this.others.map((m) => `, ${MEANS[m]}`)];
    const early = earlyWords([...this.pairs.values()]);
    const [few, many] = this.measure === "latency" ? ["short", "long"] : ["few", "many"];
    return [...numbers, ". Shade of a cell: ", h("span", { class: "heats" }, `${few} `, ...[0, 0.33, 0.67, 1].map((t) => {
      const step = h("i", {});
      step.style.setProperty("--heat", String(LEAST + (1 - LEAST) * t));
      return step;
    }), ` ${many}`), ", by powers of ten.", ...(early ? [" ", h("i", { class: "early" }, "!"), ` ${early}.`] : [])];
  }

  private weight(p: PairMessages): number {
    return this.measure === "messages" ? p.messages : this.measure === "bytes" ? p.bytes : Math.max(0, p.median_ns ?? 0);
  }

  private short(p: PairMessages): string {
    if (this.measure === "messages") return shortCount(p.messages);
    if (this.measure === "bytes") return p.bytes > 0 ? shortCount(p.bytes) : "?";
    return p.median_ns === null ? "?" : shortTime(p.median_ns);
  }

  // Sums of latencies would say nothing.
  private sum(of: (PairMessages | undefined)[]): HTMLElement {
    const all = of.reduce((n, p) => n + (p?.messages ?? 0), 0);
    const data = of.reduce((n, p) => n + (p?.bytes ?? 0), 0);
    const el = h("td", { class: "total", title: this.known ? `${counted(all, "message")}, ${sized(data, UNKNOWN_SIZE)}` : null });
    if (all === 0) return el;
    if (this.hosts.length > ROOMY) add(el, this.measure !== "bytes" ? shortCount(all) : data > 0 ? shortCount(data) : "?");
    else add(el, h("b", {}, group(all)), h("small", {}, sized(data, UNKNOWN_SIZE)));
    return el;
  }

  private noneWords(): string {
    return this.known ? "no message" : "not known yet";
  }

  private isChosen(from: string, to: string): boolean {
    const [a, b] = this.chosen ?? [];
    return (from === a && to === b) || (from === b && to === a);
  }

  private cell([r, c]: readonly [number, number]): HTMLElement | null {
    return this.table.querySelector<HTMLElement>(`td[data-place="${r} ${c}"]`);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const [r, c] = this.at;
    const last = this.hosts.length - 1;
    const to: Record<string, [number, number]> = { ArrowUp: [r - 1, c], ArrowDown: [r + 1, c], ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1], Home: [r, 0], End: [r, last], PageUp: [0, c], PageDown: [last, c] };
    if (e.key === "Enter" || e.key === " ") this.press(this.cell(this.at));
    else if (to[e.key]) {
      const inside = (n: number) => Math.min(last, Math.max(0, n));
      this.cell(this.at)?.setAttribute("tabindex", "-1");
      this.at = [inside(to[e.key][0]), inside(to[e.key][1])];
      const cell = this.cell(this.at);
      cell?.setAttribute("tabindex", "0");
      cell?.focus();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private press(target: EventTarget | null): void {
    const place = placeOf(target);
    if (!place) return;
    const [from, to] = [this.hosts[place[0]], this.hosts[place[1]]];
    this.at = place;
    if (this.pairs.has(`${from}\n${to}`)) this.onChoose(from, to);
  }

  private say(place: readonly [number, number] | null): void {
    const [from, to] = place ? [this.hosts[place[0]], this.hosts[place[1]]] : ["", ""];
    const p = this.pairs.get(`${from}\n${to}`);
    this.readout.say(p ? pairWords(p) : place && from !== to ? `${from} to ${to}: ${this.noneWords()}.` : this.chosen ? "" : this.hint, !p && (!place || from === to));
  }

  private get hint(): string {
    return this.pairs.size > 0 ? CHOOSE : this.alone ? ALONE : "";
  }
}

/** The ground of a cell with the least, as a share of that with the most. */
const LEAST = 0.15;
const MEANS: Record<Measure, string> = { messages: "messages", bytes: "data", latency: "median latency ± its error" };

/** How strong the ground of a cell is, from LEAST to 1, by the logarithm of its weight: from the least to the most, or over one power of ten
 * where all are closer to each other, so that little differences look little. */
export function heatOf(weights: readonly number[]): (weight: number) => number {
  const logs = weights.map((w) => Math.log(Math.max(1, w)));
  const most = Math.max(0, ...logs);
  const span = Math.max(most - Math.min(most, ...logs), Math.LN10);
  return (weight) => LEAST + (1 - LEAST) * (1 - (most - Math.log(Math.max(1, weight))) / span);
}

function placeOf(target: EventTarget | null): [number, number] | null {
  const place = target instanceof Element ? target.closest<HTMLElement>("td[data-place]")?.dataset.place : undefined;
  return place ? (place.split(" ").map(Number) as [number, number]) : null;
}

const UNKNOWN_SIZE = "size unknown";
/** What a cell's sign of messages that were received before they were sent means; "" where no cell has it. */
export function earlyWords(pairs: readonly PairMessages[]): string {
  if (pairs.every((p) => p.before_sent === 0)) return "";
  return `some were received before they were sent${pairs.every((p) => p.beyond_error === 0) ? ", all within the error of the clocks" : ""}`;
}

const wrongWords = (p: PairMessages) => `${group(p.before_sent)} received before sent${p.beyond_error === 0 ? ", within the error of the clocks" : ""}`;

/** All that is known of a pair, as a sentence. */
export function pairWords(p: PairMessages): string {
  const latency = p.median_ns === null ? "latency unknown: nothing relates their clocks" : `median latency ${about(p.median_ns, DIGITS)}${p.error_ns === null ? "" : ` ${plusMinus(p.error_ns)}`}, from ${about(p.least_ns!, DIGITS)} to ${about(p.most_ns!, DIGITS)}`;
  return `${isolated(p.from)} to ${isolated(p.to)}: ${counted(p.messages, "message")}, ${sized(p.bytes, UNKNOWN_SIZE)}, ${latency}${p.before_sent ? `; ${wrongWords(p)}` : ""}.`;
}

// At most four characters: 999, 1.2k, 45k, 3.1M.
function shortCount(n: number): string {
  const steps: [number, string][] = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
  for (const [size, unit] of steps) if (n >= size * 0.9995) return (n / size < 9.95 ? (n / size).toFixed(1) : String(Math.round(n / size))) + unit;
  return String(n);
}

function shortTime(ns: number): string {
  const steps: [number, string][] = [[1e9, "s"], [1e6, "m"], [1e3, "µ"], [1, "n"]];
  const size = Math.abs(ns);
  for (const [unit, name] of steps) if (size >= unit * 0.9995) return (ns < 0 ? "−" : "") + (size / unit < 9.95 && unit > 1 ? (size / unit).toFixed(1) : String(Math.round(size / unit))) + name;
  return "0";
}
