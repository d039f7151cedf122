// Keys that nothing else has.

/** While an element is on screen it gets the keys that nothing else has, also where its tab was come back to and the whole of that has the focus. key does what one means and reports whether that is anything. */
export function takeSpareKeys(el: HTMLElement, key: (e: KeyboardEvent) => boolean): void {
  addEventListener("keydown", (e) => {
    if ((e.target !== document.body && e.target !== el.closest("[role=tabpanel]")) || e.defaultPrevented || el.clientHeight === 0) return;
    if (key(e)) el.focus({ preventScroll: true });
  });
}
