// Any two hosts, compared directly: chosen in the graph or by name.

import { readBetween, Refusal } from "../home/api.js";
import { unlinkedWords, type AskedLink } from "../model/pair.js";
import { shortened } from "../model/shortened.js";
import type { Between } from "../net/json.js";
import type { Context } from "../timeline/controlflow.js";
import type { Ns } from "../time/time.js";
import { add, fill, h, keepFocus, text } from "../ui/dom.js";
import { aheadWords, asked, silentWords, wayWords } from "./between.js";
import { chosenMoment, middleWords, pointedMoment, type Moment } from "./instant.js";
import { thereWords } from "./there.js";
import { When } from "./when.js";

export class Compare {
  readonly el = h("section", { class: "card compare", "aria-label": "Compare two hosts" });
  private readonly first = h("select", { "aria-label": "Compare host", onchange: () => this.chosen() });
  private readonly second = h("select", { "aria-label": "with host", onchange: () => this.chosen() });
  private readonly words = h("p", { role: "status" });
  private readonly way = h("p", { class: "minor" });
  /** That what the address names is none of this set. */
  private readonly stranger = h("p", { class: "note", role: "status", hidden: true });
  private readonly when: When;
  private answer: Between | null = null;
  private wanted = "";
  private names = "";

  /** The instant that the plot of errors is pointed at, reference time; null where it is not. */
  instant: () => Ns | null = () => null;

  /** Other hosts are compared. */
  onChosen: () => void = () => {};

  /** What the address names and this set has not is wanted no more. */
  onForget: () => void = () => {};

  /** The link that the address names, and that which is shown. */
  link: () => AskedLink = () => ({ asked: null, shown: null });

  /** Another instant is meant. */
  onMoment: () => void = () => {};

  constructor(private readonly id: string, private readonly c: Context) {
    this.when = new When(c, () => {
      this.say();
      this.onMoment();
    });
    add(this.el, h("div", { class: "line" }, h("span", {}, "Compare"), this.first, h("span", {}, "with"), this.second, this.when.el, this.words), this.way, this.stranger);
  }

  /** A host was clicked: it is the first of two, or the second. */
  pick(name: string): void {
    const { view } = this.c;
    const [a, b] = this.names.split("\n").includes(view.compared[0]) ? view.compared : ["", ""];
    if (!a || b) view.compared = [name, ""];
    else if (a === name) view.compared = ["", ""];
    else view.compared = [a, name];
    this.changed();
  }

  /** Waits for the first of two hosts. */
  focus(): void {
    this.first.focus();
  }

  private chosen(): void {
    this.c.view.compared = [this.first.value, this.second.value];
    this.changed();
  }

  private changed(): void {
    this.c.view.emit();
    this.render();
    this.onChosen();
  }

  render(): void {
    const { set, view } = this.c;
    this.el.hidden = set.hosts.length < 2;
    const names = set.hosts.map((x) => x.name);
    if (this.names !== names.join("\n")) {
      this.names = names.join("\n");
      for (const s of [this.first, this.second]) fill(s, h("option", { value: "" }, "a host"), ...names.map((n) => h("option", { value: n, title: n }, shortened(n, 16, 12))));
    }
    const [a, b] = view.compared.map((n) => (names.includes(n) ? n : ""));
    [this.first.value, this.second.value] = [a, b];
    this.noteStranger(names);
    this.el.hidden &&= this.stranger.hidden;
    if (a && b && a !== b && set.info?.state === "ready") this.ask(a, b);
    else {
      this.answer = null;
      this.wanted = "";
    }
    this.say();
  }

  private noteStranger(names: readonly string[]): void {
    const { view, set } = this.c;
    const words = set.clocks ? unlinkedWords(this.link(), view.compared, names, set.importing) : "";
    this.stranger.hidden = !words;
    if (words !== (this.stranger.firstChild?.textContent ?? "")) keepFocus(this.stranger, () => fill(this.stranger, words, h("button", { type: "button", onclick: () => this.forget() }, "Forget it")));
  }

  private forget(): void {
    const { set, view } = this.c;
    view.compared = view.compared.map((n) => (set.hosts.some((x) => x.name === n) ? n : "")) as [string, string];
    this.onForget();
    this.first.focus(); // the button goes
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    if (!this.wanted || this.answer) return;
    this.wanted = "";
    this.render();
  }

  // Asked once for each pair and version of the clocks.
  private ask(first: string, second: string): void {
    const [a, b] = asked(this.c.set, first, second);
    const key = [a, b, this.c.set.clocks?.version].join("\n");
    if (key === this.wanted) return;
    if (this.answer?.a !== a || this.answer.b !== b) this.answer = null;
    this.wanted = key;
    readBetween(this.id, a, b)
      .then((answer) => {
        if (this.wanted !== key) return;
        this.answer = answer;
        this.say();
      })
      .catch((e: unknown) => {
        if (this.wanted !== key) return;
        this.answer = null;
        text(this.words, e instanceof Refusal ? e.message : String(e));
        text(this.way, "");
      });
  }

  /** Says it once more, as for another instant. */
  say(): void {
    const { set } = this.c;
    const first = set.hosts.find((x) => x.name === this.first.value)?.index;
    this.when.render(this.moment(first)[1], this.instant() !== null, middleWords(set, first));
    if (this.when.wrong) {
      text(this.words, this.when.wrong);
      text(this.way, "");
      return;
    }
    const [a, b] = [this.first.value, this.second.value];
    if (!this.answer) {
      if (this.wanted) return;
      const ask = "Choose two hosts, here or by clicks in the graph: it says how far their clocks are apart.";
      text(this.words, !a || !b ? ask : a === b ? "These are one host." : "Hosts are compared when the import is complete.");
      text(this.way, thereWords(set, this.moment(first)[1], a && b && a !== b ? "" : a || b));
      return;
    }
    const answer = this.answer;
    const [of, index] = [a, answer.a].map((name) => set.hosts.find((x) => x.name === name)?.index ?? -1);
    const [when, t] = this.moment(of);
    const local = set.toLocal(index, t);
    const silent = set.hosts.flatMap((x) => {
      const own = x.name === a || x.name === b ? set.extent(x.index, false) : null;
      return (x.name === a || x.name === b) && !recorded(own, t) ? [{ name: x.name, later: own !== null && t < own.begin }] : [];
    });
    const words = local === null ? "" : aheadWords(answer, local, a, silent.length === 0);
    text(this.words, words && `${words} ${when}.${silentWords(silent)}`);
    text(this.way, wayWords(answer, set.link(a, b), a));
  }

  /** Which instant is meant, and its words: where the plot is pointed at, else the chosen one. */
  moment(of?: number): Moment {
    const { set, view } = this.c;
    const at = this.instant();
    return at === null ? chosenMoment(set, view, of) : pointedMoment(set, at);
  }
}

function recorded(e: { readonly begin: Ns; readonly end: Ns } | null, t: Ns): boolean {
  return e !== null && t >= e.begin && t <= e.end;
}
