// How a CPU, an interrupt line and their like look: in the colours and heights that
// threads have, so that one legend serves for both.

import { INTERRUPTED, KERNEL, stateWords, SYSCALL, UNKNOWN, USER, WAIT, WAIT_CPU } from "../draw/palette.js";
import type { Strip } from "../draw/columns.js";
import { EMPTY, MANY } from "../draw/columns.js";
import { CPU, HOST } from "../model/rows.js";
import { STATES } from "../net/wire.js";
import { percent } from "../time/number.js";

/** A state of a CPU or a line, and the state of threads in whose look it is drawn. */
export interface LaneLook {
  readonly words: string;
  readonly as: number;
}

export const IDLE = 1;

/** By status of a CPU. */
export const CPU_LOOKS: readonly LaneLook[] = [
  { words: "unknown", as: UNKNOWN },
  { words: "idle", as: WAIT },
  { words: "user space", as: USER },
  { words: "system call", as: SYSCALL },
  { words: "soft interrupt", as: WAIT_CPU },
  { words: "interrupt", as: INTERRUPTED },
  { words: "kernel", as: KERNEL },
];

/** The same where system calls are not recorded. */
const CALLS_LACKING: readonly LaneLook[] = CPU_LOOKS.map((look) => (look.as === USER ? { ...look, words: stateWords(USER, true) } : look));

/** By status of a line; 0 is not stored. */
export const LINE_LOOKS: readonly LaneLook[] = [
  { words: "at rest", as: UNKNOWN },
  { words: "raised, not served yet", as: WAIT_CPU },
  { words: "served", as: INTERRUPTED },
  { words: "served, and raised again", as: INTERRUPTED },
];

/** How states of a row are drawn and told; of CPUs of a host that did not record system calls, what it did not tell apart. */
export const looksOf = (kind: number, callsLacking = false): readonly LaneLook[] => (kind !== CPU && kind !== HOST ? LINE_LOOKS : callsLacking ? CALLS_LACKING : CPU_LOOKS);

/** Gives the states of a strip the numbers of those that they are drawn as. */
export function dress(strip: Strip, looks: readonly LaneLook[]): void {
  const shares = new Float32Array(STATES);
  for (let i = 0; i < strip.pixels; i++) {
    const state = strip.state[i];
    if (state === EMPTY) continue;
    if (state !== MANY) {
      strip.state[i] = looks[state]?.as ?? EMPTY;
      continue;
    }
    shares.fill(0);
    const at = i * STATES;
    looks.forEach((look, s) => (shares[look.as] += strip.shares[at + s]));
    strip.shares.set(shares, at);
  }
}

/** What a pixel of a strip, not dressed yet, shows in words. */
export function pixelWords(strip: Strip, x: number, looks: readonly LaneLook[]): string {
  const state = strip.state[x];
  if (state === EMPTY) return "";
  if (state !== MANY) return looks[state]?.words ?? "";
  const parts = looks.map((look, s) => ({ look, share: strip.shares[x * STATES + s] })).filter((p) => p.share > 0);
  return parts.sort((a, b) => b.share - a.share).map((p) => `${p.look.words} ${percent(p.share)}`).join(", ");
}

/** The share of the known time of a pixel in which CPUs did something; null where nothing is known. */
export function busyShare(strip: Strip, x: number): number | null {
  const state = strip.state[x];
  if (state === EMPTY || state === 0) return null;
  if (state !== MANY) return state === IDLE ? 0 : 1;
  const at = x * STATES;
  let busy = 0;
  for (let s = IDLE + 1; s < CPU_LOOKS.length; s++) busy += strip.shares[at + s];
  const known = busy + strip.shares[at + IDLE];
  return known > 0 ? busy / known : null;
}
