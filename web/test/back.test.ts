import assert from "node:assert/strict";
import { test } from "node:test";
import { Back } from "../src/net/back.js";

test("what is gone is asked for, ever less often, until it is back or nobody wants it any more", async () => {
  const before = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  let waits: { ms: number; run: () => void }[] = [];
  Object.assign(globalThis, { setTimeout: (run: () => void, ms: number) => waits.push({ ms, run }), clearTimeout: () => (waits = []) });
  const settled = async () => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  const next = async () => {
    const [w] = waits.splice(0);
    w.run();
    await settled();
    return w.ms;
  };
  try {
    let [asked, there, backs] = [0, false, 0];
    const back = new Back(async () => {
      asked++;
      if (!there) throw new Error("away");
    }, () => backs++);
    back.missed();
    back.missed();
    assert.equal(waits.length, 1);
    assert.deepEqual([await next(), await next(), await next(), await next(), await next()], [1000, 2000, 4000, 8000, 8000]);
    there = true;
    await next();
    assert.deepEqual([asked, backs, waits.length], [6, 1, 0]);

    // What may be back at once is asked for at once.
    there = false;
    back.look();
    await settled();
    assert.deepEqual([asked, waits.map((w) => w.ms)], [7, [1000]]);
    await next();
    back.end();
    assert.deepEqual([waits.length, backs], [0, 1]);
    // And an answer that comes after the end is none.
    there = true;
    back.look();
    back.end();
    await settled();
    assert.deepEqual([waits.length, backs], [0, 1]);
  } finally {
    Object.assign(globalThis, before);
  }
});
