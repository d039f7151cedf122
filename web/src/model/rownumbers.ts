// The numbers of rows, which a server gives as the rows come to it: one that is started anew, on a set that it reads to its end at once, gives
// others than one that read it while somebody looked. The page goes on with those that it had. What a row is of tells which is which, and what is
// asked and answered is told in the numbers of the side that reads it.

import type { FlowList } from "../net/json.js";
import type { Request } from "../net/live.js";
import { NO_ROW, type Message, type RowsMessage } from "../net/wire.js";
import { CPU, HOST, type Row } from "./rows.js";

/** What a row is of; parent is the page's number of its parent. */
function keyOf(row: Pick<Row, "host" | "kind" | "tid" | "name">, parent: number): string {
  if (row.kind === HOST) return `host ${row.host}`;
  if (row.kind < CPU) return `thread ${row.host}.${row.tid}`;
  return `${row.kind} of ${parent}: ${row.tid < 0 ? row.name : row.tid}`;
}

export class RowNumbers {
  /** By a number of the server that of the page; null while they are the same. */
  private own: Map<number, number> | null = null;
  private readonly theirs = new Map<number, number>();
  // The rows of before that have not been told of again, and the first number that none had. A key of two rows is of none.
  private readonly before = new Map<string, number>();
  private next = 0;

  /** The numbers of the server are those of the page. */
  same(): void {
    this.own = null;
    this.theirs.clear();
    this.before.clear();
  }

  /** Another server numbers these rows, and more. */
  begin(rows: Iterable<Row>): void {
    this.same();
    this.own = new Map();
    const twice = new Set<string>();
    for (const row of rows) {
      const key = keyOf(row, row.parent);
      if (this.before.has(key)) twice.add(key);
      this.before.set(key, row.id);
      this.next = Math.max(this.next, row.id + 1);
    }
    for (const key of twice) this.before.delete(key);
  }

  /** Rows that the server tells of, in the numbers of the page. */
  rows(m: RowsMessage): RowsMessage {
    if (!this.own) return m;
    // A parent is known before what is below it: it is of a lower kind.
    const known = [...m.id.keys()].sort((a, b) => m.rowKind[a] - m.rowKind[b]);
    for (const i of known) {
      if (this.own.has(m.id[i])) continue;
      const isLane = m.rowKind[i] >= CPU;
      const key = keyOf({ host: m.host[i], kind: m.rowKind[i], tid: m.tid[i], name: m.names[i] }, isLane ? this.ownOf(m.parent[i]) : NO_ROW);
      this.pair(m.id[i], this.before.get(key));
      this.before.delete(key);
    }
    const told = { ...m, id: this.all(m.id), parent: this.all(m.parent) };
    if (this.before.size === 0 && [...this.own].every(([theirs, own]) => theirs === own)) this.same();
    return told;
  }

  /** What the server answers, in the numbers of the page. */
  answer(m: Message): Message {
    if (!this.own) return m;
    switch (m.kind) {
      case "states":
      case "listing":
        return { ...m, rows: this.all(m.rows) };
      case "messages":
        return { ...m, from: this.all(m.from), to: this.all(m.to) };
      case "wakeups":
        return { ...m, waker: this.all(m.waker), woken: this.all(m.woken) };
      case "at":
        return m.body ? { ...m, body: { ...m.body, row: this.ownOf(m.body.row) } } : m;
      case "connections":
        return { ...m, body: this.flows(m.body) };
      default:
        return m;
    }
  }

  /** What the page asks, in the numbers of the server. Of several rows those that it has not told of are left out; a single one is none that there is. */
  request(r: Request): Request {
    if (!this.own) return r;
    const out: Record<string, unknown> = {};
    if (Array.isArray(r.rows)) out.rows = r.rows.map((id: number) => this.theirs.get(id)).filter((id) => id !== undefined);
    if (typeof r.row === "number") out.row = this.theirs.get(r.row) ?? NO_ROW;
    return { ...r, ...out };
  }

  private flows({ hosts }: FlowList): FlowList {
    return { hosts: hosts.map((h) => ({ ...h, host: this.ownOf(h.host), connections: h.connections.map((c) => ({ ...c, peer: this.ownOf(c.peer) })) })) };
  }

  private all(ids: Uint32Array): Uint32Array {
    return ids.map((id) => this.ownOf(id));
  }

  private ownOf(theirs: number): number {
    return theirs === NO_ROW ? NO_ROW : this.own!.get(theirs) ?? this.pair(theirs, undefined);
  }

  private pair(theirs: number, own = this.next++): number {
    this.own!.set(theirs, own);
    this.theirs.set(own, theirs);
    return own;
  }
}
