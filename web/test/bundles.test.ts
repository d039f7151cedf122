import assert from "node:assert/strict";
import { test } from "node:test";

import type { Arrow } from "../src/draw/gather.js";
import { pairIn, strangerWords, unlinkedWords } from "../src/model/pair.js";
import { HOST, THREAD, type Row } from "../src/model/rows.js";
import type { Many } from "../src/model/chosen.js";
import { BUNDLE, type Ends, type MessagesAnswer } from "../src/net/wire.js";
import { NARROWEST, type Window } from "../src/time/window.js";
import { gathered, pickedAt, stretchOf } from "../src/timeline/picked.js";
import { eachOf, standWords, stepIn } from "../src/timeline/eachof.js";
import { APART, asunder, single } from "../src/timeline/single.js";
import { manyIn, type Sought } from "../src/timeline/sought.js";

interface Sent {
  sent: number;
  received: number;
  count?: number;
  ends?: Ends;
  from?: number;
  to?: number;
  ports?: [number, number];
}

function answer(messages: Sent[], base = 1_000_000n): MessagesAnswer {
  const of = <T>(f: (m: Sent) => T) => messages.map(f);
  return {
    base, count: messages.length, sent: Float64Array.from(of((m) => m.sent)), received: Float64Array.from(of((m) => m.received)),
    from: Uint32Array.from(of((m) => m.from ?? 10)), to: Uint32Array.from(of((m) => m.to ?? 20)), counts: Uint32Array.from(of((m) => m.count ?? 1)),
    bytes: Float32Array.from(of(() => 100)), errorFrom: Float32Array.from(of(() => 5)), errorTo: Float32Array.from(of(() => 7)),
    protocol: Uint8Array.from(of(() => 6)), fromPort: Uint16Array.from(of((m) => m.ports?.[0] ?? 0)), toPort: Uint16Array.from(of((m) => m.ports?.[1] ?? 0)),
    flags: Uint8Array.from(of((m) => (m.count ? BUNDLE : 0))), ends: new Map(messages.flatMap((m, i) => (m.ends ? [[i, m.ends] as const] : []))),
  } as unknown as MessagesAnswer;
}

// Rows are hosts by their tens; what is no ten is a thread of that number.
const row = (id: number) => ({ id, host: Math.floor(id / 10), kind: id % 10 ? THREAD : HOST, tid: id % 10 ? id : -1 }) as Row;

test("a bundle has the means of its messages, and when the first and the last were sent and received", () => {
  const a = answer([
    { sent: 10, received: 90, count: 3, ends: { sentFirst: 0, sentLast: 25, receivedFirst: 50, receivedLast: 190 }, ports: [4000, 80] },
    { sent: 50, received: 60, ports: [4001, 80] },
  ]);
  const p = gathered(a, [0, 1], 10, 20);
  assert.deepEqual([p.count, p.bundle, p.sent, p.received, p.bytes, p.errorTo], [4, true, 1_000_020n, 1_000_083n, 200, 7]);
  assert.deepEqual(p.ends, { sentFirst: 1_000_000n, sentLast: 1_000_050n, receivedFirst: 1_000_050n, receivedLast: 1_000_190n });
  assert.deepEqual(stretchOf(p), { begin: 1_000_000n, end: 1_000_190n });
  assert.deepEqual([p.protocol, p.fromPort, p.toPort], [6, 0, 0], "one port alone is of no connection");
  const one = pickedAt(a, 1);
  assert.deepEqual([one.bundle, one.ends, one.fromPort, stretchOf(one)], [false, null, 4001, { begin: 1_000_050n, end: 1_000_060n }]);
  // By the hosts' own clocks messages can be received before they are sent.
  assert.deepEqual(stretchOf(gathered(answer([{ sent: 500, received: 20 }, { sent: 510, received: 40 }]), [0, 1], 10, 20)), { begin: 1_000_020n, end: 1_000_510n });
});

const many: Many = { sentLast: 1_000_050n, receivedLast: 1_000_190n, fromTid: -1, toTid: 21, protocol: 6, fromPort: 0, toPort: 0 };
const sought: Sought = { from: 1, to: 2, sent: 1_000_000n, received: 1_000_050n, many };

test("the messages of a bundle are found by their hosts, threads and times, however they are drawn", () => {
  const inside = { from: 11, to: 21 };
  const a = answer([
    { ...inside, sent: 0, received: 50 },
    { ...inside, from: 12, sent: 51, received: 191 }, // rounded by a clock map
    { ...inside, to: 22, sent: 5, received: 60 }, // another thread
    { ...inside, from: 31, sent: 5, received: 60 }, // another host
    { ...inside, sent: 5, received: 300 },
    { ...inside, sent: 20, received: 100, count: 9, ends: { sentFirst: 10, sentLast: 40, receivedFirst: 60, receivedLast: 150 } },
    { from: 10, to: 20, sent: 60, received: 200, count: 5, ends: { sentFirst: 45, sentLast: 90, receivedFirst: 150, receivedLast: 260 } }, // others as well
  ]);
  assert.deepEqual(manyIn(a, sought, many, row), { places: [0, 1, 5], rough: false });
  assert.deepEqual(manyIn(a, sought, many, row, true), { places: [0, 1, 5, 6], rough: true });
  const flow = { ...many, toTid: -1, fromPort: 4000, toPort: 80 };
  const b = answer([{ ...inside, sent: 1, received: 60, ports: [4000, 80] }, { ...inside, sent: 1, received: 60, ports: [4001, 80] }]);
  assert.deepEqual(manyIn(b, { ...sought, many: flow }, flow, row).places, [0]);
});

// A drawing in which messages less than a hundredth of the window apart are one bundle.
function trial(times: number[], asked: number[]) {
  const a = answer(times.map((t) => ({ sent: t, received: t + 5 })));
  return {
    ask: (window: Window, take: (a: MessagesAnswer) => void) => {
      asked.push(window.span);
      take(a);
    },
    drawn: (_: MessagesAnswer, window: Window): Arrow[] => {
      const cells = new Map<number, number[]>();
      times.forEach((t, i) => {
        const at = Math.floor((t + 1_000_000 - Number(window.begin)) / (window.span / 100));
        cells.set(at, [...(cells.get(at) ?? []), i]);
      });
      return [...cells.values()].map((members) => ({ members, index: members[0], bundle: members.length > 1 }) as unknown as Arrow);
    },
    chosen: (all: MessagesAnswer) => new Set(all.sent.keys()),
  };
}

test("the window where the messages of a bundle are drawn one by one is as wide as can be", () => {
  const ends = (times: number[]) => ({ sentFirst: BigInt(1_000_000 + times[0]), sentLast: BigInt(1_000_000 + times.at(-1)!), receivedFirst: 0n, receivedLast: BigInt(1_000_005 + times.at(-1)!) });
  const told: { window: Window; count: number }[] = [];
  const asked: number[] = [];
  const spread = Array.from({ length: 20 }, (_, i) => i * 1000);
  single(ends(spread), null, trial(spread, asked), (s) => told.push(s));
  assert.deepEqual([told[0].count, asked.length], [20, 1]);
  assert(told[0].window.begin < 1_000_000n && told[0].window.begin + BigInt(Math.round(told[0].window.span)) > 1_019_005n, "all of them, with room on both sides");
  // Two of them close to each other at the begin: narrower, and those that are in it.
  const close = [0, 20, 3000, 10_000, 19_000];
  single(ends(close), null, trial(close, asked), (s) => told.push(s));
  assert.deepEqual([told[1].count, told[1].window.span > 4000 && told[1].window.span < 8000], [3, true]);
  // At the same moment: the narrowest, and none.
  single(ends([0, 0, 0]), null, trial([0, 0, 0], asked), (s) => told.push(s));
  assert.deepEqual([told[2].count, told[2].window.span], [0, NARROWEST]);
  // A window that has all of them one by one already stays, to the ns; one that has them in bundles, or a part of them, does not.
  const all = { ...ends(spread), receivedFirst: 1_000_005n };
  for (const [here, stays] of [[{ begin: 999_240n, span: 20_524 }, true], [{ begin: 990_000n, span: 40_000 }, true], [{ begin: 900_000n, span: 400_000 }, false], [{ begin: 1_000_000n, span: 19_000 }, false]] as const) {
    single(all, here, trial(spread, asked), (s) => told.push(s));
    assert.deepEqual([told.at(-1)!.count, told.at(-1)!.window === here], [20, stays]);
  }
});

test("a pair of which the set has not both hosts is none, and that is said", () => {
  const hosts = ["cache", "db", "web"];
  assert.deepEqual(pairIn(["web", "db"], hosts), ["web", "db"]);
  assert.deepEqual([pairIn(["web", "nosuch"], hosts), pairIn(["web", "web"], hosts), pairIn(null, hosts)], [null, null, null]);
  assert.equal(strangerWords(["web", "nosuch"], hosts, false), "The address asks for the messages of web and nosuch alone. There is no host nosuch in this set, so those of all hosts are shown. There are cache, db and web.");
  assert.equal(strangerWords(["a", "b"], ["web"], true), "The address asks for the messages of a and b alone. There is no host a or b in this set so far, so those of all hosts are shown. There is web.");
  assert.equal(strangerWords(["web", "web"], hosts, false), "The address asks for the messages of web and web alone. A pair is of two hosts, and web is one host, not two, so those of all hosts are shown. There are cache, db and web.");
  assert.deepEqual([strangerWords(["web", "db"], hosts, false), strangerWords(["web", "nosuch"], [], true), strangerWords(null, hosts, false)], ["", "", ""]);
});

test("a link, or hosts to compare, that an address names and the set has not, are said", () => {
  const hosts = ["cache", "db", "web"];
  const shown = ["cache", "web"] as const;
  const words = (asked: [string, string] | null, compared: [string, string] = ["", ""], found: readonly [string, string] | null = shown) => unlinkedWords({ asked, shown: found }, compared, hosts, false);
  assert.equal(words(["web", "nosuch"]), "The address asks for the link of web and nosuch. There is no host nosuch in this set, so that of cache and web is shown. There are cache, db and web.");
  assert.equal(words(["web", "web"]), "The address asks for the link of web and web. A link is of two hosts, and web is one, so that of cache and web is shown.");
  assert.equal(words(["db", "cache"], ["", ""], null), "The address asks for the link of db and cache. They exchanged no message.");
  assert.equal(words(null, ["web", "nosuch"]), "The address asks to compare web with nosuch. There is no host nosuch in this set. There are cache, db and web.");
  assert.deepEqual([words(["web", "cache"], ["web", "db"]), words(null), words(null, ["db", ""])], ["", "", ""]);
  assert.equal(unlinkedWords({ asked: ["a", "b"], shown: null }, ["", ""], [], true), "");
});

// Messages in a drawing of 1000 pixels, each an arrow of its own.
function apartTrial(times: number[], arrival = (t: number) => t + 5) {
  const a = answer(times.map((t) => ({ sent: t, received: arrival(t) })));
  return {
    ask: (_: Window, take: (a: MessagesAnswer) => void) => take(a),
    drawn: (_: MessagesAnswer, window: Window): Arrow[] => {
      const x = (t: number) => ((t + 1_000_000 - Number(window.begin)) / window.span) * 1000;
      return times.map((t, i) => ({ members: [i], index: i, bundle: false, x0: x(t), x1: x(arrival(t)), y0: 22, y1: 66 }) as unknown as Arrow);
    },
    chosen: (all: MessagesAnswer) => new Set(all.sent.keys()),
  };
}

test("messages that are drawn so close that they are seen as one are not one by one", () => {
  const ends = { sentFirst: 1_000_000n, sentLast: 1_100_000n, receivedFirst: 1_000_005n, receivedLast: 1_100_005n };
  const told: { window: Window; count: number }[] = [];
  const ask = (times: number[], here: Window | null = null, arrival?: (t: number) => number) => {
    single(ends, here, apartTrial(times, arrival), (s) => told.push(s));
    return told.at(-1)!;
  };
  const far = ask([0, 30_000, 60_000, 100_000]);
  assert.deepEqual([far.count, far.window.span > 100_000], [4, true]);
  const near = ask([0, 90, 180, 270, 100_000]);
  assert.equal(near.count, 4, "the last is farther on");
  assert((90 / near.window.span) * 1000 >= APART && near.window.span > 270, `${near.window.span} ns`);
  const all = { begin: 999_000n, span: 110_000 };
  assert(ask([0, 90, 180, 270, 100_000], all).window.span < 110_000);
  assert.equal(ask([0, 30_000, 100_000], all).window, all);
  const same = ask([0, 0, 0, 100_000]);
  assert.deepEqual([same.count, same.window.span > 100_000], [4, true], "what nothing sets apart stays in the widest window");
  // Sent together, received one after the other.
  assert(asunder([{ x0: 1, x1: 1, y0: 0, y1: 9 }, { x0: 1, x1: 40, y0: 0, y1: 9 }, { x0: 2, x1: 20, y0: 0, y1: 9 }, { x0: 1, x1: 1, y0: 9, y1: 0 }]));
  assert(!asunder([{ x0: 1, x1: 1, y0: 0, y1: 9 }, { x0: 1, x1: 40, y0: 0, y1: 9 }, { x0: 2, x1: 3, y0: 0, y1: 9 }]));
});

test("one goes through the messages of a bundle, as they were sent, and through no others", () => {
  const a = answer([{ sent: 30, received: 60 }, { sent: 10, received: 90 }, { sent: 15, received: 40, from: 20, to: 10 }, { sent: 50, received: 70 }, { sent: 70, received: 90, count: 3 }]);
  const all = eachOf(a, [0, 1, 3]);
  assert.deepEqual(all.map((m) => [m.sent, m.bundle]), [[1_000_010n, false], [1_000_030n, false], [1_000_050n, false]]);
  assert.deepEqual(eachOf(a, [0, 1, 4]), [], "some are not known one by one");
  const second = stepIn({ all, at: 0 }, 1)!;
  assert.deepEqual([second.at, stepIn(second, -1)!.at, stepIn({ all, at: 2 }, 1), stepIn({ all, at: 0 }, -1)], [1, 0, null, null]);
  assert.equal(standWords(second), "Message 2 of the 3 of the bundle: M goes to the next of them.");
  assert.equal(standWords({ all, at: 2 }), "The last of the 3 messages of the bundle.");
});
