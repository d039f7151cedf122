// Where bookmarks meet the page: their flags, their list, their commands, and their place in the palette.

import type { Choice, Source } from "../commands/finder.js";
import { fit } from "../commands/fuzzy.js";
import { HOST } from "../model/rows.js";
import type { Thread } from "../model/chosen.js";
import type { Context } from "../timeline/controlflow.js";
import { seconds, type Ns } from "../time/time.js";
import { endOf, windowOf, type Window } from "../time/window.js";
import { Bookmarks, newKey, type Bookmark } from "./bookmarks.js";
import { Flags } from "./flags.js";
import { BookmarkList } from "./list.js";
import { Note } from "./note.js";

const NO_CLOCK = "A bookmark needs a host whose clock is known.";

export class BookmarkDesk {
  /** Leads to a row at a time, in a window where one is known. */
  onGo: (host: number, tid: number, at: Ns, window: Window | null) => void = () => {};
  /** One is at a bookmark with this text, or not any more: "". */
  onHere: (words: string) => void = () => {};
  /** Something is to be said; "" when what was said last does not hold any more. */
  onSay: (sentence: string) => void = () => {};
  /** What the server did not do; "" when it answers again. */
  onFault: (sentence: string) => void = () => {};
  /** The time that is looked at. */
  moment: () => Ns = () => this.c.view.window.begin;
  private readonly bookmarks: Bookmarks;
  private readonly note = new Note();
  private readonly list = new BookmarkList(() => this.begin());
  private readonly flags: Flags[];
  private readonly keys = new WeakMap<Bookmark, string>(); // of those that are brought back
  private spoken: Bookmark | null = null; // that something was said of
  private at: Bookmark | null = null; // that was gone to
  private here = ""; // its text, as long as it is in sight

  constructor(private readonly c: Context, id: string, axis: Element, strip: Element, private readonly pointer: { readonly host: number | null; readonly thread: Thread | null }) {
    this.bookmarks = new Bookmarks(id, c.set);
    this.flags = [axis, strip].map((el) => new Flags(el, (b) => this.go(b), el === axis));
    this.list.onGo = (b) => this.go(b);
    this.list.onEdit = (b) => {
      this.list.close();
      this.note.ask(this.words(b), b.text, async (words) => this.say("The bookmark is changed.", await this.bookmarks.edit(b, words)), () => this.open(b));
    };
    this.list.onDelete = (b) => void this.remove(b);
    this.list.onUndo = (b) => void this.bringBack(b);
    this.bookmarks.changed.on(() => {
      const of = this.spoken;
      if (of && !this.bookmarks.list.some((b) => b.id === of.id && b.text === of.text)) this.say("");
      if (this.list.open) this.open(this.list.at);
      this.stay();
      c.schedule();
    });
    c.commands.add(
      { group: "Keep and share", words: "Set a bookmark at the cursor, on the row there", also: "note annotate comment", keys: ["b"], tab: "timeline", possible: () => this.place() !== null, needs: NO_CLOCK, run: () => this.begin() },
      { group: "Keep and share", words: "List the bookmarks: go to one, edit or delete it", also: "notes annotations remove", keys: ["Shift+b"], run: () => this.look() },
    );
    c.view.changed.on(() => this.at && this.stay());
    this.bookmarks.onElsewhere = () => this.load();
    // Somebody else may have set one meanwhile, in another browser.
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.load());
    addEventListener("focus", () => this.load());
  }

  /** Bookmarks by their texts, for the palette. */
  source: Source = (typed) => {
    if (!typed) return [];
    const out: Choice[] = [];
    for (const b of this.bookmarks.list) {
      const words = b.text.replace(/\s+/g, " ").slice(0, 200);
      const found = fit(typed, words);
      if (found) out.push({ words, kind: "Bookmark", ...found, run: () => this.go(b) });
    }
    return out.sort((x, y) => y.score - x.score);
  };

  draw(): void {
    const { view } = this.c;
    if (view.tab !== "timeline" || view.empty) return;
    const marks = this.bookmarks.list.length > 0 ? this.bookmarks.inOrder(view.raw) : [];
    this.flags[0].draw(marks, view.window);
    if (view.bounds) this.flags[1].draw(marks, windowOf(view.bounds.begin, view.bounds.end));
  }

  /** The server is there, for the first time or again: bookmarks may have changed. */
  again(): void {
    this.load();
  }

  private load(): void {
    this.bookmarks.load().then(() => this.onFault(""), (e: Error) => this.onFault(e.message));
  }

  // Says something, of a bookmark as it is now.
  private say(sentence: string, of: Bookmark | null = null): void {
    this.spoken = of;
    this.onSay(sentence);
  }

  private async remove(b: Bookmark): Promise<void> {
    try {
      await this.bookmarks.remove(b);
    } catch (e) {
      return this.onFault((e as Error).message);
    }
    this.list.offer(b);
    this.say("The bookmark is deleted.");
  }

  private async bringBack(b: Bookmark): Promise<void> {
    const key = this.keys.get(b) ?? newKey(); // as the last time that it was tried
    this.keys.set(b, key);
    try {
      this.say("The bookmark is there again.", await this.bookmarks.add(b.host, b.tid, BigInt(b.local_time), b.text, key, b.local_window));
    } catch (e) {
      this.list.offer(b);
      this.onFault((e as Error).message);
    }
  }

  // Where a new bookmark would stand: on the row under the pointer, else the selected one, else that of the host under the pointer or of the reference.
  private place(): { host: string; tid: number; local: Ns; at: Ns } | null {
    const { view, set } = this.c;
    if (view.empty) return null;
    const row = this.pointer.thread ?? view.row;
    const index = row?.host ?? this.pointer.host ?? set.hosts.find((h) => h.reference && h.name === set.clocks?.reference)?.index ?? set.hosts[0]?.index;
    const host = index === undefined ? undefined : set.host(index);
    if (!host) return null;
    const at = this.moment();
    const local = view.raw ? at : set.toLocal(host.index, at);
    return local === null ? null : { host: host.name, tid: row?.tid ?? -1, local, at };
  }

  private begin(): void {
    const p = this.place();
    if (!p) {
      this.say(NO_CLOCK);
      return;
    }
    const key = newKey();
    this.note.ask(`${this.rowWords(p.host, p.tid)}, at ${seconds(p.at - this.c.view.origin())}`, "", async (words) => {
      this.say("The bookmark is set.", await this.bookmarks.add(p.host, p.tid, p.local, words, key, this.seen(p.host)));
    });
  }

  // The window, by the clock of a host; none where that is the whole set, which may grow.
  private seen(name: string): Bookmark["local_window"] {
    const { view, set } = this.c;
    const host = set.hosts.find((h) => h.name === name)?.index;
    if (view.whole || host === undefined) return undefined;
    const [begin, end] = [view.window.begin, endOf(view.window)].map((t) => (view.raw ? t : set.toLocal(host, t)));
    return begin == null || end == null || begin >= end ? undefined : [String(begin), String(end)];
  }

  /** Lists the bookmarks: what is known at once, and what another page has changed meanwhile a moment later. */
  look(): void {
    this.open();
    this.load();
  }

  private open(of?: Bookmark): void {
    const { view } = this.c;
    this.list.show(this.bookmarks.inOrder(view.raw).map(({ b, at }) => ({ b, when: at === null ? "clock not known" : seconds(at - view.origin()), where: this.rowWords(b.host, b.tid) })), of);
  }

  private go(b: Bookmark): void {
    const host = this.bookmarks.host(b);
    const at = this.bookmarks.time(b, this.c.view.raw);
    if (host === undefined || at === null) {
      this.say(`The clock of ${b.host} is not known.`);
      return;
    }
    this.list.close();
    this.onGo(host, b.tid, at, this.bookmarks.window(b, this.c.view.raw));
    this.say(b.text, b);
    this.at = b;
    this.stay();
  }

  // What the bookmark says that was gone to can be read as long as it is in sight.
  private stay(): void {
    const { view } = this.c;
    const b = this.at && this.bookmarks.list.find((x) => x.id === this.at!.id);
    const at = b ? this.bookmarks.time(b, view.raw) : null;
    if (!b || (at !== null && (at < view.window.begin || at >= endOf(view.window)))) this.at = null;
    const words = this.at && b ? b.text : "";
    if (words === this.here) return;
    this.here = words;
    this.onHere(words);
  }

  private words(b: Bookmark): string {
    const at = this.bookmarks.time(b, this.c.view.raw);
    return this.rowWords(b.host, b.tid) + (at === null ? "" : `, at ${seconds(at - this.c.view.origin())}`);
  }

  private rowWords(host: string, tid: number): string {
    const { rows, set } = this.c;
    const index = set.hosts.find((h) => h.name === host)?.index;
    const id = tid < 0 || index === undefined ? undefined : rows.find(index, tid);
    const row = id === undefined ? undefined : rows.get(id);
    if (tid < 0) return host;
    return row && row.kind !== HOST ? `${row.name} · ${tid} on ${host}` : `thread ${tid} on ${host}`;
  }
}
