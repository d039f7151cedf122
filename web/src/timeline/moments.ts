// Which moment is looked at: under the pointer or, without one, of what is selected; where a list of events begins; and how it lies to the mark.

import { orderOfEnds, type Order } from "../events/order.js";
import type { Bounds } from "../model/set.js";
import type { HostInfo } from "../net/json.js";
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

  /** The moment that keys mark, and select up to: what keys chose last, else what is pointed at, else what is chosen; of what is seen of it, the begin. */
  meant(): Pointed | null {
    const { cursor } = this.c.view;
    const keyed = this.keyed === "moment" ? (this.seen ?? this.chosen) : null;
    return keyed ?? (cursor === null ? (this.seen ?? this.chosen) : this.pointed());
  }

  /** A state or a message, or a stretch of time, was chosen by keys or the name of a row: it is what is looked at until the pointer moves, wherever that rests. */
  byKey(what: "moment" | "stretch"): void {
    this.keyed = what;
  }

  /** The pointer moved, or another way led to a time. */
  elsewhere(): void {
    this.keyed = null;
  }

  /** Where a list of what happened begins: at the time that is looked at or, where nothing is pointed at or chosen in sight, with the window. */
  first(): Ns {
    return this.looked()?.t ?? this.c.view.window.begin;
  }

  /** The time that is looked at: that of what keys chose last, under the cursor, at the begin of the selection, or where the chosen message or the selected
   * state begins, whichever was the last, as far as it is in sight; else in the middle of the window, or nearest to that where something is recorded. */
  moment(): bigint {
    return this.found().t;
  }

  /** That moment and the host that is looked at or, where no host is, one that recorded then; null for none. */
  found(): Pointed {
    const { window } = this.c.view;
    const at = this.looked();
    if (!at) return this.recorded(timeAt(window, 0.5), { begin: window.begin, end: endOf(window) });
    return at.host === null ? this.recorded(at.t, { begin: at.t, end: at.t + 1n }) : at;
  }

  // Before what others recorded goes what the host did whose state is looked at: that of the selected row, the one that was looked at before, the reference.
  private recorded(t: Ns, within: Bounds): Pointed {
    const { set, view: { row, raw, state } } = this.c;
    const rank = (h: HostInfo) => (h.index === row?.host ? 0 : h.name === state.host ? 1 : h.reference ? 2 : 3);
    const hosts = [...set.hosts].sort((a, b) => rank(a) - rank(b)).map((h) => h.index);
    return set.recordedNear(t, within, hosts, raw);
  }

  private looked(): Pointed | null {
    const { cursor, selection } = this.c.view;
    const { seen } = this;
    const stretch = selection && { host: null, t: selection.begin };
    if (this.keyed === "moment" && seen) return seen;
    if (this.keyed === "stretch" && stretch) return stretch;
    return cursor !== null ? { host: this.pointer.host, t: cursor } : (stretch ?? seen);
  }

  // Where what is chosen begins or, if that was before, the window; null where that shows nothing of it.
  private get seen(): Pointed | null {
    const { window } = this.c.view;
    const { chosen } = this;
    const end = (this.begins ? chosen?.t : this.flow.chosen?.end) ?? null;
    if (!chosen || end === null || chosen.t >= endOf(window) || end < window.begin) return null;
    return chosen.t < window.begin ? { ...chosen, t: window.begin } : chosen;
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
