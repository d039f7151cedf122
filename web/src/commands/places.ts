// Where the palette leads besides commands: to a time, to a host or a thread by its name, and to where a host recorded.

import { isolated } from "../model/names.js";
import { HOST, threadName, type Row } from "../model/rows.js";
import type { Context } from "../timeline/controlflow.js";
import { lifeOf, nearest, type Life } from "../timeline/life.js";
import type { HostInfo } from "../net/json.js";
import { about, clock, date, seconds, type Ns } from "../time/time.js";
import { around, timeAt, windowOf, type Window } from "../time/window.js";
import type { Choice, Source } from "./finder.js";
import { fit } from "./fuzzy.js";
import { shared } from "./share.js";
import { instant, parseTime, stretchOf, timed, type Frame } from "./times.js";

/** Of a window that shows the whole set, what is left of it when one goes to a time. */
export const CLOSER = 0.1;
/** Decimals of the times at which threads were there. */
const DIGITS = 3;
/** By so much a host fits better than any thread. */
const HOSTS_FIRST = 1e6;

/** The time or the stretch that was typed, as a source; go leads to a time, show to a stretch. */
export function timeSource({ view, set }: Context, go: (at: Ns) => void, show: (stretch: Window) => void): Source {
  return (typed) => {
    const b = view.bounds;
    if (!b) return [];
    const [from, what] = view.cursor !== null ? [view.cursor, "the cursor"] : view.selection ? [view.selection.begin, "the selection's begin"] : [timeAt(view.window, 0.5), "the middle of the window"];
    const frame = { begin: b.begin, end: b.end, from };
    const t = parseTime(typed, frame);
    if (!t && set.hosts.length > 1) {
      const of = hostOf(typed, set.hosts);
      const found = of && byHost(of.host, of.rest, b);
      if (found) return [found];
    }
    if (!t) return stretch(stretchOf(typed, frame) ?? ownStretch(typed, frame), b);
    const by = t.kind === "relative" ? `, counted from ${what}` : "";
    const words = `Go to ${seconds(t.at - b.begin)} (${reading(t.at, b)} UTC${whose()})${by}`;
    return [{ words, kind: "Time", score: Infinity, why: t.at < b.begin || t.at > b.end ? "outside of the set" : "", run: () => go(t.at) }];
  };

  // A time by the clock of a host, of the day that it recorded; null where what follows the name is no time by a clock.
  function byHost(host: HostInfo, typed: string, b: { begin: Ns; end: Ns }): Choice | null {
    const found = ownTime(host, typed);
    if (!found) return null;
    const { own, t, at } = found;
    const { name } = host;
    const which = `${reading(t.at, own)} UTC by the clock of ${isolated(name)}`;
    if (at === null) return { words: `Go to ${which}`, kind: "Time", score: Infinity, why: "nothing relates its clock to the times here yet", run: () => {} };
    const why = t.at < own.begin || t.at > own.end ? "it recorded nothing then" : "";
    return { words: `Go to ${seconds(at - b.begin)} (${which})`, kind: "Time", score: Infinity, why, run: () => go(at) };
  }

  // What was typed by the clock of a host, or so far on from a time by it, in its own time and in that of the page, null where nothing relates them.
  function ownTime({ index }: HostInfo, typed: string, from?: Ns): { own: { begin: Ns; end: Ns }; t: { at: Ns }; at: Ns | null } | null {
    const own = set.extent(index, true);
    const t = own && timed(typed, { ...own, from: from ?? own.begin });
    if (!t || t.kind === "since begin" || (t.kind === "relative" && from === undefined)) return null;
    return { own, t, at: view.raw ? t.at : set.toReference(index, t.at) };
  }

  // A stretch of which one side or both are by the clock of a host. The second side goes by that of the first, also where it says how far on from there,
  // unless it names a host itself; what is counted from the begin of the set is of no clock.
  function ownStretch(typed: string, frame: Frame): { from: Ns; to: Ns } | null {
    const sides = typed.split("..");
    const [first, last] = sides.map((side) => hostOf(side, set.hosts));
    if (sides.length !== 2 || (!first && !last)) return null;
    const begin = first && ownTime(first.host, first.rest);
    const from = first ? (begin?.at ?? null) : instant(sides[0].trim(), frame);
    if (from === null) return null;
    const to = last ? ownTime(last.host, last.rest) : first && ownTime(first.host, sides[1].trim(), begin?.t.at);
    const at = to ? to.at : last ? null : instant(sides[1].trim(), frame);
    return at === null ? null : { from, to: at };
  }

  // A time of day, with its day where that is none of the set's.
  function reading(t: Ns, b: { begin: Ns; end: Ns }): string {
    const foreign = t < b.begin ? date(t) !== date(b.begin) : t > b.end && date(t) !== date(b.end);
    return foreign ? `${date(t)} ${clock(t)}` : view.clock(t);
  }

  // By whose clock a time of day is.
  function whose(): string {
    if (set.hosts.length < 2) return "";
    return view.raw ? " by each host's own clock" : set.clocks?.reference ? ` by the clock of ${set.clocks.reference}` : "";
  }

  function stretch(s: ReturnType<typeof stretchOf>, b: { begin: Ns; end: Ns }): Choice[] {
    if (!s || s.from === null || s.to === null) return [];
    // Of what is typed beyond the set there is nothing to show.
    const from = s.from < b.begin && s.to > b.begin ? b.begin : s.from;
    const to = s.to > b.end && s.from < b.end ? b.end : s.to;
    const words = `Show ${seconds(from - b.begin)} to ${seconds(to - b.begin)} (${reading(from, b)} to ${reading(to, b)} UTC${whose()})`;
    const why = to === from ? "it has no length" : to < from ? "it ends before it begins" : to <= b.begin || from >= b.end ? "outside of the set" : "";
    return [{ words, kind: "Time", score: Infinity, why, run: () => show(windowOf(from, to)) }];
  }
}

/** The host whose name begins what is typed, of several the one with the longest, and what follows it; null for none. */
export function hostOf<H extends { readonly name: string }>(typed: string, hosts: readonly H[]): { host: H; rest: string } | null {
  const s = typed.trim();
  const fits = hosts.filter(({ name }) => s.slice(0, name.length).toLowerCase() === name.toLowerCase() && /^[\s:,]*\s/.test(s.slice(name.length)));
  const host = fits.sort((a, b) => b.name.length - a.name.length)[0];
  return host ? { host, rest: s.slice(host.name.length).replace(/^[\s:,]+/, "") } : null;
}

/** Shows a time in the middle of the window, or in a window that is known, under the cursor; with choosing, to choose something else there. */
export function showTime({ view }: Context, at: Ns, choosing = false, window: Window | null = null): void {
  const span = view.whole && view.bounds ? Number(view.bounds.end - view.bounds.begin) * CLOSER : view.window.span;
  const to = window ?? around(at, span);
  if (choosing) view.jumpChoosing(to);
  else view.jump(to);
  view.cursor = at;
  view.pointed.emit();
}

/** Hosts and threads by name or thread id, as a source; hosts first. go leads to one, at the time looked at or the nearest one at which the thread was there. */
export function rowSource({ rows, set, view }: Context, go: (host: number, tid: number, at: Ns) => void): Source {
  return (typed, room) => {
    if (!typed) return [];
    const found: { row: Row; host: string; fits: { at: readonly number[]; score: number } }[] = [];
    for (const row of rows.all()) {
      const host = set.host(row.host)?.name ?? "";
      // Of so many threads only those that have what was typed in one piece.
      const fits = row.kind === HOST ? fit(typed, row.name) : has(typed, row, host);
      if (fits) found.push({ row, host, fits });
    }
    const score = ({ row, fits }: (typeof found)[0]) => (row.kind === HOST ? HOSTS_FIRST : 0) + fits.score;
    found.sort((a, b) => score(b) - score(a) || a.row.host - b.row.host || a.row.tid - b.row.tid);
    const shown = shared(found, room, (f) => ({ host: f.row.host, score: score(f) }));
    const choices = shown.map(({ row, host, fits }): Choice => {
      const thread = row.kind !== HOST;
      const words = thread ? `${threadName({ ...row, name: row.name || "(no name)" })} on ${host}` : row.name;
      const life = lifeOf({ rows, set, view }, row.id);
      const note = thread ? lifeWords(row, life, view.origin()) : "";
      return { words, note, kind: thread ? "Thread" : "Host", ...fits, run: () => go(row.host, thread ? row.tid : -1, nearest(life, view.cursor ?? timeAt(view.window, 0.5))) };
    });
    return { choices, all: found.length };
  };
}

// When a thread was there; "" of one that was from the begin of its host's recording to the end, and where that is not known.
function lifeWords(row: Row, life: Life | null, origin: Ns): string {
  if (!life || life.first === null) return "";
  if (row.first <= 0) return life.last === null ? "" : `until ${seconds(life.last - origin, DIGITS)}`;
  const from = `from ${seconds(life.first - origin, DIGITS)}`;
  return life.last === null ? `${from} on` : `${from}, ${about(Number(life.last - life.first), 3)}`;
}

/** Where each host recorded, as a source; go shows all of it. */
export function recordedSource({ set, view }: Context, go: (host: number) => void): Source {
  return (typed) => {
    if (!typed) return [];
    return set.hosts.flatMap((host): Choice[] => {
      const words = `Go to where ${host.name} recorded`;
      const fits = set.extent(host.index, view.raw) && fit(typed, words);
      return fits ? [{ words, kind: "Time", ...fits, run: () => go(host.index) }] : [];
    });
  };
}

// Every word typed is in the name or the host's, or is the thread's id.
function has(typed: string, row: Row, host: string): { at: number[]; score: number } | null {
  let score = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter((w) => w !== "on" && w !== "·")) {
    const at = row.name.toLowerCase().indexOf(word);
    if (String(row.tid) === word) score += 3;
    else if (at >= 0) score += at === 0 ? 2 : 1;
    else if (!host.toLowerCase().includes(word)) return null;
  }
  return score > 0 ? { at: [], score } : null;
}
