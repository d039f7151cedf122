// The attributes of a host as far as they were asked for: level by level, page by page. What was known
// at another time stays on screen until it is known at this one.

import { readLevel, type Attribute, type Place } from "./api.js";

const PAGE = 100;
/** The levels of a search have a name that no path has. */
const FOUND = "/";

interface Known {
  total: number;
  all: boolean;
  known: boolean;
  unread: boolean; // not known, as that is not read yet
  items: (Attribute | undefined)[];
  fresh: Set<number>; // pages read at the time of now
  read: boolean;
}

/** A line of the tree: an attribute, or the place of one that is not there yet. */
export interface Line {
  readonly level: number;
  readonly parent: string; // of the level that it stands in
  readonly index: number;
  readonly item: Attribute | undefined;
  readonly expanded: boolean;
}

/** Whether an attribute only holds others together, and never has a value of its own: those of the first level with some below them. */
export const holds = (a: Attribute): boolean => a.value === null && a.children > 0 && !a.path.includes("/");

export class Levels {
  private place: Place | null = null;
  private find = "";
  private readonly levels = new Map<string, Known>();
  readonly open = new Set<string>();
  private wanted: [string, number][] = [];
  private near = new Map<string, string>();
  private reading = false;
  private turn = 0;
  error = "";

  constructor(private readonly set: string, private readonly onChange: () => void) {}

  /** Asks of another place; what is there stays if it is the same host. */
  at(place: Place): void {
    if (this.place?.host !== place.host) this.levels.clear();
    this.place = place;
    this.renew();
  }

  /** Lists what has words in it, all over the tree; "" for the tree. */
  search(words: string): void {
    if (words === this.find) return;
    this.find = words;
    this.levels.delete(FOUND);
    this.renew();
  }

  get searching(): boolean {
    return this.find !== "";
  }

  /** All that is known is to be asked for again. */
  renew(): void {
    this.turn++;
    this.reading = false;
    this.wanted = [];
    for (const l of this.levels.values()) l.fresh.clear();
    this.onChange();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    if (this.error || this.reading) this.renew();
  }

  /** The first level of what is listed. */
  private get root(): string {
    return this.find ? FOUND : "";
  }

  /** How many there are on the first level, whether the host recorded anything then or that is not read yet, and whether the search found all; null while that is asked. */
  get summary(): { total: number; known: boolean; unread: boolean; all: boolean } | null {
    const l = this.levels.get(this.root);
    return l?.read ? l : null;
  }

  /** All lines, top to bottom. */
  lines(): Line[] {
    const out: Line[] = [];
    const walk = (path: string, level: number) => {
      const l = this.levels.get(path);
      // One that was empty at another time need not be at this one: a place stands for what it may hold, so that it is asked for.
      if (!l || (l.total === 0 && !l.fresh.has(0))) {
        out.push({ level, parent: path, index: 0, item: undefined, expanded: false });
        return;
      }
      for (let i = 0; i < l.total; i++) {
        const item = l.items[i];
        const expanded = !!item && item.children > 0 && this.open.has(item.path);
        out.push({ level, parent: path, index: i, item, expanded });
        if (expanded && level < 32) walk(item.path, level + 1);
      }
    };
    walk(this.root, 1);
    return out;
  }

  /** The text that an attribute has at the time of now; "" where it has none, or that is not known. */
  valueOf(path: string): string {
    const parent = split(path).slice(0, -1).join("/");
    const l = this.levels.get(parent);
    const value = l?.items.find((i) => i?.path === path)?.value;
    return typeof value === "string" && l!.fresh.has(0) ? value : "";
  }

  /** Makes a path stand in the tree: opens what it stands below, and asks for the pages that those stand on. */
  reveal(path: string): void {
    const parts = split(path);
    for (let i = 0; i < parts.length; i++) {
      const parent = parts.slice(0, i).join("/");
      this.near.set(parent, unescape(parts[i]));
      if (i > 0) this.open.add(parent);
    }
    this.onChange();
  }

  /** Reads what of these lines is not known yet, one page after the other. */
  want(lines: readonly Line[]): void {
    const keys = new Map<string, [string, number]>();
    for (const [parent] of this.near) if (!this.find && (parent === "" || this.shown(parent))) keys.set(`${parent} near`, [parent, -1]);
    for (const l of lines) {
      const page = Math.floor(l.index / PAGE);
      if (!this.levels.get(l.parent)?.fresh.has(page)) keys.set(`${l.parent} ${page}`, [l.parent, page]);
    }
    this.wanted = [...keys.values()];
    void this.pump();
  }

  // Whether a level is on its way to be listed: all above it are known and open.
  private shown(parent: string): boolean {
    const above = split(parent).slice(0, -1).join("/");
    return this.levels.get(above)?.items.some((i) => i?.path === parent) ?? false;
  }

  private async pump(): Promise<void> {
    const next = this.wanted[0];
    const place = this.place;
    if (this.reading || !next || !place) return;
    const [parent, page] = next;
    const turn = this.turn;
    this.reading = true;
    const near = page < 0 ? this.near.get(parent) ?? "" : "";
    try {
      const a = await readLevel(this.set, place, { ...(parent === FOUND ? { find: this.find } : { path: parent }), from: Math.max(0, page) * PAGE, limit: PAGE, ...(near ? { near } : {}) });
      if (turn !== this.turn) return;
      if (page < 0) this.near.delete(parent);
      const known: Known = this.levels.get(parent) ?? { total: 0, all: true, known: true, unread: false, items: [], fresh: new Set(), read: false };
      known.total = a.total;
      known.all = a.all;
      known.known = a.known;
      known.unread = !a.known && a.local_known_until !== undefined;
      known.read = true;
      known.items.length = Math.min(known.items.length, a.total);
      a.attributes.forEach((item, i) => (known.items[a.from + i] = item));
      known.fresh.add(Math.floor(a.from / PAGE));
      this.levels.set(parent, known);
      this.error = "";
    } catch (e) {
      if (turn !== this.turn) return;
      this.near.delete(parent);
      this.levels.set(parent, { total: 0, all: true, known: true, unread: false, items: [], fresh: new Set([0, Math.max(0, page)]), read: false });
      this.error = e instanceof Error ? e.message : String(e);
    }
    this.reading = false;
    this.onChange();
  }
}

/** The elements of a path, escaped as they stand in it. */
export function split(path: string): string[] {
  return path === "" ? [] : path.match(/(?:\\[\s\S]|[^/\\])+/g) ?? [];
}

const unescape = (element: string): string => element.replace(/\\([\s\S])/g, "$1");
