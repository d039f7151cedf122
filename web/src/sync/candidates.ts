// What the errors would be with each host as the reference: a bar for their sum, its part for the largest.

import { byName } from "../model/natural.js";
import type { SetModel } from "../model/set.js";
import { counted } from "../time/number.js";
import { about } from "../time/time.js";
import { add, fill, h } from "../ui/dom.js";
import type { Resync } from "./resync.js";

const FIRST = 12;

export interface Candidate {
  name: string;
  sum: number;
  most: number;
  farthest: string;
  reference: boolean;
}

/** The hosts of the reference's component, the best first. */
export function candidatesOf(set: Pick<SetModel, "clocks" | "hosts">): Candidate[] {
  const clocks = set.clocks?.hosts ?? [];
  const component = clocks.find((x) => x.name === set.clocks?.reference)?.component;
  const list = clocks.flatMap((x) => (x.component === component && x.as_reference ? [{ name: x.name, sum: x.as_reference.sum_ns, most: x.as_reference.most_ns, farthest: x.as_reference.farthest, reference: x.name === set.clocks?.reference }] : []));
  return list.sort((a, b) => a.sum - b.sum || a.most - b.most || byName(a.name, b.name));
}

export class Candidates {
  readonly el = h("section", { class: "card candidates" });
  private all = false;
  private drawn = "";

  constructor(private readonly set: SetModel, private readonly resync: Resync) {}

  render(): void {
    const list = candidatesOf(this.set);
    const state = JSON.stringify([list, this.resync.ready, this.all]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focused = this.el.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.host : undefined;
    fill(this.el, h("h2", {}, "Each host as the reference ", h("small", {}, "what the errors of the others would add up to, and the largest of them (the full part), by the median that the line of each link has by itself")));
    if (list.length < 2) {
      add(this.el, h("p", { class: "minor" }, this.set.hosts.length === 0 ? "Not known: there is no host." : this.set.hosts.length < 2 ? "A single host is its own reference." : "Not known: the errors along the tree have no bound."));
      return;
    }
    const most = Math.max(...list.map((c) => c.sum), 1);
    const shown = this.all ? list : list.filter((c, i) => i < FIRST || c.reference);
    const rows = shown.map((c) => {
      const [sum, part] = [h("i"), h("b")];
      sum.style.width = `${(c.sum / most) * 100}%`;
      part.style.width = `${(c.most / most) * 100}%`;
      const more = c.sum - list[0].sum;
      // It is only marked as disabled, so that it keeps the focus.
      const idle = c.reference || !this.resync.ready;
      const use = h("button", { type: "button", "aria-disabled": idle, "aria-label": c.reference ? `in force: ${c.name}` : `Use ${c.name} as the reference`, onclick: () => idle || this.resync.pin(c.name === list[0].name ? null : c.name) }, c.reference ? "in force" : "Use");
      use.dataset.host = c.name;
      return h("tr", {},
        h("td", {}, c.name, c === list[0] ? h("span", { class: "aside" }, " best") : null),
        h("td", { class: "text" }, h("span", { class: "sums", "aria-hidden": "true" }, sum, part)),
        h("td", {}, about(c.sum, 3)),
        h("td", {}, more > 0 ? `+${about(more, 3)}` : "–"),
        h("td", {}, `${about(c.most, 3)}`, h("span", { class: "aside" }, ` ${c.farthest}`)),
        h("td", {}, use));
    });
    const heads = ["Reference", "", "Sum", "More than the best", "Largest, of", ""].map((t, i) => h("th", { scope: "col", class: i < 2 ? "text" : null }, t || h("span", { class: "sr" }, i === 1 ? "Bars" : "Change")));
    add(this.el, h("div", { class: "wide" }, h("table", { "aria-label": "Each host as the reference" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows))));
    const islands = this.set.hosts.length - list.length;
    if (shown.length < list.length) add(this.el, h("p", {}, h("button", { type: "button", onclick: () => ((this.all = true), this.render()) }, `All ${counted(list.length, "host")}`)));
    if (islands > 0) add(this.el, h("p", { class: "minor" }, `${counted(islands, "host")} cannot be: nothing relates ${islands > 1 ? "them" : "it"} to the others.`));
    if (focused) this.el.querySelector<HTMLElement>(`[data-host="${CSS.escape(focused)}"]`)?.focus();
  }
}
