// How tables are arranged, and that as an address has it: "threads3.calls1r.took0ra".

/** By which column a table is sorted, whether the other way round than that column is at first, and whether all rows are listed. */
export interface Arranged {
  readonly column: number;
  readonly turned: boolean;
  readonly all: boolean;
}

/** Tables that are not as they are at first, by name: letters. */
export type Tables = Map<string, Arranged>;

/** An address holds no more than this. */
const MOST = 16;

export function parseTables(words: string): Tables {
  const tables: Tables = new Map();
  for (const one of words.split(".").slice(0, MOST)) {
    const m = /^([a-z]{1,12})(\d{1,2})(r?)(a?)$/.exec(one);
    if (m) tables.set(m[1], { column: Number(m[2]), turned: m[3] !== "", all: m[4] !== "" });
  }
  return tables;
}

export function tablesText(tables: Tables): string {
  return [...tables].map(([name, t]) => name + t.column + (t.turned ? "r" : "") + (t.all ? "a" : "")).sort().join(".");
}
