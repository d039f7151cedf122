// The keys of the timeline: Perfetto's, and arrows, plus and minus. W, A, S and D go
// by place on the keyboard, act while they are held, and end when they are let go.

import type { View } from "../model/view.js";
import { pan, windowOf, zoom } from "../time/window.js";

const HELD = new Set(["KeyW", "KeyA", "KeyS", "KeyD"]);
const ZOOM_SPEED = 2.6; // e-folds a second
const PAN_SPEED = 1.1; // screens a second

export const KEYS: readonly [string, string][] = [
  ["W / S", "zoom in / out at the cursor"],
  ["A / D", "move to earlier / later"],
  ["← / →", "move by a tenth of the screen"],
  ["↑ / ↓", "scroll rows; in the tree: choose a row"],
  ["+ / −", "zoom in / out"],
  ["Home", "the whole set"],
  ["Backspace", "where the window was before; with Shift: forward again"],
  ["F", "the selection, or the selected state, over the whole width"],
  ["Esc", "clear the selection"],
  ["/", "filter rows"],
  ["R", "raw or synchronized time"],
  ["E", "the events from the cursor on"],
  ["1 … 5", "Timeline, Synchronization, Events, Statistics, Import"],
  ["?", "this help"],
  ["drag", "select a stretch of time"],
  ["Shift + drag, middle button", "move"],
  ["wheel", "scroll rows; on the time axis: zoom"],
  ["Ctrl + wheel", "zoom at the cursor"],
  ["Shift + wheel", "move"],
];

export interface Commands {
  focus(): void;
  clear(): void;
  filter(): void;
  scroll(rows: number): void;
}

/** Whether a key is meant for a field or for the page. */
export function typing(e: KeyboardEvent): boolean {
  const t = e.target as HTMLElement | null;
  const field = !!t && (t.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName) && (t as HTMLInputElement).type !== "checkbox"));
  return field || !!document.querySelector("dialog[open]");
}

/** What a tap on a held key is worth, seconds. */
const TAP = 0.1;

export function timelineKeys(view: View, commands: Commands): void {
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

  const single: Record<string, () => void> = {
    ArrowLeft: () => view.show(pan(view.window, -0.1)),
    ArrowRight: () => view.show(pan(view.window, 0.1)),
    ArrowUp: () => commands.scroll(-1),
    ArrowDown: () => commands.scroll(1),
    "+": () => view.show(zoom(view.window, centre(), 1 / 1.5, view.widest())),
    "=": () => view.show(zoom(view.window, centre(), 1 / 1.5, view.widest())),
    "-": () => view.show(zoom(view.window, centre(), 1.5, view.widest())),
    Home: () => view.showAll(),
    "0": () => view.showAll(),
    Backspace: () => view.back(),
    f: () => commands.focus(),
    Escape: () => commands.clear(),
    "/": () => commands.filter(),
  };

  addEventListener("keydown", (e) => {
    if (view.tab !== "timeline" || typing(e) || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (HELD.has(e.code)) {
      e.preventDefault();
      const first = held.size === 0;
      held.add(e.code);
      if (first) {
        step(TAP); // a key let go before the next frame moves too
        last = performance.now();
        requestAnimationFrame(frame);
      }
      return;
    }
    const act = e.shiftKey && e.key === "Backspace" ? () => view.forward() : single[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act) return;
    if ((e.target as HTMLElement).closest?.("[role=tab],[role=radio],[role=separator]") && e.key.startsWith("Arrow")) return;
    e.preventDefault();
    act();
  });
  addEventListener("keyup", (e) => held.delete(e.code));
  addEventListener("blur", () => held.clear());
}

/** A stretch of time over the whole width, with a little room. */
export function showRange(view: View, begin: bigint, end: bigint): void {
  const w = windowOf(begin, end);
  const room = BigInt(Math.round(w.span * 0.04));
  view.show({ begin: w.begin - room, span: Math.min(w.span * 1.08, view.widest()) });
}
