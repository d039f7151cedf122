// The command palette: a field and under it what fits, commands, times, hosts and threads. It is opened by
// Ctrl+K or a colon, and worked without leaving the field.

import { isolated } from "../model/names.js";
import type { Tab } from "../model/shown.js";
import { counted, group } from "../time/number.js";
import { add, fill, h, text } from "../ui/dom.js";
import { openModal } from "../ui/modal.js";
import { fit } from "./fuzzy.js";
import { keyWords, type Command, type CommandTable, type Group } from "./table.js";

/** One line of the palette. */
export interface Choice {
  readonly words: string;
  /** What tells it from others by the same name, said after the words; "" or none where there is nothing. */
  readonly note?: string;
  /** What kind of thing it is. */
  readonly kind: string;
  readonly key?: string;
  /** Why it cannot be chosen now; "" or none where it can. */
  readonly why?: string;
  /** Letters of words that fit what was typed. */
  readonly at?: readonly number[];
  readonly score: number;
  readonly run: () => void;
}

/** What fits what was typed, best first. Of many it may be only so many as there is room for, and how many there are in all. */
export type Source = (typed: string, room: number) => readonly Choice[] | { readonly choices: readonly Choice[]; readonly all: number };

const MOST = 60;
/** What has no button on the page is on top where nothing is typed. */
const SEEN_NOWHERE: Group = "Keep and share";
const PAGE = 8;
/** What is ahead of others where one is comes before what fits a little better. */
const FIRST = 20;

/** The commands that can be done now, as a source; of those that cannot and say what they need, also the ones that fit what was typed better than any that can,
 * however long their words: else something that has its letters by chance would stand in their place. go opens the tab that one belongs to. */
export function commandSource(commands: CommandTable, go: (tab: Tab) => void, here: () => Tab): Source {
  return (typed) => {
    const runs = commands.all().filter((c) => c.run);
    const possible = (c: Command) => c.possible?.() !== false;
    const found = (among: readonly Command[]) => among.flatMap((c): { choice: Choice; fits: number }[] => {
      const same = among.filter((o) => o.words === c.words); // what two tabs have is told once, of the one that is open
      const fits = c === (same.find((o) => o.tab === here()) ?? same[0]) ? fit(typed, c.words, c.also) : null;
      if (!fits) return [];
      const choice = { words: c.words, kind: c.group, key: keyWords(c), at: fits.at, score: fits.score + (c.first === here() ? FIRST : 0) };
      return [{ fits: Math.round(fits.score), choice: { ...choice, why: possible(c) ? "" : (c.needs ?? ""), run: () => {
        if (c.tab) go(c.tab);
        c.run!();
      } } }];
    });
    const can = found(runs.filter(possible));
    const out = can.map((f) => f.choice);
    if (!typed) return [...out.filter((c) => c.kind === SEEN_NOWHERE), ...out.filter((c) => c.kind !== SEEN_NOWHERE)];
    const best = Math.max(...can.map((f) => f.fits));
    const cannot = found(runs.filter((c) => !possible(c) && c.needs)).filter((f) => f.fits > best).map((f) => f.choice);
    const order = (some: readonly Choice[]) => [...some].sort((a, b) => b.score - a.score);
    return [...order(cannot), ...order(out)];
  };
}

export class Finder {
  private readonly field = h("input", {
    type: "text", role: "combobox", "aria-label": "Command, time, host or thread", "aria-expanded": "true", "aria-controls": "finder-list", "aria-autocomplete": "list",
    placeholder: "A command, a time such as +3.5 ms or 19:01:23.4, a host or a thread", autocomplete: "off", spellcheck: "false", maxlength: 200,
  });
  private readonly list = h("ul", { id: "finder-list", role: "listbox", "aria-label": "What fits" });
  private readonly told = h("p", { class: "told", role: "status" });
  private readonly dialog = h("dialog", { class: "finder", "aria-label": "Commands" }, this.field, this.list, this.told);
  private choices: Choice[] = [];
  private active = 0;

  constructor(private readonly sources: readonly Source[]) {
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("keydown", (e) => this.key(e));
    this.list.addEventListener("click", (e) => this.choose(this.under(e)));
    this.list.addEventListener("pointermove", (e) => this.mark(this.under(e), false));
    this.dialog.addEventListener("click", (e) => {
      if (e.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  /** Opens with something typed already, "" for nothing. */
  open(typed = ""): void {
    if (this.dialog.open) return;
    this.field.value = typed;
    openModal(this.dialog);
    this.field.focus();
    this.look();
  }

  private look(): void {
    const typed = this.field.value.replace(/^\s*:/, "").trim();
    const found: Choice[] = [];
    let n = 0;
    for (const source of this.sources) {
      const some = source(typed, Math.max(1, MOST - found.length));
      const { choices, all } = "choices" in some ? some : { choices: some, all: some.length };
      found.push(...choices);
      n += all;
    }
    const whole = (c: Choice) => c.words.toLowerCase() === typed.toLowerCase(); // nothing fits better, whatever it is
    const all = [...found.filter(whole), ...found.filter((c) => !whole(c))];
    this.choices = all.slice(0, MOST);
    fill(this.list, ...this.choices.map((c, i) => option(c, i)));
    text(this.told, n === 0 ? `Nothing fits “${isolated(typed)}”.` : n > this.choices.length ? `The first ${this.choices.length} of ${group(n)}; type more to have fewer.` : counted(n, "choice"));
    this.list.scrollTop = 0;
    this.mark(this.choices.length > 0 ? 0 : -1, true);
  }

  private key(e: KeyboardEvent): void {
    if (e.isComposing || e.ctrlKey || e.metaKey || e.altKey) return;
    const n = this.choices.length;
    if (e.key === "Enter") this.choose(this.active);
    else if (n === 0) return;
    else if (e.key === "ArrowDown") this.mark((this.active + 1) % n, true);
    else if (e.key === "ArrowUp") this.mark((this.active + n - 1) % n, true);
    else if (e.key === "PageDown") this.mark(Math.min(n - 1, this.active + PAGE), true);
    else if (e.key === "PageUp") this.mark(Math.max(0, this.active - PAGE), true);
    else return;
    e.preventDefault();
  }

  private under(e: Event): number {
    return Number((e.target as Element).closest<HTMLElement>("[role=option]")?.dataset.at ?? -1);
  }

  private mark(i: number, scroll: boolean): void {
    if (i < 0 && this.choices.length > 0) return;
    this.active = i;
    for (const el of this.list.children) el.setAttribute("aria-selected", String(el === this.list.children[i]));
    const el = this.list.children[i];
    if (!el) {
      this.field.removeAttribute("aria-activedescendant");
      return;
    }
    this.field.setAttribute("aria-activedescendant", el.id);
    if (scroll) el.scrollIntoView({ block: "nearest" });
  }

  private choose(i: number): void {
    const choice = this.choices[i];
    if (!choice || choice.why) return;
    this.dialog.close(); // focus goes back first: a command may take it elsewhere
    choice.run();
  }
}

function option(c: Choice, i: number): HTMLElement {
  const words = h("span", { class: "words" });
  let end = 0;
  for (const at of [...new Set(c.at ?? [])].sort((a, b) => a - b)) {
    add(words, c.words.slice(end, at), h("b", {}, c.words[at]));
    end = at + 1;
  }
  add(words, c.words.slice(end), c.note ? h("small", {}, `, ${c.note}`) : null);
  return h("li", { role: "option", id: `finder-${i}`, "data-at": i, "aria-disabled": c.why ? "true" : null },
    words, h("span", { class: "kind" }, c.why || c.kind), c.key ? h("kbd", {}, c.key) : null);
}
