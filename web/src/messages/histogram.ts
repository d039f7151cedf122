// How latencies spread: one way upwards, the other downwards, over the logarithm of the latency
// or, where there are negative ones, over the latency itself: each way over its own, where clocks are so wrong that they have nothing in common.

import type { Palette } from "../draw/palette.js";
import type { Surface } from "../draw/surface.js";
import { group } from "../time/number.js";
import { axisLabel, roundValues } from "../time/ticks.js";
import type { Direction } from "./answers.js";

const LEFT = 56;
const RIGHT = 12;
const BOTTOM = 22;
const TOP = 6;
/** Pixels of a bar when messages are many, and at least when they are so few that narrow ones would be a fence with gaps. */
const [NARROW, BROAD, FEW] = [3, 10, 400];

/** What the axis of a direction shows: latencies from low to high, ns. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The ranges of latencies that the axes of both directions show: the same one, or, where all latencies of one lie before those of the
 *  other by clocks that are wrong, each its own, both as wide: on one axis each would be a line at its end. Null where there is none. */
export function rangesOf(directions: readonly Direction[]): { ranges: Range[]; apart: number } | null {
  const own = directions.map((d) => ({ low: Math.min(...d.histogram.map((b) => b[0])), high: Math.max(...d.histogram.map((b) => b[1])) }));
  const there = own.filter((r) => r.low <= r.high);
  if (there.length === 0) return null;
  const all = { low: Math.min(...there.map((r) => r.low)), high: Math.max(...there.map((r) => r.high)) };
  const [first, last] = [...there].sort((a, b) => a.low - b.low);
  if (there.length < 2 || all.low >= 0 || first.high > last.low) return { ranges: own.map(() => all), apart: 0 };
  const width = Math.max(...there.map((r) => r.high - r.low));
  return { ranges: own.map(({ low }) => ({ low, high: low + width })), apart: last.low - first.low };
}

/** Draws both directions; false where there is nothing to draw. */
export function drawHistogram(s: Surface, directions: readonly Direction[], palette: Palette): boolean {
  if (s.width === 0) return false;
  const g = s.begin(palette.css.panel);
  const found = rangesOf(directions);
  if (!found) return false;
  g.font = palette.mono;
  const apart = found.apart > 0;
  const top = apart ? BOTTOM : TOP;
  const room = s.width - LEFT - RIGHT;
  const middle = top + (s.height - top - BOTTOM) / 2;
  const reach = middle - top;
  const log = !apart && found.ranges[0].low >= 0;
  const within = (width: number) => found.ranges.map((r) => placesOn(r, width, log));
  const widest = within(room);
  const few = directions.reduce((n, d) => n + d.messages, 0) <= FEW;
  const bar = few ? Math.max(BROAD, ...directions.flatMap((d, k) => d.histogram.map((b) => Math.ceil(widest[k](b[1]) - widest[k](b[0]))))) : NARROW;
  const width = Math.max(1, Math.floor(room / bar)) * bar; // the last bar, of the longest latencies, is as broad as the others
  const places = within(width);
  const bars = directions.map((d, k) => (few ? wholes : shares)(d.histogram, (ns) => places[k](ns) / bar, Math.round(width / bar)));
  const most = Math.max(1, ...bars.flat());

  found.ranges.forEach(({ low, high }, k) => {
    if (k > 0 && !apart) return;
    const [y, height] = apart ? [k === 0 ? top : middle, reach] : [top, 2 * reach];
    let from = 0; // where there is room for words
    for (const [v, label] of latencyTicks(low, high, log)) {
      const x = Math.round(LEFT + places[k](v));
      if (x < LEFT || x > s.width - RIGHT) continue;
      g.fillStyle = palette.css.grid;
      g.fillRect(x, y, 1, height);
      const half = g.measureText(label).width / 2;
      const at = Math.min(x, s.width - half);
      if (at - half < from) continue;
      from = at + half + 8;
      g.fillStyle = palette.css.ink2;
      g.textAlign = "center";
      g.fillText(label, at, apart && k === 0 ? 13 : s.height - 7);
    }
  });
  bars.forEach((counts, k) => {
    g.fillStyle = k === 0 ? palette.css.sys : palette.css.user;
    counts.forEach((n, i) => {
      if (n <= 0) return;
      // Whatever is there is seen, if only as a line.
      const height = Math.max(1, (n / most) * reach);
      g.fillRect(LEFT + i * bar, k === 0 ? middle - height : middle + 1, bar - 0.5, height);
    });
  });
  g.fillStyle = palette.css.ink2;
  g.fillRect(LEFT, Math.round(middle), room, 1);
  g.textAlign = "right";
  g.fillText(group(most), LEFT - 6, top + 9);
  g.fillText("0", LEFT - 6, middle + 4);
  g.fillText(group(most), LEFT - 6, s.height - BOTTOM);
  g.textAlign = "left";
  return true;
}

// Where a latency lies on an axis so many pixels wide: by its logarithm or by itself.
function placesOn({ low, high }: Range, width: number, log: boolean): (ns: number) => number {
  const scale = (ns: number) => (log ? Math.log(Math.max(1, ns)) : ns);
  const [from, to] = [scale(low), Math.max(scale(high), scale(low) + 1e-9)];
  return (ns) => ((scale(ns) - from) / (to - from)) * width;
}

/** The latencies that the axis names from low to high, and how: no two alike, and two at least. */
export function latencyTicks(low: number, high: number, log = low >= 0): [number, string][] {
  const round = log ? decades(low, high) : [];
  if (round.length >= 2) return round;
  const values = roundValues(low, high, Math.min(log ? 4 : 6, high - low));
  const step = values.length > 1 ? values[1] - values[0] : high - low;
  return values.map((v) => [v, axisLabel(v, Math.max(-low, high), false, step)]);
}

/** How many messages each bar stands for, none of which is narrower than a bucket: each bucket counts where its middle lies, so bars are of
 *  whole messages, as who counts few of them expects. */
export function wholes(buckets: Direction["histogram"], place: (ns: number) => number, bars: number): number[] {
  const out = new Array<number>(bars).fill(0);
  for (const [low, high, n] of buckets) out[Math.min(bars - 1, Math.floor((place(low) + place(high)) / 2))] += n;
  return out;
}

// The same of many, in bars about as narrow as buckets: each is spread over the bars that it lies over, else some bars had
// two and others one.
function shares(buckets: Direction["histogram"], place: (ns: number) => number, bars: number): number[] {
  const out = new Array<number>(bars).fill(0);
  for (const [low, high, n] of buckets) {
    const [a, b] = [place(low), Math.max(place(high), place(low) + 1e-6)];
    const last = Math.min(bars - 1, Math.ceil(b) - 1);
    for (let i = Math.max(0, Math.floor(a)); i <= last; i++) out[i] += (n * (Math.min(b, i + 1) - Math.max(a, i))) / (b - a);
    if (Math.floor(a) >= bars) out[bars - 1] += n;
  }
  return out;
}

// Round latencies for a logarithmic axis: powers of ten, and between them 2 and 5 where there are few.
function decades(low: number, high: number): [number, string][] {
  const wide = high / Math.max(1, low) > 3000;
  const out: [number, string][] = [];
  for (let p = 1; p <= high; p *= 10) for (const m of wide ? [1] : [1, 2, 5]) if (m * p >= low && m * p <= high) out.push([m * p, axisLabel(m * p, m * p)]);
  return out;
}
