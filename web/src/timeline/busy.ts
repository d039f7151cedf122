// Which rows run in the window, or want to: the server tells, by the exact time that each thread spent in each state there.

import { VIEWS } from "../net/views.js";
import type { ListingAnswer, Message } from "../net/wire.js";
import type { Context } from "./controlflow.js";
import { ListedInView } from "./listed.js";

export class Busy {
  known = false;
  private told: ReadonlySet<number> = new Set();
  private readonly listed: ListedInView;

  constructor(private readonly c: Context, private readonly onChange: () => void) {
    this.listed = new ListedInView(c, VIEWS.busy, (m) => this.take(m));
  }

  /** Whether a row runs or wants to: until another answer is there, as the one before has it. */
  is(id: number): boolean {
    return this.told.has(id);
  }

  reset(): void {
    this.pause();
    this.known = false;
    this.told = new Set();
  }

  /** Times are others: what is known stays until it is known anew, whatever is answered of the times that there were. */
  retime(): void {
    this.listed.retime();
  }

  /** Asks anew where window, time or the number of rows changed, once they have settled. */
  request(): void {
    if (this.c.view.busyOnly) this.listed.request({ op: "measure", by: "busy" }, !this.known);
    else this.pause();
  }

  /** Stops asking; what is known stays. */
  pause(): void {
    this.listed.pause();
  }

  private take(m: Message): void {
    if (m.kind === "error") this.c.live.onError(m.body.message);
    if (m.kind !== "listing") return;
    const now = this.busyIn(m);
    if (this.known && now.size === this.told.size && [...now].every((id) => this.told.has(id))) return;
    this.told = now;
    this.known = true;
    this.onChange();
  }

  // The rows at the end are those of which nothing is known yet: they stay as they were.
  private busyIn(m: ListingAnswer): Set<number> {
    const sure = m.rows.length - m.unsure;
    return new Set([...m.rows.subarray(0, sure), ...m.rows.subarray(sure).filter((id) => this.told.has(id))]);
  }
}
