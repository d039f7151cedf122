import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bookmark } from "../src/bookmarks/bookmarks.js";
import { group } from "../src/bookmarks/flags.js";

test("flags that would cover each other are one, what is outside of the window or not known has none", () => {
  const mark = (id: number, at: bigint | null) => ({ b: { id, host: "db", tid: -1, local_time: "0", text: "" } as Bookmark, at });
  const marks = [mark(1, 5n), mark(2, 1000n), mark(3, 1009n), mark(4, 1015n), mark(5, 1500n), mark(6, 2000n), mark(7, 2001n), mark(8, null)];
  const got = group(marks, { begin: 1000n, span: 1000 }, 1000).map((g) => `${g.x}: ${g.marks.map((b) => b.id)}`);
  assert.deepEqual(got, ["0: 2,3", "15: 4", "500: 5", "1000: 6"]);
});
