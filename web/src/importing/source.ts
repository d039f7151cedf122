// What a set was made of, when, and how long that took, as far as the server knows it.

import { readMilestones, readSet, type SetStatus } from "../home/api.js";
import { list } from "../model/names.js";
import { bytes } from "../time/number.js";
import { about } from "../time/time.js";
import { h, text } from "../ui/dom.js";

export class Source {
  readonly el = h("p", { class: "minor", hidden: true });
  private asked = "";

  constructor(private readonly id: string) {}

  /** Asks once in each state of the import; what it says stays where the server does not answer. */
  refresh(state: string): void {
    if (this.asked === state) return;
    this.asked = state;
    void this.ask(state).catch(() => {
      if (this.asked === state) this.asked = "";
    });
  }

  private async ask(state: string): Promise<void> {
    const status = await readSet(this.id);
    const milestones = state === "ready" ? await readMilestones(this.id) : [];
    if (this.asked !== state) return;
    text(this.el, sourceWords(status, milestones[milestones.length - 1]?.after_s ?? null));
    this.el.hidden = !this.el.textContent;
  }
}

/** From which archives a set is, since when it is here, and in how many seconds it was read, null where that is not known. */
export function sourceWords(s: Pick<SetStatus, "files" | "created">, seconds: number | null): string {
  const files = s.files ?? [];
  const names = files.map((f) => (f.size > 0 ? `${f.name} (${bytes(f.size)})` : f.name));
  const created = new Date(s.created);
  const since = Number.isNaN(created.getTime()) ? "" : `here since ${created.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }).replace(/\s/g, "\u00a0")}`;
  const read = seconds === null ? "" : `read in ${about(seconds * 1e9, 3)}`;
  const rest = [since, read].filter(Boolean).join(", ");
  const all = [names.length > 0 ? `From ${list(names)}` : "", rest].filter(Boolean).join("; ");
  return all && `${all[0].toUpperCase()}${all.slice(1)}.`;
}
