import assert from "node:assert/strict";
import { test } from "node:test";

import type { Chosen } from "../src/timeline/chosen.js";
import { Steps } from "../src/timeline/steps.js";

// A row of a CPU that did something else at 10, 20 and 30 and is known from 0 to 40, with a server that answers when it is told to. The clock of its
// host is LOCAL ahead of the reference; that of the server may be another than the page knows, so much ahead of that.
const LOCAL = 500n;
function row(ahead = 0n) {
  const asked: ((m: unknown) => void)[] = [];
  const notes: string[] = [];
  const shown = { begin: 0n, span: 40 };
  let chosen: Chosen | null = { row: 7, begin: 10n, end: 20n };
  let first = 0;
  const c = {
    live: { ask: (_: number, q: { at: string; time: string }, take: (m: unknown) => void) => asked.push(() => take({ kind: "at", body: q.time === "raw" ? at(BigInt(q.at) - LOCAL, LOCAL) : at(BigInt(q.at) - ahead, ahead) })) },
    view: { time: "reference", raw: false, window: shown, jump: (to: typeof shown) => void (shown.begin = to.begin) },
    rows: { get: () => ({ host: 0 }) },
    set: { unread: () => false, toLocal: (_: number, t: bigint) => t + LOCAL, toReference: (_: number, t: bigint) => t - LOCAL, errorAt: () => 1 },
  };
  const at = (t: bigint, by: bigint) => (t < 0n || t >= 40n ? { begin: null, end: null } : { begin: String(t - (t % 10n) + by), end: String(t - (t % 10n) + 10n + by) });
  const steps = new Steps(c as never, { note: (_: number | null, words: string) => void notes.push(words) }, {
    view: 1,
    chosen: () => chosen,
    whose: () => "CPU",
    leave: () => {},
    take: (id, a) => void (chosen = { row: id, begin: BigInt(a!.begin!), end: BigInt(a!.end!) }),
    first: () => void first++,
  });
  return {
    steps, notes, shown,
    answer: () => asked.splice(0).forEach((take) => take(null)),
    pending: () => asked.length,
    begin: () => chosen?.begin,
    choose: (to: Chosen | null) => void (chosen = to),
    firsts: () => first,
  };
}

test("steps go to the state behind and before, one after the other, as far as there are any", () => {
  const r = row();
  r.steps.step(true);
  r.steps.step(true); // while the first is on its way
  r.answer();
  assert.equal(r.begin(), 20n);
  r.answer();
  assert.equal(r.begin(), 30n);
  r.steps.step(true);
  r.answer();
  assert.deepEqual([r.begin(), r.notes], [30n, ["This is the CPU's last state."]]);
  for (let i = 0; i < 4; i++) {
    r.steps.step(false);
    r.answer();
  }
  assert.deepEqual([r.begin(), r.notes.at(-1), r.pending()], [0n, "This is the CPU's first state.", 0]);
});

test("a step leads to the state beside, whatever reference the server has by then", () => {
  const r = row(13n);
  r.steps.step(true);
  r.answer();
  assert.deepEqual([r.begin(), r.shown.begin], [20n, 0n]);
});

test("the window comes along", () => {
  const r = row();
  Object.assign(r.shown, { begin: 5n, span: 10 });
  r.steps.step(true);
  r.answer();
  assert.deepEqual([r.begin(), r.shown.begin], [20n, 17n]);
});

test("without a state a first one is chosen, and of one that was left nothing is told", () => {
  const r = row();
  r.steps.step(true);
  r.choose(null);
  r.answer();
  assert.deepEqual([r.begin(), r.notes], [undefined, []]);
  r.steps.step(true);
  assert.deepEqual([r.firsts(), r.pending()], [1, 0]);
});
