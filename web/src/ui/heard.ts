// What only those hear who have the screen read out, and others see: the state of the row and the message that were chosen, what is under the
// pointer, where the window is, how many rows a filter leaves, and the tenths of an import. What changes faster than one
// can listen is said when it has stayed for a moment.

import { lastsWords } from "../model/known.js";
import { isolated } from "../model/names.js";
import { UNNUMBERED } from "../model/rows.js";
import type { At, SetInfo } from "../net/json.js";
import { stageLeft } from "../home/pace.js";
import { add, h, text } from "./dom.js";
import { MOVES, Stays, STEPS } from "./stays.js";

/** How long there is quiet at least between two tenths of an import, ms. */
const TENTHS = 4000;

export class Heard {
  private readonly import = h("span", { class: "sr", role: "status" });
  private readonly state = new Stays(STEPS);
  private readonly message = new Stays(STEPS);
  private readonly cpu = new Stays(STEPS);
  private readonly under = new Stays(MOVES);
  private readonly where = new Stays(MOVES);
  private readonly rows = new Stays(MOVES);
  private readonly last = new Map<Stays, string>(); // what each is to say, which is held back while another page is open
  private open = true;
  private filter = "";
  private tenth = -1;
  private told = -Infinity; // when the last tenth was

  private readonly parts = [this.state, this.message, this.cpu, this.under, this.where, this.rows];

  constructor(parent: HTMLElement) {
    add(parent, ...this.parts.map((part) => part.el), this.import);
  }

  /** Another state was chosen, null for none; meanwhile says what its thread did beside it. */
  chosen(at: At | null, meanwhile: string): void {
    this.tell(this.state, at ? [chosenWords(at), meanwhile].filter(Boolean).join(" ") : "");
  }

  /** Another message was chosen, "" for none. */
  messaged(words: string): void {
    this.tell(this.message, words);
  }

  /** Another state of a CPU or an interrupt was chosen, "" for none. */
  lane(words: string): void {
    this.tell(this.cpu, words);
  }

  /** Something else is under the pointer. */
  pointed(words: string): void {
    this.tell(this.under, words);
  }

  /** The window may be another. */
  window(words: string): void {
    this.tell(this.where, words);
  }

  /** The timeline is open, or another page, on which nothing of it is said, whatever becomes of it meanwhile. */
  turn(open: boolean): void {
    this.open = open;
    if (this.filter === "") this.last.delete(this.rows); // that all are there again is no news any more
    for (const part of this.parts) part.say(open ? (this.last.get(part) ?? "") : "");
  }

  private tell(part: Stays, words: string): void {
    this.last.set(part, words);
    if (this.open) part.say(words);
  }

  /** Rows were listed by a filter, "" for none. Without one there is news only when it has just been taken away. */
  listed(filter: string, words: string): void {
    if (filter !== "" || this.filter !== "") this.tell(this.rows, words);
    this.filter = filter;
  }

  /** The set was told of anew. */
  progress(info: SetInfo | null): void {
    const running = info?.state === "importing";
    const tenth = !info ? -1 : running ? Math.floor(info.progress * 10) : 11;
    const now = performance.now();
    if (tenth === this.tenth || (running && now - this.told < TENTHS)) return;
    const was = this.tenth;
    [this.tenth, this.told] = [tenth, now];
    if (info && running) text(this.import, tenthWords(tenth, info));
    else if (info && was >= 0) text(this.import, info.state === "failed" ? "The import failed." : "The import is finished.");
  }
}

/** How far an import is, in tenths, and what it does: when all is read, that alone. */
export function tenthWords(tenth: number, { stage, stages }: Pick<SetInfo, "stage" | "stages">): string {
  const share = tenth < 10 ? `${tenth * 10} %` : "all is read";
  return [`Import: ${share}`, stage, stageLeft(stages)].filter(Boolean).join(", ");
}

/** What a thread did at the time that was chosen, as a sentence. */
export function chosenWords(at: At): string {
  const state = at.status === null ? "nothing is known" : at.syscall && !at.status.includes(at.syscall) ? `${at.status} in ${at.syscall}` : at.status;
  return `${at.thread ? `${at.thread.name}${at.thread.tid < UNNUMBERED ? ` ${at.thread.tid}` : ""}` : "thread"} on ${isolated(at.host)}: ${state}${lastsWords(at)}.`;
}
