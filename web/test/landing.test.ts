import assert from "node:assert/strict";
import { test } from "node:test";
import { landed, seenBy, sightOf, stillSeenBy, unmoved, unworded } from "../src/model/landing.js";

const message = { from: 2, to: 1, sent: 2050n, received: 1080n };
const seen = { raw: true, window: { begin: 2040n, span: 20 }, row: null, did: null, lane: "", was: null, message };
const kept = { window: { begin: 40n, span: 20 }, raw: false, host: "c", local: 2050n };
const other = { window: { begin: 2040n, span: 20 }, raw: true, host: "c", local: 2050n };

test("who has not moved nor chosen anything is where they were brought to", () => {
  const landing = landed(seen as never, { kept });
  const now = (more: object) => unmoved(landing, { ...seen, window: { ...seen.window }, message: { ...message }, ...more } as never);
  assert.equal(now({}), true);
  assert.equal(now({ window: { begin: 2041n, span: 20 } }), false);
  assert.equal(now({ window: { begin: 2040n, span: 21 } }), false);
  assert.equal(now({ message: { ...message, received: 1081n } }), false);
  assert.equal(now({ row: { host: 1, tid: 7 } }), false);
  assert.equal(unmoved(null, seen as never), false);
});

test("where it was seen is known by the times that it was seen by", () => {
  assert.deepEqual([true, false].map((raw) => seenBy(landed(seen as never, { kept }), raw)), [undefined, kept]);
  assert.deepEqual([true, false].map((raw) => seenBy(landed(seen as never, { kept, other }), raw)), [other, kept]);
});

test("a place is by the other time where it was as long as what was chosen there is chosen, or who is gone along with leads there", () => {
  const sight = { kept, other, along: "c", words: "1,7" };
  const landing = landed(seen as never, sight);
  assert.deepEqual(["c", "a"].map((along) => stillSeenBy(landing, true, along)), [other, undefined]);
  assert.equal(stillSeenBy({ ...landing, chosen: "1,7" }, true, "a"), other);
  assert.equal(stillSeenBy(landed(seen as never, unworded(sight)), true, "a"), undefined);
  // What was only told leads along with its host alone.
  const told = { ...landing, chosen: "1,7", told: true };
  assert.deepEqual([stillSeenBy(told, true, "a"), stillSeenBy(told, true, "c"), stillSeenBy(told, false, "a")], [undefined, other, kept]);
  assert.deepEqual(sightOf(landing), sight);
  assert.deepEqual(sightOf(landed(seen as never, { kept })), { kept });
});
