// Which of many fits are shown where there is no room for all: the best, and of those that fit alike some of every host.

interface Fitting {
  readonly host: number;
  readonly score: number;
}

/** The first so many of a list that begins with the best, in its order: of those that fit alike each host has as many as the others, if it has so many. */
export function shared<T>(sorted: readonly T[], most: number, of: (one: T) => Fitting): T[] {
  if (sorted.length <= most) return [...sorted];
  const turns = new Map<string, number>();
  const ranked = sorted.map((one, place) => {
    const { host, score } = of(one);
    const turn = turns.get(`${host} ${score}`) ?? 0;
    turns.set(`${host} ${score}`, turn + 1);
    return { one, place, score, turn };
  });
  ranked.sort((a, b) => b.score - a.score || a.turn - b.turn || a.place - b.place);
  return ranked.slice(0, Math.max(0, most)).sort((a, b) => a.place - b.place).map((r) => r.one);
}
