// How latencies spread: one way upwards, the other downwards, over the logarithm of the latency
// or, where there are negative ones, over the latency itself.

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

/** Draws both directions; false where there is nothing to draw. */
export function drawHistogram(s: Surface, directions: readonly Direction[], palette: Palette): boolean {
  if (s.width === 0) return false;
  const g = s.begin(palette.css.panel);
  const all = directions.flatMap((d) => d.histogram);
  if (all.length === 0) return false;
  g.font = palette.mono;
  const [low, high] = [Math.min(...all.map((b) => b[0])), Math.max(...all.map((b) => b[1]))];
  const log = low >= 0;
  const scale = (ns: number) => (log ? Math.log(Math.max(1, ns)) : ns);
  const [from, to] = [scale(low), Math.max(scale(high), scale(low) + 1e-9)];
  const width = s.width - LEFT - RIGHT;
  const x = (ns: number) => LEFT + ((scale(ns) - from) / (to - from)) * width;
  const few = directions.reduce((n, d) => n + d.messages, 0) <= FEW;
  const bar = few ? Math.max(BROAD, ...all.map((b) => Math.ceil(x(b[1]) - x(b[0])))) : NARROW;
  const middle = TOP + (s.height - TOP - BOTTOM) / 2;
  const reach = middle - TOP;
  const bars = directions.map((d) => (few ? wholes : shares)(d.histogram, (ns) => (x(ns) - LEFT) / bar, Math.ceil(width / bar)));
  const most = Math.max(1, ...bars.flat());

  for (const [v, label] of latencyTicks(low, high)) {
    const px = Math.round(x(v));
    if (px < LEFT || px > s.width - RIGHT) continue;
    g.fillStyle = palette.css.grid;
    g.fillRect(px, TOP, 1, s.height - TOP - BOTTOM);
    g.fillStyle = palette.css.ink2;
    g.textAlign = "center";
    g.fillText(label, Math.min(px, s.width - g.measureText(label).width / 2), s.height - 7);
  }
  bars.forEach((counts, k) => {
    g.fillStyle = k === 0 ? palette.css.sys : palette.css.user;
    counts.forEach((n, i) => {
      if (n <= 0) return;
      // Whatever is there is seen, if only as a line.
      const height = Math.max(1, (n / most) * reach);
      g.fillRect(LEFT + i * bar, k === 0 ? middle - height : middle + 1, Math.min(bar - 0.5, s.width - RIGHT - LEFT - i * bar), height);
    });
  });
  g.fillStyle = palette.css.ink2;
  g.fillRect(LEFT, Math.round(middle), width, 1);
  g.textAlign = "right";
  g.fillText(group(most), LEFT - 6, TOP + 9);
  g.fillText("0", LEFT - 6, middle + 4);
  g.fillText(group(most), LEFT - 6, s.height - BOTTOM);
  g.textAlign = "left";
  return true;
}

/** The latencies that the axis names from low to high, and how: no two alike, and two at least. */
export function latencyTicks(low: number, high: number): [number, string][] {
  const round = low >= 0 ? decades(low, high) : [];
  if (round.length >= 2) return round;
  const values = roundValues(low, high, Math.min(low >= 0 ? 4 : 6, high - low));
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
