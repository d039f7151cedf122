import assert from "node:assert/strict";
import { test } from "node:test";
import { isolated, list } from "../src/model/names.js";

test("a name that is written from the right, or turns what follows, leaves the words around it alone", () => {
  assert.equal(isolated('<i>"évil🙂 abc'), '<i>"évil🙂 abc');
  assert.equal(isolated("a\u202Ecba"), "\u2068a\u202Ecba\u2069");
  assert.equal(isolated("שלום"), "\u2068שלום\u2069");
  assert.equal(isolated("a\u2069\u202Eb"), "\u2068a\u202Eb\u2069", "a name does not end that before it does");
  assert.equal(isolated("a\u2067\u2066b"), "\u2068a\u2067\u2066b\u2069\u2069\u2069", "nor go on after it");
  assert.equal(list(["a", "b\u202E", "c"]), "a, \u2068b\u202E\u2069 and c");
  assert.equal(list(["a", "b\u202E", "c"], 2), "a and 2 others");
});
