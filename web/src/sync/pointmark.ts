// The point of a link's plot that is spoken of: the one under the mouse, or gone to by keys. Told in words, with a ring
// around it; Enter leads to its message, as a click does.

import type { Palette } from "../draw/palette.js";
import type { LinkInfo, Points } from "../net/json.js";
import { about, parseNs, seconds, type Ns } from "../time/time.js";
import type { Paper } from "./paper.js";
import type { PlotTimes } from "./plottimes.js";

/** How long a message was on its way, by the estimate of its link alone, which points are drawn around, and by the clock in force, as everywhere else; the way of a
 * point from that to the other is what the line of it, [time, ns above the estimate], has there. */
export function latencyWords([t, v, direction]: readonly [number, number, number], force: readonly (readonly [number, number])[]): string {
  const took = (ns: number) => about(direction === 0 ? ns : -ns);
  if (force.length === 0) return `, latency ${took(v)} by the estimate`;
  const i = Math.max(1, force.findIndex(([at]) => at >= t));
  const [[from, low], [to, high]] = force.length === 1 ? [force[0], force[0]] : [force[i - 1], force[i]];
  const there = to > from ? low + ((high - low) * Math.min(1, Math.max(0, (t - from) / (to - from)))) : low;
  return `, latency ${took(v)} by the estimate of the link alone, ${took(v - there)} by the clock in force`;
}

export class PointMark {
  // When it was sent or received by the clock of the link's first host, and which way it went.
  private message: { at: Ns; direction: number } | null = null;
  private place = -1; // of it in of
  private of: Points | null = null;
  /** A key wanted a message where none is on the paper. */
  private none = false;

  constructor(el: HTMLElement, private readonly paper: () => Paper | null, private readonly changed: () => void, private readonly find: (i: number) => void) {
    el.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const act = this.keys[e.key];
      if (!act) return;
      e.preventDefault();
      e.stopPropagation();
      act();
    });
  }

  private readonly keys: Record<string, () => void> = {
    ".": () => this.step(1),
    ",": () => this.step(-1),
    Enter: () => this.find(this.marked()),
    Escape: () => this.mark(-1),
  };

  /** Marks the point at a place in those of the paper; none for -1. */
  mark(i: number): void {
    if (i === this.marked() && !this.none) return;
    this.none = false;
    const p = this.paper()?.told ?? null;
    const point = p?.points?.[i];
    const begin = parseNs(p?.begin);
    this.message = point && begin !== null ? { at: begin + BigInt(point[0]), direction: point[2] } : null;
    [this.place, this.of] = [this.message ? i : -1, p];
    this.changed();
  }

  /** The place of what is marked in the points of the paper, also when they came anew since; -1 where nothing is, or it is not among them. */
  private marked(): number {
    const p = this.paper()?.told ?? null;
    if (p === this.of) return this.place;
    const begin = parseNs(p?.begin);
    const { message } = this;
    const at = message && begin !== null ? Number(message.at - begin) : null;
    this.place = at === null ? -1 : (p?.points ?? []).findIndex(([t, , direction]) => t === at && direction === message?.direction);
    this.of = p;
    return this.place;
  }

  // The next message in time of those on the paper, the first from its middle on.
  private step(by: 1 | -1): void {
    const paper = this.paper();
    if (!paper) return;
    const points = paper.p.points ?? [];
    const order = paper.shown().sort((i, j) => points[i][0] - points[j][0] || i - j);
    if (order.length === 0) {
      this.mark(-1);
      this.none = true;
      return this.changed();
    }
    const now = order.indexOf(this.marked());
    const middle = paper.from + paper.span / 2;
    const first = by > 0 ? order.findIndex((i) => points[i][0] >= middle) : order.findLastIndex((i) => points[i][0] <= middle);
    const next = now >= 0 ? now + by : first >= 0 ? first : by > 0 ? order.length - 1 : 0;
    if (next >= 0 && next < order.length) this.mark(order[next]);
  }

  /** Where what is marked is, as a share of the paper's width; its middle where nothing on it is. */
  share(): number {
    const paper = this.paper();
    const point = paper?.p.points?.[this.marked()];
    const share = paper && point ? (point[0] - paper.from) / paper.span : 0.5;
    return share >= 0 && share <= 1 ? share : 0.5;
  }

  /** What is marked, in words; "" where nothing is. Of a link without an estimate the distance means nothing. */
  words(l: LinkInfo | null, times: PlotTimes | null): string {
    const i = this.marked();
    const point = this.of?.points?.[i];
    if (l && this.none && i < 0 && this.paper()?.shown().length === 0) return "no message in this part; minus shows more, 0 all";
    if (!l || !point || !this.message || !times) return "";
    const [, , direction] = point;
    const way = direction === 0 ? `${l.a} → ${l.b}` : `${l.b} → ${l.a}`;
    const apart = this.of?.midline === false ? "" : latencyWords(point, this.of?.force ?? []);
    return `message ${way} at ${seconds(times.told(this.message.at))}${apart}; Enter or a click shows it`;
  }

  draw(g: CanvasRenderingContext2D, palette: Palette): void {
    const [paper, i] = [this.paper(), this.marked()];
    const point = paper?.p.points?.[i];
    if (!paper || !point) return;
    g.beginPath();
    g.arc(paper.x(point[0]), paper.y(point[1]), 6, 0, 7);
    g.strokeStyle = palette.css.ink;
    g.lineWidth = 2;
    g.stroke();
  }
}
