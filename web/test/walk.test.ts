import assert from "node:assert/strict";
import { test } from "node:test";

import type { PairMessages } from "../src/messages/answers.js";
import { exchanges, mostWords, wholeWords, type Exchange } from "../src/messages/pairs.js";
import { MIXED, NOTHING, STATES, type DensityAnswer, type MessagesAnswer, type StatesAnswer } from "../src/net/wire.js";
import { lostCount, lostWords } from "../src/model/losses.js";
import { lostHere, lostIn, stretches } from "../src/timeline/lost.js";
import { lastReceived, lived, longestAt, shares } from "../src/timeline/meanwhile.js";
import { HOST, type RowTable } from "../src/model/rows.js";
import type { SetModel } from "../src/model/set.js";
import type { View } from "../src/model/view.js";
import { byNetwork, rowWords, wakerWords } from "../src/timeline/words.js";
import type { At } from "../src/net/json.js";

const states = (ends: number[], of: number[]): StatesAnswer =>
  ({ kind: "states", begin: 1000n, end: 2000n, columns: 100, runEnd: Uint16Array.from(ends), runState: Uint8Array.from(of) }) as unknown as StatesAnswer;

test("the longest state of a wait is looked at in its middle; a mixture and an absence are none", () => {
  assert.equal(longestAt(states([10, 50, 60, 100], [1, 2, 1, MIXED])), 1300n);
  assert.equal(longestAt(states([40, 100], [MIXED, NOTHING])), null);
  assert.equal(lived(states([75, 100], [NOTHING, 1])), 0.25);
});

test("of all that a thread did while it was waited for the shares are told, of mixtures too; not of one state from begin to end", () => {
  const mixes = new Uint8Array(2 * STATES);
  mixes[2] = 204;
  mixes[3] = 51;
  mixes[STATES + 2] = 255;
  const got = shares({ ...states([20, 60, 80, 90, 100], [NOTHING, 2, MIXED, MIXED, 5]), mixes });
  assert.deepEqual([...got!].map((n) => Math.round(n * 1000)), [0, 0, 660, 40, 0, 100, 0, 0, 0]);
  assert.equal(shares(states([100], [2])), null);
});

test("the message that ended a wait is the last single one that its thread received", () => {
  const received = Float64Array.from([10, 30, 40, 45, 60]);
  const a = { count: 5, to: Uint32Array.from([7, 7, 7, 8, 7]), counts: Uint32Array.from([1, 1, 9, 1, 1]), received } as unknown as MessagesAnswer;
  assert.equal(lastReceived(a, 7, 0, 50), 1);
  assert.equal(lastReceived(a, 7, 31, 50), -1);
});

test("what is no thread and woke one is told in words", () => {
  const woken = (how: string, tid = 0, name = "") => ({ woken: { how, tid, name } }) as At;
  assert.equal(wakerWords(woken("packet")), "a packet from the network (soft interrupt 3)");
  assert.equal(wakerWords(woken("softirq 3")), "a packet or a timer, in soft interrupt 3: which of them was not recorded");
  assert.equal(wakerWords({ ...woken("time over"), syscall: "clock_nanosleep" }), "a timer: the time of clock_nanosleep was over");
  assert.equal(wakerWords({ ...woken("timer or signal"), syscall: "pause" }), "a timer or a signal: pause waits for no packet and no device");
  assert.equal(wakerWords(woken("softirq 1", 12, "cat")), "a timer (soft interrupt 1), while cat · 12 ran");
  assert.equal(wakerWords(woken("softirq 77")), "soft interrupt 77");
  assert.equal(wakerWords(woken("thread", 12, "cat")), "cat · 12");
  assert.equal(wakerWords(woken("thread or interrupt", 12, "cat")), "cat · 12, or an interrupt while it ran");
  assert.equal(wakerWords(woken("irq 24")), "interrupt 24");
  assert.equal(wakerWords(woken("timer")), "a timer");
  const by = [woken("packet"), woken("softirq 3"), woken("irq 24"), woken("time over"), woken("thread", 5, "cat"), woken("thread", 14, "ksoftirqd/0"), woken("thread", 30, "napi/eth0-8")];
  assert.deepEqual(by.map((w) => byNetwork(w.woken)), [true, false, false, false, false, true, true]);
});

test("which two hosts exchanged most counts both ways, by messages or by data", () => {
  const pair = (from: string, to: string, messages: number, bytes: number) => ({ from, to, messages, bytes }) as PairMessages;
  const pairs = [pair("a", "b", 5, 10), pair("b", "a", 5, 10), pair("a", "c", 8, 900), pair("c", "c", 99, 99)];
  assert.deepEqual(exchanges(pairs, "messages"), [{ a: "a", b: "b", messages: 10, bytes: 20 }, { a: "a", b: "c", messages: 8, bytes: 900 }]);
  assert.deepEqual(exchanges(pairs, "bytes").map((e) => e.b), ["c", "b"]);
  const nodes = [pair("node-10", "node-2", 3, 1), pair("node-1", "node-10", 3, 1), pair("node-2", "node-1", 3, 1)];
  assert.deepEqual(exchanges(nodes, "messages").map((e) => `${e.a} ${e.b}`), ["node-1 node-2", "node-1 node-10", "node-2 node-10"], "pairs that exchanged as much");
  const most = (by: "messages" | "bytes", of = pairs) => mostWords(exchanges(of, by), by, "Here").replace(/\s/g, " ");
  assert.equal(most("messages"), "Here, a and b exchanged most messages: 10, 20 B; most data: a and c, 900 B.");
  assert.equal(most("bytes"), "Here, a and c exchanged most data: 900 B in 8 messages; most messages: a and b, 10.");
  assert.equal(most("messages", pairs.slice(2)), "Here, a and c exchanged most: 8 messages, 900 B.");
  assert.equal(mostWords([], "messages", "Here"), "");
  const all = exchanges([pair("a", "c", 700, 0)], "messages");
  assert.equal(wholeWords(all, "messages", exchanges(pairs, "messages")).replace(/\s/g, " "), "Over the whole set, a and c exchanged most: 700 messages.");
  assert.equal(wholeWords(all, "messages", all).replace(/\s/g, " "), "Over the whole set it is these two as well: 700 messages.");
  assert.equal(wholeWords([], "messages", all), "");
});

test("of pairs that exchanged as much as each other all lead, and where there are many it is said how many", () => {
  const pair = (from: string, to: string, messages = 30, bytes = 200) => ({ from, to, messages, bytes }) as PairMessages;
  const list = (...pairs: PairMessages[]) => exchanges(pairs, "messages");
  const most = (...pairs: PairMessages[]) => (["messages", "bytes"] as const).map((by) => mostWords(exchanges(pairs, by), by, "Here").replace(/\s/g, " "));
  const star = [pair("a", "b", 15, 100), pair("b", "a", 15, 100), pair("c", "a")];
  assert.deepEqual(most(...star), Array(2).fill("Here, a ↔ b and a ↔ c exchanged most: 30 messages, 200 B each."));
  assert.deepEqual(most(...star, pair("b", "c", 29, 199))[0], "Here, a ↔ b and a ↔ c exchanged most: 30 messages, 200 B each.");
  assert.deepEqual(most(...star, pair("b", "c"))[0], "Here, a ↔ b, a ↔ c and b ↔ c exchanged most: 30 messages, 200 B each.");
  assert.deepEqual(most(...star, pair("b", "c"), pair("a", "d"), pair("b", "d"), pair("c", "d"))[0], "Here, a ↔ b, a ↔ c and 4 other pairs exchanged most: 30 messages, 200 B each.");
  assert.deepEqual(most(pair("a", "b", 30, 0), pair("a", "c", 30, 0))[0], "Here, a ↔ b and a ↔ c exchanged most: 30 messages each.");
  // As many messages, and not as much data; as much data, and not as many messages.
  assert.deepEqual(most(pair("a", "b"), pair("a", "c", 30, 900)), [
    "Here, a ↔ b and a ↔ c exchanged most messages: 30 each; most data: a and c, 900 B.",
    "Here, a and c exchanged most data: 900 B in 30 messages; most messages: a ↔ c and a ↔ b, 30 each.",
  ]);
  assert.deepEqual(most(pair("a", "b"), pair("a", "c", 9)), [
    "Here, a and b exchanged most messages: 30, 200 B; most data: a ↔ b and a ↔ c, 200 B each.",
    "Here, a ↔ b and a ↔ c exchanged most data: 200 B each; most messages: a and b, 30.",
  ]);
  const whole = (part: Exchange[]) => wholeWords(list(...star), "messages", part).replace(/\s/g, " ");
  assert.equal(whole(list(pair("a", "c", 2, 2), pair("a", "b", 2, 2))), "Over the whole set it is these pairs as well: 30 messages, 200 B each.");
  assert.equal(whole(list(pair("a", "b"))), "Over the whole set, a ↔ b and a ↔ c exchanged most: 30 messages, 200 B each.");
});

test("columns beside each other in which events were lost are one stretch, with those in which none were recorded", () => {
  const lost = Float64Array.from([0, 3, 0, 4, 0, 1]);
  const events = Float64Array.from([9, 9, 0, 1, 2, 0]);
  assert.deepEqual(stretches({ begin: 100n, end: 700n, columns: 6, lost, events } as unknown as DensityAnswer), [{ begin: 200n, end: 500n, lost: 7 }, { begin: 600n, end: 700n, lost: 1 }]);
});

test("a row that is no thread of which it is known which one it is has no number", () => {
  const words = (tid: number) => rowWords({ get: () => ({ kind: 2, tid, name: "java 7 in web1" }) } as unknown as RowTable, {} as SetModel, {} as View, 0)!;
  assert.deepEqual([words(4194304).note, words(4194304).title], ["", "java 7 in web1"]);
  assert.deepEqual([words(4194303).note, words(4194303).title], ["4194303", "java 7 in web1, thread 4194303"]);
});

test("beside a host whose clock has no bound stands that, once no better is to come", () => {
  const rows = { get: () => ({ kind: HOST, host: 1, name: "db" }) } as unknown as RowTable;
  const words = (importing: boolean) => {
    const set = { importing, host: () => ({ name: "db" }), extent: () => ({ begin: 0n, end: 9n }), errorOver: () => null };
    return rowWords(rows, set as unknown as SetModel, { raw: false } as View, 0)!;
  };
  assert.deepEqual([words(false).note, words(false).noteTone], ["no bound", "warn"]);
  assert.deepEqual([words(true).note, words(true).title], ["", "db: no error bound yet"]);
});

test("of a window both ends are told, as of the whole recording, and where one figure stands for all of it, it is said that it is that of the worst time", () => {
  const rows = { get: () => ({ kind: HOST, host: 1, name: "db" }) } as unknown as RowTable;
  const words = (least: number, worst: number) => {
    const set = { host: () => ({ name: "db" }), extent: () => ({ begin: 0n, end: 9n }), toLocal: (_: number, t: bigint) => t, clock: () => ({ rate_cap: 2 ** -55 * 1e9 }), clocks: null,
      errorOver: (_: number, begin: bigint) => (begin === 0n ? { least: 1000, worst: 900_000 } : { least, worst }) };
    return rowWords(rows, set as unknown as SetModel, { raw: false, window: { begin: 2n, span: 5 } } as unknown as View, 0)!;
  };
  const one = words(144_000, 171_000);
  assert.deepEqual([one.note, one.also].map((s) => s?.replace(/\s/g, " ")), ["± 144 µs to 171 µs", " at worst in this window"]);
  assert(one.title.replace(/\s/g, " ").startsWith("db: in this window its clock is known to ± 144 µs at best and ± 171 µs at worst, "), one.title);
  assert(one.title.endsWith("as long as its rate changes by at most 0.028 ppm a second"), one.title); // in the unit that Synchronization has
  const both = words(50_000, 171_000); // both ends are told where there is room; where there is none the larger one, with what it is
  assert.deepEqual([both.note, both.brief, both.also].map((s) => s?.replace(/\s/g, " ")), ["± 50.0 µs to 171 µs", "± 171 µs", " at worst in this window"]);
  assert.equal(words(171_000, 171_000).also, undefined);
});

test("what was lost is told in events, in whole packets, or in both", () => {
  const words = (lost_events: number, lost_packets = 0) => [lostWords, lostCount].map((f) => f({ lost_events, lost_packets }).replace(/\s/g, " "));
  assert.deepEqual(words(0), ["", "0"]);
  assert.deepEqual(words(967700), ["967 700 lost", "967 700"]);
  assert.deepEqual(words(0, 1), ["1 packet lost", "1 packet"]);
  assert.deepEqual(words(967700, 21), ["967 700 lost, 21 packets", "967 700, 21 packets"]);
  const column = { lost: [4, 0, 4, 0], packets: [0, 9, 1, 0], reaching: [0, 2, 0, 0] } as unknown as DensityAnswer;
  assert.deepEqual([0, 1, 2].map((i) => lostHere(column, i).replace(/\s/g, " ")), ["4 events", "up to 9 whole packets of events", "4 events and 1 whole packet of events"]);
  assert.deepEqual([0, 1, 2, 3].map((i) => lostIn(column, i)), [true, true, true, false]);
});
