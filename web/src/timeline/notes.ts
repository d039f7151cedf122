// What stands right of the names of rows, where it may be longer than there is room for: it has shorter words for that, which say less and
// nothing wrong, and neither is cut in the middle.

import { fill, h } from "../ui/dom.js";
import type { RowWords } from "./panerows.js";

/** Of so many letters a note is short: there is always room for it. */
const SHORT = 14;

export class Notes {
  /** Whether the long words of a row are cut, by the row's name and how long they are, in letters: all of these are as wide as each other. */
  private readonly cut = new Map<string, boolean>();
  private readonly waiting = new Map<HTMLElement, RowWords>();

  /** Other room: what was cut may not be any more. */
  resized(): void {
    this.cut.clear();
  }

  /** Writes the note of a row, and what is said when the mouse rests on it. fit is to follow once all rows have theirs. */
  write(row: HTMLElement, words: RowWords): void {
    const note = row.lastElementChild as HTMLElement;
    if (row.title !== words.title) row.title = words.title;
    const cut = words.brief === undefined ? false : this.cut.get(keyOf(words));
    if (cut === undefined) this.waiting.set(row, words);
    else this.waiting.delete(row);
    put(note, words, cut ?? false);
    if (note.style.getPropertyValue("--mark") !== (words.mark ?? "")) note.style.setProperty("--mark", words.mark ?? null);
  }

  /** Looks which of the notes that were written are cut, all at once: the rows are laid out anew for it. */
  fit(): void {
    if (this.waiting.size === 0) return;
    const seen = [...this.waiting].filter(([row]) => !row.hidden && row.clientWidth > 0);
    this.waiting.clear();
    for (const [row, words] of seen) this.cut.set(keyOf(words), row.lastElementChild!.scrollWidth > row.lastElementChild!.clientWidth);
    for (const [row, words] of seen) put(row.lastElementChild as HTMLElement, words, this.cut.get(keyOf(words))!);
  }
}

function put(note: HTMLElement, words: RowWords, brief: boolean): void {
  const said = brief ? words.brief! : words.note;
  const also = brief || words.brief === undefined ? (words.also ?? "") : "";
  if (note.textContent !== said + also) fill(note, said, also ? h("span", { class: "sr" }, also) : null);
  const name = `note ${words.noteTone}${words.mark ? " marked" : ""}${brief || said.length <= SHORT ? " shorter" : ""}`;
  if (note.className !== name) note.className = name;
}

const keyOf = (words: RowWords): string => `${words.note.length} ${words.name}`;
