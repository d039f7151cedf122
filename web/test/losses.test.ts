import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventRow, EventsAnswer, EventsQuery, LossInfo } from "../src/home/api.js";
import { isEntry, Pages, type Line } from "../src/events/pages.js";
import { largest, lossOf, lossWords, lostHereWords, sizeOf, together, untilWords, type Loss } from "../src/model/losses.js";

const plain = (s: string) => s.replace(/[\u202f\u00a0\u202f]/g, " ");
const info = (place: number, events: number, more: Partial<LossInfo> = {}): LossInfo => ({ times: 1, lost_events: events, begin: String(place - 2), end: String(place + 3), place: String(place), last: String(place), cpu: 2, ...more });

// A server of events at 0, 10, 20, ..., of which every third is wanted, with an event lost behind each at a multiple of 70.
function server(total: number, patience: number) {
  const lostIn = (from: number, to: number): ({ host: string } & LossInfo)[] => {
    let times = 0;
    let [first, last] = [0, 0];
    for (let t = Math.ceil(from / 70) * 70; t < to; t += 70) {
      if (times++ === 0) first = t;
      last = t;
    }
    return times > 0 ? [{ host: "a", ...info(first, times, { times, last: String(last), end: String(last + 3) }) }] : [];
  };
  return async (q: EventsQuery): Promise<EventsAnswer> => {
    const limit = Number(q.limit);
    const forward = q.after !== undefined;
    const place = Number(String(q.after ?? q.before).split(".")[0]);
    const wanted: number[] = [];
    let at = forward ? Math.ceil(place / 10) * 10 : Math.ceil(place / 10) * 10 - 10;
    for (let looked = 0; at >= 0 && at < total && looked < patience && wanted.length < limit; looked++, at += forward ? 10 : -10) if (at % 30 === 0) wanted.push(at);
    if (!forward) wanted.reverse();
    const [from, to] = forward ? [place, at < total ? at : Infinity] : [at >= 0 ? at + 10 : 0, place];
    let since = from;
    const events = wanted.map((t): EventRow => {
      const lost = lostIn(since, t);
      since = t;
      return { time: String(t), local_time: String(t), host: "a", cpu: 0, name: "e", fields: "", ...(lost.length ? { lost } : {}) };
    });
    const behind = lostIn(since, Math.min(to, total));
    return { events, next: forward ? (at < total ? `${at}.0` : null) : String(q.before), previous: forward ? String(q.after) : at >= 0 ? `${at + 10}.0` : null, ...(behind.length ? { lost_behind: behind } : {}) };
  };
}

const shown = (line: Line) => (isEntry(line) ? String(line.time) : `${line.lost.lost_events} at ${line.lost.place}-${line.lost.last}`);

test("what was lost is a line of its own between the events that are held, wherever pages meet, and nothing else moves", async () => {
  const want: string[] = [];
  for (let t = 0; t < 9000; t += 30) {
    want.push(String(t));
    const lost = [t, t + 10, t + 20].filter((x) => x % 70 === 0);
    if (lost.length > 0) want.push(`1 at ${lost[0]}-${lost[0]}`);
  }
  for (const patience of [20, 1000]) {
    const p = new Pages(() => server(9000, patience));
    await p.jump(4000n);
    let mark: Line | undefined = p.lines.find(isEntry);
    let at = p.lines.indexOf(mark!);
    p.onChange = (before, dropped) => (at += before - dropped);
    for (let i = 0; i < 400 && !(p.first && p.last); i++) {
      await (i % 3 === 0 ? p.earlier() : p.later());
      if (p.lines.includes(mark!)) assert.equal(p.lines.indexOf(mark!), at, `patience ${patience}, step ${i}`);
      const lines = p.lines.map(shown);
      const from = want.indexOf(lines.find((x) => !x.includes("at"))!);
      const inside = lines.filter((_, k) => k > 2 && k < lines.length - 2);
      const first = want.indexOf(inside[0], Math.max(0, from - 2));
      assert.deepEqual(inside, want.slice(first, first + inside.length), `patience ${patience}, step ${i}`);
    }
    while (!p.last) await p.later();
    assert.equal(shown(p.lines[p.lines.length - 1]), want[want.length - 1]);
  }
});

test("what is lost where a filter wants nothing stands together, and a host has one line", async () => {
  const p = new Pages(() => async () => ({ events: [], next: null, previous: null, lost_behind: [{ host: "a", ...info(10, 3) }, { host: "b", ...info(12, 4) }] }));
  await p.jump(0n);
  assert.deepEqual(p.lines.map(shown), ["3 at 10-10", "4 at 12-12"]);
  const both = together([lossOf("a", info(10, 3))], [lossOf("b", info(11, 1)), lossOf("a", info(20, 4, { cpu: 3 }))]);
  assert.deepEqual(both.map((x) => [x.host, x.times, x.lost_events, x.begin, x.end, x.place, x.last, x.cpu]), [["a", 2, 7, 8n, 23n, 10n, 20n, null], ["b", 1, 1, 9n, 14n, 11n, 11n, 2]]);
});

test("a loss is told in words", () => {
  const at = (t: bigint) => `${t} ns`;
  const of = (more: Partial<LossInfo>): Loss => lossOf("web", info(10, 489, more));
  assert.equal(plain(lossWords(of({}), true, at)), "489 events lost on CPU 2 between 8 ns and 13 ns");
  assert.equal(plain(lossWords(of({}), true, at, at, true)), "489 events lost on CPU 2 about here, between 8 ns and 13 ns");
  assert.equal(plain(lossWords(of({ times: 3, cpu: null }), false, at, at, true)), "489 events lost, 3 times, on several CPUs of web between 8 ns and 13 ns");
  assert.equal(plain(lossWords(of({ times: 3, cpu: null }), false, at)), "489 events lost, 3 times, on several CPUs of web between 8 ns and 13 ns");
  assert.equal(plain(lossWords(of({ cpu: -1, end: "8", lost_events: 1 }), false, at)), "1 event lost on web at 8 ns");
  assert.equal(plain(lossWords(of({ lost_events: 0, lost_packets: 2 }), true, at)), "2 whole packets of events lost on CPU 2 between 8 ns and 13 ns");
});

test("a loss that is counted behind the last event reaches to the end of a packet", () => {
  const at = (t: bigint) => `${t} ns`;
  assert.equal(untilWords(13n, 13n, at), "13 ns");
  assert.equal(untilWords(13n, null, at), "13 ns");
  assert.equal(plain(untilWords(3_344_658_862n, 862n, at)), "the end of the last packet, 3.345 s after the last event");
  assert.equal(plain(lossWords(lossOf("web", info(10, 489)), true, at, (t) => untilWords(t, 3n, at))), "489 events lost on CPU 2 between 8 ns and the end of the last packet, 10 ns after the last event");
});

test("few losses are listed by time, of many the largest, the largest first", () => {
  const list = [lossOf("a", info(30, 2)), lossOf("a", info(10, 5)), lossOf("a", info(20, 5)), lossOf("a", info(40, 0, { lost_packets: 3 }))];
  const sizes = (most: number) => largest(list, most, sizeOf).map((x) => `${x.place} ${sizeOf(x)}`);
  assert.deepEqual(sizes(4), ["10 5", "20 5", "30 2", "40 3"]);
  assert.deepEqual(sizes(3), ["10 5", "20 5", "40 3"]);
});

test("of a stretch it is told what was lost in it, and where that is not sure", () => {
  const all = [{ name: "a", lost_events: 967700 }, { name: "b", lost_events: 5 }, { name: "c", lost_events: 0 }];
  const lost = (lost_events: number, reaching_events = 0) => ({ times: 1, lost_events, lost_packets: 0, reaching_events, reaching_packets: 0 });
  const says = (a: ReturnType<typeof lost> | null) => plain(lostHereWords([{ host: "a", lost: a }, { host: "b", lost: lost(0) }, { host: "c", lost: null }], all));
  assert.equal(says(lost(0)), "");
  assert.equal(/^Events were lost on a \(489\): /.test(says(lost(489))), true, says(lost(489)));
  assert.equal(/^Events were lost on a \(up to 1 347\): /.test(says(lost(1347, 488))), true, says(lost(1347, 488)));
  assert.equal(/^Events were lost on a \(967 700 in the whole recording; when is not known\): /.test(says(null)), true, says(null));
});
