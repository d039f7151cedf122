// The system calls of one thread, in the place of those of all: of the selected thread, or of the first that is listed.

import { readSums, type CalledSum, type ThreadStatistics, type Whose } from "../home/api.js";
import { threadName } from "../model/rows.js";
import type { View } from "../model/view.js";
import { group, percent } from "../time/number.js";
import { about, type Ns } from "../time/time.js";
import { add, h, text } from "../ui/dom.js";
import { Sorted, type Keeper } from "../ui/sorted.js";
import type { Life } from "../timeline/life.js";
import type { AtHost } from "./sheets.js";

/** A thread by its host's name, its number and its own name. */
export interface Subject {
  readonly host: string;
  readonly tid: number;
  readonly name: string;
  /** Words narrow the threads to this one. */
  readonly only: boolean;
}

/** A system call of it, with the share of it in the time of all. */
export type AloneRow = AtHost<CalledSum & { readonly thread: string; readonly tid: number; readonly share: number }>;

/** The thread, of those that are listed in this order, whose calls alone may be wanted: the selected one, or else the first where words narrow the list.
 * Where these narrow it to none, and where nothing does, the selected one is it although it is not listed. */
export function subjectOf(listed: readonly AtHost<ThreadStatistics>[], narrowed: boolean, selected: Whose | null): Subject | null {
  const found = listed.find((r) => r.host === selected?.host && r.tid === selected.tid);
  const meant = found ?? (narrowed ? listed[0] : undefined);
  if (meant) return { host: meant.host, tid: meant.tid, name: meant.name, only: narrowed && listed.length === 1 };
  return selected?.tid != null && (!narrowed || listed.length === 0) ? { host: selected.host, tid: selected.tid, name: "", only: false } : null;
}

/** A thread as tables call it. */
export const subjectWords = (s: Pick<Subject, "host" | "tid" | "name">): string => `${threadName({ ...s, name: s.name || "thread" })} on ${s.host}`;

/** That a thread was there outside of a stretch as well, where what it called is not told; "" where it was not, or nobody knows. */
export function livedWords(life: Life | null, begin: Ns, end: Ns): string {
  if (!life) return "";
  const [before, after] = [life.first !== null && life.first < begin, life.last === null || life.last > end];
  const when = [...(before ? ["before"] : []), ...(after && life.first !== null ? ["after"] : [])].join(" and ");
  return when && `It was there ${when} this stretch, too; its calls then are not told.`;
}

export class Alone {
  /** The switch; it stands above the table. */
  readonly line = h("p", { class: "alone", hidden: true });
  readonly table: Sorted<AloneRow>;
  private readonly box = h("input", { type: "checkbox", onchange: () => this.switched() });
  private readonly whose = h("span");
  private readonly lived = h("small");
  private answer: readonly CalledSum[] | null = null;
  private fault = "";
  private asked = "";
  private turn = 0;

  constructor(private readonly id: string, private readonly keeper: Keeper & Pick<View, "alone">, private readonly onSwitch: () => void) {
    add(this.line, h("label", {}, this.box, " ", this.whose), " ", this.lived);
    this.table = new Sorted<AloneRow>("System calls of one thread", [
      { name: "Call", text: true, by: (r) => r.name, cell: (r) => r.name },
      { name: "Total time", title: "All of these calls together, from entry to exit, with the time that the thread slept or was interrupted in them. Of a call that began before or ended after what is added up here, the part outside is left out", by: (r) => r.ns, cell: (r) => about(r.ns) },
      { name: "Share", title: "Of the time that the thread spent in all of its system calls", by: (r) => r.share, cell: (r) => percent(r.share) },
      { name: "Began here", title: "Calls that began within the stretch", by: (r) => r.began, cell: (r) => group(r.began) },
      { name: "Times", title: "With those that began before the stretch", by: (r) => r.count, cell: (r) => group(r.count) },
      { name: "Each", by: (r) => r.ns / r.count, cell: (r) => about(r.ns / r.count) },
    ], 1, "", keeper, "alone");
  }

  /** Whether the table is of the thread: as it was switched, or else where the words are of this one thread, and of no call. */
  on(subject: Subject | null, ofThreads: boolean): boolean {
    return !!subject && (this.keeper.alone ?? (subject.only && ofThreads));
  }

  /** Tells the switch of whom it is, null where there is nobody, and what livedWords says of the thread. */
  offer(subject: Subject | null, on: boolean, lived: string): void {
    text(this.lived, on ? lived : "");
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

  show(subject: Subject, wanted: (...has: string[]) => boolean, none: (there: number) => string): void {
    const calls = this.answer ?? [];
    const all = calls.reduce((n, c) => n + c.ns, 0);
    const rows = calls.map((c) => ({ ...c, host: subject.host, thread: subject.name, tid: subject.tid, share: c.ns / (all || 1) }));
    const note = this.fault || (all > 0 ? `${about(all)} in all` : "");
    this.table.show(rows.filter((r) => wanted(r.name, r.host)), `${subjectWords(subject)}${note && `; ${note}`}`, this.answer || this.fault ? none(rows.length) : "Adding up…");
  }

  private switched(): void {
    this.keeper.alone = this.box.checked;
    this.keeper.keep();
    this.onSwitch();
  }
}
