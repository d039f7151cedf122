// The list of sets. A line keeps its elements while the list is refreshed, so that a
// name being edited or a question being asked stays.

import { unreadWords } from "../model/unread.js";
import { bytes, counted, group, percent, short, THIN } from "../time/number.js";
import { add, fill, h, text } from "../ui/dom.js";
import { deleteSet, readSets, renameSet, type SetStatus } from "./api.js";

const SOON = 700;
const LATER = 5000;

const STATES: Record<SetStatus["state"], string> = { uploading: "upload not finished", importing: "importing", ready: "ready", failed: "failed" };

class Line {
  readonly el = h("li", { class: "set" });
  private readonly link = h("a", { class: "name" });
  private readonly edit = h("input", { class: "name", "aria-label": "Name", hidden: true, maxlength: 200 });
  private readonly state = h("span", { class: "state" });
  private readonly inner = h("i");
  private readonly bar = h("span", { class: "bar", role: "progressbar", "aria-label": "Import", "aria-valuemin": 0, "aria-valuemax": 100 }, this.inner);
  private readonly facts = h("span", { class: "t facts" });
  private readonly fault = h("p", { class: "fault", hidden: true });
  private readonly report = h("a", {}, "Import report");
  private readonly unread = h("p", { class: "warn", hidden: true }, h("span"), " ", this.report);
  private readonly actions = h("span", { class: "actions" });
  private status: SetStatus;

  constructor(status: SetStatus, private readonly changed: () => void) {
    this.status = status;
    add(this.el, h("div", { class: "first" }, this.link, this.edit, this.state, this.bar, this.actions), this.facts, this.unread, this.fault);
    this.buttons();
    this.edit.addEventListener("keydown", (e) => {
      if (e.key === "Enter") void this.rename();
      else if (e.key === "Escape") this.stopEditing();
    });
    this.edit.addEventListener("blur", () => void this.rename());
    this.update(status);
  }

  private buttons(): void {
    const rename = h("button", { type: "button", onclick: () => this.startEditing() }, "Rename");
    const remove = h("button", { type: "button", onclick: () => this.confirm() }, "Delete");
    fill(this.actions, rename, remove);
  }

  private confirm(): void {
    const yes = h("button", { type: "button", class: "danger", onclick: () => void this.remove() }, "Delete with all its files");
    const no = h("button", { type: "button", onclick: () => { this.buttons(); this.actions.querySelectorAll("button")[1].focus(); } }, "Keep");
    fill(this.actions, yes, no);
    no.focus();
  }

  private async remove(): Promise<void> {
    await this.attempt(deleteSet(this.status.id));
    this.buttons();
    this.changed();
  }

  private startEditing(): void {
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
    this.changed();
  }

  // What is refused is said here, until the next refresh that has an error of its own.
  private async attempt(p: Promise<unknown>): Promise<void> {
    try {
      await p;
      this.say("");
    } catch (e) {
      this.say((e as Error).message);
    }
  }

  private say(sentence: string): void {
    text(this.fault, sentence);
    this.fault.hidden = !sentence;
  }

  update(s: SetStatus): void {
    const failed = s.error !== this.status.error;
    this.status = s;
    this.el.dataset.state = s.state;
    text(this.link, s.name);
    this.link.href = `/sets/${encodeURIComponent(s.id)}`;
    text(this.state, s.state === "importing" ? `${s.stage || "importing"} · ${percent(s.progress)}${s.rate > 0 ? ` · ${short(s.rate)}${THIN}events/s` : ""}` : STATES[s.state]);
    this.bar.hidden = s.state !== "importing";
    this.inner.style.width = `${(s.progress * 100).toFixed(1)}%`;
    this.bar.setAttribute("aria-valuenow", String(Math.round(s.progress * 100)));
    const hosts = s.hosts ?? [];
    const created = new Date(s.created);
    text(this.facts, [
      hosts.length ? `${counted(hosts.length, "host")}: ${hosts.slice(0, 6).map((x) => x.name).join(", ")}${hosts.length > 6 ? "…" : ""}` : "",
      s.events ? `${group(s.events)} events` : "",
      s.lost_events ? `${group(s.lost_events)} lost` : "",
      s.bytes ? bytes(s.bytes) : "",
      Number.isNaN(created.getTime()) ? "" : created.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }),
    ].filter(Boolean).join(" · "));
    this.report.href = `${this.link.href}?tab=import`;
    text(this.unread.firstElementChild!, unreadWords(s));
    this.unread.hidden = !unreadWords(s);
    if (failed || s.error) this.say(s.error ?? "");
  }
}

export class SetList {
  private readonly lines = new Map<string, Line>();
  private readonly list = h("ul", { class: "sets" });
  private readonly empty = h("p", { class: "minor", hidden: true }, "No trace sets yet. Drop archives above; what they hold appears here and can be opened while it is still being read.");
  private readonly fault = h("p", { class: "fault", role: "alert", hidden: true });
  private timer = 0;

  constructor(box: HTMLElement, private readonly count: HTMLElement) {
    add(box, this.fault, this.list, this.empty);
    document.addEventListener("visibilitychange", () => document.hidden || void this.refresh());
  }

  refresh = async (): Promise<void> => {
    clearTimeout(this.timer);
    let busy = false;
    try {
      const sets = await readSets();
      this.fault.hidden = true;
      this.show(sets);
      busy = sets.some((s) => s.state === "importing" || s.state === "uploading");
    } catch (e) {
      text(this.fault, (e as Error).message);
      this.fault.hidden = false;
    }
    clearTimeout(this.timer);
    if (!document.hidden) this.timer = setTimeout(this.refresh, busy ? SOON : LATER);
  };

  private show(sets: SetStatus[]): void {
    const ids = new Set(sets.map((s) => s.id));
    for (const [id, line] of this.lines)
      if (!ids.has(id)) {
        line.el.remove();
        this.lines.delete(id);
      }
    sets.forEach((s, i) => {
      let line = this.lines.get(s.id);
      if (line) line.update(s);
      else this.lines.set(s.id, (line = new Line(s, this.refresh)));
      if (this.list.children[i] !== line.el) this.list.insertBefore(line.el, this.list.children[i] ?? null);
    });
    this.empty.hidden = sets.length > 0;
    text(this.count, sets.length ? String(sets.length) : "");
  }
}
