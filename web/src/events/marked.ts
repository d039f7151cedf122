// The mark among the events: where it is, whatever the filter leaves out, and how the chosen event lies to it.

import { isolated } from "../model/names.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { add, h, terms, text } from "../ui/dom.js";
import type { Ns } from "../time/time.js";
import { orderOf } from "./order.js";
import type { Entry } from "./pages.js";

/** What is said of an event that was just marked. */
export const MARKED = "Marked: choose another event to compare with it.";

export class Marked {
  /** Leads to the mark. */
  readonly el = h("button", { type: "button", class: "tomark", title: "Go to the mark, which others are compared with (Shift+C takes it away)", hidden: true, onclick: () => this.go() });
  onGo: (at: Ns) => void = () => {};

  constructor(private readonly set: SetModel, private readonly view: View, private readonly words: (t: Ns) => string) {
    add(this.el, h("span", { "aria-hidden": "true" }, "\u2691 "), h("span"));
  }

  /** The mark, its host or its clock may be others. */
  refresh(): void {
    const where = this.where();
    this.el.hidden = !where;
    if (where) text(this.el.lastElementChild!, `Mark on ${where}`);
  }

  /** Whether an event is the marked one. */
  is(e: Entry): boolean {
    const { mark } = this.view;
    return !!mark && e.local === mark.local && e.host === this.set.host(mark.host)?.name;
  }

  /** How an event lies to the mark; null where nothing is marked. */
  order(e: Entry): HTMLElement | null {
    if (this.is(e)) return h("p", { class: "order" }, MARKED);
    const { mark, raw } = this.view;
    const host = mark && this.set.host(mark.host)?.name;
    if (!mark || !host) return null;
    return h("p", { class: "order" }, `From the mark on ${this.where() ?? host}: `, h("b", {}, orderOf(this.set, { host, local: mark.local }, e, raw).words));
  }

  // In the time that is shown; null where nobody knows.
  private at(): Ns | null {
    const { mark, raw } = this.view;
    return !mark ? null : raw ? mark.local : this.set.toReference(mark.host, mark.local);
  }

  private where(): string | null {
    const [at, host] = [this.at(), this.view.mark && this.set.host(this.view.mark.host)];
    return at === null || !host ? null : `${isolated(host.name)} at ${this.words(at)}`;
  }

  private go(): void {
    const at = this.at();
    if (at !== null) this.onGo(at);
  }
}

/** What is told of a chosen event: its terms, how it lies to the mark, its fields, and the ways from it to the timeline and to be the mark itself. */
export function eventTold(e: Entry, what: [string, string][], order: Node | string | null, find: () => void, mark: () => void): HTMLElement[] {
  return [
    h("div", { class: "line" }, h("h2", {}, e.name, " ", h("small", {}, `on ${isolated(e.host)}${e.cpu < 0 ? "" : `, CPU ${e.cpu}`}`)),
      h("span", {}, h("button", { type: "button", onclick: find }, "Show in the timeline"), " ",
        h("button", { type: "button", title: "Marks the time of this event: of every other, and of what is pointed at in the timeline, is said how it lies to it (C)", onclick: mark }, "Compare with others"))),
    terms(what),
    ...(order ? [order as HTMLElement] : []),
    h("p", { class: "fields" }, e.fields || "No fields."),
  ];
}
