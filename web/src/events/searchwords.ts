// What is said of a search among events that found none, or none yet.

import type { UnknownField, UnnamedEvent } from "../home/api.js";

/** None was found; filtered tells whether anything was asked of them, name is what the names are filtered by and example what could be, whole tells whether all of the set was
 *  looked at, misspelt is what misspeltWords says. */
export function nothingWords(filtered: boolean, name: string, example: string, whole: boolean, misspelt: string): string {
  if (!filtered && !whole) return "All events of the set are before this time.";
  if (/[=<>&|()]/.test(name)) return `Event takes a name such as ${example}; what compares fields belongs in Where.`;
  return `No event ${whole ? "of the set" : "from here on"} is wanted by this filter.${misspelt}`;
}

/** None was found of what an import has read. */
export function soFarWords(filtered: boolean, whole: boolean): string {
  if (!filtered) return "Events are listed once the import reads them.";
  return `No event that was read so far ${whole ? "" : "from here on "}is wanted by this filter.`;
}

/** What the filter names and no kind of event has, or is called, of a host or, with "", of all, or none that the pattern of names lets through; each a sentence
 * with a space before it. */
export function misspeltWords(unnamed: readonly UnnamedEvent[], unknown: readonly UnknownField[], host: string, name: string): string {
  const of = host ? `of ${host}` : "of the set";
  const asked = (near: readonly string[]) => (near.length ? `; did you mean ${near.join(" or ")}?` : ".");
  const strangers = unnamed.map((u) => ` No event ${of} is called ${u.name}${asked(u.near)}`).join("");
  return strangers + unknown.map((u) => ` No kind of event ${of}${u.other ? ` that is called ${name}` : ""} has a field ${u.path}${asked(u.near)}`).join("");
}
