// The help of the page of all trace sets: how it works, and its keys.

import { typing } from "../commands/keyboard.js";
import { add, byId, h } from "../ui/dom.js";
import { openModal, opensDialog } from "../ui/modal.js";

const HOW: readonly string[] = [
  "Record each machine with LTTng. Drop what was recorded here all at once: it becomes one trace set. Archives and folders can be mixed.",
  "The viewer opens as soon as there is something to see. You can look around while the rest is read.",
  "Every message between two machines is sent before it arrives. From many of them follows how their clocks differ, and the times of all machines are put on one time axis. Every ± says by how much a time may be wrong at most.",
  "Click a state or a message in the timeline to see its times, and what a thread waited for. In a set, ? lists all keys and says what colours mean; Ctrl + K finds commands, times, hosts and threads.",
  "What an import found odd or missing is in the tab Import of the set.",
  "An upload that breaks off goes on: drop the same files again. A set that was deleted can be brought back for ten minutes.",
];

const KEYS: readonly (readonly [string, string])[] = [
  ["?", "Show this help"],
  ["/", "Find trace sets by name, host or date"],
  ["Tab", "Go on to the next set, button or field"],
  ["Enter", "Open the set that has the focus"],
  ["Enter", "While a set is renamed: take the name"],
  ["Esc", "While a set is renamed: leave its name as it was"],
];

/** Makes the help and its button and keys; find is the field that sets are searched with, if it is shown. */
export function homeHelp(find: HTMLInputElement): void {
  const dialog = h("dialog", { class: "help home", "aria-label": "How it works" });
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => dialog.close() }, "×");
  const keys = KEYS.map(([key, words]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, words)));
  add(dialog, h("div", { class: "find" }, h("h2", {}, "How it works"), close), h("ul", {}, ...HOW.map((words) => h("li", {}, words))), h("h2", {}, "Keys"), h("table", { class: "keys" }, h("tbody", {}, ...keys)));
  dialog.addEventListener("click", (e) => {
    if (e.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  opensDialog(byId("help-open"), () => openModal(dialog));
  addEventListener("keydown", (e) => {
    if (typing(e) || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (e.key === "?") openModal(dialog);
    else if (e.key === "/" && find.checkVisibility()) find.focus();
    else return;
    e.preventDefault();
  });
}
