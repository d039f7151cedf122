// Numbers as they stand on the page: thin spaces between groups, a unit, and no
// more digits than are certain.

/** Stands between groups of digits and before a unit: narrow, and no line ends there. */
export const THIN = "\u202f";
export const MINUS = "\u2212";

/** Groups the digits of a whole number by three: "612 408". */
export function group(n: number | bigint): string {
  const s = (typeof n === "number" ? Math.round(n) : n).toString();
  const negative = s.startsWith("-");
  const grouped = (negative ? s.slice(1) : s).replace(/\B(?=(\d{3})+$)/g, THIN);
  return negative ? MINUS + grouped : grouped;
}

/** Groups the digits after a decimal point by three, from the point on. */
export function groupFraction(s: string): string {
  return s.replace(/(\d{3})(?=\d)/g, "$1" + THIN);
}

/** A number with a fixed count of decimals, both sides grouped. */
export function fixed(value: number, decimals: number): string {
  const [whole, fraction] = Math.abs(value).toFixed(Math.min(20, Math.max(0, decimals))).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, THIN) + (fraction ? "." + groupFraction(fraction) : "");
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** The decimals worth writing of a value known to ± error: up to the error's second digit. */
export function certainDecimals(error: number): number {
  if (!(error > 0)) return 0;
  return Math.max(0, 1 - Math.floor(Math.log10(error)));
}

const BINARY = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A count of bytes: "9.1 KiB". */
export function bytes(n: number): string {
  let k = 0;
  while (n >= 1024 && k < BINARY.length - 1) {
    n /= 1024;
    k++;
  }
  return fixed(n, k === 0 || n >= 100 ? 0 : 1) + THIN + BINARY[k];
}

/** Data of messages, where 0 is not known: each has at least its headers. */
export const sized = (n: number, unknown: string): string => (n > 0 ? bytes(n) : unknown);

/** A large count in short: "1.9 M", "12 k", "740". */
export function short(n: number): string {
  if (n >= 1e6) return fixed(n / 1e6, n < 1e7 ? 1 : 0) + THIN + "M";
  if (n >= 1e4) return fixed(n / 1e3, 0) + THIN + "k";
  return group(n);
}

/** A share in hundredths: all and nothing alone read as that, and what is little does not read as nothing. */
export function percent(share: number): string {
  const p = share * 100;
  if (p > 0 && p < 0.05) return `< 0.1${THIN}%`;
  if (p < 100 && p >= 99.5) return fixed(Math.floor(p * 10) / 10, 1) + THIN + "%"; // less than all does not read as all
  return fixed(p, p > 0 && p < 10 ? 1 : 0) + THIN + "%";
}

/** "1 host", "4 hosts". */
export function counted(n: number, one: string, many = one + "s"): string {
  return `${group(n)}${"\u00a0"}${n === 1 ? one : many}`;
}
