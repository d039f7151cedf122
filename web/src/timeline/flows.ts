// The connections of hosts, as rows: found in what the server answered, those that have messages in
// the window. A connection of TCP is two hosts and their ports; of other protocols the traces keep no ports,
// so all that two hosts exchange by one of them is a row.

import { BUNDLE, type MessagesAnswer } from "../net/wire.js";
import { counted } from "../time/number.js";
import type { RowWords } from "./pane.js";

/** Ids from here on are of connections; rows of the server have 32 bits. */
const FIRST = 2 ** 33;
/** Connections of a host that get a row, those with most messages. */
const MOST = 120;
/** Connections whose ids are kept, so that one that comes back into view has the one it had. */
const REMEMBERED = 1 << 14;
const TCP = 6;
const NAMES: Readonly<Record<number, string>> = { 1: "ICMP", 6: "TCP", 17: "UDP", 58: "ICMPv6", 132: "SCTP" };

interface Flow {
  readonly id: number;
  readonly protocol: number;
  readonly port: number; // at the host
  readonly peer: number; // host
  readonly peerPort: number;
  count: number;
  first: number; // when its first message in view was sent, ns from the answer's base
  last: number; // and when the last was received
}

/** The protocol of a message and, where they are known, its ports, in words. */
export function wayWords(from: string, to: string, m: { protocol: number; fromPort: number; toPort: number }): string {
  if (m.protocol === 0) return "";
  const name = nameOf(m.protocol);
  return m.fromPort || m.toPort ? `${name} ${from}:${m.fromPort} → ${to}:${m.toPort}` : name;
}

const nameOf = (protocol: number) => NAMES[protocol] ?? `protocol ${protocol}`;

/** Whether an id is that of a connection. */
export const isFlow = (id: number): boolean => id >= FIRST;

export class Flows {
  private readonly ids = new Map<string, number>();
  private next = FIRST;
  private readonly byId = new Map<number, Flow & { host: number }>();
  private listed = new Map<number, Flow[]>();
  /** Connections that have no row, by host. */
  private readonly others = new Map<number, number>();

  /** hostOf tells the number of the host of a row; name that of a host. */
  constructor(private readonly hostOf: (row: number) => number | undefined, private readonly name: (host: number) => string) {}

  clear(): void {
    this.ids.clear();
    this.byId.clear();
    this.listed.clear();
    this.others.clear();
  }

  /** Finds the connections that have messages from begin to end, ns from the answer's base; says whether others are listed than before. */
  take(a: MessagesAnswer, begin: number, end: number): boolean {
    const before = [...this.listed.values()].map((l) => l.map((f) => f.id).join()).join(";");
    const found = new Map<number, Map<string, Flow>>();
    if (this.ids.size > REMEMBERED) this.ids.clear();
    for (let i = 0; i < a.count; i++) {
      if (Math.max(a.sent[i], a.received[i]) < begin || Math.min(a.sent[i], a.received[i]) >= end) continue;
      for (const side of [0, 1] as const) {
        const f = this.of(a, i, side);
        if (!f) continue;
        const flows = found.get(f.host) ?? new Map<string, Flow>();
        found.set(f.host, flows);
        const known = flows.get(f.key);
        if (known) {
          known.count += a.counts[i];
          known.first = Math.min(known.first, a.sent[i]);
          known.last = Math.max(known.last, a.received[i]);
        } else flows.set(f.key, { id: this.idOf(f.host, f.key), protocol: f.protocol, port: f.port, peer: f.peer, peerPort: f.peerPort, count: a.counts[i], first: a.sent[i], last: a.received[i] });
      }
    }
    this.listed = new Map();
    this.byId.clear();
    this.others.clear();
    for (const [host, flows] of found) {
      const all = [...flows.values()].sort((x, y) => y.count - x.count || x.first - y.first);
      this.others.set(host, Math.max(0, all.length - MOST));
      const some = all.slice(0, MOST).sort((x, y) => x.first - y.first || x.id - y.id);
      this.listed.set(host, some);
      for (const f of some) this.byId.set(f.id, { ...f, host });
    }
    return before !== [...this.listed.values()].map((l) => l.map((f) => f.id).join()).join(";");
  }

  /** The rows of a host's connections, by their first message. */
  rows(host: number): number[] {
    return (this.listed.get(host) ?? []).map((f) => f.id);
  }

  /** The row of the connection of a message at one of its ends, 0 where it was sent; undefined where it is not known. */
  rowOf(a: MessagesAnswer, i: number, end: 0 | 1): number | undefined {
    const f = this.of(a, i, end);
    return f ? this.ids.get(`${f.host} ${f.key}`) : undefined;
  }

  /** From the first message of a connection in view to the last, ns from the answer's base; null for what is none. */
  life(id: number): readonly [number, number] | null {
    const f = this.byId.get(id);
    return f ? [f.first, f.last] : null;
  }

  words(id: number): RowWords | null {
    const f = this.byId.get(id);
    if (!f) return null;
    const protocol = nameOf(f.protocol);
    const peer = this.name(f.peer);
    const name = f.port || f.peerPort ? `:${f.port} ↔ ${peer}:${f.peerPort}` : `${protocol} ↔ ${peer}`;
    const whole = f.port || f.peerPort ? `${protocol} connection of ${this.name(f.host)}:${f.port} and ${peer}:${f.peerPort}` : `${protocol} between ${this.name(f.host)} and ${peer}: its ports are not recorded`;
    return { name, note: String(f.count), tone: "thread", noteTone: "plain", title: `${whole}: ${counted(f.count, "message")} in view` };
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

  // The connection of a message as its host at one end has it. A bundle of several connections has none.
  private of(a: MessagesAnswer, i: number, end: 0 | 1): { host: number; key: string; protocol: number; port: number; peer: number; peerPort: number } | null {
    const protocol = a.protocol[i];
    const [fromPort, toPort] = [a.fromPort[i], a.toPort[i]];
    if (protocol === 0 || (protocol === TCP && fromPort === 0 && toPort === 0 && (a.flags[i] & BUNDLE) !== 0)) return null;
    const [from, to] = [this.hostOf(a.from[i]), this.hostOf(a.to[i])];
    if (from === undefined || to === undefined) return null;
    const [host, port, peer, peerPort] = end === 0 ? [from, fromPort, to, toPort] : [to, toPort, from, fromPort];
    return { host, key: `${protocol} ${port} ${peer} ${peerPort}`, protocol, port, peer, peerPort };
  }
}
