// The events around a place, in pages that the server turns both ways. As many as a
// reader scrolls through are held; pages at the far end are let go.

import type { EventRow, EventsAnswer, EventsQuery, UnknownField } from "../home/api.js";
import { parseNs, type Ns } from "../time/time.js";

export interface Entry {
  time: Ns;
  local: Ns;
  host: string;
  cpu: number;
  name: string;
  fields: string;
}

interface Page {
  entries: Entry[];
  /** The places before and behind the page; null where nothing is beyond. */
  previous: string | null;
  next: string | null;
}

export type Fetch = (q: EventsQuery) => Promise<EventsAnswer>;

export const PAGE = 300;
const MOST_PAGES = 8;

export class Pages {
  /** Called after every change, with how many entries came in front and how many went there. */
  onChange: (before: number, dropped: number) => void = () => {};
  busy = false;
  /** What the server said of the last request, if it refused; it is not asked for more before one goes elsewhere. */
  refused: Error | null = null;
  /** Fields of the filter that no kind of event has, as far as it wanted nothing. */
  unknown: readonly UnknownField[] = [];
  private pages: Page[] = [];
  private flat: Entry[] = [];
  private turn = 0;
  private asked: [at: string, forward: boolean, anew: boolean] | null = null;

  constructor(private readonly fetch: Fetch) {}

  get entries(): readonly Entry[] {
    return this.flat;
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
    const turn = ++this.turn;
    this.asked = [at, forward, anew];
    this.busy = true;
    this.refused = null;
    this.onChange(0, 0);
    try {
      for (let place: string | null = at; place; ) {
        const answer: EventsAnswer = await this.fetch(forward ? { after: place, limit: PAGE } : { before: place, limit: PAGE });
        if (turn !== this.turn) return false;
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
    const page: Page = { entries: answer.events.map(entry), previous: forward ? place : answer.previous, next: forward ? answer.next : place };
    this.unknown = answer.unknown ?? (anew ? [] : this.unknown);
    const ahead = forward && !anew ? 0 : page.entries.length;
    if (anew) this.pages = [page];
    else if (page.entries.length === 0) this.widen(page, forward);
    else if (forward) this.pages.push(page);
    else this.pages.unshift(page);
    let dropped = 0;
    while (this.pages.length > MOST_PAGES) {
      const gone = (forward ? this.pages.shift() : this.pages.pop())!;
      if (forward) dropped += gone.entries.length;
    }
    this.flat = this.pages.flatMap((p) => p.entries);
    this.onChange(anew ? 0 : ahead, dropped);
  }

  // An empty page only moves the place that its neighbour ends at.
  private widen(page: Page, forward: boolean): void {
    if (forward) this.pages[this.pages.length - 1].next = page.next;
    else this.pages[0].previous = page.previous;
  }
}

/** An event as the server tells of it. */
export function entry(e: EventRow): Entry {
  return { time: parseNs(e.time) ?? 0n, local: parseNs(e.local_time) ?? 0n, host: e.host, cpu: e.cpu, name: e.name, fields: e.fields };
}
