// Whoever turns back is where they were: random walks over pages whose hosts' clocks are hours apart, of which one stood still for a while.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Keeper } from "../src/model/kept.js";
import { KindOfTime } from "../src/model/kindoftime.js";
import { parseRemembered, textOf } from "../src/model/remembered.js";
import type { SetModel } from "../src/model/set.js";
import { View } from "../src/model/view.js";

const S = 1_000_000_000n;
const BEGIN = 1_700_000_000n * S;
const STOOD = [BEGIN + 20n * S, BEGIN + 26n * S] as const;
/** By which the clock of each host is ahead; that of b stood. */
const AHEAD = [0n, 7n * S + 123n, 3600n * S + 1n, -10_800n * S + 17n];

function seeded(seed: number) {
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
  const below = (n: number) => Math.floor(next() * n);
  return { below, pick: <T>(of: readonly T[]): T => of[below(of.length)]! };
}

// What a set knows of the clocks of four hosts that record one after the other for most of a minute, by that of one of them.
function world(reference: number) {
  const own = (i: number, t: bigint) => t + AHEAD[i] - (i !== 1 || t < STOOD[0] ? 0n : t < STOOD[1] ? t - STOOD[0] : STOOD[1] - STOOD[0]);
  const truth = (i: number, local: bigint) => local - AHEAD[i] + (i === 1 && local > own(1, STOOD[0]) ? STOOD[1] - STOOD[0] : 0n);
  const hosts = ["a", "b", "c", "d"].map((name, index) => ({ name, index, reference: index === reference }));
  const extent = (i: number, raw: boolean) => {
    const [begin, end] = [BEGIN + BigInt(i) * 3n * S, BEGIN + 60n * S - BigInt(i % 3) * 9n * S].map((t) => own(raw ? i : reference, t));
    return { begin, end };
  };
  return {
    clocks: { reference: hosts[reference].name, version: 1 }, hosts, host: (i: number) => hosts[i], extent,
    toReference: (i: number, local: bigint) => (i === reference ? local : own(reference, truth(i, local))),
    toLocal: (i: number, t: bigint) => (i === reference ? t : own(i, truth(reference, t))),
    recordedAt: (i: number, local: bigint) => extent(i, true).begin <= local && local <= extent(i, true).end,
    related: () => true,
    bounds(raw: boolean) {
      const all = hosts.map((h) => extent(h.index, raw));
      return { begin: all.map((e) => e.begin).reduce((a, b) => (a < b ? a : b)), end: all.map((e) => e.end).reduce((a, b) => (a > b ? a : b)) };
    },
  };
}

// A page of it, which is loaded with an address and what the tab remembers.
function load(set: ReturnType<typeof world>, query = "", text = "") {
  const view = new View();
  view.entries.bar.keep = () => {};
  view.keeper = new Keeper(set as unknown as SetModel, view);
  view.load(query);
  const before = text ? parseRemembered(text)! : null;
  view.entries.resume = () => before!.way.here;
  if (before) view.resume(before, query);
  view.onChoice = (c) => Object.assign(view, { row: c.row, did: c.did, message: c.message });
  const kind = new KindOfTime(set as unknown as SetModel, view, view.keeper, { retime: () => {}, retell: () => {} }, view.raw && before?.raw === false);
  view.hold();
  view.by = set.clocks.reference;
  kind.retell();
  view.setBounds(set.bounds(view.raw));
  view.landAnew();
  return { view, turn: () => kind.turn(!view.raw) && view.setBounds(set.bounds(view.raw)) };
}

const where = (v: View) => [v.raw, v.whole, `${v.window.begin}+${v.window.span}`, v.selection && `${v.selection.begin}~${v.selection.end}`, String(v.state.at)].join(" ");

for (const rows of [false, true])
  test(`whoever turns back is where they were, ${rows ? "whatever row is chosen meanwhile" : "as long as no other row is chosen"}`, () => {
    for (let run = 1; run <= 400; run++) {
      const { below, pick } = seeded(run * 7919);
      const set = world(below(4) === 1 ? 0 : below(3));
      let page = load(set);
      if (!rows) page.view.row = { host: below(4), tid: 7 };
      const log: string[] = [];
      const somewhere = () => {
        const e = set.extent(below(4), page.view.raw);
        return { begin: e.begin + BigInt(below(Number(e.end - e.begin))), span: pick([50, 62.5, 1000, 5e8, 3e9, 2e10]) };
      };
      const move = () => page.view.jump(somewhere());
      const reload = () => {
        const query = page.view.query();
        page = load(set, query, textOf({ ...page.view.left, scrolled: new Map() }));
      };
      const acts: Record<string, () => unknown> = {
        move, again: move, R: () => page.turn(), back: () => page.view.back(), forward: () => page.view.forward(), whole: () => page.view.showAll(),
        state: () => (page.view.state = { ...page.view.state, at: somewhere().begin, host: pick(set.hosts).name, exact: null }),
        ...(rows ? { row: () => (page.view.row = { host: below(4), tid: 7 }) } : { reload }),
      };
      const there = (name: string, ...of: (() => unknown)[]) => {
        const was = where(page.view);
        for (const f of of) f();
        assert.equal(where(page.view), was, `run ${run}: ${log.join(" ")} [${name}]`);
      };
      for (let step = 0; step < 12; step++) {
        const act = pick(Object.keys(acts));
        log.push(act);
        acts[act]!();
        there("R, R", acts.R!, acts.R!);
        there("R, R, R, R", acts.R!, acts.R!, acts.R!, acts.R!);
        if (page.view.canGoBack) there("back, forward", acts.back!, acts.forward!);
        if (page.view.canGoForward) there("forward, back", acts.forward!, acts.back!);
        if (!rows && page.view.canGoBack) there("R, back, forward, R", acts.R!, acts.back!, acts.forward!, acts.R!);
        if (!rows) there("reload", reload);
        if (!rows) there("R, reload, R", acts.R!, reload, acts.R!);
      }
    }
  });
