// A line whose parts give way one after the other until no word in it is cut.

/** Sets data-tight on a line to the least of 0 to steps at which no part is cut; the style sheet says what gives way at each, and
 * leaves to those who hear it a px of what goes. Parts may come, go and say other things at any time. */
export function fitLine(line: HTMLElement, steps: number, parts: () => Iterable<HTMLElement>): void {
  line.dataset.tight = "0";
  let key = "";
  let waiting = false;
  const fit = () => {
    waiting = false;
    // Other digits take as much room.
    const now = `${line.clientWidth} ${line.textContent?.replace(/\d/g, "0")} ${line.querySelectorAll("[hidden]").length}`;
    if (line.clientWidth === 0 || now === key) return;
    key = now;
    for (let step = 0; step <= steps; step++) {
      line.dataset.tight = String(step);
      if (line.scrollWidth <= line.clientWidth && ![...parts()].some((e) => e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1)) break;
    }
  };
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(fit);
  };
  new ResizeObserver(soon).observe(line);
  new MutationObserver(soon).observe(line, { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
}
