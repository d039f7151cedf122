// What a link leads to: instants of one host, whose clock its times are by. While an import runs clocks become known better, and others may be
// the reference meanwhile, by which the same instants have other times. As long as nobody went elsewhere, each clock map is asked anew where
// they are now: to go on from where the map before had them would add up what was wrong with all of them.

import type { Clocks } from "../net/json.js";
import type { Ns } from "../time/time.js";
import { shown } from "./set.js";

export class Linked {
  /** at is by the clock of the host named by. */
  constructor(readonly by: string, private readonly at: Ns, private stands: Ns = at) {}

  /** Whether the page, which is at a time now, is where it was brought. */
  holds(now: Ns | null): boolean {
    return now === this.stands;
  }

  /** By how much the times of what is shown are later under other clocks. */
  place(clocks: Clocks): Ns {
    const host = clocks.reference === this.by ? undefined : clocks.hosts?.find((c) => c.name === this.by);
    const to = shown(host, this.at);
    const by = to - this.stands;
    this.stands = to;
    return by;
  }

  /** The host by whose clock the times are to which it was brought. */
  shownBy(clocks: Clocks): string {
    return shownBy(this.by, clocks);
  }
}

/** The host by whose clock times are shown that a link has by the clock of one: the reference, of an island its own, or nobody's but the host's yet. */
export function shownBy(by: string, clocks: Clocks): string {
  if (relates(by, clocks)) return clocks.reference;
  const host = clocks.hosts?.find((c) => c.name === by);
  return clocks.hosts?.find((c) => c.reference && c.component === host?.component)?.name ?? by;
}

/** Whether clocks say how the times of a host are told by the reference: until they do its own times are shown as they are. */
export function relates(by: string, clocks: Clocks): boolean {
  if (clocks.reference === by) return true;
  const [host, reference] = [by, clocks.reference].map((name) => clocks.hosts?.find((c) => c.name === name));
  return !!host && host.component === (reference?.component ?? 0);
}
