// Where the counts of bundles stand, on their arrows or, where these are short, beside them: none on another, and the fewer the more bundles there are, for among many
// nobody could tell whose a count is, and counts would hide what they count.

/** An arrow with its label. */
export interface Labelled {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly count: number;
  readonly label: string;
  readonly violation: boolean;
}

/** The place of a label: its left end, and the line that its letters stand on. */
export interface Place<T> {
  readonly of: T;
  readonly x: number;
  readonly y: number;
}

/** Where along an arrow a label is tried, the best first. */
const SHARES = [0.5, 0.38, 0.62, 0.26, 0.74];
const LETTER = 7; // px wide
const ABOVE = 11; // px of letters and rim over their line
const BELOW = 3;
const RIM = 3;
/** From an arrow to the label beside it. */
const BESIDE = 7;
/** From so many pixels of height on there is more to see of an arrow than its label and its head. */
const TALL = 42;
/** How much of a pixel stays free beside a label for each bundle in view, and how much at most; above and below it a quarter of that. */
const AIR = 0.4;
const MOST_AIR = 56;

/** Finds places for labels, those of messages that cannot be and then those of more messages first. One that cannot stand there whole is left out. */
export function placeCounts<T extends Labelled>(arrows: readonly T[], width: number): Place<T>[] {
  const out: Place<T>[] = [];
  const bands = new Map<number, { from: number; to: number; y: number }[]>();
  const air = Math.min(MOST_AIR, AIR * arrows.filter((a) => Math.max(a.x0, a.x1) >= 0 && Math.min(a.x0, a.x1) <= width).length);
  const height = ABOVE + BELOW + air / 4;
  const place = (of: T, x: number, y: number): boolean => {
    const [from, to] = [x - RIM, x + LETTER * of.label.length + RIM];
    if (from < 0 || to > width) return false;
    const band = Math.floor(y / height);
    const taken = (k: number) => bands.get(k)?.some((b) => from < b.to + air && b.from < to + air && Math.abs(y - b.y) < height);
    if (taken(band) || taken(band - 1) || taken(band + 1)) return false;
    const known = bands.get(band);
    if (known) known.push({ from, to, y });
    else bands.set(band, [{ from, to, y }]);
    out.push({ of, x, y });
    return true;
  };
  for (const of of [...arrows].sort((a, b) => Number(b.violation) - Number(a.violation) || b.count - a.count))
    for (const share of SHARES) {
      const [x, y] = [of.x0 + (of.x1 - of.x0) * share, of.y0 + (of.y1 - of.y0) * share + 4];
      const wide = LETTER * of.label.length;
      if (Math.abs(of.y1 - of.y0) >= TALL && place(of, x - wide / 2, y)) break;
      if (place(of, x + BESIDE, y) || place(of, x - BESIDE - wide, y)) break;
    }
  return out;
}
