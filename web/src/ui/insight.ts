// Rows of one height that a scroller shows a part of: whether one is in sight, and how it comes there.

/** What is in sight of rows: how far they are scrolled, how much of them there is room for, and how high each is, CSS pixels. */
export interface Sight {
  readonly scroller: HTMLElement;
  readonly height: number;
  readonly row: number;
}

/** Whether all of a row is in sight. */
export function sees({ scroller: { scrollTop: top }, height, row }: Sight, i: number): boolean {
  return i >= 0 && i * row >= top && (i + 1) * row <= top + height;
}

/** Scrolls to a row, no farther than needed. */
export function bring({ scroller, height, row }: Sight, i: number): void {
  if (i * row < scroller.scrollTop) scroller.scrollTop = i * row;
  else if ((i + 1) * row > scroller.scrollTop + height) scroller.scrollTop = (i + 1) * row - height;
}
