// Where the counts of bundles stand beside their arrows: none on another.

/** An arrow with its label. */
export interface Labelled {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly count: number;
  readonly label: string;
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
const RIM = 2;

/** Finds places for labels, those of more messages first. One for which there is no room is left out. */
export function placeCounts<T extends Labelled>(arrows: readonly T[], width: number): Place<T>[] {
  const out: Place<T>[] = [];
  const bands = new Map<number, { from: number; to: number; y: number }[]>();
  const height = ABOVE + BELOW;
  for (const of of [...arrows].sort((a, b) => b.count - a.count)) {
    for (const share of SHARES) {
      const x = of.x0 + (of.x1 - of.x0) * share + 7;
      const y = of.y0 + (of.y1 - of.y0) * share + 4;
      const [from, to] = [x - RIM, x + LETTER * of.label.length + RIM];
      if (share !== 0.5 && (from < 0 || to > width)) continue;
      const band = Math.floor(y / height);
      const taken = (k: number) => bands.get(k)?.some((b) => from < b.to && b.from < to && Math.abs(y - b.y) < height);
      if (taken(band) || taken(band - 1) || taken(band + 1)) continue;
      const known = bands.get(band);
      if (known) known.push({ from, to, y });
      else bands.set(band, [{ from, to, y }]);
      out.push({ of, x, y });
      break;
    }
  }
  return out;
}
