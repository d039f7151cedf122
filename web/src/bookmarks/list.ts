// The list of bookmarks: by time, each to go to, to edit and to delete, with the mouse or by keys.

import { isolated } from "../model/names.js";
import { counted } from "../time/number.js";
import { fill, h, text } from "../ui/dom.js";
import { openModal } from "../ui/modal.js";
import type { Bookmark } from "./bookmarks.js";

export interface Line {
  readonly b: Bookmark;
  readonly when: string;
  readonly where: string;
}

export class BookmarkList {
  onGo: (b: Bookmark) => void = () => {};
  onEdit: (b: Bookmark) => void = () => {};
  onDelete: (b: Bookmark) => void = () => {};
  onUndo: (b: Bookmark) => void = () => {};
  private readonly count = h("small");
  private readonly deleted: Bookmark[] = []; // the last is brought back first
  private readonly last = h("span", { role: "status" });
  private readonly undo = h("button", { type: "button", onclick: () => this.bringBack() }, "Undo");
  private readonly back = h("p", { class: "line", hidden: true }, this.last, this.undo);
  private readonly lines = h("ul");
  private readonly dialog = h("dialog", { class: "bookmark-list", "aria-label": "Bookmarks" });
  private shown: readonly Line[] = [];

  constructor(onAdd: () => void) {
    const head = h("div", { class: "line" }, h("h2", {}, "Bookmarks"), this.count, h("span", { class: "space" }),
      h("button", { type: "button", onclick: () => { this.dialog.close(); onAdd(); } }, "New bookmark…"),
      h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => this.dialog.close() }, "×"));
    this.dialog.append(head, this.back, this.lines, h("p", { class: "minor" }, h("small", {}, "↑ and ↓ choose, Enter goes there, E edits, Delete deletes.")));
    this.lines.addEventListener("keydown", (e) => this.key(e));
    this.dialog.addEventListener("click", (e) => {
      if (e.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  get open(): boolean {
    return this.dialog.open;
  }

  /** The bookmark of the line that has the focus. */
  get at(): Bookmark | undefined {
    return this.shown[this.focused()]?.b;
  }

  /** Shows the lines. The one of a bookmark has the focus, else the place that had it. */
  show(lines: readonly Line[], of?: Bookmark): void {
    const line = lines.findIndex((l) => l.b.id === of?.id);
    const at = line >= 0 ? line : Math.max(0, this.focused());
    this.shown = lines;
    text(this.count, counted(lines.length, "bookmark"));
    fill(this.lines, ...(lines.length > 0 ? lines.map((l) => this.item(l)) : [h("li", { class: "none" }, "There is none yet. B sets one at the cursor, on the row under the pointer, or the selected one.")]));
    if (!this.dialog.open) openModal(this.dialog);
    this.focus(at);
  }

  close(): void {
    this.dialog.close();
  }

  /** Offers to bring back what was deleted. */
  offer(b: Bookmark): void {
    this.deleted.push(b);
    this.tell();
    if (this.shown.length === 0) this.undo.focus();
  }

  private bringBack(): void {
    const b = this.deleted.pop();
    this.tell();
    if (b) this.onUndo(b);
  }

  private tell(): void {
    const b = this.deleted[this.deleted.length - 1];
    text(this.last, b ? `“${short(b)}” was deleted.` : "");
    this.back.hidden = !b;
  }

  private item(l: Line): HTMLElement {
    return h("li", {},
      h("button", { type: "button", class: "go", onclick: () => this.onGo(l.b) }, h("span", { class: "t" }, `${l.when} · ${l.where}`), h("span", { class: "text" }, l.b.text)),
      h("button", { type: "button", "aria-label": `Edit “${short(l.b)}”`, onclick: () => this.onEdit(l.b) }, "Edit"),
      h("button", { type: "button", "aria-label": `Delete “${short(l.b)}”`, onclick: () => this.onDelete(l.b) }, "Delete"));
  }

  private focused(): number {
    return [...this.lines.children].findIndex((li) => li.contains(document.activeElement));
  }

  private focus(i: number): void {
    const go = [...this.lines.querySelectorAll<HTMLElement>(".go")];
    go[Math.min(go.length - 1, Math.max(0, i))]?.focus();
  }

  private key(e: KeyboardEvent): void {
    const i = this.focused();
    const line = this.shown[i];
    if (!line || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "ArrowDown") this.focus(i + 1);
    else if (e.key === "ArrowUp") this.focus(i - 1);
    else if (e.key.toLowerCase() === "e") this.onEdit(line.b);
    else if (e.key === "Delete") this.onDelete(line.b);
    else return;
    e.preventDefault();
  }
}

function short(b: Bookmark): string {
  return isolated(b.text.split("\n", 1)[0].slice(0, 60));
}
