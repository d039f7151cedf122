import assert from "node:assert/strict";
import { test } from "node:test";
import { undatedWords } from "../src/events/lossplaces.js";
import { unreadWords } from "../src/model/unread.js";

test("what is damaged is said, and not put down to an earlier version of the program", () => {
  const sentence = "The file of when events were lost of web cannot be read: hosts/1/losses: block at byte 0: the file ends before it.";
  assert.equal(undatedWords([], [sentence]), sentence);
  assert.equal(undatedWords([], []), "");
  assert.equal(undatedWords(["db"], [sentence]).startsWith(`${sentence} When events were lost on db is not known, for an earlier version`), true);
  assert.equal(unreadWords({ harmed: [sentence], hosts: [] }), sentence);
  assert.equal(unreadWords({ harmed: [sentence, "b", "c"], hosts: [] }), `${sentence} 2\u00a0other files are damaged too.`);
});
