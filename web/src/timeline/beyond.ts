// What a list of rows has above and below what is on screen, in its head: the hosts there by
// name, else how many rows, as buttons that go there.

import { counted } from "../time/number.js";
import { h, text } from "../ui/dom.js";

/** More hosts than this are counted, not named. */
const NAMED = 2;

/** What is out of sight on one side. */
export interface Hidden {
  readonly hosts: readonly string[];
  readonly rows: number;
}

export class Beyond {
  private readonly above = this.button(() => this.onGo("above"));
  private readonly below = this.button(() => this.onGo("below"));
  readonly el = h("span", { class: "beyond" }, this.above, this.below);
  /** The nearest host on a side is wanted, or, without one, the rows there. */
  onGo: (side: "above" | "below") => void = () => {};

  show(above: Hidden, below: Hidden): void {
    tell(this.above, "▴", above, "above");
    tell(this.below, "▾", below, "below");
  }

  private button(go: () => void): HTMLButtonElement {
    return h("button", { type: "button", hidden: true, onclick: go }, h("span", { "aria-hidden": "true" }), h("span"), h("span", { class: "sr" }));
  }
}

function tell(button: HTMLButtonElement, arrow: string, { hosts, rows }: Hidden, side: string): void {
  button.hidden = rows === 0;
  if (rows === 0) return;
  const many = hosts.length > NAMED;
  const brief = hosts.length === 0 ? counted(rows, "row") : many ? counted(hosts.length, "host") : hosts.join(", ");
  const more = hosts.length === 0 ? ` ${side}` : `${many ? `, ${hosts.join(", ")}` : ""}: ${counted(rows, "row")} ${side}`;
  [arrow + " ", brief, more].forEach((words, i) => text(button.children[i], words));
  button.title = brief + more;
}
