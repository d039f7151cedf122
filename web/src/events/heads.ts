// The filters of single columns, as they are typed into its heads. Each says a term of the language that Where is
// written in, so all of them are read by the one parser of the server.

import { stretchOf, type Frame } from "../commands/times.js";
import { h } from "../ui/dom.js";

/** The form that they belong to. */
export const FORM = "which-events";

/** What is typed into the heads that write terms; "" for all. */
export interface Heads {
  during: string;
  clock: string;
  cpu: string;
  fields: string;
}

export const HEADS = ["during", "clock", "cpu", "fields"] as const;

/** All that says which events are wanted. */
export function questionOf(e: Heads & { readonly name: string; readonly where: string; readonly host: string }): string {
  return [e.name, e.where, e.host, ...HEADS.map((column) => e[column])].join("\n");
}

/** A field of it, by what it is called and takes. */
export function head(label: string, title: string): HTMLInputElement {
  return h("input", { type: "text", form: FORM, "aria-label": label, title, autocomplete: "off", spellcheck: "false" });
}

/** What each of them takes, in words. */
const TAKES: Readonly<Record<keyof Heads, string>> = {
  during: "Time takes a stretch such as 6.1..6.5, or one side of it such as > 6.1, in seconds from the begin of the set",
  clock: "Host's clock takes a stretch such as 19:01:23..19:01:24.5, or one side of it such as > 19:01:23",
  cpu: "CPU takes numbers such as 0, 2-5 or > 3",
  fields: "Fields takes words that stand in them, or a comparison such as next_tid == 208",
};

/** What was typed into a head cannot be read, or is a stretch that ends before it begins. The example is one of the set that is filtered. */
export class Unreadable extends Error {
  constructor(readonly column: keyof Heads, typed = "", frame: Frame | null = null, example = "") {
    super(frame && stretch(column, typed, frame) ? `${NAMES[column]} ends before it begins: the ends of ${typed.trim()} are the wrong way round.` : `${Unreadable.takes(column, example)}.`);
  }

  /** What a head takes, with an example of the set; "" for one of any. */
  static takes(column: keyof Heads, example: string): string {
    const [from, to] = example.split("..");
    if ((column !== "during" && column !== "clock") || !from) return TAKES[column];
    const since = column === "during" ? ", in seconds from the begin of the set" : "";
    return `${NAMES[column]} takes a stretch${to ? ` such as ${example},` : ""} or one side of it such as ${to ? `> ${from}` : example}${since}`;
  }
}

const NAMES: Readonly<Record<keyof Heads, string>> = { during: "Time", clock: "Host's clock", cpu: "CPU", fields: "Fields" };

// The stretch that was typed; null where it is none.
function stretch(column: keyof Heads, typed: string, frame: Frame) {
  return column === "during" || column === "clock" ? stretchOf(typed, frame) : null;
}

/** The term that a column's filter means; null where it cannot be read, or is a stretch that ends before it begins. */
export function termOf(column: keyof Heads, typed: string, frame: Frame): string | null {
  if (column === "cpu") return numbers(typed);
  if (column === "fields") return within(typed);
  const between = stretchOf(typed, frame);
  if (!between || (between.from !== null && between.to !== null && between.to < between.from)) return null;
  const name = column === "during" ? "time" : "local_time";
  const terms = [between.from === null ? "" : `${name} >= ${between.from}`, between.to === null ? "" : `${name} <= ${between.to}`];
  return terms.filter(Boolean).join(" && ");
}

function numbers(typed: string): string | null {
  const terms = typed.split(",").map((part) => {
    const m = /^\s*(?:(\d{1,9})\s*(?:-|\.\.)\s*(\d{1,9})|(==|!=|>=|<=|>|<)?\s*(\d{1,9}))\s*$/.exec(part);
    if (!m) return null;
    return m[1] !== undefined ? `cpu >= ${m[1]} && cpu <= ${m[2]}` : `cpu ${m[3] ?? "=="} ${m[4]}`;
  });
  return terms.includes(null) ? null : terms.join(" || ");
}

// Words stand in the fields as they are written, where there is no space about a =; what compares is a term already.
function within(typed: string): string {
  const alone = /^\s*([\w.]+)\s+=\s+(\S.*)$/.exec(typed);
  if (alone) return `${alone[1]} == ${alone[2]}`;
  if (/==|!=|=~|!~|<|>|\bhas\s*\(/.test(typed)) return typed;
  return `fields =~ ${JSON.stringify(`*${typed.replace(/[\\*?[\]]/g, "\\$&")}*`)}`;
}

/** Whether what was typed for a name compares something: it belongs in Where. A name may have a < or a > of its own, as those of C++ do. */
export function compares(typed: string): boolean {
  return /==|!=|=~|!~|<=|>=|\s[<>]\s|^[\w.]+\s*[<>]\s*-?\d+\s*($|&|\|)|\bhas\s*\(/.test(typed);
}

/** Two filters as one. */
export function both(a: string, b: string): string {
  const term = (s: string) => (/\|\|/.test(s) ? `(${s})` : s);
  return a && b ? `${term(a)} && ${term(b)}` : a || b;
}

/** The fields of the heads, by their columns. */
export function headFields(): Readonly<Record<keyof Heads, HTMLInputElement>> {
  return { during: head("Time", TAKES.during), clock: head("Host's clock", TAKES.clock), cpu: head("CPU", TAKES.cpu), fields: head("Fields", TAKES.fields) };
}

/** What compares something in the place of a name is for Where, and goes there; it is returned, "" for none. */
export function sortTyped(name: HTMLInputElement, where: HTMLInputElement): string {
  const typed = name.value.trim();
  if (!compares(typed)) return "";
  where.value = both(where.value.trim(), typed);
  name.value = "";
  return typed;
}

/** Puts what an address asks for into the fields; early, what was typed before the set was there stays. */
export function putTyped(fields: Readonly<Record<keyof Heads | "name" | "where" | "host", { value: string }>>, asked: Readonly<Record<keyof Heads | "name" | "where" | "host", string>>, early: boolean): void {
  for (const x of ["name", "where", "host", ...HEADS] as const) if (!early || !fields[x].value) fields[x].value = asked[x];
}
