// The hand on a canvas. Dragging selects a stretch of time, with Shift or the middle
// button it moves the window; the wheel scrolls rows, with Ctrl it zooms at the
// cursor, with Shift it moves the window. A click is a press that moved less than 4 px.

import type { View } from "../model/view.js";
import { pan, timeAt, zoom } from "../time/window.js";
import { maxNs, minNs } from "../time/time.js";

export interface Hand {
  /** The scroller the wheel moves; null where the wheel alone zooms. */
  readonly scroller: HTMLElement | null;
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
}

const CLICK = 4;

export function gestures(el: HTMLElement, view: View, hand: Hand): void {
  let drag: { kind: "select" | "pan"; x: number; y: number; lastX: number; moved: boolean } | null = null;
  let rest: { x: number; y: number } | null = null; // where the pointer is, while it is over the canvas

  const place = (e: MouseEvent) => {
    const box = el.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top, width: Math.max(1, box.width) };
  };

  el.addEventListener("pointerdown", (e) => {
    if (e.button > 1) return;
    const { x, y } = place(e);
    drag = { kind: e.shiftKey || e.button === 1 ? "pan" : "select", x, y, lastX: x, moved: false };
    el.setPointerCapture(e.pointerId);
    if (e.button === 1) e.preventDefault();
  });
  el.addEventListener("pointermove", (e) => {
    const { x, y, width } = place(e);
    view.cursor = timeAt(view.window, Math.min(1, Math.max(0, x / width)));
    if (drag && (drag.moved || Math.abs(x - drag.x) >= CLICK)) {
      drag.moved = true;
      if (drag.kind === "pan") view.show(pan(view.window, (drag.lastX - x) / width));
      else {
        const [a, b] = [timeAt(view.window, drag.x / width), view.cursor];
        view.selection = { begin: minNs(a, b), end: maxNs(a, b) };
        if (view.selection.begin === view.selection.end) view.selection = null;
        view.emit();
      }
      drag.lastX = x;
    }
    rest = { x, y };
    hand.hover(x, y);
    view.pointed.emit();
  });
  // What scrolls away under a pointer at rest is not what it points at any more.
  hand.scroller?.addEventListener("scroll", () => {
    if (rest) hand.hover(rest.x, rest.y);
  });
  const finish = (e: PointerEvent) => {
    const { x, y } = place(e);
    if (drag && !drag.moved && e.type === "pointerup" && e.button === 0) hand.click(x, y);
    drag = null;
  };
  el.addEventListener("pointerup", finish);
  el.addEventListener("pointercancel", finish);
  el.addEventListener("pointerleave", () => {
    view.cursor = null;
    rest = null;
    hand.leave();
    view.pointed.emit();
  });
  el.addEventListener("wheel", (e) => {
    const { x, width } = place(e);
    const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
    const [dx, dy] = [e.deltaX * unit, e.deltaY * unit];
    e.preventDefault();
    if (e.ctrlKey || e.metaKey || (!hand.scroller && !e.shiftKey && Math.abs(dy) >= Math.abs(dx)))
      view.show(zoom(view.window, x / width, Math.exp(Math.max(-200, Math.min(200, dy)) * 0.0025), view.widest()));
    else if (e.shiftKey || Math.abs(dx) > Math.abs(dy)) view.show(pan(view.window, (e.shiftKey && dx === 0 ? dy : dx) / width));
    else if (hand.scroller) hand.scroller.scrollTop += dy;
  }, { passive: false });
}
