// The dialog in which the text of a bookmark is written.

import { add, h, text } from "../ui/dom.js";
import { openModal } from "../ui/modal.js";
import { LONGEST } from "./bookmarks.js";

export class Note {
  private readonly where = h("p", { class: "minor" });
  private readonly field = h("textarea", { rows: 4, "aria-label": "Text of the bookmark", maxlength: LONGEST, placeholder: "What is to be seen here?" });
  private readonly wrong = h("p", { class: "fault", role: "alert", hidden: true });
  private readonly save = h("button", { type: "submit", class: "primary" }, "Save");
  private readonly dialog = h("dialog", { class: "note-dialog", "aria-label": "Bookmark" });
  private done: (words: string) => Promise<unknown> = async () => {};
  private closed = () => {};

  constructor() {
    const form = h("form", { method: "dialog", onsubmit: (e: Event) => void this.submit(e) },
      h("h2", {}, "Bookmark"), this.where, this.field, this.wrong,
      h("p", { class: "buttons" }, h("small", {}, "Enter saves, Shift + Enter begins a line"), h("span", { class: "space" }),
        h("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel"), this.save));
    add(this.dialog, form);
    this.field.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
      e.preventDefault();
      form.requestSubmit();
    });
    this.dialog.addEventListener("close", () => this.closed());
    document.body.append(this.dialog);
  }

  /** Asks for a text; done keeps it, and what it fails with is said. However that ends, closed is called then. */
  ask(where: string, words: string, done: (words: string) => Promise<unknown>, closed = () => {}): void {
    if (this.dialog.open) return;
    this.closed = closed;
    text(this.where, where);
    this.field.value = words;
    this.wrong.hidden = true;
    this.done = done;
    openModal(this.dialog);
    this.field.focus();
    this.field.select();
  }

  private async submit(e: Event): Promise<void> {
    e.preventDefault();
    if (this.save.disabled) return;
    this.save.disabled = true;
    try {
      await this.done(this.field.value);
      this.dialog.close();
    } catch (e) {
      text(this.wrong, (e as Error).message);
      this.wrong.hidden = false;
    } finally {
      this.save.disabled = false;
    }
  }
}
