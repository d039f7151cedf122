// Plain tables of the Import tab.

import { h } from "../ui/dom.js";

/** A table of that name; the columns in left hold text. */
export function table(name: string, heads: string[], left: number[], rows: HTMLElement[]): HTMLElement {
  const head = h("tr", {}, ...heads.map((t, i) => h("th", { scope: "col", class: left.includes(i) ? "text" : null }, t)));
  return h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": name }, h("table", { "aria-label": name }, h("thead", {}, head), h("tbody", {}, ...rows)));
}
