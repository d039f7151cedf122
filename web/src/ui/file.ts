// Files that the page gives away.

import { readSet } from "../home/api.js";
import { h } from "./dom.js";

/** Gives what the page made to be kept as a file of a name. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  follow(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Follows a link to a file; without a name it has the one that the server says. */
function follow(href: string, name: string): void {
  const a = h("a", { href, download: name });
  document.body.append(a);
  a.click();
  a.remove();
}

/** Follows a link to a file that the server makes of a set; where the server is away, or the set is deleted, that is thrown as a sentence. */
export async function give(id: string, href: string): Promise<void> {
  await readSet(id);
  follow(href, "");
}

/** A name that any file system takes. */
export function fileName(s: string): string {
  return s.replace(/\u202f/g, "").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 100) || "set";
}

/** A table as CSV, as RFC 4180 has it: what has a comma, a quote or a line break in it stands in quotes. Names come from
 * traces: a text that a spreadsheet would take for a formula gets an apostrophe before it, as in the tables of the server. */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (v: string | number | null) => {
    const words = typeof v === "string" ? harmless(v) : String(v ?? "");
    return /[",\r\n]/.test(words) ? `"${words.replace(/"/g, '""')}"` : words;
  };
  return rows.map((r) => r.map(cell).join(",") + "\r\n").join("");
}

// A text that no spreadsheet evaluates; a number in words stays one.
const harmless = (s: string) => (/^[=+\-@\t\r\n']/.test(s) && !/^-?(\d+\.?\d*|\.\d+)$/.test(s) ? "'" + s : s);
