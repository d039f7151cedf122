// The bookmarks of the set, as the server keeps them: each on a row, at a time of its host's own clock.

import { callServer, Refusal } from "../home/api.js";
import { Signal } from "../model/signal.js";
import type { SetModel } from "../model/set.js";
import { parseNs, type Ns } from "../time/time.js";
import { windowOf, type Window } from "../time/window.js";

export interface Bookmark {
  readonly id: number;
  readonly host: string;
  readonly tid: number; // -1 for the host's own row
  readonly local_time: string;
  readonly text: string;
  /** The window that it was set in, by the host's own clock; none where that was the whole set, and in those of earlier versions. */
  readonly local_window?: readonly [string, string];
}

/** A key for one that is to be added. */
export const newKey = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join(".");

/** The longest text, bytes, as the server has it. */
export const LONGEST = 4000;

export class Bookmarks {
  readonly changed = new Signal();
  list: readonly Bookmark[] = [];
  /** Another page of this browser changed some. */
  onElsewhere: () => void = () => {};
  private asked = 0; // how often the server was
  private answered = 0; // which of that it answered last
  private readonly path: string;
  private readonly pages: BroadcastChannel;

  constructor(id: string, private readonly set: SetModel) {
    this.path = `/api/sets/${encodeURIComponent(id)}/bookmarks`;
    this.pages = new BroadcastChannel(this.path);
    this.pages.addEventListener("message", () => this.onElsewhere());
  }

  /** Asks the server for all of them: another page may have changed some. */
  async load(): Promise<void> {
    const turn = ++this.asked;
    try {
      const answer = (await callServer("GET", this.path)) as { bookmarks: Bookmark[] };
      if (turn === this.asked) this.take(answer.bookmarks);
    } finally {
      this.answered = Math.max(this.answered, turn);
    }
  }

  /** Adds one. With the same key it is added once, however often that is tried: an answer that did not come may be one to what was done. */
  async add(host: string, tid: number, local: Ns, words: string, key: string, window?: Bookmark["local_window"]): Promise<Bookmark> {
    const b = (await callServer("POST", this.path, { host, tid, local_time: String(local), text: words, key, ...(window ? { local_window: window } : {}) })) as Bookmark;
    this.change([...this.list.filter((x) => x.id !== b.id), b]);
    return b;
  }

  async edit(b: Bookmark, words: string): Promise<Bookmark> {
    const changed = (await callServer("PATCH", `${this.path}/${b.id}`, { text: words }).catch((e) => this.gone(b, e))) as Bookmark | null;
    if (!changed) throw new Refusal("The bookmark was deleted meanwhile.", 404);
    this.change(this.list.map((x) => (x.id === b.id ? changed : x)));
    return changed;
  }

  async remove(b: Bookmark): Promise<void> {
    await callServer("DELETE", `${this.path}/${b.id}`).catch((e) => this.gone(b, e));
    this.change(this.list.filter((x) => x.id !== b.id));
  }

  // What was refused for a bookmark that is deleted elsewhere is refused for that; anything else is thrown on.
  private async gone(b: Bookmark, e: unknown): Promise<null> {
    if (!(e instanceof Refusal) || e.status !== 404) throw e;
    await this.load();
    if (this.list.some((x) => x.id === b.id)) throw e;
    return null;
  }

  /** Where a bookmark lies in the time of the page; null where its host's clock is not known. */
  time(b: Bookmark, raw: boolean): Ns | null {
    return this.shown(b, b.local_time, raw);
  }

  /** The window that a bookmark was set in, in the time of the page; null where none is kept, or its host's clock is not known. */
  window(b: Bookmark, raw: boolean): Window | null {
    const [begin, end] = (b.local_window ?? []).map((t) => this.shown(b, t, raw));
    return begin != null && end != null && begin < end ? windowOf(begin, end) : null;
  }

  private shown(b: Bookmark, t: string, raw: boolean): Ns | null {
    const local = parseNs(t);
    const host = this.host(b);
    if (local === null || host === undefined) return null;
    return raw ? local : this.set.toReference(host, local);
  }

  /** The place of a bookmark's host in the set. */
  host(b: Bookmark): number | undefined {
    return this.set.hosts.find((h) => h.name === b.host)?.index;
  }

  /** All of them with their times on the page, in that order; those of clocks that are not known are last. */
  inOrder(raw: boolean): { b: Bookmark; at: Ns | null }[] {
    const all = this.list.map((b) => ({ b, at: this.time(b, raw) }));
    return all.sort((x, y) => (x.at === null || y.at === null ? Number(x.at === null) - Number(y.at === null) : x.at < y.at ? -1 : x.at > y.at ? 1 : x.b.id - y.b.id));
  }

  // The other pages are told that something changed, not what: they ask the server as well.
  private change(list: readonly Bookmark[]): void {
    this.pages.postMessage(null);
    this.take(list);
    // What the server is asked for already may be of the time before.
    if (this.answered < this.asked) void this.load().catch(() => {});
  }

  private take(list: readonly Bookmark[]): void {
    this.list = list;
    this.changed.emit();
  }
}
