import assert from "node:assert/strict";
import { test } from "node:test";
import { SetModel } from "../src/model/set.js";
import type { Clocks, SetInfo } from "../src/net/json.js";
import { ownClockWords } from "../src/statistics/ownclock.js";

// web is the reference; db's clock runs slower by 153 ppm in the first second, and as fast in the next one.
function set(map = [["0", "999847000", "0", "1000000000"], ["999847000", "1999847000", "1000000000", "2000000000"]]): SetModel {
  const s = new SetModel();
  s.setInfo({ id: "x", name: "x", state: "ready", hosts: ["web", "db"].map((name, index) => ({ index, name, id: name, local_begin: "0", local_end: "2000000000", state: "done", missing: [] })) } as unknown as SetInfo);
  s.setClocks({ reference: "web", version: 1, links: [], matching: null, hosts: [{ name: "web", id: "web", component: 0, reference: true, map: [], error: [] }, {
    name: "db", id: "db", component: 0, reference: false, error: [], map: map.map(([begin, end, reference_begin, reference_end]) => ({ begin, end, reference_begin, reference_end, rate: 1 })),
  }] } as unknown as Clocks);
  return s;
}

test("where time is counted by other clocks than times are told by it is said by whose, and how much that makes", () => {
  const plain = (words: string) => words.replace(/\s/g, " ");
  assert.equal(plain(ownClockWords(set(), false, 0n, 10n)), "Time spent is counted by each host's own clock: by web's, as the timeline has it, it is up to 0.0154 % more or less.");
  assert.equal(plain(ownClockWords(set(), false, 0n, 10n, ["db"])), "Time spent is counted by db's own clock: by web's, as the timeline has it, it is up to 0.0154 % more or less.");
  assert.equal(ownClockWords(set(), false, 0n, 10n, ["web"]), "", "the reference's own clock is that by which times are told");
  assert.equal(plain(ownClockWords(set(), false, 0n, 10n, ["web", "db"])), plain(ownClockWords(set(), false, 0n, 10n)), "of several hosts as of all");
  assert.equal(ownClockWords(set(), false, 1_200_000_000n, 1_300_000_000n), "", "where both run alike");
  assert.equal(ownClockWords(set(), true, 0n, 10n), "", "raw time is each host's own");
});

test("where a clock was set, that makes any difference, and is not told as a rate", () => {
  const plain = (words: string) => words.replace(/\s/g, " ");
  const forth = [["0", "999847000", "0", "1000000000"], ["999847000", "1499847000", "1000000000", "1010000000"], ["1499847000", "1999847000", "1010000000", "1510000000"]];
  assert.equal(plain(ownClockWords(set(forth), false, 0n, 1_100_000_000n)), "Time spent is counted by each host's own clock: by web's, as the timeline has it, it is up to 0.0154 % more or less, and by anything where a clock was set.");
  assert.equal(plain(ownClockWords(set(forth), false, 1_002_000_000n, 1_100_000_000n, ["db"])), "Time spent is counted by db's own clock: by web's, as the timeline has it, it is more or less where a clock was set.");
  assert.equal(ownClockWords(set(forth), false, 0n, 900_000_000n).endsWith("0.0154\u202f% more or less."), true);
});
