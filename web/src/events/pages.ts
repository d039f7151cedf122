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

export type Fetch = (q: EventsQuery, signal: AbortSignal) => Promise<EventsAnswer>;

export const PAGE = 300;
const MOST_PAGES = 8;
const FULL = 100; // events that fill a tall screen
const SOON = 250; // ms that the first of them wait for others, so that they come into sight together

export class Pages {
  /** Called after every change, with how many lines came in front and how many went there. */
  onChange: (before: number, dropped: number) => void = () => {};
  busy = false;
  /** Whether what was jumped to is on its way: what is held is still that of before. */
  coming = false;
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
  /** The place among the lines of the first that was jumped to. */
  start = 0;
  private pages: Page[] = [];
  private lead: Entry | null = null; // the first that came for the place that was jumped to
  private draft: Page[] | null = null; // what takes their place once it is seen
  private flat: Entry[] = [];
  private all: readonly Line[] = [];
  private reading = new AbortController(); // what is on its way
  private there: ((counts: boolean) => void) | null = null; // tells who waits for what was jumped to
  private clocks: Timed | null = null;
  private asked: [at: string, forward: boolean, anew: boolean] | null = null;

  /** ask gives what fetches the pages of one read, as the filters want them then; question tells what they want. */
  constructor(private readonly ask: () => Fetch, private readonly question: () => string = () => "") {}

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
   * Begins anew with the events from a time on, or with the last ones before it; tells once they are there, or that another jump
   * has overtaken this one. What is held stays until then. One that was refused goes on when it is asked for again.
   */
  jump(to: Ns, before = false): Promise<boolean> {
    this.arrive(false);
    return new Promise((there) => {
      this.there = there;
      void this.read(`${to}.0`, !before, true);
    });
  }

  private arrive(counts: boolean): void {
    const { there } = this;
    this.there = null;
    there?.(counts);
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
  // followed by the next until there is something or the end. Where one begins anew, what comes is seen once it fills a
  // screen, with what is ahead of the place if too little is behind it, or soon.
  private async read(at: string, forward: boolean, anew: boolean): Promise<void> {
    const question = this.question();
    this.reading.abort();
    const reading = (this.reading = new AbortController());
    this.asked = [at, forward, anew];
    this.busy = true;
    this.coming = anew;
    this.refused = null;
    this.draft = null;
    this.onChange(0, 0);
    let waits = anew;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const come = () => {
      waits = false;
      this.publish(question);
      this.arrive(true);
    };
    try {
      const fetch = this.ask();
      let [place, way, first]: [string | null, boolean, boolean] = [at, forward, anew];
      while (place) {
        const answer: EventsAnswer = await fetch(way ? { after: place, limit: PAGE } : { before: place, limit: PAGE }, reading.signal);
        if (reading !== this.reading) return;
        if (waits && !first) this.draft ??= [...this.pages];
        this.take(answer, place, way, first);
        first = false;
        const held = this.held.reduce((n, p) => n + p.entries.length, 0);
        if (!waits || held === 0) this.publish(question);
        else timer ??= setTimeout(() => reading === this.reading && waits && come(), SOON);
        if (anew ? held === 0 : answer.events.length === 0) place = way ? answer.next : answer.previous;
        else if (!waits || held >= FULL) place = null;
        else {
          place = way ? this.held[this.held.length - 1].next : this.held[0].previous;
          if (!place && way) [place, way] = [this.held[0].previous, false];
        }
      }
    } catch (e) {
      if (reading !== this.reading) return;
      this.refused = e instanceof Error ? e : new Error(String(e));
      this.coming = false;
    } finally {
      clearTimeout(timer);
    }
    if (this.draft) this.publish(question);
    this.busy = false;
    this.onChange(0, 0);
    if (!this.refused) this.arrive(true);
  }

  private get held(): Page[] {
    return this.draft ?? this.pages;
  }

  private take(answer: EventsAnswer, place: string, forward: boolean, anew: boolean): void {
    const page: Page = {
      entries: answer.events.map((e) => timed(entry(e), this.clocks)), ahead: [], behind: lossesOf(answer.lost_behind), previous: forward ? place : answer.previous, next: forward ? answer.next : place,
    };
    this.unknown = answer.unknown ?? (anew ? [] : this.unknown);
    this.unnamed = answer.unnamed ?? (anew ? [] : this.unnamed);
    this.undated = answer.undated ?? [];
    this.unread = answer.unread ?? [];
    if (anew || !this.lead) this.lead = page.entries[0] ?? null;
    if (anew) this.draft = [page];
    else if (page.entries.length === 0) this.widen(page, forward);
    else if (forward) this.held.push(...joined(this.held.pop(), page));
    else this.held.unshift(...joined(page, this.held.shift()));
    while (this.held.length > MOST_PAGES) forward ? this.held.shift() : this.held.pop();
  }

  // What came is seen from now on.
  private publish(question: string): void {
    if (this.draft) this.pages = this.draft;
    this.draft = null;
    this.coming = false;
    this.answers = question;
    this.flat = this.pages.flatMap((p) => p.entries);
    const before = this.all;
    this.all = linesOf(this.pages);
    this.start = Math.max(0, this.lead ? this.all.indexOf(this.lead) : 0);
    while (this.start > 0 && !isEntry(this.all[this.start - 1])) this.start--;
    const moved = shift(before, this.all);
    this.onChange(Math.max(0, moved), Math.max(0, -moved));
  }

  /** Times are told by other clocks: those of all that is held, and of what comes, are made from local ones. */
  retime(before: Timed | null, now: Timed): void {
    const moved = (all: readonly Loss[]) => all.map((x) => retimed(x, before, now));
    this.clocks = now;
    for (const p of new Set([...this.pages, ...this.held])) {
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
    const [first, last] = [this.held[0], this.held[this.held.length - 1]];
    if (forward) [last.next, last.behind] = [page.next, together(last.behind, page.behind)];
    else [first.previous, first.ahead] = [page.previous, together(page.behind, first.ahead)];
  }
}

// Two pages one behind the other, as one where they are small: of many that a filter leaves little of none is let go.
function joined(a: Page | undefined, b: Page | undefined): Page[] {
  if (!a || !b || a.entries.length === 0 || b.entries.length === 0 || a.entries.length + b.entries.length > PAGE) return [a, b].filter((p) => p !== undefined);
  const [first] = b.entries;
  const lost = together(together(a.behind, b.ahead), first.lost ?? []);
  if (lost.length > 0) first.lost = lost;
  return [{ entries: [...a.entries, ...b.entries], ahead: a.ahead, behind: b.behind, previous: a.previous, next: b.next }];
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
