// The times of a link's plot as they are told: from the begin of the set on, by the clock of the reference, as in the
// timeline and in the plot of errors. What is drawn is by the clock of the link's first host.

import type { SetModel } from "../model/set.js";
import type { Ns } from "../time/time.js";

export class PlotTimes {
  private readonly origin: Ns;

  /** host is the number of the link's first. While nothing relates its clock to others its times count from its own begin. */
  constructor(private readonly set: SetModel, private readonly host: number) {
    const begin = (raw: boolean) => (raw ? set.extent(host, true) : set.bounds(false))?.begin;
    this.origin = begin(!this.mapped) ?? begin(true) ?? 0n;
  }

  private get mapped(): boolean {
    return this.set.toReference(this.host, 0n) !== null;
  }

  /** A time of the host's clock as it is told: ns after the begin. */
  told(local: Ns): Ns {
    return (this.set.toReference(this.host, local) ?? local) - this.origin;
  }

  /** When the host's clock shows that so much has passed since the begin. */
  local(told: Ns): Ns {
    return this.set.toLocal(this.host, this.origin + told) ?? this.origin + told;
  }
}
