// What somebody does to the page, wherever that is: turns a wheel, presses a pointer or a key. A key that repeats itself was pressed once, and may
// have led to another tab.

/** Tells of each deed, before the page heeds it. */
export function onDeed(told: (e: Event) => void): void {
  const heed = (e: Event) => {
    if (!("repeat" in e && e.repeat)) told(e);
  };
  for (const deed of ["wheel", "pointerdown", "keydown"]) addEventListener(deed, heed, { capture: true, passive: true });
}
