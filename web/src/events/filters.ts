// Which events are wanted: the fields of the filters, what they ask of the server, and which of them it cannot read.

import { stretchOf, type Frame } from "../commands/times.js";
import { Refusal, type EventsQuery } from "../home/api.js";
import type { Bounds, SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import type { Ns } from "../time/time.js";
import { h } from "../ui/dom.js";
import { exemplify } from "./examples.js";
import { head, headFields, HEADS, putTyped, questionOf, sortTyped, termOf, Unreadable, type Heads } from "./heads.js";
import { HostChoice } from "./hostchoice.js";
import type { Entry } from "./pages.js";

export class Filters {
  readonly name = head("Event", "A pattern of names");
  readonly host = new HostChoice();
  readonly where = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  private readonly heads = headFields();
  /** What stands in the heads of the table, by the names of its columns. */
  readonly byColumn: Readonly<Record<string, HTMLElement>> = {
    Time: this.heads.during, "Host's clock (UTC)": this.heads.clock, Host: this.host.el, CPU: this.heads.cpu, Event: this.name, Fields: this.heads.fields,
  };
  /** The fields that are typed into. */
  readonly fields: readonly HTMLInputElement[] = [this.name, this.where, ...HEADS.map((column) => this.heads[column])];
  private typed: readonly HTMLInputElement[] = []; // the fields of the terms that were asked for last
  private exemplified = ""; // of which bounds, in which time, and whether of events

  constructor(private readonly set: SetModel, private readonly view: View) {}

  /** All that says which events are wanted, by the address. */
  get question(): string {
    return questionOf(this.view.events);
  }

  /** Whether some events are left out. */
  get filtering(): boolean {
    return /\S/.test(this.question);
  }

  /** Offers the hosts of the set. */
  offer(): void {
    if (this.host.offer(this.set.hosts.map((x) => x.name))) this.host.value = this.view.events.host;
  }

  /** Puts what the address asks for into the fields; early, what was typed before the set was there stays. */
  put(early: boolean): void {
    putTyped({ ...this.heads, name: this.name, where: this.where, host: this.host }, this.view.events, early);
  }

  /** Empties all fields but for a host and what Where says. */
  write(host: string, where: string): void {
    this.name.value = "";
    for (const column of HEADS) this.heads[column].value = "";
    [this.host.value, this.where.value] = [host, where];
  }

  /** Takes what is typed into the address, from a time on; returns what was typed for names and went to Where, "" for nothing. */
  take(at: Ns | null): string {
    const moved = sortTyped(this.name, this.where);
    const typed = (column: keyof Heads) => this.heads[column].value.trim();
    this.view.events = {
      at, chosen: null, loss: null, name: this.name.value.trim(), where: this.where.value.trim(), host: this.host.value,
      during: typed("during"), clock: typed("clock"), cpu: typed("cpu"), fields: typed("fields"),
    };
    return moved;
  }

  /** What is asked of the server. Throws Unreadable where a head has what cannot be read. */
  wanted(): EventsQuery {
    const { events, raw } = this.view;
    return { name: events.name, where: this.terms(), host: events.host, local: raw ? 1 : undefined };
  }

  // What Where says, and behind it the terms of the heads: all must hold.
  private terms(): string[] {
    const { events } = this.view;
    const columns = HEADS.filter((column) => events[column]);
    const terms = columns.map((column) => {
      const frame = this.frame(column === "clock" || this.view.raw);
      const term = termOf(column, events[column], frame);
      if (term === null) throw new Unreadable(column, events[column], frame, this.heads[column].placeholder);
      return term;
    });
    this.typed = [...(events.where ? [this.where] : []), ...columns.map((column) => this.heads[column])];
    return [...(events.where ? [events.where] : []), ...terms];
  }

  /** The set's bounds, in the time that is shown. */
  get bounds(): Bounds {
    return this.set.bounds(this.view.raw) ?? { begin: 0n, end: 1n };
  }

  private frame(raw: boolean): Frame {
    const { begin, end } = this.set.bounds(raw) ?? this.bounds;
    return { begin, end, from: begin };
  }

  // The stretch that the filter of the time leaves; null for all.
  private get during() {
    const { events, raw } = this.view;
    return events.during ? stretchOf(events.during, this.frame(raw)) : null;
  }

  /** A time, or, where the filter of the time leaves it out, the first that it does not. */
  inside(at: Ns): Ns {
    const { during } = this;
    if (!during || ((during.from ?? at) <= at && at <= (during.to ?? at))) return at;
    return during.from ?? this.bounds.begin;
  }

  /** The last time that the filters can want. */
  get end(): Ns {
    const { end } = this.bounds;
    const to = this.during?.to;
    return to && to < end ? to : end;
  }

  /** Shows in the empty filters what can be typed into them where these events are listed. */
  exemplify(entries: readonly Entry[]): void {
    const [bounds, local] = [this.bounds, this.frame(true)];
    const key = [bounds.begin, bounds.end, local.begin, local.end, this.view.raw, entries.length > 0].join();
    if (key === this.exemplified || (entries.length === 0 && this.exemplified.endsWith("true"))) return;
    this.exemplified = key;
    exemplify({ ...this.heads, name: this.name, where: this.where }, entries, bounds, local);
  }

  /** Marks the field that was refused, and says why in the words of the page: the server names what it was asked, the page, the field that it was typed into. */
  refuse(refused: Error | null): string {
    const wrong = this.wrong(refused);
    for (const field of this.fields) field.setAttribute("aria-invalid", String(field === wrong));
    const value = refused instanceof Refusal ? refused.wrong : null;
    if (!wrong || !value) return refused?.message ?? "";
    return `${wrong === this.where ? "Where" : wrong.getAttribute("aria-label")} ${value.fault}`;
  }

  // The field that cannot be read; null where all can, or where it is the server that cannot be.
  private wrong(refused: Error | null): HTMLInputElement | null {
    if (refused instanceof Unreadable) return this.heads[refused.column];
    const value = refused instanceof Refusal ? refused.wrong : null;
    if (value?.parameter === "name") return this.name;
    return value?.parameter === "where" ? (this.typed[value.index] ?? null) : null;
  }
}
