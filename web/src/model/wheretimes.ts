// The times in a filter of events that are by the clock of the reference: under another one the same numbers mean other moments. What is in
// quotes, and times of a host's own clock, mean the same under any.

import { plainSeconds, type Ns } from "../time/time.js";

const ORDER = String.raw`\s*(?:==|!=|<=|>=|<|>)\s*`;
const TIME = String.raw`(?<![\w.$])time(?![\w.\[])`;
const NUMBER = String.raw`-?\d+(?:\.\d{1,9})?(?![\w.])`;
/** A text in quotes, or a comparison of the time with a number on one of its sides. */
const COMPARED = new RegExp(String.raw`"(?:[^"\\]|\\.)*"|(${TIME}${ORDER})(${NUMBER})|(?<![\w.])(${NUMBER})(${ORDER}${TIME})`, "g");

/** The same filter with each of its times told in another way; null leaves one as it is. */
export function whereWords(where: string, now: (t: Ns) => Ns | null): string {
  const told = (number: string): string => {
    const t = now(timeOf(number));
    return t === null ? number : number.includes(".") ? secondsOf(t) : String(t);
  };
  return where.replace(COMPARED, (all, before?: string, right?: string, left?: string, behind?: string) => (right ? before + told(right) : left ? told(left) + behind : all));
}

/** Whether a filter has a time that the reference tells. */
export function asksTime(where: string): boolean {
  let asks = false;
  whereWords(where, () => ((asks = true), null));
  return asks;
}

// As the server reads them: ns, or seconds with a point.
function timeOf(number: string): Ns {
  const [whole, decimals] = number.split(".");
  if (decimals === undefined) return BigInt(whole);
  return BigInt(whole + decimals.padEnd(9, "0"));
}

function secondsOf(t: Ns): string {
  const words = plainSeconds(t);
  return words.includes(".") ? words : `${words}.0`;
}
