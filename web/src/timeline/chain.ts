// Going on from a state along the chain of what it waited for, and back: each step leaves what was chosen, which comes back with a step back.

import type { Choice } from "../model/trail.js";
import type { Ns } from "../time/time.js";
import type { Context } from "./controlflow.js";
import type { Follow } from "./follow.js";
import type { Inspector } from "./inspector.js";
import type { Led, SelectedState } from "./selectedstate.js";

/** Leads from state to state. arrive is told of the row and the time that a step leads to, and of what it left. */
export function followChain({ view }: Context, inspector: Inspector, follow: Follow, state: SelectedState, arrive: (row: number, at: Ns, led: Led | undefined, left: Choice) => void): void {
  let left = view.choice;
  inspector.onFollow = (row, begin, end) => {
    left = view.choice;
    follow.pick(null);
    state.toLongest(row, begin, end);
  };
  inspector.onBack = (stop) => {
    left = view.choice;
    follow.pick(null);
    state.back(stop);
  };
  inspector.onSender = (m, begin) => {
    left = view.choice;
    follow.pick(m, "from");
    state.toLongest(m.from, begin, m.sent);
  };
  inspector.onThread = (row, at) => arrive(row, at, undefined, view.choice);
  state.onArrive = (row, at, led) => arrive(row, at, led, left);
}
