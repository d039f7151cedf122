import assert from "node:assert/strict";
import { test } from "node:test";
import { orderOf } from "../src/events/order.js";
import type { Entry } from "../src/events/pages.js";
import { sinceAbove } from "../src/events/since.js";
import { Passages, type Passed } from "../src/model/passages.js";
import { SetModel } from "../src/model/set.js";
import { View } from "../src/model/view.js";
import type { Clocks, SetInfo } from "../src/net/json.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

function answering(all: readonly Passed[] | null) {
  const asked: string[] = [];
  const p = new Passages(async (from, to, begin, end) => {
    asked.push(`${from} ${to} ${begin} ${end}`);
    return all;
  }, () => asked.push("known"), 0);
  return { p, asked };
}

test("of two moments a message tells which came first: by its own ends, or by its way in between", async () => {
  for (const [then, want] of [[1100n, "ends"], [1101n, "ends"], [1200n, "through"], [1050n, null]] as const) {
    const { p, asked } = answering([{ sent: 1000n, received: 1100n }]);
    assert.equal(p.of("a", 1000n, "b", then, 300), null, "nothing is known before the answer");
    await settled();
    assert.equal(p.of("a", 1000n, "b", then, 300), want, String(then));
    await settled();
    assert.deepEqual(asked, ["a b 998 1302", ...(want ? ["known"] : [])], "one question");
  }
  // Of too many to tell each nothing is known, and what was sent before the first moment says nothing.
  for (const all of [null, [{ sent: 990n, received: 1100n }]]) {
    const { p } = answering(all);
    p.of("a", 1000n, "b", 1200n, 300);
    await settled();
    assert.equal(p.of("a", 1000n, "b", 1200n, 300), null);
  }
});

test("only the moments that rest are asked about", async () => {
  const { p, asked } = answering([]);
  for (let t = 0n; t < 20n; t++) p.of("a", t, "b", 100n, 10);
  await settled();
  assert.deepEqual(asked, ["a b 17 31"]);
});

// Two hosts whose clocks are known to 120 ns against each other.
function twoHosts(): SetModel {
  const s = new SetModel();
  const clock = (name: string) => ({
    name, id: name, component: 0, reference: name === "a", error: name === "a" ? [] : [["0", 120], ["9000", 120]],
    map: [{ begin: "0", end: "9000", reference_begin: "0", reference_end: "9000", rate: 1 }],
  });
  s.setInfo({ state: "ready", hosts: ["a", "b"].map((name, index) => ({ index, name, id: name, local_begin: "0", local_end: "9000" })) } as unknown as SetInfo);
  s.setClocks({ reference: "a", version: 1, hosts: [clock("a"), clock("b")], links: [] } as unknown as Clocks);
  return s;
}

test("the sending and the arrival of one message are in that order, whatever the clocks leave open", async () => {
  const s = twoHosts();
  s.passages = answering([{ sent: 1000n, received: 1112n }]).p;
  const says = async (from: [string, bigint], to: [string, bigint], words: string) => {
    const order = () => orderOf(s, { host: from[0], local: from[1] }, { host: to[0], local: to[1] });
    order();
    await settled();
    assert.equal(order().words.replace(/[\u202f\u00a0]/g, " "), words);
    assert.equal(order().open, !words.includes("certain"));
  };
  await says(["a", 1000n], ["b", 1112n], "112 ± 120 ns later, certain: the sending came first, as it is the same message; how much later is within the error.");
  await says(["b", 1112n], ["a", 1000n], "112 ± 120 ns earlier, certain: the sending came first, as it is the same message; how much earlier is within the error.");
  await says(["a", 999n], ["b", 1115n], "116 ± 120 ns later, certain: a message went from a to b in between; how much later is within the error.");
  await says(["a", 1003n], ["b", 1115n], "112 ± 120 ns later: within the error, so either may have come first.");
});

test("the rows of a table ask for nothing, and no row stands in the way of two events that are compared; what is known of two is said in their row", async () => {
  const s = twoHosts();
  const { p, asked } = answering([{ sent: 1000n, received: 1112n }]);
  s.passages = p;
  const event = (host: string, t: bigint): Entry => ({ time: t, local: t, host, cpu: 0, name: "e", fields: "" });
  const rows = [event("a", 990n), event("b", 995n), event("a", 1000n), event("b", 1112n), event("a", 1115n)];
  const heard = () => rows.slice(1).map((_, i) => (sinceAbove(s, new View(), rows, i + 1) as { heard: string }).heard);
  orderOf(s, rows[2], rows[3]);
  assert.deepEqual(heard(), [", within the error", ", within the error", ", within the error", ", within the error"]);
  await settled();
  assert.deepEqual(asked, ["a b 998 1235", "known"]);
  assert.deepEqual(heard(), [", within the error", ", within the error", ", certain", ", within the error"]);
  await settled();
  assert.equal(asked.length, 2);
});
