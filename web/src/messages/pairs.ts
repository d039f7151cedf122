// What each two hosts exchanged, both ways together: which two most, as a sentence, and all of them in order.

import { byName } from "../model/natural.js";
import type { Measure } from "../model/shown.js";
import { bytes, counted, group, sized } from "../time/number.js";
import { add, fill, h, keepFocus } from "../ui/dom.js";
import type { PairMessages } from "./answers.js";

/** So many pairs are listed, those with most. */
const MOST = 12;
/** Of pairs that lead alike so many are named; of more, one less, and how many others there are. */
const NAMED = 3;

/** Two hosts and what went between them. */
export interface Exchange {
  readonly a: string; // the names in order
  readonly b: string;
  readonly messages: number;
  readonly bytes: number;
}

/** Adds up both ways of each pair; those that exchanged most come first, by data or by messages. */
export function exchanges(pairs: readonly PairMessages[], by: Measure): Exchange[] {
  const of = new Map<string, { a: string; b: string; messages: number; bytes: number }>();
  for (const p of pairs) {
    if (p.from === p.to) continue;
    const [a, b] = byName(p.from, p.to) < 0 ? [p.from, p.to] : [p.to, p.from];
    const e = of.get(`${a}\n${b}`) ?? { a, b, messages: 0, bytes: 0 };
    e.messages += p.messages;
    e.bytes += p.bytes;
    of.set(`${a}\n${b}`, e);
  }
  return [...of.values()].sort((x, y) => weight(y, by) - weight(x, by) || byName(x.a, y.a) || byName(x.b, y.b));
}

const weight = (e: Exchange, by: Measure) => (by === "bytes" ? e.bytes : e.messages);

/** Which two hosts exchanged most messages, and which most data, as a sentence that begins with those who lead by what is shown; where several pairs lead alike,
 * all of them. "" where none exchanged anything. */
export function mostWords(list: readonly Exchange[], by: Measure, where: string): string {
  const [most, data] = leads(list);
  if (most.length === 0) return "";
  if (alike(most, data)) return `${where}, ${named(most)} exchanged most: ${told(most)}.`;
  if (by === "bytes") return `${where}, ${named(data)} exchanged most data: ${each(data, sizeOf, (e) => counted(e.messages, "message"), " in ")}; most messages: ${named(most)}, ${each(most, (e) => group(e.messages))}.`;
  return `${where}, ${named(most)} exchanged most messages: ${each(most, (e) => group(e.messages), sizeOf)}; most data: ${named(data)}, ${each(data, sizeOf)}.`;
}

const sizeOf = (e: Exchange) => (e.bytes > 0 ? bytes(e.bytes) : "");
const told = (of: readonly Exchange[]) => each(of, (e) => counted(e.messages, "message"), sizeOf);

// What each of some pairs has; of what else they have only what is the same of all.
function each(of: readonly Exchange[], has: (e: Exchange) => string, also: (e: Exchange) => string = () => "", between = ", "): string {
  const more = also(of[0]);
  return [has(of[0]), of.every((e) => also(e) === more) ? more : ""].filter(Boolean).join(between) + (of.length > 1 ? " each" : "");
}

// The hosts of a pair; of several pairs the first ones, and how many others there are.
function named(of: readonly Exchange[]): string {
  if (of.length === 1) return `${of[0].a} and ${of[0].b}`;
  const shown = of.length > NAMED ? of.slice(0, NAMED - 1) : of.slice(0, -1);
  const last = of.length > NAMED ? counted(of.length - shown.length, "other pair") : pairName(of[of.length - 1]);
  return `${shown.map(pairName).join(", ")} and ${last}`;
}

const pairName = (e: Exchange) => `${e.a} ↔ ${e.b}`;

// Those with most messages, and those with most data: the former where no size is known.
function leads(list: readonly Exchange[]): [most: Exchange[], data: Exchange[]] {
  const top = (by: Measure) => {
    const most = list.reduce((n, e) => Math.max(n, weight(e, by)), 0);
    return list.filter((e) => most > 0 && weight(e, by) === most);
  };
  const [most, data] = [top("messages"), top("bytes")];
  return [most, data.length > 0 ? data : most];
}

// Whether two lists have the same pairs.
function alike(a: readonly Exchange[], b: readonly Exchange[]): boolean {
  const names = new Set(a.map(pairName));
  return a.length === b.length && b.every((e) => names.has(pairName(e)));
}

/** Which two exchanged most in the whole set, beside the same of a part of it; "" where that is not known. */
export function wholeWords(whole: readonly Exchange[], by: Measure, part: readonly Exchange[]): string {
  const [most, data] = leads(whole);
  const same = most.length > 0 && alike(most, data) && leads(part).every((of) => alike(of, most));
  return same ? `Over the whole set it is these ${most.length > 1 ? "pairs" : "two"} as well: ${told(most)}.` : mostWords(whole, by, "Over the whole set");
}

export class Pairs {
  readonly el = h("div", { class: "pairs" });
  /** Which two exchanged most, as a sentence. */
  readonly most = h("p", { class: "most" });
  /** A pair was chosen. */
  onChoose: (a: string, b: string) => void = () => {};
  /** The sums of the whole set are wanted. */
  onWhole: () => void = () => {};
  private drawn = "";

  /** Shows what pairs exchanged in a stretch named where; all is what they did in the whole set, null where that is not known, or where the stretch
   * is the whole set, which whole says. */
  show(pairs: readonly PairMessages[], by: Measure, chosen: readonly [string, string] | null, where: string, whole: boolean, all: readonly PairMessages[] | null): void {
    const state = JSON.stringify([pairs, by, chosen, where, whole, all]);
    if (state === this.drawn) return;
    this.drawn = state;
    const list = exchanges(pairs, by);
    const over = whole ? "" : wholeWords(exchanges(all ?? [], by), by, list);
    const words = mostWords(list, by, where) || (over && `${where}, no two hosts exchanged anything.`);
    const way = words && !whole ? h("button", { type: "button", onclick: () => this.onWhole() }, "In the whole set") : null;
    keepFocus(this.most, () => fill(this.most, [words, over].filter(Boolean).join(" "), way));
    keepFocus(this.el, () => this.list(list, by, chosen));
  }

  private list(list: readonly Exchange[], by: Measure, chosen: readonly [string, string] | null): void {
    fill(this.el);
    if (list.length < 2) return;
    const is = (e: Exchange) => !!chosen && chosen.includes(e.a) && chosen.includes(e.b);
    add(this.el, h("table", { "aria-label": "Both ways together" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Both ways together"), h("th", { scope: "col" }, "Messages"), h("th", { scope: "col" }, "Data"))),
      h("tbody", {}, ...list.slice(0, MOST).map((e) => h("tr", { class: is(e) ? "chosen" : "" },
        h("td", {}, h("button", { type: "button", class: "link", "aria-pressed": is(e), onclick: () => this.onChoose(e.a, e.b) }, pairName(e))),
        h("td", {}, group(e.messages)), h("td", {}, sized(e.bytes, "–")))))));
    if (list.length > MOST) add(this.el, h("p", { class: "minor" }, `${counted(list.length - MOST, "other pair")} with ${weight(list[MOST], by) === weight(list[MOST - 1], by) ? "no more" : "less"}.`));
  }
}
