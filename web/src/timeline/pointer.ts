// What is under the pointer, in words: at once what is drawn there, then, when the
// server has answered, the state at that very ns.

import { HOST, type Row } from "../model/rows.js";
import type { At } from "../net/json.js";
import { about, exact, parseNs } from "../time/time.js";
import type { Communication, Picked } from "./communication.js";
import type { Context, ControlFlow } from "./controlflow.js";
import { Tooltip } from "./tooltip.js";

const VIEW = 4;

export class Pointer {
  readonly tooltip = new Tooltip();
  /** The host under the pointer, whose clock the status line tells; null where there is none. */
  host: number | null = null;
  words = "";
  onChange: () => void = () => {};
  private row: number | null = null;

  constructor(private readonly c: Context, private readonly states: ControlFlow, private readonly messages: Communication) {}

  /** The pointer is over the control flow. */
  flow(x: number, y: number): void {
    const { rows, live, view, set } = this.c;
    const id = this.states.pane.rowAt(y)?.id;
    const row = id === undefined ? undefined : rows.get(id);
    if (!row || id === undefined) return this.leave();
    if (row.kind === HOST) {
      this.row = null;
      this.tooltip.hide();
      this.say(row.host, row.name);
      return;
    }
    const drawn = this.states.at(id, x);
    this.row = id;
    this.say(row.host, `${row.name} · ${row.tid}: ${drawn || "not loaded yet"}`);
    const box = this.states.pane.stick.getBoundingClientRect();
    this.tooltip.show(row, set.host(row.host)?.name ?? "", drawn, null);
    this.tooltip.place(box.left + x, box.top + y);
    if (drawn === "nothing") return;
    live.ask(VIEW, { op: "at", row: id, at: String(this.states.timeAtX(x)), time: view.time }, (m) => {
      if (m.kind === "at" && m.body && this.row === id) this.answer(m.body, row, drawn);
    });
  }

  private answer(at: At, row: Row, drawn: string): void {
    this.tooltip.show(row, at.host, drawn, at);
    let words = at.status ?? "nothing known";
    if (at.syscall && !words.includes(at.syscall)) words += ` ${at.syscall}`;
    if (at.cpu !== null && at.cpu >= 0) words += `, CPU ${at.cpu}`;
    const [begin, end] = [parseNs(at.begin), parseNs(at.end)];
    if (begin !== null && end !== null) words += `, ${exact(end - begin)}`;
    this.say(row.host, `${row.name} · ${row.tid}: ${words}`);
  }

  /** The pointer is over the messages. */
  talk(x: number, y: number): void {
    const p = this.messages.at(x, y);
    const id = this.messages.pane.rowAt(y)?.id;
    const row = id === undefined ? undefined : this.c.rows.get(id);
    this.row = null;
    if (!p) {
      this.tooltip.hide();
      this.say(row?.host ?? null, row?.name ?? "");
      return;
    }
    const words = this.messageWords(p);
    this.say(this.c.rows.get(p.from)?.host ?? null, words);
    const box = this.messages.pane.stick.getBoundingClientRect();
    this.tooltip.say(words);
    this.tooltip.place(box.left + x, box.top + y);
  }

  private messageWords(p: Picked): string {
    const host = (id: number) => this.c.set.host(this.c.rows.get(id)?.host ?? -1)?.name ?? "?";
    const what = p.bundle ? `${p.count} messages` : "message";
    return `${what} ${host(p.from)} → ${host(p.to)}, ${p.bundle ? "mean latency" : "latency"} ${about(Number(p.received - p.sent))}${p.violation ? ", received before sent" : ""}`;
  }

  leave(): void {
    this.row = null;
    this.tooltip.hide();
    this.say(null, "");
  }

  private say(host: number | null, words: string): void {
    this.host = host;
    this.words = words;
    this.onChange();
  }
}
