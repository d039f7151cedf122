import assert from "node:assert/strict";
import { test } from "node:test";

import { orderOf } from "../src/events/order.js";
import { Directs } from "../src/model/direct.js";
import { SetModel } from "../src/model/set.js";
import { latencyError, latencyWords } from "../src/timeline/words.js";
import type { Between, Clocks, SetInfo } from "../src/net/json.js";

const between = (a: string, b: string, version: number, error: [string, number][]): Between => ({ version, a, b, path: [a, b], error_ns: null, map: [], error });

const turn = () => new Promise<void>((r) => setTimeout(r, 0));

// A server whose answers come when the test says so.
function server() {
  const asked: { pair: string; answer: (b: Between | null) => Promise<void> }[] = [];
  const read = (a: string, b: string) =>
    new Promise<Between>((yes, no) => asked.push({ pair: a + b, answer: async (x) => {
        if (x) yes(x);
        else no(new Error("away"));
        await turn();
      } }));
  return { asked, read, pairs: () => asked.map((q) => q.pair).join(" ") };
}

test("each pair is asked for once, one at a time, and of those that wait the last is", async () => {
  const { asked, read, pairs } = server();
  let known = 0;
  const d = new Directs(read, () => known++);
  for (const [a, b] of ["ab", "ac", "ad", "ab"]) assert.equal(d.of(a, b, 1), null);
  assert.equal(pairs(), "ab");
  await asked[0].answer(between("a", "b", 1, [["0", 5]]));
  assert.equal(known, 1);
  assert.equal(d.of("a", "b", 1)?.error[0][1], 5);
  assert.equal(pairs(), "ab"); // that was the last that was wanted, too; the others will be when they are pointed at again
  for (const b of ["c", "d", "e"]) assert.equal(d.of("a", b, 1), null);
  await asked[1].answer(between("a", "c", 1, []));
  assert.equal(pairs(), "ab ac ae");
});

test("what was told by other clocks, or not at all, is not taken", async () => {
  const { asked, read, pairs } = server();
  let known = 0;
  const d = new Directs(read, () => known++);
  d.of("a", "b", 1);
  d.of("a", "b", 2);
  await asked[0].answer(between("a", "b", 1, [["0", 5]]));
  assert.equal(pairs(), "ab ab");
  assert.equal(d.of("a", "b", 2), null);
  await asked[1].answer(between("a", "b", 3, [["0", 5]]));
  assert.equal(d.of("a", "b", 2), null);
  d.of("a", "c", 2);
  await asked[2].answer(null);
  assert.equal(d.of("a", "c", 2), null);
  assert.equal(pairs(), "ab ab ac"); // not once more, until the server is there again
  d.again();
  assert.equal(d.of("a", "c", 2), null);
  assert.equal(pairs(), "ab ab ac ac");
});

test("a time between two hosts is known as well as their clocks against each other, and never worse than both errors together", async () => {
  const s = new SetModel();
  const names = ["ref", "a", "b", "alone"];
  const clock = (name: string, early: number) => ({
    name, id: name, component: name === "alone" ? 1 : 0, reference: name === "ref", error: name === "ref" ? [] : [["0", 400], ["90000", 400]],
    map: [{ begin: String(early), end: String(90000 + early), reference_begin: "0", reference_end: "90000", rate: 1 }],
  });
  s.setInfo({ state: "ready", hosts: names.map((name, index) => ({ index, name, id: name, local_begin: "0", local_end: "90000" })) } as unknown as SetInfo);
  s.setClocks({ reference: "ref", version: 4, hosts: names.map((name, i) => clock(name, 100 * i)), links: [] } as unknown as Clocks);
  const on = (host: string, reference: number) => ({ host, local: BigInt(reference + 100 * names.indexOf(host)) });
  const [a, b] = [1, 2];
  const error = (from: number, to: number) => s.errorBetween(a, on("a", from).local, b, on("b", to).local);
  assert.equal(error(1000, 1000), 800);

  const { asked, read, pairs } = server();
  s.directs = new Directs(read, () => {});
  assert.equal(error(1000, 1000), 800);
  assert.equal(s.errorBetween(b, on("b", 1000).local, a, on("a", 1000).local), 800); // the same pair, whoever is first
  await asked[0].answer(between("a", "b", 4, [["500", 30], ["5100", 50], ["20100", 50], ["30100", 90], ["30200", 50], ["60100", 50]]));
  assert.equal(pairs(), "ab");
  const near = (got: number | null, want: number) => assert(got !== null && Math.abs(got - want) < 1e-9, `${got}, not ${want}`);
  near(error(1000, 1000), 50 + 0.05 + 1);
  near(error(1000, 3000), 50 + 2.05 + 1); // the rate may be 1000 ppm off meanwhile
  near(s.errorBetween(b, on("b", 3000).local, a, on("a", 1000).local), 50 + 2.05 + 1);
  assert.equal(error(399, 3000), 800); // so early nothing is compared
  assert.equal(error(1000, 900_000), null);
  assert.equal(s.errorBetween(a, on("a", 1000).local, 0, 1000n), 400); // of the reference the error of the other is all

  near(error(29_000, 31_000), 90 + 2.09 + 1); // the largest bound meanwhile
  const says = (from: number, to: number) => orderOf(s, on("a", from), on("b", to));
  assert(says(1000, 1060).words.endsWith("later, certain."));
  assert.equal(says(1000, 1040).open, true);
  assert(orderOf(s, on("a", 1000), on("alone", 1060)).words.includes("nothing relates"));

  // While more is read the server compares no two hosts.
  s.setInfo({ ...s.info!, state: "importing" });
  assert.equal(error(1000, 1000), 800);
});

test("a time through a step of the reference is known by both errors alone", async () => {
  const s = new SetModel();
  const [ref, a, b] = ["ref", "a", "b"].map((name) => ({ name, id: name, component: 0, reference: name === "ref", error: name === "ref" ? [] : [["0", 400], ["9000", 400]], map: [] as object[] }));
  // All clocks but the reference's go on while that is set forward by 500.
  for (const h of [a, b]) h.map = [{ begin: "0", end: "3000", reference_begin: "0", reference_end: "3000", rate: 1 }, { begin: "3000", end: "3001", reference_begin: "3000", reference_end: "3500", rate: 500 }, { begin: "3001", end: "9000", reference_begin: "3500", reference_end: "9499", rate: 1 }];
  s.setInfo({ state: "ready", hosts: [ref, a, b].map(({ name }, index) => ({ index, name, id: name, local_begin: "0", local_end: "9000" })) } as unknown as SetInfo);
  s.setClocks({ reference: "ref", version: 1, hosts: [ref, a, b], links: [] } as unknown as Clocks);
  s.directs = new Directs(() => Promise.resolve(between("a", "b", 1, [["0", 5], ["9000", 5]])), () => {});
  s.errorBetween(1, 1000n, 2, 1000n);
  await turn();
  assert.equal(s.errorBetween(1, 1000n, 2, 2000n)! < 10, true);
  assert.equal(s.errorBetween(1, 1000n, 2, 4000n), 800);
});

test("a latency that no bound is known of does not look like one that is exact", () => {
  const s = new SetModel();
  const names = ["ref", "a", "b"];
  const clock = (name: string) => ({ name, id: name, component: 0, reference: name === "ref", error: name === "b" ? [] : [["0", 400], ["90000", 400]], map: [{ begin: "0", end: "90000", reference_begin: "0", reference_end: "90000", rate: 1 }] });
  s.setInfo({ state: "importing", hosts: names.map((name, index) => ({ index, name, id: name, local_begin: "0", local_end: "90000" })) } as unknown as SetInfo);
  s.setClocks({ reference: "ref", version: 1, hosts: names.map(clock), links: [] } as unknown as Clocks);
  const words = (to: number, raw = false) => latencyWords({ rows: { get: (row: number) => ({ host: row }) }, set: s, view: { raw } } as never, { from: 1, to, sent: 1000n, received: 52_990n, bundle: false } as never);
  assert.equal(words(2).replaceAll("\u202f", " "), "51.99 µs ± ?");
  assert(/± \d/.test(words(0)), words(0));
  assert(!words(2, true).includes("±"), "each clock as it was, and the difference is what it is");
});

test("a bundle's mean latency is known as well as the worst of its messages", async () => {
  const s = new SetModel();
  const names = ["ref", "a", "b"];
  // Both are known well in the middle, and badly before and after.
  const clock = (name: string) => ({
    name, id: name, component: 0, reference: name === "ref", error: name === "ref" ? [] : [["0", 900], ["4000", 900], ["4001", 10], ["5999", 10], ["6000", 900], ["9000", 900]],
    map: [{ begin: "0", end: "9000", reference_begin: "0", reference_end: "9000", rate: 1 }],
  });
  s.setInfo({ state: "ready", hosts: names.map((name, index) => ({ index, name, id: name, local_begin: "0", local_end: "9000" })) } as unknown as SetInfo);
  s.setClocks({ reference: "ref", version: 4, hosts: names.map(clock), links: [] } as unknown as Clocks);
  const c = { rows: { get: (row: number) => ({ host: row }) }, set: s, view: { raw: false } };
  const bundle = { from: 1, to: 2, sent: 5000n, received: 5001n, bundle: true, count: 9, errorFrom: 900, errorTo: 900, ends: { sentFirst: 1000n, sentLast: 8000n, receivedFirst: 1001n, receivedLast: 8001n } };
  const error = (m: object) => latencyError(c as never, { ...bundle, ...m } as never);
  assert.equal(error({}), 1800);
  assert.equal(error({ bundle: false, ends: null, errorFrom: 10, errorTo: 10 }), 20);
  s.directs = new Directs(() => Promise.resolve(between("a", "b", 4, [["0", 50], ["3000", 200], ["3001", 50], ["9000", 50]])), () => {});
  error({});
  await turn();
  const got = error({});
  assert(got >= 200 && got < 210, String(got));
  assert.equal(error({ violation: true }), 1800, "what is received before it is sent has no part of its length to go by");
  // However long it takes to send all of them: what the rates leave open is that of a latency, not of the whole stretch.
  s.setClocks({ reference: "ref", version: 5, hosts: names.map((name) => ({ ...clock(name), error: name === "ref" ? [] : [["0", 9_000_000], ["900000000", 9_000_000]], map: [{ begin: "0", end: "900000000", reference_begin: "0", reference_end: "900000000", rate: 1 }] })), links: [] } as unknown as Clocks);
  s.setInfo({ ...s.info!, hosts: names.map((name, index) => ({ index, name, id: name, local_begin: "0", local_end: "900000000" })) } as unknown as SetInfo);
  s.directs = new Directs(() => Promise.resolve(between("a", "b", 5, [["0", 20_000], ["900000000", 20_000]])), () => {});
  const long = { ends: { sentFirst: 1000n, sentLast: 800_000_000n, receivedFirst: 51_000n, receivedLast: 800_050_000n }, sent: 400_000_000n, received: 400_050_000n, errorFrom: 9e6, errorTo: 9e6 };
  error(long);
  await turn();
  assert.equal(Math.round(error(long)), 20_000 + 71, "a thousandth of 50 µs and of the bound, and what is rounded");
  assert.equal(latencyError({ ...c, view: { raw: true } } as never, bundle as never), -1, "raw times say nothing of it");
});
