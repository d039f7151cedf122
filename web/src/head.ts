// The script in the head, which runs before anything is drawn and, over a slow line, seconds before those that the page works by: it applies the stored
// theme, nothing stored means the system's, opens the connection to the set of the page, says that the page is on its way where that takes a while, and
// keeps what is done to it meanwhile, which is done once the page works.

import { dropped, type Found } from "./home/parcel.js";
import { openFirst } from "./net/first.js";
import { WORKS, type Works } from "./ui/works.js";

/** After so many ms without the script that the page works by it is said that it is on its way. */
const WHILE = 1000;
/** So many keys are kept. */
const MOST_KEYS = 1024;

/** Where keys are text. */
const WRITTEN = "textarea, input:not([type=radio], [type=checkbox], [type=range], [type=button])";

const stored = localStorage.getItem("theme");
if (stored === "light" || stored === "dark" || stored === "contrast") document.documentElement.dataset.theme = stored;

const set = document.currentScript?.dataset.set;
if (set) openFirst(set);

/** What was pressed, in this order: buttons, each where it was pressed last, and keys. */
const pressed = new Set<HTMLButtonElement | KeyboardEventInit>();
const found: Promise<Found[]>[] = [];

const script = () => document.querySelector("script[type=module]");

// A page that no script comes for takes no files: the browser does with them what it does.
function filesOf(e: Event): DataTransfer | null {
  const { dataTransfer } = e as DragEvent;
  if (!dataTransfer?.types.includes("Files") || !script()) return null;
  e.preventDefault();
  return dataTransfer;
}

// What is said in the place of the page, until it works.
const said = document.createElement("p");
said.className = "minor early";
said.setAttribute("role", "status");
function say(...what: (string | Node)[]): void {
  const main = document.querySelector("main");
  if (!main || !script()) return;
  if (said.parentNode !== main) main.prepend(said);
  said.replaceChildren(...what);
}
const waits = setTimeout(() => say("The page is on its way…"), WHILE);

const kept: { readonly [kind: string]: (e: Event) => void } = {
  click: (e) => {
    const button = e.target instanceof Element ? e.target.closest("button") : null;
    if (!button || said.contains(button)) return;
    pressed.delete(button);
    pressed.add(button);
  },
  // Keys with a letter are commands, or what is typed where one of them leads; what others do, such as Tab and Enter, they have done.
  keydown: (e) => {
    const { key, code, shiftKey, ctrlKey, metaKey, altKey } = e as KeyboardEvent;
    const typed = e.target instanceof Element && !!e.target.closest(key === " " ? "input, textarea, select, button" : "input, textarea, select");
    const plain = (!ctrlKey && !metaKey && !altKey) || (e as KeyboardEvent).getModifierState("AltGraph");
    if ((key.length === 1 || (key === "Backspace" && pressed.size > 0)) && !typed && plain && pressed.size < MOST_KEYS) pressed.add({ key, code, shiftKey });
  },
  // A file that nobody takes would be opened in the place of the page.
  dragover: (e) => void filesOf(e),
  drop: (e) => {
    const files = filesOf(e);
    if (!files) return;
    const these = dropped(files.items);
    these.catch(() => {}); // whoever takes it tells why
    found.push(these);
  },
};
for (const [kind, keep] of Object.entries(kept)) addEventListener(kind, keep);

// What the page works by has run by then, if it came and could.
const failed = () => {
  clearTimeout(waits);
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = "Load it again";
  again.addEventListener("click", () => location.reload());
  say("A part of this page did not come, or cannot be read: the server, or the way to it, may have been away. ", again);
};
addEventListener("load", failed);

addEventListener(WORKS, (e) => {
  clearTimeout(waits);
  said.remove();
  removeEventListener("load", failed);
  for (const [kind, keep] of Object.entries(kept)) removeEventListener(kind, keep);
  // What a dialog is over cannot be pressed.
  for (const deed of pressed) {
    const at = document.activeElement ?? document.body;
    const written = !(deed instanceof HTMLButtonElement) && at.matches(WRITTEN);
    if (document.querySelector("dialog:modal") && !written) break;
    if (deed instanceof HTMLButtonElement) deed.click();
    else if (written) document.execCommand(deed.key === "Backspace" ? "delete" : "insertText", false, deed.key);
    else if (deed.key !== " " && deed.key !== "Backspace") at.dispatchEvent(new KeyboardEvent("keydown", { ...deed, bubbles: true, cancelable: true }));
  }
  for (const these of found) (e as Works).detail(these);
}, { once: true });
