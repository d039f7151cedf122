import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { byName } from "../src/model/natural.js";
import { fitted, shortened } from "../src/model/shortened.js";

test("names are in the order that the server has them in", () => {
  const names = readFileSync("../internal/natural/testdata/names.txt", "utf8").trim().split("\n");
  for (const [i, a] of names.entries()) for (const [j, b] of names.entries()) assert.equal(byName(a, b), Math.sign(i - j), `${a} and ${b}`);
  // A host has its CPUs together, whatever it is called: a name is not compared with what stands behind another.
  assert.deepEqual([["node-2 (2)", "0"], ["node-2", "10"], ["node-10", "0"], ["node-2", "9"]].sort(byName), [["node-2", "9"], ["node-2", "10"], ["node-2 (2)", "0"], ["node-10", "0"]]);
});

test("names that have numbers in them are ordered by these", () => {
  const names = ["node-10", "web", "node-2", "rack10-node1", "db", "node-1", "rack2-node9"];
  assert.deepEqual(names.sort(byName), ["db", "node-1", "node-2", "node-10", "rack2-node9", "rack10-node1", "web"]);
  assert.deepEqual([byName("node-01", "node-1"), byName("node-1", "node-01"), byName("web", "web")], [-1, 1, 0], "only equal names are equal");
});

test("of a name for which there is little room the ends stay", () => {
  const measure = (words: string) => [...words].length * 7;
  assert.deepEqual(["web", "gateway-of-the-shop-rk12"].map((name) => fitted(name, 70, measure)), ["web", "gatew…rk12"]);
  assert.deepEqual([70, 42, 21, 14, 0].map((room) => fitted("gateway-rk12", room, measure)), ["gatew…rk12", "gat…12", "g…2", "g…", "…"]);
  assert.deepEqual([shortened("gateway-rk12", 4, 4), shortened("gateway", 3, 3), shortened("gateway", 4, 3)], ["gate…rk12", "gateway", "gateway"]);
});
