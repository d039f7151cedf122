// What is known of a host that is selected: its clock, when it recorded, and how much.

import { knownToWords } from "../model/known.js";
import { anyLost, lostCount } from "../model/losses.js";
import { HOST, UNNUMBERED } from "../model/rows.js";
import { span } from "../sync/number.js";
import { group } from "../time/number.js";
import { about, seconds } from "../time/time.js";
import { add, h, terms } from "../ui/dom.js";
import type { Context } from "./controlflow.js";

/** Decimals of the times at which hosts recorded. */
const DIGITS = 3;

/** The facts of a host, by its number; recorded asks for where it recorded. Null where there is none of the number. */
export function hostBlock({ rows, set, view }: Pick<Context, "rows" | "set" | "view">, index: number, recorded: (host: number) => void): HTMLElement | null {
  const host = set.host(index);
  if (!host) return null;
  const [own, shown] = [set.extent(index, true), set.extent(index, view.raw)];
  const over = own && set.errorOver(index, own.begin, own.end);
  let threads = 0;
  for (const row of rows.all()) if (row.host === index && row.kind !== HOST && row.tid < UNNUMBERED) threads++;
  const missing = [...new Set((host.missing ?? []).map((m) => m.view.replace(/,$/, "")))]; // what has a comma of its own ends with one, for a sentence
  const block = h("section", { class: "hostfacts", "aria-label": `Host ${host.name}` }, h("h2", {}, host.name), h("div", { class: "sub" }, "host, with a clock of its own"));
  add(block, terms([
    ["Clock known to", over && !host.reference ? `${span(over.least, over.worst)}, best to worst` : knownToWords(host, null)],
    ["Recorded from", shown && seconds(shown.begin - view.origin(), DIGITS)],
    ["until", shown && seconds(shown.end - view.origin(), DIGITS)],
    ["By its clock", own && `${view.clock(own.begin).slice(0, -8)} to ${view.clock(own.end).slice(0, -8)} UTC`],
    ["For", own && about(Number(own.end - own.begin), 5)],
    ["Threads", `${group(threads)} in all of its recording, whether they ran or not`],
    ["Events", group(host.events)],
    ["Lost", anyLost(host) ? h("span", { class: "warn" }, lostCount(host)) : "none"],
    ["Not recorded", missing.length > 0 ? h("span", { title: "The tab Import has the commands that record it" }, missing.join("; ")) : null],
  ]));
  if (shown) add(block, h("p", { class: "lists" }, h("button", { type: "button", class: "link", onclick: () => recorded(index) }, "All of its recording")));
  return block;
}
