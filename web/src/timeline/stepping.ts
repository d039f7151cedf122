// Which message, or which bundle of messages, is behind the picked one or before it.

import type { Arrow } from "../draw/gather.js";
import type { MessagesAnswer } from "../net/wire.js";
import { maxNs, minNs, type Ns } from "../time/time.js";
import { shareOf } from "../time/window.js";
import type { Context } from "./controlflow.js";
import { inWindow } from "./inview.js";
import { pickedAt, type Picked } from "./picked.js";
import type { Picking } from "./picking.js";

/** What is at hand: the latest answer, what is drawn of which, and where. */
export interface AtHand {
  readonly answer: MessagesAnswer | null;
  readonly drawn: MessagesAnswer | null;
  readonly arrows: readonly Arrow[];
  readonly width: number;
  /** The row that is selected. */
  readonly selected: number | null;
  /** Whether a row, or that of its host, is listed. */
  listed(row: number): boolean;
}

export class Stepping {
  constructor(private readonly c: Context, private readonly picking: Picking, private readonly now: () => AtHand) {}

  /** The message behind or before the picked one by time of sending. Where none is picked: the one that ended the selected state, else the first in
   * view, rather of the selected thread, and rather from when its state began on; where a bundle is, its first, or the one before that; null at the end.
   * What came in a bundle is passed over. */
  next(by: 1 | -1, ended: Picked | null = null, began: Ns | null = null): Picked | null {
    const { answer: a, selected, listed } = this.now();
    if (!a) return null;
    if (ended) return ended;
    const { begin, end } = inWindow(this.c.view);
    const order = [...a.sent.keys()].filter((i) => a.counts[i] === 1 && listed(a.from[i]) && listed(a.to[i])).sort((x, y) => a.sent[x] - a.sent[y] || x - y);
    const inView = (i: number) => a.sent[i] >= Number(begin - a.base) && a.sent[i] < Number(end - a.base);
    const own = (i: number) => inView(i) && (a.from[i] === selected || a.to[i] === selected);
    const since = (i: number) => own(i) && began !== null && a.received[i] >= Number(began - a.base);
    const find = (is: (i: number) => boolean) => (by > 0 ? order.find(is) : order.findLast(is));
    const m = this.picking.picked;
    const now = m?.bundle ? -1 : order.indexOf(this.picking.index(a));
    let i: number | undefined;
    if (now >= 0) i = order[now + by];
    else if (m?.ends) i = find((k) => (by > 0 ? a.sent[k] >= Number(m.ends!.sentFirst - a.base) : a.sent[k] < Number(m.ends!.sentFirst - a.base)));
    else if (m && m.sent >= begin && m.sent < end) i = find((k) => (a.sent[k] - Number(m.sent - a.base)) * by > 0); // it is in a bundle now
    else i = (by > 0 ? order.find(since) : undefined) ?? find(own) ?? find(inView);
    return i === undefined ? null : pickedAt(a, i);
  }

  /** Whether messages in view are drawn as bundles. */
  get bundled(): boolean {
    return this.now().arrows.some((a) => a.bundle);
  }

  /** Whether messages that were sent after a time, or before it, are in view as bundles. */
  bundledBeyond(t: Ns, by: 1 | -1): boolean {
    const { answer: a } = this.now();
    if (!a) return false;
    const { begin, end } = inWindow(this.c.view);
    const [from, to] = by > 0 ? [maxNs(t + 1n, begin), end] : [begin, minNs(t, end)];
    return a.sent.some((s, i) => a.counts[i] > 1 && s >= Number(from - a.base) && s < Number(to - a.base));
  }

  /** The bundle in view behind the picked one or before it, from left to right; where none is picked the first or the last, or the first behind a picked message or the last before it; null for none. */
  nextBundle(by: 1 | -1): Picked | null {
    const { drawn: a, arrows, width } = this.now();
    const p = this.picking.picked;
    if (!a) return null;
    const order = arrows.filter((x) => x.bundle && x.x0 >= 0 && x.x0 < width).sort((x, y) => x.x0 - y.x0 || x.y0 - y.y0 || x.y1 - y.y1);
    const { arrow } = this.picking;
    const at = arrow ? order.indexOf(arrow) : -1;
    const x = p ? shareOf(this.c.view.window, p.sent) * width : by > 0 ? -Infinity : Infinity;
    const next = at >= 0 ? order[at + by] : by > 0 ? order.find((o) => o.x0 > x) : order.findLast((o) => o.x0 < x);
    return next ? this.picking.of(a, next) : null;
  }
}
