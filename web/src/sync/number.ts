// Figures and words of the synchronization, with as many digits as are certain.

import { boundStep, stepWords, type BoundScale } from "../draw/bounds.js";
import type { HostClock, LinkClass, LinkInfo } from "../net/json.js";
import { certainDecimals, counted, fixed, group, MINUS, THIN } from "../time/number.js";
import { about, bound, measured, parseNs, plusMinus } from "../time/time.js";
import { rates } from "./path.js";
import { forceOf, knownBy, paceOf, rateError, type Pace } from "../model/inforce.js";

export interface ClassWords {
  readonly words: string;
  readonly tone: "good" | "medium" | "bad" | "none";
  readonly sentence: string;
}

const CLASSES: Record<LinkClass, ClassWords> = {
  accurate: { words: "accurate", tone: "good", sentence: "Messages in both directions enclose the clock on both sides over the whole overlap." },
  approximate: { words: "approximate", tone: "medium", sentence: "There are messages in both directions, but all of one before all of the other: the estimate stands, without a bound." },
  incomplete: { words: "one direction", tone: "medium", sentence: "Messages went one way only: they bound the clock on one side." },
  absent: { words: "no messages", tone: "none", sentence: "These two hosts exchanged no message that both recorded." },
  fail: { words: "contradiction", tone: "bad", sentence: "The messages contradict each other: neither a line nor a curve with some steps fits them all." },
};

// What directions messages went in is true by every method, what they enclose only by that which bounds.
const UNBOUNDED: Partial<Record<LinkClass, ClassWords>> = {
  accurate: { words: "both ways", tone: "none", sentence: "There are messages in both directions. The method in force estimates the clock from them and bounds nothing." },
  approximate: { words: "both ways", tone: "none", sentence: "There are messages in both directions, but all of one before all of the other. The method in force estimates the clock and bounds nothing." },
  incomplete: { words: "one direction", tone: "medium", sentence: "Messages went one way only." },
};

/** What a class of links says by a method that bounds the error of clocks, or by one that does not. */
export function classWords(c: LinkClass, bounded: boolean): ClassWords {
  return (bounded ? undefined : UNBOUNDED[c]) ?? CLASSES[c];
}

/** How a line is drawn by the bound of its link. */
export interface Tier {
  readonly tone: string; // its class
  readonly words: string;
  readonly step: number | null; // on the scale of bounds
}

const BOUNDLESS: Tier = { tone: "enone", words: "no bound", step: null };
const CONTRADICTS: Tier = { tone: "ebad", words: "contradiction", step: null };

/** How well a link relates two clocks: its line has the colour of its bound's step, and the wider the better. */
export function tier(link: LinkInfo, scale: BoundScale | null): Tier {
  if (link.class === "fail") return CONTRADICTS;
  const known = knownBy(link);
  if (!known || !scale) return BOUNDLESS;
  const step = boundStep(scale, known.median);
  return { tone: "known", words: stepWords(scale, step), step };
}

/** Those of some links, each once, the best first. */
export function tiersOf(links: readonly LinkInfo[], scale: BoundScale | null): Tier[] {
  const used = new Map(links.map((l) => tier(l, scale)).map((t) => [t.words, t]));
  const known = [...used.values()].filter((t) => t.step !== null).sort((a, b) => a.step! - b.step!);
  return known.concat([BOUNDLESS, CONTRADICTS].filter((t) => used.has(t.words)));
}

/** A rate with how far it can be off; from piece to piece where those differ, which has no such figure. */
export function paceWords({ mean, least, most }: Pace, error: number | null): RateWords {
  const ppm = `${THIN}ppm`;
  const [from, to] = [signed(least, 1), signed(most, 1)];
  if (from !== to) return { text: `${from} to ${to}${ppm}`, error: "", title: mean === null ? "" : `From piece to piece, ${signed(mean, 1)}${ppm} on average` };
  const decimals = error === null ? 1 : certainDecimals(error);
  return { text: signed(mean ?? least, decimals) + ppm, error: error ? plusMinusPpm(error, decimals) : "" };
}

const plusMinusPpm = (error: number, decimals: number) => `± ${fixed(Math.ceil(error * 10 ** decimals) / 10 ** decimals, decimals)}`;

export interface RateWords {
  readonly text: string;
  readonly error: string;
  readonly title?: string;
}

/** How much faster b's clock runs than a's: by the clock in force, on average where one line fits the messages too, else by the link itself. */
export function rate(link: LinkInfo): RateWords {
  const [pace, error] = [paceOf(link), rateError(link)];
  if (!pace) return ownRate(link);
  const words = paceWords(pace, error);
  if (!words.title || pace.mean === null || error === null) return words;
  return { ...paceWords({ mean: pace.mean, least: pace.mean, most: pace.mean }, error), title: `On average; from piece to piece ${words.text}` };
}

/** Which clock of a link runs fast against which, in words; "" where that is not known, or differs from piece to piece. */
export function rateSense(link: LinkInfo): string {
  const ppm = paceOf(link)?.mean ?? (link.alpha === null || link.alpha === undefined ? null : (link.alpha - 1) * 1e6);
  return ppm === null || ppm === 0 ? "" : `${link.b}'s clock runs ${ppm > 0 ? "faster" : "slower"} than ${link.a}'s`;
}

/** The same by the link's own line, and how well that is known; of a path the range over its pieces. */
export function ownRate(link: LinkInfo): RateWords {
  const none = { text: "–", error: "" };
  if (link.alpha === null || link.alpha === undefined) {
    const r = rates(link);
    if (!r) return none;
    const [least, most] = [signed(r.least, 1), signed(r.most, 1)];
    return { text: `${least === most ? least : `${least} to ${most}`}${THIN}ppm`, error: "" };
  }
  const ppm = (link.alpha - 1) * 1e6;
  if (link.alpha_min === null || link.alpha_max === null) return { text: `${signed(ppm, 3)}${THIN}ppm`, error: "" };
  const half = ((link.alpha_max - link.alpha_min) / 2) * 1e6;
  const decimals = certainDecimals(half);
  return { text: `${signed(ppm, decimals)}${THIN}ppm`, error: plusMinusPpm(half, decimals) };
}

/** A number with its sign, also where it is positive. */
export function signed(v: number, decimals: number): string {
  const text = fixed(v, decimals);
  return v > 0 && /[1-9]/.test(text) ? "+" + text : text;
}

/** What the clock of a link is, that in force or else its own: "one line", "29 pieces", "steps". */
export function shape(link: LinkInfo): string {
  const segments = forceOf(link)?.segments ?? link.segments;
  if (!segments) return "–";
  if (link.shape === "steps") return "steps";
  return segments === 1 ? "one line" : counted(segments, "piece");
}

/** What a bound rests on, as the end of "holds as long as"; null where it rests on nothing. */
export function rests(link: LinkInfo): string | null {
  if (!link.error_ns || !link.rate_cap) return null;
  const steps = link.shape === "steps" ? ", but for the steps" : "";
  return `the rate of one clock against the other changes by at most ${cap(link.rate_cap)} ppm a second${steps}`;
}

/** By how much a rate may change, of one a second, in ppm a second: two digits, rounded up, for nobody may read a stricter condition than was used. */
export function cap(perSecond: number): string {
  const ppm = perSecond * 1e6;
  const power = 10 ** (Math.floor(Math.log10(ppm)) - 1);
  const v = Math.ceil(ppm / power - 1e-9) * power;
  return v >= 100 ? group(v) : String(Number(v.toPrecision(2)));
}

/** How far the flattest and the steepest line of a link are apart; null where they do not both exist. */
export function apart(link: LinkInfo): string | null {
  const p = link.lines_apart_ns;
  return p ? `${bound(p.first)} apart at the first message, ${bound(p.middle)} half way, ${bound(p.last)} at the last that narrowed them` : null;
}

/** What is to be said of a link outside of the tree, beside its name. */
export function unused(link: LinkInfo): string {
  if (link.excluded) return "left out";
  return "not in use" + (link.loop_ns ? (link.loop_ns.consistent ? ", agrees" : ", contradicts") : "");
}

/** How far a link is from the way through links in use; null where that is not known. */
export function loop(link: LinkInfo): string | null {
  const l = link.loop_ns;
  if (!l) return null;
  const far = `${about(l.residual, 3)} from the way through ${counted(l.hops, "link")} at most, of ${bound(l.bound)} allowed`;
  return l.consistent ? `closes within the bounds: ${far}` : `does not close, so a bound is wrong: ${far}`;
}

/** What the links outside of the tree say of those in it, in a sentence; "" where there are none. */
export function loopsWords(links: readonly LinkInfo[]): string {
  const all = links.filter((l) => l.loop_ns);
  const open = all.filter((l) => l.loop_ns && !l.loop_ns.consistent).length;
  if (all.length === 0) return "";
  const those = `${counted(all.length, "link")} not in use ${all.length === 1 ? "was" : "were"} held against the others`;
  return open === 0 ? `${those}: they agree within their bounds.` : `${those}: ${open === all.length ? "" : group(open) + " of them "}${open === 1 ? "contradicts" : "contradict"} the bounds.`;
}

/** By how much a clock was set: "+30.0 ± 0.1 ms". */
export function stepSize(ns: number, error: number): string {
  return (ns < 0 ? MINUS : "+") + measured(Math.abs(ns), error);
}

/** A bound over some time: "±117 µs to 290 µs", or one figure where both ends are written alike. */
export function span(min: number, max: number): string {
  return bound(min) === bound(max) ? plusMinus(max) : `${plusMinus(min)} to ${bound(max)}`;
}

/** The first local time of a host's map. */
export function mapBegin(clock: HostClock | undefined): bigint | null {
  return parseNs(clock?.map?.[0]?.begin);
}
