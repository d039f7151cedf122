// What is read out, to those who have the screen read, once it has stayed for a moment: what they go through by keys, and what
// moves by itself or under a hand, changes faster than one can listen.

import { Settled } from "../model/settled.js";
import { h, text } from "./dom.js";

/** How long what is said has to stay before it is said, ms: what one goes through by keys, and what moves by itself or under a hand. */
export const STEPS = 250;
export const MOVES = 600;

export class Stays {
  readonly el = h("span", { class: "sr", role: "status" });
  private words = "";
  private readonly settled: Settled;

  constructor(ms: number) {
    this.settled = new Settled(ms, () => text(this.el, this.words));
  }

  say(words: string): void {
    if (words === this.words) return;
    this.words = words;
    this.settled.begin();
  }
}
