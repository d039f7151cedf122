// Times are bigint nanoseconds: a time since 1970 does not fit a double. What is
// relative to a window, a tile or a message is a number, exact up to 104 days.

import { MINUS, THIN, fixed, groupFraction } from "./number.js";

export type Ns = bigint;

/** Before, as -EVER, and after all times of any recording. */
export const EVER: Ns = 1n << 62n;

const SECOND = 1_000_000_000n;

/** Reads a decimal string of ns as the server sends it; null where it is not one. */
export function parseNs(s: string | number | null | undefined): Ns | null {
  if (typeof s === "number") return Number.isFinite(s) ? BigInt(Math.round(s)) : null;
  if (typeof s !== "string" || !/^-?\d{1,19}$/.test(s)) return null;
  return BigInt(s);
}

export const minNs = (a: Ns, b: Ns): Ns => (a < b ? a : b);
export const maxNs = (a: Ns, b: Ns): Ns => (a > b ? a : b);

/** Clock maps lead there and back within so many ns, and what is mapped here may differ by so much from what the server maps. */
export const ROUNDED: Ns = 2n;

/** Whether two times may be one, but for what clock maps round away. */
export const near = (a: Ns, b: Ns): boolean => a - b <= ROUNDED && b - a <= ROUNDED;

/** A time of day or an offset in seconds, to the ns: "12.424 118 402 s"; with fewer decimals rounded to the nearest. */
export function seconds(ns: Ns, decimals = 9): string {
  const unit = 10n ** BigInt(9 - decimals);
  const v = (((ns < 0n ? -ns : ns) + unit / 2n) / unit) * unit;
  const negative = ns < 0n && v > 0n;
  const whole = (v / SECOND).toString().replace(/\B(?=(\d{3})+$)/g, THIN);
  const fraction = (v % SECOND).toString().padStart(9, "0").slice(0, decimals);
  return (negative ? MINUS : "") + whole + (fraction ? "." + groupFraction(fraction) : "") + THIN + "s";
}

/** A time in seconds as it is typed, exact and as short as it can be: "12.424118402", "-5". */
export function plainSeconds(ns: Ns): string {
  const [sign, v] = ns < 0n ? ["-", -ns] : ["", ns];
  return sign + `${v / SECOND}.${String(v % SECOND).padStart(9, "0")}`.replace(/\.?0+$/, "");
}

/** The decimals of a second that tell the parts of a stretch of so many ns: those of a pixel on a screen, in threes. */
export function digitsFor(span: number): number {
  return Math.min(9, Math.max(3, 3 * Math.ceil((9 - Math.floor(Math.log10(Math.max(1, span / 1000)))) / 3)));
}

const UNITS: [number, string][] = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];

function unitOf(ns: number): [number, string] {
  const v = Math.abs(ns);
  return UNITS.find(([scale]) => v >= scale) ?? UNITS[3];
}

/** A duration to the ns in the unit that suits it: "16.646 756 ms". */
export function exact(ns: number | bigint): string {
  const n = Number(ns);
  const [scale, unit] = unitOf(n);
  return fixed(n / scale, Math.round(Math.log10(scale))) + THIN + unit;
}

const DAY: [number, string] = [86400e9, "d"];

/** A duration in about as many significant digits: "183.6 µs"; two days and more in days. */
export function about(ns: number, digits = 4): string {
  if (ns === 0) return "0" + THIN + "ns";
  const [scale, unit] = Math.abs(ns) >= 2 * DAY[0] ? DAY : unitOf(ns);
  const v = ns / scale;
  const before = Math.floor(Math.log10(Math.abs(v))) + 1;
  const decimals = Math.min(3, Math.round(Math.log10(scale)), Math.max(0, digits - before));
  if (scale < 1e9 && Number(Math.abs(v).toFixed(decimals)) >= 1000) return about(Math.sign(ns) * scale * 1000, digits); // it rounds to one of the next unit
  return fixed(v, decimals) + THIN + unit;
}

/** An error bound, rounded up to three digits, so that it stays a bound: "24.1 µs". */
export function bound(ns: number): string {
  const [scale, unit] = unitOf(ns);
  const v = ns / scale;
  const decimals = scale === 1 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.max(v, 1))));
  const k = 10 ** decimals;
  const up = Math.ceil(v * k - 1e-9) / k;
  if (scale < 1e9 && up >= 1000) return bound(scale * 1000);
  return fixed(up, decimals) + THIN + unit;
}

/** "± 24.1 µs", or what is said of a clock that nothing bounds. */
export function plusMinus(ns: number | null): string {
  return ns === null || ns < 0 ? "unknown" : "±" + THIN + bound(ns);
}

/** A duration known to ± error, in one unit, "183.6 ± 24.1 µs", with as many digits as it takes to see that it is not 0 where it is not, unless the error is too small for that: "3.000 050 s ± 973 µs". */
export function measured(ns: number, error: number): string {
  if (error < 0) return about(ns);
  const [scale, unit] = unitOf(Math.max(Math.abs(ns), error));
  const e = Math.max(error / scale, 1e-9);
  const decimals = Math.max(0, (e < 1 ? 1 : 2) - Math.floor(Math.log10(e)));
  const d = Math.min(decimals, Math.round(Math.log10(scale)));
  if (e < 1e-3) return `${fixed(ns / scale, Math.min(d + 1, Math.round(Math.log10(scale))))}${THIN}${unit} ${plusMinus(error)}`;
  const up = (digits: number) => Math.ceil((error / scale) * 10 ** digits - 1e-9) / 10 ** digits;
  let shown = d;
  const most = Math.round(Math.log10(scale)) + 1; // between whole ns, too, an error may lie
  while (shown < most && Math.abs(ns) > error && Number((Math.abs(ns) / scale).toFixed(shown)) <= up(shown)) shown++;
  return `${fixed(ns / scale, shown)} ± ${fixed(up(shown), shown)}${THIN}${unit}`;
}

/** The day of a clock's own reading, taken as UTC: "2026-11-22". */
export function date(ns: Ns): string {
  return new Date(Number((ns < 0n ? ns - 999_999n : ns) / 1_000_000n)).toISOString().slice(0, 10);
}

/** A clock's own reading, taken as UTC: "19:01:23.355 118 402". */
export function clock(ns: Ns): string {
  const day = ((ns % (86400n * SECOND)) + 86400n * SECOND) % (86400n * SECOND);
  const s = Number(day / SECOND);
  const two = (n: number) => n.toString().padStart(2, "0");
  const fraction = (day % SECOND).toString().padStart(9, "0");
  return `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}.${groupFraction(fraction)}`;
}
