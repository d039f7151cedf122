// The help: keys by the view that they act in, and what colours, heights and arrows mean, with a field that leaves of both what is looked for.

import { GROUPS, keyWords, TAB_WORDS, type Command, type CommandTable, type Group } from "../commands/table.js";
import type { Tab } from "../model/shown.js";
import { counted } from "../time/number.js";
import { add, h, text } from "./dom.js";
import { meanings } from "./meanings.js";

/** What acts wherever one is. */
const EVERYWHERE = "In every view";
/** What one looks for in the help even where it has no key. */
const KEPT: Group = "Keep and share";

export function help(commands: CommandTable): HTMLDialogElement {
  const keys = h("div", { class: "keylist" });
  const dialog = h("dialog", { class: "help", "aria-label": "Keys and legend" });
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => dialog.close() }, "×");
  const field = h("input", { type: "search", "aria-label": "Find in the help", placeholder: "A key, or what it does", autocomplete: "off", spellcheck: "false", maxlength: 100 });
  const found = h("span", { class: "minor", role: "status" });
  const meaning = h("section", {}, ...meanings());
  const hands = h("section", {}, h("h2", {}, "Keys and mouse"), keys);
  add(dialog, h("div", { class: "find" }, field, found, close), h("div", { class: "columns" }, hands, meaning));
  const look = () => {
    const typed = field.value.replace(/^\s*\?/, "").trim(); // the key that opened it may come after it
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const n = narrow(hands, ":scope tr", words) + narrow(meaning, ":scope > section", words);
    text(found, words.length === 0 ? "" : n === 0 ? `Nothing fits “${typed}”.` : counted(n, "entry", "entries"));
  };
  field.addEventListener("input", look);
  field.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    e.preventDefault(); // the first clears it, the second closes the help, which a field of this kind keeps the browser from
    if (!/[^\s?]/.test(field.value)) return dialog.close();
    field.value = "";
    look();
  });
  dialog.addEventListener("click", (e) => {
    if (e.target === dialog) dialog.close();
  });
  dialog.addEventListener("beforetoggle", () => {
    // Commands may come until the help is first looked at.
    if (keys.childElementCount === 0) add(keys, ...views(commands));
    field.value = "";
    look();
  });
  document.body.append(dialog);
  return dialog;
}

// Hides what does not have all of some words, and what has nothing else in it; tells how many are left.
function narrow(part: HTMLElement, entries: string, words: readonly string[]): number {
  let left = 0;
  for (const el of part.querySelectorAll<HTMLElement>(entries)) {
    const has = [...[...el.children].map((e) => e.textContent), el.dataset.also].join(" ").toLowerCase();
    const begins = (w: string) => has.split(w).slice(0, -1).some((before) => !/[\p{L}\p{N}]$/u.test(before)); // “raw” is not in “drawing”
    const keys = el.querySelector("kbd")?.textContent?.toLowerCase().split(/[\s,]+/) ?? [];
    el.hidden = !words.every((w) => (w.length > 1 ? begins(w) : keys.includes(w))); // a letter alone is a key
    if (!el.hidden) left++;
  }
  for (const around of part.querySelectorAll<HTMLElement>("table, .view")) around.hidden = !around.querySelector("tr:not([hidden])");
  part.hidden = left === 0;
  return left;
}

// The keys of each view, in the order of the tabs, behind those that act in all; and what is saved and shared, which has mostly none.
function views(commands: CommandTable): HTMLElement[] {
  const tabs: (Tab | undefined)[] = [undefined, ...(Object.keys(TAB_WORDS) as Tab[])];
  return tabs.flatMap((tab) => {
    const name = tab ? TAB_WORDS[tab] : EVERYWHERE;
    const listed = commands.all().filter((c) => c.tab === tab && (keyWords(c) !== "" || (c.group === KEPT && c.run)));
    return listed.length > 0 ? [h("section", { class: "view", "aria-label": name }, h("h3", {}, name), ...tables(listed, name))] : [];
  });
}

// A table of keys for each group that has any. Those of a part of the view say which has the focus then.
function tables(listed: readonly Command[], view: string): HTMLElement[] {
  return GROUPS.flatMap((group) => {
    const rows = listed.filter((c) => c.group === group).map((c) => {
      const row = h("tr", {}, h("th", { scope: "row" }, keyWords(c) ? h("kbd", {}, keyWords(c)) : h("span", { class: "minor" }, "in Commands")), h("td", {}, h("span", { class: "words" }, c.words), c.part ? h("span", { class: "minor" }, ` (${c.part})`) : null));
      row.dataset.also = `${view} ${group} ${c.also ?? ""}`;
      return row;
    });
    return rows.length > 0 ? [h("table", { class: "keys" }, h("caption", {}, group), h("tbody", {}, ...rows))] : [];
  });
}
