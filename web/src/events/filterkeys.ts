// By keys from the filters to the rows, and back.

/** ArrowDown leads from a field to the rows; Esc clears what it has, and leads there from one that has nothing. */
export function leadToRows(field: HTMLInputElement, rows: () => void, cleared: () => void): void {
  field.addEventListener("keydown", (e) => {
    if (e.isComposing || e.ctrlKey || e.metaKey || e.altKey || !/^(ArrowDown|Escape)$/.test(e.key)) return;
    e.preventDefault();
    e.stopPropagation();
    if (e.key === "Escape" && field.value) {
      field.value = "";
      cleared();
    } else rows();
  });
}

/**
 * Tab leads through the filters, which stand in a table above its rows, on to these, and from them behind the table. The table itself has the
 * focus of its rows, so in the order of Tab they have a place of their own, which gives it the focus.
 */
export function tabBehindFilters(table: HTMLElement, place: HTMLElement, filters: readonly HTMLElement[]): void {
  table.tabIndex = -1;
  place.tabIndex = 0;
  place.addEventListener("focus", () => table.focus({ preventScroll: true }));
  const reach = (within: boolean) => {
    for (const el of [place, ...filters]) el.tabIndex = within ? 0 : -1;
  };
  table.addEventListener("focusin", (e) => reach(e.target !== table));
  table.addEventListener("focusout", () => reach(true));
  table.addEventListener("keydown", (e) => {
    if (e.target !== table || e.key !== "Tab" || !e.shiftKey) return;
    e.preventDefault();
    filters[filters.length - 1]?.focus();
  });
}
