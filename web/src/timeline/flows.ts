// The connections of hosts, as rows: those that the server lists, that have messages in the window. A connection of
// TCP is two hosts and their ports; of other protocols the traces keep no ports, so all that two hosts exchange by
// one of them is a row.

import type { FlowList } from "../net/json.js";
import type { MessagesAnswer } from "../net/wire.js";
import { counted, group } from "../time/number.js";
import type { RowWords } from "./panerows.js";

/** Ids from here on are of connections; rows of the server have 32 bits. */
const FIRST = 2 ** 33;
/** Connections whose ids are kept, so that one that comes back into view has the one it had. */
const REMEMBERED = 1 << 14;
const NAMES: Readonly<Record<number, string>> = { 1: "ICMP", 6: "TCP", 17: "UDP", 58: "ICMPv6", 132: "SCTP" };

interface Flow {
  readonly id: number;
  readonly host: number;
  readonly protocol: number;
  readonly port: number; // at the host
  readonly peer: number; // host
  readonly peerPort: number;
  readonly count: number; // messages in view
}

/** The protocol of a message and, where they are known, its ports, in words. */
export function wayWords(from: string, to: string, m: { protocol: number; fromPort: number; toPort: number }): string {
  if (m.protocol === 0) return "";
  const name = nameOf(m.protocol);
  return m.fromPort || m.toPort ? `${name} ${from}:${m.fromPort} → ${to}:${m.toPort}` : name;
}

const nameOf = (protocol: number) => NAMES[protocol] ?? `protocol ${protocol}`;

const keyOf = (protocol: number, port: number, peer: number, peerPort: number) => `${protocol} ${port} ${peer} ${peerPort}`;

/** To what hosts open, as sentences; and of those that are open and have none of it, why: they recorded nothing in view, or have no message there. */
export function openedWords(flows: boolean, none: readonly string[], recorded: boolean): string {
  const words = `In Communication hosts open to their ${flows ? "connections" : "threads"}.`;
  if (!flows || none.length === 0) return words;
  const which = none.length === 1 ? `${none[0]} is open, and` : "Those that are open";
  return `${words} ${which} ${recorded ? `${none.length === 1 ? "has" : "have"} no message in view` : "recorded nothing in view"}, so no connection is listed.`;
}

/** Whether an id is that of a connection. */
export const isFlow = (id: number): boolean => id >= FIRST;

export class Flows {
  private readonly ids = new Map<string, number>();
  private next = FIRST;
  private readonly byId = new Map<number, Flow>();
  private readonly lives = new Map<number, [number, number]>();
  private listed = new Map<number, Flow[]>();
  /** Connections that have no row, by host. */
  private readonly others = new Map<number, number>();

  /** hostOfRow tells the number of the host of a row; name that of a host. */
  constructor(private readonly hostOfRow: (row: number) => number | undefined, private readonly name: (host: number) => string) {}

  /** The number of the host that has a connection. */
  hostOf(id: number): number | undefined {
    return this.byId.get(id)?.host;
  }

  clear(): void {
    this.ids.clear();
    this.byId.clear();
    this.lives.clear();
    this.listed.clear();
    this.others.clear();
  }

  /** Takes the connections that are to have rows; says whether others are listed than before, or in other words. */
  take(m: FlowList): boolean {
    const before = this.state();
    if (this.ids.size > REMEMBERED) this.ids.clear();
    this.listed = new Map();
    this.byId.clear();
    this.others.clear();
    for (const { host: row, more, connections } of m.hosts) {
      const host = this.hostOfRow(row);
      if (host === undefined) continue;
      const flows: Flow[] = [];
      for (const { protocol, port, peer: peerRow, peer_port: peerPort, count } of connections) {
        const peer = this.hostOfRow(peerRow);
        if (peer === undefined) continue;
        const f = { id: this.idOf(host, keyOf(protocol, port, peer, peerPort)), host, protocol, port, peer, peerPort, count };
        flows.push(f);
        this.byId.set(f.id, f);
      }
      this.listed.set(host, flows);
      this.others.set(host, more);
    }
    return before !== this.state();
  }

  private state(): string {
    return [...this.listed].map(([host, flows]) => `${host} ${this.others.get(host)} ${flows.map((f) => `${f.id} ${f.count}`)}`).join(";");
  }

  /** Learns when the connections that are listed live from their messages from begin to end, ns from the answer's base. */
  live(a: MessagesAnswer, begin: number, end: number): void {
    this.lives.clear();
    for (let i = 0; i < a.count; i++) {
      if (Math.max(a.sent[i], a.received[i]) < begin || Math.min(a.sent[i], a.received[i]) >= end) continue;
      for (const side of [0, 1] as const) {
        const id = this.rowOf(a, i, side);
        if (id === undefined || !this.byId.has(id)) continue;
        const life = this.lives.get(id);
        if (!life) this.lives.set(id, [a.sent[i], a.received[i]]);
        else this.lives.set(id, [Math.min(life[0], a.sent[i]), Math.max(life[1], a.received[i])]);
      }
    }
  }

  /** The rows of a host's connections, by their first message. */
  rows(host: number): number[] {
    return (this.listed.get(host) ?? []).map((f) => f.id);
  }

  /** The row of the connection of a message at one of its ends, 0 where it was sent; undefined where it is not known. */
  rowOf(a: MessagesAnswer, i: number, end: 0 | 1): number | undefined {
    const protocol = a.protocol[i];
    const [from, to] = [this.hostOfRow(a.from[i]), this.hostOfRow(a.to[i])];
    if (protocol === 0 || from === undefined || to === undefined) return undefined;
    const [host, port, peer, peerPort] = end === 0 ? [from, a.fromPort[i], to, a.toPort[i]] : [to, a.toPort[i], from, a.fromPort[i]];
    return this.ids.get(`${host} ${keyOf(protocol, port, peer, peerPort)}`);
  }

  /** From the first message of a connection in view to the last, ns from the answer's base; null for what is none. */
  life(id: number): readonly [number, number] | null {
    return this.lives.get(id) ?? null;
  }

  words(id: number): RowWords | null {
    const f = this.byId.get(id);
    if (!f) return null;
    const protocol = nameOf(f.protocol);
    const peer = this.name(f.peer);
    const name = f.port || f.peerPort ? `:${f.port} ↔ ${peer}:${f.peerPort}` : `${protocol} ↔ ${peer}`;
    const whole = f.port || f.peerPort ? `${protocol} connection of ${this.name(f.host)}:${f.port} and ${peer}:${f.peerPort}` : `${protocol} between ${this.name(f.host)} and ${peer}: its ports are not recorded`;
    return { name, note: group(f.count), tone: "thread", noteTone: "plain", title: `${whole}: ${counted(f.count, "message")} in view` };
  }

  /** What is left out, in words; "" for nothing. */
  omitted(hosts: Iterable<number>): string {
    let n = 0;
    for (const h of hosts) n += this.others.get(h) ?? 0;
    return n > 0 ? `${counted(n, "connection")} more on the rows of their hosts` : "";
  }

  private idOf(host: number, key: string): number {
    const name = `${host} ${key}`;
    let id = this.ids.get(name);
    if (id === undefined) {
      id = this.next++;
      this.ids.set(name, id);
    }
    return id;
  }
}
