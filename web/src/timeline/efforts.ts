// How busy each thread was in the window, for the orders that need it: asked for while such an order
// is chosen.

import { VIEWS } from "../net/views.js";
import type { Message } from "../net/wire.js";
import { measured } from "../model/order.js";
import type { Context } from "./controlflow.js";
import { ListedInView } from "./listed.js";

export class Efforts {
  /** By row: ns on a CPU, or changes of status. Rows that were not busy are left out. Those of another order stay until the new ones are there. */
  readonly of = new Map<number, number>();
  /** The order that these are for, "" for none. */
  held = "";
  /** They were asked for, and no answer came. */
  counting = false;
  private by = "";
  private readonly listed: ListedInView;

  constructor(private readonly c: Context, private readonly onChange: () => void) {
    this.listed = new ListedInView(c, VIEWS.efforts, (m) => this.take(m));
  }

  /** Asks anew where the order, window, time or the number of rows changed. */
  request(): void {
    const { by } = this.c.view.order;
    if (!measured(by)) {
      if (this.by !== "") this.reset();
      return;
    }
    if (!this.listed.request({ op: "measure", by })) return;
    if (by !== this.by) this.counting = true;
    this.by = by;
  }

  reset(): void {
    this.pause();
    this.of.clear();
    this.by = this.held = "";
    this.counting = false;
  }

  /** Times are others: what is known stays until it is known anew. */
  retime(): void {
    this.listed.retime();
  }

  /** Stops asking; what is known stays. */
  pause(): void {
    this.listed.pause();
  }

  private take(m: Message): void {
    if (m.kind === "error") this.c.live.onError(m.body.message);
    this.counting = false;
    if (m.kind === "listing") {
      this.of.clear();
      this.held = this.by;
      m.values.forEach((v, i) => this.of.set(m.rows[i], v));
    }
    this.onChange();
  }
}
