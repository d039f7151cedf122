// How high a column of the strip over everything is.

/** So many times the count that all but a fiftieth of the columns stay below, and a column is cut instead of making all others flat. */
const APART = 3;

/** The count that is drawn at full height. What has more, as the beginning with its list of all threads often does, is cut there. */
export function fullHeight(counts: ArrayLike<number>): number {
  const some = Array.from(counts).filter((n) => n > 0).sort((a, b) => a - b);
  if (some.length === 0) return 1;
  const [usual, most] = [some[Math.max(0, Math.ceil(some.length * 0.98) - 1)], some[some.length - 1]];
  return most > APART * usual ? usual * 1.25 : most;
}
