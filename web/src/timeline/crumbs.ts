// A line of ways back: the ranges the window was narrowed through, and back and forward in the
// order it went.

import { Crumbs } from "../model/crumbs.js";
import type { View } from "../model/view.js";
import { about, digitsFor, seconds } from "../time/time.js";
import { endOf, same, type Window } from "../time/window.js";
import { add, fill, h, keepFocus } from "../ui/dom.js";

/** What the browser keeps for this tab, for a reload: the page, by which time, and the ranges. */
const KEPT = "synchroscope.ranges";

/** A window that stays for so many ms has come to rest. */
const REST = 350;

export class CrumbLine {
  /** The line; what else stands in it is put behind the ranges. */
  readonly el = h("div", { class: "crumbs" });
  private readonly crumbs: Crumbs;
  private readonly back = h("button", { type: "button", class: "step", "aria-label": "Back", title: "Where the window was before (Backspace)" }, "←");
  private readonly forward = h("button", { type: "button", class: "step", "aria-label": "Forward", title: "Forward again (Shift + Backspace)" }, "→");
  private readonly list = h("ol", { "aria-label": "Ranges" });
  private timer = 0;
  /** The window that the page begins with was seen; only what follows may pass by. */
  private settled = false;
  private shown = "";
  /** Ranges of before a reload, by the other kind of time: they are told by this one once its clocks are there. */
  private other = "";
  /** Where the window was when it was looked at last; for the whole set that is one place, however long the set is by then. */
  private last: { readonly window: Window; readonly whole: boolean } | null = null;
  /** It came there as times became others, by which ranges that it came from may lie elsewhere: they are left when it moves. */
  private turned = false;

  constructor(private readonly view: View) {
    this.crumbs = new Crumbs((window) => view.keeper?.keep(window));
    add(this.el, h("nav", { "aria-label": "Ranges" }, this.back, this.forward, this.list));
    this.back.addEventListener("click", () => view.back());
    this.forward.addEventListener("click", () => view.forward());
    new ResizeObserver(() => this.toEnd()).observe(this.list);
    this.recall();
    this.render();
  }

  /** The window may have moved; one that has not goes on to rest. */
  viewChanged(): void {
    this.turn();
    const { window, whole, empty } = this.view;
    const stays = !!this.last && whole === this.last.whole && (whole || same(window, this.last.window));
    this.last = empty ? null : { window, whole };
    if (stays && (this.timer || this.turned)) return;
    this.turned = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), this.settled ? REST : 0);
  }

  private settle(): void {
    this.timer = 0;
    const { empty, bounds, window, whole } = this.view;
    if (!empty) {
      this.settled = true;
      this.crumbs.settle(window, whole ? { begin: window.begin, end: endOf(window) } : bounds);
      this.keep();
    }
    this.render();
  }

  /** The clock is another; along is the host that the window went with as times became raw. */
  retell(along?: number): void {
    const { keeper } = this.view;
    const { other } = this;
    if (other) this.crumbs.restore(other);
    this.other = "";
    if (keeper) this.crumbs.retell((kept, was) => keeper.again(kept, was, along));
    if (other && this.settled) return this.settle();
    if (this.settled && !this.timer) {
      this.turned = true;
      this.last = { window: this.view.window, whole: this.view.whole };
    }
    this.keep();
    this.render();
  }

  private keep(): void {
    if (this.other) return;
    try {
      sessionStorage.setItem(KEPT, [location.pathname, this.view.raw, this.crumbs.text].join("\n"));
    } catch {
      // Without a store a reload begins with the range it is in.
    }
  }

  private recall(): void {
    const [way] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (way?.type !== "reload" && way?.type !== "back_forward") return;
    try {
      const [page, raw, ranges] = sessionStorage.getItem(KEPT)?.split("\n") ?? [];
      if (page !== location.pathname || !ranges) return;
      if (raw === String(this.view.raw)) this.crumbs.restore(ranges);
      else this.other = ranges;
    } catch {
      // As above.
    }
  }

  private turn(): void {
    const focused = document.activeElement; // not any more once it cannot be pressed
    for (const [end, can] of [[this.back, this.view.canGoBack], [this.forward, this.view.canGoForward]] as const) if (end.disabled === can) end.disabled = !can;
    // At the end of the way who pressed is at the way back.
    for (const [end, other] of [[this.back, this.forward], [this.forward, this.back]]) if (end.disabled && end === focused) other.focus();
  }

  private render(): void {
    this.turn();
    const { view } = this;
    const ranges = this.crumbs.shown;
    const words = [view.origin(), ...ranges.flatMap(({ window }) => [window.begin, window.span])].join();
    if (words === this.shown) return;
    this.shown = words;
    const last = ranges.length - 1;
    keepFocus(this.list, () => {
      fill(this.list, this.entry("Whole set", "The whole set (Home)", last < 0, () => view.showAll()), ...ranges.map(({ window }, i) => this.range(window, i === last)));
      this.toEnd();
    });
  }

  // Where not all ranges have room, the one that is shown is in sight.
  private toEnd(): void {
    this.list.scrollLeft = this.list.scrollWidth;
  }

  private range(w: Window, here: boolean): HTMLElement {
    return this.entry(about(w.span, 3), `${about(w.span, 5)} from ${seconds(w.begin - this.view.origin(), digitsFor(w.span))} on`, here, () => this.view.jump(w));
  }

  private entry(words: string, title: string, here: boolean, go: () => void): HTMLElement {
    const button = h("button", { type: "button", title, "aria-current": here ? "location" : null }, words);
    button.addEventListener("click", go);
    return h("li", {}, button);
  }
}
