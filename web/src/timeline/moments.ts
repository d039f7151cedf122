// Which moment is looked at: under the pointer or, without one, of what is selected; where a list of events begins; and how it lies to the mark.

import { orderOfEnds, type Order } from "../events/order.js";
import type { Ns } from "../time/time.js";
import { endOf, timeAt } from "../time/window.js";
import type { Context, ControlFlow } from "./controlflow.js";
import type { Follow } from "./follow.js";
import type { Mark, Pointed } from "./mark.js";
import type { Pointer } from "./pointer.js";

/** What the ends of a message are called. */
const END_WORDS = { from: "sending", to: "arrival" } as const;

export class Moments {
  /** What was chosen by keys, or by the name of a row, since the pointer moved last. */
  private keyed: "moment" | "stretch" | null = null;

  /** atMessage tells, of a message and a state that are both selected, whether the message was the last. */
  constructor(
    private readonly c: Context, private readonly pointer: Pointer, private readonly flow: ControlFlow, private readonly follow: Follow,
    private readonly mark: Mark, private readonly atMessage: () => boolean,
  ) {}

  /** How what is under the cursor or, without one, what is selected lies to the mark; null where there is nothing to compare. */
  order(): Order | null {
    const { cursor } = this.c.view;
    if (cursor !== null && this.pointer.host === null) return null;
    const end = cursor === null ? this.stands : null;
    const compared = this.mark.compare(this.pointed());
    const lies = compared && end && this.mark.is(this.c.rows.get(end.other.row)?.host ?? null, end.other.t) ? orderOfEnds(compared, end.end === "to") : compared;
    const what = cursor !== null ? "" : end ? `${END_WORDS[end.end]} of the chosen message` : this.begins ? "first sending of the chosen messages" : "begin of the selected state";
    return lies && { ...lies, words: what ? `${what}: ${lies.words}` : lies.words };
  }

  /** The moment under the cursor; without one that of the chosen message or the begin of the
   * selected state, whichever was the last; null for none. */
  pointed(): Pointed | null {
    const { view } = this.c;
    return view.cursor !== null && this.pointer.host !== null ? { host: this.pointer.host, t: view.cursor } : this.chosen;
  }

  /** The moment that keys mark, and select up to: what keys chose last, else what is pointed at. */
  meant(): Pointed | null {
    return (this.keyed === "moment" ? this.chosen : null) ?? this.pointed();
  }

  /** A state or a message, or a stretch of time, was chosen by keys or the name of a row: it is what is looked at until the pointer moves, wherever that rests. */
  byKey(what: "moment" | "stretch"): void {
    this.keyed = what;
  }

  /** The pointer moved, or another way led to a time. */
  elsewhere(): void {
    this.keyed = null;
  }

  /** Where a list of what happened begins: at what keys chose last, else at the cursor, the begin of the selection, the chosen message or the begin of the
   * selected state, or that of the window. What is chosen out of sight does not count. */
  first(): Ns {
    const { cursor, selection, window } = this.c.view;
    const chosen = this.inSight();
    if (this.keyed === "moment" && chosen !== null) return chosen;
    if (this.keyed === "stretch" && selection) return selection.begin;
    return cursor ?? selection?.begin ?? chosen ?? window.begin;
  }

  // Where the chosen message or the selected state, whichever was the last, begins; null where the window shows nothing of it.
  private inSight(): Ns | null {
    const { window } = this.c.view;
    const at = this.begins;
    const { begin, end } = (at ? { begin: at.t, end: at.t } : this.flow.chosen) ?? { begin: null, end: null };
    return begin !== null && begin < endOf(window) && end >= window.begin ? begin : null;
  }

  /** The time that is looked at: at what keys chose last, under the cursor, at the begin of the selection, or in the middle of the window, unless
   * a state is selected in sight that is not there: then where that begins. */
  moment(): bigint {
    const { cursor, selection, window } = this.c.view;
    const { chosen } = this.flow;
    const middle = timeAt(window, 0.5);
    const keyed = this.keyed === "moment" && this.inSight() !== null;
    if (keyed && this.begins) return this.begins.t;
    if (cursor !== null && !keyed && !(this.keyed === "stretch" && selection)) return cursor;
    if (selection && !keyed) return selection.begin;
    const seen = chosen && chosen.end > window.begin && chosen.begin < endOf(window);
    if (!seen || (chosen.begin <= middle && middle < chosen.end)) return middle;
    return chosen.begin < window.begin ? window.begin : chosen.begin;
  }

  private get chosen(): Pointed | null {
    const { rows } = this.c;
    const at = this.begins;
    if (at) return { host: rows.get(at.row)?.host ?? null, t: at.t };
    const { chosen } = this.flow;
    return chosen ? { host: rows.get(chosen.row)?.host ?? null, t: chosen.begin } : null;
  }

  private get stands(): Follow["stands"] {
    return this.last ? this.follow.stands : null;
  }

  // The end of the chosen message where one stands, or where a chosen bundle begins.
  private get begins(): Follow["begins"] {
    return this.last ? this.follow.begins : null;
  }

  // Whether what messages are chosen was chosen last.
  private get last(): boolean {
    return this.atMessage() || !this.flow.chosen;
  }
}
