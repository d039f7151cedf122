// How well answers fit a picture: worked out once for each answer, not for each row that it has.

import type { StatesAnswer } from "../net/wire.js";
import { behind, stepFor, type Window } from "../time/window.js";
import type { Sight } from "./tiles.js";

/** What all rows of a picture have in common: how they are seen, and where the set lies, ns after the begin of the window. */
export interface Scene {
  readonly window: Window;
  readonly bounds: Sight["bounds"];
  readonly pixels: number;
  readonly time: string;
  readonly version: number;
  readonly level: number;
  readonly first: number;
  readonly last: number;
}

/** An answer, and what it is in the scene that it was staged for: where it lies, ns after the begin of the window, and its rank, the less the better. */
export interface Staged {
  readonly answer: StatesAnswer;
  readonly level: number; // the binary logarithm of the ns of a column
  readonly time: string;
  readonly came: number; // later ones have a greater one
  scene: Scene | null;
  from: number;
  to: number;
  rank: number;
}

/** The scene of a sight with clock maps of a version: the last one where nothing is other. */
export function sceneOf({ window, bounds, pixels, time }: Pick<Sight, "window" | "bounds" | "pixels" | "time">, version: number, x: Scene | null): Scene {
  if (x && x.window === window && x.pixels === pixels && x.time === time && x.version === version && x.bounds.begin === bounds.begin && x.bounds.end === bounds.end) return x;
  const first = bounds.begin > window.begin ? bounds.begin : window.begin;
  const last = bounds.end < behind(window) ? bounds.end : behind(window);
  return { window, bounds, pixels, time, version, level: Math.log2(stepFor(window, pixels)), first: Number(first - window.begin), last: Number(last - window.begin) };
}

/** An answer by older clock maps is as good as one by the newest that is so many levels coarser: the maps move it by little, and one of
 * the whole set, which may come first, would show nothing of what is in sight until the right one lands. */
const SUPERSEDED = 103;

/** Stages an answer. The right level comes first, then finer ones, then coarser ones, from a hundred on. */
export function stage(k: Staged, scene: Scene): void {
  const { level, window } = scene;
  k.scene = scene;
  k.from = Number(k.answer.begin - window.begin);
  k.to = Number(k.answer.end - window.begin);
  k.rank = (k.level === level ? 0 : k.level < level ? 1 + level - k.level : 100 + k.level - level) + (k.time !== scene.time ? 2000 : k.answer.clocks.version >= scene.version ? 0 : SUPERSEDED);
}

/** The order of staged answers, the best first. */
export function compare(a: Staged, b: Staged): number {
  return a.rank - b.rank || b.answer.gen - a.answer.gen || b.came - a.came;
}
