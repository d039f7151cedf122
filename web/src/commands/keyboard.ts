// Keys of the page: what is struck is looked up in the table of commands.

import type { View } from "../model/view.js";
import type { CommandTable } from "./table.js";

/** Whether a key is meant for a field or a dialog, and not for the page. */
export function typing(e: KeyboardEvent): boolean {
  const t = e.target as HTMLElement | null;
  // What was typed into may have closed with its dialog, and keeps the focus until the next frame.
  const field = !!t && !t.closest?.("dialog:not([open])") && (t.isContentEditable || (/^(INPUT|TEXTAREA)$/.test(t.tagName) && (t as HTMLInputElement).type !== "checkbox") || (t instanceof HTMLSelectElement && takes(t, e.key)));
  return field || asked();
}

// What is chosen from takes keys with a name, and letters that stand in it: by these a choice is gone to.
function takes(list: HTMLSelectElement, key: string): boolean {
  return key.length > 1 || key === " " || [...list.options].some((o) => o.text.toLowerCase().includes(key.toLowerCase()));
}

// Whether a dialog waits for an answer.
const asked = () => !!document.querySelector("dialog[open]");

/** What was struck, as the table of commands writes it. */
export function struck(e: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey">): string {
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  const named = e.key.length > 1 || /\p{L}/u.test(e.key);
  return (e.ctrlKey || e.metaKey ? "Ctrl+" : "") + (e.shiftKey && named ? "Shift+" : "") + key;
}

// Gives the keys of a field back to the page; one to search by is cleared.
function leave(field: HTMLInputElement | HTMLSelectElement): void {
  if (field.type === "search" && field.value) {
    field.value = "";
    field.dispatchEvent(new Event("input"));
  }
  field.blur();
}

/** Runs commands by their keys, from now on; say tells what a key needs that cannot do what it does, and is told "" by one that can. */
export function listen(commands: CommandTable, view: View, say: (sentence: string) => void): void {
  addEventListener("keydown", (e) => {
    const key = struck(e);
    if (key === "Escape" && (e.target instanceof HTMLSelectElement || (e.target instanceof HTMLInputElement && /^(text|search)$/.test(e.target.type))) && !e.defaultPrevented && !asked()) return leave(e.target);
    // With Ctrl a key means the same in a field.
    if ((key.startsWith("Ctrl+") ? asked() : typing(e)) || e.altKey || e.defaultPrevented) return;
    const command = commands.by(key, view.tab);
    const needs = command ? "" : commands.needs(key, view.tab);
    if (command || needs) say(needs);
    if (!command) return;
    // Arrows move among what belongs together, and so they do on what scrolls by them.
    if ((e.target as HTMLElement).closest?.("[role=tab],[role=radio],[role=separator]") && e.key.startsWith("Arrow")) return;
    e.preventDefault();
    command.run!();
  });
}
