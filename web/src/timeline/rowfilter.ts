// The field that filters rows, whether the others are hidden or dim, and under it what is wrong with the filter, or what
// finds more. From the field Enter, Esc and the arrow key down lead on to the rows, which stay filtered.

import type { View } from "../model/view.js";
import { add, fill, h, text } from "../ui/dom.js";
import { OneOf } from "../ui/oneof.js";
import { asCall, asExpression, isExpression, partOfText, strangerIn, wordOf, type Wanted, type Wrong } from "./wanted.js";

const PAUSE = 120; // ms after the last key

export class RowFilter {
  readonly el = h("div", { class: "filter" });
  private readonly input = h("input", {
    type: "search", placeholder: "Filter rows…", "aria-label": "Filter rows by name, thread id or an expression", "aria-describedby": "row-filter-words", spellcheck: false, autocomplete: "off",
  });
  private readonly others = h("button", { type: "button", class: "others" });
  private readonly othersWord = new OneOf(["hide", "dim"]);
  private readonly below = h("div", { class: "below", id: "row-filter-words", role: "status", hidden: true });
  private readonly whole = h("code", { class: "whole", "aria-hidden": "true", hidden: true });
  private timer = 0;
  private left = false; // by Esc, which was the last that was done
  private entered = false; // by Enter, the same

  /** none tells whether no row fits the words; onward leads to the rows. */
  constructor(private readonly view: View, private readonly wanted: Wanted, private readonly hosts: () => string[], private readonly none: () => boolean, private readonly onChange: () => void, onward: () => void) {
    add(this.others, this.othersWord.el);
    add(this.el, this.input, this.others, h("div", { class: "drop" }, this.whole, this.below));
    this.input.value = view.filter;
    view.returned.on(() => {
      clearTimeout(this.timer);
      this.input.value = view.filter;
    });
    this.input.addEventListener("input", () => {
      this.tellWhole();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.take(), PAUSE);
    });
    this.input.addEventListener("keydown", (e) => {
      if (e.isComposing || !/^(Enter|ArrowDown|Escape)$/.test(e.key)) return;
      e.preventDefault();
      this.take();
      // What cannot be read is to be written on.
      if (e.key === "Enter" && this.input.getAttribute("aria-invalid") === "true") return;
      onward();
      this.left = e.key === "Escape";
      this.entered = e.key === "Enter";
    });
    addEventListener("keydown", (e) => e.target !== this.input && this.done(e.key === "Escape"), { capture: true });
    addEventListener("pointerdown", () => this.done(false), { capture: true });
    this.whole.addEventListener("pointerdown", (e) => e.preventDefault());
    this.below.addEventListener("pointerdown", (e) => e.preventDefault()); // the field keeps the focus, or what is pressed would be drawn anew under the finger
    for (const happens of ["focus", "blur"]) this.input.addEventListener(happens, () => this.render());
    this.others.addEventListener("click", () => this.toggleOthers());
    this.render();
  }

  focus(): void {
    this.input.focus();
  }

  // Something else is done since the field was left.
  private done(escape: boolean): void {
    this.left &&= escape;
    this.entered = false;
  }

  /** Takes the filter away if Esc led out of the field and nothing was done since; tells whether it did. */
  clearAgain(): boolean {
    const again = this.left && this.view.filter !== "";
    this.left = false;
    if (again) this.write("");
    return again;
  }

  /** The page is left: what is being typed is taken at once. */
  leave(): void {
    if (this.timer) this.take();
  }

  private write(filter: string): void {
    this.input.value = filter;
    this.take();
  }

  /** Dims the rows that do not fit instead of hiding them, or hides them again. */
  toggleOthers(): void {
    this.view.dim = !this.view.dim;
    this.render();
    this.onChange();
  }

  private take(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    const filter = this.input.value.trim();
    if (filter === this.view.filter) return;
    this.view.filter = filter;
    this.onChange(); // first, for it may end what was wrong
    this.render();
  }

  /** Draws anew what stands beside and below the field. */
  render(): void {
    const { dim, filter } = this.view;
    this.others.hidden = filter === "";
    this.othersWord.show(dim ? "dim" : "hide");
    this.others.title = dim ? "Rows that do not fit are dim. Press to hide them." : "Rows that do not fit are hidden. Press to list them dimly.";
    this.others.setAttribute("aria-label", dim ? "Dim: rows that do not fit stay" : "Hide: rows that do not fit go");
    const wrong = filter && !this.wanted.late ? this.wanted.wrong : null;
    if (wrong && this.entered) {
      // Only now it is known that it cannot be read.
      this.entered = false;
      this.focus();
    }
    this.el.classList.toggle("wrong", !!wrong);
    this.input.setAttribute("aria-invalid", String(!!wrong));
    const typing = document.activeElement === this.input;
    this.tellWhole();
    const idle = !typing || this.input.value !== "";
    const late = filter !== "" && this.wanted.late;
    const none = !wrong && !late && this.wanted.rows?.size === 0;
    const stranger = none ? strangerIn(filter, this.hosts()) : null;
    const part = typing && none ? partOfText(filter) : null;
    const offer = this.none() ? asExpression(filter, this.hosts()) : null;
    const nowhere = this.none() && offer === null && !isExpression(filter);
    const call = nowhere ? asCall(filter) : null;
    const unfound = nowhere && (typing || call !== null); // else it is said where the rows would be
    this.input.title = typing ? "" : filter;
    this.below.hidden = !wrong && !late && stranger === null && part === null && offer === null && !unfound && idle;
    if (late) fill(this.below, "The server has not answered yet: until it does, the rows are not those of this filter.");
    else if (wrong) fill(this.below, ...wrongParts(filter, wrong));
    else if (stranger !== null) fill(this.below, stranger);
    else if (part !== null) fill(this.below, "No row fits. A pattern is of the whole text, where * stands for anything: ", h("code", {}, `=~ "*${part}*"`));
    else if (offer !== null) fill(this.below, "No name has these words. What threads do is found by ", this.offered(offer));
    else if (unfound) fill(this.below, "No host, process or thread has this in its name, or as its number.", ...(call === null ? [] : [" In a system call: ", this.offered(call)]));
    else fill(this.below, "Words of a name, a thread id, or what a thread is and does in view: ", h("code", {}, `${this.example()}status == blocked && syscall =~ "futex"`));
  }

  // What is written is longer than the field, beside which the time axis stays in sight: all of it stands below.
  private tellWhole(): void {
    const { input } = this;
    this.whole.hidden = document.activeElement !== input || input.scrollWidth <= input.clientWidth + 1;
    text(this.whole, this.whole.hidden ? "" : input.value);
  }

  private offered(filter: string): HTMLElement {
    const take = () => {
      this.write(filter);
      this.input.focus();
    };
    return h("button", { type: "button", class: "link offer", onclick: take }, filter);
  }

  private example(): string {
    const host = this.hosts()[0];
    return host === undefined ? "" : `host == ${wordOf(host)} && `;
  }
}

// The filter with its wrong place marked, and what is wrong there.
function wrongParts(filter: string, wrong: Wrong): (Node | string)[] {
  if (wrong.at === null) return [wrong.words];
  const characters = [...filter];
  const end = /^\w+/.exec(characters.slice(wrong.at).join(""))?.[0].length ?? 1;
  const before = characters.slice(0, wrong.at).join("");
  const place = characters.slice(wrong.at, wrong.at + end).join("") || "\u00a0";
  return [
    h("code", {}, before, h("mark", {}, place), characters.slice(wrong.at + end).join("")),
    h("span", {}, `At character ${wrong.at + 1}: ${wrong.words}`),
  ];
}
