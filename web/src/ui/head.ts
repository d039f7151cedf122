// The head of the page: what gives way in it where it is narrow.

/** Leaves a button its word as long as the head has room for it, and for as much of the name beside as without it; else its picture is all. */
export function roomForWord(button: HTMLElement, name: HTMLElement): void {
  const head = button.closest<HTMLElement>("header")!;
  const fit = () => {
    button.classList.add("bare");
    const without = name.clientWidth;
    button.classList.remove("bare");
    const cut = head.scrollWidth > head.clientWidth || (name.clientWidth < without && name.scrollWidth > name.clientWidth);
    button.classList.toggle("bare", cut);
  };
  const seen = new ResizeObserver(fit);
  seen.observe(head);
  new MutationObserver(fit).observe(name, { childList: true, characterData: true, subtree: true });
}
