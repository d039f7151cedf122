// Names in a sentence.

/** What is written from the right, and what turns the way of letters without being seen. */
const TURNS = /[\p{Bidi_Control}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Marks around a part of a sentence that is laid out for itself. */
const [APART, END] = ["\u2068", "\u2069"];
const OPENS = "\u2066\u2067\u2068";

/** A name such that the words around it stay where they are, whatever is in it. */
export function isolated(name: string): string {
  if (!TURNS.test(name)) return name;
  let open = 0;
  let inner = "";
  for (const letter of name) {
    if (letter === END && open === 0) continue; // it would end the whole
    if (letter === END) open--;
    else if (OPENS.includes(letter)) open++;
    inner += letter;
  }
  return APART + inner + END.repeat(open + 1);
}

/** "a, b and c"; of more than so many all but the last are named by their number. */
export function list(names: readonly string[], most = 8): string {
  const told = names.slice(0, Math.max(most, 1)).map(isolated);
  if (names.length > most) return `${told.slice(0, most - 1).join(", ")} and ${names.length - most + 1} others`;
  return told.length > 1 ? `${told.slice(0, -1).join(", ")} and ${told[told.length - 1]}` : told.join("");
}
