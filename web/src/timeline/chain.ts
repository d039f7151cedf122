// Going on from a state along the chain of what it waited for, and back: each step leaves what was chosen, which comes back with a step back.

import type { Choice } from "../model/trail.js";
import type { Ns } from "../time/time.js";
import { asSender } from "./answerable.js";
import type { Context } from "./controlflow.js";
import type { Follow } from "./follow.js";
import type { Inspector } from "./inspector.js";
import type { Picked } from "./picked.js";
import type { Led, SelectedState } from "./selectedstate.js";

/** Leads from state to state. arrive is told of the row and the time that a step leads to, which is in the window by then. */
export function followChain(c: Context, inspector: Inspector, follow: Follow, state: SelectedState, arrive: (row: number, at: Ns, led?: Led) => void): void {
  const { view } = c;
  let [left, message]: [Choice, Picked | null] = [view.choice, null];
  // What is left has what was chosen there: the message of a step is picked when that arrives.
  const leave = (m: Picked | null) => ([left, message] = [view.choice, m]);
  inspector.onFollow = (row, begin, end, via) => {
    leave(null);
    state.toLongest(row, begin, end, via);
  };
  inspector.onBack = (stop) => {
    leave(null);
    state.back(stop);
  };
  inspector.onSender = (m, begin, whose) => {
    leave(m);
    state.toLongest(whose?.row ?? m.from, asSender(c, m, begin), m.sent, whose?.via ?? null);
  };
  inspector.onThread = (row, at) => {
    follow.bring(at, view.choice);
    arrive(row, at);
  };
  state.onArrive = (row, at, led) => {
    follow.bring(at, left);
    follow.pick(message, "from");
    arrive(row, at, led);
  };
}
