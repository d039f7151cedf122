// The order of rows that hang under the same row: threads of a process, processes of a host, hosts.

import { byName } from "./natural.js";
import { HOST, type RowTable } from "./rows.js";

export const ORDERS = ["tid", "name", "start", "cpu", "changes"] as const;
export type By = (typeof ORDERS)[number];

export interface Order {
  readonly by: By;
  readonly down: boolean; // the largest first
}

export const BY_TID: Order = { by: "tid", down: false };

/** How an order is told, after "by". */
export const ORDER_WORDS: Readonly<Record<By, string>> = {
  tid: "thread id", name: "name", start: "start", cpu: "CPU time in view", changes: "activity in view",
};

/** The order by something as it is wanted first: the most busy on top, everything else from the least on. */
export function orderBy(by: By): Order {
  return { by, down: measured(by) };
}

/** Whether an order needs numbers of the server. */
export function measured(by: By): by is "cpu" | "changes" {
  return by === "cpu" || by === "changes";
}

/** An order as it stands in an address, "-cpu" for the largest first; "" for the usual one. */
export function orderText(o: Order): string {
  return o.by === "tid" && !o.down ? "" : (o.down ? "-" : "") + o.by;
}

export function parseOrder(s: string | null): Order {
  const m = /^(-?)(\w+)$/.exec(s ?? "");
  const by = ORDERS.find((o) => o === m?.[2]);
  return by ? { by, down: m![1] === "-" } : BY_TID;
}

/** What the server counts of a row with all below it, which is what it is ordered by. */
export function effortOf(rows: RowTable, efforts: ReadonlyMap<number, number>, id: number, level = 0): number {
  const own = efforts.get(id) ?? 0;
  return level < 64 ? rows.children(id).reduce((n, child) => n + effortOf(rows, efforts, child, level + 1), own) : own;
}

/** Compares rows that hang under the same row; null for the order they have anyway. A row counts with all below
 * it where numbers of the server are compared, of which those not in the map are 0. */
export function comparison(rows: RowTable, order: Order, efforts: ReadonlyMap<number, number>): ((a: number, b: number) => number) | null {
  if (orderText(order) === "") return null;
  const sign = order.down ? -1 : 1;
  const usual = (a: number, b: number) => {
    const [x, y] = [rows.get(a)!, rows.get(b)!];
    return x.kind === HOST ? x.host - y.host : x.tid - y.tid || a - b;
  };
  if (order.by === "tid") return (a, b) => (rows.get(a)!.kind === HOST ? usual(a, b) : sign * usual(a, b));
  if (order.by === "name") return (a, b) => sign * byName(rows.get(a)!.name, rows.get(b)!.name) || usual(a, b);
  if (order.by === "start") return (a, b) => (rows.get(a)!.kind === HOST ? 0 : sign * (rows.get(a)!.first - rows.get(b)!.first)) || usual(a, b);
  const sums = new Map<number, number>();
  const sum = (id: number, level: number): number => {
    let n = efforts.get(id) ?? 0;
    if (level < 64) for (const child of rows.children(id)) n += sum(child, level + 1);
    sums.set(id, n);
    return n;
  };
  for (const host of rows.hostRows()) sum(host, 0);
  return (a, b) => sign * (sums.get(a)! - sums.get(b)!) || usual(a, b);
}
