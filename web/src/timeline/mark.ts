// The cursor's flag, and the mark: a moment on a host that the moment under the cursor is compared with. What
// is said of their order is certain, or within the error of the clocks, in words.

import { orderToMark, type Order } from "../events/order.js";
import { knownWords } from "../model/known.js";
import { seconds, type Ns } from "../time/time.js";
import { shareOf } from "../time/window.js";
import { h, text } from "../ui/dom.js";
import type { Context } from "./controlflow.js";
import { hostTime } from "./words.js";

/** A moment that is pointed at: on a host, or with null on none. */
export interface Pointed {
  readonly host: number | null;
  readonly t: Ns; // in the time of the view
}

export class Mark {
  /** What floats above the parts of the timeline. */
  readonly el = h("div", { class: "mark", hidden: true }, h("span", { class: "flag" }));
  readonly flag = h("div", { class: "flagged", hidden: true }, h("b"), h("span"), h("span", { class: "order" }));

  constructor(private readonly c: Context) {}

  /** Marks a moment; one without a host is none. */
  set(at: Pointed): boolean {
    const { view, set } = this.c;
    const local = at.host === null ? null : hostTime(set, at.host, view, at.t).local;
    if (at.host === null || local === null) return false;
    view.mark = { host: at.host, local };
    view.emit();
    return true;
  }

  clear(): void {
    this.c.view.mark = null;
    this.c.view.emit();
  }

  /** Where the mark is, in the time of the view; null where nothing is marked or its clock has no map yet. */
  private get at(): Ns | null {
    const { view, set } = this.c;
    if (!view.mark) return null;
    return view.raw ? view.mark.local : set.toReference(view.mark.host, view.mark.local);
  }

  /** Whether the mark is a moment of a host, but for the ns that a clock map rounds away. */
  is(host: number | null, t: Ns): boolean {
    const { mark } = this.c.view;
    const d = mark && mark.host === host && this.at !== null ? this.at - t : null;
    return d !== null && -2n <= d && d <= 2n;
  }

  /** How a moment lies to the mark; null where there is nothing to compare. */
  compare(p: Pointed | null): Order | null {
    const { view, set } = this.c;
    if (!view.mark || !p || p.host === null) return null;
    const local = hostTime(set, p.host, view, p.t).local;
    return local === null ? null : orderToMark(set, view, p.host, local);
  }

  /** Draws both over a width of CSS pixels. The flag says when, by which clock, how sure, and how what is there lies to the mark. */
  draw(p: Pointed | null, lies: Order | null, width: number): void {
    const { view, set } = this.c;
    const at = this.at;
    const x = at === null ? -1 : Math.round(shareOf(view.window, at) * width);
    this.el.hidden = at === null || x < 0 || x > width;
    if (!this.el.hidden) {
      this.el.style.transform = `translateX(${x}px)`;
      this.el.classList.toggle("turned", x > width / 2);
      text(this.el.firstElementChild!, `mark · ${set.host(view.mark!.host)?.name ?? "?"}`);
    }
    this.flag.hidden = p === null;
    if (!p) return;
    const place = Math.round(shareOf(view.window, p.t) * width);
    const [when, where, order] = this.flag.children;
    text(when, seconds(p.t - view.origin()));
    text(where, this.whereWords(p));
    text(order, lies?.words ?? "");
    order.classList.toggle("open", lies?.open ?? false);
    // Beside the cursor, on the side where there is more room; what has too little there goes over it.
    this.flag.style.transform = place > width / 2 ? `translateX(max(0px, ${place - 4}px - 100%))` : `translateX(max(0px, min(${place + 4}px, ${width}px - 100%)))`;
  }

  private whereWords(p: Pointed): string {
    const { view, set } = this.c;
    const host = p.host === null ? undefined : set.host(p.host);
    if (!host) return "";
    const { local, error } = hostTime(set, host.index, view, p.t);
    return local === null ? "" : `${host.name} ${view.clock(local)}, ${knownWords(host, error)}`;
  }
}
