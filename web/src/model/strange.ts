// What an address names that there is not: the tab, the host by whose clock its times are, the window, and the row that is selected.

import type { Clocks } from "../net/json.js";
import { counted } from "../time/number.js";
import type { RowTable } from "./rows.js";
import { ns64 } from "./addressed.js";
import type { Bounds, SetModel } from "./set.js";
import { shortened } from "./shortened.js";
import type { View } from "./view.js";

/** That the times of a link are by the clock of another host than the reference, or of one that there is not, which is told by that of the reference instead. */
export function otherClockWords(by: string, { hosts, reference }: Pick<Clocks, "hosts" | "reference">): string {
  if (hosts?.some((x) => x.name === by)) return `This link was made with ${by} as the reference, and now it is ${reference}: it leads to the same moments, which have other times and ±.`;
  return `The times of this link are by the clock of ${by}. There is no host ${by} in this set, so they are taken for times of ${reference}'s.`;
}

/** That the ends of a window are none that can be shown, as an address has them, "" for one that it lacks; "" where what is shown instead, the
 *  whole set, is what lies between them. */
export function strangeWindowWords(ends: readonly [begin: string, end: string] | null, bounds: Bounds | null): string {
  if (!ends) return "";
  const [begin, end] = ends.map(ns64);
  if (begin !== null && end !== null && bounds && begin <= bounds.begin && bounds.end <= end) return "";
  const [from, to] = ends.map((words) => shortened(words, 24, 8));
  const asked = [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(" ");
  return `The address asks for a window${asked && ` ${asked}`}. ${whyNone(ends, begin, end)}, so the whole set is shown.`;
}

function whyNone(ends: readonly [string, string], begin: bigint | null, end: bigint | null): string {
  const lacking = ends.indexOf("");
  if (lacking >= 0) return `It has no ${lacking === 0 ? "begin" : "end"}`;
  if (begin === null || end === null) return `${shortened(ends[begin === null ? 0 : 1], 24, 8)} is no time in ns that a recording can have`;
  if (begin === end) return "It has no length";
  return end < begin ? "It ends before it begins" : "No recording is as long or lies as far off";
}

/** That there is no tab of a name, as an address has it; "" where it has none. */
export function strangeTabWords(name: string | null): string {
  return name === null ? "" : `The address asks for a view ${shortened(name, 24, 8) || "without a name"}. There is none, so it is the timeline that is open.`;
}

/** That a row which is selected is none that there is; "" where nothing is wrong, and while rows may come yet. */
export function strangeRowWords(row: { host: number; tid: number } | null, rows: RowTable, set: SetModel): string {
  if (!row || set.importing || rows.hostRows().length === 0) return "";
  const host = set.host(row.host);
  if (!host) return `The address asks for a row of host number ${row.host}. There ${set.hosts.length === 1 ? "is" : "are"} ${counted(set.hosts.length, "host")} in this set, counted from 0, so no row is selected.`;
  if (row.tid < 0 || rows.find(row.host, row.tid) !== undefined) return "";
  return `The address asks for thread ${row.tid} of ${host.name}. There is no such thread in this set, so no row is selected.`;
}

/** How long no row came, ms, until one that there is not is told to be none. */
const ROWS_REST = 700;

/** Tells of such a tab, until another is opened, of such a window, until another is shown, and of such a row. That may be one that has yet to come: rows come in several messages, and it
 *  is told when none did for a while. */
export class Strange {
  private rest = 0;
  private told = "";
  private left = false; // another window was shown
  private turned = false; // another tab was opened

  constructor(private readonly tell: (words: string) => void) {}

  /** Rows or bounds came, or another row or window is chosen. */
  look(view: View, rows: RowTable, set: SetModel): void {
    this.left ||= !view.whole;
    const row = strangeRowWords(view.row, rows, set);
    this.turned ||= view.tab !== "timeline";
    const words = [this.turned ? "" : strangeTabWords(view.refusedTab), this.left || !view.bounds ? "" : strangeWindowWords(view.refused, view.bounds), row].filter(Boolean).join(" ");
    clearTimeout(this.rest);
    if (this.told === words) return; // as nearly always: the view may be in motion
    this.rest = setTimeout(() => this.tell((this.told = words)), row ? ROWS_REST : 0);
  }
}
