// What a tab remembers of a page for when it is loaded again: the way that the window went, the steps of it that the browser's history goes
// along with, and how far its tabs are scrolled. The browser keeps it for the tab; what somebody else wrote there, or an earlier version, is forgotten.

import { amongText, chosenText, ns64, parseChosen, withAmong } from "./addressed.js";
import type { Steps } from "./entries.js";
import { parseHeld, storedHeld, type HeldTime } from "./held.js";
import { parseKept, parseWindow, stored } from "./kept.js";
import type { Sight } from "./landing.js";
import { LONGEST, type Choice, type Place, type Walked } from "./trail.js";

const KEY = "synchroscope.way";
/** So many sets, those that were left last. */
const MOST_SETS = 4;
/** And of each so many letters: of a longer way, the nearer half, or half of that. */
const MOST_LETTERS = 200_000;
const MOST_FOLDED = 2000;
/** And so many tabs that are scrolled, none farther than so many CSS pixels. */
const MOST_SCROLLED = 16;
const FARTHEST = 10_000_000;

export interface Remembered {
  /** Its times are by each host's own clock. */
  readonly raw: boolean;
  /** What the address said. */
  readonly query: string;
  /** What it would have said of the tabs that were not shown. */
  readonly aside: string;
  /** Where the window was. */
  readonly at: Place;
  readonly way: Walked;
  /** What else stands at a time, and by what that is found again. */
  readonly held: readonly HeldTime[];
  readonly steps: Steps;
  /** How far tabs are scrolled, CSS pixels, by their names. */
  readonly scrolled: ReadonlyMap<string, number>;
}

/** Remembers what a page, by a name of its own, is left with. */
export function remember(page: string, left: Remembered): void {
  try {
    const others = all().filter(([of]) => of !== page);
    sessionStorage.setItem(KEY, JSON.stringify([[page, textOf(left)], ...others].slice(0, MOST_SETS)));
  } catch {
    // Without a store the way begins anew after a reload.
  }
}

/** What a page was left with; null for nothing. */
export function recall(page: string): Remembered | null {
  try {
    const found = all().find(([of]) => of === page);
    return found ? parseRemembered(found[1]) : null;
  } catch {
    return null;
  }
}

function all(): [page: string, text: string][] {
  const pages: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  return Array.isArray(pages) ? pages.filter((x): x is [string, string] => Array.isArray(x) && x.length === 2 && x.every((s) => typeof s === "string")) : [];
}

/** As a text that is no longer than it may be. */
export function textOf({ raw, query, aside, at, way, held, steps, scrolled }: Remembered): string {
  for (let most = LONGEST; ; most >>= 1) {
    const [behind, ahead] = [way.behind, way.ahead].map((places) => (most > 0 ? places.slice(-most).map(written) : []));
    const text = JSON.stringify({ raw, query, aside, at: written(at), held: storedHeld(held), here: way.here, made: way.made, behind, ahead, life: steps.life, steps: [...steps.made].map(([n, s]) => (s ? [n, s.from, s.to] : [n])), scrolled: [...scrolled].filter(([, y]) => y <= FARTHEST) });
    if (text.length <= MOST_LETTERS || most === 0) return text;
  }
}

function written({ number, window, whole, choice, sight }: Place): object {
  return { number, window: [String(window.begin), window.span], whole, sight: sight && writtenSight(sight), choice: choice && writtenChoice(choice) };
}

function writtenSight({ kept, other, told, along, words }: Sight): object {
  return { kept: stored(kept), other: other && stored(other), told, along, words };
}

function parseSight(from: unknown): Sight | undefined {
  const { kept: first, other: second, told, along, words } = fields(from);
  const [kept, other] = [parseKept(first), parseKept(second)];
  return kept ? { kept, ...(other ? { other } : {}), ...(told === true ? { told } : {}), ...(isText(along) ? { along } : {}), ...(isText(words) ? { words } : {}) } : undefined;
}

function writtenChoice({ row, did, message, folded }: Choice): object {
  return { row: row && [row.host, row.tid], did: did === null ? null : String(did), message: message && chosenText(message), bundle: message && amongText(message), folded };
}

/** What such a text says; null where it is none, or nothing that can have been. */
export function parseRemembered(text: string): Remembered | null {
  if (text.length > 2 * MOST_LETTERS) return null;
  const said = fields(parsed(text));
  const { raw, query, aside = "", here, made, life } = said;
  const [behind, ahead, at] = [places(said.behind), places(said.ahead), parsePlace(said.at)];
  const [steps, scrolled] = [parseSteps(said.steps), parseScrolled(said.scrolled)];
  if (typeof raw !== "boolean" || typeof query !== "string" || typeof aside !== "string" || typeof life !== "string" || !isNumber(here) || !isNumber(made) || !behind || !ahead || !at || !steps || !scrolled) return null;
  // By their numbers places lie in order, those ahead from the farthest on, and none is farther than any that was made.
  const numbers = [...behind, { number: here }, ...[...ahead].reverse(), { number: made + 1 }].map((p) => p.number);
  if (!numbers.every((n, i) => isNumber(n) && (i === 0 || n > numbers[i - 1]!))) return null;
  return { raw, query, aside, at, way: { here, made, behind, ahead }, held: parseHeld(said.held), steps: { life, made: steps }, scrolled };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const fields = (x: unknown): Record<string, unknown> => (typeof x === "object" && x !== null ? (x as Record<string, unknown>) : {});
const isNumber = (x: unknown): x is number => Number.isSafeInteger(x) && (x as number) >= 0;
const isText = (x: unknown): x is string => typeof x === "string";

function places(from: unknown): Place[] | null {
  if (!Array.isArray(from) || from.length > LONGEST) return null;
  const found = from.map(parsePlace);
  return found.every((p) => p !== null) ? found : null;
}

function parsePlace(from: unknown): Place | null {
  const said = fields(from);
  const { number, whole } = said;
  const window = parseWindow(said.window);
  if (!window || typeof whole !== "boolean" || "kept" in said) return null; // an earlier version kept places by that
  const choice = said.choice === undefined ? null : parseChoice(said.choice);
  return { window, whole, sight: parseSight(said.sight), ...(isNumber(number) ? { number } : {}), ...(choice ? { choice } : {}) };
}

function parseChoice(from: unknown): Choice {
  const { row, did, message, bundle, folded } = fields(from);
  const [host, tid] = Array.isArray(row) ? (row as unknown[]) : [];
  const chosen = withAmong(isText(message) ? parseChosen(message) : null, isText(bundle) ? bundle : null);
  const { hosts, processes } = fields(folded);
  return {
    row: isNumber(host) && (isNumber(tid) || tid === -1) ? { host, tid } : null,
    did: isText(did) ? ns64(did) : null,
    message: chosen,
    folded: Array.isArray(hosts) && hosts.every(isNumber) && Array.isArray(processes) && processes.every(isText) && processes.length <= MOST_FOLDED ? { hosts, processes } : undefined,
  };
}

function parseSteps(from: unknown): Steps["made"] | null {
  if (!Array.isArray(from) || from.length > LONGEST) return null;
  const made = new Map<number, { from: number; to: number } | null>();
  for (const step of from as unknown[]) {
    if (!Array.isArray(step) || !step.every(isNumber) || (step.length !== 1 && step.length !== 3)) return null;
    made.set(step[0], step.length === 3 ? { from: step[1], to: step[2] } : null);
  }
  return made;
}

function parseScrolled(from: unknown): Remembered["scrolled"] | null {
  if (!Array.isArray(from) || from.length > MOST_SCROLLED) return null;
  const scrolled = new Map<string, number>();
  for (const part of from as unknown[]) {
    if (!Array.isArray(part) || part.length !== 2 || !isText(part[0]) || !isNumber(part[1]) || part[1] > FARTHEST) return null;
    scrolled.set(part[0], part[1]);
  }
  return scrolled;
}
