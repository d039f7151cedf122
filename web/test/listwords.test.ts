import assert from "node:assert/strict";
import { test } from "node:test";
import { HOST, THREAD } from "../src/model/rows.js";
import type { Listed } from "../src/model/tree.js";
import type { Context } from "../src/timeline/controlflow.js";
import { countWords, type Listing } from "../src/timeline/listwords.js";
const plain = (s: string) => s.replace(/[\u202f\u00a0]/g, " ");

// The words over the threads 1 to n of the host 0, of which those are listed, that fit and that run.
function words(n: number, filter: string, of: { listed: number[]; fits: number[]; runs: number[] | null; unnumbered?: number; dimmed?: number[]; holds?: number[]; fit?: number; idle?: number }): string {
  const rows = { threads: n, unnumbered: of.unnumbered ?? 0, get: (id: number) => ({ kind: id === 0 ? HOST : THREAD }) };
  const row = (id: number): Listed => ({ id, level: 1, expandable: !!of.holds?.includes(id), expanded: true, dimmed: of.dimmed?.includes(id) ?? false });
  const listing = {
    listed: [0, ...of.listed].map(row), fit: of.fit ?? 0, idle: of.idle ?? 0, wanted: { rows: new Set(of.fits), unsure: 0 },
    busy: { known: of.runs !== null, is: (id: number) => !!of.runs?.includes(id) }, efforts: { counting: false },
  } as unknown as Listing;
  return plain(countWords({ rows, view: { filter, busyOnly: of.runs !== null, order: {} } } as unknown as Context, listing).parts.join(", "));
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

test("what is listed, what fits and what does not run add up", () => {
  const fits = upTo(689);
  const runs = upTo(16);
  assert.equal(words(3220, "name == httpd", { listed: runs, fits, runs }), "3 220 threads, 16 listed, 689 fit, 673 of these do not run in view");
  // One that does not fit is kept, as it is selected: 16 with 673 are 689.
  assert.equal(words(3220, "name == httpd", { listed: [...runs, 900], fits, runs }), "3 220 threads, 16 listed and 1 that does not fit, 689 fit, 673 of these do not run in view");
  assert.equal(words(3220, "name == httpd", { listed: [...runs, 900, 901], fits, runs: null }), "3 220 threads, 16 listed and 2 that do not fit, 689 fit, 673 of these are in closed rows");
  // Three that fit and run are in a process that is closed.
  assert.equal(words(3220, "name == httpd", { listed: upTo(13), fits, runs }), "3 220 threads, 13 listed, 689 fit, 673 of these do not run in view, 3 are in closed rows");
  assert.equal(words(9, "name == httpd", { listed: [9], fits: [1, 2], runs: [] }), "9 threads, 0 listed and 1 that does not fit, 2 fit, but none of these runs in view");
  assert.equal(words(9, "name == httpd", { listed: [9], fits: [], runs: [] }), "9 threads, 1 listed, none fits");
});

test("rows of declared states are no threads", () => {
  assert.equal(words(9, "", { listed: [1, 2], fits: [], runs: [1, 2], unnumbered: 3 }), "9 rows, 2 listed");
});

test("so do they of words that names have, where a row that does not fit is dim", () => {
  assert.equal(words(9, "httpd", { listed: [1, 2, 5], fits: [], runs: [1, 2], dimmed: [5], fit: 2, idle: 3 }), "9 threads, 2 listed and 1 that does not fit, 5 fit, 3 of these do not run in view");
  assert.equal(words(9, "httpd", { listed: [1], fits: [], runs: null, fit: 3 }), "9 threads, 1 listed, 3 fit, 2 of these are in closed rows");
  assert.equal(words(9, "", { listed: [1, 2], fits: [], runs: [1, 2] }), "9 threads, 2 listed");
});

test("processes that are listed for their threads are told from those that run", () => {
  assert.equal(words(90, "", { listed: upTo(9), fits: [], runs: upTo(5), holds: [1, 6, 7, 8] }), "90 threads, 5 listed and 3 processes of theirs and 1 chosen");
  assert.equal(words(90, "", { listed: upTo(6), fits: [], runs: upTo(5), holds: [6] }), "90 threads, 5 listed and 1 process of theirs");
  assert.equal(words(90, "", { listed: upTo(6), fits: [], runs: null, holds: [6] }), "90 threads, 6 listed");
});
