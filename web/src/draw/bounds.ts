// The colours and widths of error bounds, one scale for all that is drawn of a set: steps that double,
// from its best bound to its worst, so that two bounds of which one is more than twice the other always differ. Links, the
// overview's ribbon and the rows of hosts have them alike.

import type { Clocks } from "../net/json.js";
import { about } from "../time/time.js";

export interface BoundScale {
  /** Where steps end, ns; the best first, the first being where the first step begins. */
  readonly edges: readonly number[];
}

/** The properties that the scale runs through, the best first. */
const HUES = ["good", "sys", "irq"] as const;
type Hue = (typeof HUES)[number];

/** With fewer steps than this colours are as far apart as with so many. */
const LEAST = 4;

let made: { clocks: Clocks; scale: BoundScale | null } | null = null;

/** The scale of a solution, made once; null where it bounds nothing. */
export function boundScale(clocks: Clocks | null): BoundScale | null {
  if (!clocks) return null;
  if (made?.clocks !== clocks) made = { clocks, scale: scaleOver(boundsOf(clocks)) };
  return made.scale;
}

function boundsOf(clocks: Clocks): number[] {
  const links = (clocks.links ?? []).flatMap((l) => [l.error_ns, l.in_force?.error_ns].flatMap((e) => (e ? [e.min, e.max] : [])));
  const hosts = (clocks.hosts ?? []).flatMap((x) => (x.error_ns && x.error_ns.max > 0 ? [x.error_ns.min, x.error_ns.max] : []));
  return [...links, ...hosts].filter((ns) => ns > 0);
}

/** The scale over some bounds, ns; null where there are none. */
export function scaleOver(bounds: readonly number[]): BoundScale | null {
  if (bounds.length === 0) return null;
  const most = bounds.reduce((a, b) => Math.max(a, b));
  const edges = [roundDown(bounds.reduce((a, b) => Math.min(a, b)))];
  for (let last = edges[0]; last < most; ) edges.push((last *= 2));
  return { edges: edges.length > 1 ? edges : [edges[0], 2 * edges[0]] };
}

/** The step of a bound, from 0 for the best. */
export function boundStep({ edges }: BoundScale, ns: number): number {
  const end = edges.findIndex((edge, i) => i > 0 && ns <= edge);
  return (end < 0 ? edges.length - 1 : end) - 1;
}

/** What a step holds, or those up to another, in words: "200 to 400 µs". */
export function stepWords({ edges }: BoundScale, step: number, last = step): string {
  const [from, to] = [about(edges[step], 2), about(edges[last + 1], 2)];
  const unit = (s: string) => s.replace(/^[\d.]+/, "");
  return `${unit(from) === unit(to) ? from.replace(/[^\d.].*/, "") : from} to ${to}`;
}

/** The colour of a step by the values of properties. */
export function boundColor({ edges }: BoundScale, step: number, css: (hue: Hue) => string): string {
  const at = shareOf(edges, step) * (HUES.length - 1);
  const i = Math.min(HUES.length - 2, Math.floor(at));
  const share = Math.round((at - i) * 100);
  if (share === 0) return css(HUES[i]);
  return share === 100 ? css(HUES[i + 1]) : `color-mix(in oklab, ${css(HUES[i])}, ${css(HUES[i + 1])} ${share}%)`;
}

/** The colour of a step in a style sheet's own words. */
export function boundStyle(scale: BoundScale, step: number): string {
  return boundColor(scale, step, (hue) => `var(--${hue})`);
}

/** How wide the line of a step is, as a share: 1 for the best, 0 for the worst of many. */
export function boundWidth({ edges }: BoundScale, step: number): number {
  return 1 - shareOf(edges, step);
}

// How far along the colours a step is: the worst of a few steps is not yet at their end.
function shareOf(edges: readonly number[], step: number): number {
  return step / Math.max(LEAST - 1, edges.length - 2);
}

// The greatest of 1, 2 and 5 times a power of ten that is not more.
function roundDown(ns: number): number {
  const power = 10 ** Math.floor(Math.log10(ns));
  return [5, 2].map((n) => n * power).find((v) => v <= ns * (1 + 1e-9)) ?? power;
}
