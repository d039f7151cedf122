import assert from "node:assert/strict";
import { test } from "node:test";
import { View } from "../src/model/view.js";
import { followChain } from "../src/timeline/chain.js";
import type { Communication } from "../src/timeline/communication.js";
import type { Context } from "../src/timeline/controlflow.js";
import { Follow } from "../src/timeline/follow.js";
import type { Inspector } from "../src/timeline/inspector.js";
import type { Picked } from "../src/timeline/picked.js";
import type { SelectedState } from "../src/timeline/selectedstate.js";

const message = (sent: bigint, received: bigint) => ({ from: 1, to: 2, sent, received, bundle: false, ends: null, count: 1 }) as unknown as Picked;
const thread = (host: number, tid: number) => ({ host, tid, kind: 2, name: "t" });

// A timeline with a window of 100 ns from 1000 on, and what each entry that is left has, as host numbers and times of the message that is chosen in it.
function timeline() {
  const left: string[] = [];
  const view = new View();
  view.load("?time=raw&begin=1000&end=1100&message=1~1010~2~1020&row=1.5");
  view.setBounds({ begin: 0n, end: 1_000_000n });
  view.entries.step = () => left.push(new URLSearchParams(view.query()).get("message") ?? "none");
  view.entries.bar.keep = () => {};
  let [next, each]: [Picked | null, Picked[]] = [null, []];
  const keys = new Map<string, () => void>();
  const c = {
    view, rows: { get: (id: number) => thread(id, 5), find: () => undefined },
    set: { elsewhere: (there: number, here: number, t: bigint) => t + 7n * BigInt(there - here) },
    commands: { add: (...all: { keys: string[]; run: () => void }[]) => all.forEach((x) => keys.set(x.keys[0], x.run)) },
  } as unknown as Context;
  const talk = { known: true, pick() {}, reveal() {}, stepping: { next: () => next }, finding: { each: (then: (all: Picked[]) => void) => then(each) } } as unknown as Communication;
  const follow = new Follow(c, talk);
  follow.onArrive = (_, at) => follow.bring(at);
  return { left, view, follow, c, press: (key: string) => keys.get(key)!(), offer: (m: Picked | null, all: Picked[] = []) => ([next, each] = [m, all]) };
}

const WAS = "1~1010~2~1020";

test("an entry that is left for a message has the one that was chosen in it", () => {
  const t = timeline();
  t.offer(message(5000n, 5010n));
  // A step waits until the message of the address is found.
  t.press("m");
  assert.deepEqual([t.left, t.view.message?.sent], [[], 1010n]);
  t.follow.again(message(1010n, 1020n));
  assert.deepEqual([t.left, t.view.message?.sent], [[WAS], 5000n]);
  // One that is in view already is chosen in the entry that one is at.
  t.offer(message(5001n, 5010n));
  t.press("m");
  assert.deepEqual([t.left, t.view.message?.sent], [[WAS], 5001n]);
});

test("so has one that is left for the other end of a message, or for one of a bundle", () => {
  const clicked = timeline();
  clicked.follow.click(message(1050n, 7000n), "from");
  assert.deepEqual([clicked.left, clicked.view.message?.received], [[WAS], 7000n]);
  assert.equal(clicked.view.window.begin, 6950n);

  const back = timeline();
  back.follow.click(message(300n, 1050n), "to");
  assert.deepEqual([back.left, back.view.window.begin], [[WAS], 250n]);

  const none = timeline();
  none.follow.click(null, "to");
  assert.deepEqual([none.left, none.view.message], [[], null]);

  const bundle = timeline();
  const bundled = { ...message(1050n, 1060n), bundle: true, ends: { sentFirst: 1050n, sentLast: 9000n, receivedFirst: 1060n, receivedLast: 9010n } };
  bundle.follow.pick(bundled);
  bundle.offer(null, [message(9000n, 9010n)]);
  bundle.press("m");
  assert.equal(bundle.left.join().startsWith("1~1050~2~1060~9000~9010~"), true);
  assert.equal(bundle.view.message?.sent, 9000n);
});

test("an entry that is left along a chain of waits has the message that was chosen in it, and the next one that which led there", () => {
  const steps: [string, (i: Inspector) => void, bigint | undefined][] = [
    ["what was waited for", (i) => i.onFollow(3, 5000n, 5010n, null), undefined],
    ["a stop of the way", (i) => i.onBack(0), undefined],
    ["the sender, by its clock", (i) => i.onSender(message(5005n, 5010n), 5007n), 5005n],
    ["a thread", (i) => i.onThread(3, 5000n), 1010n],
  ];
  for (const [what, act, then] of steps) {
    const { left, view, follow, c } = timeline();
    const inspector = {} as Inspector;
    let arrives = () => {};
    const state = {} as SelectedState;
    state.toLongest = (row, begin) => (arrives = () => state.onArrive(row, begin, undefined as never));
    state.back = () => (arrives = () => state.onArrive(3, 5000n, undefined as never));
    const arrived: bigint[] = [];
    followChain(c, inspector, follow, state, (_, at) => arrived.push(at));
    act(inspector);
    assert.equal(what === "a thread" || arrived.length === 0, true, "the server has not answered");
    arrives();
    assert.deepEqual([left, view.message?.sent, arrived, view.window.begin], [[WAS], then, [5000n], 4950n], what);
    view.back();
    assert.equal(view.window.begin, 1000n, what);
  }
});
