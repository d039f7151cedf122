// Dialogs that leave the focus as they found it. A browser draws a ring about what gets the focus by a key, such as Escape, and by a script.

/** Opens a dialog. What had the focus before has it again when it is closed, and a ring about it only if it had one. */
export function openModal(dialog: HTMLDialogElement): void {
  const held = document.activeElement;
  const ringed = held?.matches(":focus-visible");
  dialog.addEventListener("close", () => {
    if (held instanceof HTMLElement && !ringed && document.activeElement === held) withoutRing(held);
  }, { once: true });
  dialog.showModal();
}

/** Makes a button open a dialog; with the mouse it does not take the focus from what has it. */
export function opensDialog(button: HTMLElement, open: () => void): void {
  button.addEventListener("mousedown", (e) => e.preventDefault());
  button.addEventListener("click", (e) => {
    open();
    const now = document.activeElement;
    if (e.detail > 0 && now instanceof HTMLButtonElement) withoutRing(now);
  });
}

function withoutRing(el: HTMLElement): void {
  el.blur(); // what has the focus already keeps its ring
  el.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
}
