// What is pressed stays until it is let go. A click is of what lay under the pointer as it went down and as it came up again: of a button that
// was drawn anew in between the browser tells none, and who pressed it would have to guess why nothing came of it.

let pressed: Element | null = null;
let listens = false;
const waiting = new Map<Element, () => void>();

/** Draws a part of the page anew, at once or, where the pointer is down in it, as it is let go. Of several draws that wait for that the last is done. */
export function whenLetGo(el: Element, draw: () => void): void {
  listen();
  if (pressed && el.contains(pressed)) {
    waiting.set(el, draw);
    return;
  }
  waiting.delete(el);
  draw();
}

function listen(): void {
  if (listens) return;
  listens = true;
  // Another button than the first opens the browser's menu, and whether it was let go the page may never hear.
  addEventListener("pointerdown", (e) => (pressed = e.isPrimary && e.button === 0 ? (e.target as Element) : null), { capture: true, passive: true });
  // What a click leads to is drawn at once. What waits is drawn once all have heard of the click, of which the browser tells in the turn of a mouse's end; a finger's comes
  // later, and means what lies there by then.
  addEventListener("click", () => (pressed = null), { capture: true, passive: true });
  for (const end of ["pointerup", "pointercancel"] as const) addEventListener(end, () => setTimeout(letGo), { capture: true, passive: true });
  addEventListener("blur", () => setTimeout(letGo)); // of the window alone: that of an element does not bubble
}

function letGo(): void {
  pressed = null;
  const draws = [...waiting.values()];
  waiting.clear();
  for (const draw of draws) draw();
}
