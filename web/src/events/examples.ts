// What the empty filters show to be typed into them: an example that finds something, made of the events that are listed.

import { clock, date, type Ns } from "../time/time.js";
import type { Bounds } from "../model/set.js";
import { Unreadable } from "./heads.js";
import type { Entry } from "./pages.js";

export interface Examples {
  readonly name: string; // a pattern of names
  readonly fields: string; // a comparison of a field; "" where there is none to compare
  readonly cpu: string; // "" where the events are of none
  readonly where: string;
}

const DAY = 86_400e9; // ns

/** Fields whose values people look for come first. */
const SOUGHT = ["next_tid", "tid", "pid", "fd", "ret"];

/** Writes into empty filters what can be typed into them where these events are listed; bounds are those of the set in the time that is shown, and
 * local by the hosts' own clocks. */
export function exemplify(fields: Readonly<Record<"name" | "where" | "during" | "clock" | "cpu" | "fields", HTMLInputElement>>, entries: readonly Entry[], { begin, end }: Bounds, local: Bounds): void {
  const example = examplesOf(entries);
  const first = entries[0];
  fields.name.placeholder = example.name;
  fields.where.placeholder = example.where;
  fields.during.placeholder = secondsExample(Number(end - begin), Number((first?.time ?? begin) - begin));
  fields.clock.placeholder = clockExample(Number(local.end - local.begin), first?.local ?? local.begin);
  for (const column of ["during", "clock"] as const) fields[column].title = Unreadable.takes(column, fields[column].placeholder);
  fields.cpu.placeholder = example.cpu;
  fields.fields.title = example.fields ? `Fields takes words that stand in them, or a comparison such as ${example.fields}` : "Fields takes words that stand in them";
  fields.fields.placeholder = example.fields ? `words, or ${example.fields}` : "words";
}

/** Examples that hold for some of the events. */
export function examplesOf(entries: readonly Entry[]): Examples {
  const fields = comparison(entries);
  const cpus = entries.map((e) => e.cpu).filter((n) => n >= 0);
  const [least, most] = [Math.min(...cpus), Math.max(...cpus)];
  const cpu = cpus.length === 0 ? "" : least === most ? String(least) : `${least}-${most}`;
  const name = pattern(entries.map((e) => e.name));
  const both = fields && entries.find((e) => e.cpu >= 0 && e.fields.includes(fields.replace(" == ", "=")));
  return { name, fields, cpu, where: both ? `${fields} && cpu == ${both.cpu}` : fields || (cpu ? `cpu == ${most}` : "") };
}

// The names of most events up to their last part, or of those of the scheduler, which have most to tell.
function pattern(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const cut = Math.max(name.indexOf("_"), name.lastIndexOf(":"));
    const p = cut > 0 ? `${name.slice(0, cut + 1)}*` : name;
    counts.set(p, (counts.get(p) ?? 0) + 1);
  }
  return counts.has("sched_*") ? "sched_*" : ([...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "");
}

// A field with a value that is short enough to be typed.
function comparison(entries: readonly Entry[]): string {
  const found = new Map<string, { times: number; value: string }>();
  for (const e of entries)
    for (const [, field, value] of e.fields.replace(/[[{].*/s, "").matchAll(/(?:^| )([A-Za-z]\w*)=(-?\d{1,7}|"[\w./-]{1,16}")(?= |$)/g)) {
      const known = found.get(field);
      found.set(field, { times: (known?.times ?? 0) + 1, value: !known || known.value === "0" ? value : known.value });
    }
  const field = SOUGHT.find((x) => found.has(x)) ?? [...found].sort((a, b) => b[1].times - a[1].times)[0]?.[0];
  return field === undefined ? "" : `${field} == ${found.get(field)!.value}`;
}

/** A fifth of a set that lasts so many ns, from so many ns after its begin, in seconds. */
export function secondsExample(span: number, from: number): string {
  const step = span / 5 / 1e9;
  const decimals = step > 0 ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(step)))) : 0;
  const unit = 10 ** -decimals;
  const first = Math.floor(from / 1e9 / unit) * unit;
  return `${first.toFixed(decimals)}..${(first + Math.max(unit, step)).toFixed(decimals)}`;
}

/** The same by the clock, as finely as it must be. */
export function clockExample(span: number, from: Ns): string {
  const digits = span > 600e9 ? 5 : span > 10e9 ? 8 : 12; // to minutes, seconds, ms
  const at = (t: Ns) => clock(t).replace(/[\s\u202f]/g, "").slice(0, digits);
  if (span > DAY) return `>= ${date(from)} ${at(from)}`;
  return digits === 12 ? `>= ${at(from)}` : `${at(from)}..${at(from + BigInt(Math.round(span / 5)))}`;
}
