// The rows that are listed, top to bottom: what is collapsed, filtered out or idle
// in the window is not.

import { HOST, type RowTable } from "./rows.js";

export interface Listed {
  readonly id: number;
  readonly level: number; // 1 for hosts
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** The filter wants neither it nor one below it. */
  readonly dimmed: boolean;
}

export interface Choice {
  readonly collapsed: ReadonlySet<number>; // row ids
  /** Words that names contain or thread ids are; what is below a row that fits, fits as well. */
  readonly filter: string;
  /** The rows that a filter in the language wants, instead of words; null where there is none. */
  readonly wanted: ReadonlySet<number> | null;
  /** Rows that the filter does not want are listed all the same. */
  readonly dim: boolean;
  /** Whether a row has something to show in the window; null: all rows are listed. */
  readonly busy: ((id: number) => boolean) | null;
  /** Compares rows that hang under the same row; null for the order they have. */
  readonly order: ((a: number, b: number) => number) | null;
  /** Rows that are listed in any case. */
  readonly keep: ReadonlySet<number>;
}

/** Lists the tree depth first. A filter or idleness hides a row unless one below it stays. */
export function list(rows: RowTable, choice: Choice): Listed[] {
  const { wanted, dim } = choice;
  const words = wanted ? [] : choice.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const filtered = wanted !== null || words.length > 0;
  const out: Listed[] = [];

  const matches = (id: number): boolean => {
    if (wanted) return wanted.has(id);
    const row = rows.get(id)!;
    return words.every((w) => row.name.toLowerCase().includes(w) || String(row.tid) === w);
  };

  const sorted = (ids: number[]) => (choice.order ? [...ids].sort(choice.order) : ids);

  // Appends the rows at and below id; says whether any was appended, and whether the filter wants one of them.
  const walk = (id: number, level: number, admitted: boolean): [boolean, boolean] => {
    const row = rows.get(id);
    if (!row || level > 64) return [false, false];
    const own = !filtered || admitted || matches(id);
    const at = out.length;
    const collapsed = choice.collapsed.has(id);
    out.push({ id, level, expandable: false, expanded: false, dimmed: false });
    let [below, lit] = [false, own];
    for (const child of sorted(rows.children(id))) {
      const [some, wantedBelow] = walk(child, level + 1, own && !wanted);
      below ||= some;
      lit ||= some && wantedBelow;
    }
    const shown = below || choice.keep.has(id) || ((own || dim) && (row.kind === HOST || !choice.busy || choice.busy(id)));
    if (!shown) {
      out.length = at;
      return [false, false];
    }
    if (collapsed) out.length = at + 1;
    out[at] = { id, level, expandable: below, expanded: below && !collapsed, dimmed: !lit };
    return [true, lit];
  };

  for (const host of sorted(rows.hostRows())) walk(host, 1, false);
  return out;
}
