// What a column of a row has, in words.

import { LOOKS, stateWords } from "../draw/palette.js";
import { MIXED, NOTHING, type StatesAnswer } from "../net/wire.js";
import { percent } from "../time/number.js";

/** What is said of a thread before its begin and after its end. */
export const ABSENT = "not there then";
/** A share below this reads as 0 %. */
export const LEAST_SHARE = 0.0005;

/** What an answer of one row and one column has, in words. */
export function columnWords(a: StatesAnswer, callsLacking: boolean): string {
  const state = a.runState[0] ?? NOTHING;
  if (state === NOTHING) return ABSENT;
  return state === MIXED ? shareWords((s) => a.mixes[s] / 255, callsLacking) + momentWords(a.runLabel[0], callsLacking) : stateWords(state, callsLacking);
}

/** That a thread ran in a state for less than any share, behind the words of the shares; "" for 0, where it did not. */
export function momentWords(state: number, callsLacking: boolean): string {
  return state === 0 ? "" : `, ${stateWords(state, callsLacking)} for a moment`;
}

/** The shares of states in words, the largest first; without those that read as 0 %. */
export function shareWords(of: (state: number) => number, callsLacking: boolean): string {
  const shares = LOOKS.map((_, s) => ({ s, share: of(s) })).filter((p) => p.share >= LEAST_SHARE).sort((a, b) => b.share - a.share);
  return shares.map((p) => `${stateWords(p.s, callsLacking)} ${percent(p.share)}`).join(", ");
}
