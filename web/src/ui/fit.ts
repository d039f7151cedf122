// A line whose parts give way one after the other until no word in it is cut.

/** Sets data-tight on a line to the least of 0 to steps at which no part is cut; the style sheet says what gives way at each, and
 * leaves to those who hear it a px of what goes. Parts may come, go and say other things at any time. */
export function fitLine(line: HTMLElement, steps: number, parts: () => Iterable<HTMLElement>): void {
  line.dataset.tight = "0";
  let key = "";
  let width = 0;
  // Other digits take as much room.
  const said = () => `${line.textContent?.replace(/\d/g, "0")} ${line.querySelectorAll("[hidden]").length}`;
  const fit = () => {
    const [now, room] = [said(), line.clientWidth];
    if (room === 0 || (now === key && room === width)) return;
    [key, width] = [now, room];
    for (let step = 0; step <= steps; step++) {
      line.dataset.tight = String(step);
      if (line.scrollWidth <= room && ![...parts()].some((e) => e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1)) break;
    }
  };
  // Both come before the frame is seen in which something changed, so that nothing moves twice.
  new ResizeObserver(fit).observe(line);
  new MutationObserver(() => {
    if (said() !== key) fit();
  }).observe(line, { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
}
