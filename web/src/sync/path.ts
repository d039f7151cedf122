// The clock of a link: a line, or a path that is straight between knots. Times are 2^60
// ns, so it is evaluated in whole numbers; only what remains becomes a number.

import type { LinkInfo } from "../net/json.js";
import { group, groupFraction, MINUS } from "../time/number.js";
import { parseNs, type Ns } from "../time/time.js";

type Knot = readonly [Ns, Ns];

/** The knots of a link's path; none where it is a line or nothing. */
export function knots(link: LinkInfo): Knot[] {
  const out: Knot[] = [];
  for (const [a, b] of link.path ?? []) {
    const [x, y] = [parseNs(a), parseNs(b)];
    if (x !== null && y !== null && (out.length === 0 || x > out[out.length - 1][0])) out.push([x, y]);
  }
  return out.length > 1 ? out : [];
}

/** What b's clock shows beyond a's when a's clock shows t, in ns; null where nothing says. */
export function offsetAt(link: LinkInfo, t: Ns): number | null {
  if (link.alpha_exact && link.beta_exact) {
    const [alpha, beta] = [scaled(link.alpha_exact), scaled(link.beta_exact)];
    return alpha === null || beta === null ? null : Number(((alpha - SCALE) * t + beta) / SCALE);
  }
  const path = knots(link);
  if (path.length === 0) return null;
  // Before the first knot and after the last the pieces there go on.
  const next = path.findIndex(([x]) => x >= t);
  const i = Math.min(Math.max(next < 0 ? path.length - 1 : next, 1), path.length - 1);
  const [[x0, y0], [x1, y1]] = [path[i - 1], path[i]];
  return Number(y0 + floorDiv((t - x0) * (y1 - y0), x1 - x0) - t);
}

function floorDiv(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b < 0n ? q - 1n : q;
}

export interface Rates {
  readonly least: number; // how much faster b's clock runs than a's, ppm
  readonly most: number;
}

/** More than this is no rate of a crystal but a step, ppm. */
export const STEP = 1000;

/** The range of the rates of a path's pieces, without those that are steps. */
export function rates(link: LinkInfo): Rates | null {
  let out: Rates | null = null;
  const path = knots(link);
  for (let i = 1; i < path.length; i++) {
    const [[x0, y0], [x1, y1]] = [path[i - 1], path[i]];
    const ppm = (Number(y1 - y0 - (x1 - x0)) / Number(x1 - x0)) * 1e6;
    if (link.shape === "steps" && Math.abs(ppm) > STEP) continue;
    out = out ? { least: Math.min(out.least, ppm), most: Math.max(out.most, ppm) } : { least: ppm, most: ppm };
  }
  return out;
}

/** The shortest and the longest piece of a path, ns. */
export function lengths(link: LinkInfo): { least: number; most: number } | null {
  const path = knots(link);
  if (path.length === 0) return null;
  const all = path.slice(1).map(([x], i) => Number(x - path[i][0]));
  return { least: Math.min(...all), most: Math.max(...all) };
}

/** When the messages that contradict each other were sent and received, by a's clock. */
export function cutSpans(link: LinkInfo): { begin: Ns; end: Ns }[] {
  return (link.cuts ?? []).flatMap((c) => {
    const times = [...(c.upper ?? []), ...(c.lower ?? [])].map(([a]) => parseNs(a)).filter((t): t is Ns => t !== null);
    if (times.length === 0) return [];
    return [{ begin: times.reduce((x, y) => (y < x ? y : x)), end: times.reduce((x, y) => (y > x ? y : x)) }];
  });
}

const DIGITS = 36;
const SCALE = 10n ** BigInt(DIGITS);

/** A decimal number with so many decimals, rounded, in groups; as it is where it is none. */
export function rounded(s: string, decimals: number): string {
  const v = scaled(s);
  if (v === null) return s;
  const unit = 10n ** BigInt(DIGITS - decimals);
  const size = ((v < 0n ? -v : v) + unit / 2n) / unit;
  const digits = String(size).padStart(decimals + 1, "0");
  const whole = group(BigInt(digits.slice(0, digits.length - decimals)));
  return (v < 0n && size > 0n ? MINUS : "") + whole + (decimals > 0 ? "." + groupFraction(digits.slice(-decimals)) : "");
}

// A decimal number, perhaps with an exponent, in units of 10^-36.
function scaled(s: string): bigint | null {
  const m = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(s.trim());
  if (!m) return null;
  const fraction = m[3] ?? "";
  const shift = DIGITS - fraction.length + Number(m[4] ?? 0);
  const digits = BigInt(m[2] + fraction);
  const v = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return m[1] ? -v : v;
}
