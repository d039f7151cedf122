// The table of commands: the one place that says what can be done on the page and by which key. The keyboard,
// the palette (Ctrl+K or a colon) and the help (?) all read it, so what stands here works, is found and is
// told of, and nothing else has to be changed.
//
// To have a command, add it where its part of the page is made:
//
//	c.commands.add({ group: "Rows", words: "Sort rows by name", keys: ["o"], tab: "timeline", run: () => this.sort("name") });
//
// A key is what KeyboardEvent.key says, letters in lower case: "f", "Home", "?". Ahead of it may stand "Ctrl+" (on a
// Mac that is the command key as well; such a key acts in fields too) and, of letters and keys with a name, "Shift+". Without "Shift+" a key
// counts with and without, unless another command has that. Two commands of one tab never share a key:
// add throws. What the mouse does, or a key that is held, such as W, has no run: it is told of in the help alone.

import type { Tab } from "../model/shown.js";

/** The tabs, in their order, by their names. */
export const TAB_WORDS: Readonly<Record<Tab, string>> = { timeline: "Timeline", sync: "Synchronization", events: "Events", statistics: "Statistics", messages: "Messages", state: "State", import: "Import" };

/** What else the tabs are asked for by. */
export const TAB_ALSO: Readonly<Record<Tab, string>> = {
  timeline: "control flow histogram", sync: "clocks error accuracy quality graph", events: "table log", statistics: "summary percentiles system calls",
  messages: "matrix latency histogram scatter traffic network", state: "attributes tree values", import: "report anomalies progress missing",
};

export const GROUPS = ["Move", "Select", "Rows", "Times", "Clocks", "Views", "Keep and share", "Page", "Mouse", "In plots and tables"] as const;
export type Group = (typeof GROUPS)[number];

export interface Command {
  readonly group: Group;
  /** What it does, as an order, such as "Show the whole set". The palette finds it by these words. */
  readonly words: string;
  /** Other words that it is asked for by, as other programs call it; the palette finds it by their beginnings as well. */
  readonly also?: string;
  readonly keys?: readonly string[];
  /** How the help writes the key, where keys do not say it. */
  readonly shown?: string;
  /** Where its key acts; the palette goes there first. All tabs if left out. */
  readonly tab?: Tab;
  /** On which tab it is ahead of others that fit as well. */
  readonly first?: Tab;
  /** What must have the focus for its key, where that is less than the tab. */
  readonly part?: string;
  /** Whether it can be done now; where not, its key does nothing but say what it needs, and so does the palette where nothing that can be done fits as well; else
   * the palette leaves it out. */
  readonly possible?: () => boolean;
  /** What is said where its key is struck, or the palette is asked for it, and it cannot be done. */
  readonly needs?: string;
  readonly run?: () => void;
}

export class CommandTable {
  private readonly list: Command[] = [];

  add(...commands: Command[]): void {
    for (const c of commands) {
      for (const key of c.keys ?? []) {
        const other = this.list.find((o) => o.keys?.includes(key) && (!o.tab || !c.tab || o.tab === c.tab));
        if (other) throw new Error(`the key ${key} of “${c.words}” is that of “${other.words}”`);
      }
      this.list.push(c);
    }
  }

  /** All commands, in the order of their groups and, within one, as they were added. */
  all(): Command[] {
    return GROUPS.flatMap((g) => this.list.filter((c) => c.group === g));
  }

  /** What a key does on a tab now; undefined for nothing. */
  by(key: string, tab: Tab): Command | undefined {
    const found = this.bound(key, tab);
    return found?.possible?.() === false ? undefined : found;
  }

  /** What a key needs on a tab, where it does nothing for the lack of that; "" else. */
  needs(key: string, tab: Tab): string {
    const found = this.bound(key, tab);
    return found?.possible?.() === false ? (found.needs ?? "") : "";
  }

  private bound(key: string, tab: Tab): Command | undefined {
    const here = (k: string) => this.list.find((c) => c.run && c.keys?.includes(k) && (!c.tab || c.tab === tab));
    return here(key) ?? (key.startsWith("Shift+") ? here(key.slice(6)) : undefined);
  }
}

const SYMBOLS: Readonly<Record<string, string>> = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", PageUp: "Page Up", PageDown: "Page Down", Escape: "Esc", "-": "−", " ": "Space",
};

/** The keys of a command as they are written: "Shift + Backspace"; "" for none. */
export function keyWords(c: Command): string {
  if (c.shown !== undefined) return c.shown;
  const one = (key: string) => {
    const parts = /^((?:Ctrl\+|Shift\+)*)(.+)$/.exec(key)!;
    const name = SYMBOLS[parts[2]] ?? (parts[2].length === 1 ? parts[2].toUpperCase() : parts[2]);
    return parts[1].replace(/\+/g, " + ") + name;
  };
  return (c.keys ?? []).map(one).join(" or ");
}
