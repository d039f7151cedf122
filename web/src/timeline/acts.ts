// What the commands of the timeline do to its parts.

import { threadName } from "../model/rows.js";
import type { Resources } from "../resources/resources.js";
import { exact, maxNs, minNs, seconds } from "../time/time.js";
import type { Context, ControlFlow } from "./controlflow.js";
import type { Follow } from "./follow.js";
import { showRange, type Acts } from "./keys.js";
import type { Mark } from "./mark.js";
import type { Pointer } from "./pointer.js";
import type { RowControls } from "./rowcontrols.js";
import type { RowFilter } from "./rowfilter.js";
import type { Selected } from "./selected.js";

/** The parts that commands act on. */
export interface Parts {
  readonly flow: ControlFlow;
  readonly resources: Resources;
  readonly follow: Follow;
  readonly pointer: Pointer;
  readonly mark: Mark;
  readonly filter: RowFilter;
  readonly controls: RowControls;
  readonly selected: Selected;
}

/** The acts on these parts; recorded shows when a host recorded. */
export function actsOf(c: Context, on: Parts, recorded: (host: number) => void): Acts {
  const { view, rows } = c;
  const { flow, resources, follow, pointer, mark, filter, controls, selected } = on;
  const { moments, state } = selected;
  const ofSelected = () => resources.chosen ?? follow.stretch ?? flow.chosen;
  const stretch = () => {
    const [at, here] = [mark.at, moments.meant()?.t ?? null];
    return at !== null && here !== null && at !== here ? { begin: minNs(at, here), end: maxNs(at, here) } : ofSelected();
  };
  const host = () => pointer.thread?.host ?? view.row?.host;
  // The selected row, if it can be pinned.
  const pinnable = () => (view.row && rows.find(view.row.host, view.row.tid)) ?? null;
  // Rows are arranged by a key: what they are now is told, for it may not be seen.
  const arranged = (act: () => void) => {
    act();
    pointer.note(null, controls.words());
  };
  return {
    can: {
      focus: () => !!(view.selection ?? ofSelected()),
      stretch: () => !!stretch(),
      recorded: () => host() !== undefined,
      pin: () => pinnable() !== null,
      step: () => resources.selected !== null || !!resources.chosen || state.canStep,
      mark: () => moments.meant() !== null,
    },
    focus: () => {
      const r = view.selection ?? ofSelected();
      if (r) showRange(view, r.begin, r.end);
    },
    stretch: () => {
      const r = stretch();
      if (!r) return;
      view.selection = { begin: r.begin, end: r.end };
      moments.byKey("stretch");
      view.emit();
      pointer.note(null, `Selected: ${exact(r.end - r.begin)} from ${seconds(r.begin - view.origin())}.`);
    },
    recorded: () => {
      const of = host();
      if (of !== undefined) recorded(of);
    },
    clear: () => {
      if (filter.clearAgain()) return;
      pointer.tooltip.hide();
      if (mark.left()) return pointer.onChange(); // as in Events
      view.selection = null;
      view.kept = [];
      selected.clear();
      view.emit();
    },
    filter: () => filter.focus(),
    others: () => filter.toggleOthers(),
    sort: (by) => arranged(() => controls.sort(by)),
    nextOrder: () => arranged(() => controls.next()),
    reverse: () => arranged(() => controls.reverse()),
    busy: () => arranged(() => controls.turnBusy()),
    pin: () => {
      const { row } = view;
      const id = pinnable();
      if (id === null || !row) return;
      const was = view.pinned(row);
      flow.pin(id);
      if (view.pinned(row) !== was) pointer.note(row.host, `${threadName(rows.get(id)!)} ${view.pinned(row) ? "stays on top" : "scrolls with the others"}.`);
    },
    step: (forward) => {
      // What was chosen last is gone along; of a bar of a CPU that was clicked that is the CPU.
      if (resources.chosen || (resources.selected !== null && !flow.chosen)) {
        moments.elsewhere();
        return resources.onStep(forward);
      }
      selected.step(forward);
    },
    mark: () => {
      const p = moments.meant();
      if (!p) return;
      if (mark.set(p)) pointer.onChange();
      else pointer.note(p.host, "The clock of what is pointed at is not known here.");
    },
    unmark: () => {
      mark.clear();
      pointer.onChange();
    },
    scroll: (by) => flow.scroll(by * flow.pane.rowHeight),
    page: (by) => flow.scroll(by * flow.pane.page()),
  };
}
