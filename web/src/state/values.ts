// What the values of the kernel model mean in words: docs/kernel-model.md.

import { LOOKS } from "../draw/palette.js";
import { CPU_LOOKS, LINE_LOOKS } from "../resources/looks.js";
import { gigahertz } from "../resources/words.js";
import { group } from "../time/number.js";
import { priorityWords } from "../timeline/words.js";
import type { Value } from "./api.js";

/** A value as it is told: what it is, what that means, and the state of threads in whose colour it stands; -1 for none. */
export interface Told {
  readonly text: string;
  readonly meaning: string;
  readonly state: number;
}

/** Told of a number beside what it means. */
export const CODE = "The number is what the state history holds, as queries and files have it; behind it stands what it means";

const SLEEPS = ["", "until woken or signalled", "uninterruptible", "uninterruptible, idle", "stopped by a signal", "stopped by a debugger", "parked"];
const EXITS = ["", "announced", "zombie"];

type Rule = [RegExp, (n: number) => [string, number?] | undefined];

const RULES: Rule[] = [
  [/^Threads\/[^/]+$/, (n) => LOOKS[n] && [LOOKS[n].words, n]],
  [/^CPUs\/[^/]+$/, (n) => CPU_LOOKS[n] && [CPU_LOOKS[n].words, CPU_LOOKS[n].as]],
  [/^(CPUs\/[^/]+\/)?(IRQs|Soft_IRQs)\/[^/]+$/, (n) => (n > 0 && LINE_LOOKS[n] ? [LINE_LOOKS[n].words, LINE_LOOKS[n].as] : undefined)],
  [/^CPUs\/[^/]+\/Frequency$/, (n) => [gigahertz(n)]],
  [/^CPUs\/[^/]+\/Current_thread$/, (n) => (n === 0 ? ["its idle thread"] : undefined)],
  [/^Threads\/[^/]+\/Priority$/, (n) => [priorityWords(n).replace(/^[^,]*, /, "")]],
  [/^Threads\/[^/]+\/Sleep$/, (n) => (SLEEPS[n] ? [SLEEPS[n]] : undefined)],
  [/^Threads\/[^/]+\/Waker$/, (n) => (n > 0 ? ["woke it last, up to this time"] : undefined)],
  [/^Threads\/[^/]+\/Exit$/, (n) => (EXITS[n] ? [EXITS[n]] : undefined)],
];

export function told(path: string, value: Value): Told {
  if (value === null) return { text: "–", meaning: "", state: -1 };
  if (typeof value !== "number") return { text: String(value), meaning: "", state: -1 };
  const text = Math.abs(value) >= 1e5 && Number.isInteger(value) ? group(value) : String(value);
  for (const [where, means] of RULES) {
    const m = where.test(path) ? means(value) : undefined;
    if (m) return { text, meaning: m[0], state: m[1] ?? -1 };
  }
  return { text, meaning: "", state: -1 };
}
