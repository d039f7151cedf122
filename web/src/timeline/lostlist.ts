// The list of where events were lost, in the inspector below the state that is selected.

import { readLosses, type HostLosses } from "../home/api.js";
import type { Loss } from "../model/losses.js";
import { EVER, type Ns } from "../time/time.js";
import { keepFocus } from "../ui/dom.js";
import type { Context } from "./controlflow.js";
import type { Inspector } from "./inspector.js";
import { showRange } from "./keys.js";
import { lostBlock } from "./lost.js";
import type { Overview } from "./overview.js";

/** So many places where something was lost are asked for of a host, one by one if there are no more. */
const MOST = 1024;

export class LostList {
  /** What the inspector has of it, while it does. */
  private el: HTMLElement | null = null;
  /** When something was lost, of each host, and what that is the answer to. */
  private losses: { readonly of: string; readonly hosts: readonly HostLosses[] } | null = null;
  /** What the import report has to say of losses is wanted. */
  onReport: () => void = () => {};
  /** What was pressed shows nothing else than before, in words. */
  onSame: (words: string) => void = () => {};
  /** The events are wanted where something was lost. */
  onEvents: (x: Loss) => void = () => {};

  constructor(private readonly id: string, private readonly c: Context, private readonly overview: Overview, private readonly inspector: Inspector) {
    overview.onLost = () => this.show();
    overview.onAnswer = () => this.el?.isConnected && this.list();
  }

  /** Shows it; where there is no room for that, the import report. */
  show(): void {
    this.list();
    if (this.inspector.el.offsetWidth === 0) return this.onReport();
    this.el?.focus({ preventScroll: true });
  }

  private list(): void {
    const { set, view } = this.c;
    const of = [view.raw, set.clocks?.version, ...set.hosts.map((x) => x.lost_events + (x.lost_packets ?? 0))].join();
    if (this.losses?.of !== of) void this.date(of);
    this.el = lostBlock(this.losses?.of === of ? this.losses.hosts : null, this.overview.losses() ?? [], set.hosts, view.origin(), view.bounds?.end ?? null, {
      show: (begin, end) => this.go(begin, end), events: (x) => this.onEvents(x), report: () => this.onReport(),
    });
    this.inspector.showOther(this.el);
  }

  private go(begin: Ns, end: Ns): void {
    const { view } = this.c;
    const was = view.window;
    showRange(view, begin, end);
    if (view.window.begin !== was.begin || view.window.span !== was.span) return;
    this.onSame(`All of this is in view already${view.bounds && end > view.bounds.end ? ", up to the last event of the set" : ""}.`);
  }

  // Asks when something was lost; what is told stays where the server does not say.
  private async date(of: string): Promise<void> {
    const hosts = await readLosses(this.id, -EVER, EVER, this.c.view.raw, MOST).catch(() => null);
    if (!hosts || !this.el?.isConnected) return;
    this.losses = { of, hosts };
    keepFocus(this.inspector.el, () => {
      if (!this.el?.isConnected) return;
      const focused = document.activeElement === this.el;
      this.list();
      if (focused) this.el.focus({ preventScroll: true });
    });
  }
}
