// The rows of Resources: hosts, below each its CPUs and its interrupt lines in total, below
// each CPU its frequency and its own lines. Lines are listed on demand.

import type { RowTable } from "../model/rows.js";
import { CPU, FREQUENCY, INTERRUPT } from "../model/rows.js";
import type { PaneRow } from "../timeline/panerows.js";

/** Hosts open by themselves as long as there are no more CPUs than this. */
const FEW = 32;

/** The row that gathers the interrupt lines of a host has no id of the server's. */
export const groupOf = (host: number): number => -1 - host;
export const hostOfGroup = (id: number): number | null => (id < 0 ? -1 - id : null);

/** What is open. In an address: "0,0.1,0.i" for host 0, its CPU 1 and its interrupts; "none" for nothing; "off" for a
 * pane that shows its head only; "" for what opens by itself. */
export class Open {
  off = false;
  private keys: Set<string> | null = null;

  constructor(words: string) {
    this.parse(words);
  }

  parse(words: string): void {
    const parts = words.split(",").filter(Boolean);
    this.off = parts.includes("off");
    const keys = parts.filter((p) => /^\d{1,5}(\.(\d{1,5}|i))?$/.test(p));
    this.keys = keys.length > 0 || parts.includes("none") ? new Set(keys) : null;
  }

  format(): string {
    const parts = this.off ? ["off"] : [];
    if (this.keys) parts.push(...(this.keys.size > 0 ? [...this.keys].sort() : ["none"]));
    return parts.join(",");
  }

  has(rows: RowTable, key: string): boolean {
    return this.keys ? this.keys.has(key) : rows.cpus <= FEW && !key.includes(".");
  }

  /** Opens what is not open yet. */
  add(rows: RowTable, keys: readonly string[], hosts: readonly number[]): void {
    for (const key of keys) if (!this.has(rows, key)) this.toggle(rows, key, hosts);
  }

  toggle(rows: RowTable, key: string, hosts: readonly number[]): void {
    this.keys ??= new Set(hosts.map(String).filter((k) => this.has(rows, k)));
    if (!this.keys.delete(key)) this.keys.add(key);
  }
}

/** The name of a row in Open; null for one that never opens. */
export function keyOf(rows: RowTable, id: number): string | null {
  const host = hostOfGroup(id);
  if (host !== null) return `${host}.i`;
  const row = rows.get(id);
  if (!row) return null;
  return row.kind === CPU ? `${row.host}.${row.tid}` : row.parent >= 0 && row.kind === 0 ? String(row.host) : null;
}

/** How a row of a CPU or a line is named in an address: "0.1" for CPU 1 of host 0, "0.1.f" for its frequency, "0.1.q24" and
 * "0.1.s3" for its lines, "0.i.q24" for a line in total; "" for others. */
export function laneOf(rows: RowTable, id: number): string {
  const row = rows.get(id);
  if (!row || row.kind < CPU) return "";
  if (row.kind === CPU) return `${row.host}.${row.tid}`;
  const above = rows.get(row.parent);
  const place = above?.kind === CPU ? `${row.host}.${above.tid}` : `${row.host}.i`;
  if (row.kind === FREQUENCY) return `${place}.f`;
  return `${place}.${row.kind === INTERRUPT ? "q" : "s"}${row.tid >= 0 ? row.tid : row.name.split(" ")[1] ?? ""}`;
}

/** The row of a name of laneOf, or of keyOf, and what has to be open so that it is listed; null while there is none. */
export function findLane(rows: RowTable, name: string): { id: number; above: string[] } | null {
  const m = /^(\d{1,5})(?:\.(\d{1,5}|i)(\..+)?)?$/.exec(name);
  const host = m ? rows.hostRow(Number(m[1])) : undefined;
  if (!m || host === undefined) return null;
  if (m[2] === undefined) return { id: host, above: [] };
  if (m[2] === "i" && !m[3]) return { id: groupOf(Number(m[1])), above: [m[1]] };
  const among = [...rows.resources(host)];
  const cpu = among.find((id) => laneOf(rows, id) === `${m[1]}.${m[2]}`);
  if (cpu !== undefined) among.push(...rows.resources(cpu));
  const id = among.find((r) => laneOf(rows, r) === name);
  return id === undefined ? null : { id, above: m[3] ? [m[1], `${m[1]}.${m[2]}`] : [m[1]] };
}

/** Lists the rows, top to bottom. */
export function listResources(rows: RowTable, open: Open): PaneRow[] {
  const out: PaneRow[] = [];
  const branch = (id: number, level: number, children: readonly number[]): boolean => {
    const expanded = children.length > 0 && open.has(rows, keyOf(rows, id)!);
    out.push({ id, level, expandable: children.length > 0, expanded });
    return expanded;
  };
  const leaf = (id: number, level: number) => out.push({ id, level, expandable: false, expanded: false });
  for (const id of rows.hostRows()) {
    const all = rows.resources(id);
    const cpus = all.filter((r) => rows.get(r)!.kind === CPU);
    const lines = all.filter((r) => rows.get(r)!.kind !== CPU);
    if (!branch(id, 1, cpus)) continue;
    for (const cpu of cpus) if (branch(cpu, 2, rows.resources(cpu))) for (const lane of rows.resources(cpu)) leaf(lane, 3);
    if (branch(groupOf(rows.get(id)!.host), 2, lines)) for (const line of lines) leaf(line, 3);
  }
  return out;
}
