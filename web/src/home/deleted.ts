// What was deleted lately, each with the way back.

import { isolated } from "../model/names.js";
import { h, text } from "../ui/dom.js";
import { recoverSet, removeSet, type Deleted } from "./api.js";

export class DeletedList {
  readonly root = h("ul", { class: "deleted", "aria-label": "Deleted lately", hidden: true });
  private readonly lines = new Map<string, HTMLElement>();

  constructor(private readonly changed: (id: string) => Promise<void>) {}

  show(list: readonly Deleted[]): void {
    this.root.hidden = list.length === 0;
    // A line stays as it is while others come and go, or it would be said once more.
    for (const [id, line] of this.lines)
      if (!list.some((d) => d.id === id)) {
        line.remove();
        this.lines.delete(id);
      }
    list.forEach((d, i) => {
      const line = this.lines.get(d.id) ?? this.line(d);
      this.lines.set(d.id, line);
      if (this.root.children[i] !== line) this.root.insertBefore(line, this.root.children[i] ?? null);
      text(line.querySelector(".minor")!, leaves(d.until));
    });
  }

  /** Brings the focus to the way back of a set, or of the first of all. */
  focus(id = ""): void {
    this.root.querySelector<HTMLElement>(`${id && `[data-id="${id}"] `}button`)?.focus();
  }

  private line(d: Deleted): HTMLElement {
    const fault = h("span", { class: "fault", role: "alert", hidden: true });
    const act = (what: (id: string) => Promise<unknown>) => async () => {
      try {
        await what(d.id);
      } catch (e) {
        text(fault, (e as Error).message);
        fault.hidden = false;
      }
      await this.changed(d.id);
    };
    const line = h("li", {}, h("span", { role: "status" }, `“${isolated(d.name)}” was deleted.`), " ", h("span", { class: "minor" }),
      h("button", { type: "button", class: "primary", onclick: act(recoverSet), "aria-label": `Undo: bring back ${isolated(d.name)}` }, "Undo"),
      h("button", { type: "button", onclick: act(removeSet), "aria-label": `Remove now: takes ${isolated(d.name)} off the disk` }, "Remove now"), fault);
    line.dataset.id = d.id;
    return line;
  }
}

/** When the files of a set go that can be had back until a time (RFC 3339). */
export function leaves(until: string): string {
  const minutes = (new Date(until).getTime() - Date.now()) / 60000;
  return minutes > 1 ? `Its files go in ${Math.ceil(minutes)} min.` : "Its files go within a minute or two.";
}
