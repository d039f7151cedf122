import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventRow, EventsAnswer, EventsQuery } from "../src/home/api.js";
import { stretchOf } from "../src/commands/times.js";
import { Counted, MOST } from "../src/events/counted.js";
import { clockExample, examplesOf, secondsExample } from "../src/events/examples.js";
import { LinkedStretch, stretchWords } from "../src/events/linkedstretch.js";
import { LinkedTexts } from "../src/events/linkedtexts.js";
import { both, compares, termOf, Unreadable } from "../src/events/heads.js";
import { briefly, orderOf, orderOfEnds } from "../src/events/order.js";
import { entry, PAGE, Pages, type Entry, type Line } from "../src/events/pages.js";
import { misspeltWords } from "../src/events/searchwords.js";
import { sinceAbove } from "../src/events/since.js";
import { retimed, type Timed } from "../src/events/timed.js";
import { knownWords } from "../src/model/known.js";
import { LossPlaces } from "../src/events/lossplaces.js";
import { lossOf } from "../src/model/losses.js";
import { SetModel } from "../src/model/set.js";
import type { Loss } from "../src/model/losses.js";
import { View } from "../src/model/view.js";
import type { Clocks, SetInfo } from "../src/net/json.js";

// A server of events at 0, 1, 2, ...; every third is wanted and a page ends after `patience` events looked at.
function server(total: number, patience: number) {
  const row = (t: number): EventRow => ({ time: String(t), local_time: String(t), host: "a", cpu: 0, name: "e", fields: "" });
  return async (q: EventsQuery): Promise<EventsAnswer> => {
    const limit = Number(q.limit);
    const events: EventRow[] = [];
    const forward = q.after !== undefined;
    let at = Number(String(q.after ?? q.before).split(".")[0]) - (forward ? 0 : 1);
    for (let looked = 0; at >= 0 && at < total && looked < patience && events.length < limit; looked++, at += forward ? 1 : -1)
      if (at % 3 === 0) events.push(row(at));
    const place = forward ? (at < total ? `${at}.0` : null) : at >= 0 ? `${at + 1}.0` : null;
    if (!forward) events.reverse();
    return { events, next: forward ? place : String(q.before), previous: forward ? String(q.after) : place };
  };
}

// What is on its way and needs no time is there.
const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

const times = (p: Pages) => p.entries.map((e) => Number(e.time));

test("what is held is a stretch of all events without a gap, wherever one turns", async () => {
  const total = 40000;
  for (const patience of [50, 5000]) {
    const p = new Pages(() => server(total, patience));
    await p.jump(20001n);
    let seen = 7;
    for (let i = 0; i < 80; i++) {
      seen = (seen * 31 + 11) % 97;
      if (seen % 5 < 3) await p.later();
      else await p.earlier();
      const have = times(p);
      for (let k = 1; k < have.length; k++) assert.equal(have[k], have[k - 1] + 3, `patience ${patience}, step ${i}`);
      assert.equal(have.length > 0 && have.length <= 8 * PAGE, true);
    }
    while (!p.last) await p.later();
    assert.equal(times(p).at(-1), 39999);
    while (!p.first) await p.earlier();
    assert.equal(times(p)[0], 0);
  }
});

test("the last events take the place of those that are held when they are there, not before", async () => {
  const s = server(40000, 50);
  let held = 0;
  const p = new Pages(() => (q) => {
    assert.equal(p.entries.length, held);
    return s(q);
  });
  await p.jump(0n);
  held = p.entries.length;
  await p.jump(40000n, true);
  held = p.entries.length;
  assert.equal(times(p).at(-1), 39999);
  await p.later();
  assert.deepEqual([p.last, times(p).at(-1)], [true, 39999]);
  await p.earlier();
  const have = times(p);
  for (let k = 1; k < have.length; k++) assert.equal(have[k], have[k - 1] + 3);
});

test("what is jumped to is seen when it fills a screen, with what is ahead of it where too little is behind, or soon", async () => {
  const s = server(900, 50);
  let pause = 0;
  const p = new Pages(() => async (q) => {
    await new Promise((done) => setTimeout(done, pause));
    return s(q);
  });
  const seen: number[] = [];
  p.onChange = () => seen.push(p.entries.length);
  await p.jump(840n);
  assert.deepEqual([times(p).at(-1), times(p)[p.start], p.start > 60], [897, 840, true]);
  assert.deepEqual([...new Set(seen)], [0, p.entries.length], "no part of it was seen");
  pause = 100;
  await p.jump(300n);
  assert.deepEqual([times(p)[p.start], p.entries.length < 60, p.busy], [300, true, true]);
});

test("parts of a single event each are held as well as large ones", async () => {
  const p = new Pages(() => server(900, 3));
  await p.jump(300n);
  assert.deepEqual([times(p)[p.start], p.start], [300, 0]);
  for (let i = 0; i < 20; i++) await p.later();
  for (let i = 0; i < 20; i++) await p.earlier();
  const have = times(p);
  assert.deepEqual([have[0], have.includes(300), have.includes(600)], [240, true, true]);
  for (let k = 1; k < have.length; k++) assert.equal(have[k], have[k - 1] + 3);
});

test("what comes and goes in front is told, so that nothing moves on screen", async () => {
  const p = new Pages(() => server(40000, 5000));
  await p.jump(20001n);
  const seen = 20001 + 3 * 100;
  let place = times(p).indexOf(seen);
  p.onChange = (before, dropped) => (place += before - dropped);
  for (const turn of ["later", "earlier", "earlier", "later"] as const) {
    await p[turn]();
    assert.equal(times(p)[place], seen, turn);
  }
  for (let i = 0; i < 7; i++) await p.later();
  assert.equal(place < 0, true, "it was let go");
});

test("an older answer does not overtake a newer question", async () => {
  const answers: (() => void)[] = [];
  const s = server(900, 5000);
  const p = new Pages(() => async (q) => {
    await new Promise<void>((done) => answers.push(done));
    return s(q);
  });
  const [one, two] = [p.jump(0n), p.jump(600n)];
  answers[1]();
  await two;
  answers[0]();
  await one;
  assert.equal(times(p)[0], 600);
});

test("a refusal is told and what was there stays", async () => {
  let fail = false;
  const s = server(9000, 5000);
  const p = new Pages(() => (q) => (fail ? Promise.reject(new Error("No such host.")) : s(q)));
  await p.jump(0n);
  fail = true;
  await p.later();
  assert.equal(p.refused?.message, "No such host.");
  assert.equal(p.entries.length, PAGE);
  assert.equal(p.busy, false);
});

test("it is known which question the events that are held answer, in whichever way they were asked for", async () => {
  let question = "a";
  let fail = false;
  const s = server(9000, 5000);
  const p = new Pages(() => (q) => (fail ? Promise.reject(new Error("No server.")) : s(q)), () => question);
  await p.jump(0n);
  assert.equal(p.answers, "a");
  question = "b";
  const last = p.jump(9000n, true);
  assert.equal(p.answers, "a");
  await last;
  assert.equal(p.answers, "b");
  [question, fail] = ["c", true];
  const refused = p.jump(0n);
  await turns();
  assert.equal(p.refused?.message, "No server.");
  assert.equal(p.answers, "b");
  fail = false;
  await p.again();
  assert.equal(p.answers, "c");
  assert.equal(await refused, true, "who jumped is there once it is answered");
});

test("a jump that is overtaken says so, is asked for no further, and one that is asked for again does not", async () => {
  const s = server(9000, 5000);
  const signals: AbortSignal[] = [];
  let answers = false;
  const p = new Pages(() => (q, signal) => (signals.push(signal), answers ? s(q) : new Promise(() => {})));
  const first = p.jump(3000n);
  const last = p.jump(9000n, true);
  assert.equal(await first, false);
  let there = false;
  void last.then((counts) => (there = counts));
  answers = true;
  assert.equal(there, false);
  await p.again();
  assert.equal(await last, true);
  assert.deepEqual([there, times(p).at(-1)], [true, 8997]);
  assert.deepEqual(signals.map((x) => x.aborted), [true, true, false]);
});

test("what was refused stays told, however near the end of what is held one is", async () => {
  let wrong = false;
  let asked = 0;
  const s = server(9000, 5000);
  const p = new Pages(() => (q) => {
    if (++asked > 9) return new Promise<EventsAnswer>(() => {}); // or it would go on for ever
    return wrong ? Promise.reject(new Error("No such field.")) : s(q);
  });
  p.onChange = () => void p.earlier().then(() => p.later()); // as a short table that shows both its ends
  await p.jump(3000n);
  wrong = true;
  asked = 0;
  void p.jump(4000n);
  await turns();
  assert.equal(p.refused?.message, "No such field.");
  assert.equal(asked, 1);
  wrong = false;
  p.onChange = () => {};
  await p.jump(4000n);
  assert.equal(p.refused, null);
  await p.later();
  assert.equal(p.entries.length, 2 * PAGE);
});

test("what is held, and what comes, is told by the clocks of now", async () => {
  const ahead = (by: bigint): Timed => ({ shown: (host, local) => (host === "a" ? local + by : null), local: (_, shown) => shown - by });
  const p = new Pages(() => server(40000, 5000));
  await p.jump(3000n);
  const held = times(p);
  p.retime(null, ahead(0n));
  assert.deepEqual(times(p), held);
  p.retime(ahead(0n), ahead(10_000n));
  assert.deepEqual(times(p), held.map((t) => t + 10_000));
  assert.deepEqual(p.lines.map((x) => Number(x.time)), times(p));
  await p.later();
  assert.deepEqual(times(p).slice(0, held.length), held.map((t) => t + 10_000));
  assert.equal(times(p).at(-1), 10_000 + held.at(-1)! + 3 * PAGE);
  // What was lost goes along, by the clock of its host.
  const lost = lossOf("a", { times: 1, lost_events: 3, begin: "100", end: "200", place: "150", last: "160", cpu: 0 } as unknown as Parameters<typeof lossOf>[1]);
  const { begin, end, place, last } = retimed(lost, ahead(10n), ahead(1000n));
  assert.deepEqual([begin, end, place, last], [1090n, 1190n, 1140n, 1150n]);
});

test("which of two events came first is certain beyond the errors of both clocks only", () => {
  const s = new SetModel();
  const all = [["a", 0], ["b", 0], ["c", 0], ["alone", 1], ["beside", 1]] as const;
  const clock = (name: string, component: number) => ({
    name, id: name, component, reference: name === "a", error: name === "a" ? [] : [["0", 50], ["9000", 50]],
    map: [{ begin: "0", end: "9000", reference_begin: "0", reference_end: "9000", rate: 1 }],
  });
  s.setInfo({ hosts: all.map(([name], index) => ({ index, name, id: name, local_begin: "0", local_end: "9000" })) } as unknown as SetInfo);
  s.setClocks({ reference: "a", version: 1, hosts: all.map(([name, component]) => clock(name, component)), links: [] } as unknown as Clocks);
  const on = (host: string, t: number): Entry => ({ time: BigInt(t), local: BigInt(t), host, cpu: 0, name: "e", fields: "" });
  const says = (from: Entry, to: Entry, what: RegExp) => {
    const { words, open } = orderOf(s, from, to);
    assert.equal(what.test(words.replace(/[\u202f\u00a0]/g, " ")), true, words);
    assert.equal(open, !/certain|At the same time/.test(words), words);
  };
  says(on("b", 1000), on("b", 1001), /^1 ns later, certain/);
  says(on("b", 1000), on("b", 1000), /^At the same time/);
  says(on("a", 1000), on("b", 1051), /later, certain\.$/);
  says(on("a", 1000), on("b", 949), /earlier, certain\.$/);
  says(on("a", 1000), on("b", 1050), /later: within the error/);
  says(on("c", 1000), on("b", 1100), /later: within the error/);
  says(on("c", 1000), on("b", 1101), /later, certain\.$/);
  says(on("a", 1000), on("b", 9001), /later as far as is known; b recorded nothing there\.$/);
  says(on("c", 1000), on("a", 9500), /later as far as is known; a recorded nothing there\.$/);
  says(on("a", -500), on("c", 1000), /later as far as is known; a recorded nothing there\.$/);
  says(on("a", -5), on("b", 9001), /later as far as is known; a and b recorded nothing there\.$/);
  says(on("a", 1000), on("alone", 5000), /^Which came first is not known/);
  // On an island the bounds are those against its own reference.
  says(on("alone", 5000), on("beside", 1000), /^4\.00 ± 0\.10 µs earlier, certain\.$/);
  says(on("alone", 5000), on("beside", 4950), /^50 ± 100 ns earlier: within the error/);
  says(on("alone", 5000), on("beside", 9001), /later as far as is known; beside recorded nothing there\.$/);
  // Where a host recorded nothing, nothing was timed: of its clock alone the order is told, but not as what somebody measured.
  for (const [from, to] of [[1000, 9001], [9001, 1000], [-1, 1000], [9001, 9500]]) {
    const { words, open } = orderOf(s, on("b", from), on("b", to));
    assert.equal(/(later|earlier) by b's clock, which recorded nothing there\.$/.test(words), true, words);
    assert.equal(open, false);
  }
  // Where a clock was set back, what it shows later is not later for certain, nor by that much.
  s.setReport({ missing: [], anomalies: [{ kind: "time-back", what: "", means: "", count: 1, others: 0, places: [{ host: "c", kind: "time-back", stream: "", offset: 0, message: "", count: 1 }] }] });
  says(on("c", 1000), on("c", 1001), /^1 ns later by c's clock, whose times run backwards somewhere, so either may have come first\.$/);
  says(on("c", 1000), on("c", 1000), /^At the same time/);
  says(on("b", 1000), on("b", 1001), /^1 ns later, certain/);
  // Where times are raw, order is not, and that is said.
  assert.equal(/later in synchronized time, certain\.$/.test(orderOf(s, on("a", 1000), on("b", 1051), true).words), true);
  assert.equal(/later, certain: both were timed/.test(orderOf(s, on("b", 1000), on("b", 1051), true).words), true);
  // What lies where it was passed twice is at one of two times; of another host's it is before or after only if it is with both.
  s.setInfo({ hosts: all.map(([name], index) => ({ index, name, id: name, local_begin: "0", local_end: "9000", passed_twice: name === "b" ? [{ begin: "1000", end: "3000" }] : [] })) } as unknown as SetInfo);
  says(on("a", 2000), on("b", 1500), /^500 ns earlier as far as is known; the times of b run backwards here, so either may have come first\.$/);
  says(on("b", 3000), on("a", 2900), /^100 ns earlier as far as is known; the times of b run backwards here, so/);
  says(on("b", 3000), on("a", 900), /^2\.100 µs earlier as far as is known, and earlier for certain; the times of b run backwards here\.$/);
  says(on("b", 1000), on("a", 2900), /^1\.900 µs later as far as is known; the times of b run backwards here, so/);
  says(on("a", 2950), on("b", 3000), /^50 ns later as far as is known; the times of b run backwards here, so/);
  says(on("a", 900), on("b", 1000), /, and later for certain; the times of b/);
  says(on("a", 2000), on("b", 3001), /^1\.001 ± 0\.050 µs later, certain\.$/);
  says(on("a", 2000), on("b", 999), /earlier, certain\.$/);
  assert.deepEqual([orderOf(s, on("b", 2000), on("b", 2000)), orderOf(s, on("b", 4000), on("b", 4000))].map((o) => o.open), [true, false]);
  for (const [from, to] of [[900, 1000], [2000, 1500]]) assert.equal(/ as far as is known$/.test(briefly(orderOf(s, on("a", from), on("b", to)).words)), true);
  // Of one host's moments only those that its clock passed twice both may have come in the other order.
  s.setReport({ missing: [], anomalies: [{ kind: "time-back", what: "", means: "", count: 1, others: 0, places: [{ host: "b", kind: "time-back", stream: "", offset: 0, message: "", count: 1 }] }] });
  says(on("b", 1500), on("b", 1600), /^100 ns later by b's clock, whose times run backwards here, so either may have come first\.$/);
  says(on("b", 500), on("b", 1600), /^1\.100 µs later, certain: both were timed by b's clock\.$/);
  says(on("b", 4000), on("b", 3500), /^500 ns earlier, certain/);
  // By a reference that was set back, what lies between two moments is not what went by.
  s.setInfo({ hosts: all.map(([name], index) => ({ index, name, id: name, local_begin: "0", local_end: "9000", passed_twice: name === "a" ? [{ begin: "4000", end: "5000" }] : [] })) } as unknown as SetInfo);
  says(on("b", 2000), on("c", 6000), /^4\.00 ± 0\.\d+ µs later by a's clock, which ran back in between, certain\.$/);
  says(on("b", 2000), on("c", 3000), /^1\.00 ± 0\.\d+ µs later, certain\.$/);
});

test("the reference of an island is not the one that all times are of", () => {
  assert.equal(knownWords({ reference: true, unsynchronized: false }, 0), "reference");
  assert.equal(knownWords({ reference: true, unsynchronized: true }, 0), "not related to the reference");
  assert.equal(knownWords({ reference: false, unsynchronized: true, apart: "with hostA, not web" }, 500), "with hostA, not web");
  assert.equal(knownWords({ reference: true, unsynchronized: true, provisional: true }, 0), "not known yet", "while it is read");
  assert.equal(knownWords({ reference: false, unsynchronized: false }, 500), "±\u202f500\u202fns");
  assert.equal(knownWords({ reference: false, unsynchronized: false }, null), "unknown");
  assert.equal(knownWords({ reference: false, unsynchronized: false }, null, "not recorded here"), "not recorded here");
  assert.equal(knownWords({ reference: true, unsynchronized: false }, 0, "not recorded here"), "reference, not recorded here");
  assert.equal(knownWords({ reference: false, unsynchronized: true }, null, "not recorded here"), "not related to the reference, not recorded here");
});

test("the heads of columns say terms of the language of Where", () => {
  const frame = { begin: 10_000_000_000n, end: 90_000_000_000n, from: 10_000_000_000n };
  const terms: [Parameters<typeof termOf>[0], string, string | null][] = [
    ["cpu", "1", "cpu == 1"],
    ["cpu", "0, 2-5, > 8", "cpu == 0 || cpu >= 2 && cpu <= 5 || cpu > 8"],
    ["cpu", "!= 3", "cpu != 3"],
    ["cpu", "fast", null],
    ["cpu", "1,", null],
    ["fields", "a*b[0]", String.raw`fields =~ "*a\\*b\\[0\\]*"`],
    ["fields", 'comm="x', String.raw`fields =~ "*comm=\"x*"`],
    ["fields", "next_tid == 2", "next_tid == 2"],
    ["fields", "next_tid = 2", "next_tid == 2"],
    ["fields", "next_tid=2", String.raw`fields =~ "*next_tid=2*"`],
    ["during", "1.5..2", "time >= 11500000000 && time <= 12000000000"],
    ["during", "> 1.5", "time >= 11500000001"],
    ["during", "<= 1.5 ms", "time <= 10001500000"],
    ["during", "..2", "time <= 12000000000"],
    ["during", "2", null],
    ["during", "..", null],
    ["during", "x..2", null],
    ["during", "2..1.5", null],
    ["clock", "00:00:20..00:00:21.5", "local_time >= 20000000000 && local_time <= 21500000000"],
  ];
  for (const [column, typed, want] of terms) assert.equal(termOf(column, typed, frame), want, `${column}: ${typed}`);
  assert.deepEqual(stretchOf("1..", frame), { from: 11_000_000_000n, to: null });

test("what a filter of times cannot read is told with times of the set", () => {
  const frame = { begin: 0n, end: 4_000_000_000n, from: 0n };
  const words = (...args: ConstructorParameters<typeof Unreadable>) => new Unreadable(...args).message;
  assert.equal(words("during", "1.5..1.2", frame, "0.8..1.6"), "Time ends before it begins: the ends of 1.5..1.2 are the wrong way round.");
  assert.equal(words("during", "soon", frame, "0.8..1.6"), "Time takes a stretch such as 0.8..1.6, or one side of it such as > 0.8, in seconds from the begin of the set.");
  assert.equal(words("clock", "soon", frame, ">= 19:01:23.355"), "Host's clock takes a stretch or one side of it such as >= 19:01:23.355.");
  assert.equal(words("cpu", "x", frame, "0-1"), "CPU takes numbers such as 0, 2-5 or > 3.");
});
});

test("no message arrives before it is sent, whatever the clocks leave open", () => {
  const within = { words: "40 ± 310 µs after the mark: within the error, so either may have come first", open: true };
  assert.deepEqual(orderOfEnds(within, true), { words: "40 ± 310 µs after the mark, certain: the sending came first, as it is the same message; how much later is within the error", open: false });
  assert.deepEqual(orderOfEnds(within, false), { words: "certain: the sending came first, as it is the same message", open: false });
  assert.deepEqual(orderOfEnds({ words: "Which came first is not known: nothing relates the clocks of these hosts", open: true }, true).words, "certain: the sending came first, as it is the same message");
  const certain = { words: "1 ms after the mark, certain", open: false };
  assert.equal(orderOfEnds(certain, true), certain);
});

test("an order is said without its reason where there is no room for that", () => {
  const said = {
    "40 ± 310 µs after the mark: within the error, so either may have come first": "40 ± 310 µs after the mark: within the error",
    "1 ms after the mark, certain": "1 ms after the mark, certain",
    "1 ms before the mark, certain: both were timed by db's clock": "1 ms before the mark, certain",
    "certain: the sending came first, as it is the same message": "certain",
    "40 ± 310 µs after the mark, certain: the sending came first, as it is the same message; how much later is within the error": "40 ± 310 µs after the mark, certain",
    "40 ± 310 µs before the mark, certain: a message went from a to b in between; how much earlier is within the error": "40 ± 310 µs before the mark, certain",
    "Which came first is not known: nothing relates the clocks of these hosts": "Which came first is not known",
    "1 s after the mark as far as is known; no bound holds here": "1 s after the mark as far as is known",
    "1 s after the mark as far as is known; a and b recorded nothing there": "1 s after the mark as far as is known",
    "1 s after the mark by db's clock, which recorded nothing there": "1 s after the mark by db's clock",
    "1 s after the mark by db's clock, whose times run backwards somewhere, so either may have come first": "1 s after the mark by db's clock",
  };
  for (const [words, brief] of Object.entries(said)) assert.equal(briefly(words), brief);
});

test("the filters show what can be typed into them for the events there are", () => {
  const e = (name: string, fields: string, cpu = 1) => ({ name, fields, cpu }) as Entry;
  const kernel = [e("irq_softirq_exit", "vec=3", 0), e("sched_switch", 'prev_comm="a b" prev_tid=0 next_tid=0', 0), e("sched_switch", "prev_tid=0 next_tid=208", 2)];
  assert.deepEqual(examplesOf(kernel), { name: "sched_*", fields: "next_tid == 208", cpu: "0-2", where: "next_tid == 208 && cpu == 2" });
  const ust = [e("hello:tick", "intfield=7 arrfield1=[1,2,tid=3]", -1), e("hello:tock", 'intfield=0 text="x"', -1)];
  assert.deepEqual(examplesOf(ust), { name: "hello:*", fields: "intfield == 7", cpu: "", where: "intfield == 7" });
  assert.deepEqual(examplesOf([e("tick", "", 3)]), { name: "tick", fields: "", cpu: "3", where: "cpu == 3" });
  assert.deepEqual(examplesOf([]), { name: "", fields: "", cpu: "", where: "" });
  assert.deepEqual([secondsExample(39_465_000_000, 5.98e9), secondsExample(279_650_000, 0), secondsExample(5e12, 17e9)], ["5..13", "0.00..0.06", "17..1017"]);
  const begin = 1_795_229_340_000_000_000n;
  assert.deepEqual([39e9, 1e9, 7200e9].map((span) => clockExample(span, begin)), ["02:49:00..02:49:07", ">= 02:49:00.000", "02:49..03:13"]);
  assert.equal(clockExample(9e15, begin), ">= 2026-11-21 02:49");
  const frame = { begin, end: begin + 39_000_000_000n, from: begin };
  const event = begin + 5_980_000_000n;
  for (const typed of [secondsExample(39e9, 5.98e9), clockExample(39e9, event), clockExample(1e9, event)]) {
    const found = stretchOf(typed, frame)!;
    assert(found.from! <= event && (found.to === null || found.to > event), typed);
  }
});

test("what compares something is told from names of events, and joined to a filter", () => {
  for (const typed of ["host == db", "next_tid==205", "pid > 5", "pid>5", "cpu<2 && tid != 3", "name =~ \"sched_*\"", "has(ret)"]) assert.equal(compares(typed), true, typed);
  for (const typed of ["sched_*", "app:request_begin", "std::vector<int>::push", "f<4>(int)", "[ab]*", "operator()", ""]) assert.equal(compares(typed), false, typed);
  assert.equal(both("", "a == 1"), "a == 1");
  assert.equal(both("a == 1", ""), "a == 1");
  assert.equal(both("a == 1 || b == 2", "c == 3"), "(a == 1 || b == 2) && c == 3");
  assert.equal(both("a == 1 && b == 2", "c == 3 || d == 4"), "a == 1 && b == 2 && (c == 3 || d == 4)");
});

test("events are counted a part at a time, each question once, and no further than is worth it", async () => {
  const parts = (sizes: number[], count = 3) => {
    const asked: string[] = [];
    const words: string[] = [];
    const counted = new Counted(async (begin) => {
      asked.push(begin);
      return { count, looked: sizes[asked.length - 1], until: asked.length < sizes.length ? String(asked.length) : null };
    });
    const done = new Promise<void>((resolve) => {
      counted.onChange = () => {
        words.push(counted.words(9000, "a"));
        if (!words[words.length - 1].endsWith("…")) resolve();
      };
    });
    return { counted, asked, words, done };
  };
  const some = parts([10, 10, 5]);
  assert.equal(some.counted.words(9000, "a"), "");
  some.counted.of("a");
  some.counted.of("a");
  await some.done;
  assert.deepEqual(some.asked, ["", "1", "2"]);
  assert.deepEqual(some.words, ["3\u00a0events so far, 0.1\u202f% looked at…", "6\u00a0events so far, 0.2\u202f% looked at…", "9 of 9\u202f000\u00a0events"]);
  assert.equal(some.counted.words(9000, "b"), "", "of another question nothing is known");
  assert.deepEqual([some.counted.words(9, "a"), some.counted.words(1, "a")], ["all 9\u00a0events", "9 of 1\u00a0event"]);
  some.counted.of("");
  assert.equal(some.counted.count, null);

  const many = parts([MOST - 1, 1, 7, 7]);
  many.counted.of("a");
  await many.done;
  assert.deepEqual(many.words, ["3\u00a0events so far, 100\u202f% looked at…", "6\u00a0events or more"]);
  many.counted.again();
  many.counted.of("a");
  assert.equal(many.asked.length, 2, "no further, whatever comes back");

  const none = parts([MOST, 7], 0);
  none.counted.of("a");
  await none.done;
  assert.deepEqual(none.words, ["none among the first 40\u202f000\u202f000 events"]);
});

test("the time since the row above has the error of two clocks, and says where that is open or unknown", () => {
  const s = new SetModel();
  const all = [["a", 0], ["b", 0], ["alone", 1]] as const;
  s.setInfo({ hosts: all.map(([name], index) => ({ index, name, id: name, local_begin: "0", local_end: "900000" })) } as unknown as SetInfo);
  s.setClocks({ reference: "a", version: 1, links: [], hosts: all.map(([name, component]) => ({
    name, id: name, component, reference: name === "a", error: name === "a" ? [] : [["0", 5000], ["900000", 5000]],
    map: [{ begin: "0", end: "900000", reference_begin: "0", reference_end: "900000", rate: 1 }],
  })) } as unknown as Clocks);
  const on = (host: string, t: number): Entry => ({ time: BigInt(t), local: BigInt(t), host, cpu: 0, name: "e", fields: "" });
  const lines: Line[] = [on("a", 1000), on("b", 2000), on("b", 2001), { time: 2001n, lost: {} as Loss }, on("a", 200000), on("alone", 200300)];
  const says = (row: number, raw = false) => {
    const cell = sinceAbove(s, { raw } as View, lines, row);
    return typeof cell === "string" ? cell.replace(/\u202f/g, " ") : [cell.words, cell.heard, cell.class ?? "", cell.title].join("|").replace(/\u202f/g, " ");
  };
  assert.equal(says(0), "–");
  assert.equal(says(1), "1.00 ± 5.00 µs|, within the error|open|After the row above, of a: 1.00 ± 5.00 µs later: within the error, so either may have come first.");
  assert.equal(says(2), "1 ns");
  assert.equal(says(4), "198.00 ± 5.00 µs|, certain||After the row above, of b: 198.00 ± 5.00 µs later, certain.");
  assert.equal(/^300 ns ± \?\|, how well that is known is unknown\|open\|After the row above, of a: Which came first is not known/.test(says(5)), true, says(5));
  assert.equal(/^198.0 µs ± \?\|.*\|open\|By the clocks of two hosts as they were\. After the row above, of b: 198\.00 ± 5\.00 µs later in synchronized time, certain\.$/.test(says(4, true)), true, says(4, true));
});

test("the stretch of a link means the same moments whichever host became the reference, and then the same words again", () => {
  const B = 1_795_229_350_000_000_000n;
  const [hour, second] = [3_600_000_000_000n, 1_000_000_000n];
  const set = new SetModel();
  const host = (index: number, name: string, at: bigint) => ({ index, name, id: name, state: "done", local_begin: String(at), local_end: String(at + 10n * second), begin: "", end: "" });
  set.setInfo({ state: "ready", hosts: [host(0, "web", B), host(1, "db", B - hour + second)] } as unknown as SetInfo);
  const line = (from: bigint, to: bigint, fast: bigint) => ({ begin: String(from), end: String(from + 10n * second), reference_begin: String(to), reference_end: String(to + 10n * second + fast), rate: 1 });
  const clocks = (reference: string, map: object) => ({ reference, version: 1, links: [], hosts: ["web", "db"].map((name) => ({ name, id: name, component: 0, reference: name === reference, map: name === reference ? [] : [map] })) }) as unknown as Clocks;
  for (const typed of ["6.1..6.2", "> 6.1", "..6.2", String(B + second) + ".."]) {
    const frame = { begin: B, end: B + 11n * second, from: B };
    const meant = stretchOf(typed, frame)!;
    const link = new LinkedStretch("web", typed);
    set.setClocks(clocks("db", line(B, B - hour, 1_000_000n)));
    const words = link.told(set);
    const { begin, end } = set.bounds(false)!;
    const now = stretchOf(words, { begin, end, from: begin })!;
    const back = (t: bigint | null) => (t === null ? null : set.toLocal(0, t));
    assert.equal(words === typed, false);
    for (const [got, want] of [[back(now.from), meant.from], [back(now.to), meant.to]]) assert(got === want || (got !== null && want !== null && got - want <= 1n && want - got <= 1n), `${typed}, now ${words}: ${got} instead of ${want}`);
    assert.equal(link.holds(words), true);
    set.setClocks(clocks("web", line(B - hour, B, -1_000_000n)));
    assert.equal(link.told(set), typed);
  }
  assert.deepEqual([stretchWords(B + 1n, B + second, B), stretchWords(null, B, B), stretchWords(B - 1n, null, B)], ["0.000000001..1", "<= 0", `>= ${B - 1n}`]);
});

test("times in Where mean the same moments whichever host became the reference, and what is no time of the reference stays", () => {
  const B = 1_795_229_350_000_000_000n;
  const [hour, second] = [3_600_000_000_000n, 1_000_000_000n];
  const set = new SetModel();
  const host = (index: number, name: string, at: bigint) => ({ index, name, id: name, state: "done", local_begin: String(at), local_end: String(at + 10n * second), begin: "", end: "" });
  set.setInfo({ state: "ready", hosts: [host(0, "web", B), host(1, "db", B - hour)] } as unknown as SetInfo);
  const map = (from: bigint, to: bigint) => ({ begin: String(from), end: String(from + 10n * second), reference_begin: String(to), reference_end: String(to + 10n * second), rate: 1 });
  const clocks = (reference: string, piece: object) => ({ reference, version: 1, links: [], hosts: ["web", "db"].map((name) => ({ name, id: name, component: 0, reference: name === reference, map: name === reference ? [] : [piece] })) }) as unknown as Clocks;
  const under = (reference: string) => set.setClocks(reference === "db" ? clocks("db", map(B, B - hour)) : clocks("web", map(B - hour, B)));
  for (const [typed, want] of [
    ["time > 1795229351.5", "time > 1795225751.5"],
    [`time >= ${B + second} && time<${B + 2n * second}||1795229353.0 == time`, `time >= ${B - hour + second} && time<${B - hour + 2n * second}||1795225753.0 == time`],
    [`time > 1795229351.5 && fields =~ "time > 1795229351.5" && local_time > 1795229351.5 && .time > 5 && x.time == 7`, `time > 1795225751.5 && fields =~ "time > 1795229351.5" && local_time > 1795229351.5 && .time > 5 && x.time == 7`],
  ]) {
    const texts = new LinkedTexts();
    const events = { during: "", where: typed };
    under("web");
    texts.hold("web", events);
    under("db");
    texts.tell(set, events);
    assert.equal(events.where, want);
    assert.equal(texts.keep(false, events), false);
    under("web");
    texts.tell(set, events);
    assert.equal(events.where, typed);
    // What is typed anew is meant as it is typed.
    events.where = "time > 5";
    assert.equal(texts.keep(false, events), true);
    under("db");
    texts.tell(set, events);
    assert.equal(events.where, "time > 5");
  }
  const link = new LinkedTexts();
  link.follow("web", { during: "", where: "time > 1795229351.5" });
  assert.equal(link.by, "web");
  link.follow("web", { during: "", where: "next_tid == 5 && local_time > 5" });
  assert.equal(link.by, undefined);
  const view = new View();
  view.load("?tab=events&where=" + encodeURIComponent("time > 5"));
  view.by = "web";
  assert.equal(new URLSearchParams(view.query()).get("by"), "web");
});

test("a loss is known by its host and where it is told, of a list or asked for", async () => {
  const view = { raw: true, events: { loss: null } } as unknown as View;
  const set = { hosts: [{ index: 0, name: "web" }, { index: 1, name: "db" }], host: (i: number) => set.hosts[i] } as unknown as SetModel & { hosts: { index: number; name: string }[] };
  const places = Object.assign(Object.create(LossPlaces.prototype), { id: "x", set, view }) as LossPlaces;
  const x = lossOf("db", { times: 1, lost_events: 3, begin: "5", end: "90", place: "7", last: "7", cpu: 0 });
  view.events.loss = places.placeOf(x);
  assert.deepEqual(view.events.loss, { host: 1, local: 7n });
  assert.equal(await places.kept([{ ...x, host: "web" }, x]), x);
  view.events.loss = null;
  assert.equal(await places.kept([x]), null);
});

test("an event tells what its host's clock showed where it stands at another time", () => {
  const row = { time: "30", local_time: "20", host: "a", cpu: 0, name: "e", fields: "" };
  assert.equal(entry({ ...row, recorded: "15" }).recorded, 15n);
  assert.equal(entry({ ...row, recorded: "15" }).local, 20n);
  assert.equal("recorded" in entry(row), false);
});

test("a name that no event has is said to be none, with what may be meant", () => {
  assert.equal(misspeltWords([{ name: "sched_swich", near: ["sched_switch"] }], [], "", "sched_swich"), " No event of the set is called sched_swich; did you mean sched_switch?");
  assert.equal(misspeltWords([{ name: "qq*", near: [] }], [{ path: "tdi", near: ["tid"] }], "db", ""), " No event of db is called qq*. No kind of event of db has a field tdi; did you mean tid?");
});
