import assert from "node:assert/strict";
import { test } from "node:test";
import { partOfText } from "../src/timeline/wanted.js";

test("a pattern without a wildcard may be meant as a part of the text", () => {
  assert.equal(partOfText('status == blocked && syscall =~ "wait"'), "wait");
  assert.equal(partOfText('name=~"db"'), "db");
  for (const filter of ['syscall =~ "*wait*"', 'syscall =~ "wait[46]"', 'syscall == "wait"', 'syscall !~ "wait"', "wait"]) assert.equal(partOfText(filter), null);
});
