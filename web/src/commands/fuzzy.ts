// How well words fit what was typed. The letters of each word that was typed run along the text, and may leave it
// for the beginning of a later word: "swh" and "ole" fit "Show the whole set", "owset" does not. What begins within a word stays there.

export interface Fit {
  readonly score: number;
  /** The places of the letters that were typed. */
  readonly at: readonly number[];
}

const BEGINNING = 8;
const NEXT = 10;
/** Of a word that is shown and one that is not, how much less the latter counts. */
const BEHIND = 1;

/** Fits every word of what was typed to a text, or to the beginning of one of the other words, in lower case, that it is asked for by; null where
 *  one does not fit. Nothing typed fits anything. */
export function fit(typed: string, text: string, also = ""): Fit | null {
  const lower = text.toLowerCase();
  const others = also ? also.split(" ") : [];
  const at: number[] = [];
  let score = -text.length / 1000; // of two that fit alike the shorter
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const own = fitWord(word, lower);
    const other = others.some((o) => o.startsWith(word)) ? { score: BEGINNING + NEXT * (word.length - 1) - BEHIND, at: [] } : null;
    const best = own && other ? (own.score >= other.score ? own : other) : (own ?? other);
    if (!best) return null;
    score += best.score;
    at.push(...best.at);
  }
  return { score, at };
}

// The best of the fits that begin at each place where the first letter stands.
function fitWord(word: string, text: string): Fit | null {
  let best: Fit | null = null;
  for (let from = text.indexOf(word[0]); from >= 0; from = text.indexOf(word[0], from + 1)) {
    const found = fitFrom(word, text, from);
    if (found && (!best || found.score > best.score)) best = found;
  }
  return best;
}

function fitFrom(word: string, text: string, from: number): Fit | null {
  const begins = (i: number) => i === 0 || !/[\p{L}\p{N}]/u.test(text[i - 1]);
  const at = [from];
  let score = begins(from) ? BEGINNING : 0;
  for (const letter of word.slice(1)) {
    let i = at[at.length - 1] + 1;
    if (text[i] === letter) score += NEXT;
    else if (!begins(from)) return null; // what begins within a word stands in one piece
    else {
      do i = text.indexOf(letter, i) + 1;
      while (i > 0 && !begins(i - 1));
      if (--i < 0) return null;
    }
    if (begins(i)) score += BEGINNING;
    at.push(i);
  }
  return { score, at };
}
