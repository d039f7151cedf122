// The events around a place, in pages that the server turns both ways. As many as a
// reader scrolls through are held; pages at the far end are let go.

import type { EventRow, EventsAnswer, EventsQuery, UnknownField, UnnamedEvent } from "../home/api.js";
import { lossOf, together, type Loss } from "../model/losses.js";
import { parseNs, type Ns } from "../time/time.js";
import { retimed, timed, type Timed } from "./timed.js";

export interface Entry {
  time: Ns;
  local: Ns;
  /** What the clock of the host showed, where it stands at another time: where times ran back. */
  recorded?: Ns;
  host: string;
  cpu: number;
  name: string;
  fields: string;
  /** What was lost since the event before, as far as its page tells. */
  lost?: readonly Loss[];
}

/** What was lost between two events, of one host: a line of its own. */
export interface Gap {
  time: Ns;
  lost: Loss;
}

export type Line = Entry | Gap;

export function isEntry(line: Line | undefined): line is Entry {
  return !!line && "fields" in line;
}

interface Page {
  entries: Entry[];
  /** What was lost ahead of the first of them, besides what that has, and behind the last. */
  ahead: readonly Loss[];
  behind: readonly Loss[];
  /** The places before and behind the page; null where nothing is beyond. */
  previous: string | null;
  next: string | null;
}

export type Fetch = (q: EventsQuery) => Promise<EventsAnswer>;

export const PAGE = 300;
const MOST_PAGES = 8;

export class Pages {
  /** Called after every change, with how many lines came in front and how many went there. */
  onChange: (before: number, dropped: number) => void = () => {};
  busy = false;
  /** What the server said of the last request, if it refused; it is not asked for more before one goes elsewhere. */
  refused: Error | null = null;
  /** The question that what is held answers. */
  answers = "";
  /** Fields of the filter that no kind of event has, as far as it wanted nothing. */
  unknown: readonly UnknownField[] = [];
  /** Names of events that the filter asks for and no kind of event has. */
  unnamed: readonly UnnamedEvent[] = [];
  /** Hosts of which something was lost and nobody knows when. */
  undated: readonly string[] = [];
  unread: readonly string[] = [];
  private pages: Page[] = [];
  private flat: Entry[] = [];
  private all: readonly Line[] = [];
  private turn = 0;
  private clocks: Timed | null = null;
  private asked: [at: string, forward: boolean, anew: boolean] | null = null;

  /** question tells what is asked for now, besides a place. */
  constructor(private readonly fetch: Fetch, private readonly question: () => string = () => "") {}

  get entries(): readonly Entry[] {
    return this.flat;
  }

  /** The events and what was lost between them. */
  get lines(): readonly Line[] {
    return this.all;
  }

  get first(): boolean {
    return this.pages.length > 0 && this.pages[0].previous === null;
  }

  get last(): boolean {
    return this.pages.length > 0 && this.pages[this.pages.length - 1].next === null;
  }

  /** Where reading stands, the time of the place behind the last page; null at the end. */
  get reached(): Ns | null {
    return parseNs(this.pages[this.pages.length - 1]?.next?.split(".")[0]);
  }

  /** Where reading back stands, the time of the place ahead of the first page; null at the begin. */
  get reachedBack(): Ns | null {
    return parseNs(this.pages[0]?.previous?.split(".")[0]);
  }

  /**
   * Begins anew with the events from a time on, or with the last ones before it; tells whether that was not overtaken by another
   * request. What is held stays until they are there.
   */
  jump(to: Ns, before = false): Promise<boolean> {
    return this.read(`${to}.0`, !before, true);
  }

  /** Asks once more for what was refused, or is on its way still: the server is there again. */
  async again(): Promise<void> {
    if (this.asked && (this.busy || this.refused)) await this.read(...this.asked);
  }

  /** The page behind the last, unless one is on its way. */
  async later(): Promise<void> {
    const at = this.pages[this.pages.length - 1]?.next;
    if (at && !this.busy && !this.refused) await this.read(at, true, false);
  }

  /** The page ahead of the first, unless one is on its way. */
  async earlier(): Promise<void> {
    const at = this.pages[0]?.previous;
    if (at && !this.busy && !this.refused) await this.read(at, false, false);
  }

  // Reads at a place. A page that came out empty, because the filter wants little, is
  // followed by the next until there is something or the end.
  private async read(at: string, forward: boolean, anew: boolean): Promise<boolean> {
    const question = this.question();
    const turn = ++this.turn;
    this.asked = [at, forward, anew];
    this.busy = true;
    this.refused = null;
    this.onChange(0, 0);
    try {
      for (let place: string | null = at; place; ) {
        const answer: EventsAnswer = await this.fetch(forward ? { after: place, limit: PAGE } : { before: place, limit: PAGE });
        if (turn !== this.turn) return false;
        this.answers = question;
        this.take(answer, place, forward, anew);
        anew = false;
        place = answer.events.length > 0 ? null : forward ? answer.next : answer.previous;
      }
    } catch (e) {
      if (turn !== this.turn) return false;
      this.refused = e instanceof Error ? e : new Error(String(e));
    }
    this.busy = false;
    this.onChange(0, 0);
    return true;
  }

  private take(answer: EventsAnswer, place: string, forward: boolean, anew: boolean): void {
    const page: Page = {
      entries: answer.events.map((e) => timed(entry(e), this.clocks)), ahead: [], behind: lossesOf(answer.lost_behind), previous: forward ? place : answer.previous, next: forward ? answer.next : place,
    };
    this.unknown = answer.unknown ?? (anew ? [] : this.unknown);
    this.unnamed = answer.unnamed ?? (anew ? [] : this.unnamed);
    this.undated = answer.undated ?? [];
    this.unread = answer.unread ?? [];
    if (anew) this.pages = [page];
    else if (page.entries.length === 0) this.widen(page, forward);
    else if (forward) this.pages.push(page);
    else this.pages.unshift(page);
    while (this.pages.length > MOST_PAGES) forward ? this.pages.shift() : this.pages.pop();
    this.flat = this.pages.flatMap((p) => p.entries);
    const before = this.all;
    this.all = linesOf(this.pages);
    const moved = anew ? 0 : shift(before, this.all);
    this.onChange(Math.max(0, moved), Math.max(0, -moved));
  }

  /** Times are told by other clocks: those of all that is held, and of what comes, are made from local ones. */
  retime(before: Timed | null, now: Timed): void {
    const moved = (all: readonly Loss[]) => all.map((x) => retimed(x, before, now));
    this.clocks = now;
    for (const p of this.pages) {
      for (const e of p.entries) {
        timed(e, now);
        if (e.lost) e.lost = moved(e.lost);
      }
      [p.ahead, p.behind] = [moved(p.ahead), moved(p.behind)];
    }
    this.all = linesOf(this.pages);
  }

  // An empty page only moves the place that its neighbour ends at, with what was lost there.
  private widen(page: Page, forward: boolean): void {
    const [first, last] = [this.pages[0], this.pages[this.pages.length - 1]];
    if (forward) [last.next, last.behind] = [page.next, together(last.behind, page.behind)];
    else [first.previous, first.ahead] = [page.previous, together(page.behind, first.ahead)];
  }
}

// The events of pages, and before each, or behind the last, what was lost since the one before it: what lies where two pages meet both of them tell a part of.
function linesOf(pages: readonly Page[]): Line[] {
  const lines: Line[] = [];
  let lost: readonly Loss[] = [];
  const put = () => {
    for (const x of lost) lines.push({ time: x.place, lost: x });
    lost = [];
  };
  for (const page of pages) {
    lost = together(lost, page.ahead);
    for (const e of page.entries) {
      if (e.lost) lost = together(lost, e.lost);
      put();
      lines.push(e);
    }
    lost = together(lost, page.behind);
  }
  put();
  return lines;
}

// By how much what there was before has moved.
function shift(before: readonly Line[], after: readonly Line[]): number {
  const at = new Map(after.map((line, i) => [line, i]));
  for (let i = 0; i < before.length; i++) {
    const now = isEntry(before[i]) ? at.get(before[i]) : undefined;
    if (now !== undefined) return now - i;
  }
  return 0;
}

const lossesOf = (list: EventsAnswer["lost_behind"]) => (list ?? []).map((x) => lossOf(x.host, x));

/** An event as the server tells of it. */
export function entry(e: EventRow): Entry {
  const lost = e.lost ? { lost: lossesOf(e.lost) } : {};
  const recorded = parseNs(e.recorded);
  return { time: parseNs(e.time) ?? 0n, local: parseNs(e.local_time) ?? 0n, ...(recorded !== null && { recorded }), host: e.host, cpu: e.cpu, name: e.name, fields: e.fields, ...lost };
}
