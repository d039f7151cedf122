// The rows that a filter in the language of rows wants. The server looks at what the threads did in
// the window.

import { VIEWS } from "../net/views.js";
import type { Message } from "../net/wire.js";
import type { Context } from "./controlflow.js";
import { ListedInView } from "./listed.js";

/** An answer that takes longer than so many ms is late. */
const LATE = 2000;

/** Whether a filter is one in the language, and not words to be found in names. */
export function isExpression(filter: string): boolean {
  return /[=<>!]|&&|\|\||^\s*(has)?\(/.test(filter);
}

/** What is wrong with a filter, and at which of its characters, from 0. */
export interface Wrong {
  readonly at: number | null;
  readonly words: string;
}

export class Wanted {
  /** The rows, null while none are known or the filter is none of the language. */
  rows: ReadonlySet<number> | null = null;
  /** Rows among them of which the server could not tell within its bounds. */
  unsure = 0;
  wrong: Wrong | null = null;
  /** The filter that is typed is not answered for so long that it is to be said: rows are still those of before. */
  late = false;
  private filter = "";
  private answered = "";
  private timer = 0;
  private readonly listed: ListedInView;

  constructor(private readonly c: Context, private readonly onChange: () => void) {
    this.listed = new ListedInView(c, VIEWS.filter, (m) => this.take(m));
  }

  /** Asks anew where the filter, window, time or the number of rows changed; a new filter at once. */
  request(): void {
    const { filter } = this.c.view;
    if (!isExpression(filter)) {
      if (this.filter !== "") this.reset();
      return;
    }
    if (!this.listed.request({ op: "filter", where: filter })) return;
    this.filter = filter;
    if (filter !== this.answered) this.timer ||= setTimeout(() => this.tellLate(), LATE);
  }

  reset(): void {
    this.pause();
    this.rows = this.wrong = null;
    this.unsure = 0;
    this.filter = this.answered = "";
    this.onTime();
  }

  private tellLate(): void {
    this.timer = 0;
    this.late = this.filter !== this.answered;
    if (this.late) this.onChange();
  }

  private onTime(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.late = false;
  }

  /** Times are others: what is known stays until it is known anew. */
  retime(): void {
    this.listed.retime();
  }

  /** Stops asking; what is known stays. */
  pause(): void {
    this.listed.pause();
  }

  private take(m: Message): void {
    if (m.kind === "error") {
      this.wrong = wrongIn(m.body.message);
      // What a filter that was half written found stays, but not that it found nothing.
      if (this.rows?.size === 0) this.rows = null;
    } else if (m.kind === "listing") {
      this.wrong = null;
      this.unsure = m.unsure;
      this.rows = new Set(m.rows);
    } else return;
    this.answered = this.filter;
    this.onTime();
    this.onChange();
  }
}

/** The text of a pattern that stands for nothing but itself, which may be meant as a part; null where there is none. */
export function partOfText(filter: string): string | null {
  return /=~\s*"([^"*?[\\]+)"/.exec(filter)?.[1] ?? null;
}

/** What status can be compared with. */
const STATUSES = new Set(["blocked", "user", "syscall", "kernel", "interrupted", "running", "waiting", "stopped", "forked", "unknown"]);

/** A text as the language of rows has it: in quotes where it is no word. */
export function wordOf(text: string): string {
  return /^[A-Za-z_]\w*$/.test(text) ? text : JSON.stringify(text);
}

/** Statuses that have a system call. */
const IN_CALLS: ReadonlySet<string> = new Set(["blocked", "syscall"]);

const leadsToCall = (words: readonly string[], i: number): boolean => i > 0 && i < words.length - 1 && words[i].toLowerCase() === "in" && IN_CALLS.has(words[i - 1].toLowerCase());

/** The expression that words may be meant as of which one says what a thread does, or of several one names a host; null where none does. */
export function asExpression(filter: string, hosts: readonly string[]): string | null {
  const words = filter.split(/\s+/).filter(Boolean);
  const says = (w: string) => STATUSES.has(w.toLowerCase()) || (words.length > 1 && hosts.includes(w));
  if (isExpression(filter) || !words.some(says)) return null;
  const called = words.some((w) => IN_CALLS.has(w.toLowerCase()));
  const term = (w: string, i: number) => {
    if (STATUSES.has(w.toLowerCase())) return `status == ${w.toLowerCase()}`;
    if (hosts.includes(w)) return `host == ${wordOf(w)}`;
    if (/^\d{1,9}$/.test(w)) return `tid == ${w}`;
    const part = JSON.stringify(`*${w.replace(/[\\*?[\]]/g, "\\$&")}*`);
    if (!called) return `name =~ ${part}`;
    return leadsToCall(words, i - 1) ? `syscall =~ ${part}` : `(syscall =~ ${part} || name =~ ${part})`;
  };
  // "blocked in futex" is how the page says it.
  return words.map((w, i) => (called && leadsToCall(words, i) ? "" : term(w, i))).filter(Boolean).join(" && ");
}

/** The system calls that a word may be meant as, as an expression; null where it is no word that one could have. */
export function asCall(filter: string): string | null {
  return /^[a-z_][a-z0-9_]*$/i.test(filter) ? `syscall =~ "*${filter.toLowerCase()}*"` : null;
}

/** So many hosts are named where a filter asks for one that there is not. */
const NAMED = 6;
/** Fields that a host can be compared with. */
const TEXTS = new Set(["host", "name", "process"]);

/** A host that a filter asks for by its whole name and that there is not, and the names that there are, in words; null where there is none such. */
export function strangerIn(filter: string, hosts: readonly string[]): string | null {
  for (const m of filter.matchAll(/"(?:[^"\\]|\\.)*"|(?<![\w.])host\s*==\s*(?:"((?:[^"\\]|\\.)*)"|(\w+))/g)) {
    const name = m[1] ?? m[2];
    if (name === undefined || hosts.includes(name) || (m[2] !== undefined && TEXTS.has(name))) continue;
    const near = [...hosts].sort((a, b) => shared(b, name) - shared(a, name));
    const more = near.length > NAMED ? ` and ${near.length - NAMED} more` : "";
    return `There is no host ${name}. There ${near.length === 1 ? "is" : "are"} ${near.slice(0, NAMED).join(", ")}${more}.`;
  }
  return null;
}

/** With how many letters both begin. */
function shared(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return n;
}

/** Reads what the server says of a filter: "column 5: expected …". */
export function wrongIn(message: string): Wrong {
  const m = /^column (\d+): (.+)$/s.exec(message);
  return m ? { at: Number(m[1]) - 1, words: m[2] } : { at: null, words: message };
}
