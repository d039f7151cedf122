// What is at hand of the states of rows, at every level of detail, and what is to be fetched.
//
// A level is the width of a column, a power of two of ns. Answers lie in a bounded store; a row is
// drawn from the best ones for each part of the window, coarser ones stretched until the right one
// lands. So of a row that was ever fetched no part is blank: one level spans the whole set.
//
// Two views ask. The urgent one asks for what is on screen and missing; a newer request replaces an
// older one. When it has its answer the other fetches ahead: the whole set coarsely, the surroundings
// less so, and one screen to each side, for the rows above and below as well. Of very many rows the whole set
// comes more coarsely still, of all of them and first of all, so that no row is blank however fast they are
// scrolled. Where nothing is at hand at all, what is on screen comes coarsely first, and then sharp. While an import
// runs answers change: then there is one subscription, three screens wide, and the coarse one.

import type { Strip } from "../draw/columns.js";
import type { Live } from "../net/live.js";
import type { Message, StatesAnswer } from "../net/wire.js";
import { maxNs, minNs, type Ns } from "../time/time.js";
import { behind, columnsFor, floorTo, serves, stepFor, type Columns, type Window } from "../time/window.js";
import { compare, sceneOf, stage, type Scene, type Staged } from "./scene.js";

/** Answers are asked for in so many columns at once, or a multiple. */
const TILE = 128;
const WHOLE_COLUMNS = 512;
/** The surroundings: so many levels coarser, so many screens to each side. */
const COARSER = 3;
const AROUND = 4;
const MOST_ROWS = 4096;
/** With more rows than this all of them are fetched of the whole set, so many levels coarser than near ones, so many at once. */
const MANY_ROWS = 400;
const ALL_COARSER = 2;
const ALL_ROWS = 2048;
const MOST_COLUMNS = 8192;
/** What is fetched ahead comes in pieces, so that nothing urgent waits long behind it. */
const AHEAD_ROWS = 80;
const AHEAD_COLUMNS = 1024;
/** No more pieces than this are fetched ahead for one place. */
const AHEAD_PIECES = 48;
/** Bytes and number of answers that are kept, and how many of those that still change. */
const BUDGET = 24 << 20;
/** All rows coarsely take this at most; of more rows some are left out. */
const ALL_BUDGET = BUDGET / 2;
const MOST = 512;
const UNFINISHED = 4;
/** What is fetched ahead waits so many ms for what is on screen. */
const AHEAD_PAUSE = 30;
/** While answers change the whole set is asked for no more often than once in so many ms. */
const GLANCE = 2000;

/** A part of a row's window, by which answer it is drawn; from and to are ns after the window's begin. */
export interface Piece {
  readonly answer: StatesAnswer;
  readonly r: number;
  readonly step: number;
  readonly from: number;
  readonly to: number;
}

/** How well a row can be drawn: no part is missing, and no part is coarser than a pixel. */
export interface Parts {
  readonly pieces: readonly Piece[];
  readonly blank: boolean;
  readonly coarse: boolean;
}

/** What is on screen. */
export interface Sight {
  readonly window: Window;
  readonly bounds: { readonly begin: Ns; readonly end: Ns };
  readonly pixels: number;
  readonly time: "raw" | "reference";
  /** The newest version of the clock maps that is known; 0 in raw time. */
  readonly version: number;
  /** Whether the set is read to its end and its clocks are final, so that an answer is not expected to change. */
  readonly settled: boolean;
  /** Rows of the list from one index to before another, only those that have states. */
  readonly rows: (from: number, to: number) => number[];
  readonly first: number;
  readonly last: number;
  /** The list itself: another one, other rows. */
  readonly list: readonly unknown[];
}

interface Kept extends Staged {
  readonly step: number; // ns of a column
  readonly bytes: number;
  readonly glance: boolean; // at the whole set, while it was imported
  used: number;
  /** Where it is of use to the wish with this number, ns after its begin. */
  wish: number;
  low: number;
  high: number;
}

interface Place {
  readonly kept: Kept;
  readonly r: number;
}

interface Wish {
  readonly step: number;
  begin: Ns;
  end: Ns;
  readonly rows: number[];
}

export class StateTiles {
  private store: Kept[] = [];
  private readonly byRow = new Map<number, Place[]>();
  private uses = 0;
  private wishes = 0;
  private scene: Scene | null = null;
  private urgent: Wish | null = null;
  private ahead: Wish | null = null;
  private subscribed: { columns: Columns; rows: Set<number>; time: string } | null = null;
  private sight: Sight | null = null;
  /** Whether answers may still change: until one says that it is final. */
  private changing = true;
  private newest = 0;
  /** Whether the window moved to later times last. */
  private later = true;
  /** What was fetched ahead for this place. */
  private pieces = 0;
  private timer = 0;
  /** When the whole set was asked for last, while answers change. */
  private glanced = -Infinity;
  /** The list of which all rows are at hand, coarsely, or as many as may be, and the time they are of. */
  private all: { list: readonly unknown[]; time: string } | null = null;
  /** Answers of a first look that gave way, and their rows of which nothing was told since. */
  private looked = new Set<Kept>();
  private readonly untold = new Set<number>();
  /** Called with each answer to what is on screen, before it is kept, and after any. */
  onTake: (m: StatesAnswer) => void = () => {};
  onChange: () => void = () => {};

  /** Asks by two views of a connection. */
  constructor(private readonly live: Live, private readonly view: number, private readonly aheadView: number) {}

  /** Forgets everything: rows or times mean something else now. */
  reset(): void {
    this.store = [];
    this.byRow.clear();
    this.all = null;
    this.newest = 0;
    this.changing = true;
    this.glanced = -Infinity;
    this.looked.clear();
    this.untold.clear();
    this.renew();
  }

  /** What was asked so far gives way to more: it stays at hand, row by row, until there is an answer about that. */
  giveWay(): void {
    this.looked = new Set(this.store);
    for (const id of this.byRow.keys()) this.untold.add(id);
  }

  /** Asks anew; what is at hand stays until then. */
  renew(): void {
    this.urgent = this.ahead = this.subscribed = null;
  }

  /** Times are others, later by so much, but for answers by clock maps of a version or newer, which came in the new times. */
  retime(by: bigint, version = Infinity): void {
    for (const k of this.store) {
      if (k.answer.clocks.version >= version) continue;
      k.answer.begin += by;
      k.answer.end += by;
      k.scene = null;
    }
    this.renew();
  }

  /** Not on screen now: the server need not answer. */
  pause(): void {
    this.renew();
    this.sight = null;
    clearTimeout(this.timer);
    this.timer = 0;
    this.live.drop(this.view);
    this.live.drop(this.aheadView);
  }

  /** Asks for what is missing in sight and around it. */
  request(s: Sight): void {
    if (this.sight && this.sight.window.begin !== s.window.begin) this.later = s.window.begin > this.sight.window.begin;
    const before = this.sight;
    if (!before || before.window !== s.window || before.first !== s.first || before.pixels !== s.pixels) this.pieces = 0;
    this.sight = s;
    if (s.last <= s.first) return;
    const rows = s.rows(s.first, s.last);
    const bare = this.store.length === 0 && rows.length > 0;
    if (bare && s.settled) this.changing = false;
    if (this.changing) return this.subscribe(s);
    this.subscribed = null;
    const sharp = stepFor(s.window, s.pixels);
    const urgent = this.missing(s, bare ? sharp * 2 ** COARSER : sharp, s.window.begin, behind(s.window), rows, rows, MOST_ROWS);
    if (urgent) {
      if (this.urgent && holds(this.urgent, urgent)) return;
      this.urgent = urgent;
      this.ask(this.view, urgent, s, () => (this.urgent = null));
      return;
    }
    if (this.urgent) {
      this.urgent = null;
      this.live.drop(this.view);
    }
    if (!this.timer)
      this.timer = setTimeout(() => {
        this.timer = 0;
        if (this.sight && !this.urgent && !this.changing) this.fetchAhead(this.sight);
      }, AHEAD_PAUSE);
  }

  private fetchAhead(s: Sight): void {
    const step = stepFor(s.window, s.pixels);
    const page = Math.max(8, s.last - s.first);
    const span = BigInt(Math.round(s.window.span));
    const [begin, end] = [s.window.begin, behind(s.window)];
    const whole = wholeStep(s);
    const wide = Math.min(step * 2 ** COARSER, whole);
    // The rows on screen first, then those below, then those above.
    const around = (more: number) => [...s.rows(s.first, s.last), ...s.rows(s.last, s.last + more), ...s.rows(s.first - more, s.first)];
    const near = around(Math.ceil(page / 2));
    const beside = (later: boolean) => (later ? this.missing(s, step, begin, end + span, near, near) : this.missing(s, step, begin - span, end, near, near));
    const far = BigInt(AROUND) * span;
    const wish = this.allRows(s) ?? this.missing(s, whole, s.bounds.begin, s.bounds.end, around(page), around(3 * page)) ?? beside(this.later) ?? this.missing(s, wide, begin - far, end + far, near, near) ?? beside(!this.later);
    if (wish) this.cut(wish, begin, whole);
    if (!wish) {
      if (this.ahead) this.live.drop(this.aheadView);
      this.ahead = null;
    } else if (!this.ahead || !holds(this.ahead, wish)) {
      if (++this.pieces > AHEAD_PIECES) return;
      this.ahead = wish;
      this.ask(this.aheadView, wish, s, () => (this.ahead = null));
    }
  }

  // What lacks of all rows, those on screen and below them first. Newer clock maps move it by less than can be seen.
  private allRows(s: Sight): Wish | null {
    if (s.list.length <= MANY_ROWS || (this.all?.list === s.list && this.all.time === s.time)) return null;
    const step = allStep(s);
    const bytes = this.store.reduce((n, k) => n + (k.step === step && k.time === s.time ? k.bytes : 0), 0);
    const has = (id: number) => (this.byRow.get(id) ?? []).some(({ kept: k }) => k.step === step && k.time === s.time);
    const rows = bytes >= ALL_BUDGET ? [] : [...s.rows(s.first, s.list.length), ...s.rows(0, s.first)].filter((id) => !has(id)).slice(0, ALL_ROWS);
    if (rows.length === 0) {
      this.all = { list: s.list, time: s.time };
      return null;
    }
    const column = BigInt(step);
    return { step, begin: floorTo(s.bounds.begin, column), end: floorTo(s.bounds.end + column - 1n, column), rows };
  }

  // Cuts what is fetched ahead to a piece beside the window.
  private cut(wish: Wish, begin: Ns, whole: number): void {
    const most = BigInt(wish.step) * BigInt(AHEAD_COLUMNS);
    if (wish.step === whole || wish.end - wish.begin <= most) return;
    if (wish.begin < begin && wish.end <= begin + most) wish.begin = wish.end - most;
    else wish.end = wish.begin + most;
  }

  // While answers change: one subscription of three screens, as long as it serves.
  private subscribe(s: Sight): void {
    const page = Math.max(8, s.last - s.first);
    const needed = s.rows(s.first, s.last);
    if (needed.length > 0) this.glance(s, page);
    const a = this.subscribed;
    if (needed.length === 0 || (a && a.time === s.time && serves(a.columns, s.window, s.pixels) && needed.every((id) => a.rows.has(id)))) return;
    const columns = columnsFor(s.window, s.pixels);
    const rows = s.rows(s.first - page, s.last + page).slice(0, MOST_ROWS);
    this.subscribed = { columns, rows: new Set(rows), time: s.time };
    this.urgent = null;
    this.ask(this.view, { step: columns.step, begin: columns.begin, end: columns.end, rows }, s, () => {});
  }

  // The whole set as it is known now, for the rows on screen and around them.
  private glance(s: Sight, page: number): void {
    const now = performance.now();
    if (now < this.glanced + GLANCE || s.bounds.end <= s.bounds.begin) return;
    this.glanced = now;
    const step = wholeStep(s);
    const begin = floorTo(s.bounds.begin, BigInt(step));
    const end = floorTo(s.bounds.end + BigInt(step) - 1n, BigInt(step));
    const rows = s.rows(s.first - page, s.last + page).slice(0, MOST_ROWS);
    this.ask(this.aheadView, { step, begin, end, rows }, s, () => this.subscribed && this.live.drop(this.aheadView));
  }

  private ask(view: number, wish: Wish, s: Sight, done: () => void): void {
    const { time } = s;
    const columns = Number((wish.end - wish.begin) / BigInt(wish.step));
    this.live.ask(view, { op: "states", begin: String(wish.begin), end: String(wish.end), columns, time, rows: wish.rows }, (m: Message) => {
      done();
      if (m.kind === "error") {
        this.subscribed = null;
        this.live.onError(m.body.message);
      }
      if (m.kind !== "states" || time !== this.sight?.time || this.byAnotherReference(m)) return;
      if (view === this.view) this.onTake(m);
      this.keep(m, time, view === this.aheadView && this.subscribed !== null);
      this.onChange();
      if (!this.changing) this.request(this.sight);
    });
  }

  // Whether an answer is by clocks of another reference, of which nobody has told yet: what it has is of another time than was asked
  // for. Of two that name times alike some host's clock, that of the reference, shows the same at the same time.
  private byAnotherReference(m: StatesAnswer): boolean {
    const before = this.store[this.store.length - 1]?.answer;
    if (!before || before.clocks.version === 0 || before.clocks.version >= m.clocks.version) return false;
    const far = 2n * (m.end - m.begin + before.end - before.begin);
    const [a, b] = [before.clocks.spans, m.clocks.spans];
    for (let i = 0; i < Math.min(a.length, b.length); i += 2) {
      const by = b[i] - a[i] - (m.begin - before.begin);
      if (by < far && by > -far) return false;
    }
    return a.length > 2;
  }

  // The hull of what is missing of [begin, end) at a level, for those of the rows that lack any of
  // it; null if nothing is. Some rows are looked at; if one of those lacks, all are fetched that do,
  // or the first of them.
  private missing(s: Sight, step: number, begin: Ns, end: Ns, some: number[], all: number[], most = AHEAD_ROWS): Wish | null {
    const tile = BigInt(step) * BigInt(TILE);
    begin = floorTo(maxNs(begin, s.bounds.begin), BigInt(step));
    end = minNs(end, s.bounds.end);
    if (end <= begin) return null;
    this.spans(s, step, begin);
    const width = Number(end - begin);
    if (some.every((id) => this.gap(id, width) === null)) return null;
    let [low, high] = [width, 0];
    const rows: number[] = [];
    for (const id of all) {
      const gap = this.gap(id, width);
      if (!gap) continue;
      [low, high] = [Math.min(low, gap[0]), Math.max(high, gap[1])];
      rows.push(id);
      if (rows.length === most) break;
    }
    const from = floorTo(begin + BigInt(low), tile);
    const to = floorTo(begin + BigInt(high) + tile - 1n, tile);
    return { step, begin: from, end: minNs(to, from + BigInt(step) * BigInt(MOST_COLUMNS)), rows };
  }

  // Notes where the answers of a level that are of use lie, ns after begin.
  private spans(s: Sight, step: number, begin: Ns): void {
    const version = this.version(s);
    this.wishes++;
    for (const k of this.store)
      if (k.step === step && k.time === s.time && k.answer.complete && k.answer.clocks.version >= version) {
        k.used = ++this.uses;
        [k.wish, k.low, k.high] = [this.wishes, Number(k.answer.begin - begin), Number(k.answer.end - begin)];
      }
  }

  // From where to where a row lacks answers between 0 and width; null if it lacks none.
  private gap(id: number, width: number): [number, number] | null {
    let [low, high] = [0, width];
    const places = this.byRow.get(id) ?? [];
    // Each turn moves an edge or ends: there are few answers of a row.
    for (let moved = true; moved && low < high; ) {
      moved = false;
      for (const { kept: k } of places) {
        if (k.wish !== this.wishes) continue;
        if (k.low <= low && k.high > low) [low, moved] = [k.high, true];
        if (k.high >= high && k.low < high) [high, moved] = [k.low, true];
      }
    }
    return low < high ? [low, high] : null;
  }

  // The newest clock maps that are known.
  private version(s: Pick<Sight, "time" | "version">): number {
    return s.time === "raw" ? 0 : Math.max(s.version, this.newest);
  }

  private keep(answer: StatesAnswer, time: string, glance: boolean): void {
    if (this.store.some((k) => k.time !== time)) this.drop((k) => k.time === time);
    if (time !== "raw") this.newest = Math.max(this.newest, answer.clocks.version);
    if (!glance) this.changing = !answer.complete;
    // Of those that still changed when they were sent the last few stay, to be stretched, and the last glance. So does what a
    // first look knew of rows of which nothing is told yet.
    const unfinished = this.store.filter((k) => !k.answer.complete && !k.glance);
    const old = new Set(unfinished.slice(0, Math.max(0, unfinished.length - UNFINISHED)));
    if (!glance && this.untold.size > 0) this.tell(answer);
    const needed = (k: Kept) => this.untold.size > 0 && this.looked.has(k) && k.answer.rows.some((id) => this.untold.has(id));
    const goes = (k: Kept) => (this.looked.has(k) || k.answer.gen === answer.gen || old.has(k) || (glance && k.glance)) && !needed(k);
    if (this.store.some(goes)) this.drop((k) => !goes(k));
    const step = Number(answer.end - answer.begin) / answer.columns;
    const kept: Kept = { answer, step, level: Math.log2(step), bytes: answer.runEnd.buffer.byteLength, time, glance, came: ++this.uses, used: this.uses, scene: null, from: 0, to: 0, rank: 0, wish: 0, low: 0, high: 0 };
    this.store.push(kept);
    answer.rows.forEach((id, r) => {
      const places = this.byRow.get(id);
      if (places) places.push({ kept, r });
      else this.byRow.set(id, [{ kept, r }]);
    });
    let bytes = this.store.reduce((n, k) => n + k.bytes, 0);
    if (bytes <= BUDGET && this.store.length <= MOST) return;
    const out = new Set<Kept>();
    // Those of the whole set go last: they are what keeps a jump from being blank.
    const coarse = this.sight ? [wholeStep(this.sight), allStep(this.sight)] : [];
    const last = (k: Kept) => coarse.indexOf(k.step);
    for (const k of [...this.store].sort((a, b) => last(a) - last(b) || a.used - b.used)) {
      if (bytes <= (BUDGET * 3) / 4 && this.store.length - out.size <= (MOST * 3) / 4) break;
      if (k === kept) continue;
      out.add(k);
      if (last(k) === 1) this.all = null;
      bytes -= k.bytes;
    }
    this.drop((k) => !out.has(k));
  }

  // A first look is told over by an answer about what took its place.
  private tell(answer: StatesAnswer): void {
    for (const id of answer.rows) {
      if (!this.untold.delete(id)) continue;
      const places = this.byRow.get(id)!.filter((p) => !this.looked.has(p.kept));
      if (places.length > 0) this.byRow.set(id, places);
      else this.byRow.delete(id);
    }
    if (answer.complete) this.untold.clear();
  }

  private drop(stays: (k: Kept) => boolean): void {
    this.store = this.store.filter(stays);
    for (const k of this.looked) if (!stays(k)) this.looked.delete(k);
    for (const [id, places] of this.byRow) {
      const left = places.filter((p) => stays(p.kept));
      if (left.length === 0) this.byRow.delete(id);
      else if (left.length < places.length) this.byRow.set(id, left);
    }
  }

  /** By which answers a row is drawn in a window, the best first, within the bounds of the set. */
  parts(id: number, s: Pick<Sight, "window" | "bounds" | "pixels" | "time" | "version">): Parts {
    const scene = (this.scene = sceneOf(s, this.version(s), this.scene));
    const { first, last, version } = scene;
    const limit = s.window.span / Math.max(1, s.pixels);
    const pieces: Piece[] = [];
    let gaps: [number, number][] = last > first ? [[first, last]] : [];
    let coarse = false;
    for (const { kept, r } of last > first ? this.ranked(id, scene) : []) {
      if (gaps.length === 0) break;
      const { from: b, to: e } = kept;
      const left: [number, number][] = [];
      for (const [x0, x1] of gaps) {
        const [from, to] = [Math.max(x0, b), Math.min(x1, e)];
        if (to <= from) {
          left.push([x0, x1]);
          continue;
        }
        kept.used = ++this.uses;
        coarse ||= kept.step > Math.max(1, limit) || kept.time !== s.time || (s.time !== "raw" && kept.answer.clocks.version < version);
        pieces.push({ answer: kept.answer, r, step: kept.step, from, to });
        if (from > x0) left.push([x0, from]);
        if (to < x1) left.push([to, x1]);
      }
      gaps = left;
    }
    return { pieces, blank: gaps.length > 0, coarse };
  }

  // The answers that a row can be drawn by, the best first: no more than that one where it does. The newest are looked at
  // first, and none before one of the right level that is final.
  private ranked(id: number, scene: Scene): Place[] {
    const { first, last } = scene;
    const places: Place[] = [];
    let best: Place | null = null;
    const all = this.byRow.get(id) ?? [];
    for (let i = all.length - 1; i >= 0; i--) {
      const p = all[i];
      const k = p.kept;
      if (k.scene !== scene) stage(k, scene);
      if (k.to <= first || k.from >= last) continue;
      if (k.rank === 0 && k.answer.complete && k.from <= first && k.to >= last) return [p];
      places.push(p);
      if (!best || compare(k, best.kept) < 0) best = p;
    }
    if (!best || (best.kept.from <= first && best.kept.to >= last)) return best ? [best] : [];
    return places.sort((a, b) => compare(a.kept, b.kept));
  }

}

/** Lays what is at hand of a row in a window into a strip; bars at least so wide are listed. */
export function lay(strip: Strip, parts: Parts, window: Window, leastBar: number): void {
  strip.clear();
  const scale = strip.pixels / window.span;
  for (const p of parts.pieces) strip.lay(p.answer, p.r, window, leastBar, p.from * scale, p.to * scale);
  strip.settle();
}

// The level of which one answer spans the whole set.
function wholeStep(s: Sight): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(Number(s.bounds.end - s.bounds.begin) / WHOLE_COLUMNS)));
}

// The level of which all rows are fetched.
function allStep(s: Sight): number {
  return wholeStep(s) * 2 ** ALL_COARSER;
}

// Whether one wish fulfilled fulfils another.
function holds(a: Wish, b: Wish): boolean {
  if (a.step !== b.step || a.begin > b.begin || a.end < b.end) return false;
  if (a.rows === b.rows) return true;
  const rows = new Set(a.rows);
  return b.rows.every((id) => rows.has(id));
}

