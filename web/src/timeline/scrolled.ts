// How far a part of the timeline is scrolled: that stands in the address, and whoever opens that sees the same rows.
// Where what is selected has the rows, from the first ones on, follows from that.

import type { Scrollable } from "../model/shown.js";
import type { View } from "../model/view.js";
import { onDeed } from "../ui/deeds.js";
import type { Pane } from "./pane.js";

export class Scrolled {
  /** The part begins as the address says, whatever rows come, until somebody does something in the timeline, or chooses something elsewhere. */
  private returning: boolean;
  private untouched = true; // since an address was come to, by a link, a reload or the browser's history
  private shifted: number | null = null; // where the rows came to by nobody
  private due = false; // what is selected is brought in sight as soon as the part is, and again when other rows are listed

  /** wants is how far the rows are scrolled for what is selected to be in sight, from where they are scrolled so far. */
  constructor(private readonly pane: Pane, private readonly view: View, private readonly part: Scrollable, private readonly wants: (y: number) => number) {
    this.returning = view.scrolled[part] !== undefined;
    view.returned.on(() => {
      this.returning = view.scrolled[part] !== undefined;
      [this.untouched, this.due, this.shifted] = [true, false, null];
      if (!this.returning) pane.rewind();
    });
    pane.onScroll = () => this.note();
    pane.onShift = () => {
      if (view.scrolled[part] === undefined) this.shifted = pane.scrolled;
    };
    pane.onShown = () => this.goBack();
    onDeed(() => {
      if (view.tab !== "timeline") return; // what opens it
      this.returning = this.untouched = false;
      if (pane.inSight) this.due = false; // it may be what unfolds the part
    });
  }

  /** Scrolls to what is selected, once the part is in sight. */
  bring(): void {
    if (this.returning) return;
    const { pane } = this;
    this.due = this.untouched || !pane.inSight;
    if (!pane.inSight) return;
    const y = this.wants(pane.scrolled);
    this.shifted = null;
    if (y !== pane.scrolled) pane.scroller.scrollTop = y;
    else this.note();
  }

  /** Something is chosen: what is brought in sight from now on is that. */
  choose(): void {
    this.goBack();
    this.returning = false;
  }

  /** Something else is selected, or nothing, and the rows stay where they are. */
  stay(): void {
    this.due = false;
    this.shifted = null;
    this.note();
  }

  /** The rows were listed anew, or came in sight. */
  goBack(): void {
    const y = this.view.scrolled[this.part];
    if (this.returning && y !== undefined && y !== this.pane.scrolled) this.pane.scroller.scrollTop = y;
    if (this.due) this.bring();
    else if (!this.untouched) this.note(); // what is selected may have the rows elsewhere now
  }

  private note(): void {
    const { view, part, pane } = this;
    if (this.returning || !pane.inSight) return;
    if (pane.scrolled !== this.shifted) this.shifted = null;
    const now = Math.round(pane.scrolled);
    const y = pane.scrolled === this.shifted || now === Math.round(this.wants(0)) ? undefined : now;
    if (y === view.scrolled[part]) return;
    if (y === undefined) delete view.scrolled[part];
    else view.scrolled[part] = y;
    view.keep();
  }
}
