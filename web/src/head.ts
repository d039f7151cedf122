// The script in the head, which runs before anything is drawn and, over a slow line, seconds before those that the page works by: it applies the stored
// theme, nothing stored means the system's, opens the connection to the set of the page, and keeps what is done to the page meanwhile, which is done
// once the page works.

import { dropped, type Found } from "./home/parcel.js";
import { openFirst } from "./net/first.js";
import { WORKS, type Works } from "./ui/works.js";

const stored = localStorage.getItem("theme");
if (stored === "light" || stored === "dark" || stored === "contrast") document.documentElement.dataset.theme = stored;

const set = document.currentScript?.dataset.set;
if (set) openFirst(set);

/** What was pressed, in this order. */
const pressed = new Set<HTMLButtonElement>();
const found: Promise<Found[]>[] = [];

// A page that no script comes for takes no files: the browser does with them what it does.
function filesOf(e: Event): DataTransfer | null {
  const { dataTransfer } = e as DragEvent;
  if (!dataTransfer?.types.includes("Files") || !document.querySelector("script[type=module]")) return null;
  e.preventDefault();
  return dataTransfer;
}

const kept: { readonly [kind: string]: (e: Event) => void } = {
  click: (e) => {
    const button = e.target instanceof Element ? e.target.closest("button") : null;
    if (!button) return;
    pressed.delete(button);
    pressed.add(button);
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
addEventListener(WORKS, (e) => {
  for (const [kind, keep] of Object.entries(kept)) removeEventListener(kind, keep);
  // What a dialog is over cannot be pressed.
  for (const button of pressed) if (!document.querySelector("dialog:modal")) button.click();
  for (const these of found) (e as Works).detail(these);
}, { once: true });
