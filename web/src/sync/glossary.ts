// What the words of the page mean, in others: beside the plots, over the tables, once they are asked for.

import { h } from "../ui/dom.js";

const WORDS: readonly (readonly [string, string])[] = [
  ["Hull", "No message arrives before it is sent, so each tells a time that a clock cannot be beyond. Of those one way only the tightest matter: the line through them, blue for one way and green for the other, is the hull. A clock that keeps its rate runs between the two."],
  ["Band", "Where the clock can be, tinted. Rates change, if slowly: between two points of a hull it is wider than the hulls are apart. No message lies inside. The ± is the way to the farther edge."],
  ["Clock in force", "What everything is drawn by, bold in the plot. It was moved from the line of the link alone, within the band, to where all messages of all links have it. Each of the two has a ± of its own; of a link in use that of the clock in force is told."],
  ["Steepest, flattest", "The straight lines, dashed, with the largest and the smallest rate that still pass between the hulls. The nearer they are to each other, the better the rate is known."],
  ["± of a host", "Against the reference. In the graph and in the table of hosts from the best to the worst time of its recording; under “± there” at the instant that is pointed at in Error over time, else at the time for which hosts are compared."],
  ["± of a link", "One of its hosts against the other: of a link in use by the clock in force, of another by the line of its own messages alone. In the table from the best to the worst time, on a line of the graph the median over time."],
  ["As the reference", "What each host would cost, by the lines of the links alone: their median ±, and more where one host recorded longer than the other, for there a line is known worse."],
  ["alpha, beta", "The line of the link alone: time of the second host = alpha · time of the first + beta. One ns more or less of beta moves all of it by as much."],
  ["± in the timeline", "Beside a host from the least to the largest in the window; in the line at the bottom where the pointer is; beside a selected state where that begins; left of the strip on top that of the worst clock, over the whole set."],
  ["Clock map", "What turns the times of every host into those of the reference. It is made anew whenever more is known; the number at the bottom counts how often, and “final” says that all is read: another comes only of a change that is made here."],
];

export class Glossary {
  readonly button = h("button", { type: "button", "aria-expanded": "false", "aria-controls": "sync-words", onclick: () => this.show(!!this.el.hidden) }, "Words explained");
  readonly el = h("div", { id: "sync-words", class: "glossary", role: "region", "aria-label": "Words explained", tabindex: 0, hidden: true },
    h("dl", {}, ...WORDS.flatMap(([word, meaning]) => [h("dt", {}, word), h("dd", {}, meaning)])),
    h("p", { class: "minor" }, h("button", { type: "button", onclick: () => this.close() }, "Close"), " or Esc"));

  constructor() {
    // Wherever the focus is: what is explained can be tried meanwhile.
    document.addEventListener("keydown", (e) => {
      if (e.key !== "Escape" || e.defaultPrevented || this.el.offsetParent === null || document.querySelector("dialog[open]")) return;
      e.preventDefault();
      this.close();
    });
  }

  // The focus stays where it is, unless that goes.
  private close(): void {
    if (this.el.contains(document.activeElement)) this.button.focus();
    this.show(false);
  }

  private show(open: boolean): void {
    this.el.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
  }
}
