// What an address names that is none of this set: the host by whose clock its times are, and the row that is selected.

import { counted } from "../time/number.js";
import type { RowTable } from "./rows.js";
import type { SetModel } from "./set.js";

/** That the times of a link are by the clock of a host that there is not, which is told by that of the reference instead. */
export function strangeClockWords(by: string, reference: string): string {
  return `The times of this link are by the clock of ${by}. There is no host ${by} in this set, so they are taken for times of ${reference}'s.`;
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

/** Tells of such a row. It may be one that has yet to come: rows come in several messages, and it is told when none did for a while. */
export class StrangeRow {
  private rest = 0;
  private told = "";

  constructor(private readonly tell: (words: string) => void) {}

  /** Rows came, or another is selected. */
  look(row: { host: number; tid: number } | null, rows: RowTable, set: SetModel): void {
    const words = strangeRowWords(row, rows, set);
    clearTimeout(this.rest);
    if (this.told === words) return; // as nearly always: the view may be in motion
    this.rest = setTimeout(() => this.tell((this.told = words)), words ? ROWS_REST : 0);
  }
}
