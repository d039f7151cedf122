// What the page of a set shows when that was deleted: that it was, the way back for as long as there is one, and the way home. What is
// drawn is of the past: it is dimmed, takes no keys and no mouse, and nothing more is asked about it.

import { isolated } from "../model/names.js";
import { Back } from "../net/back.js";
import { add, h, text } from "../ui/dom.js";
import { deletedSets, readDeleted, readSet, recoverSet, Refusal, refusalWords, type Deleted } from "./api.js";
import { leaves } from "./deleted.js";

export class Gone {
  private readonly title = h("h2");
  private readonly until = h("p", { class: "minor" });
  private readonly fault = h("p", { class: "fault", role: "alert", hidden: true });
  private readonly undo = h("button", { type: "button", class: "primary", onclick: () => void this.recover() }, "Undo");
  private readonly home = h("a", { href: "/" }, "All trace sets");
  private readonly el = h("section", { class: "gone", role: "region", "aria-label": "The set was deleted", hidden: true });
  /** As long as it can be had back the server is asked whether somebody did that. */
  private readonly looks = new Back(() => this.there(), () => this.back());
  /** It was in neither list when they were looked at last: it may be on its way from one to the other. */
  private between = false;

  /** main has the panels of the page; onBack is called when the set is there again. */
  constructor(private readonly main: HTMLElement, private readonly id: string, private readonly onBack: () => void) {
    add(this.el, this.title, this.until, h("p", { class: "buttons" }, this.undo, this.home), this.fault);
    main.prepend(this.el);
    // Keys that act on what is drawn act on nothing; help and palette are there.
    addEventListener("keydown", (e) => {
      if (!this.el.hidden && !e.ctrlKey && !e.metaKey && e.key !== "?" && !document.querySelector("dialog[open]")) e.stopPropagation();
    }, { capture: true });
  }

  /** The set was deleted. */
  show(name: string): void {
    text(this.title, `“${isolated(name)}” was deleted.`);
    this.undo.setAttribute("aria-label", `Undo: bring back ${isolated(name)}`);
    this.undo.hidden = this.fault.hidden = true;
    text(this.until, "");
    this.turn(true);
    this.between = false;
    this.looks.look();
  }

  private turn(gone: boolean): void {
    const held = document.activeElement;
    if (gone) deletedSets.add(this.id);
    else deletedSets.delete(this.id);
    this.el.hidden = !gone;
    this.main.classList.toggle("past", gone);
    for (const panel of this.main.querySelectorAll<HTMLElement>(":scope > [role=tabpanel]")) panel.inert = gone;
    if (!gone && this.el.contains(held)) this.main.querySelector<HTMLElement>(":scope > [role=tabpanel]:not([hidden])")?.focus({ preventScroll: true });
  }

  // Whether somebody had it back; throws for as long as it is among the deleted ones. Of one in neither list that is seen twice it is known
  // that it is gone for good, and nothing is left to look for.
  private async there(): Promise<void> {
    try {
      const entry = (await readDeleted()).find((d) => d.id === this.id);
      if (entry) {
        this.between = false;
        this.offer(entry);
        throw new Refusal("The set is deleted.", 0);
      }
      await readSet(this.id);
    } catch (e) {
      if (e instanceof Refusal && e.status === 404 && !this.between) this.between = true;
      else if (!(e instanceof Refusal) || !e.retry) this.lost();
      throw e;
    }
  }

  private offer(entry: Deleted): void {
    text(this.until, `What is below is as it was then. ${leaves(entry.until)}`);
    if (!this.undo.hidden) return;
    this.undo.hidden = false;
    if (document.activeElement === document.body) this.undo.focus({ preventScroll: true });
  }

  // Nothing brings it back any more.
  private lost(): void {
    this.looks.end();
    text(this.until, "What is below is as it was then. The set cannot be brought back any more.");
    if (document.activeElement === this.undo || document.activeElement === document.body) this.home.focus({ preventScroll: true });
    this.undo.hidden = true;
  }

  private async recover(): Promise<void> {
    try {
      await recoverSet(this.id);
    } catch (e) {
      text(this.fault, refusalWords(e, ""));
      this.fault.hidden = false;
      return;
    }
    this.back();
  }

  private back(): void {
    if (this.el.hidden) return;
    this.looks.end();
    this.turn(false);
    this.onBack();
  }
}
