// A line that says what is pointed at, or, while that is nothing, how to point. It has the room of its longest sentence from the first, so
// that nothing moves when it says another. What is pointed at is read out once it stays.

import { h, text } from "./dom.js";
import { MOVES, Stays } from "./stays.js";

export class Readout {
  private readonly said = h("span");
  private readonly heard = new Stays(MOVES);
  readonly el = h("p", { class: "readout roomy" }, this.said, this.heard.el);

  /** What it may have to say. */
  room(hint: string, sentences: Iterable<string>): void {
    let longest = "";
    for (const s of sentences) if (s.length > longest.length) longest = s;
    const { dataset } = this.el;
    if (dataset.hint !== hint) dataset.hint = hint;
    if (dataset.longest !== longest) dataset.longest = longest;
  }

  /** Says a sentence; as a hint it is in the letters of the page. */
  say(sentence: string, hint: boolean): void {
    this.el.classList.toggle("hint", hint);
    text(this.said, sentence);
    this.said.ariaHidden = hint ? null : "true"; // or it would be there twice
    this.heard.say(hint ? "" : sentence);
  }
}
