// The rows of a set as the server names them: hosts, their processes, their threads.

import { byName } from "./natural.js";
import { NO_ROW, type RowsMessage } from "../net/wire.js";

export const HOST = 0;
export const PROCESS = 1;
export const THREAD = 2;
/** Rows of what a machine has; the tid of these is a number of a CPU or a line. */
export const CPU = 3;
export const INTERRUPT = 4;
export const SOFT_INTERRUPT = 5;
export const FREQUENCY = 6;

/** Numbers from here on are of rows that are no threads of which it is known which ones they are: the name says what they are. */
export const UNNUMBERED = 1 << 22;

/** A thread in words: its name and, if it has one that its machine knows, its number. */
export const threadName = ({ name, tid }: { readonly name: string; readonly tid: number }): string => (tid >= UNNUMBERED ? name || "(no name)" : `${name} · ${tid}`);

export interface Row {
  readonly id: number;
  parent: number; // NO_ROW for hosts
  host: number;
  kind: number;
  tid: number;
  first: number; // ns after the host's local begin
  last: number; // -1 while it lives
  name: string;
  children: number[];
  sorted: boolean;
}

export class RowTable {
  private rows: (Row | undefined)[] = [];
  private hosts: number[] = [];
  private readonly byTid = new Map<string, number>();
  private readonly lanes = new Map<number, number[]>();
  /** Rows below hosts, and those of them that are no threads of which it is known which ones they are. */
  threads = 0;
  unnumbered = 0;
  cpus = 0;

  get(id: number): Row | undefined {
    return this.rows[id];
  }

  /** Every row there is, in the order of their ids. */
  *all(): Generator<Row> {
    for (const row of this.rows) if (row) yield row;
  }

  /** The host rows by index of host. */
  hostRows(): number[] {
    return this.hosts.filter((id) => id !== undefined);
  }

  hostRow(host: number): number | undefined {
    return this.hosts[host];
  }

  /** The row of a thread; of two that used the same id one after the other, the later. */
  find(host: number, tid: number): number | undefined {
    return this.byTid.get(`${host}.${tid}`);
  }

  clear(): void {
    this.rows = [];
    this.hosts = [];
    this.byTid.clear();
    this.lanes.clear();
    this.threads = this.unnumbered = this.cpus = 0;
  }

  /** What a host or a CPU has, by kind and number: CPUs, frequency, interrupt lines. */
  resources(id: number): readonly number[] {
    return this.lanes.get(id) ?? [];
  }

  add(m: RowsMessage): void {
    for (let i = 0; i < m.id.length; i++) {
      const id = m.id[i];
      const old = this.rows[id];
      const row: Row = {
        id, parent: m.parent[i], host: m.host[i], kind: m.rowKind[i], tid: m.tid[i],
        first: m.first[i], last: m.last[i], name: m.names[i],
        children: old?.children ?? [], sorted: old?.sorted ?? true,
      };
      this.rows[id] = row;
      if (!old) this.place(row);
      else if (row.kind < CPU && old.parent !== row.parent) this.move(row, old.parent);
    }
  }

  /** The children of a row by thread id. */
  children(id: number): number[] {
    const row = this.rows[id];
    if (!row) return [];
    if (!row.sorted) {
      row.children.sort((a, b) => this.rows[a]!.tid - this.rows[b]!.tid || a - b);
      row.sorted = true;
    }
    return row.children;
  }

  private place(row: Row): void {
    if (row.kind >= CPU) return this.equip(row);
    if (row.kind === HOST) this.hosts[row.host] = row.id;
    else {
      this.threads++;
      if (row.tid >= UNNUMBERED) this.unnumbered++;
      this.byTid.set(`${row.host}.${row.tid}`, row.id);
    }
    this.adopt(row);
    // A child may come before its parent.
    for (const orphan of this.orphans.get(row.id) ?? []) row.children.push(orphan);
    if (this.orphans.delete(row.id)) row.sorted = false;
  }

  // Numbers of lines stand in order; vectors of the processor, which have none, come last by name.
  private equip(row: Row): void {
    const own = this.lanes.get(row.parent) ?? [];
    own.push(row.id);
    const place = (r: Row) => (r.tid < 0 ? 2 ** 31 : r.tid);
    const kind = (r: Row) => (r.kind === FREQUENCY ? CPU + 0.5 : r.kind);
    own.sort((x, y) => {
      const [a, b] = [this.rows[x]!, this.rows[y]!];
      return kind(a) - kind(b) || place(a) - place(b) || byName(a.name, b.name);
    });
    this.lanes.set(row.parent, own);
    if (row.kind === CPU) this.cpus++;
  }

  private readonly orphans = new Map<number, number[]>();

  private adopt(row: Row): void {
    if (row.parent === NO_ROW) return;
    const parent = this.rows[row.parent];
    if (parent) {
      parent.children.push(row.id);
      parent.sorted = false;
    } else {
      const waiting = this.orphans.get(row.parent);
      if (waiting) waiting.push(row.id);
      else this.orphans.set(row.parent, [row.id]);
    }
  }

  private move(row: Row, from: number): void {
    const old = this.rows[from];
    if (old) old.children = old.children.filter((id) => id !== row.id);
    this.adopt(row);
  }
}
