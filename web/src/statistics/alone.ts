// The system calls of one thread, in the place of those of all: of the selected thread, or of the one that the words name.

import { readSums, type CalledSum, type ThreadStatistics, type Whose } from "../home/api.js";
import type { View } from "../model/view.js";
import { group, percent } from "../time/number.js";
import { about, type Ns } from "../time/time.js";
import { add, h, text } from "../ui/dom.js";
import { Sorted, type Keeper } from "../ui/sorted.js";
import type { AtHost } from "./sheets.js";

/** A thread by its host's name, its number and its own name. */
export interface Subject {
  readonly host: string;
  readonly tid: number;
  readonly name: string;
  /** The words name it: they do not narrow its calls as well. */
  readonly named: boolean;
}

/** A system call of it, with the share of it in the time of all. */
export type AloneRow = AtHost<CalledSum & { readonly thread: string; readonly tid: number; readonly share: number }>;

/** The thread that words name: the selected one, if they name that, or else the one with that number, or else the one that was longest on a CPU. */
export function namedThread(threads: readonly AtHost<ThreadStatistics>[], words: string, selected: Whose | null): AtHost<ThreadStatistics> | null {
  if (!words) return null;
  const found = threads.filter((r) => r.name.toLowerCase().includes(words) || String(r.tid).includes(words));
  const ran = (r: ThreadStatistics) => r.on_cpu_ns ?? 0;
  return found.find((r) => r.host === selected?.host && r.tid === selected.tid) ?? found.find((r) => String(r.tid) === words) ?? found.sort((a, b) => ran(b) - ran(a))[0] ?? null;
}

/** A thread as tables call it. */
export const subjectWords = (s: Pick<Subject, "host" | "tid" | "name">): string => `${s.name || "thread"} · ${s.tid} on ${s.host}`;

export class Alone {
  /** The switch; it stands above the table. */
  readonly line = h("p", { class: "alone", hidden: true });
  readonly table: Sorted<AloneRow>;
  private readonly box = h("input", { type: "checkbox", onchange: () => this.switched() });
  private readonly whose = h("span");
  private answer: readonly CalledSum[] | null = null;
  private fault = "";
  private asked = "";
  private turn = 0;

  constructor(private readonly id: string, private readonly keeper: Keeper & Pick<View, "alone">, private readonly onSwitch: () => void) {
    add(this.line, h("label", {}, this.box, " ", this.whose));
    this.table = new Sorted<AloneRow>("System calls of one thread", [
      { name: "Call", text: true, by: (r) => r.name, cell: (r) => r.name },
      { name: "Within the stretch", title: "From entry to exit, with the time that the thread slept or was interrupted in them; what lies outside the stretch is left out", by: (r) => r.ns, cell: (r) => about(r.ns) },
      { name: "Share", title: "Of the time that the thread spent in all of its system calls", by: (r) => r.share, cell: (r) => percent(r.share) },
      { name: "Began here", title: "Calls that began within the stretch", by: (r) => r.began, cell: (r) => group(r.began) },
      { name: "Times", title: "With those that began before the stretch", by: (r) => r.count, cell: (r) => group(r.count) },
      { name: "Each", by: (r) => r.ns / r.count, cell: (r) => about(r.ns / r.count) },
    ], 1, "", keeper, "alone");
  }

  /** Whether the table is of the thread: as it was switched, or else where the words are its name and no call's. */
  on(subject: Subject | null, none: boolean): boolean {
    return !!subject && (this.keeper.alone ?? (subject.named && none));
  }

  /** Tells the switch of whom it is; null where there is nobody. */
  offer(subject: Subject | null, on: boolean): void {
    this.line.hidden = !subject;
    this.box.checked = on;
    if (subject) text(this.whose, `System calls of ${subjectWords(subject)} alone`);
    this.table.root.hidden = !on;
    if (!on) this.table.show([], "", ""); // its rows would be saved as those of another stretch later on
  }

  /** Asks what a thread called in a stretch, and shows it when it is told. */
  async read(whose: Whose, begin: Ns, end: Ns, local: boolean, refill: () => void): Promise<void> {
    const turn = ++this.turn;
    const asked = [whose.host, whose.tid].join();
    if (asked !== this.asked) this.answer = null;
    this.asked = asked;
    try {
      const { calls } = await readSums(this.id, begin, end, local, whose);
      if (turn !== this.turn) return;
      [this.answer, this.fault] = [calls ?? [], ""];
    } catch (e) {
      if (turn !== this.turn) return;
      [this.answer, this.fault] = [null, e instanceof Error ? e.message : String(e)];
    }
    refill();
  }

  /** Whether the last question was refused. */
  get refused(): boolean {
    return this.fault !== "";
  }

  show(subject: Subject, wanted: (name: string) => boolean, none: (there: number) => string): void {
    const calls = this.answer ?? [];
    const all = calls.reduce((n, c) => n + c.ns, 0);
    const rows = calls.map((c) => ({ ...c, host: subject.host, thread: subject.name, tid: subject.tid, share: c.ns / (all || 1) }));
    const note = this.fault || (all > 0 ? `${about(all)} in all` : "");
    this.table.show(subject.named ? rows : rows.filter((r) => wanted(r.name)), `${subjectWords(subject)}${note && `; ${note}`}`, this.answer || this.fault ? none(rows.length) : "Adding up…");
  }

  private switched(): void {
    this.keeper.alone = this.box.checked;
    this.keeper.keep();
    this.onSwitch();
  }
}
