// The status line: time under the cursor, the host's own clock, the error here, what
// is under the cursor in words, and how the import goes.

import { briefly, type Order } from "../events/order.js";
import { readingWords } from "../home/pace.js";
import { knownWords } from "../model/known.js";
import { isolated } from "../model/names.js";
import type { SetModel } from "../model/set.js";
import { shortened } from "../model/shortened.js";
import type { View } from "../model/view.js";
import type { Pointer } from "../timeline/pointer.js";
import { hostTime } from "../timeline/words.js";
import { seconds } from "../time/time.js";
import { add, h, text } from "./dom.js";
import { fitLine } from "./fit.js";

/** How many parts of the line give way where it is narrow, so that the order of two moments, and what was done, are whole. */
const STEPS = 5;

export class Status {
  private readonly time = h("span", { class: "strong" });
  private readonly local = h("span", { class: "local" });
  private readonly error = h("span", { class: "known" });
  private readonly words = h("span", { class: "words" });
  private readonly notice = h("span", { class: "notice", role: "alert" });
  private readonly told = h("span", { class: "strong words", role: "status" });
  private readonly stage = h("span", { class: "stage" });
  private readonly inner = h("i");
  private readonly bar = h("span", { class: "bar", role: "progressbar", "aria-label": "Import", "aria-valuemin": 0, "aria-valuemax": 100 }, this.inner);
  private readonly rate = h("span");
  private lost = "";
  private gone = false;
  private timer = 0;

  private readonly order = h("span", { class: "strong words" }, h("span"), h("span", { class: "why" }));

  constructor(footer: HTMLElement, private readonly set: SetModel, private readonly view: View) {
    add(footer, this.time, this.local, this.error, this.order, this.words, h("span", { class: "space" }), this.told, this.notice, this.stage, this.bar, this.rate);
    fitLine(footer, STEPS, () => [this.order, this.told]);
    this.progress();
  }

  /** Says what is under the pointer, and how that lies to the mark. */
  point(under: Pointer, order: Order | null): void {
    const t = this.view.tab === "timeline" ? this.view.cursor : null;
    text(this.time, t === null ? "" : seconds(t - this.view.origin()));
    const host = under.host === null ? undefined : this.set.host(under.host);
    const here = t !== null && host ? hostTime(this.set, host.index, this.view, t) : null;
    text(this.local, here?.local && host ? `${host.name} local ${this.view.clock(here.local)}` : "");
    const known = here && host ? knownWords(host, here.error, here.silent) : "";
    text(this.error, known.startsWith("±") ? `${known} here` : known);
    const lies = this.view.tab === "timeline" ? (order?.words ?? "") : "";
    this.order.hidden = lies === "";
    text(this.order.firstElementChild!, briefly(lies));
    text(this.order.lastElementChild!, lies.slice(briefly(lies).length));
    this.order.classList.toggle("open", order?.open ?? false);
    text(this.words, this.view.tab === "timeline" ? under.words : "");
  }

  progress(): void {
    const info = this.set.info;
    this.stage.title = info && !this.set.importing && info.state !== "failed" ? "The clock map turns the times of every host into those of the reference. It is made anew whenever more is known: the number counts how often" : "";
    const { gone } = this;
    const running = this.set.importing && !gone;
    this.bar.hidden = !running;
    this.rate.hidden = !running || this.lost !== ""; // of a server that is away nobody knows how fast it goes on
    this.stage.classList.toggle("warn", info?.state === "failed");
    text(this.stage, gone ? "" : !info ? "connecting" : info.state === "failed" ? (info.error ?? "the import failed; see Import") : running ? info.stage : this.mapWords());
    if (!info || !running) return;
    this.inner.style.width = `${(info.progress * 100).toFixed(1)}%`;
    this.bar.setAttribute("aria-valuenow", String(Math.round(info.progress * 100)));
    text(this.rate, readingWords(info));
  }

  private mapWords(): string {
    const clocks = this.set.clocks;
    return clocks ? `clock map ${clocks.version}${clocks.final === false ? "" : ", final"}` : "";
  }

  connection(connected: boolean, words: string): void {
    this.lost = connected ? "" : words;
    text(this.notice, this.lost);
    this.gone = false;
    this.progress();
  }

  /** The set was deleted. */
  deleted(name: string): void {
    this.connection(false, `“${isolated(shortened(name, 30, 10))}” was deleted.`);
    this.gone = true;
    this.progress();
  }

  /** Says what was done; it goes after a while. */
  say(sentence: string): void {
    this.show(sentence);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(""), 8000);
  }

  // What has no room in the line is there to be pointed at.
  private show(sentence: string): void {
    text(this.told, sentence);
    this.told.title = sentence;
  }

  /** What was said is said in other words from now on, as long as it would have been. */
  reword(was: string, is: string): void {
    if (was && this.told.textContent === was) this.show(is);
  }

  /** Who says things that may cease to hold: "" takes back what was said by it last. */
  teller(): (sentence: string) => void {
    let last = "";
    return (sentence) => {
      if (last) this.unsay(last);
      last = sentence;
      if (sentence) this.say(sentence);
    };
  }

  /** What was said does not hold any more. */
  unsay(sentence: string): void {
    if (this.told.textContent === sentence) this.show("");
  }

  /** An error of the server; it goes when the next answer comes. */
  complain(sentence: string): void {
    text(this.notice, this.lost || sentence);
    if (!this.lost) setTimeout(() => this.notice.textContent === sentence && text(this.notice, this.lost), 8000);
  }
}
