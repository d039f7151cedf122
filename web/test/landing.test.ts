import assert from "node:assert/strict";
import { test } from "node:test";
import { landed, stays, unmoved } from "../src/model/landing.js";

const message = { from: 2, to: 1, sent: 2050n, received: 1080n };
const seen = { raw: true, window: { begin: 2040n, span: 20 }, row: null, did: null, lane: "", was: null, message };
const kept = { window: { begin: 40n, span: 20 }, raw: false, host: "c", local: 2050n };

test("who has not moved is where they were brought to, and if they chose nothing the other time leads back", () => {
  const landing = landed(kept, 2, seen as never);
  const now = (more: object) => [stays, unmoved].map((is) => is(landing, { ...seen, window: { ...seen.window }, message: { ...message }, ...more } as never));
  assert.deepEqual(now({}), [true, true]);
  assert.deepEqual(now({ window: { begin: 2041n, span: 20 } }), [false, false]);
  assert.deepEqual(now({ window: { begin: 2040n, span: 21 } }), [false, false]);
  assert.deepEqual(now({ message: { ...message, received: 1081n } }), [true, false]);
  assert.deepEqual(now({ row: { host: 1, tid: 7 } }), [true, false]);
  assert.equal(stays(null, seen as never), false);
});
