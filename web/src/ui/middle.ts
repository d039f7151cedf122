// Names that give way where a row or a cell has no room for them: first what hosts have in common at their ends, then the middle. Other names that
// are alike differ at their ends, so the last letters never go. On a canvas and in SVG model/shortened.ts does the same.

import { stemOf } from "../model/shared.js";
import { h } from "./dom.js";

/** So many letters of a name longer than so many always stay. */
const LAST = 8;
const LONG = 16;
/** What the browser rounds, px. */
const ROUNDED = 0.02;

// Where blanks stay as they are, as they do where a name is in pieces, a line break in a name would make two lines of it, over the row below.
const inOneLine = (name: string): string => name.replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, " ");

/** What a name is made of: all of it is there to be read and copied. */
export function middled(name: string): (string | HTMLElement)[] {
  const letters = [...inOneLine(name)];
  if (letters.length <= LONG) return [letters.join("")];
  const stem = stemOf(name);
  const at = Math.max(0, stem - LAST);
  const first = h("span", { class: "first-letters" }, letters.slice(0, at).join(""));
  watched().observe(first);
  const shared = stem < letters.length ? h("span", { class: "shared-letters" }, letters.slice(stem).join("")) : "";
  return [h("span", { class: "middled", "data-stem": stem }, first, h("span", { class: "last-letters" }, letters.slice(at, stem).join("")), shared)];
}

/** Sets a name only where it differs, or where other hosts have more of it, or less, in common with it than they had. */
export function middle(el: Element, name: string): void {
  const stem = [...name].length > LONG ? stemOf(name) : 0;
  const shown = Number(el.firstElementChild?.getAttribute("data-stem") ?? 0);
  if (el.textContent !== inOneLine(name) || stem !== shown) el.replaceChildren(...middled(name));
}

// The browser cuts between two letters, so up to one letter of the room stays empty behind the dots. The last letters move there: they touch the dots, and nothing
// is laid out anew.
function close(changed: readonly ResizeObserverEntry[]): void {
  const moves = changed.map((c) => [c.target, emptyIn(c.target as HTMLElement)] as const);
  for (const [first, px] of moves)
    for (let next = first.nextElementSibling as HTMLElement | null; next; next = next.nextElementSibling as HTMLElement | null) next.style.insetInlineStart = px > 0 ? `${-px}px` : "";
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
