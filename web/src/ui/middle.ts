// Names that give way in their middle where a row or a cell has no room for them: names that are alike differ at their ends, so the last letters
// never go. On a canvas and in SVG model/shortened.ts does the same.

import { h } from "./dom.js";

/** So many letters of a name longer than so many always stay. */
const LAST = 8;
const LONG = 16;
/** What the browser rounds, px. */
const ROUNDED = 0.02;

/** What a name is made of: all of it is there to be read and copied. */
export function middled(name: string): (string | HTMLElement)[] {
  const letters = [...name];
  if (letters.length <= LONG) return [name];
  const first = h("span", { class: "first-letters" }, letters.slice(0, -LAST).join(""));
  watched().observe(first);
  return [h("span", { class: "middled" }, first, h("span", { class: "last-letters" }, letters.slice(-LAST).join("")))];
}

/** Sets a name only where it differs. */
export function middle(el: Element, name: string): void {
  if (el.textContent !== name) el.replaceChildren(...middled(name));
}

// The browser cuts between two letters, so up to one letter of the room stays empty behind the dots. The last letters move there: they touch the dots, and nothing
// is laid out anew.
function close(changed: readonly ResizeObserverEntry[]): void {
  const moves = changed.map((c) => [c.target.nextElementSibling as HTMLElement, emptyIn(c.target as HTMLElement)] as const);
  for (const [last, px] of moves) last.style.insetInlineStart = px > 0 ? `${-px}px` : "";
}

let cuts: ResizeObserver | null = null;
let paper: CanvasRenderingContext2D | null = null;
const watched = () => (cuts ??= new ResizeObserver(close));

// How much of its room what is cut leaves empty, px; 0 where all is there.
function emptyIn(el: HTMLElement): number {
  const letters = el.firstChild;
  paper ??= document.createElement("canvas").getContext("2d");
  if (!(letters instanceof Text) || !paper) return 0;
  const style = getComputedStyle(el);
  const upright = !style.writingMode.startsWith("horizontal");
  const long = (box: DOMRect) => (upright ? box.height : box.width);
  const room = long(el.getBoundingClientRect());
  const range = document.createRange();
  const upTo = (n: number) => {
    range.setStart(letters, 0);
    range.setEnd(letters, n);
    return long(range.getBoundingClientRect());
  };
  if (upTo(letters.length) <= room + ROUNDED) return 0;
  paper.font = style.font;
  const dots = paper.measureText("…").width;
  let [fits, not] = [0, letters.length];
  while (not - fits > 1) {
    const n = (fits + not) >> 1;
    if (upTo(n) + dots <= room + ROUNDED) fits = n;
    else not = n;
  }
  return Math.max(0, room - upTo(fits) - dots);
}
