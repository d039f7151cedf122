// When the thread of a row was there, in the time of the view.

import { HOST } from "../model/rows.js";
import { parseNs, type Ns } from "../time/time.js";
import type { Context } from "./controlflow.js";

/** The stretch in which a thread is known to have been there; a null end is not known, or not yet come. */
export interface Life {
  readonly first: Ns | null;
  readonly last: Ns | null;
}

/** The life of a row's thread; null for what is none, and while its host's clock is not known. */
export function lifeOf({ rows, set, view }: Pick<Context, "rows" | "set" | "view">, id: number): Life | null {
  const row = rows.get(id);
  const begin = row && parseNs(set.host(row.host)?.local_begin);
  if (!row || row.kind === HOST || begin === null || begin === undefined) return null;
  const seen = (after: number) => {
    const local = begin + BigInt(Math.round(after));
    return view.raw ? local : set.toReference(row.host, local);
  };
  return { first: seen(row.first), last: row.last < 0 ? null : seen(row.last) };
}

/** The time nearest to one at which a thread was there: what it did before it began nobody knows. */
export function nearest(life: Life | null, at: Ns): Ns {
  if (life?.first != null && at <= life.first) return life.first + 1n;
  return life?.last != null && at >= life.last ? life.last - 1n : at;
}

/** On which side of its life a time is; null for none. */
export function outside(life: Life | null, at: Ns): "before" | "after" | null {
  if (life?.first != null && at < life.first) return "before";
  return life?.last != null && at >= life.last ? "after" : null;
}
