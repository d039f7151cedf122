// How well words fit what was typed. The letters of each word that was typed run along the text, and may leave it
// for the beginning of a later word: "swh" and "ole" fit "Show the whole set", "owset" does not. What begins within a word stays there.

export interface Fit {
  readonly score: number;
  /** The places of the letters that were typed. */
  readonly at: readonly number[];
}

const BEGINNING = 8;
const NEXT = 10;

/** Fits every word of what was typed to a text; null where one does not fit. Nothing typed fits anything. */
export function fit(typed: string, text: string): Fit | null {
  const lower = text.toLowerCase();
  const at: number[] = [];
  let score = -text.length / 1000; // of two that fit alike the shorter
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const best = fitWord(word, lower);
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
