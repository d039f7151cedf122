// What each two hosts exchanged, both ways together: which two most, as a sentence, and all of them in order.

import { byName } from "../model/natural.js";
import type { Measure } from "../model/view.js";
import { bytes, counted, group, sized } from "../time/number.js";
import { add, fill, h, keepFocus } from "../ui/dom.js";
import type { PairMessages } from "./answers.js";

/** So many pairs are listed, those with most. */
const MOST = 12;

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
  const weight = (e: Exchange) => (by === "bytes" ? e.bytes : e.messages);
  return [...of.values()].sort((x, y) => weight(y) - weight(x) || byName(x.a, y.a) || byName(x.b, y.b));
}

/** Which two hosts exchanged most messages, and which most data, as a sentence that begins with those who lead by what is shown; "" where none exchanged anything. */
export function mostWords(list: readonly Exchange[], by: Measure, where: string): string {
  const [most, data] = leads(list);
  if (!most || !data) return "";
  if (most === data) return `${where}, ${most.a} and ${most.b} exchanged most: ${told(most)}.`;
  if (by === "bytes") return `${where}, ${data.a} and ${data.b} exchanged most data: ${sizeOf(data)} in ${counted(data.messages, "message")}; most messages: ${most.a} and ${most.b}, ${group(most.messages)}.`;
  return `${where}, ${most.a} and ${most.b} exchanged most messages: ${[group(most.messages), sizeOf(most)].filter(Boolean).join(", ")}; most data: ${data.a} and ${data.b}, ${sizeOf(data)}.`;
}

const sizeOf = (e: Exchange) => (e.bytes > 0 ? bytes(e.bytes) : "");
const told = (e: Exchange) => [counted(e.messages, "message"), sizeOf(e)].filter(Boolean).join(", ");

// Those with most messages, and those with most data: the former, unless others have more.
function leads(list: readonly Exchange[]): [most: Exchange | undefined, data: Exchange | undefined] {
  const most = [...list].sort((x, y) => y.messages - x.messages)[0];
  const data = list.reduce<Exchange | undefined>((found, e) => (found && found.bytes >= e.bytes ? found : e), most);
  return [most, data];
}

/** Which two exchanged most in the whole set, beside the same of a part of it; "" where that is not known. */
export function wholeWords(whole: readonly Exchange[], by: Measure, part: readonly Exchange[]): string {
  const [most, data] = leads(whole);
  const same = most && most === data && leads(part).every((e) => e?.a === most.a && e.b === most.b);
  return same ? `Over the whole set it is these two as well: ${told(most)}.` : mostWords(whole, by, "Over the whole set");
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
    keepFocus(this.el, () => this.list(list, chosen));
  }

  private list(list: readonly Exchange[], chosen: readonly [string, string] | null): void {
    fill(this.el);
    if (list.length < 2) return;
    const is = (e: Exchange) => !!chosen && chosen.includes(e.a) && chosen.includes(e.b);
    add(this.el, h("table", { "aria-label": "Both ways together" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Both ways together"), h("th", { scope: "col" }, "Messages"), h("th", { scope: "col" }, "Data"))),
      h("tbody", {}, ...list.slice(0, MOST).map((e) => h("tr", { class: is(e) ? "chosen" : "" },
        h("td", {}, h("button", { type: "button", class: "link", "aria-pressed": is(e), onclick: () => this.onChoose(e.a, e.b) }, `${e.a} ↔ ${e.b}`)),
        h("td", {}, group(e.messages)), h("td", {}, sized(e.bytes, "–")))))));
    if (list.length > MOST) add(this.el, h("p", { class: "minor" }, `${counted(list.length - MOST, "other pair")} with less.`));
  }
}
