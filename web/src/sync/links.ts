// The table of links; one of them is chosen, by click or by arrow keys.

import type { LinkInfo, Points } from "../net/json.js";
import { forceOf, knownBy } from "../model/inforce.js";
import { byName } from "../model/natural.js";
import { timeError } from "../model/direct.js";
import { earlyWords } from "../model/early.js";
import type { SetModel } from "../model/set.js";
import { twoText } from "../model/two.js";
import type { View } from "../model/view.js";
import { counted, fixed, group, MINUS, THIN } from "../time/number.js";
import { about, bound, measured, parseNs, plusMinus, seconds, type Ns } from "../time/time.js";
import { add, fill, h, nameClass, terms, text } from "../ui/dom.js";
import type { Early } from "./early.js";
import { bounding } from "./force.js";
import { matchingWords } from "./matching.js";
import { apart, classWords, loop, loopsWords, mapBegin, ownRate, rate, rateSense, rests, shape, span, stepSize, unused } from "./number.js";
import { cutSpans, lengths, offsetAt, rounded } from "./path.js";

/** What leaves a link out, or takes it in again. */
export interface Turning {
  turning(l: LinkInfo): { words: string; ready: boolean };
  turn(l: LinkInfo): void;
}

/** What some of the heads mean. */
const MEANS: Readonly<Record<string, string>> = {
  "Known to while both recorded": "How well the messages of the link alone tell one clock from the other, from the best to the worst time at which both hosts recorded: of a link in use by the clock in force, of another by its own line. The ± of a host, in the graph, is against the reference",
  "Rate of the second against the first": "How much faster the clock of the second host runs than that of the first, on average, and how well that is known; where no one line fits the messages, from the slowest to the fastest piece of the clock in force",
  "Messages →\u00a0/\u00a0←": "All that the two hosts sent each other, there and back; where the clocks were made by the messages of a window, those outside of it as well",
  Clock: "What the clock in force is, or the link's own where it is not in use: one line, or pieces where its rate changes",
  Violations: "Messages received before they were sent in synchronized time. Those that are so by no more than the error, at times close to which a clock was set, are none: they are told below. Where the clocks were made by the messages of a window, only these are looked at",
};
const HEADS = ["Link", "State", "Known to while both recorded", "Rate of the second against the first", "Messages →\u00a0/\u00a0←", "Clock", "Violations"];
/** With these the table is wider than there is room for on many a screen; the chosen link has them below it as well. */
const MORE = ["alpha", "beta, ns"];
/** The names of a link that are longer stand in two lines. */
const SHORT = 24;
/** Decimals of alpha that say something: one more is a ns in a quarter of an hour. */
const ALPHA = 12;

/** How far latencies of a link can be off that are no longer than one, ns: by how well its two clocks are known against each other, of a link in use by the clock in force over it,
 * and what rates can make of so long a time, or, if that is less or nothing better is known, by both clocks together; null where nothing bounds them. */
export function linkLatencyError(set: SetModel, l: LinkInfo, longest: number): number | null {
  const f = forceOf(l);
  const hosts = [l.a, l.b].map((name) => set.hosts.find((x) => x.name === name));
  if (f && hosts.some((x) => x?.reference)) return f.error_ns.max;
  let [sum, steep]: [number | null, number] = [0, 0];
  for (const host of hosts) {
    const e = host && set.extent(host.index, true);
    const worst = e ? (set.errorOver(host.index, e.begin, e.end)?.worst ?? null) : null;
    sum = sum === null || worst === null ? null : sum + worst;
    if (e) steep = Math.max(steep, set.steepest(host.index, e.begin, e.end));
  }
  const [a, b] = hosts;
  const known = f ? f.error_ns.max : a && b ? set.boundBetween(a.index, b.index) : null;
  const direct = known !== null && set.info?.state === "ready" ? timeError(known, longest, steep) : null;
  return direct === null || sum === null ? (direct ?? sum) : Math.min(sum, direct);
}

/** Why latencies of a link can be off by open, ns, where that is more than the bound of the link, as the end of a sentence: they are told by the clock of the reference, which runs otherwise; "" where it
 * is not more. */
export function moreWords(l: LinkInfo, open: number, reference: string): string {
  const f = forceOf(l);
  if (!f || bound(open) === bound(f.error_ns.max)) return "";
  return `: more than the ${plusMinus(f.error_ns.max)} of the link, for times are told by ${reference}'s clock, against which the two are known less well than against each other`;
}

export class LinkTable {
  readonly el = h("div", { class: "links" });
  /** What of it is scrolled. */
  readonly list = h("div", { class: "wide" });
  private exact = false; // alpha and beta have all their digits
  private readonly body = h("tbody");
  private readonly words = h("p", { class: "minor" });
  /** What is known of the chosen link, which stands elsewhere on the page than the table. */
  readonly detail = h("section", { class: "card detail", "aria-label": "The chosen link" });
  private readonly heads = h("tr");
  /** Shows more columns, or fewer again. */
  readonly more = h("button", { type: "button", hidden: true, title: MORE.join(" and "), onclick: () => this.turnColumns() });

  constructor(private readonly set: SetModel, private readonly view: View, private readonly choose: (l: LinkInfo) => void, private readonly turning: Turning, private readonly early: Early) {
    const table = h("table", { role: "grid", "aria-label": "Links" }, h("thead", {}, this.heads), this.body);
    add(this.list, table);
    add(this.el, this.list, this.words);
    this.body.addEventListener("keydown", (e) => this.key(e));
  }

  /** points are those of the chosen link, once they are there. */
  render(chosen: LinkInfo | null, points: Points | null): void {
    const focused = this.body.contains(document.activeElement);
    const turning = this.detail.contains(document.activeElement) ? ((document.activeElement as HTMLElement).dataset.of ?? "") : null;
    const links = this.sorted();
    const heads = this.view.columns ? [...HEADS, ...MORE] : HEADS;
    fill(this.heads, ...heads.map((t) => h("th", { scope: "col", title: MEANS[t] }, t)));
    this.more.hidden = links.length === 0;
    text(this.more, this.view.columns ? "Fewer columns" : "More columns");
    fill(this.body, ...links.map((l) => this.row(l, l === chosen)));
    if (links.length === 0) fill(this.body, h("tr", {}, h("td", { colspan: heads.length, class: "none" }, `This lists every pair of hosts that exchanged messages. ${this.whyNone()}`)));
    if (focused) this.body.querySelector<HTMLElement>("tr[tabindex='0']")?.focus({ preventScroll: true });
    this.words.textContent = [matchingWords(this.set.clocks?.matching, this.set.info?.state === "importing"), earlyWords(this.early.all, this.set), loopsWords(this.sorted())].filter(Boolean).join(" ");
    this.detail.hidden = !chosen;
    fill(this.detail, chosen ? this.turner(chosen) : null, chosen ? this.detailOf(chosen, points) : null);
    if (turning !== null) this.detail.querySelector<HTMLElement>(turning ? `[data-of="${turning}"]` : "button")?.focus({ preventScroll: true });
  }

  private turnColumns(): void {
    this.view.columns = !this.view.columns;
    this.view.emit();
    this.onColumns();
  }

  /** The columns are others: the table is to be drawn. */
  onColumns: () => void = () => {};

  sorted(): LinkInfo[] {
    const order = ["accurate", "approximate", "incomplete", "fail", "absent"];
    return (this.set.clocks?.links ?? []).filter((l) => l.class !== "absent").sort((x, y) =>
      Number(y.in_tree) - Number(x.in_tree) || order.indexOf(x.class) - order.indexOf(y.class) || (knownBy(x)?.median ?? Infinity) - (knownBy(y)?.median ?? Infinity) || byName(x.a, y.a) || byName(x.b, y.b),
    );
  }

  private row(l: LinkInfo, on: boolean): HTMLElement {
    const c = classWords(l.class, bounding(this.set.clocks));
    const r = rate(l);
    const known = knownBy(l);
    const name = `${l.a} – ${l.b}`;
    const row = h("tr", { "aria-selected": on, tabindex: on ? 0 : -1, title: c.sentence });
    row.dataset.link = twoText([l.a, l.b]);
    add(
      row,
      h("td", { class: (nameClass(name) ?? "") + (name.length > SHORT ? " wraps" : "") }, name, l.in_tree ? null : h("span", { class: l.loop_ns?.consistent === false ? "aside warn" : "aside" }, " " + unused(l))),
      h("td", {}, h("span", { class: `class ${c.tone}` }, h("i"), c.words)),
      h("td", {}, known ? span(known.min, known.max) : "–"),
      h("td", { title: [rateSense(l), r.title].filter(Boolean).join(". ") || null }, r.text, r.error ? h("span", { class: "aside" }, " " + r.error) : null),
      h("td", {}, `${group(l.messages.a_to_b)} / ${group(l.messages.b_to_a)}`),
      h("td", { title: forceOf(l) ? "The clock in force" : "The link alone: it is not in force" }, shape(l), forceOf(l) || l.segments < 2 ? null : h("span", { class: "aside" }, " alone")),
      h("td", { class: l.violations ? "warn" : "" }, group(l.violations)),
    );
    if (this.view.columns) add(row, h("td", {}, l.alpha === null ? "–" : fixed(l.alpha, 9)), h("td", {}, l.beta === null ? "–" : group(l.beta)));
    row.addEventListener("click", () => this.choose(l));
    return row;
  }

  private key(e: KeyboardEvent): void {
    const links = this.sorted();
    const now = (e.target as HTMLElement).closest<HTMLElement>("tr")?.dataset.link;
    const i = links.findIndex((l) => twoText([l.a, l.b]) === now);
    const next = e.key === "ArrowDown" ? i + 1 : e.key === "ArrowUp" ? i - 1 : e.key === "Home" ? 0 : e.key === "End" ? links.length - 1 : e.key === "Enter" || e.key === " " ? i : -2;
    if (next === -2) return;
    e.preventDefault();
    const l = links[Math.min(links.length - 1, Math.max(0, next))];
    if (l) this.choose(l);
    this.body.querySelector<HTMLElement>("tr[tabindex='0']")?.focus();
  }

  private whyNone(): string {
    if (this.set.info?.state === "importing") return "No message has been matched yet.";
    if (this.set.clocks?.options?.window) return "None did in the window of messages that counts.";
    return "None did, or their packets were not recorded; the Import tab tells what would record them.";
  }

  private detailOf(l: LinkInfo, points: Points | null): HTMLElement {
    const a = this.set.hosts.find((x) => x.name === l.a);
    const begin = a ? mapBegin(this.set.clock(a.index)) : null;
    const own = l.error_ns && forceOf(l) ? `, known to ${span(l.error_ns.min, l.error_ns.max)}: the link by itself, which is not the clock in force and has a ± of its own` : "";
    // Methods that look at no message of a link that is left out say 0.
    const spread = (s: { min: number; median: number; p99?: number } | null | undefined) => (s && s.median !== 0 ? `${about(s.min, 3)} at least, ${about(s.median, 3)} median${s.p99 ? `, 99${THIN}% within ${about(s.p99, 3)}` : ""}, by the clocks in force${error(s.p99 ?? s.median)}` : null);
    const error = (longest: number) => {
      const open = linkLatencyError(this.set, l, longest);
      return open === null ? "" : `, each of these figures ${plusMinus(open)} at worst${moreWords(l, open, this.set.clocks?.reference ?? "")}; that is of one message when clocks are known worst, the ± of the median alone stands in Messages`;
    };
    const c = classWords(l.class, bounding(this.set.clocks));
    return terms([
      [upper(c.words), h("span", { class: "prose" }, c.sentence)],
      this.offsetOf(l, begin),
      ["Holds as long as", rests(l)],
      ["Loop", loop(l)],
      ["Rates used", this.piecesWords(l)],
      ["Steps", this.stepWords(l, points, begin)],
      ["Band", points?.told ? "cut where other links show that a clock was set, and drawn where it is known: what bounds rest on, not what its own messages alone allow" : null],
      ["Contradictions", l.class === "fail" ? this.contradictionWords(l, begin) : null],
      ["Received before sent", this.earlyOf(l)],
      ["Misses a line by", l.class === "fail" && l.relaxed_ns ? `${about(l.relaxed_ns, 3)} at least: by so much every message would have to give way` : null],
      ["As a line", l.alpha !== null ? `${l.b} = alpha · ${l.a} + beta${own}` : null],
      ["alpha", l.alpha === null ? null : h("span", {}, this.digits(l.alpha_exact || String(l.alpha), ALPHA), l.alpha_exact ? this.exactness() : null)],
      ["between", l.alpha_min !== null && l.alpha_max !== null ? `${this.digits(String(l.alpha_min), ALPHA)} and ${this.digits(String(l.alpha_max), ALPHA)}` : null],
      ["beta", l.beta === null ? null : `${this.digits(l.beta_exact || String(l.beta), 0)}${THIN}ns`],
      ["Flattest and steepest line that fit", apart(l)],
      [`Latency ${l.a} → ${l.b}`, spread(l.latency_ns?.a_to_b)],
      [`Latency ${l.b} → ${l.a}`, spread(l.latency_ns?.b_to_a)],
    ]);
  }

  // As many digits as say something, or all.
  private digits(s: string, decimals: number): string {
    return this.exact ? s.replace("-", MINUS) : rounded(s, decimals);
  }

  private exactness(): HTMLElement {
    const turn = () => {
      this.exact = !this.exact;
      this.onColumns();
    };
    return h("button", { type: "button", class: "link", "data-of": "exact", title: "All digits of alpha and beta, or as many as say something", onclick: turn }, this.exact ? "fewer digits" : "all digits");
  }

  // By the clock in force where there is one, as everywhere else.
  private offsetOf(l: LinkInfo, begin: Ns | null): [string, string | null] {
    const f = forceOf(l);
    const [from, to] = [parseNs(f?.begin), parseNs(f?.b_begin)];
    const forced = f && from !== null && to !== null;
    const offset = forced ? Number(to - from) : begin === null ? null : offsetAt(l, begin);
    const term = `${l.b} is ${offset !== null && offset < 0 ? "behind" : "ahead"} by`;
    if (offset === null) return [term, null];
    if (forced) return [term, `${measured(Math.abs(offset), f.ends_ns[0])} at the beginning of the time that both recorded`];
    return [term, l.error_ns ? `${measured(Math.abs(offset), l.error_ns.max)} at worst, at the beginning of ${l.a}'s recording` : `${about(Math.abs(offset))} at the beginning of ${l.a}'s recording`];
  }

  // It is only marked as disabled while a change is on its way, so that it keeps the focus.
  private turner(l: LinkInfo): HTMLElement {
    const { words, ready } = this.turning.turning(l);
    const press = () => {
      if (!ready) return;
      this.choose(l);
      this.turning.turn(l);
    };
    return h("p", { class: "line" }, h("b", {}, `${l.a} – ${l.b}`), h("button", { type: "button", "aria-disabled": !ready ? "true" : null, title: `${l.a} – ${l.b}`, onclick: press }, words));
  }

  private earlyOf(l: LinkInfo): string | null {
    const n = this.early.of(l);
    return n > 0 ? `${counted(n, "message")}, by no more than the error of the clocks there` : null;
  }

  private piecesWords(l: LinkInfo): string | null {
    const length = lengths(l);
    if (!length || l.segments < 2) return null;
    // The clock in force has pieces of its own: it is made of all links together.
    const force = forceOf(l) ? `. The clock in force, which all links make together, is ${shape(l)}` : "";
    return `of the link alone no one line fits; ${group(l.segments)} straight pieces do, ${about(length.least, 2)} to ${about(length.most, 2)} long, at ${ownRate(l).text}${force}`;
  }

  private stepWords(l: LinkInfo, points: Points | null, begin: Ns | null): string | null {
    const cuts = points?.cuts ?? [];
    const origin = parseNs(points?.begin);
    if (l.shape !== "steps" || cuts.length === 0 || begin === null || origin === null) return null;
    const all = cuts.map(([from, to, step, error]) => `by ${stepSize(step, error)} between ${this.times(origin + BigInt(from) - begin, origin + BigInt(to) - begin)}`);
    return `${l.b}'s clock was set against ${l.a}'s ${some(all)} of ${l.a}'s recording`;
  }

  private contradictionWords(l: LinkInfo, begin: Ns | null): string | null {
    const spans = cutSpans(l);
    if (spans.length === 0 || begin === null) return null;
    return `messages exclude each other between ${some(spans.map((c) => this.times(c.begin - begin, c.end - begin)))} of ${l.a}'s recording`;
  }

  private times(from: Ns, to: Ns): string {
    return `${seconds(from, 3)} and ${seconds(to, 3)}`;
  }
}

const upper = (s: string) => s.slice(0, 1).toUpperCase() + s.slice(1);

function some(all: string[]): string {
  const most = 4;
  return all.slice(0, most).join("; ") + (all.length > most ? `; and ${group(all.length - most)} more,` : "");
}
