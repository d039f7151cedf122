// What the names of a set's hosts have in common at their ends, such as the domain that machines with full names are in. It tells none from
// another, so where a name has no room that is left out first.

/** Shorter names are whole wherever names are; what others have in common counts without them. */
const LONG = 16;
/** What is shared and no longer than this may as well stay. */
const LITTLE = 3;

let stems: ReadonlyMap<string, number> = new Map();

/** These are the hosts of the page. */
export function knowHosts(names: readonly string[]): void {
  stems = stemsOf(names);
}

/** So many letters of a name, from its begin, tell it from other hosts: all of it of what is no host, and where they have no end in common. */
export function stemOf(name: string): number {
  return stems.get(name) ?? [...name].length;
}

/** That of each of some names whose end they share. The end begins at a dot where there is one near by. */
export function stemsOf(names: readonly string[]): Map<string, number> {
  const long = [...new Set(names)].map((n) => [...n]).filter((n) => n.length > LONG);
  if (long.length < 2) return new Map();
  let shared = 0;
  const least = Math.min(...long.map((n) => n.length)) - 1; // something is left of each
  while (shared < least && long.every((n) => n[n.length - 1 - shared] === long[0][long[0].length - 1 - shared])) shared++;
  const end = long[0].slice(long[0].length - shared);
  const dot = end.indexOf(".");
  if (dot > 0 && dot <= LITTLE) shared -= dot;
  return new Map(shared > LITTLE ? long.map((n) => [n.join(""), n.length - shared]) : []);
}
