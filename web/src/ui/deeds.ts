// What somebody does to the page, wherever that is: turns a wheel, presses a pointer or a key.

/** Tells of each deed, before the page heeds it. */
export function onDeed(told: () => void): void {
  for (const deed of ["wheel", "pointerdown", "keydown"]) addEventListener(deed, told, { capture: true, passive: true });
}
