// The hand on a canvas. Dragging selects a stretch of time, with Shift or the middle
// button it moves the window; the wheel scrolls rows, with Ctrl it zooms at the
// cursor, with Shift it moves the window. A click is a press that moved less than 4 px.
// Two fingers that are spread on a trackpad zoom as far as they are spread; fingers on
// the screen itself do as touch.ts says.

import type { View } from "../model/view.js";
import { pan, timeAt, zoom } from "../time/window.js";
import { maxNs, minNs } from "../time/time.js";
import { Touch, type Place } from "./touch.js";

export interface Hand {
  /** The scroller the wheel moves; null where the wheel alone zooms. */
  readonly scroller: HTMLElement | null;
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  /** A name for what lies at a place: another name, another thing. */
  under(x: number, y: number): string;
}

const CLICK = 4;
/** What came under a pointer at rest is told when it has stayed there for so long, ms. */
const STAYED = 120;

/** A zoom of e takes so many pixels of a wheel, or of what browsers tell of a trackpad, with which what is under its fingers stays there. */
const WHEEL = 400;
const TRACKPAD = 100;

/** The key Ctrl is down. Without it a wheel with Ctrl is a trackpad on which fingers are spread. */
let control = false;
for (const happens of ["keydown", "keyup"] as const) addEventListener(happens, (e) => (control = e.ctrlKey), { capture: true });
addEventListener("blur", () => (control = false));

// How far a wheel is turned, CSS pixels.
function turned(e: WheelEvent): [x: number, y: number] {
  const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
  return [e.deltaX * unit, e.deltaY * unit];
}

function zoomBy(e: WheelEvent, view: View, share: number): void {
  const [, dy] = turned(e);
  view.show(zoom(view.window, share, Math.exp(Math.max(-200, Math.min(200, dy)) / (e.ctrlKey && !control ? TRACKPAD : WHEEL)), view.widest()));
}

/** The wheel with Ctrl zooms the window, and not the page, also over what lies around the canvases, or on their edges: at the pointer, and beside
 *  them at the nearest end of the window. plot is as wide as they are. */
export function zoomsAround(root: HTMLElement, plot: HTMLElement, view: View): void {
  root.addEventListener("wheel", (e) => {
    if (e.defaultPrevented || !(e.ctrlKey || e.metaKey)) return;
    e.preventDefault();
    const box = plot.getBoundingClientRect();
    zoomBy(e, view, Math.min(1, Math.max(0, (e.clientX - box.left) / Math.max(1, box.width))));
  }, { passive: false });
}

/** Returns what is to be called after each drawing: it looks whether a pointer at rest has something else under it now. */
export function gestures(el: HTMLElement, view: View, hand: Hand): () => void {
  let drag: { kind: "select" | "pan"; x: number; y: number; lastX: number; moved: boolean; readonly before: View["selection"] } | null = null;
  // Where the pointer is, while it is over the canvas, what is under it, and the cursor it set.
  let rest: { x: number; y: number; share: number; under: string; cursor: bigint } | null = null;
  let staying = 0;

  const place = (e: MouseEvent) => {
    const box = el.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top, width: Math.max(1, box.width) };
  };

  const select = (from: number, to: number, width: number) => {
    const [a, b] = [from, to].map((x) => timeAt(view.window, Math.min(1, Math.max(0, x / width))));
    view.selection = a === b ? null : { begin: minNs(a, b), end: maxNs(a, b) };
    view.emit();
  };
  const touch = new Touch(view, {
    scroller: hand.scroller,
    rest: ({ x, y, width }: Place) => {
      view.cursor = timeAt(view.window, x / width);
      hand.hover(x, y);
      view.pointed.emit();
    },
    draw: (from, to) => select(from.x, to.x, to.width),
    click: ({ x, y }) => hand.click(x, y),
  });

  const end = () => {
    drag = null;
    removeEventListener("keydown", giveUp, { capture: true });
  };
  // Escape gives up what is being drawn, and nothing else.
  const giveUp = (e: KeyboardEvent) => {
    if (e.key !== "Escape" || !drag?.moved) return;
    e.preventDefault();
    e.stopPropagation();
    if (drag.kind === "select") {
      view.selection = drag.before;
      view.emit();
    }
    end();
  };

  el.addEventListener("pointerdown", (e) => {
    if (e.pointerType === "touch") {
      touch.down(e.pointerId, place(e));
      el.setPointerCapture(e.pointerId);
      return;
    }
    if (e.button > 1) return;
    const { x, y } = place(e);
    drag = { kind: e.shiftKey || e.button === 1 ? "pan" : "select", x, y, lastX: x, moved: false, before: view.selection };
    addEventListener("keydown", giveUp, { capture: true });
    el.setPointerCapture(e.pointerId);
    if (e.button === 1) e.preventDefault();
  });
  el.addEventListener("pointermove", (e) => {
    if (e.pointerType === "touch") return touch.move(e.pointerId, place(e));
    const { x, y, width } = place(e);
    const share = Math.min(1, Math.max(0, x / width));
    const cursor = (view.cursor = timeAt(view.window, share));
    if (drag && (drag.moved || Math.abs(x - drag.x) >= CLICK)) {
      drag.moved = true;
      if (drag.kind === "pan") view.show(pan(view.window, (drag.lastX - x) / width));
      else select(drag.x, x, width);
      drag.lastX = x;
    }
    clearTimeout(staying);
    rest = { x, y, share, under: hand.under(x, y), cursor };
    hand.hover(x, y);
    view.pointed.emit();
  });
  const finish = (e: PointerEvent) => {
    if (e.pointerType === "touch") return touch.up(e.pointerId, e.type === "pointercancel");
    const { x, y } = place(e);
    if (drag && !drag.moved && e.type === "pointerup" && e.button === 0) hand.click(x, y);
    end();
  };
  el.addEventListener("pointerup", finish);
  el.addEventListener("pointercancel", finish);
  el.addEventListener("pointerleave", () => {
    view.cursor = null;
    rest = null;
    clearTimeout(staying);
    hand.leave();
    view.pointed.emit();
  });
  // Where a finger rests a selection begins, and no menu.
  el.addEventListener("contextmenu", (e) => {
    if ((e as PointerEvent).pointerType === "touch") e.preventDefault();
  });
  el.addEventListener("wheel", (e) => {
    const { x, width } = place(e);
    const [dx, dy] = turned(e);
    e.preventDefault();
    if (e.ctrlKey || e.metaKey || (!hand.scroller && !e.shiftKey && Math.abs(dy) >= Math.abs(dx))) zoomBy(e, view, x / width);
    else if (e.shiftKey || Math.abs(dx) > Math.abs(dy)) view.show(pan(view.window, (e.shiftKey && dx === 0 ? dy : dx) / width));
    else if (hand.scroller) hand.scroller.scrollTop += dy;
  }, { passive: false });
  // Nothing is told of what passes by, only of what stays. A cursor that was set by something else stands.
  return () => {
    if (!rest || drag) return;
    const under = hand.under(rest.x, rest.y);
    if (under === rest.under) return;
    rest.under = under;
    if (view.cursor === rest.cursor) view.cursor = rest.cursor = timeAt(view.window, rest.share);
    hand.leave();
    clearTimeout(staying);
    staying = setTimeout(() => {
      if (!rest || drag || el.offsetWidth === 0) return;
      hand.hover(rest.x, rest.y);
      view.pointed.emit();
    }, STAYED);
  };
}
