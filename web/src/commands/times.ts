// Times as people type them: so far from the begin of the set, from the cursor, by the clock, or in ns.

import { parseNs, type Ns } from "../time/time.js";

export interface Frame {
  /** The stretch of the set in the time of the page. */
  readonly begin: Ns;
  readonly end: Ns;
  /** What a time with a sign is counted from. */
  readonly from: Ns;
}

export interface TypedTime {
  readonly at: Ns;
  readonly kind: "relative" | "since begin" | "clock" | "absolute";
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n, us: 1_000n, "µs": 1_000n, "μs": 1_000n, ms: 1_000_000n, s: 1_000_000_000n, min: 60_000_000_000n, h: 3_600_000_000_000n,
};
const DAY = 86_400_000_000_000n;
/** The farthest time that the server takes, either way. */
const FARTHEST = 1n << 62n;

/** Reads "12.5 s" and, as the axis shows them, "12.5", "+3.5 ms", "19:01:23.355", "2026-11-21 19:01" (a clock's reading is taken as UTC) or ns since 1970; null where it is none of them. */
export function parseTime(typed: string, frame: Frame): TypedTime | null {
  const s = typed.trim().replace(/\u2212/g, "-").replace(/(\d)[\s\u202f\u00a0](?=\d{3}(?!\d))/g, "$1");
  const found = span(s, frame) ?? span(/^[+-]?\s*\d+[.,]\d+$/.test(s) ? `${s} s` : "", frame) ?? ofDay(s, frame) ?? absolute(s);
  return found && found.at < FARTHEST && found.at > -FARTHEST ? found : null;
}

function span(s: string, frame: Frame): TypedTime | null {
  const m = /^([+-])?\s*(\d{1,19})(?:[.,](\d{1,9}))?\s*(ns|us|µs|μs|ms|s|min|h)$/i.exec(s);
  if (!m) return null;
  const unit = UNITS[m[4].toLowerCase()];
  const ns = BigInt(m[2]) * unit + (m[3] ? (BigInt(m[3]) * unit) / 10n ** BigInt(m[3].length) : 0n);
  if (m[1]) return { at: m[1] === "-" ? frame.from - ns : frame.from + ns, kind: "relative" };
  const at = frame.begin + ns;
  // A time since 1970 with its unit behind it, as some programs print it.
  if (at > frame.end && ns >= frame.begin && ns <= frame.end) return { at: ns, kind: "absolute" };
  return { at, kind: "since begin" };
}

function ofDay(s: string, frame: Frame): TypedTime | null {
  const m = /^(?:(\d{4})-(\d\d)-(\d\d)(?:T|\s+))?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(?:Z|UTC)?$/i.exec(s);
  if (!m || Number(m[4]) > 23 || Number(m[5]) > 59 || Number(m[6] ?? 0) > 59) return null;
  const time = (BigInt(m[4]) * 3600n + BigInt(m[5]) * 60n + BigInt(m[6] ?? 0)) * 1_000_000_000n + BigInt((m[7] ?? "").padEnd(9, "0"));
  if (m[1]) {
    const date = Date.UTC(Number(m[1]), Number(m[2]) - 1, Number(m[3]));
    const real = new Date(date);
    if (real.getUTCMonth() !== Number(m[2]) - 1 || real.getUTCDate() !== Number(m[3])) return null;
    return { at: BigInt(date) * 1_000_000n + time, kind: "clock" };
  }
  // Without a date it is on the day that the set begins, or, where it recorded past midnight, the next.
  const begin = frame.begin - (((frame.begin % DAY) + DAY) % DAY);
  const at = begin + time;
  return { at: at < frame.begin && at + DAY <= frame.end ? at + DAY : at, kind: "clock" };
}

// A number alone is a time only where it is too long for a thread id.
function absolute(s: string): TypedTime | null {
  const at = /^-?\d{10,19}$/.test(s) ? parseNs(s) : null;
  return at === null ? null : { at, kind: "absolute" };
}

/** Reads "6.1..6.5", "6.1..+500 ms", "> 6.1" and the like, ends included; a side that is null is open. */
export function stretchOf(typed: string, frame: Frame): { from: Ns | null; to: Ns | null } | null {
  const one = /^(>=|<=|>|<)(.+)$/.exec(typed.trim());
  const sides = one ? (one[1][0] === ">" ? [one[2], ""] : ["", one[2]]) : typed.split("..");
  if (sides.length !== 2 || sides.every((s) => !s.trim())) return null;
  const strict = one?.[1].length === 1 ? 1n : 0n;
  const read = (s: string, f: Frame) => (s.trim() ? instant(s.trim(), f) : null);
  const from = read(sides[0], frame);
  // So far on from where it begins, unless that is itself so far from somewhere.
  const to = read(sides[1], from === null || /^\s*[+\u2212-]/.test(sides[0]) ? frame : { ...frame, from });
  if ((sides[0].trim() && from === null) || (sides[1].trim() && to === null)) return null;
  return { from: from === null ? null : from + strict, to: to === null ? null : to - strict };
}

/** Reads a time, a number without a unit as seconds, as columns show them; null where it is none. */
export const instant = (s: string, frame: Frame): Ns | null => timed(s, frame)?.at ?? null;

/** The same, with what kind of time it is. */
export const timed = (s: string, frame: Frame): TypedTime | null => parseTime(s, frame) ?? parseTime(`${s} s`, frame);
