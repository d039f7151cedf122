// Pages of three hosts whose clocks are far apart, for what finds again what it kept.

import { Keeper } from "../src/model/kept.js";
import type { SetModel } from "../src/model/set.js";
import { View } from "../src/model/view.js";

const BEGIN = 10_000n;
const END = 11_000n;
/** By which the clock of each host is ahead of that of the one before. */
export const AHEAD = 100_000n;

/** Three hosts that record at the same time, of which the third is on its own where it is apart. */
export function page(apart = false) {
  const set = {
    known: true,
    get clocks() {
      return set.known ? { reference: set.hosts[set.reference].name } : null;
    },
    reference: 0,
    hosts: ["a", "b", "c"].map((name, index) => ({ name, index })),
    host: (i: number) => set.hosts[i],
    lies: (i: number) => AHEAD * BigInt(i),
    earlier: (i: number) => set.lies(i) - set.lies(apart && i === 2 ? 2 : set.reference),
    toReference: (i: number, t: bigint) => (set.known ? t - set.earlier(i) : null),
    toLocal: (i: number, t: bigint) => (set.known ? t + set.earlier(i) : null),
    extent: (i: number, raw: boolean) => {
      const [begin, end] = [BEGIN + set.lies(i), END + set.lies(i)];
      return raw ? { begin, end } : set.known ? { begin: begin - set.earlier(i), end: end - set.earlier(i) } : null;
    },
    recordedAt: (i: number, t: bigint) => t >= BEGIN + set.lies(i) && t <= END + set.lies(i),
    related: (i: number, k: number) => !apart || (i === 2) === (k === 2),
  };
  const view = new View();
  view.entries.bar.keep = () => {}; // there is no address here
  view.keeper = new Keeper(set as unknown as SetModel, view);
  view.setBounds({ begin: -1_000_000n, end: 1_000_000n });
  const at = () => Number(view.window.begin);
  return { set, view, at, go: (begin: bigint) => view.jump({ begin, span: 10 }) };
}

/** The clock of b stands while the reference goes on from 10200 to 10400; a row of b is selected. */
export function setBack() {
  const there = page();
  const { set, view } = there;
  const [local, back] = [set.toLocal, set.toReference];
  set.toLocal = (i, t) => (i === 1 && t > 10_200n ? local(i, t < 10_400n ? 10_200n : t - 200n) : local(i, t));
  set.toReference = (i, t) => (i === 1 && t > AHEAD + 10_200n ? back(i, t + 200n) : back(i, t));
  view.row = { host: 1, tid: 7 };
  const turn = (raw: boolean, along?: number) => {
    view.hold();
    view.raw = raw;
    view.retell(along);
  };
  return { ...there, turn };
}
