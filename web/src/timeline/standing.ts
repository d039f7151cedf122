// Where the rows of Control flow stand: as the address says where somebody scrolled to, and by the selected row where nobody did.

import { HOST, type RowTable } from "../model/rows.js";
import type { View } from "../model/view.js";
import { onDeed } from "../ui/deeds.js";
import type { Pane } from "./pane.js";

export class Standing {
  /** The rows begin as the address says, whatever comes, until somebody does something in the timeline, or chooses a row elsewhere. */
  returning = false;
  private untouched = true; // since an address was come to, by a link, a reload or the browser's history
  private revealing: number | null = null;
  private unseen = false; // that row was to be brought in sight while the section was not
  private brought: { id: number | null; y: number } | null = null; // where the rows came to by themselves, and the row that was selected then
  private chose = false; // somebody chose which rows are listed, or in which order, since then: where the selected row stands does not follow from that row any more
  private choice = "";

  constructor(private readonly rows: RowTable, private readonly view: View, private readonly pane: Pane) {
    pane.onScroll = () => this.note();
    pane.onShift = () => {
      if (view.top === null && !this.chose) this.brought = { id: pane.selected, y: pane.scrolled };
    };
    this.come();
    onDeed(() => {
      if (view.tab === "timeline") this.returning = this.untouched = false; // and not by what opens it
    });
    view.returned.on(() => {
      this.come();
      if (!this.returning && !view.row) pane.rewind();
    });
  }

  private come(): void {
    [this.returning, this.untouched, this.chose] = [this.view.top !== null, true, false];
  }

  /** Brings a row in sight, once the section is; again when other rows are listed if that is to be, and until somebody does something in any case. */
  reveal(id: number, again: boolean): void {
    this.unseen = !this.pane.inSight;
    this.pane.place(id);
    this.brought = { id, y: this.pane.scrolled };
    this.returning = this.chose = false;
    this.revealing = this.untouched || again || this.unseen ? id : null;
    this.note();
  }

  /** The section came in sight; again is as reveal has it. */
  show(again: boolean): void {
    if (this.returning || this.unseen) this.settle(again);
  }

  /** Which rows are listed, and in which order, was chosen: "" where that is not known yet. */
  choose(choice: string): void {
    if (this.choice && choice && this.choice !== choice && !this.untouched) [this.chose, this.brought, this.revealing] = [true, null, null];
    this.choice = choice;
  }

  /** Other rows are listed; again is as reveal has it. */
  settle(again: boolean): void {
    if (this.returning) this.goBack();
    else if (this.revealing !== null) this.reveal(this.revealing, again);
    if (this.chose) this.note();
  }

  /** Where somebody has scrolled to stands in the address, and is not left for the selected row any more; where the rows came to by
   * themselves, or would for the selected row alone, follows from that. */
  note(): void {
    if (this.returning || !this.pane.inSight) return;
    const { rows, view, pane } = this;
    const there = this.brought?.y === pane.scrolled;
    if (!there) this.revealing = null;
    const follows = (there && this.brought!.id === pane.selected) || pane.scrolled === pane.placeOf(pane.selected);
    const first = follows ? null : pane.begins();
    const row = first && rows.get(first.id);
    const top = first && row ? { host: row.host, tid: row.kind === HOST ? -1 : row.tid, above: first.above } : null;
    if (top?.host === view.top?.host && top?.tid === view.top?.tid && top?.above === view.top?.above) return;
    view.top = top;
    view.keep();
  }

  private goBack(): void {
    const { rows, view } = this;
    if (!view.top) return;
    const { host, tid, above } = view.top;
    const id = tid < 0 ? rows.hostRow(host) : rows.find(host, tid);
    if (id !== undefined) this.pane.beginWith(id, above);
  }
}
