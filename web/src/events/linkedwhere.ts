// A filter whose times were typed by the clock of another reference, in those of this one.

import type { SetModel } from "../model/set.js";
import { whereWords } from "../model/wheretimes.js";

export class LinkedWhere {
  private stands: string;

  /** typed is by the clock of the host named by. */
  constructor(readonly by: string, private readonly typed: string) {
    this.stands = typed;
  }

  /** Whether what is in Where now is what the link brought there. */
  holds(now: string): boolean {
    return now === this.stands;
  }

  /** The same filter in times by the clocks of now; as it was typed where nothing says when that was. */
  told(set: SetModel): string {
    const host = set.clocks?.reference === this.by ? undefined : set.hosts.find((x) => x.name === this.by);
    return (this.stands = host ? whereWords(this.typed, (t) => set.toReference(host.index, t)) : this.typed);
  }
}
