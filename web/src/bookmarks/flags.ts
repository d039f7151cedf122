// Flags of bookmarks on a stretch of time: on the axis and on the strip over the whole set. Those that would
// cover each other are one flag with their count. What a bookmark says is told of the flag that is pointed at or has the focus. Those on the
// axis are reached by keys: by Tab the one that had the focus last, and from there by arrows.

import { shareOf, type Window } from "../time/window.js";
import { fill, h, svg, text } from "../ui/dom.js";
import type { Bookmark } from "./bookmarks.js";

const NEAR = 10; // CSS pixels
/** Of the bookmarks of one flag so many are told of. */
const TOLD = 5;
/** How far what is told stands from the edges of the page and from its flag, CSS pixels. */
const GAP = 6;

interface Group {
  readonly x: number;
  readonly marks: Bookmark[];
}

export class Flags {
  private readonly el: HTMLElement;
  /** What is told of a flag, above all else. */
  private readonly told = h("div", { class: "bookmark-told", popover: "manual", "aria-hidden": true });
  private at: HTMLButtonElement | null = null;
  /** The bookmark whose flag Tab leads to, and whether that has the focus. */
  private current: number | null = null;
  private focused = false;
  private readonly pool: HTMLButtonElement[] = [];
  private groups: Group[] = [];
  // Read where it changes: read within a frame all would be laid out anew.
  private width = 0;
  private drawn: Parameters<Flags["draw"]> | null = null;

  /** keyed: the flags are reached by keys, and read out; else they are a second sight of such. */
  constructor(parent: Element, onChoose: (b: Bookmark) => void, private readonly keyed: boolean) {
    this.el = h("div", keyed ? { class: "bookmarks", role: "group", "aria-label": "Bookmarks on the time axis" } : { class: "bookmarks", "aria-hidden": true });
    parent.append(this.el, this.told);
    new ResizeObserver(() => {
      this.width = parent.clientWidth;
      if (this.drawn) this.draw(...this.drawn);
    }).observe(parent);
    this.el.addEventListener("click", (e) => {
      const at = this.pool.findIndex((b) => b.contains(e.target as Node));
      const first = this.groups[at]?.marks[0];
      if (first) onChoose(first);
    });
    this.el.addEventListener("pointerover", (e) => this.tell(this.flagOf(e)));
    this.el.addEventListener("pointerleave", () => this.tell(this.focused ? this.flagNow() : null));
    this.el.addEventListener("focusin", (e) => {
      this.focused = true;
      const flag = this.flagOf(e);
      this.current = this.groupOf(flag)?.marks[0].id ?? null;
      this.rove(); // at once: Tab may come before the next drawing
      this.tell(flag);
    });
    this.el.addEventListener("focusout", () => {
      this.focused = false;
      this.tell(null);
    });
    this.el.addEventListener("keydown", (e) => this.key(e));
    // What lies below is dragged and zoomed; a flag is not.
    for (const kind of ["pointerdown", "dblclick"]) this.el.addEventListener(kind, (e) => e.stopPropagation());
  }

  draw(marks: readonly { b: Bookmark; at: bigint | null }[], window: Window): void {
    this.drawn = [marks, window];
    this.groups = group(marks, window, this.width);
    while (this.pool.length < this.groups.length) {
      const flag = h("button", { type: "button", tabindex: -1, class: "bookmark" }, svg("svg", { width: 9, height: 12, viewBox: "0 0 9 12" }, svg("path", { d: "M0.75 0V12M0.75 0.75H8.5L6.3 3.6L8.5 6.5H0.75Z" })), h("span"));
      this.pool.push(flag);
      this.el.append(flag);
    }
    this.pool.forEach((flag, i) => {
      const g = this.groups[i];
      flag.hidden = !g;
      if (!g) return;
      flag.style.transform = `translateX(${g.x}px)`;
      const label = (g.marks.length > 1 ? `${g.marks.length} bookmarks: ` : "Bookmark: ") + tellOf(g).join("; ");
      if (flag.ariaLabel !== label) flag.ariaLabel = label;
      text(flag.lastElementChild!, g.marks.length > 1 ? String(g.marks.length) : "");
    });
    this.rove();
    this.follow();
  }

  // Tab leads to one flag alone.
  private rove(): void {
    if (!this.keyed) return;
    const now = this.now();
    this.pool.forEach((flag, i) => {
      const index = now && this.groups[i] === now ? 0 : -1;
      if (flag.tabIndex !== index) flag.tabIndex = index;
    });
  }

  // The flag of a bookmark may be another one, or out of sight, since the window moved: the focus goes along, and so does what is told.
  private follow(): void {
    if (this.focused) {
      const flag = this.flagNow();
      if (flag !== document.activeElement) flag?.focus({ preventScroll: true });
    }
    if (this.at) this.tell(this.at.hidden || !this.groupOf(this.at) ? null : this.at);
  }

  // The flags that Tab leads to: that of the bookmark which had the focus last, or the first.
  private now(): Group | undefined {
    return this.groups.find((g) => g.marks.some((b) => b.id === this.current)) ?? this.groups[0];
  }

  private flagNow(): HTMLButtonElement | null {
    const g = this.now();
    return g ? this.pool[this.groups.indexOf(g)] : null;
  }

  private flagOf(e: Event): HTMLButtonElement | null {
    return (e.target as Element).closest<HTMLButtonElement>("button");
  }

  private groupOf(flag: HTMLButtonElement | null): Group | undefined {
    return flag ? this.groups[this.pool.indexOf(flag)] : undefined;
  }

  private key(e: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (step === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    const flag = this.flagOf(e);
    const to = flag ? this.pool.indexOf(flag) + step : -1;
    if (this.groups[to]) this.pool[to].focus({ preventScroll: true });
  }

  // Tells what a flag stands for, below it; null for nothing.
  private tell(flag: HTMLButtonElement | null): void {
    const g = this.groupOf(flag);
    this.at = g ? flag : null;
    if (!g || !flag) {
      if (this.told.matches(":popover-open")) this.told.hidePopover();
      return;
    }
    const words = tellOf(g);
    const key = JSON.stringify(words);
    if (this.told.dataset.of !== key) fill(this.told, ...words.map((w) => h("p", {}, w)));
    this.told.dataset.of = key;
    if (!this.told.matches(":popover-open")) this.told.showPopover();
    const box = flag.getBoundingClientRect();
    this.told.style.left = `${Math.max(GAP, Math.min(box.left, innerWidth - this.told.offsetWidth - GAP))}px`;
    this.told.style.top = `${box.bottom + GAP}px`;
  }
}

function tellOf(g: Group): string[] {
  const more = g.marks.length - TOLD;
  return [...g.marks.slice(0, TOLD).map((b) => b.text), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** The flags of marks in order of time: where they stand, whole pixels, and what each stands for. */
export function group(marks: readonly { b: Bookmark; at: bigint | null }[], window: Window, width: number): Group[] {
  const out: Group[] = [];
  for (const { b, at } of marks) {
    if (at === null) continue;
    const share = shareOf(window, at);
    if (share < 0 || share > 1) continue;
    const x = Math.round(share * width);
    const last = out[out.length - 1];
    if (last && x - last.x < NEAR) last.marks.push(b);
    else out.push({ x, marks: [b] });
  }
  return out;
}
