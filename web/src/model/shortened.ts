// Long names in little room. What is left out is in the middle, for names that are alike differ at their ends.

/** A name of at most so many letters at its begin and its end. */
export function shortened(name: string, head: number, tail: number): string {
  const letters = [...name];
  return letters.length > head + tail + 1 ? `${letters.slice(0, head).join("")}…${letters.slice(letters.length - tail).join("")}` : name;
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
