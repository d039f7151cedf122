// What the clocks that are shown were made by, in words.

import type { Clocks, Options } from "../net/json.js";
import { counted, group } from "../time/number.js";
import { about, seconds, type Ns, parseNs } from "../time/time.js";

export interface Method {
  readonly name: string; // as the server knows it
  readonly words: string;
  readonly sentence: string;
}

/** The default first. */
export const METHODS: readonly Method[] = [
  { name: "hull", words: "hull (what every message allows)", sentence: "The only method that bounds the error of every clock." },
  { name: "roundtrip", words: "round trips", sentence: "A line by least squares through the offsets of round trips, for each half hour or less. It bounds nothing: no ± is shown." },
  { name: "regression", words: "regression", sentence: "The middle of two lines by least squares, one through all messages of each direction. It bounds nothing: no ± is shown." },
  { name: "window-independent", words: "windows of 3 s, each alone", sentence: "Each window by nothing but its own messages. It bounds nothing: no ± is shown." },
  { name: "window-replace", words: "the best window of 3 s", sentence: "The line of the window that leaves the least of the slope open, for all of the time. It bounds nothing: no ± is shown." },
  { name: "window-correlated", words: "windows of 3 s, one after another", sentence: "The line of the last window, with what bounded those before it. It bounds nothing: no ± is shown." },
];

/** How many of the links that are left out are named. */
const NAMED = 6;

export const NO_OPTIONS: Options = { method: METHODS[0].name, reference: null, exclude: [], window: null };

/** Whether the method in force bounds the error of clocks. */
export function bounding(clocks: Clocks | null): boolean {
  return (clocks?.options?.method ?? METHODS[0].name) === METHODS[0].name;
}

export function isDefault(o: Options): boolean {
  return o.method === METHODS[0].name && !o.reference && o.exclude.length === 0 && !o.window;
}

/** The window whose messages count, in the reference time of the clocks; that of the options is in that of the best reference by all messages. Null for all. */
export function windowOf(clocks: Clocks | null): [string, string] | null {
  const asked = clocks?.options?.window ?? null;
  return asked && (clocks?.hosts?.find((h) => h.name === clocks.reference)?.window ?? asked);
}

/** Whether a link is among those that are left out. */
export function leftOut(o: Options, a: string, b: string): boolean {
  return o.exclude.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
}

/** The links left out, with one more of them, or without it. */
export function turned(o: Options, a: string, b: string): [string, string][] {
  if (!leftOut(o, a, b)) return [...o.exclude, [a, b]];
  return o.exclude.filter(([x, y]) => !(x === a && y === b) && !(x === b && y === a));
}

/** What is in force, each part a phrase. origin is what times on the page count from. */
export function inForce(clocks: Clocks, origin: Ns): string[] {
  const o = clocks.options ?? NO_OPTIONS;
  const method = METHODS.find((m) => m.name === o.method);
  const there = (clocks.links ?? []).filter((l) => l.class !== "absent");
  const [links, used, checks] = [there.length, there.filter((l) => l.in_tree).length, there.filter((l) => l.loop_ns).length];
  const out = [`method ${method?.words ?? o.method}`];
  if (clocks.reference) out.push(`reference ${clocks.reference}, ${o.reference === clocks.reference ? "pinned" + loss(clocks) : "the best"}`);
  const named = o.exclude.slice(0, NAMED).map(([a, b]) => `${a}\u00a0–\u00a0${b}`);
  if (o.exclude.length > NAMED) named.push(counted(o.exclude.length - NAMED, "more link"));
  const without = named.join(", ");
  const others = checks > 0 ? `${group(checks)} ${checks === 1 ? "a check" : "checks"} of these` : `${group(links - used)} not`;
  const ways = used < links ? ` (${group(used)} in use, ${others})` : "";
  out.push(without ? `without ${without}` : links === 0 ? "no link" : links === 1 ? "its one link" : `none of the ${counted(links, "link")} left out${ways}`);
  const window = windowOf(clocks);
  out.push(window ? `messages of ${stretch(window, origin)} only` : "all messages");
  return out;
}

// What it costs that another host than the best is pinned. Methods that bound nothing do not know.
function loss(clocks: Clocks): string {
  const p = clocks.pinned;
  if (!bounding(clocks)) return "";
  if (!p) return " (no host would be better)";
  if (p.loss_ns === null) return ` (${p.best} would be better)`;
  return ` (with ${p.best} the errors of the ${counted(p.hosts, "host")} would add up to ${about(p.loss_ns, 3)} less)`;
}

/** A host with what it costs as the reference. */
export function costWords(host: string, loss: number | null | undefined): string {
  if (loss === null || loss === undefined) return host;
  return loss === 0 ? `${host}: none is better` : `${host}: errors add up to ${about(loss, 3)} more`;
}

/** A stretch of time, from what times on the page count from: "12.134 s to 14.250 s". */
export function stretch([begin, end]: readonly [string, string], origin: Ns): string {
  const [from, to] = [parseNs(begin), parseNs(end)];
  return from === null || to === null ? "a part of the time" : `${seconds(from - origin, 3)} to ${seconds(to - origin, 3)}`;
}
