// The order of names on the page: as people count, node-2 before node-10.

const collator = new Intl.Collator("en", { numeric: true });

/** Compares two names; only equal ones are equal. */
export function byName(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
