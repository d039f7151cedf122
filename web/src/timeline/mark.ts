// The cursor's flag, and the mark: a moment on a host that the moment under the cursor is compared with. What
// is said of their order is certain, or within the error of the clocks, in words.

import type { Spot } from "../draw/surface.js";
import { briefly, orderToMark, type Order } from "../events/order.js";
import { knownWords } from "../model/known.js";
import { isolated } from "../model/names.js";
import type { View } from "../model/view.js";
import { near, seconds, type Ns } from "../time/time.js";
import { shareOf } from "../time/window.js";
import { h, hide, text } from "../ui/dom.js";
import type { Context } from "./controlflow.js";
import { hostTime } from "./words.js";

/** A moment that is pointed at: on a host, or with null on none. */
export interface Pointed {
  readonly host: number | null;
  readonly t: Ns; // in the time of the view
}

/** How high a line of the flag is, and all that is around its lines, CSS pixels. */
const LINE = 13;
const FRAME = 4;
/** How far down the flag hangs, also under that of a selection, which says how long that is. */
const TOP = 1;
const BELOW = 14;

/** Whether there is a mark, and nothing is chosen in the timeline but that. */
export function markAlone({ mark, selection, row, message, lane, kept }: View): boolean {
  return mark !== null && !selection && !row && !message && !lane && kept.length === 0;
}

export class Mark {
  /** What floats above the parts of the timeline. */
  readonly el = h("div", { class: "mark", hidden: true }, h("span", { class: "flag" }));
  readonly flag = h("div", { class: "flagged", hidden: true }, h("b"), h("span"), h("span", { class: "order" }));

  /** What was fitted last but for its digits, and which of the ways to say it that is. */
  private fitted = "";
  private way = 0; // the first as many in one line, the others in two
  private size: readonly [number, number] = [0, 0]; // of the flag, so fitted

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

  /** Takes the mark away where nothing else is chosen any more; tells whether it did. */
  left(): boolean {
    const last = markAlone(this.c.view);
    if (last) this.clear();
    return last;
  }

  clear(): void {
    this.c.view.mark = null;
    this.c.view.emit();
  }

  /** Where the mark is, in the time of the view; null where nothing is marked or its clock has no map yet. */
  get at(): Ns | null {
    const { view, set } = this.c;
    if (!view.mark) return null;
    return view.raw ? view.mark.local : set.toReference(view.mark.host, view.mark.local);
  }

  /** Whether the mark is a moment of a host, but for the ns that a clock map rounds away. */
  is(host: number | null, t: Ns): boolean {
    const { mark } = this.c.view;
    const { at } = this;
    return mark?.host === host && at !== null && near(at, t);
  }

  /** How a moment lies to the mark; null where there is nothing to compare. */
  compare(p: Pointed | null): Order | null {
    const { view, set } = this.c;
    if (!view.mark || !p || p.host === null) return null;
    const local = hostTime(set, p.host, view, p.t).local;
    return local === null ? null : orderToMark(set, view, p.host, local);
  }

  /** Draws both over a width of CSS pixels. The flag says when, by which clock, how sure, and how what is there lies to the mark; it
   * hangs from the top of the axis, that is so high, with below under the flag of the selection. Returns where it lies; null for nowhere. */
  draw(p: Pointed | null, lies: Order | null, width: number, axis: number, below: boolean): Spot | null {
    const { view, set } = this.c;
    const at = this.at;
    const x = at === null ? -1 : Math.round(shareOf(view.window, at) * width);
    hide(this.el, at === null || x < 0 || x > width);
    if (!this.el.hidden) {
      this.el.style.transform = `translateX(${x}px)`;
      this.el.style.setProperty("--left", `${x}px`);
      this.el.style.setProperty("--right", `${width - x}px`);
      this.el.classList.toggle("turned", x > width / 2);
      text(this.el.firstElementChild!, `mark · ${isolated(set.host(view.mark!.host)?.name ?? "?")}`);
    }
    hide(this.flag, p === null);
    if (!p) return null;
    const place = Math.round(shareOf(view.window, p.t) * width);
    const top = below ? BELOW : TOP;
    this.flag.style.top = `${top}px`;
    this.flag.children[2].classList.toggle("open", lies?.open ?? false);
    this.fit(p, lies?.words ?? "", width, Math.max(1, Math.floor((axis - top - FRAME + 2) / LINE)));
    // Beside the cursor, on the side where there is more room; what has too little there goes over it.
    this.flag.style.transform = place > width / 2 ? `translateX(max(0px, ${place - 4}px - 100%))` : `translateX(max(0px, min(${place + 4}px, ${width}px - 100%)))`;
    const [wide, high] = this.size;
    const x0 = Math.max(0, place > width / 2 ? place - 4 - wide : Math.min(place + 4, width - wide));
    return { x0, x1: x0 + wide, y0: top, y1: top + high };
  }

  // Says as much as so many lines have room for. The reason for an order goes first, then the host's own time, then the host; the
  // status line has all of it. Two lines, the order in one of its own, would be over all of the axis: they are for where not even when,
  // the host and the order have room in one.
  private fit(p: Pointed, order: string, width: number, lines: number): void {
    const [where, known] = this.whereWords(p);
    const brief = briefly(order);
    const all = order ? [[where, order], [where, brief], [known, brief], ["", brief]] : [[where, ""], [known, ""]];
    const one = lines > 1 && order ? all.slice(0, -1) : all;
    const ways = lines > 1 ? [...one, ...all] : one;
    const when = seconds(p.t - this.c.view.origin());
    const say = (way: number) => {
      this.flag.classList.toggle("two", way >= one.length);
      [when, ...ways[way]].forEach((words, i) => text(this.flag.children[i], words));
    };
    // Other digits take as much room.
    const key = [width, lines, when, where, order].join("\n").replace(/\d/g, "0");
    const again = key !== this.fitted;
    say(again ? 0 : this.way);
    if (!again) return;
    this.fitted = key;
    const fits = () => this.flag.offsetHeight <= lines * LINE + FRAME && this.flag.scrollWidth <= this.flag.clientWidth;
    for (this.way = 0; this.way < ways.length - 1 && !fits(); ) say(++this.way);
    this.size = [this.flag.offsetWidth, this.flag.offsetHeight];
  }

  // A host's own time and the error of its clock, and the same without the time; "" where no clock is pointed at.
  private whereWords(p: Pointed): [string, string] {
    const { view, set } = this.c;
    const host = p.host === null ? undefined : set.host(p.host);
    if (!host) return ["", ""];
    const { local, error, silent } = hostTime(set, host.index, view, p.t);
    const known = knownWords(host, error, silent);
    return local === null ? ["", ""] : [`${isolated(host.name)} ${view.clock(local)}, ${known}`, `${isolated(host.name)}, ${known}`];
  }
}
