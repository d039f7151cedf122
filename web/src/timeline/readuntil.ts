// Up to when each host is read, as far as what is drawn tells: an answer may be older than what is known of the import, also at its very end, when
// all is read and what is drawn does not show that yet. What lies behind is covered.

import { EMPTY, type Strip } from "../draw/columns.js";
import { drawVeil } from "../draw/veil.js";
import { maxNs, minNs, parseNs, type Ns } from "../time/time.js";
import { endOf, shareOf, timeAt, type Window } from "../time/window.js";
import type { Context } from "./controlflow.js";
import type { Pane } from "./pane.js";

export class ReadUntil {
  /** Up to when each host was read when the last answer came, its own time; null before any came. */
  private told: Map<string, Ns | null> | null = null;
  /** The hosts that were still read then, if more could come than that answer tells. */
  private open = new Set<string>();
  /** Up to when something is drawn of hosts that are still read, in the time of the view. */
  private readonly drawn = new Map<number, Ns>();

  constructor(private readonly c: Pick<Context, "set" | "view" | "palette">) {}

  /** Forgets the answers. */
  reset(): void {
    this.told = null;
    this.open.clear();
    this.drawn.clear();
  }

  /** An answer about what is on screen came: it tells at least of what was known to be read. complete says that nothing can come any more. */
  take({ complete }: { readonly complete: boolean }): void {
    const { set } = this.c;
    this.told = new Map(set.hosts.map((x) => [x.name, parseNs(x.local_end)]));
    this.open = new Set(complete ? [] : set.hosts.filter((x) => set.unread(x.index)).map((x) => x.name));
  }

  // Whether there is, or may be, more of a host than what is drawn tells.
  private unread(host: number): boolean {
    const { set } = this.c;
    const info = set.host(host);
    return set.unread(host) || (info?.state === "done" && set.info?.state !== "failed" && this.open.has(info.name));
  }

  /** Rows are drawn anew, each of which is noted. */
  begin(): void {
    this.drawn.clear();
  }

  /** A row of a host lies in a strip over a window. */
  note(host: number | undefined, strip: Strip, window: Window): void {
    if (host === undefined || !this.unread(host)) return;
    let px = strip.pixels;
    while (px > 0 && strip.state[px - 1] === EMPTY) px--;
    if (px > 0) this.drawn.set(host, maxNs(this.drawn.get(host) ?? window.begin, timeAt(window, px / strip.pixels)));
  }

  /** From when on nothing is told of a host, in the time of the view; null where all of it is read. */
  of(host: number): Ns | null {
    const { set, view } = this.c;
    if (!this.unread(host)) return null;
    const e = set.extent(host, view.raw);
    if (!e) return minNs(view.window.begin, view.bounds?.begin ?? view.window.begin);
    if (!this.told) return e.end;
    const local = this.told.get(set.host(host)!.name) ?? null;
    const told = local === null ? e.begin : ((view.raw ? local : set.toReference(host, local)) ?? e.end);
    return minNs(e.end, maxNs(told, this.drawn.get(host) ?? told));
  }

  /** Whether of any of these hosts, null for all, a part of the window is not read yet. */
  lacks(hosts: readonly number[] | null): boolean {
    const end = endOf(this.c.view.window);
    return (hosts ?? this.c.set.hosts.map((x) => x.index)).some((host) => (this.of(host) ?? end) < end);
  }

  /** Covers what is not read of the rows of a pane, over a canvas of W by H pixels, so many to one of CSS; hostOf tells whose a row is. */
  cover(g: CanvasRenderingContext2D, pane: Pane, W: number, H: number, ratio: number, hostOf: (row: number) => number | undefined): void {
    const { set, view, palette } = this.c;
    if (!set.importing && this.open.size === 0) return;
    const [first, last] = pane.visible();
    for (let i = first, next = first; i < last; i = next) {
      const host = hostOf(pane.rows[i].id);
      for (next = i + 1; next < last && hostOf(pane.rows[next].id) === host; ) next++;
      const from = host === undefined ? null : this.of(host);
      const [y0, y1] = [i, next].map((k) => Math.min(H, Math.max(0, pane.topOf(k) * ratio)));
      if (from !== null) drawVeil(g, Math.max(0, shareOf(view.window, from) * W), W, y0, y1, ratio, palette.css.line);
    }
  }
}
