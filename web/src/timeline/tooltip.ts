// The tooltip: what is under the cursor, beside it.

import { add, fill, h, terms } from "../ui/dom.js";

/** What the tooltip says. */
export interface Told {
  readonly title: string;
  readonly where?: string; // after the title: the host
  readonly chip?: HTMLElement;
  readonly pairs?: [string, string][];
  readonly note?: string;
}

const GAP = 14;

export class Tooltip {
  readonly el = h("div", { class: "tooltip", hidden: true, "aria-hidden": true });
  private at = { x: 0, y: 0 };

  /** Says something beside a point of the page, on the side where there is room. */
  show(x: number, y: number, told: Told): void {
    this.at = { x, y };
    this.tell(told);
  }

  /** Says more of the same point. */
  tell(told: Told): void {
    fill(this.el, h("b", {}, told.title), told.where ? h("span", { class: "where" }, " " + told.where) : null);
    if (told.chip) add(this.el, h("div", {}, told.chip));
    if (told.pairs?.length) add(this.el, terms(told.pairs));
    if (told.note) add(this.el, h("div", { class: "where" }, told.note));
    this.el.hidden = false;
    const { offsetWidth: w, offsetHeight: t } = this.el;
    const { x, y } = this.at;
    const left = x + GAP + w > innerWidth ? Math.max(0, x - w - GAP) : x + GAP;
    const top = y + GAP + t > innerHeight - 30 ? Math.max(0, y - t - GAP) : y + GAP;
    this.el.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  hide(): void {
    this.el.hidden = true;
  }
}
