// How much the CPUs of each host were used in the window, as the server adds it up: exact, however little of the window was recorded. Shares of
// pixels leave too much open for that, see Use in draw.ts.

import type { Message } from "../net/wire.js";
import { VIEWS } from "../net/views.js";
import { same, type Window } from "../time/window.js";
import type { Context } from "../timeline/controlflow.js";
import { ListedInView } from "../timeline/listed.js";
import type { Use } from "./draw.js";

export class Used {
  private readonly shares = new Map<number, number>(); // by row
  /** What they are the shares of; null once times are others. */
  private of: { readonly window: Window; readonly time: string } | null = null;
  private readonly listed: ListedInView;

  constructor(private readonly c: Context) {
    this.listed = new ListedInView(c, VIEWS.used, (m, window, time) => this.take(m, window, time));
  }

  /** The use of a host of which pixels show so much. Until the window is added up, that of the one before stands where it may be that of this as well. */
  exactly(id: number, shown: Use): Use {
    const { view } = this.c;
    const share = this.shares.get(id);
    if (share === undefined) return shown;
    const known = this.of !== null && this.of.time === view.time && same(this.of.window, view.window);
    return known || (share >= shown.least && share <= shown.most) ? { least: share, most: share } : shown;
  }

  /** Asks anew where the window or time is another, once they have settled. */
  request(): void {
    this.listed.request({ op: "measure", by: "use" });
  }

  /** Stops asking; what is known stays. */
  pause(): void {
    this.listed.pause();
  }

  reset(): void {
    this.pause();
    this.shares.clear();
  }

  /** Times are others: what is known is of none of them. */
  retime(): void {
    this.listed.retime();
    this.of = null;
  }

  private take(m: Message, window: Window, time: string): void {
    if (m.kind === "error") this.c.live.onError(m.body.message);
    if (m.kind !== "listing") return;
    this.of = { window, time };
    this.shares.clear();
    m.values.forEach((share, i) => this.shares.set(m.rows[i], share));
    this.c.schedule();
  }
}
