import assert from "node:assert/strict";
import { test } from "node:test";
import { isolated, list } from "../src/model/names.js";
import { knowHosts, stemsOf } from "../src/model/shared.js";
import { fitted, shortened } from "../src/model/shortened.js";

test("a name that is written from the right, or turns what follows, leaves the words around it alone", () => {
  assert.equal(isolated('<i>"évil🙂 abc'), '<i>"évil🙂 abc');
  assert.equal(isolated("a\u202Ecba"), "\u2068a\u202Ecba\u2069");
  assert.equal(isolated("שלום"), "\u2068שלום\u2069");
  assert.equal(isolated("a\u2069\u202Eb"), "\u2068a\u202Eb\u2069", "a name does not end that before it does");
  assert.equal(isolated("a\u2067\u2066b"), "\u2068a\u2067\u2066b\u2069\u2069\u2069", "nor go on after it");
  assert.equal(list(["a", "b\u202E", "c"]), "a, \u2068b\u202E\u2069 and c");
  assert.equal(list(["a", "b\u202E", "c"], 2), "a and 2 others");
});

const DOMAIN = ".frankfurt.eu-central.example.com";
const shop = [1, 2, 3, 4, 5, 6].map((n) => `web-server-of-the-shop-${n}`);

test("what long names have in common at their ends is found, and begins at a dot", () => {
  assert.deepEqual([...stemsOf([...shop.map((n) => n + DOMAIN), "gateway"]).values()], shop.map((n) => n.length));
  assert.deepEqual([...stemsOf(["node-1-worker.shop.example.com", "node-2-worker.shop.example.com"]).values()], [6, 6]);
  assert.deepEqual([...stemsOf(["machine-a1.shop.example.com", "machine-b1.shop.example.com"]).values()], [10, 10]);
  assert.equal(stemsOf(shop).size, 0, "these differ at their ends");
  assert.equal(stemsOf(["short.example", "other.example"]).size, 0, "these are whole everywhere");
  assert.equal(stemsOf(["x".repeat(20), "x".repeat(20)]).size, 0, "of one name alone nothing is shared");
});

test("of hosts in one domain each is told from the others by what stands of its name", () => {
  knowHosts(shop.map((n) => n + DOMAIN));
  try {
    for (const [head, tail] of [[9, 8], [4, 4], [16, 12], [2, 1]]) {
      const words = shop.map((n) => shortened(n + DOMAIN, head, tail));
      assert.equal(new Set(words).size, shop.length, words.join(" "));
      assert(words.every((w, i) => [...w].length <= head + tail + 1 && w.includes(String(i + 1))), words.join(" "));
    }
    assert.equal(shortened(shop[0] + DOMAIN, 9, 8), "web-serv…e-shop-1…");
    assert.equal(shortened(shop[0] + DOMAIN, 16, 12), "web-server-of-the-shop-1.fra…");
    assert.equal(shortened(shop[0] + DOMAIN, 40, 40), shop[0] + DOMAIN);
    assert.equal(fitted(shop[1] + DOMAIN, 12, (w) => [...w].length), "web-s…hop-2…");
    assert.equal(shortened("some-other-thing-of-the-shop.example.com", 4, 4), "some….com");
  } finally {
    knowHosts([]);
  }
});
