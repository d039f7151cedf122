import assert from "node:assert/strict";
import { test } from "node:test";
import type { Context } from "../src/timeline/controlflow.js";
import { asExpression, partOfText, strangerIn, Wanted } from "../src/timeline/wanted.js";

test("a filter that is not answered for long is said not to be in force", () => {
  const before = globalThis.setTimeout;
  const waits: { ms: number; run: () => void }[] = [];
  Object.assign(globalThis, { setTimeout: (run: () => void, ms: number) => waits.push({ ms, run }) });
  const pass = (least: number) => waits.splice(0).forEach((w) => (w.ms >= least ? w.run() : waits.push(w)));
  try {
    let answer: (m: unknown) => void = () => {};
    const view = { filter: "tid == 1", empty: false, tab: "timeline", window: { begin: 0n, span: 100 }, time: "raw" };
    const live = { ask: (_view: number, _request: unknown, take: (m: unknown) => void) => (answer = take), drop: () => {} };
    let told = 0;
    const w = new Wanted({ view, live, rows: { threads: 1 }, set: { clocks: null } } as unknown as Context, () => told++);
    w.request();
    pass(0); // it is asked
    assert.equal(w.late, true);
    assert.equal(told, 1);
    answer({ kind: "listing", rows: [3], unsure: 0, map: 0 });
    assert.deepEqual([w.late, [...w.rows!], told], [false, [3], 2]);
    view.window = { begin: 50n, span: 100 };
    w.request();
    pass(0);
    assert.equal(w.late, false, "rows are those of this filter, a moment ago");
    view.filter = "tid == 2";
    w.request();
    assert.equal(w.late, false);
    pass(0);
    assert.deepEqual([w.late, [...w.rows!]], [true, [3]]);
    view.filter = "words";
    w.request();
    assert.equal(w.late, false);
  } finally {
    Object.assign(globalThis, { setTimeout: before });
  }
});

test("a pattern without a wildcard may be meant as a part of the text", () => {
  assert.equal(partOfText('status == blocked && syscall =~ "wait"'), "wait");
  assert.equal(partOfText('name=~"db"'), "db");
  for (const filter of ['syscall =~ "*wait*"', 'syscall =~ "wait[46]"', 'syscall == "wait"', 'syscall !~ "wait"', "wait"]) assert.equal(partOfText(filter), null);
});

test("a host that a filter names and that there is not, with those that there are", () => {
  const hosts = ["cache", "db", "lb", "web"];
  assert.equal(strangerIn("host == web1", hosts), "There is no host web1. There are web, cache, db, lb.");
  assert.equal(strangerIn('status == blocked && host=="data base"', hosts), "There is no host data base. There are db, cache, lb, web.");
  assert.equal(strangerIn("host == db || host == web2", ["db"]), "There is no host web2. There is db.");
  const many = Array.from({ length: 60 }, (_, i) => `node${i}`);
  assert.equal(strangerIn("host == node599", many), "There is no host node599. There are node59, node5, node50, node51, node52, node53 and 54 more.");
  for (const filter of ["host == db", 'host == "db" && tid == 1', "host == name", 'name == "host == x"', "host != web1", 'host =~ "web*"']) assert.equal(strangerIn(filter, hosts), null);
});

test("words of what threads do become an expression", () => {
  const hosts = ["web", "db-1"];
  assert.equal(asExpression("blocked", hosts), "status == blocked");
  assert.equal(asExpression("kernel", hosts), "status == kernel");
  assert.equal(asExpression(" web  Blocked", hosts), "host == web && status == blocked");
  assert.equal(asExpression("httpd web", hosts), 'name =~ "*httpd*" && host == web');
  assert.equal(asExpression("web", hosts), null);
  assert.equal(asExpression("httpd cart", hosts), null);
  assert.equal(asExpression("db-1 waiting 205", hosts), 'host == "db-1" && status == waiting && tid == 205');
  assert.equal(asExpression('work*"x stopped', hosts), String.raw`name =~ "*work\\*\"x*" && status == stopped`);
  assert.equal(asExpression("blocked in futex", hosts), 'status == blocked && syscall =~ "*futex*"');
  assert.equal(asExpression("web syscall in read 12", hosts), 'host == web && status == syscall && syscall =~ "*read*" && tid == 12');
  assert.equal(asExpression("blocked flock", hosts), 'status == blocked && (syscall =~ "*flock*" || name =~ "*flock*")');
  assert.equal(asExpression("blocked in", hosts), 'status == blocked && (syscall =~ "*in*" || name =~ "*in*")');
  assert.equal(asExpression("web 205", hosts), "host == web && tid == 205");
  for (const filter of ["", "nosuch", "status == blocked"]) assert.equal(asExpression(filter, hosts), null);
});
