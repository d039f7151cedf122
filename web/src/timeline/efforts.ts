// How busy each thread was in the window, for the orders that need it: asked for while such an order
// is chosen, anew when the window has settled.

import { VIEWS } from "../net/views.js";
import { measured } from "../model/order.js";
import { endOf } from "../time/window.js";
import type { Context } from "./controlflow.js";

const SETTLE = 220;

export class Efforts {
  /** By row: ns on a CPU, or changes of status. Rows that were not busy are left out. Those of another order stay until the new ones are there. */
  readonly of = new Map<number, number>();
  /** The order that these are for, "" for none. */
  held = "";
  /** They were asked for, and no answer came. */
  counting = false;
  private by = "";
  private asked = "";
  private timer = 0;

  constructor(private readonly c: Context, private readonly onChange: () => void) {}

  /** Asks anew where the order, window, time or the number of rows changed. */
  request(): void {
    const { view, rows } = this.c;
    const by = view.order.by;
    if (!measured(by)) {
      if (this.by !== "") this.reset();
      return;
    }
    if (view.empty || view.tab !== "timeline") return this.pause();
    const key = `${by} ${view.window.begin} ${view.window.span} ${view.time} ${rows.threads}`;
    if (key === this.asked) return;
    const fresh = by !== this.by;
    if (fresh) this.counting = true;
    this.asked = key;
    this.by = by;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(by), fresh ? 0 : SETTLE);
  }

  reset(): void {
    this.pause();
    this.of.clear();
    this.by = this.held = "";
    this.counting = false;
  }

  /** Stops asking; what is known stays. */
  pause(): void {
    clearTimeout(this.timer);
    this.asked = "";
    this.c.live.drop(VIEWS.efforts);
  }

  private ask(by: string): void {
    const { view, live } = this.c;
    live.ask(VIEWS.efforts, { op: "measure", begin: String(view.window.begin), end: String(endOf(view.window)), time: view.time, by }, (m) => {
      if (m.kind === "error") live.onError(m.body.message);
      if (by !== this.by) return;
      this.counting = false;
      if (m.kind === "listing") {
        this.of.clear();
        this.held = by;
        m.values.forEach((v, i) => this.of.set(m.rows[i], v));
      }
      this.onChange();
    });
  }
}
