// What a list of rows has above and below what is on screen, in its head: the hosts there by
// name, else how many rows, as buttons that go there.

import { counted } from "../time/number.js";
import { h, text } from "../ui/dom.js";

/** More hosts than this are counted on the button, and named only beside it. */
const NAMED = 2;
/** Where there is little room, names of more letters are a number. */
const SHORT = 8;
/** So many hosts on a side are named at most, the nearest ones. */
export const NEAREST = 12;

/** What is out of sight on one side: how many hosts, the names of the nearest of them as they are listed, and how many rows. */
export interface Hidden {
  readonly count: number;
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
    const focused = document.activeElement; // not any more once it is hidden
    tell(this.above, "▴", above, "above");
    tell(this.below, "▾", below, "below");
    // At the end of the list the way there goes, and who pressed it is at the way back.
    for (const [gone, other] of [[this.above, this.below], [this.below, this.above]]) if (gone.hidden && gone === focused) other.focus();
  }

  private button(go: () => void): HTMLButtonElement {
    return h("button", { type: "button", hidden: true, onclick: go }, h("span", { "aria-hidden": "true" }), h("span", { class: "long" }), h("span", { class: "brief" }), h("span", { class: "sr" }));
  }
}

function tell(button: HTMLButtonElement, arrow: string, { count, hosts, rows }: Hidden, side: string): void {
  button.hidden = rows === 0;
  if (rows === 0) return;
  const many = count > NAMED;
  const brief = count === 0 ? counted(rows, "row") : many ? counted(count, "host") : hosts.join(", ");
  const names = hosts.join(", ") + (count > hosts.length ? ` and ${counted(count - hosts.length, "other")}` : "");
  const more = count === 0 ? ` ${side}` : `${many ? `, ${names}` : ""}: ${counted(rows, "row")} ${side}`;
  const short = count > 0 && brief.length > SHORT ? counted(count, "host") : brief;
  [arrow + " ", brief, short, more].forEach((words, i) => text(button.children[i], words));
  button.title = brief + more;
}
