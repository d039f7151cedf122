// How far somebody has scrolled a part of the timeline: it stands in the address, and whoever opens that sees the same rows.
// Where rows were brought in sight from the first ones on follows from what is selected.

import type { Scrollable } from "../model/shown.js";
import type { View } from "../model/view.js";
import { onDeed } from "../ui/deeds.js";
import type { Pane } from "./pane.js";

export class Scrolled {
  /** The part begins as the address says, whatever rows come, until somebody does something in the timeline, or chooses something elsewhere. */
  private returning: boolean;
  private brought: number | null = null;
  private due: (() => void) | null = null; // what the selection wants as soon as the part is in sight

  constructor(private readonly pane: Pane, private readonly view: View, private readonly part: Scrollable) {
    this.returning = view.scrolled[part] !== undefined;
    view.returned.on(() => {
      this.returning = view.scrolled[part] !== undefined;
      this.due = null;
      if (!this.returning) pane.rewind();
    });
    pane.onScroll = () => this.note();
    pane.onShift = () => {
      if (view.scrolled[part] === undefined) this.brought = pane.scrolled;
    };
    pane.onShown = () => this.goBack();
    onDeed(() => {
      if (view.tab === "timeline") this.returning = false; // and not by what opens it
    });
  }

  /** Scrolls to what the selection wants, once the part is in sight. */
  bring(scroll: () => void): void {
    if (this.returning) return;
    this.due = this.pane.inSight ? null : scroll;
    if (this.due) return;
    const before = this.pane.scroller.scrollTop;
    scroll();
    const now = this.pane.scroller.scrollTop;
    if (now !== before) this.brought = before === 0 ? now : null;
  }

  /** Something is chosen: what is brought in sight from now on is that. */
  choose(): void {
    this.goBack();
    this.returning = false;
  }

  /** Something else is selected, or nothing: where the rows are does not follow from that. */
  stay(): void {
    this.due = null;
    if (this.brought === null || this.brought !== this.pane.scrolled) return;
    this.brought = null;
    this.note();
  }

  /** The rows were listed anew, or came in sight. */
  goBack(): void {
    const y = this.view.scrolled[this.part];
    if (this.returning && y !== undefined && y !== this.pane.scrolled) this.pane.scroller.scrollTop = y;
    if (this.due) this.bring(this.due);
  }

  private note(): void {
    const { view, part } = this;
    if (this.returning) return;
    const y = this.pane.scrolled === this.brought ? 0 : Math.round(this.pane.scrolled);
    if (y === (view.scrolled[part] ?? 0)) return;
    if (y > 0) view.scrolled[part] = y;
    else delete view.scrolled[part];
    view.keep();
  }
}
