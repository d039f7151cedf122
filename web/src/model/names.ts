// Several names in a sentence.

/** "a, b and c"; of more than so many all but the last are named by their number. */
export function list(names: readonly string[], most = 8): string {
  if (names.length > most) return `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} others`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : names.join("");
}
