import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRemembered, textOf, type Remembered } from "../src/model/remembered.js";
import type { Place } from "../src/model/trail.js";

const place = (number: number, more: Partial<Place> = {}): Place => ({ number, window: { begin: 1795226069841173990n + BigInt(number), span: 1234.5 }, whole: number === 0, sight: undefined, ...more });
const many = { sentLast: 90n, receivedLast: 95n, fromTid: -1, toTid: 12, protocol: 6, fromPort: 4000, toPort: 80 };
const left: Remembered = {
  raw: true, query: "?time=raw", aside: "state=7&of=web", at: { window: { begin: 7n, span: 50 }, whole: false, sight: undefined },
  way: {
    here: 4, made: 9,
    behind: [place(0), place(2, { sight: { kept: { window: { begin: 5n, span: 60 }, raw: false, host: "web", local: -6n }, other: { window: { begin: 6n, span: 60 }, raw: true, host: "db", local: 36n }, told: true, along: "db", words: "1,7" } })],
    ahead: [place(9, { choice: { row: { host: 1, tid: -1 }, did: 8n, message: { from: 0, to: 2, sent: 7n, received: 8n, among: { sent: 6n, received: 7n, many } }, folded: { hosts: [1], processes: ["0.7"] } } }), place(6, { choice: { row: null, did: null, message: null, folded: undefined } })],
  },
  held: [
    ["selection", { of: { begin: 1795226069841173990n, span: 50 }, host: "", kept: { window: { begin: 5n, span: 50 }, raw: false, host: "web", local: -6n, by: "db" } }],
    ["state", { of: { begin: 7n, span: 0 }, host: "web", kept: { window: { begin: 7n, span: 0 }, raw: true, host: "web", local: 7n } }],
  ],
  steps: { life: "abc", made: new Map([[1, null], [2, { from: 0, to: 2 }]]) }, scrolled: new Map([["statistics", 500], ["sync", 7]]),
};

test("what a page was left with is the same after it was stored", () => {
  assert.deepEqual(parseRemembered(textOf(left)), left);
});

test("of a way that is too long the nearer part is remembered", () => {
  const processes = Array.from({ length: 300 }, (_, i) => `0.${i}`);
  const long = Array.from({ length: 200 }, (_, i) => place(i, { choice: { row: null, did: null, message: null, folded: { hosts: [], processes } } }));
  const text = textOf({ ...left, way: { here: 200, made: 200, behind: long, ahead: [] } });
  const again = parseRemembered(text)!.way.behind;
  assert.deepEqual([text.length <= 200_000, again.length > 20, again.at(-1)!.number], [true, true, 199]);
});

test("what stood at a time is forgotten alone where it is broken", () => {
  const said = JSON.parse(textOf(left)) as { held: unknown[][] };
  const [selection, state] = said.held;
  const [, at, host, kept] = selection!;
  for (const broken of [7, [], ["window", at, host, kept], ["selection", 7, host, kept], ["selection", at, 7, kept], ["selection", at, host, []], ["selection", ["7", -1], host, kept]])
    assert.deepEqual(parseRemembered(JSON.stringify({ ...said, held: [broken, state] })), { ...left, held: left.held.slice(1) }, JSON.stringify(broken));
  for (const none of [undefined, 7, {}]) assert.deepEqual(parseRemembered(JSON.stringify({ ...said, held: none })), { ...left, held: [] });
});

test("what is broken, or cannot have been, is nothing", () => {
  const said = JSON.parse(textOf(left)) as Record<string, unknown>;
  for (const [name, value] of [
    ["raw", 1], ["query", null], ["aside", 7], ["here", -1], ["here", 7], ["here", 1.5], ["made", 8], ["life", 7], ["at", {}], ["at", { ...(said.at as object), kept: [] }], ["behind", {}], ["behind", [7]], ["behind", [...(said.behind as unknown[])].reverse()],
    ["ahead", [...(said.ahead as unknown[])].reverse()], ["behind", Array.from({ length: 201 }, () => said.at)], ["steps", 7], ["steps", [[1, 2]]], ["steps", [["1"]]],
    ["scrolled", {}], ["scrolled", [["state"]]], ["scrolled", [["state", -1]]], ["scrolled", [["state", "7"]]], ["scrolled", [[7, 7]]], ["scrolled", [["state", 1e9]]], ["scrolled", Array.from({ length: 17 }, (_, i) => [`${i}`, 7])],
  ] as const) assert.equal(parseRemembered(JSON.stringify({ ...said, [name]: value })), null, `${name}: ${JSON.stringify(value)}`);
  for (const text of ["", "{", "7", "null", "[]", "{}"]) assert.equal(parseRemembered(text), null, text);
});
