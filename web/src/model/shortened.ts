// Long names in little room. What is left out is what hosts have in common at their ends, and then the middle: other names that are alike
// differ at their ends.

import { stemOf } from "./shared.js";

/** A name of at most so many letters at its begin and its end, and what stands for the others. */
export function shortened(name: string, head: number, tail: number): string {
  const letters = [...name];
  const [most, stem] = [head + tail + 1, stemOf(name)];
  if (letters.length > most && stem < letters.length) {
    if (stem < most) return `${letters.slice(0, most - 1).join("")}…`;
    return `${letters.slice(0, Math.max(0, head - 1)).join("")}…${letters.slice(stem - tail, stem).join("")}…`;
  }
  return letters.length > most ? `${letters.slice(0, head).join("")}…${letters.slice(letters.length - tail).join("")}` : name;
}

/** What there is of a name in a room, by what measures words. */
export function fitted(name: string, room: number, measure: (words: string) => number): string {
  const width = measure(name);
  if (width <= room) return name;
  const length = [...name].length;
  for (let n = Math.min(length - 2, Math.floor((length * room) / width)); n > 0; n--) {
    const words = shortened(name, Math.ceil(n / 2), Math.floor(n / 2));
    if (measure(words) <= room) return words;
  }
  return "…";
}
