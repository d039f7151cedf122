// What recordings lack, in words that stand where a view is empty.

/** What an empty view says: a sentence, or one and the command that it ends with. */
export type EmptyWords = string | readonly [sentence: string, command: string];

/** What a view shows, what is missing for it, and how that is recorded. */
export function lackOf(shows: string, events: readonly string[], command: string): EmptyWords {
  return [`${shows} The recordings lack ${events.join(", ")}; record ${events.length > 1 ? "them" : "it"} with: `, command];
}
