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
/** The keys that lead to rows, states and messages, wherever the pointer is. Those that move the window leave the eyes at the pointer. */
const LEADS = /^(Arrow(Up|Down)|Page(Up|Down)|[.,gmt])$/i;
/** How high the status line is, CSS pixels. */
const STATUS = 30;
/** What is said however little room there is: when a state began and ended, and how long it took. */
const LEAST = 3;

export class Tooltip {
  readonly el = h("div", { class: "tooltip", hidden: true, "aria-hidden": true });
  private at = { x: 0, y: 0 };
  /** How far down what hangs over the rows reaches, such as the cursor's flag: what is below it is told below it. */
  ceiling: () => number = () => 0;
  /** Where it is not, as long as there is room elsewhere: what is read all the while. */
  spared: () => DOMRect | null = () => null;
  // Keys lead from one row or state to another: what comes under a pointer that rests is told in the status line alone, so that nothing hides where they led.
  private keyed = false;
  private pointed = { x: -1, y: -1 };

  constructor() {
    addEventListener("keydown", (e) => (this.keyed ||= LEADS.test(e.key)), { capture: true });
    // Browsers tell of a pointer that only had something else come under it as well.
    addEventListener("pointermove", ({ screenX: x, screenY: y }) => {
      if (x === this.pointed.x && y === this.pointed.y) return;
      this.pointed = { x, y };
      this.keyed = false;
    }, { capture: true });
  }

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
    this.el.hidden = this.keyed;
    const { x, y } = this.at;
    const floor = innerHeight - STATUS;
    const over = this.ceiling();
    const ceiling = y >= over ? over : 0;
    // On a small page what matters less gives way.
    const list = this.el.querySelector("dl");
    while (list && list.children.length > 2 * LEAST && this.el.offsetHeight > floor - ceiling) {
      list.lastElementChild!.remove();
      list.lastElementChild!.remove();
    }
    const { offsetWidth: w, offsetHeight: t } = this.el;
    const spared = this.spared();
    const [right, left] = [x + GAP, x - w - GAP];
    const edge = spared && x < spared.left ? spared.left : innerWidth;
    const fits = right + w <= edge || (left < 0 && right + w <= innerWidth);
    const above = Math.max(ceiling, y - t - GAP);
    const low = spared && x >= spared.left && y < spared.top ? Math.min(floor, spared.top) : floor;
    // Where it fits neither below nor above it is beside.
    const top = y + GAP + t <= low ? y + GAP : above + t <= y ? above : y + GAP + t <= floor ? y + GAP : Math.max(ceiling, floor - t);
    this.el.style.transform = `translate(${Math.round(fits ? right : Math.max(0, left))}px, ${Math.round(top)}px)`;
  }

  hide(): void {
    this.el.hidden = true;
  }
}
