// What the rows of Resources say of themselves, and what is told of a CPU at a time.

import { isolated } from "../model/names.js";
import { CPU, FREQUENCY, HOST, type Row, type RowTable } from "../model/rows.js";
import { EXACTLY, lastsWords, NOT_ENDED } from "../model/known.js";
import type { Lack } from "../model/lacks.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import type { At } from "../net/json.js";
import { counted, percent, THIN } from "../time/number.js";
import { exact, parseNs, plusMinus, seconds } from "../time/time.js";
import { add, h, terms } from "../ui/dom.js";
import type { RowWords } from "../timeline/panerows.js";
import { threadWords } from "../timeline/words.js";
import type { Use } from "./draw.js";
import { looksOf } from "./looks.js";
import { hostOfGroup } from "./tree.js";

const KERNEL = "a kernel trace";

/** What a host without CPUs lacks; null while they may still come, and for one that has some. */
export function lackOfCPUs(set: SetModel, rows: RowTable, host: number): Lack | null {
  const id = rows.hostRow(host);
  const info = set.host(host);
  if (id === undefined || !info || info.state === "waiting" || info.state === "importing" || rows.resources(id).some((r) => rows.get(r)?.kind === CPU)) return null;
  return hint(set, host, /^kernel trace/) ?? hint(set, host, /^control flow|whether threads have a CPU/);
}

/** The same in a few words, for one host or several: that CPUs are not known does not mean that there are none. */
export function lackNote(lacks: readonly Lack[]): string {
  return lacks.every((l) => l.events[0] === KERNEL) ? "no kernel trace" : "not recorded";
}

/** What the interrupt rows of a host lack; null where nothing is known to be missing. */
export const lackOfLines = (set: SetModel, host: number): Lack | null => hint(set, host, /^interrupts/);

function hint(set: SetModel, host: number, view: RegExp): Lack | null {
  const missing = set.host(host)?.missing?.find((m) => view.test(m.view));
  return missing ? { events: missing.events.length ? missing.events : [KERNEL], command: missing.command } : null;
}

export const lackWords = (l: Lack): string => `Not recorded: ${l.events.join(", ")}. The command that does: ${l.command}`;

/** The same in ever less room. A command that is cut is none, so shorter words name where it stands whole. */
export const lackWordsByLength = (l: Lack): string[] => [lackWords(l), `Not recorded: ${l.events.join(", ")}. The tab Import has the command that does`, "Not recorded. The tab Import has the command that does", "Not recorded"];

/** How a row reads in the tree. use is the mean use of a host's CPUs in the window. */
export function resourceWords(rows: RowTable, set: SetModel, id: number, use: ReadonlyMap<number, Use>, levels: ReadonlyMap<number, string>): RowWords | null {
  const group = hostOfGroup(id);
  const base = { note: "", tone: "thread", noteTone: "plain" } as const;
  if (group !== null) {
    const name = set.host(group)?.name ?? "";
    const lack = lackOfLines(set, group);
    return { ...base, name: "Interrupts", note: lack ? "not recorded" : "all CPUs", title: `Interrupt lines of ${isolated(name)}, on any of its CPUs${lack ? `. ${lackWords(lack)}` : ""}` };
  }
  const row = rows.get(id);
  if (!row) return null;
  const host = set.host(row.host)?.name ?? "";
  if (row.kind === HOST) {
    const lack = lackOfCPUs(set, rows, row.host);
    if (lack) return { ...base, tone: "host", name: row.name, note: lackNote([lack]), title: `${isolated(row.name)}: ${lackWords(lack)}` };
    const cpus = rows.resources(id).filter((r) => rows.get(r)?.kind === CPU).length;
    const used = use.get(id);
    const note = used === undefined ? "" : `${usedWords(used)} used`;
    return { ...base, tone: "host", name: row.name, note, title: `${isolated(row.name)}: ${counted(cpus, "CPU")}${used === undefined ? "" : `, ${usedWords(used)} of their time in this window used, as far as it is known; Statistics has it exactly`}` };
  }
  return { ...base, name: row.name, note: levels.get(id) ?? "", title: `${row.name} of ${isolated(host)}` };
}

/** What is known of a CPU or a line at a time, for the inspector and what stands beside the pointer. */
export function laneTerms(at: At, row: Row, rows: RowTable, view: View): [string, string][] {
  const [begin, end] = [parseNs(at.begin), parseNs(at.end)];
  const out: [string, string | null][] = [
    ["Thread", row.kind !== CPU || at.status === null ? null : at.thread ? ranWords(at.thread, row, rows) : at.status === "idle" ? null : "not known"],
    ["System call", row.kind === CPU ? at.syscall : null],
    ["Interrupt", at.irq ? at.irq.replace(/^softirq /, "soft ").replace(/^irq /, "") : null],
    ["Frequency", at.hz && row.kind === CPU ? gigahertz(at.hz) : null],
    ["Begin", begin !== null ? seconds(begin - view.origin()) : null],
    ["End", end !== null ? seconds(end - view.origin()) : at.known_until ? NOT_ENDED : null],
    ["Duration", begin !== null && end !== null ? exact(end - begin) : null],
  ];
  return out.filter((p): p is [string, string] => !!p[1]);
}

/** The thread that a CPU ran at a time, by the name that it had and its last. */
export function ranWords(thread: { name: string; tid: number }, row: Row, rows: RowTable): string {
  const id = rows.find(row.host, thread.tid);
  return threadWords(thread.name, (id !== undefined && rows.get(id)?.name) || "", thread.tid);
}

/**
 * What may stand in a bar of a CPU or a line, the fullest first: of a thread that took another name later both, for the list of
 * threads has its last. Labels are a number and a name.
 */
export function barNames(label: string, row: Pick<Row, "host" | "kind">, rows: Pick<RowTable, "find" | "get">): string[] {
  const space = label.indexOf(" ");
  if (space < 0) return [];
  const name = label.slice(space + 1);
  const id = row.kind === CPU ? rows.find(row.host, Number(label.slice(0, space))) : undefined;
  const last = id === undefined ? "" : (rows.get(id)?.name ?? "");
  return last && last !== name ? [`${name}, later ${last}`, name] : [name];
}

export function gigahertz(hz: number): string {
  return hz >= 1e9 ? `${(hz / 1e9).toFixed(2)} GHz` : `${Math.round(hz / 1e6)} MHz`;
}

/** What a CPU or a line does at a time. */
export const doesWords = (at: At): string => at.status ?? "nothing known";

/** The state of a CPU or a line as a chip. */
export function laneChip(at: At, row: Row): HTMLElement {
  const look = at.status_code === null || row.kind === FREQUENCY ? undefined : looksOf(row.kind)[at.status_code];
  const swatch = h("i", { class: "swatch" });
  if (look) swatch.dataset.state = String(look.as);
  return h("span", { class: "chip" }, look ? swatch : null, doesWords(at));
}

/** What has its states in a row. */
export const kindWord = (kind: number | undefined): string => (kind === CPU ? "CPU" : kind === FREQUENCY ? "frequency" : "interrupt");

/** What a CPU or a line did at the time that was chosen, as a sentence. */
export function laneSaid(at: At, row: Row, rows: RowTable): string {
  return `${row.name} on ${isolated(at.host)}: ${at.status ?? "nothing is known"}${at.thread ? `, ${ranWords(at.thread, row, rows)}` : ""}${lastsWords(at)}.`;
}

/** The section of the inspector. follow selects the thread that is there. */
export function laneBlock(at: At, row: Row, rows: RowTable, view: View, follow: (() => void) | null): HTMLElement {
  const block = h("section", {}, h("h2", {}, row.name), h("div", { class: "sub" }, at.host), laneChip(at, row));
  const local = parseNs(at.local_begin);
  add(block, terms([
    ...laneTerms(at, row, rows, view),
    [`On ${isolated(at.host)}`, local !== null ? view.clock(local) : null],
    ["Known to", view.raw || at.error_ns === null || at.error_ns === undefined || at.error_ns < 0 ? null : at.error_ns === 0 ? EXACTLY : plusMinus(at.error_ns)],
  ]));
  if (follow) add(block, h("p", {}, h("button", { type: "button", title: "Selects the thread and marks where CPUs ran it", onclick: follow }, `Follow ${at.thread!.name || "the thread"} · ${at.thread!.tid}`)));
  return block;
}

/** The section while the server has not answered: what is drawn there, "" for nothing. */
export function laneAwaited(row: Row, host: string, drawn: string): HTMLElement {
  return h("section", {}, h("h2", {}, row.name), h("div", { class: "sub" }, host), h("span", { class: "chip" }, drawn || "not known yet"),
    h("p", { class: "note" }, "The server has not answered yet. From when to when this lasts, and what ran there, is told as soon as it does."));
}

/** A use that is added up from shares of pixels, each of which leaves out of every state what is less than a 500th: between which it is, where that is not one number. Statistics has it exactly. */
export function usedWords({ least, most }: Use): string {
  if (least === 1 || most === 0) return percent(least);
  if (least < 0.005 && most < 0.015) return `about 1${THIN}% or less`;
  const [low, high] = [least, most].map((u) => Math.min(99, Math.round(u * 100)));
  return low === high ? `about ${low}${THIN}%` : `${low} to ${high}${THIN}%`;
}
