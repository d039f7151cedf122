import assert from "node:assert/strict";
import { test } from "node:test";
import { Levels } from "../src/state/levels.js";

const attribute = { name: "CPUs", path: "CPUs", value: null, children: 2, local_begin: "0", local_end: "9" };

// The server knows of the host from 5 on; before that it knows of no such host, or of nothing at that time.
function serve(early: { status: number; body: object }): void {
  globalThis.fetch = (address) => {
    const late = Number(new URL(String(address), "http://x").searchParams.get("time")) >= 5;
    const [status, body] = late ? [200, { local_time: "5", known: true, from: 0, total: 1, all: true, attributes: [attribute] }] : [early.status, early.body];
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } }));
  };
}

const settled = () => new Promise((r) => setTimeout(r, 20));

for (const [name, early] of [
  ["was empty", { status: 200, body: { local_time: "1", known: false, from: 0, total: 0, all: true, attributes: [] } }],
  ["could not be read", { status: 400, body: { error: "The trace set has no host \"web\"." } }],
] as const)
  test(`a level that ${name} at one time is asked for at another`, async () => {
    serve(early);
    const levels: Levels = new Levels("set", () => levels?.want(levels.lines()));
    levels.at({ host: "web", local: 1n });
    await settled();
    assert.deepEqual(levels.lines(), []);
    levels.at({ host: "web", local: 6n });
    await settled();
    assert.equal(levels.error, "");
    assert.equal(levels.summary?.known, true);
    assert.deepEqual(levels.lines().map((l) => l.item?.path), ["CPUs"]);
  });

test("a time that is not read yet is told from one at which nothing was recorded", async () => {
  for (const [more, unread] of [[{ local_known_until: "1" }, true], [{}, false]] as const) {
    serve({ status: 200, body: { local_time: "1", known: false, ...more, from: 0, total: 0, all: true, attributes: [] } });
    const levels: Levels = new Levels("set", () => levels?.want(levels.lines()));
    levels.at({ host: "web", local: 1n });
    await settled();
    assert.equal(levels.summary?.known, false);
    assert.equal(levels.summary?.unread, unread);
    levels.at({ host: "web", local: 6n });
    await settled();
    assert.equal(levels.summary?.unread, false);
  }
});
