// Which threads take part in messages: in Communication these have rows below their hosts.

import { HOST, type RowTable } from "../model/rows.js";
import type { MessagesAnswer } from "../net/wire.js";

/** Threads, by the row of their host. */
export type Takers = ReadonlyMap<number, ReadonlySet<number>>;

/** Those that sent or received something from begin until before end, ns behind the base of the answer. */
export function takersOf(rows: RowTable, m: MessagesAnswer, begin: number, end: number): Takers {
  const takers = new Map<number, Set<number>>();
  for (const [ends, at] of [[m.from, m.sent], [m.to, m.received]] as const)
    for (let i = 0; i < m.count; i++) {
      if (at[i] < begin || at[i] >= end) continue;
      const row = rows.get(ends[i]);
      const host = row && row.kind !== HOST ? rows.hostRow(row.host) : undefined;
      if (host === undefined) continue;
      const known = takers.get(host);
      if (known) known.add(ends[i]);
      else takers.set(host, new Set([ends[i]]));
    }
  return takers;
}

/** Whether the same threads take part. */
export function sameTakers(a: Takers, b: Takers): boolean {
  const key = (t: Takers) => [...t.values()].map((s) => [...s].sort().join()).join(";");
  return key(a) === key(b);
}
