// The rows of Communication: the hosts, or the two that were chosen, and below each that is open its threads, or its
// connections, that have messages in view.

import { pairIn } from "../model/pair.js";
import { HOST } from "../model/rows.js";
import type { HostInfo } from "../net/json.js";
import { VIEWS } from "../net/views.js";
import type { MessagesAnswer } from "../net/wire.js";
import type { Columns } from "../time/window.js";
import type { Context } from "./controlflow.js";
import { Flows, openedWords } from "./flows.js";
import { inWindow } from "./inview.js";
import type { Pane } from "./pane.js";
import type { PaneRow } from "./panerows.js";
import { sameTakers, takersOf, type Takers } from "./takers.js";

/** The messages that are there, and the columns that they were asked for in; null for none yet. */
export interface Loaded {
  answer(): MessagesAnswer | null;
  columns(): Columns | null;
}

export class TalkRows {
  readonly flows: Flows;
  private takers: Takers = new Map();
  /** Connections were asked for by hand; of hosts that have none in view that is said. */
  private flowsAsked = false;
  /** Hosts open to something else, as a sentence. */
  onOpened: (words: string) => void = () => {};
  /** Other rows are to be listed. */
  onOther: () => void = () => {};

  /** limit is how many messages are told one by one where connections are told apart. */
  constructor(private readonly c: Context, private readonly pane: Pane, private readonly loaded: Loaded, private readonly limit: number) {
    this.flows = new Flows((id) => c.rows.get(id)?.host, (host) => c.set.host(host)?.name ?? "?");
  }

  reset(): void {
    this.takers = new Map();
    this.flows.clear();
  }

  /** Whether any thread is known to take part in a message. */
  get anyThread(): boolean {
    return this.takers.size > 0;
  }

  /** The numbers of the two hosts whose messages alone are shown; null for all. */
  pair(): number[] | null {
    const { view, set } = this.c;
    return pairIn(view.pair, this.hosts())?.map((name) => set.hosts.find((x) => x.name === name)!.index) ?? null;
  }

  /** The names of all hosts. */
  hosts(): string[] {
    return this.c.set.hosts.map((x) => x.name);
  }

  /** The hosts whose connections have rows: those that are open, and are shown. */
  opened(): number[] {
    const pair = this.pair();
    return [...this.c.view.openedHosts].filter((host) => !pair || pair.includes(host)).sort((a, b) => a - b);
  }

  /** All rows, in order. */
  list(): PaneRow[] {
    const { rows, view } = this.c;
    const out: PaneRow[] = [];
    const pair = this.pair();
    for (const host of rows.hostRows()) {
      if (pair && !pair.includes(rows.get(host)!.host)) continue;
      const threads = this.below(host);
      // The connections of a host are asked for when it is opened.
      const expandable = threads.length > 0 || view.flows;
      const expanded = view.openedHosts.has(rows.get(host)!.host) && expandable;
      out.push({ id: host, level: 1, expandable, expanded });
      if (expanded) for (const id of threads) out.push({ id, level: 2, expandable: false, expanded: false });
    }
    return out;
  }

  // The rows below a host's.
  private below(host: number): number[] {
    const { rows, view } = this.c;
    if (view.flows) return this.flows.rows(rows.get(host)!.host);
    return [...(this.takers.get(host) ?? [])].sort((a, b) => (rows.get(a)?.tid ?? 0) - (rows.get(b)?.tid ?? 0));
  }

  /** Opens or closes the host of a row. */
  toggle(id: number): void {
    const { rows, view } = this.c;
    const host = rows.get(id)?.host;
    if (host === undefined) return;
    if (!view.openedHosts.delete(host)) view.openedHosts.add(host);
    view.emit();
    this.onOther();
  }

  /** Has hosts open to their connections instead of their threads, or back. Connections are of no use while no host is open, so that of the selected
   * row is opened, or the first. */
  toggleFlows(): void {
    const { view, rows } = this.c;
    view.flows = !view.flows;
    const listed = this.pane.rows.map((r) => r.id).filter((id) => rows.get(id)?.kind === HOST);
    const chosen = listed.find((id) => rows.get(id)?.host === view.row?.host) ?? listed[0];
    if (view.flows && chosen !== undefined && !listed.some((id) => view.openedHosts.has(rows.get(id)!.host))) view.openedHosts.add(rows.get(chosen)!.host);
    this.flowsAsked = view.flows;
    view.emit();
    this.onOpened(openedWords(view.flows, this.unrecorded(), false));
  }

  // The open hosts, where all of these recorded nothing in view.
  private unrecorded(): string[] {
    const { set, view } = this.c;
    const { begin, end } = inWindow(view);
    const hosts = this.openHosts();
    const recorded = hosts.some(({ index }) => {
      const e = set.extent(index, view.raw);
      return !e || (e.begin < end && e.end > begin) || set.unread(index);
    });
    return recorded ? [] : hosts.map((x) => x.name);
  }

  private openHosts(): HostInfo[] {
    return this.opened().flatMap((host) => this.c.set.host(host) ?? []);
  }

  /** Asks which connections of open hosts are in view, among those that the arrows at hand tell apart. */
  listFlows(): void {
    const { view, live } = this.c;
    const columns = this.loaded.columns();
    const hosts = this.opened();
    if (!view.flows || hosts.length === 0) live.drop(VIEWS.flows);
    if (!view.flows || !columns || hosts.length === 0 || view.tab !== "timeline") return;
    const { begin, end } = inWindow(view);
    const [a, b] = this.pair() ?? [];
    live.ask(VIEWS.flows, { op: "connections", begin: String(columns.begin), end: String(columns.end), from: String(begin), to: String(end), time: view.time, limit: this.limit, a, b, hosts }, (m) => {
      if (m.kind !== "connections" || !this.c.view.flows) return;
      const other = this.flows.take(m.body);
      const none = this.openHosts().filter((x) => this.flows.rows(x.index).length === 0).map((x) => x.name);
      if (this.flowsAsked && none.length === hosts.length && this.unrecorded().length === 0) this.onOpened(openedWords(true, none, true));
      this.flowsAsked = false;
      this.liveFlows();
      if (other) this.onOther();
    });
  }

  /** Learns when connections live from the messages that there are. */
  liveFlows(): void {
    const a = this.loaded.answer();
    const { begin, end } = inWindow(this.c.view);
    if (a && this.c.view.flows) this.flows.live(a, Number(begin - a.base), Number(end - a.base));
  }

  /** Learns which threads take part in the messages of an answer. */
  listTakers(m: MessagesAnswer): void {
    const { begin, end } = inWindow(this.c.view);
    const before = this.takers;
    this.takers = takersOf(this.c.rows, m, Number(begin - m.base), Number(end - m.base));
    if (!sameTakers(before, this.takers)) this.onOther();
  }

  /** The place of the row of an end of a message, 0 where it was sent: its connection's or its thread's where that is listed, else its host's. */
  endOf(a: MessagesAnswer, i: number, end: 0 | 1): number | undefined {
    const id = end === 0 ? a.from[i] : a.to[i];
    const flow = this.c.view.flows ? this.flows.rowOf(a, i, end) : undefined;
    const at = flow === undefined ? undefined : this.pane.indexOf(flow);
    return at ?? this.rowOf(id);
  }

  /** The place of a thread's row where it is listed, else of its host's. */
  rowOf(id: number): number | undefined {
    const i = this.pane.indexOf(id);
    if (i !== undefined) return i;
    const row = this.c.rows.get(id);
    const host = row && this.c.rows.hostRow(row.host);
    return host === undefined ? undefined : this.pane.indexOf(host);
  }
}
