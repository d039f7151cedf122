// A line between two parts that can be dragged, or moved with the arrow keys.

import { h } from "./dom.js";

/** The size of a part, and within what it can be, CSS pixels. */
export interface Size {
  readonly now: number;
  readonly least: number;
  readonly most: number;
}

/** along: "row" moves up and down, "column" left and right. resize moves by so many pixels and gives the size then. */
export function splitter(along: "row" | "column", label: string, resize: (by: number) => Size): HTMLElement {
  const el = h("div", { class: `splitter ${along}`, role: "separator", tabindex: 0, "aria-label": label, "aria-orientation": along === "row" ? "horizontal" : "vertical" });
  const move = (by: number): number => {
    const { now, least, most } = resize(by);
    for (const [name, n] of [["valuenow", now], ["valuemin", least], ["valuemax", most]] as const) el.setAttribute(`aria-${name}`, String(n));
    el.setAttribute("aria-valuetext", `${now} pixels`);
    return now;
  };
  move(0);
  let last: number | null = null; // where the pointer has moved it to: not beyond what can be, so that it stays under the pointer on the way back
  const at = (e: PointerEvent) => (along === "row" ? e.clientY : e.clientX);
  el.addEventListener("pointerdown", (e) => {
    last = at(e);
    el.setPointerCapture(e.pointerId);
    e.preventDefault();
  });
  el.addEventListener("pointermove", (e) => {
    if (last === null) return;
    const by = at(e) - last;
    const was = move(0);
    last += Math.sign(by) * Math.abs(move(by) - was);
  });
  const end = () => (last = null);
  el.addEventListener("pointerup", end);
  el.addEventListener("pointercancel", end);
  el.addEventListener("keydown", (e) => {
    const back = along === "row" ? "ArrowUp" : "ArrowLeft";
    const forth = along === "row" ? "ArrowDown" : "ArrowRight";
    if (e.key !== back && e.key !== forth) return;
    e.preventDefault();
    e.stopPropagation();
    move(e.key === back ? -16 : 16);
  });
  return el;
}
