// Names that give way in their middle where a row or a cell has no room for them: names that are alike differ at their ends, so the last letters
// never go. On a canvas and in SVG model/shortened.ts does the same.

import { h } from "./dom.js";

/** So many letters of a name longer than so many always stay. */
const LAST = 8;
const LONG = 16;

/** What a name is made of: all of it is there to be read and copied. */
export function middled(name: string): (string | HTMLElement)[] {
  const letters = [...name];
  if (letters.length <= LONG) return [name];
  return [h("span", { class: "first-letters" }, letters.slice(0, -LAST).join("")), h("span", {}, letters.slice(-LAST).join(""))];
}

/** Sets a name only where it differs. */
export function middle(el: Element, name: string): void {
  if (el.textContent !== name) el.replaceChildren(...middled(name));
}
