// Words of which one is seen at a time, in the room of the widest: whichever it is, what stands beside keeps its place.

import { h } from "./dom.js";

export class OneOf {
  readonly el: HTMLElement;
  private readonly parts: readonly HTMLElement[];

  constructor(private readonly words: readonly string[]) {
    this.parts = words.map((w) => h("span", {}, w));
    this.el = h("span", { class: "oneof" }, ...this.parts);
  }

  show(word: string): void {
    this.words.forEach((w, i) => this.parts[i].classList.toggle("shown", w === word));
  }
}
