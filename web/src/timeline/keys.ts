// The keys of the timeline: Perfetto's, and arrows, plus and minus. W, A, S and D go
// by place on the keyboard, act while they are held, and end when they are let go.

import { typing } from "../commands/keyboard.js";
import type { CommandTable } from "../commands/table.js";
import { ORDERS, ORDER_WORDS, type By } from "../model/order.js";
import type { View } from "../model/view.js";
import { maxNs, minNs } from "../time/time.js";
import { around, endOf, NARROWEST, pan, windowOf, zoom } from "../time/window.js";

const HELD = new Set(["KeyW", "KeyA", "KeyS", "KeyD"]);
const ZOOM_SPEED = 2.6; // e-folds a second
const PAN_SPEED = 1.1; // screens a second

/** What the commands of the timeline do to its parts, and whether those that need something to be chosen can. */
export interface Acts {
  can: Record<"focus" | "stretch" | "recorded" | "pin" | "step" | "mark", () => boolean>;
  focus(): void;
  stretch(): void;
  recorded(): void;
  clear(): void;
  filter(): void;
  others(): void;
  sort(by: By): void;
  nextOrder(): void;
  reverse(): void;
  busy(): void;
  pin(): void;
  step(forward: boolean): void;
  mark(): void;
  unmark(): void;
  scroll(rows: number): void;
  page(by: 1 | -1): void;
}

export const NO_WINDOW_BACK = "There is no window to go back to.";
export const NO_WINDOW_FORWARD = "There is no window to go forward to.";

const NO_ROW_ALONG = "These keys go along the row of a thread, a CPU or an interrupt: select one first.";

/** What a tap on a held key is worth, seconds. */
const TAP = 0.1;

export function timelineKeys(view: View, commands: CommandTable, acts: Acts): void {
  const held = new Set<string>();
  let last = 0;

  const centre = () => (view.cursor === null ? 0.5 : Math.min(1, Math.max(0, Number(view.cursor - view.window.begin) / view.window.span)));
  const step = (dt: number) => {
    const z = (held.has("KeyS") ? 1 : 0) - (held.has("KeyW") ? 1 : 0);
    const p = (held.has("KeyD") ? 1 : 0) - (held.has("KeyA") ? 1 : 0);
    if (z) view.show(zoom(view.window, centre(), Math.exp(z * ZOOM_SPEED * dt), view.widest()));
    if (p) view.show(pan(view.window, p * PAN_SPEED * dt));
  };
  // The time of a frame may lie before that of the key that asked for it.
  const frame = (now: number) => {
    if (held.size === 0) return;
    step(Math.min(0.05, Math.max(0, now - last) / 1000));
    last = Math.max(last, now);
    requestAnimationFrame(frame);
  };

  const tab = "timeline";
  commands.add(
    { group: "Move", words: "Zoom in and out at the cursor, as long as the key is held", keys: ["w", "s", "Shift+w", "Shift+s"], shown: "W / S", tab },
    { group: "Move", words: "Move earlier and later, as long as the key is held", keys: ["a", "d", "Shift+a", "Shift+d"], shown: "A / D", tab },
    { group: "Move", words: "Move a tenth of the screen earlier", keys: ["ArrowLeft"], tab, run: () => view.show(pan(view.window, -0.1)) },
    { group: "Move", words: "Move a tenth of the screen later", keys: ["ArrowRight"], tab, run: () => view.show(pan(view.window, 0.1)) },
    { group: "Move", words: "Zoom in", also: "closer magnify", keys: ["+", "="], shown: "+", tab, run: () => view.show(zoom(view.window, centre(), 1 / 1.5, view.widest())) },
    { group: "Move", words: "Zoom out", also: "farther", keys: ["-"], tab, run: () => view.show(zoom(view.window, centre(), 1.5, view.widest())) },
    { group: "Move", words: "Show the whole set", also: "reset fit everything", keys: ["Home", "0"], tab, run: () => view.showAll() },
    { group: "Move", words: "Go back to where the window was", also: "undo previous", keys: ["Backspace"], tab, first: tab, possible: () => view.canGoBack, needs: NO_WINDOW_BACK, run: () => view.back() },
    { group: "Move", words: "Go forward again", also: "redo next", keys: ["Shift+Backspace"], tab, first: tab, possible: () => view.canGoForward, needs: NO_WINDOW_FORWARD, run: () => view.forward() },
    { group: "Select", words: "Zoom to the selection, or to the selected message or state", also: "zoom fit", keys: ["f"], tab, possible: acts.can.focus, needs: "This key shows what is selected: select a stretch of time, a state or a message first.", run: () => acts.focus() },
    { group: "Select", words: "Select the time from the mark to the cursor; without a mark, the time of the selected state or message", also: "range stretch measure duration", keys: ["x"], tab, possible: acts.can.stretch, needs: "This key selects the time of a state or a message: select one first.", run: () => acts.stretch() },
    { group: "Move", words: "Go to where the host of the selected row recorded", keys: ["z"], tab, possible: acts.can.recorded, needs: "This key goes to where a host recorded: select a row of it first.", run: () => acts.recorded() },
    { group: "Select", words: "Clear the selection", keys: ["Escape"], tab, run: () => acts.clear() },
    { group: "Select", words: "Go to the next state of the selected row: of a thread, a CPU or an interrupt", also: "event following", keys: ["."], tab, possible: acts.can.step, needs: NO_ROW_ALONG, run: () => acts.step(true) },
    { group: "Select", words: "Go to the state before, of the same row", also: "event previous", keys: [","], tab, possible: acts.can.step, needs: NO_ROW_ALONG, run: () => acts.step(false) },
    { group: "Select", words: "Mark the moment under the cursor, to compare others with it", also: "measure order difference", keys: ["c"], tab, possible: acts.can.mark, needs: "This key marks the moment under the pointer: point at a row, or select a state or a message, first.", run: () => acts.mark() },
    { group: "Select", words: "Take the mark away", keys: ["Shift+c"], tab, possible: () => view.mark !== null, needs: "Nothing is marked.", run: () => acts.unmark() },
    { group: "Rows", words: "Filter rows", also: "search find query threads", keys: ["/"], tab, run: () => acts.filter() },
    { group: "Rows", words: "Dim or hide the rows that do not fit the filter", keys: ["h"], tab, possible: () => view.filter !== "", needs: "There is no filter of rows that others could not fit.", run: () => acts.others() },
    { group: "Rows", words: "Pin the selected row to the top, or let it go", keys: ["p"], tab, possible: acts.can.pin, needs: "This key pins the row of a thread: select one first.", run: () => acts.pin() },
    { group: "Rows", words: "Sort rows by something else: name, start and so on, in turn", keys: ["o"], tab, run: () => acts.nextOrder() },
    { group: "Rows", words: "List only rows that run in view, or all", also: "hide show idle inactive active busy", tab, run: () => acts.busy() },
    { group: "Rows", words: "Reverse the order of rows", also: "reverse ascending descending", keys: ["Shift+o"], tab, run: () => acts.reverse() },
    ...ORDERS.map((by) => ({ group: "Rows" as const, words: `Sort rows by ${ORDER_WORDS[by]}`, tab: tab as "timeline", run: () => acts.sort(by) })),
    { group: "Rows", words: "Scroll rows up; in the tree: choose the row above", keys: ["ArrowUp"], tab, run: () => acts.scroll(-1) },
    { group: "Rows", words: "Scroll rows down; in the tree: choose the row below", keys: ["ArrowDown"], tab, run: () => acts.scroll(1) },
    { group: "Rows", words: "Scroll rows up by a page", keys: ["PageUp"], tab, run: () => acts.page(-1) },
    { group: "Rows", words: "Scroll rows down by a page", keys: ["PageDown"], tab, run: () => acts.page(1) },
    { group: "Mouse", words: "Select a stretch of time", shown: "drag", tab },
    { group: "Mouse", words: "Move in time", shown: "Shift + drag, middle button, Shift + wheel", tab },
    { group: "Mouse", words: "Scroll rows; on the time axis: zoom", shown: "wheel", tab },
    { group: "Mouse", words: "Zoom at the cursor", shown: "Ctrl + wheel", tab },
    { group: "Mouse", words: "On a touch screen: zoom. With one finger: move; or keep it still for a moment, then select", shown: "two fingers", tab },
    { group: "Mouse", words: "Go to what was recorded there", shown: "click on a mark over the whole set", tab },
  );

  addEventListener("keydown", (e) => {
    if (view.tab !== "timeline" || !HELD.has(e.code) || typing(e) || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    e.preventDefault();
    const first = held.size === 0;
    held.add(e.code);
    if (first) {
      step(TAP); // a key let go before the next frame moves too
      last = performance.now();
      requestAnimationFrame(frame);
    }
  });
  addEventListener("keyup", (e) => held.delete(e.code));
  addEventListener("blur", () => held.clear());
}

/** A stretch of time over the whole width, with a little room but for beyond the set; one that is all of the set is the whole set. */
export function showRange(view: View, begin: bigint, end: bigint): void {
  const w = end - begin < BigInt(NARROWEST) ? around(begin + (end - begin) / 2n, NARROWEST) : windowOf(begin, end);
  const room = BigInt(Math.round(w.span * 0.04));
  const [from, to] = [w.begin - room, endOf(w) + room];
  const b = view.bounds;
  if (!b || to <= b.begin || from >= b.end) view.jump(windowOf(from, to));
  else if (from <= b.begin && to >= b.end) view.showAll();
  else view.jump(windowOf(maxNs(from, b.begin), minNs(to, b.end)));
}
