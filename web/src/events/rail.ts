// The place of the table in all of the set, where a scroll bar would be: of the table itself only the rows about that place are there,
// so that its own bar would tell of these.

import { h } from "../ui/dom.js";

const PLACES = 10000;
const PAGE = PLACES / 20;

const NAME = "When in the whole set";
const MEANING = "When in the whole set the events are that the list shows: the top is its begin, the bottom its end. Drag the knob, or press anywhere, to list those of another time";

export class Rail {
  /** The table with its rail. */
  readonly el: HTMLElement;
  /** The thumb is moved; the share of the set is from 0 to 1. */
  onMove: (share: number) => void = () => {};
  /** It is let go. */
  onGo: (share: number) => void = () => {};
  private readonly slider = h("input", { type: "range", min: 0, max: PLACES, value: 0, "aria-label": NAME, "aria-orientation": "vertical", title: MEANING });

  constructor(table: HTMLElement) {
    this.el = h("div", { class: "railed" }, h("div", { class: "clip" }, table), this.slider);
    this.slider.addEventListener("input", () => this.onMove(this.share));
    this.slider.addEventListener("change", () => this.onGo(this.share));
    this.slider.addEventListener("keydown", (e) => this.key(e));
    // The table's own bar lies beyond the edge.
    const hide = () => table.style.setProperty("--bar", `${table.offsetWidth - table.clientWidth}px`);
    new ResizeObserver(hide).observe(table);
  }

  /** Shows a place; the hand that moves the thumb is not led away. */
  show(share: number, words: string): void {
    if (document.activeElement === this.slider && this.slider.matches(":active")) return;
    this.slider.value = String(Math.round(share * PLACES));
    this.slider.setAttribute("aria-valuetext", words);
  }

  private get share(): number {
    return Number(this.slider.value) / PLACES;
  }

  // Down is later, as in the table.
  private key(e: KeyboardEvent): void {
    const by: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: PAGE, PageUp: -PAGE, Home: -PLACES, End: PLACES };
    if (!(e.key in by) || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    const to = Math.min(PLACES, Math.max(0, Number(this.slider.value) + by[e.key]));
    if (to === Number(this.slider.value)) return;
    this.slider.value = String(to);
    this.onMove(this.share);
    this.onGo(this.share);
  }
}
