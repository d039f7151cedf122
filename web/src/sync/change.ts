// How well each clock was known before it was synchronized anew, and how well it is now.

import type { Clocks } from "../net/json.js";
import type { SetModel } from "../model/set.js";
import { shortened } from "../model/shortened.js";
import { counted } from "../time/number.js";
import { plusMinus } from "../time/time.js";
import { span } from "./number.js";

/** The bound of a clock over all that its host recorded, ns; null where it has none. */
export type Known = { readonly least: number; readonly worst: number } | null;

/** So many hosts are named. */
const NAMED = 6;

/** How well the clock of each host is known, by its name. */
export function knownOf(set: SetModel): Map<string, Known> {
  return new Map(
    set.hosts.map((x) => {
      const e = set.extent(x.index, true);
      return [x.name, e && set.errorOver(x.index, e.begin, e.end)];
    }),
  );
}

/** What became of the bounds, as a sentence; "" where none is another. What changed most comes first. */
export function changeWords(before: ReadonlyMap<string, Known>, now: ReadonlyMap<string, Known>): string {
  const changed = [...now].flatMap(([name, is]) => {
    const was = before.get(name) ?? null;
    return was?.worst === is?.worst ? [] : [{ name, was, is, by: Math.abs((is?.worst ?? Infinity) - (was?.worst ?? Infinity)) }];
  });
  if (changed.length === 0) return "";
  changed.sort((a, b) => b.by - a.by);
  const told = changed.slice(0, NAMED).map(({ name, was, is }) => `${name} ${worstWords(was)}\u00a0→ ${worstWords(is)}`);
  const others = changed.length - told.length;
  return `Known at worst to, before and now: ${[...told, ...(others > 0 ? [`and ${counted(others, "more host")}`] : [])].join("; ")}.`;
}

/** That another host is the reference than before, as a sentence; "" where it is the same, and where it was asked for. */
export function referenceWords(before: string, clocks: Pick<Clocks, "reference" | "options">): string {
  const { reference, options } = clocks;
  if (!before || reference === before || options?.reference === reference) return "";
  return `All times are by ${reference}'s clock now, which is the best reference in this way, or as good as any: it was ${before}'s.`;
}

/** That clocks are others, and whose clock all times are by if that is another one, in few words. Of raw times none is by it. */
export function briefWords(before: string, { reference }: Pick<Clocks, "reference">, raw: boolean): string {
  if (!before || !reference || reference === before) return "Synchronized.";
  const name = shortened(reference, 20, 8);
  return raw ? `Synchronized: ${name} is the reference now.` : `Synchronized: all times are by ${name}'s clock now.`;
}

/** What is said where the clocks that were final give way to others with another reference, here or on another page; "" of others. */
export function anewWords(was: Pick<Clocks, "reference" | "final"> | null, now: Pick<Clocks, "reference">, raw: boolean): string {
  return was && was.final !== false && was.reference && now.reference !== was.reference ? briefWords(was.reference, now, raw) : "";
}

const worstWords = (k: Known): string => (k === null ? "no bound" : k.worst === 0 ? "exact" : plusMinus(k.worst));

/** The bound of a clock, from the best time to the worst. */
export function knownWords(k: Known): string {
  if (!k) return "–";
  if (k.worst === 0) return "exact";
  return span(k.least, k.worst);
}
