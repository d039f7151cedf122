// What the palette finds of the clocks: every host as the reference, every link to be looked at, left out or taken in.

import type { Choice, Source } from "../commands/finder.js";
import { fit } from "../commands/fuzzy.js";
import type { SetModel } from "../model/set.js";
import type { LinkInfo } from "../net/json.js";
import { candidatesOf } from "./candidates.js";

/** What is done with what was chosen. */
export interface Clockwork {
  /** Whether the clocks can be changed now. */
  readonly ready: boolean;
  /** Makes a host the reference, null for the best one. */
  pin(host: string | null): void;
  turn(l: LinkInfo): void;
  /** Whether a link is left out. */
  out(l: LinkInfo): boolean;
  show(l: LinkInfo): void;
}

/** Hosts and links by what can be done with their clocks. */
export function clockSource(set: SetModel, works: Clockwork): Source {
  return (typed, most) => {
    if (!typed) return [];
    const found: Choice[] = [];
    const offer = (words: string, also: string, why: string, run: () => void) => {
      const fits = fit(typed, words, also);
      if (fits) found.push({ words, kind: "Clocks", why, ...fits, run });
    };
    const wait = works.ready ? "" : "when the import is complete";
    candidatesOf(set).forEach((c) => offer(`Make ${c.name} the reference (pin it)`, "what-if", c.reference ? "in force" : wait, () => works.pin(c.pin)));
    for (const l of set.clocks?.links ?? []) {
      if (l.class === "absent") continue;
      offer(`Show the link ${l.a} – ${l.b}`, "residuals hull points", "", () => works.show(l));
      offer(`${works.out(l) ? "Take in again" : "Leave out"} the link ${l.a} – ${l.b}`, works.out(l) ? "include" : "exclude remove", wait, () => works.turn(l));
    }
    return { choices: found.sort((a, b) => b.score - a.score).slice(0, most), all: found.length };
  };
}
