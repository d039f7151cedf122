// What the page shows, held to one instant of a host while others become the reference. Each of them gives all times other names, by a map
// of its own, and the maps there and back again are not each other's inverse to the ns. So the place under every reference is asked of
// the same instant, and under the reference that it was found under it is the very time that it was.

import type { Clocks } from "../net/json.js";
import type { Ns } from "../time/time.js";
import { shown } from "./set.js";

/** What a host's own clock showed. */
export interface Instant {
  readonly name: string;
  readonly id: string;
  readonly local: Ns;
}

export class Anchored {
  private stands: Ns;

  /** at is by the clock of the reference; instant is of a host that recorded then, null where none is known. Of a page that shows the whole
   * set and nothing in it, anywhere, at is no place that it could leave. */
  constructor(private readonly reference: string, private readonly at: Ns, private readonly instant: Instant | null, private readonly anywhere: boolean) {
    this.stands = at;
  }

  /** Whether the page, which is at a time now, or shows the whole set, is where it was. */
  holds(now: Ns | null): boolean {
    return this.anywhere ? now === null : now === this.stands;
  }

  /** By how much the times of what is shown are later under clocks with another reference. */
  place(clocks: Clocks): Ns {
    const { instant } = this;
    const host = instant && clocks.hosts?.find((c) => c.name === instant.name && c.id === instant.id);
    const to = clocks.reference === this.reference ? this.at : host ? shown(host, instant.local) : this.stands;
    const by = to - this.stands;
    this.stands = to;
    return by;
  }
}
