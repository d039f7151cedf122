// Figures of the synchronization, with as many digits as are certain.

import type { HostClock, LinkClass, LinkInfo } from "../net/json.js";
import { certainDecimals, fixed, THIN } from "../time/number.js";
import { parseNs } from "../time/time.js";

export interface ClassWords {
  readonly words: string;
  readonly tone: "good" | "medium" | "bad" | "none";
  readonly sentence: string;
}

export const CLASSES: Record<LinkClass, ClassWords> = {
  accurate: { words: "accurate", tone: "good", sentence: "Messages in both directions enclose the clock on both sides over the whole overlap." },
  approximate: { words: "approximate", tone: "medium", sentence: "There are messages in both directions, but they do not enclose the clock everywhere; the estimate stands, its bound is wide or missing." },
  incomplete: { words: "one direction", tone: "medium", sentence: "Messages went one way only: they bound the clock on one side." },
  absent: { words: "no messages", tone: "none", sentence: "These two hosts exchanged no message that both recorded." },
  fail: { words: "contradiction", tone: "bad", sentence: "The messages contradict each other: no clock line fits them all." },
};

/** How much faster b's clock runs than a's, and how well that is known. */
export function rate(link: LinkInfo): { text: string; error: string } {
  if (link.alpha === null || link.alpha === undefined) return { text: "–", error: "" };
  const ppm = (link.alpha - 1) * 1e6;
  const sign = ppm > 0 ? "+" : "";
  if (link.alpha_min === null || link.alpha_max === null) return { text: `${sign}${fixed(ppm, 3)}${THIN}ppm`, error: "" };
  const half = ((link.alpha_max - link.alpha_min) / 2) * 1e6;
  const decimals = certainDecimals(half);
  return { text: `${sign}${fixed(ppm, decimals)}${THIN}ppm`, error: `± ${fixed(Math.ceil(half * 10 ** decimals) / 10 ** decimals, decimals)}` };
}

/** What b's clock shows beyond a's when a's clock shows t: alpha*t + beta - t, in ns. */
export function offsetAt(link: LinkInfo, t: bigint): number | null {
  if (!link.alpha_exact || !link.beta_exact) return null;
  const [alpha, beta] = [scaled(link.alpha_exact), scaled(link.beta_exact)];
  if (alpha === null || beta === null) return null;
  return Number(((alpha - SCALE) * t + beta) / SCALE);
}

const DIGITS = 36;
const SCALE = 10n ** BigInt(DIGITS);

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

/** The first local time of a host's map. */
export function mapBegin(clock: HostClock | undefined): bigint | null {
  return parseNs(clock?.map?.[0]?.begin);
}
