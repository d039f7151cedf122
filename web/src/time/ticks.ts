// Ticks of a time axis: steps of 1, 2 or 5 times a power of ten ns. Whole seconds are told as they are; of smaller steps each tenth
// tick carries the time since the beginning of the set, those between them the time since it.

import { MINUS, THIN, fixed } from "./number.js";
import { seconds, type Ns } from "./time.js";
import { endOf, floorTo, shareOf, type Window } from "./window.js";

export interface Tick {
  readonly share: number;
  readonly label: string;
  readonly major: boolean;
}

const SECOND = 1_000_000_000n;

/** How far ticks are apart at least, in pixels, unless labels need more. */
export const SPACING = 96;

/** The round step next above a least one, in ns. */
export function roundStep(least: number): number {
  if (least <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  for (const m of [1, 2, 5, 10]) if (m * power >= least) return m * power;
  return 10 * power;
}

export function ticks(w: Window, origin: Ns, pixels: number, spacing = SPACING): Tick[] {
  const step = BigInt(roundStep((w.span * spacing) / Math.max(1, pixels)));
  const major = step * 10n;
  const farthest = Math.min(Number(major), w.span);
  const decimals = 3 * Math.ceil(Math.max(0, 9 - (step.toString().length - 1)) / 3);
  const out: Tick[] = [];
  const end = endOf(w);
  let anchor: Ns | null = null;
  for (let t = origin + floorTo(w.begin - origin + step - 1n, step); t <= end && out.length < 200; t += step) {
    const offset = t - origin;
    const isMajor = offset % major === 0n;
    if (step >= SECOND) out.push({ share: shareOf(w, t), label: seconds(offset, 0), major: isMajor });
    else if (isMajor || anchor === null) {
      anchor = t;
      out.push({ share: shareOf(w, t), label: seconds(offset, decimals), major: true });
    } else {
      out.push({ share: shareOf(w, t), label: axisLabel(Number(t - anchor), farthest, true), major: false });
    }
  }
  return out;
}

/** Round values of a plain number axis between low and high. */
export function roundValues(low: number, high: number, most: number): number[] {
  const step = roundNumber((high - low) / Math.max(1, most));
  const out: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9 && out.length < 100; v += step) out.push(Math.abs(v) < step / 2 ? 0 : v);
  return out;
}

function roundNumber(least: number): number {
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  for (const m of [1, 2, 5, 10]) if (m * power >= least * (1 - 1e-9)) return m * power;
  return 10 * power;
}

/** A value of an axis in the unit that suits its largest one; where values are a small step apart, to as many decimals as tell them apart. */
export function axisLabel(ns: number, largest: number, sign = false, step = 0): string {
  const [scale, unit] = largest >= 1e9 ? [1e9, "s"] : largest >= 1e6 ? [1e6, "ms"] : largest >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  const v = Math.abs(ns / scale);
  const decimals = step > 0 ? Math.min(Math.round(Math.log10(scale)), Math.max(0, -Math.floor(Math.log10(step / scale) + 1e-9))) : 0;
  const text = step > 0 ? fixed(v, decimals) : v === Math.round(v) ? fixed(v, 0) : String(Number(v.toPrecision(3)));
  return (ns < 0 ? MINUS : sign && ns > 0 ? "+" : "") + text + THIN + unit;
}
