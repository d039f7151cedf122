// What stands in the head of Control flow: the order of rows, the pin, and whether rows that do not run are listed.

import { ORDERS, ORDER_WORDS, orderBy, type By } from "../model/order.js";
import type { View } from "../model/view.js";
import { h, text } from "../ui/dom.js";
import { OneOf } from "../ui/oneof.js";

export class RowControls {
  private readonly by = h("select", { "aria-label": "Sort rows by" }, ...ORDERS.map((o) => h("option", { value: o }, ORDER_WORDS[o])));
  private readonly turn = h("button", { type: "button", class: "small" });
  private readonly pinWord = new OneOf(["Pin", "Unpin"]);
  private readonly pin = h("button", { type: "button", class: "small", title: "The selected row stays on top while others scroll (key P)" }, this.pinWord.el);
  private readonly busy = h("input", { type: "checkbox" });
  private shown = "";
  /** In the order they stand. */
  readonly nodes: readonly Node[];

  /** onPin pins the selected row, or lets it go. */
  constructor(private readonly view: View, private readonly onChange: () => void, onPin: () => void) {
    this.by.addEventListener("change", () => this.sort(this.by.value as By));
    this.turn.addEventListener("click", () => this.reverse());
    this.pin.addEventListener("click", onPin);
    this.busy.addEventListener("change", () => this.turnBusy());
    const words = h("span", {}, "only rows that run", h("span", { class: "long" }, " in view"));
    this.nodes = [
      h("span", { class: "sort" }, h("span", { class: "long" }, "by"), this.by, this.turn), this.pin,
      h("label", { class: "check", title: "Rows are hidden whose threads are not on a CPU in the window, however shortly, nor about to be" }, this.busy, words),
    ];
    this.render();
  }

  sort(by: By): void {
    this.view.order = orderBy(by);
    this.onChange();
  }

  /** The next of the orders, the first after the last. */
  next(): void {
    this.sort(ORDERS[(ORDERS.indexOf(this.view.order.by) + 1) % ORDERS.length]);
  }

  reverse(): void {
    this.view.order = { by: this.view.order.by, down: !this.view.order.down };
    this.onChange();
  }

  /** Lists only rows that run in view, or all. */
  turnBusy(): void {
    this.view.busyOnly = !this.view.busyOnly;
    this.onChange();
  }

  /** Which rows are listed, and in which order, as a sentence. */
  words(): string {
    const { order, busyOnly } = this.view;
    return `${busyOnly ? "Rows that run in view" : "All rows"}, by ${ORDER_WORDS[order.by]}, the ${order.down ? "largest" : "smallest"} on top.`;
  }

  /** Shows what is chosen now. */
  render(): void {
    const { order, busyOnly, row } = this.view;
    const pinned = this.view.pinned(row);
    const shown = [order.by, order.down, busyOnly, pinned, !!row && row.tid >= 0].join();
    if (shown === this.shown) return;
    this.shown = shown;
    this.by.value = order.by;
    text(this.turn, order.down ? "↓" : "↑");
    const words = order.down ? "The largest is on top: turn the order round" : "The smallest is on top: turn the order round";
    this.turn.title = words;
    this.turn.setAttribute("aria-label", words);
    this.pinWord.show(pinned ? "Unpin" : "Pin");
    this.pin.setAttribute("aria-pressed", String(pinned));
    this.pin.disabled = !row || row.tid < 0;
    this.busy.checked = busyOnly;
  }
}
