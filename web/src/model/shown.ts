// What a page shows: all that a link carries to a colleague. What one can do to it is View, how an address says it is query.ts.

import type { Ns } from "../time/time.js";
import { timeAt, type Window } from "../time/window.js";
import type { Tables } from "./arranged.js";
import type { Chosen, ChosenEvent, Thread } from "./chosen.js";
import type { Exact } from "./held.js";
import type { LedBy } from "./led.js";
import { BY_TID, type Order } from "./order.js";
import type { Bounds } from "./set.js";
import { parseWait } from "./wait.js";

export const TABS = ["timeline", "sync", "events", "statistics", "messages", "state", "import"] as const;
export type Tab = (typeof TABS)[number];

/** A part of the timeline whose size can be chosen: the names of rows, the inspector, Communication and Resources. */
export const PARTS = ["tree", "side", "talk", "cpus"] as const;
export type Part = (typeof PARTS)[number];

/** A part whose rows are scrolled by themselves: Communication and Resources. Of Control flow the row on top is known. */
export const SCROLLABLES = ["talk", "cpus"] as const;
export type Scrollable = (typeof SCROLLABLES)[number];

/** What is added up: what the timeline shows, what is selected in it, or all. */
export const STRETCHES = ["window", "selection", "set"] as const;
export type Stretch = (typeof STRETCHES)[number];

/** What is told of the messages of two hosts. */
export const MEASURES = ["messages", "bytes", "latency"] as const;
export type Measure = (typeof MEASURES)[number];

/** No more rows than this are pinned. */
export const MOST_PINS = 64;
/** No more rows than this stay listed for having been selected. */
export const MOST_KEPT = 16;

export class Shown {
  window: Window = { begin: 0n, span: 1e9 };
  /** True until a window or the first bounds are known. */
  empty = true;
  /** The window is the whole set, and grows with it. */
  whole = true;
  /** The ends of a window that an address asked for, as it has them, "" for one that it lacks, where no such window can be shown; null for none. */
  refused: readonly [begin: string, end: string] | null = null;
  /** The tab that an address asked for, where there is none of that name; null for none. */
  refusedTab: string | null = null;
  raw = false;
  /** The host whose clock the times are by, unless they are raw; "" while nobody knows. Who opens a link may find another in force. */
  by = "";
  tab: Tab = "timeline";
  selection: Bounds | null = null;
  filter = "";
  /** Rows that the filter does not want are listed faintly instead of hidden. */
  dim = false;
  /** Rows that do not run in the window are hidden. */
  busyOnly = true;
  order: Order = BY_TID;
  /** Threads whose rows stay on top, by host and thread id. */
  pins: Thread[] = [];
  collapsedHosts = new Set<number>();
  /** Processes collapsed by hand, as host and thread id with a dot between. */
  collapsedProcesses = new Set<string>();
  /** Hosts that Communication shows by their threads. */
  openedHosts = new Set<number>();
  /** The selected row as host and thread id, -1 for the host itself; ids of rows do not outlive a server. */
  row: Thread | null = null;
  /** Threads whose rows stay listed, since they were selected in this window, which would not list them. */
  kept: Thread[] = [];
  /** A time in the selected state of the selected row, by the clock of its host, which no clock map changes; null where none is selected. */
  did: Ns | null = null;
  /** How one came to that state; null where nothing led there. */
  led: LedBy | null = null;
  /** The row that Control flow begins with, and how many CSS pixels of it lie above; null where that follows from the selected row, or from none. */
  top: (Thread & { readonly above: number }) | null = null;
  /** A moment that others are compared with: a host by number and its own time, which no clock map changes. */
  mark: { host: number; local: Ns } | null = null;
  /** The chosen message, or bundle of several, by the clocks of its two hosts, which no clock map changes. */
  message: Chosen | null = null;
  link: { a: string; b: string } | null = null;
  /** The part of the plot of that link that is zoomed to, by the clock of its first host, which no clock map changes; null for all. */
  plot: Bounds | null = null;
  /** How much taller than by itself the plot is drawn. */
  tall = 1;
  /** The sizes of parts that were made larger or smaller, CSS pixels. */
  readonly sizes: Partial<Record<Part, number>> = {};
  /** How far parts are scrolled, CSS pixels; none where that follows from what is selected. */
  readonly scrolled: Partial<Record<Scrollable, number>> = {};
  /** The table of links has all of its columns. */
  columns = false;
  /** What is open in Resources, as it stands in an address; "" for what opens by itself. */
  resources = "";
  /** The selected row of Resources, as its tree names it; "" for none. */
  lane = "";
  /** A time in the selected state of that row, by the clock of its host, which no clock map changes; null where none is selected. */
  was: Ns | null = null;
  /** The two hosts, by name, whose messages alone the communication shows; null for all. */
  pair: readonly [string, string] | null = null;
  /** Hosts of the communication open to their connections, not to their threads. */
  flows = false;
  /** Arrows tell who woke whom. */
  wakes = false;
  /** What Statistics and Messages add up, the words that narrow the tables of the one, whether it has the system calls of one thread alone, if
   * that was said, whether it lists the threads that never ran, and the number that the matrix of the other shows. */
  spent: Stretch = "window";
  narrow = "";
  alone: boolean | null = null;
  still = false;
  /** Tables in another order than at first, or with all of their rows. */
  tables: Tables = new Map();
  /** The system call whose times are shown as a histogram: the host's name, and its own; null for none. */
  call: readonly [string, string] | null = null;
  exchanged: Stretch = "window";
  measure: Measure = "messages";
  /** Hosts that are compared, by name; "" for one that is not chosen. */
  compared: [string, string] = ["", ""];
  /** At which time, ns after the begin of the set, which means the same by every clock; or in the middle of the recording; null for that of the window. */
  comparedAt: number | "recording" | null = null;
  /** The bound of clocks before which nothing is drawn while the import runs, such as 50us; "" for none. */
  waitedFor = "";
  /** Which events are listed, from when on, and the one that is chosen, or the loss: its host, and where it is told by the clock of that. */
  events = { at: null as Ns | null, chosen: null as ChosenEvent | null, loss: null as { host: number; local: Ns } | null, name: "", where: "", host: "", during: "", clock: "", cpu: "", fields: "" };
  /** The state at a time: when, of which host, when to the ns where a step or another clock led there, the chosen attribute, the words that are
   * searched for and what is open, but for what the chosen one stands in. */
  state: { at: Ns | null; host: string; exact: Exact | null; path: string; find: string; open: string[] } = { at: null, host: "", exact: null, path: "", find: "", open: [] };
  /** A window was named or chosen by the user, be it the whole set: nobody else chooses one. */
  fixed = false;

  /** The bound that is waited for, ns; null for none. */
  get wait(): number | null {
    return parseWait(this.waitedFor);
  }

  get time(): "raw" | "reference" {
    return this.raw ? "raw" : "reference";
  }

  /** A time that is looked at, or was chosen; null where that is the whole set and nothing in it. */
  get somewhere(): Ns | null {
    return !this.whole ? timeAt(this.window, 0.5) : (this.selection?.begin ?? this.events.at ?? this.state.at);
  }
}
