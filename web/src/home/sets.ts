// The list of sets: refreshed, ordered, searched.

import { isolated } from "../model/names.js";
import { bytes, counted } from "../time/number.js";
import { add, h, text } from "../ui/dom.js";
import { readDeleted, readSets, type SetStatus } from "./api.js";
import { claimed } from "./claim.js";
import { DeletedList } from "./deleted.js";
import { found, ORDERS } from "./find.js";
import { Line, type Asks } from "./line.js";
import { prune } from "./memory.js";

const SOON = 700;
const LATER = 5000;

export class SetList {
  /** The upload of a set is to go on. */
  onGoOn: (set: SetStatus) => void = () => {};
  /** Whether this page uploads a set now. */
  busy: (id: string) => boolean = () => false;
  /** Waits until this page knows which sets it uploads: one that it makes may be in the list before it hears of it. */
  known: () => Promise<void> = async () => {};
  /** What an upload of this page does now with a set. */
  doing: (id: string) => string = () => "";
  /** Called before the sets are read; what it returns is called with them. */
  onRead: () => (sets: readonly SetStatus[]) => void = () => () => {};
  private sets: SetStatus[] = [];
  private held: ReadonlySet<string> = new Set(); // those that this browser uploads
  private readonly lines = new Map<string, Line>();
  private readonly list = h("ul", { class: "sets" });
  private readonly empty = h("p", { class: "minor", hidden: true });
  private readonly fault = h("p", { class: "fault", role: "alert", hidden: true });
  private readonly deleted = new DeletedList(async (id) => {
    await this.refresh();
    this.refocus(id);
  });
  private timer = 0;
  private strays = 0; // lines that stay though they are not what is searched for
  private pressed = false; // a pointer is down: what it is on must not move before it is up
  private readonly asks: Asks = {
    changed: () => void this.refresh(),
    deleted: (set) => void this.refresh().then(() => this.deleted.focus(set.id)),
    goOn: (set) => this.onGoOn(set),
    busy: (id) => this.busy(id),
    doing: (id) => this.doing(id),
    elsewhere: (id) => this.elsewhere(id),
  };

  constructor(box: HTMLElement, private readonly count: HTMLElement, private readonly order: HTMLSelectElement, private readonly find: HTMLInputElement) {
    add(box, this.fault, this.deleted.root, this.list, this.empty);
    document.addEventListener("visibilitychange", () => document.hidden || void this.refresh());
    order.addEventListener("change", () => this.show());
    find.addEventListener("input", () => this.show());
    this.list.addEventListener("focusout", () => this.settle());
    const press = (down: boolean) => () => {
      this.pressed = down;
      this.settle();
    };
    document.addEventListener("pointerdown", press(true), true);
    for (const up of ["pointerup", "pointercancel"]) document.addEventListener(up, press(false), true);
  }

  // What stays for the sake of the focus goes once that is elsewhere: not before the event is over, which a press of a button comes with.
  private settle(): void {
    if (this.strays > 0) setTimeout(() => this.show());
  }

  refresh = async (): Promise<void> => {
    clearTimeout(this.timer);
    if (this.sets.length > 0) this.show(); // what this page does with them may be another thing by now
    let soon = false;
    const read = this.onRead();
    try {
      const [sets, deleted, held] = await Promise.all([readSets(), readDeleted(), claimed()]);
      await this.known();
      this.fault.hidden = true;
      this.sets = sets;
      this.held = held;
      read(sets);
      this.deleted.show(deleted);
      this.show();
      const ids = new Set([...sets, ...deleted].map((s) => s.id));
      prune((id) => ids.has(id) || this.busy(id)); // an upload may have begun since the list was asked for
      soon = sets.some((s) => s.state === "importing" || (s.state === "uploading" && (!s.expires || held.has(s.id))));
    } catch (e) {
      text(this.fault, (e as Error).message);
      this.fault.hidden = false;
    }
    clearTimeout(this.timer);
    if (!document.hidden) this.timer = setTimeout(this.refresh, soon ? SOON : LATER);
  };

  /** Whether another tab of this browser uploads a set. */
  elsewhere(id: string): boolean {
    return this.held.has(id) && !this.busy(id);
  }

  /** The sets as they were read last. */
  get all(): readonly SetStatus[] {
    return this.sets;
  }

  // The button that was pressed is gone with its line: the focus goes to the set that is back, else to what is next.
  private refocus(id: string): void {
    if (document.activeElement !== document.body) return;
    const line = this.lines.get(id);
    if (line) line.focus();
    else if (!this.deleted.root.hidden) this.deleted.focus();
    else this.list.querySelector("a")?.focus();
  }

  private show(): void {
    const fit = new Set(this.sets.filter((s) => found(s, this.find.value)));
    // What is under somebody's hands stays there: the line with the focus, and while a press goes on all of them.
    const stays = (line?: Line) => line !== undefined && (line.focused || this.pressed);
    const shown = this.sets.filter((s) => fit.has(s) || stays(this.lines.get(s.id))).sort(ORDERS[this.order.value] ?? ORDERS.newest);
    this.strays = shown.length - fit.size;
    const ids = new Set(shown.map((s) => s.id));
    for (const [id, line] of this.lines)
      if (!ids.has(id)) {
        line.el.remove();
        this.lines.delete(id);
      }
    shown.forEach((s, i) => {
      let line = this.lines.get(s.id);
      if (line) line.update(s);
      else this.lines.set(s.id, (line = new Line(s, this.asks)));
      if (!this.pressed) line.stray(!fit.has(s) && line.focused); // a sentence that comes or goes moves what is below
      if (this.list.children[i] === line.el) return;
      // A line that has the focus, or a name in it that is being edited, would lose that if it were moved: the others go around it.
      if (line.focused) while (this.list.children[i] !== line.el) this.list.append(this.list.children[i]);
      else this.list.insertBefore(line.el, this.list.children[i] ?? null);
    });
    this.empty.hidden = shown.length > 0;
    text(this.empty, this.sets.length === 0 ? "No trace sets yet. Drop archives above; what they hold appears here and can be opened while it is still being read."
      : `No set has “${isolated(this.find.value.trim())}” in its name, the names of its hosts or its date.`);
    this.order.parentElement!.hidden = this.sets.length < 2;
    const held = this.sets.reduce((n, s) => n + s.bytes, 0);
    text(this.count, this.sets.length === 0 ? "" : `${fit.size < this.sets.length ? `${fit.size} of ` : ""}${counted(this.sets.length, "set")}, ${bytes(held)} on disk`);
  }
}
