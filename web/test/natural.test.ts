import assert from "node:assert/strict";
import { test } from "node:test";
import { byName } from "../src/model/natural.js";

test("names that have numbers in them are ordered by these", () => {
  const names = ["node-10", "web", "node-2", "rack10-node1", "db", "node-1", "rack2-node9"];
  assert.deepEqual(names.sort(byName), ["db", "node-1", "node-2", "node-10", "rack2-node9", "rack10-node1", "web"]);
  assert.deepEqual([byName("node-01", "node-1"), byName("node-1", "node-01"), byName("web", "web")], [-1, 1, 0], "only equal names are equal");
});
