// The rows that are listed, top to bottom: what is collapsed, filtered out or idle
// in the window is not.

import { HOST, type RowTable } from "./rows.js";

export interface Listed {
  readonly id: number;
  readonly level: number; // 1 for hosts
  readonly expandable: boolean;
  readonly expanded: boolean;
}

export interface Choice {
  readonly collapsed: ReadonlySet<number>; // row ids
  readonly filter: string;
  /** Whether a row has something to show in the window; null: all rows are listed. */
  readonly busy: ((id: number) => boolean) | null;
  /** A row that is listed in any case. */
  readonly keep: number | null;
}

/** Lists the tree depth first. A filter or idleness hides a row unless one below it stays. */
export function list(rows: RowTable, choice: Choice): Listed[] {
  const words = choice.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const out: Listed[] = [];

  const matches = (id: number): boolean => {
    const row = rows.get(id)!;
    return words.every((w) => row.name.toLowerCase().includes(w) || String(row.tid) === w);
  };

  // Appends the rows at and below id; says whether any was appended.
  const walk = (id: number, level: number, admitted: boolean): boolean => {
    const row = rows.get(id);
    if (!row || level > 64) return false;
    const own = admitted || (words.length > 0 && matches(id));
    const at = out.length;
    const collapsed = choice.collapsed.has(id);
    out.push({ id, level, expandable: false, expanded: false });
    let below = false;
    for (const child of rows.children(id)) below = walk(child, level + 1, own || words.length === 0) || below;
    const shown =
      below || id === choice.keep || ((own || words.length === 0) && (row.kind === HOST ? words.length === 0 || own : !choice.busy || choice.busy(id)));
    if (!shown) {
      out.length = at;
      return false;
    }
    if (collapsed) out.length = at + 1;
    out[at] = { id, level, expandable: below, expanded: below && !collapsed };
    return true;
  };

  for (const host of rows.hostRows()) walk(host, 1, false);
  return out;
}
