// What is told of a drawing where it is pointed at. A mouse has it told while it is there. A finger has it told where it touches and goes, and it
// stays told once it is lifted; of one that moved the page nothing stays.

/** tell says what is where, clear that nothing is pointed at; where keeps says so it is told on though the mouse is gone. What can have the keys gets
 * them from a finger, so that its going elsewhere is noticed. */
export function reads(el: HTMLElement, tell: (e: PointerEvent) => void, clear: () => void, keeps: () => boolean = () => false): void {
  const finger = (e: PointerEvent) => e.pointerType === "touch";
  el.addEventListener("pointermove", tell);
  el.addEventListener("pointerdown", (e) => finger(e) && tell(e));
  el.addEventListener("pointerup", (e) => finger(e) && el.focus({ preventScroll: true }));
  el.addEventListener("pointercancel", clear);
  el.addEventListener("pointerleave", (e) => finger(e) || keeps() || clear());
}

/** How near what points must be to a dot, pixels. */
export function near(e: MouseEvent): number {
  return (e as PointerEvent).pointerType === "touch" ? 16 : 8;
}
