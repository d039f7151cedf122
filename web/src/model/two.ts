// Two names in one word of an address, with "~" between them. A name may have one too.

export type Two = readonly [string, string];

const written = (name: string) => name.replace(/[%~]/g, (c) => (c === "~" ? "%7E" : "%25"));
const read = (word: string) => word.replace(/%7E|%25/g, (c) => (c === "%7E" ? "~" : "%"));

/** The word for two names. */
export function twoText([a, b]: Two): string {
  return `${written(a)}~${written(b)}`;
}

/** The names of a word; null for what is no word of two. */
export function parseTwo(word: string | null): Two | null {
  const [a, b, ...more] = (word ?? "").split("~");
  return b === undefined || more.length > 0 ? null : [read(a), read(b)];
}
