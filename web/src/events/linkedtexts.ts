// What is typed into the filters of events and has times by the clock of the reference: each goes along when another host becomes that, and
// when the page was opened by a link that was made under another one, until somebody types there.

import type { SetModel } from "../model/set.js";
import { asksTime } from "../model/wheretimes.js";
import { LinkedStretch } from "./linkedstretch.js";
import { LinkedWhere } from "./linkedwhere.js";

/** The filters that have such times. */
interface Filters {
  during: string;
  where: string;
}

interface Text {
  readonly by: string;
  holds(now: string): boolean;
  told(set: SetModel): string;
}

const FIELDS = ["during", "where"] as const;
type Field = (typeof FIELDS)[number];

export class LinkedTexts {
  private held: Partial<Record<Field, Text>> = {};
  private brought: readonly Text[] = [];

  /** A link was opened; by is the reference that it was made under, "" for none. */
  follow(by: string, events: Filters): void {
    this.held = {};
    if (by) this.hold(by, events);
    this.brought = Object.values(this.held);
  }

  /** What is typed now is by the clock of a host, and goes along when another one becomes the reference. */
  hold(by: string, events: Filters): void {
    if (events.during) this.held.during ??= new LinkedStretch(by, events.during);
    if (asksTime(events.where)) this.held.where ??= new LinkedWhere(by, events.where);
  }

  /** Lets go what is not there any more, and tells whether anything was. */
  keep(raw: boolean, events: Filters): boolean {
    const before = Object.keys(this.held).length;
    for (const field of FIELDS) if (raw || !this.held[field]?.holds(events[field])) delete this.held[field];
    return Object.keys(this.held).length < before;
  }

  /** The reference that the link was made under which brought what is there still; undefined for none. */
  get by(): string | undefined {
    return this.brought.find((t) => Object.values(this.held).includes(t))?.by;
  }

  /** Writes all of it by the clocks of now. */
  tell(set: SetModel, events: Filters): void {
    for (const field of FIELDS) {
      const text = this.held[field];
      if (text) events[field] = text.told(set);
    }
  }
}
