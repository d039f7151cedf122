import assert from "node:assert/strict";
import { test } from "node:test";
import { alongside, witness } from "../src/model/alongside.js";

// Three hosts that record for 100 ns; the clock of 1 is 1000 ns ahead of that of 0, the reference, and that of 2 is 2000 ns.
const set = {
  hosts: [{ index: 0, reference: true }, { index: 1 }, { index: 2 }],
  toReference: (host: number, t: bigint) => t - 1000n * BigInt(host),
  extent: (host: number, raw: boolean) => ({ begin: raw ? 1000n * BigInt(host) : 0n, end: raw ? 1000n * BigInt(host) + 100n : 100n }),
};
const seen = { raw: false, window: { begin: 40n, span: 20 }, row: null, did: null, lane: "", was: null, message: null };
const along = (more: object) => alongside({ ...seen, ...more } as never, set as never);

test("the window goes with what is chosen and in sight", () => {
  assert.equal(along({ lane: "1.0", was: 1050n }), 1);
  assert.equal(along({ row: { host: 2, tid: 7 }, did: 2050n, lane: "1.0", was: 1050n }), 2);
  assert.equal(along({ row: { host: 2, tid: 7 }, did: 2090n, lane: "1.0", was: 1050n }), 1);
  assert.equal(along({ message: { from: 2, to: 1, sent: 2050n, received: 1080n } }), 2);
  assert.equal(along({ message: { from: 2, to: 1, sent: 2020n, received: 1050n } }), 1);
  assert.equal(along({ raw: true, window: { begin: 1040n, span: 20 }, row: { host: 2, tid: 7 }, did: 2050n, lane: "1.0", was: 1050n }), 1);
});

test("else with what is selected, or with who recorded there", () => {
  assert.equal(along({ row: { host: 2, tid: 7 } }), 2);
  assert.equal(along({ lane: "1.0" }), 1);
  assert.equal(along({}), 0);
  assert.equal(along({ window: { begin: 105n, span: 20 }, lane: "1.0" }), 0);
  assert.equal(along({ window: { begin: 95n, span: 20 }, lane: "1.0" }), 1);
  assert.equal(along({ raw: true, window: { begin: 2040n, span: 20 } }), 2);
});

test("else with who recorded nearest to there, and of two as near with the reference", () => {
  assert.equal(along({ raw: true, window: { begin: 500n, span: 20 } }), 0);
  assert.equal(along({ raw: true, window: { begin: 560n, span: 20 } }), 1);
  assert.equal(along({ raw: true, window: { begin: 540n, span: 20 } }), 0);
  assert.equal(along({ raw: true, window: { begin: 9000n, span: 20 } }), 2);
  assert.equal(along({ window: { begin: -9000n, span: 20 } }), 0);
  assert.equal(alongside({ ...seen } as never, { ...set, extent: () => null } as never), undefined);
});

test("what is in sight is found again by who recorded it, or nearest to it", () => {
  const found = (begin: bigint, more = {}) => witness({ ...seen, raw: true, window: { begin, span: 20 }, ...more } as never, set as never);
  assert.equal(found(1040n), 1);
  assert.equal(found(1040n, { lane: "2.0" }), 1);
  assert.equal(found(2040n, { lane: "2.0" }), 2);
  assert.equal(found(2095n, { lane: "2.0" }), 2);
  assert.equal(found(560n), 1);
  assert.equal(found(560n, { lane: "2.0" }), 1);
  assert.equal(witness({ ...seen, lane: "2.0" } as never, { ...set, extent: () => null } as never), 2);
});
