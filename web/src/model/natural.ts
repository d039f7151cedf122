// The order of names on the page, which is the server's: as people count, node-2 before node-10.

/** Compares two names, or two lists of names one by one; only equal ones are equal. Digits that follow each other count as one number, of any
 * length, and everything else by its code; of names that differ only in zeros ahead of a number the plain order decides. */
export function byName(a: string | readonly string[], b: string | readonly string[]): number {
  if (typeof a === "string" && typeof b === "string") return ofNames(a, b, true) || ofNames(a, b, false);
  const [x, y] = [[a].flat(), [b].flat()];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const c = byName(x[i], y[i]);
    if (c !== 0) return c;
  }
  return Math.sign(x.length - y.length);
}

// Without numbers digits count as everything else does.
function ofNames(a: string, b: string, numbers: boolean): number {
  for (let i = 0, j = 0; ; ) {
    if (i >= a.length || j >= b.length) return Math.sign(a.length - i - (b.length - j));
    const [m, n] = numbers ? [digitsFrom(a, i), digitsFrom(b, j)] : [i, j];
    if (m > i && n > j) {
      const [p, q] = [a.slice(i, m).replace(/^0+/, ""), b.slice(j, n).replace(/^0+/, "")];
      if (p !== q) return p.length !== q.length ? Math.sign(p.length - q.length) : p < q ? -1 : 1;
      [i, j] = [m, n];
      continue;
    }
    const [x, y] = [a.codePointAt(i)!, b.codePointAt(j)!];
    if (x !== y) return Math.sign(x - y);
    const wide = x > 0xffff ? 2 : 1;
    [i, j] = [i + wide, j + wide];
  }
}

// Where the digits end that begin at a place; the place itself where there are none.
function digitsFrom(s: string, at: number): number {
  while (at < s.length && s[at] >= "0" && s[at] <= "9") at++;
  return at;
}
