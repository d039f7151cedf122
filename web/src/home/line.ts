// One line of the list of sets. It keeps its elements while the list is refreshed, so that a name being edited stays.

import { isolated } from "../model/names.js";
import { unreadWords } from "../model/unread.js";
import { anyLost, lostWords } from "../model/losses.js";
import { bytes, counted } from "../time/number.js";
import { add, fill, h, text } from "../ui/dom.js";
import { deleteSet, renameSet, startImport, type SetStatus } from "./api.js";
import { arrivedOf, missingWords, type Arrived } from "./arrived.js";
import { recall } from "./memory.js";
import { readingWords } from "./pace.js";

const STATES: Record<SetStatus["state"], string> = { uploading: "upload not finished", importing: "importing", ready: "ready", failed: "failed" };

/** What a line asks of the page. */
export interface Asks {
  changed: () => void;
  /** The set was deleted. */
  deleted: (set: SetStatus) => void;
  /** The upload is to go on; files are to be chosen for it. */
  goOn: (set: SetStatus) => void;
  /** Whether this page uploads it now. */
  busy: (id: string) => boolean;
  /** And what it does with it. */
  doing: (id: string) => string;
  /** Whether another tab of this browser uploads it now. */
  elsewhere: (id: string) => boolean;
}

export class Line {
  readonly el = h("li", { class: "set" });
  private readonly link = h("a", { class: "name" });
  private readonly edit = h("input", { class: "name", "aria-label": "Name", hidden: true, maxlength: 200 });
  private readonly state = h("span", { class: "state" });
  private readonly inner = h("i");
  private readonly bar = h("span", { class: "bar", role: "progressbar", "aria-label": "Import", "aria-valuemin": 0, "aria-valuemax": 100 }, this.inner);
  private readonly facts = h("span", { class: "t facts" });
  private readonly missing = h("p", { class: "warn", hidden: true });
  private readonly fault = h("p", { class: "fault", hidden: true });
  private readonly why = h("p", { class: "minor", role: "status", hidden: true });
  private readonly report = h("a", {}, "Import report");
  private readonly unread = h("p", { class: "warn", hidden: true }, h("span"), " ", this.report);
  private readonly renaming = h("button", { type: "button", onclick: () => this.startEditing() }, "Rename");
  private readonly deleting = h("button", { type: "button", onclick: () => void this.remove() }, "Delete");
  private readonly actions = h("span", { class: "actions" });
  private status: SetStatus;
  private returns = false; // the keys have ended an editing, and come back once that is done

  constructor(status: SetStatus, private readonly asks: Asks) {
    this.status = status;
    const told = h("div", { class: "told" }, this.link, this.edit, h("span", { class: "how" }, this.state, this.bar));
    add(this.el, h("div", { class: "first" }, told, this.actions), this.facts, this.missing, this.unread, this.why, this.fault);
    this.edit.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" && e.key !== "Escape") return;
      e.preventDefault(); // or the key presses the button that has the focus then
      if (e.repeat) return; // it is held since it pressed the button
      if (e.key === "Escape") this.stopEditing();
      this.returns = true;
      void this.rename().then(() => {
        this.returns = false;
        if (document.activeElement === document.body) this.renaming.focus();
      });
    });
    this.edit.addEventListener("blur", () => void this.rename());
    // A key that is held since it ended the editing does not begin another.
    this.renaming.addEventListener("keydown", (e) => e.repeat && e.preventDefault());
    this.update(status);
  }

  focus(): void {
    this.link.focus();
  }

  /** Whether it has the focus, or is about to have it again. */
  get focused(): boolean {
    return this.returns || this.el.contains(document.activeElement);
  }

  /** Says whether it stays in the list though it is not what is searched for any more. */
  stray(is: boolean): void {
    text(this.why, is ? "No longer found by this search: it leaves the list when you go on." : "");
    this.why.hidden = !is;
  }

  // It is being uploaded now.
  private get moves(): boolean {
    return this.asks.busy(this.status.id) || this.asks.elsewhere(this.status.id);
  }

  // What has arrived of an upload that rests; null of any other set.
  private arrived(): Arrived | null {
    const { status } = this;
    return status.state === "uploading" && !this.moves ? arrivedOf(status.files ?? [], recall(status.id)) : null;
  }

  private buttons(arrived: Arrived | null): void {
    const kind = !arrived ? "" : arrived.fit ? "whole" : "more";
    const some = arrived && arrived.whole < arrived.archives ? ` (${arrived.whole} of ${arrived.archives})` : "";
    const halted = this.status.halted === true;
    if (this.actions.dataset.kind === kind + some + String(halted)) return;
    this.actions.dataset.kind = kind + some + String(halted);
    const focused = this.actions.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    fill(this.actions,
      kind ? h("button", { type: "button", title: "Choose the files that were being uploaded", onclick: () => this.asks.goOn(this.status) }, "Go on…") : null,
      halted ? h("button", { type: "button", title: "All that there is of it is kept: goes on with the import, when there is room on the disk", onclick: () => void this.importNow() }, "Import again") : null,
      kind === "whole" ? h("button", { type: "button", title: some ? "Makes a set without the archives that are missing" : "All that was begun has arrived", onclick: () => void this.importNow() }, `Import what is here${some}`) : null,
      this.renaming,
      this.deleting);
    if (focused) (focused.isConnected ? focused : this.link).focus();
  }

  private async importNow(): Promise<void> {
    await this.attempt(startImport(this.status.id));
    this.asks.changed();
  }

  private async remove(): Promise<void> {
    if (await this.attempt(deleteSet(this.status.id))) this.asks.deleted(this.status);
  }

  private startEditing(): void {
    this.say(this.status.error ?? ""); // what was refused before is of another attempt
    this.edit.value = this.status.name;
    this.edit.hidden = false;
    this.link.hidden = true;
    this.edit.focus();
    this.edit.select();
  }

  private stopEditing(): void {
    this.edit.hidden = true;
    this.link.hidden = false;
  }

  private async rename(): Promise<void> {
    if (this.edit.hidden) return;
    const name = this.edit.value.trim();
    this.stopEditing();
    if (!name || name === this.status.name) return;
    await this.attempt(renameSet(this.status.id, name));
    this.asks.changed();
  }

  // What is refused is said here, until the next refresh that has an error of its own.
  private async attempt(p: Promise<unknown>): Promise<boolean> {
    try {
      await p;
      this.say("");
      return true;
    } catch (e) {
      this.say((e as Error).message, true);
      return false;
    }
  }

  // What somebody just asked for in vain interrupts; why an upload or an import failed is told elsewhere.
  private say(sentence: string, interrupts = false): void {
    if (interrupts) this.fault.setAttribute("role", "alert");
    else this.fault.removeAttribute("role");
    text(this.fault, sentence);
    this.fault.hidden = !sentence;
  }

  update(s: SetStatus): void {
    const failed = s.error !== this.status.error;
    this.status = s;
    this.el.dataset.state = s.state;
    text(this.link, s.name);
    // A list of many sets has as many buttons of one word: who hears them one by one is told of which set each is.
    this.renaming.setAttribute("aria-label", `Rename ${isolated(s.name)}`);
    this.deleting.setAttribute("aria-label", `Delete ${isolated(s.name)}`);
    this.link.href = `/sets/${encodeURIComponent(s.id)}`;
    const arrived = this.arrived();
    this.buttons(arrived);
    text(this.state, this.stateWords(arrived));
    text(this.missing, arrived ? missingWords(arrived) : "");
    this.missing.hidden = !this.missing.textContent;
    this.bar.hidden = s.state !== "importing";
    this.inner.style.width = `${(s.progress * 100).toFixed(1)}%`;
    this.bar.setAttribute("aria-valuenow", String(Math.round(s.progress * 100)));
    const hosts = s.hosts ?? [];
    const [created, expires] = [new Date(s.created), new Date(s.expires ?? "")];
    this.tell([
      hosts.length ? `${counted(hosts.length, "host")}: ${hosts.slice(0, 6).map((x) => isolated(x.name)).join(", ")}${hosts.length > 6 ? "…" : ""}` : "",
      s.events ? counted(s.events, "event") : "",
      anyLost(s) ? h("b", { class: "warn", title: "What the tracer lost; the import report says where" }, `⚠ ${lostWords(s)}`) : "",
      s.bytes ? `${bytes(s.bytes)} on disk` : "",
      Number.isNaN(created.getTime()) ? "" : when(created),
      Number.isNaN(expires.getTime()) || this.moves ? "" : `kept until ${when(expires)}`,
    ]);
    this.report.href = `${this.link.href}?tab=import`;
    text(this.unread.firstElementChild!, unreadWords(s));
    this.unread.hidden = !unreadWords(s);
    if (failed || s.error) this.say(s.error ?? "");
  }

  // What is known of the set, each beside the other; anew only where it is another.
  private tell(facts: (string | HTMLElement)[]): void {
    const parts = facts.filter(Boolean).flatMap((x, i) => (i > 0 ? [" · ", x] : [x]));
    const words = parts.map((x) => (typeof x === "string" ? x : x.textContent)).join("");
    if (this.facts.textContent !== words) fill(this.facts, ...parts);
  }

  private stateWords(arrived: Arrived | null): string {
    const s = this.status;
    if (arrived) return [STATES.uploading, arrived.size > 0 ? `${bytes(arrived.received)} of ${bytes(arrived.size)} here` : ""].filter(Boolean).join(" · ");
    if (s.state === "uploading") return this.asks.elsewhere(s.id) ? "being uploaded in another tab" : this.asks.doing(s.id);
    if (s.state !== "importing") return s.unshown ? "cannot be shown" : STATES[s.state];
    return [s.stage || "importing", readingWords(s)].filter(Boolean).join(" · ");
  }
}

// A date and its time stay on one line.
function when(date: Date): string {
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }).replace(/\s/g, "\u00a0");
}
