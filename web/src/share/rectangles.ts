// A picture of pixels as rectangles of one colour each: what bars were drawn into it, found again.

export interface Rectangle {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  y1: number;
  readonly color: number;
}

/** The rectangles that make a picture of width * height words. The first is the whole of it in its most frequent
 * colour; the others are runs of pixels of a line, joined with the same run of the line above. */
export function rectangles(words: Uint32Array, width: number, height: number): Rectangle[] {
  const ground = mostFrequent(words);
  const out: Rectangle[] = [{ x0: 0, y0: 0, x1: width, y1: height, color: ground }];
  let above = new Map<string, Rectangle>();
  for (let y = 0; y < height; y++) {
    const line = new Map<string, Rectangle>();
    for (let x = 0; x < width; ) {
      const color = words[y * width + x];
      let end = x + 1;
      while (end < width && words[y * width + end] === color) end++;
      if (color !== ground) {
        const key = `${x} ${end} ${color}`;
        const known = above.get(key);
        const r = known ?? { x0: x, y0: y, x1: end, y1: y, color };
        r.y1 = y + 1;
        if (!known) out.push(r);
        line.set(key, r);
      }
      x = end;
    }
    above = line;
  }
  return out;
}

function mostFrequent(words: Uint32Array): number {
  const counts = new Map<number, number>();
  for (const w of words) counts.set(w, (counts.get(w) ?? 0) + 1);
  let [best, most] = [0, -1];
  for (const [w, n] of counts) if (n > most) [best, most] = [w, n];
  return best;
}
