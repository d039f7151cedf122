// What was asked and answered over TCP, the slowest first: each leads to the thread that waited for it.

import { callServer } from "../home/api.js";
import { list } from "../model/names.js";
import type { Context } from "../timeline/controlflow.js";
import { counted, percent } from "../time/number.js";
import { about, seconds, type Ns } from "../time/time.js";
import { h, nameClass } from "../ui/dom.js";
import { Sorted } from "../ui/sorted.js";
import { rangeQuery, type Range } from "./answers.js";

/** A request as the server tells it. */
interface Request {
  client: string;
  client_port: number;
  client_tid: number; // -1 not known
  server: string;
  server_port: number;
  server_tid: number;
  asked: string;
  answered: string;
  took_ns: number;
  first_ns: number;
  served_ns: number;
}

interface RequestsAnswer {
  complete: boolean; // else the same question goes on
  requests: number;
  median_ns: number;
  p95_ns: number;
  unsure: number; // left out, for events were lost meanwhile or may have been, or a clock was set
  undated: string[]; // hosts of which whole packets of events were lost, nobody knows when
  unrelated: number; // messages between hosts that nothing relates
  slowest: Request[];
}

const IMPORTING = "They are sought once the import is finished: until then one of a question and its answer may not be read yet.";
const COUNTING = "Messages are being looked at…";
const NONE = "No question and answer over TCP is known here: it takes both the messages there and those back, with their sizes and ports.";

export class Requests {
  readonly table: Sorted<Request>;
  /** What a thread did from one time to another is wanted. */
  onFind: (host: number, tid: number, begin: Ns, end: Ns, server: string) => void = () => {};
  /** Those of the whole set are wanted. */
  onWhole: () => void = () => {};
  private within = "";
  private answer: RequestsAnswer | null = null;
  private fault = "";
  private entered = false; // the first row is to have the keys
  private readonly wider = h("button", { type: "button", hidden: true, onclick: () => this.onWhole() }, "In the whole set");
  private under: AbortController | null = null; // the last question, while it has no answer
  private asked = "";

  constructor(private readonly id: string, private readonly c: Context) {
    const time = (name: string, title: string, of: (r: Request) => number) => ({ name, title, by: of, cell: (r: Request) => about(of(r)) });
    this.table = new Sorted<Request>("Slowest requests", [
      { name: "Asked by", text: true, by: (r) => r.client, cell: (r) => named(this.end(r.client, r.client_tid)) },
      { name: "Answered by", text: true, by: (r) => r.server, cell: (r) => named([...this.end(r.server, r.server_tid, ", "), `port ${r.server_port}`]) },
      { name: "At", by: (r) => Number(BigInt(r.asked) - c.view.origin()), cell: (r) => seconds(BigInt(r.asked) - c.view.origin(), 6) },
      time("Took", "From the first of the question to the last of the answer, both at the host that asked", (r) => r.took_ns),
      time("First reply", "Until the first of the answer came", (r) => r.first_ns),
      time("At server", "From the last of the question to the last of the answer, both at the host that answered", (r) => r.served_ns),
    ], 3, NONE, c.view, "requests");
    this.table.root.classList.add("requests");
    this.table.root.tabIndex = -1;
    this.table.root.setAttribute("aria-label", "Slowest requests");
    this.table.controls.push(this.wider);
    this.table.onOpen = (r) => this.open(r);
  }

  /** Whether the last question was refused, or has no answer. */
  get waits(): boolean {
    return this.under !== null || this.fault !== "";
  }

  /** Asks for a stretch, null for the whole set, which is named in words, "" for all there is; another question before the answer comes takes its place. A long one is answered in parts, and what is known so far is shown. */
  async read(range: Range, local: boolean, pair: readonly [string, string] | null, within: string): Promise<void> {
    const { signal } = this.replace();
    this.within = within;
    this.wider.hidden = !within;
    const question = [range?.begin, range?.end, local, pair].join();
    if (question !== this.asked) {
      this.answer = null;
      const { root } = this.table;
      if (root.contains(document.activeElement)) this.enter(); // the row that has the keys goes
    }
    [this.asked, this.fault] = [question, ""];
    this.show();
    const q = rangeQuery(range, local, pair ? { a: pair[0], b: pair[1] } : {});
    try {
      for (let complete = false; !complete; ) {
        const answer = (await callServer("GET", `/api/sets/${encodeURIComponent(this.id)}/messages/requests?${q}`, undefined, signal)) as RequestsAnswer;
        if (signal.aborted) return;
        [this.answer, this.fault, complete] = [answer, "", answer.complete];
        this.show();
      }
    } catch (e) {
      if (signal.aborted) return;
      [this.answer, this.fault] = [null, e instanceof Error ? e.message : String(e)];
      this.show();
    }
    this.under = null;
  }

  /** Gives the first row the keys, as soon as it is there. */
  enter(): void {
    const { root } = this.table;
    this.entered = true;
    this.bring();
    root.focus({ preventScroll: true });
    this.arrive();
  }

  /** Brings the table into sight, with its heading first where it is long, unless the keys were taken elsewhere meanwhile. */
  bring(): void {
    const { root } = this.table;
    if (!this.entered && !root.contains(document.activeElement)) return;
    const whole = root.offsetHeight + parseFloat(getComputedStyle(root).scrollMarginTop) <= (root.parentElement?.clientHeight ?? 0);
    root.scrollIntoView({ block: whole ? "nearest" : "start" });
  }

  // The first row has the keys now, unless they were taken elsewhere meanwhile.
  private arrive(): void {
    const first = this.table.root.querySelector<HTMLElement>("tbody button");
    if (!this.entered || !first || !this.answer?.complete) return;
    this.entered = false;
    if (document.activeElement !== this.table.root) return;
    first.focus({ preventScroll: true });
    this.bring();
  }

  /** The set is being imported. */
  wait(): void {
    this.leave();
    [this.answer, this.fault, this.asked] = [null, "", ""];
    this.wider.hidden = true;
    this.table.show([], "", IMPORTING);
  }

  /** No answer is wanted any more. */
  leave(): void {
    this.under?.abort();
    this.under = null;
  }

  private replace(): AbortController {
    this.under?.abort();
    return (this.under = new AbortController());
  }

  /** Draws anew: the answer came, or rows have other names. */
  show(): void {
    const a = this.answer;
    this.table.root.hidden = this.c.set.hosts.length < 2; // there are no messages, and the matrix says so
    this.table.show(a?.slowest ?? [], a ? noteOf(a, this.within) : this.fault, a ? (a.complete ? NONE : COUNTING) : this.fault || COUNTING);
    this.arrive();
  }

  // A host, with the thread that is known by a row, as parts of a line that goes on after them.
  private end(host: string, tid: number, after = ""): readonly string[] {
    const { rows, set } = this.c;
    const index = set.hosts.find((x) => x.name === host)?.index;
    const id = tid < 0 || index === undefined ? undefined : rows.find(index, tid);
    return id === undefined ? [host + after] : [`${host}: `, `${rows.get(id)!.name} · ${tid}${after}`];
  }

  private open(r: Request): void {
    const host = this.c.set.hosts.find((x) => x.name === r.client)?.index;
    if (host !== undefined) this.onFind(host, r.client_tid, BigInt(r.asked), BigInt(r.answered), r.server);
  }
}

/** Of how many requests the slowest are shown, and how long these took. */
export function noteOf(a: RequestsAnswer, within: string): string {
  const left = leftOut(a);
  if (a.requests === 0) return left;
  const [more, spread] = [a.complete ? "" : " so far", `half took at most ${about(a.median_ns, 3)}, ${percent(0.95)} at most ${about(a.p95_ns, 3)}`];
  const where = within ? ` under way ${within}` : "";
  return `${a.requests > a.slowest.length ? `${a.slowest.length} of ` : ""}${counted(a.requests, "request")} over TCP${where}${more}; ${spread}; a press shows what the one who asked waited for${left && `; ${left}`} `;
}

// A name in as few lines as there is room for: it breaks between its parts, and a very long one anywhere.
function named(parts: readonly string[]): HTMLElement {
  const long = nameClass(parts.join(""));
  return h("span", { class: long }, ...(long ? parts : parts.map((x) => h("span", { class: "part" }, x))));
}

function leftOut(a: RequestsAnswer): string {
  return [
    a.unsure ? `${counted(a.unsure, "request")} left out: events of that time are lost or may be, or a clock was set then, so answers may belong to others` : "",
    a.unrelated ? "messages between hosts whose clocks nothing relates are left out" : "",
    a.undated.length ? `whole packets of events are missing on ${list(a.undated, 6)}, and when is not known: what is told of requests there may be wrong` : "",
  ].filter(Boolean).join("; ");
}
