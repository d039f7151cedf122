// What is under the pointer, in words: at once what is drawn there, then, when the
// server has answered, the state at that very ns.

import { isolated } from "../model/names.js";
import { CPU, HOST, threadName, type Row } from "../model/rows.js";
import type { At } from "../net/json.js";
import { knownUntil, STILL, UNREAD } from "../model/known.js";
import { lossWords, untilWords } from "../model/losses.js";
import type { Thread } from "../model/chosen.js";
import { VIEWS } from "../net/views.js";
import { hostOfGroup } from "../resources/tree.js";
import { counted } from "../time/number.js";
import { exact, parseNs, seconds } from "../time/time.js";
import { askAt } from "./askat.js";
import type { Communication } from "./communication.js";
import type { Picked } from "./picked.js";
import { type Context, type ControlFlow } from "./controlflow.js";
import { ABSENT, columnWords } from "./sharewords.js";
import { chip } from "./inspector.js";
import type { Pane } from "./pane.js";
import { Tooltip, type Told } from "./tooltip.js";
import { apart, chosenTerms, cpuWords, latencyWords, manyWords, messageTerms, rowWords, stateTerms, threadWords } from "./words.js";

export class Pointer {
  readonly tooltip = new Tooltip();
  /** The host under the pointer, whose clock the status line tells; null where there is none. */
  host: number | null = null;
  words = "";
  onChange: () => void = () => {};
  private row: number | null = null;
  // The time under the pointer, what is drawn there in words, and what the last mixed pixel was found to have.
  private instant = 0n;
  private drawn = "";
  private pixel = { key: "", words: "" };
  private over: Thread | null = null;
  /** What was said before a note; null while there is none. */
  private before: { readonly host: number | null; readonly words: string } | null = null;
  // Where it moved to last, and what was selected then.
  private moved: { x: number; y: number; selected: Thread | null } = { x: -1, y: -1, selected: null };

  constructor(private readonly c: Context, private readonly states: ControlFlow, private readonly messages: Communication) {}

  /** The row under the pointer, of what is below a host in Resources that of the host; null for none, and where it has rested since another was selected. */
  get thread(): Thread | null {
    return this.moved.selected === this.c.view.row ? this.over : null;
  }

  /** The pointer is over the control flow. */
  flow(pane: Pane, x: number, y: number): void {
    const { rows, live, view, set } = this.c;
    const id = pane.rowAt(y)?.id;
    const row = id === undefined ? undefined : rows.get(id);
    if (!row || id === undefined) return this.leave();
    this.overMessage = null;
    const box = pane.stick.getBoundingClientRect();
    const [px, py] = [box.left + x, box.top + y];
    this.on(id, px, py);
    if (row.kind === HOST) {
      this.row = null;
      const lost = this.states.lost?.at(row.host, this.states.timeAtX(x));
      const at = (t: bigint) => seconds(t - view.origin());
      const words = lost && lossWords(lost, true, at, (t) => untilWords(t, view.bounds?.end ?? null, at));
      this.tooltip.show(px, py, { title: row.name, note: this.hostNote(id), ...(words ? { pairs: [["Here", words] as [string, string]] } : {}) });
      this.say(row.host, words ? `${row.name}: ${words}` : row.name);
      return;
    }
    const drawn = (this.drawn = this.sharp(id, x, this.states.at(id, x), row));
    const title = threadName(row);
    const where = set.host(row.host)?.name ?? "";
    const t = (this.instant = this.states.timeAtX(x));
    this.row = id;
    // Within a state that was told of already, that stands until the server has answered again.
    const k = this.known;
    if (k && k.row === id && k.time === view.time && k.begin <= t && t < k.end) {
      this.tooltip.show(px, py, this.stateTold(k.at, row));
      this.sayState(k.at, row);
    } else {
      this.tooltip.show(px, py, { title, where, note: drawn || "not loaded yet" });
      this.say(row.host, `${title}: ${drawn || "not loaded yet"}`);
    }
    if (drawn === ABSENT || drawn === UNREAD) return live.drop(VIEWS.pointed);
    askAt(this.c, VIEWS.pointed, id, t, (m) => {
      if (m.kind === "at" && m.body && this.row === id) this.answer(m.body, row);
    });
  }

  /** The pointer is on a row, beside what is drawn or at its name, at a place of the page; null for none. */
  on(id: number | null, x: number, y: number): void {
    const row = id === null ? undefined : this.c.rows.get(id);
    const host = id === null ? null : (row?.host ?? this.messages.hostOf(id) ?? hostOfGroup(id));
    this.rest(host, row && row.kind !== HOST && row.kind < CPU ? row.tid : -1, x, y);
  }

  private rest(host: number | null, tid: number, x: number, y: number): void {
    this.over = host === null ? null : { host, tid };
    if (this.moved.x !== x || this.moved.y !== y) this.moved = { x, y, selected: this.c.view.row };
  }

  /** Names the moments that the window shows. */
  moment(): string {
    const { window, time } = this.c.view;
    return `${window.begin} ${window.span} ${time}`;
  }

  /** Names what lies at a place of the control flow. */
  underFlow(pane: Pane, x: number, y: number): string {
    const id = pane.rowAt(y)?.id;
    return id === undefined ? "" : `${id} ${this.moment()} ${this.states.at(id, x)}`;
  }

  /** Names what lies at a place of the messages. */
  underTalk(x: number, y: number): string {
    const p = this.messages.at(x, y);
    return `${this.messages.pane.rowAt(y)?.id} ${this.moment()} ${p ? `${p.first.from} ${p.first.to} ${p.first.sent} ${p.count} ${p.received}` : ""}`;
  }

  private known: { row: number; time: string; begin: bigint; end: bigint; at: At } | null = null;

  // A mixed pixel of the drawing has shares of columns that reach beyond it: its own come from the server.
  private sharp(id: number, x: number, drawn: string, row: Row): string {
    const { live, view, set } = this.c;
    const pixel = drawn.includes("%") ? this.states.pixelAt(x) : null;
    if (!pixel) {
      this.pixel = { key: "", words: "" };
      return drawn;
    }
    const key = [id, pixel.begin, pixel.end, view.time, set.clocks?.version].join();
    if (this.pixel.key === key) return this.pixel.words || drawn;
    this.pixel = { key, words: "" };
    live.ask(VIEWS.pixel, { op: "states", begin: String(pixel.begin), end: String(pixel.end), columns: 1, time: view.time, rows: [id] }, (m) => {
      live.drop(VIEWS.pixel);
      if (m.kind !== "states" || this.pixel.key !== key) return;
      this.pixel.words = columnWords(m, set.lacksCalls(row.host));
      if (this.row !== id) return;
      this.drawn = this.pixel.words;
      const k = this.known;
      if (k && k.row === id && k.begin <= this.instant && this.instant < k.end) this.tooltip.tell(this.stateTold(k.at, row));
    });
    return drawn;
  }

  private answer(at: At, row: Row): void {
    const [begin, end] = [parseNs(at.begin), knownUntil(at)];
    this.known = begin !== null && end !== null ? { row: row.id, time: this.c.view.time, begin, end, at } : null;
    this.tooltip.tell(this.stateTold(at, row));
    this.sayState(at, row);
  }

  private stateTold(at: At, row: Row): Told {
    const { drawn } = this;
    return { title: threadWords(at.thread?.name ?? "", row.name, row.tid), where: at.host, chip: chip(at), pairs: stateTerms(at, this.c.view), note: drawn.includes("%") ? `this pixel: ${drawn}` : "" };
  }

  private sayState(at: At, row: Row): void {
    let words = at.status ?? "nothing known";
    if (at.syscall && !words.includes(at.syscall)) words += ` ${at.syscall}`;
    const cpu = cpuWords(at);
    if (cpu !== null) words += /^\d/.test(cpu) ? `, CPU ${cpu}` : `, ${cpu.replace(/(\d+)$/, "CPU $1")}`;
    const [begin, end] = [parseNs(at.begin), parseNs(at.end)];
    if (begin !== null && end !== null) words += `, ${exact(end - begin)}`;
    else if (at.known_until) words += `, ${STILL}`;
    this.say(row.host, `${threadWords(at.thread?.name ?? "", row.name, row.tid)}: ${words}`);
  }

  // What a host's row says of its clock, without the name that stands before it.
  private hostNote(id: number): string {
    const words = rowWords(this.c.rows, this.c.set, this.c.view, id);
    if (!words) return "";
    const name = `${words.name}: `;
    const note = words.title.startsWith(name) ? words.title.slice(name.length) : words.title;
    return note[0].toUpperCase() + note.slice(1);
  }

  /** More is known of how two clocks lie to each other: a message that is pointed at is told anew. */
  clocksCompared(): void {
    if (this.overMessage) this.talk(this.overMessage.x, this.overMessage.y);
    else this.onChange();
  }

  private overMessage: { readonly x: number; readonly y: number } | null = null;

  /** The pointer is over the messages. */
  talk(x: number, y: number): void {
    const p = this.messages.at(x, y);
    this.overMessage = p && { x, y };
    const id = this.messages.pane.rowAt(y)?.id;
    const row = id === undefined ? undefined : this.c.rows.get(id);
    this.row = null;
    const box = this.messages.pane.stick.getBoundingClientRect();
    this.on(id ?? null, box.left + x, box.top + y);
    if (!p) {
      this.tooltip.hide();
      this.say(row?.host ?? null, row?.name ?? "");
      return;
    }
    // On its way, and in a bundle, a message is on no host: the clock is that of the row there, as beside it.
    const end = this.messages.endAt(x, y);
    const at = end === null || p.bundle ? row : this.c.rows.get(end === "to" ? p.to : p.from);
    this.say(at?.host ?? null, this.messageWords(p));
    const [from, to] = [this.who(p.from), this.who(p.to)];
    const title = `${p.bundle ? counted(p.count, "message") : "Message"} ${isolated(from.host)} → ${isolated(to.host)}`;
    const threads = from.thread || to.thread ? `${from.thread || "thread not known"} → ${to.thread || "thread not known"}` : "";
    const known = !apart(this.c, p.from, p.to);
    const wrong = !known ? "clocks not related, latency not known" : p.violation ? "received before sent" : "";
    this.tooltip.show(box.left + x, box.top + y, { title, pairs: (this.messages.isWide(p) ? chosenTerms : messageTerms)(this.c, p), note: [threads, wrong].filter(Boolean).join("; ") });
  }

  /** The pointer is over the overview. */
  overview(x: number, y: number, told: Told | null): void {
    this.row = this.over = this.overMessage = null;
    if (told) this.tooltip.show(x, y, told);
    else this.tooltip.hide();
  }

  /** The pointer is over something else of a host: what is told beside it, and in the status line. */
  tell(host: number, words: string, x: number, y: number, told: Told): void {
    this.row = this.overMessage = null;
    this.rest(host, -1, x, y);
    this.tooltip.show(x, y, told);
    this.say(host, words);
  }

  private who(id: number): { host: string; thread: string } {
    const row = this.c.rows.get(id);
    return { host: this.c.set.host(row?.host ?? -1)?.name ?? "?", thread: row && row.kind !== HOST ? threadName(row) : "" };
  }

  /** All that is known of a message, or a bundle of several, that was chosen, as a sentence. */
  sentence(p: Picked): string {
    const [from, to] = [this.who(p.from), this.who(p.to)];
    const threads = [from.thread, to.thread].filter(Boolean).join(" → ");
    const known = chosenTerms(this.c, p).map(([name, value]) => `${name.toLowerCase()} ${value}`);
    const what = p.bundle ? manyWords(p) : "message";
    return [`Chosen: ${what} ${isolated(from.host)} → ${isolated(to.host)}`, threads, ...known, p.violation ? "received before sent" : ""].filter(Boolean).join(", ") + ".";
  }

  private messageWords(p: Picked): string {
    const what = p.bundle ? counted(p.count, "message") : "message";
    const way = `${what} ${isolated(this.who(p.from).host)} → ${isolated(this.who(p.to).host)}`;
    if (apart(this.c, p.from, p.to)) return `${way}, latency not known: their clocks are not related`;
    return `${way}, ${p.bundle ? "mean latency" : "latency"} ${latencyWords(this.c, p)}${p.violation ? ", received before sent" : ""}`;
  }

  /** Says something that no pointer asked for, such as that there is no further state; null for no other host than before. */
  note(host: number | null, words: string): void {
    const before = this.before ?? { host: this.host, words: this.words };
    this.say(host ?? this.host, words);
    this.before = before;
  }

  /** Something else is being done, of which what was noted does not speak: it gives way to what it stood in the place of. */
  pass(): void {
    if (this.before) this.say(this.before.host, this.before.words);
  }

  leave(): void {
    this.row = this.over = this.overMessage = null;
    this.tooltip.hide();
    this.say(null, "");
  }

  private say(host: number | null, words: string): void {
    this.before = null;
    this.host = host;
    this.words = words;
    this.onChange();
  }
}
