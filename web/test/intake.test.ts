import assert from "node:assert/strict";
import { test } from "node:test";
import { Intake } from "../src/model/intake.js";
import { RowNumbers } from "../src/model/rownumbers.js";
import { HOST, PROCESS, RowTable } from "../src/model/rows.js";
import { SetModel } from "../src/model/set.js";
import type { SetInfo } from "../src/net/json.js";
import { NO_ROW, type RowsMessage } from "../src/net/wire.js";

globalThis.requestAnimationFrame = (f) => (f(0), 0);

// A host and its processes, by their numbers.
function rows(host: string, at: number, ...processes: [id: number, tid: number][]): RowsMessage {
  const all = [[at, NO_ROW, HOST, -1] as const, ...processes.map(([id, tid]) => [id, at, PROCESS, tid] as const)];
  const column = (k: number) => all.map((r) => r[k]);
  return {
    kind: "rows", view: 0, gen: 1, id: Uint32Array.from(column(0)), parent: Uint32Array.from(column(1)), host: new Uint16Array(all.length), rowKind: Uint8Array.from(column(2)), tid: Int32Array.from(column(3)),
    first: new Float64Array(all.length), last: new Float64Array(all.length).fill(-1), names: all.map((_, i) => (i === 0 ? host : "process")),
  };
}

// What is told of rows that come over a second connection, and what the processes have as their numbers then.
function second(state: string, host: string, again = false): { told: string; numbers: (number | undefined)[] } {
  const [table, set, told] = [new RowTable(), new SetModel(), [] as string[]];
  set.setInfo({ state, hosts: [{ index: 0, name: "web" }] } as unknown as SetInfo);
  const intake = new Intake(table, new RowNumbers(), set, { others: () => told.push("others"), hosts: () => told.push("hosts"), known: () => told.push("known"), came: () => told.push("came") });
  intake.connected();
  intake.take(rows("web", 0, [1, 10], [2, 20]));
  told.length = 0;
  if (again) intake.again();
  else intake.lost();
  intake.connected();
  assert.equal(intake.kept, again);
  intake.take(rows(host, 2, [0, 10], [1, 20]));
  return { told: told.join(), numbers: [10, 20].map((tid) => table.find(0, tid)) };
}

test("rows of a set that is read keep their numbers over another connection, where its hosts are the same", () => {
  assert.deepEqual(second("ready", "web"), { told: "known,came", numbers: [1, 2] });
  assert.deepEqual(second("ready", "db"), { told: "others,known,came", numbers: [0, 1] });
  assert.deepEqual(second("importing", "web"), { told: "others,known,came", numbers: [0, 1] });
});

test("where the server asks to connect again its numbers are those that they were, but of a connection that sent none", () => {
  assert.deepEqual(second("ready", "web", true), { told: "known,came", numbers: [0, 1] });
  const intake = new Intake(new RowTable(), new RowNumbers(), new SetModel(), { others: () => {}, hosts: () => {}, known: () => {}, came: () => {} });
  intake.connected();
  intake.again();
  assert.equal(intake.kept, false);
});
