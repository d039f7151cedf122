// Flags of bookmarks on a stretch of time: on the axis and on the strip over the whole set. Those that would
// cover each other are one flag with their count. Keyboards go by the list instead.

import { shareOf, type Window } from "../time/window.js";
import { h, svg, text } from "../ui/dom.js";
import type { Bookmark } from "./bookmarks.js";

const NEAR = 10; // CSS pixels

interface Group {
  readonly x: number;
  readonly marks: Bookmark[];
}

export class Flags {
  private readonly el = h("div", { class: "bookmarks", "aria-hidden": true });
  private readonly pool: HTMLButtonElement[] = [];
  private groups: Group[] = [];
  // Read where it changes: read within a frame all would be laid out anew.
  private width = 0;
  private drawn: Parameters<Flags["draw"]> | null = null;

  constructor(parent: Element, onChoose: (b: Bookmark) => void) {
    parent.append(this.el);
    new ResizeObserver(() => {
      this.width = parent.clientWidth;
      if (this.drawn) this.draw(...this.drawn);
    }).observe(parent);
    this.el.addEventListener("click", (e) => {
      const at = this.pool.findIndex((b) => b.contains(e.target as Node));
      const first = this.groups[at]?.marks[0];
      if (first) onChoose(first);
    });
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
      const title = g.marks.slice(0, 5).map((b) => b.text).join("\n") + (g.marks.length > 5 ? `\nand ${g.marks.length - 5} more` : "");
      if (flag.title !== title) flag.title = title;
      text(flag.lastElementChild!, g.marks.length > 1 ? String(g.marks.length) : "");
    });
  }
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
