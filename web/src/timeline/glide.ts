// When a better clock map arrives, or raw time is chosen for synchronized, what a host
// did moves. The new answer is drawn as soon as it is there, but late or early by as much
// as it moved, and that gap closes within DURATION ms, or as much longer as it takes at
// FASTEST: so the eye can follow which bar went where. Who prefers less motion gets no gap.

import type { AnswerClocks } from "../net/wire.js";
import type { Window } from "../time/window.js";

const DURATION = 300;
/** What moves farther than this many windows comes from just outside. */
const FARTHEST = 1.2;
/** Nothing moves faster than so many windows in a second. */
const FASTEST = 4;
/** What moves less than this share of the window is not seen to move. */
const LEAST = 1 / 4000;

/** An answer's range, and its clocks. */
export interface Drawn {
  readonly begin: bigint;
  readonly end: bigint;
  readonly raw: boolean;
  readonly clocks: AnswerClocks;
}

export interface Moment {
  now(): number;
  still(): boolean; // no motion is wanted
}

const reduced = matchMediaOf("(prefers-reduced-motion: reduce)");
const HERE: Moment = { now: () => performance.now(), still: () => reduced?.matches ?? false };

function matchMediaOf(query: string): MediaQueryList | null {
  return typeof matchMedia === "function" ? matchMedia(query) : null;
}

export class Glide {
  private gaps: number[] = []; // ns by number of the host, at since
  private since = -Infinity;
  private duration = DURATION;
  private last: Drawn | null = null;

  constructor(private readonly moment: Moment = HERE) {}

  /** Forgets the last answer: the next one moves nothing. */
  reset(): void {
    this.last = null;
    this.gaps = [];
  }

  /** Times are others, later by so much, from a version of the clock maps on. What is left of a gap goes on closing. */
  shift(by: bigint, version = Infinity): void {
    if (this.last && this.last.clocks.version < version) this.last = { ...this.last, begin: this.last.begin + by, end: this.last.end + by };
  }

  /** Takes a new answer, of which window is on screen. */
  take(next: Drawn, window: { readonly begin: bigint; readonly span: number }): void {
    const before = this.last;
    if (!before || (before.clocks.version === next.clocks.version && before.raw === next.raw)) {
      this.last = next;
      return;
    }
    const middle = window.begin + BigInt(Math.round(window.span / 2));
    const moved = Array.from({ length: Math.min(next.clocks.spans.length, before.clocks.spans.length) / 2 }, (_, host) => Number(shown(before, host, local(next, host, middle)) - middle));
    // The reference's clock does not move: where all are far off the answer is by another reference, of which nobody has told
    // yet, and so of another time. It moves nothing, and the next one is held against what was there before.
    if (before.raw === next.raw && moved.length > 1 && moved.every((by) => Math.abs(by) > FARTHEST * window.span)) return;
    this.last = next;
    const gaps = Array.from({ length: next.clocks.spans.length / 2 }, (_, host) => {
      const gap = host < moved.length ? this.gap(host) + moved[host] : 0;
      if (Math.abs(gap) < LEAST * window.span) return 0;
      return Math.max(-FARTHEST * window.span, Math.min(FARTHEST * window.span, gap));
    });
    this.gaps = this.moment.still() ? [] : gaps;
    this.since = this.moment.now();
    // It is fastest at first, three times as fast as on average.
    const farthest = Math.max(0, ...this.gaps.map(Math.abs));
    this.duration = Math.max(DURATION, (3000 * farthest) / (FASTEST * window.span));
  }

  /** By how many ns a host is drawn late now. */
  gap(host: number): number {
    const gap = this.gaps[host] ?? 0;
    if (gap === 0) return 0;
    const t = Math.min(1, (this.moment.now() - this.since) / this.duration);
    return gap * (1 - t) ** 3;
  }

  /** What is on screen of a host now. */
  seen<S extends { readonly window: Window }>(sight: S, host: number): S {
    const late = BigInt(Math.round(this.gap(host)));
    return late === 0n ? sight : { ...sight, window: { begin: sight.window.begin - late, span: sight.window.span } };
  }

  /** Whether another frame will differ. */
  get moving(): boolean {
    return this.gaps.some((gap) => gap !== 0) && this.moment.now() - this.since < this.duration;
  }
}

// A host's local time at a time of the answer, by the line through both ends of its range.
function local(d: Drawn, host: number, t: bigint): bigint {
  const [begin, end] = [d.clocks.spans[2 * host], d.clocks.spans[2 * host + 1]];
  return begin + ((t - d.begin) * (end - begin)) / (d.end - d.begin);
}

// The inverse of local.
function shown(d: Drawn, host: number, t: bigint): bigint {
  const [begin, end] = [d.clocks.spans[2 * host], d.clocks.spans[2 * host + 1]];
  return end > begin ? d.begin + ((t - begin) * (d.end - d.begin)) / (end - begin) : t;
}
