// Which message or bundle is picked, and where it lies among what is drawn, which has it in other bundles than it was picked in
// as soon as the window is another.

import type { Arrow } from "../draw/gather.js";
import type { MessagesAnswer } from "../net/wire.js";
import { near } from "../time/time.js";
import type { Context } from "./controlflow.js";
import { gathered, pickedAt, type Picked } from "./picked.js";
import { manyIn, soughtBy, soughtIn, type Sought } from "./sought.js";

/** What is drawn: an answer, and its arrows. */
export interface Drawn {
  readonly answer: MessagesAnswer | null;
  readonly arrows: readonly Arrow[];
}

export class Picking {
  private now: Picked | null = null;
  /** Several messages that are looked for, until they are found as they are drawn. */
  private seeking: Sought | null = null;

  constructor(private readonly c: Context, private readonly drawn: () => Drawn) {}

  get picked(): Picked | null {
    return this.now;
  }

  pick(p: Picked | null): void {
    this.now = p;
    this.seeking = null;
  }

  /** What is looked for, in an answer that has it by itself; several messages as they are drawn, where they are drawn as one bundle or as soon as they are. Null for nothing. */
  find(a: MessagesAnswer, m: Sought): Picked | null {
    const { answer } = this.drawn();
    const arrow = this.arrowOf(m);
    return answer && arrow ? this.of(answer, arrow) : m.many ? this.several(a, m) : this.one(a, m);
  }

  /** Several messages are picked that are not drawn as one bundle: they may be soon. */
  await(m: Sought): void {
    if (m.many && !this.arrowOf(m)) this.seeking = m;
  }

  /** What was waited for, once it is drawn; null for nothing. */
  settled(): Picked | null {
    const { answer } = this.drawn();
    const arrow = this.seeking && this.arrowOf(this.seeking);
    return answer && arrow ? this.of(answer, arrow) : null;
  }

  /** What is drawn as an arrow. */
  of(a: MessagesAnswer, arrow: Arrow): Picked {
    const { rows } = this.c;
    // The rows that all members of a bundle have in common: a thread's, else its host's.
    const common = (of: Uint32Array) => {
      const id = of[arrow.index];
      if (arrow.members.every((i) => of[i] === id)) return id;
      const row = rows.get(id);
      return (row && rows.hostRow(row.host)) ?? id;
    };
    return gathered(a, arrow.members, common(a.from), common(a.to));
  }

  /** The bundle that has the picked messages and no others; null where they are drawn otherwise. */
  get arrow(): Arrow | null {
    const m = this.now?.bundle ? this.sought() : null;
    return m && this.arrowOf(m);
  }

  /** The places of what is drawn where picked messages are alone. */
  places(): ReadonlySet<number> {
    const a = this.drawn().answer;
    if (!a || !this.now) return new Set();
    if (!this.now.bundle) return new Set([this.index(a)].filter((i) => i >= 0));
    const m = this.sought();
    return new Set(this.arrow?.members ?? (m?.many ? manyIn(a, m, m.many, this.row).places : []));
  }

  /** The picked bundle as it is looked for; null where the clocks of its hosts are not known, and for none. */
  sought(): Sought | null {
    const { message } = this.c.view;
    const m = message && soughtBy(message, this.c);
    return m?.many ? m : null;
  }

  /** The place of the picked message, or the first of several, in an answer, where times may have moved a little; -1 for none. */
  index(a: MessagesAnswer): number {
    const p = this.now;
    if (!p) return -1;
    let best = -1;
    let nearest = Infinity;
    for (let i = 0; i < a.count; i++) {
      if (a.from[i] !== p.first.from || a.to[i] !== p.first.to) continue;
      const d = Math.abs(Number(p.first.sent - a.base) - a.sent[i]);
      if (d < nearest) {
        nearest = d;
        best = i;
      }
    }
    return nearest < this.c.view.window.span ? best : -1;
  }

  private readonly row = (id: number) => this.c.rows.get(id);

  private one(a: MessagesAnswer, m: Sought): Picked | null {
    const i = soughtIn(a, m, (id) => this.c.rows.get(id)?.host);
    return i < 0 ? null : pickedAt(a, i);
  }

  private several(a: MessagesAnswer, m: Sought): Picked | null {
    const { rows } = this.c;
    const { places, rough } = manyIn(a, m, m.many!, this.row, true);
    const row = (host: number, tid: number) => (tid < 0 ? undefined : rows.find(host, tid)) ?? rows.hostRow(host);
    const [from, to] = [row(m.from, m.many!.fromTid), row(m.to, m.many!.toTid)];
    return places.length === 0 || from === undefined || to === undefined ? null : gathered(a, places, from, to, rough);
  }

  // The bundle that is drawn of the very messages that are looked for; null where they are drawn otherwise.
  private arrowOf(m: Sought): Arrow | null {
    const { answer: a, arrows } = this.drawn();
    if (!a || !m.many) return null;
    const inside = new Set(manyIn(a, m, m.many, this.row).places);
    for (const arrow of arrows) {
      if (!arrow.bundle || !arrow.members.every((i) => inside.has(i))) continue;
      const { ends } = this.of(a, arrow);
      if (ends && near(ends.sentFirst, m.sent) && near(ends.sentLast, m.many.sentLast) && near(ends.receivedFirst, m.received) && near(ends.receivedLast, m.many.receivedLast)) return arrow;
    }
    return null;
  }
}
