// Finding messages that are looked for by themselves: one that another page or the address leads to, the picked one by
// other clocks, and those of a bundle one by one.

import { VIEWS } from "../net/views.js";
import type { MessagesAnswer } from "../net/wire.js";
import type { Context } from "./controlflow.js";
import { eachOf } from "./eachof.js";
import type { Picked } from "./picked.js";
import type { Picking } from "./picking.js";
import { single, type Single, type Trial } from "./single.js";
import { manyIn, seek, type Sought } from "./sought.js";

export class Finding {
  /** A message that was looked for is there, and picked; wanted if it is to be gone to. */
  onFound: (m: Picked, wanted: boolean) => void = () => {};
  /** A message that was to be gone to is not there. */
  onLost: () => void = () => {};

  /** trial is what drawing a window would draw. */
  constructor(private readonly c: Context, private readonly picking: Picking, private readonly trial: Omit<Trial, "chosen">) {}

  /** Picks a message, or several. They are asked for by themselves, for where there are many what is drawn has them in a bundle, maybe with others. */
  find(m: Sought, wanted: boolean): void {
    this.picking.pick(null);
    this.sought(VIEWS.sought, m, (answer) => {
      const found = this.picking.find(answer, m);
      if (!found && wanted) this.onLost();
      if (!found) return;
      this.picking.pick(found);
      this.onFound(found, wanted);
      this.picking.await(m);
      this.c.schedule();
    });
  }

  /** Tells of a message with its threads, where those are known. */
  withThreads(m: Sought, found: (p: Picked) => void): void {
    this.sought(VIEWS.sought, m, (answer) => {
      const p = this.picking.find(answer, m);
      if (p) found(p);
    });
  }

  /** Tells of the picked message, or of several, by the clocks that are in force now, where it is found by them. */
  renew(m: Sought, found: (p: Picked) => void): void {
    const was = this.picking.picked;
    this.sought(VIEWS.renewed, m, (answer) => {
      const p = this.picking.picked === was ? this.picking.find(answer, m) : null;
      if (!p) return;
      this.picking.pick(p);
      this.picking.await(m);
      found(p);
      this.c.schedule();
    });
  }

  // Asks once for what is sought; use has the answer if times are still the same.
  private sought(as: number, m: Sought, use: (answer: MessagesAnswer) => void): void {
    const { view, live } = this.c;
    const { time } = view;
    live.ask(as, seek(m, time), (answer) => {
      live.drop(as);
      if (answer.kind === "messages" && time === view.time) use(answer);
    });
  }

  /** Looks for the widest window, from the first message of the picked bundle on, in which those of its messages that it shows are drawn one by one; that
   * of now where it has all of them so. */
  single(found: (s: Single) => void): void {
    const [p, m] = [this.picking.picked, this.picking.sought()];
    if (!p?.ends || !m?.many) return;
    single(p.ends, this.picking.arrow ? null : this.c.view.window, {
      ...this.trial,
      chosen: (a) => new Set(manyIn(a, m, m.many!, (id) => this.c.rows.get(id), true).places),
    }, found);
  }

  /** Asks for the messages of the picked bundle, by time of sending; none where there are too many to be told one by one. */
  each(found: (all: Picked[]) => void): void {
    const m = this.picking.sought();
    if (!m?.many) return found([]);
    this.eachIn(VIEWS.sought, m, found);
  }

  /** The same of a bundle that is not picked itself. */
  eachOf(m: Sought, found: (all: Picked[]) => void): void {
    this.eachIn(VIEWS.bundle, m, found);
  }

  private eachIn(as: number, m: Sought, found: (all: Picked[]) => void): void {
    this.sought(as, m, (answer) => found(eachOf(answer, manyIn(answer, m, m.many!, (id) => this.c.rows.get(id)).places)));
  }
}
