import assert from "node:assert/strict";
import { test } from "node:test";
import { Crumbs } from "../src/model/crumbs.js";
import { renumbered } from "../src/model/set.js";
import { strangeTabWords, strangeWindowWords } from "../src/model/strange.js";
import { Trail } from "../src/model/trail.js";
import { View } from "../src/model/view.js";
import { windowOf } from "../src/time/window.js";

const B = 1795229342346870277n;

test("the address holds the whole view", () => {
  const query = `?tab=sync&time=raw&begin=${B}&end=${B + 61_800_000n}&selection=${B + 5n}%7E${B + 9n}&filter=httpd&rows=all&collapsed=1%2C3%2C0.211&opened=2&row=2.211&link=web%7Edb&plot=${B + 6n}%7E${B + 8n}&tall=0.0000197531`;
  const v = new View();
  v.load(query);
  assert.equal(v.query(), query);
  v.suggest(B, B + 1n);
  assert.equal(v.query(), query, "a window in the address is not replaced by a suggested one");
});

test("a window wider than any recording shows all there is", () => {
  for (const wide of ["begin=-9223372036854775808&end=9223372036854775807", "begin=9223372036854775000&end=9223372036854775807", "begin=-9223372036854775808&end=-9223372036854775000"]) {
    const v = new View();
    v.load(`?${wide}`);
    v.setBounds({ begin: B, end: B + 1000n });
    assert.deepEqual(v.window, { begin: B, span: 1000 }, wide);
    assert.equal(v.query(), "?window=all");
  }
});

test("a window that cannot be shown is told, until another is", () => {
  const bounds = { begin: B, end: B + 1000n };
  const told = (query: string) => {
    const v = new View();
    v.load(query);
    v.setBounds(bounds);
    assert.deepEqual(v.window, { begin: B, span: 1000 }, query);
    return strangeWindowWords(v.refused, v.bounds);
  };
  for (const [query, words] of [
    ["?begin=9&end=5", "The address asks for a window from 9 to 5. It ends before it begins, so the whole set is shown."],
    ["?begin=9&end=9", "The address asks for a window from 9 to 9. It has no length, so the whole set is shown."],
    ["?begin=abc&end=5", "The address asks for a window from abc to 5. abc is no time in ns that a recording can have, so the whole set is shown."],
    ["?begin=5&end=99999999999999999999", "The address asks for a window from 5 to 99999999999999999999. 99999999999999999999 is no time in ns that a recording can have, so the whole set is shown."],
    [`?begin=5&end=9${"0".repeat(99)}`, "The address asks for a window from 5 to 900000000000000000000000…00000000. 900000000000000000000000…00000000 is no time in ns that a recording can have, so the whole set is shown."],
    [`?begin=${B + 500n}&end=9223372036854775807`, `The address asks for a window from ${B + 500n} to 9223372036854775807. No recording is as long or lies as far off, so the whole set is shown.`],
    ["?begin=9223372036854775000&end=9223372036854775807", "The address asks for a window from 9223372036854775000 to 9223372036854775807. No recording is as long or lies as far off, so the whole set is shown."],
    ["?begin=5", "The address asks for a window from 5. It has no end, so the whole set is shown."],
    ["?end=5", "The address asks for a window to 5. It has no begin, so the whole set is shown."],
    ["?begin=-9223372036854775808&end=9223372036854775807", ""],
    ["?window=all", ""],
    ["", ""],
  ] as const) assert.equal(told(query), words, query);
  const v = new View();
  v.load(`?begin=${B}&end=${B + 61n}`);
  assert.equal(v.refused, null);
});

test("a tab that there is not is told", () => {
  const told = (query: string) => {
    const v = new View();
    v.load(query);
    assert.equal(v.tab, query === "?tab=events" ? "events" : "timeline");
    return strangeTabWords(v.refusedTab);
  };
  assert.deepEqual(["", "?tab=events", "?tab=foo", "?tab=", "?tab=Events"].map(told), ["", "",
    "The address asks for a view foo. There is none, so it is the timeline that is open.",
    "The address asks for a view without a name. There is none, so it is the timeline that is open.",
    "The address asks for a view Events. There is none, so it is the timeline that is open."]);
});

test("what the address says of each part of the page is read back", () => {
  const times = "time=raw&selection=5%7E9&filter=tid+%3D%3D+3&others=dim&resources=off%2C0%2C0.1&lane=0.1.q24&was=-7&sort=-cpu&top=1.-1.7&pin=0.210%2C1.7&kept=2.205&mark=1%7E-77&message=0%7E5%7E1%7E-6&wait=50us";
  const rest = "sizes=tree300.talk220&columns=all&flows=1&wakes=1&pair=web%7Edb&spent=set&narrow=crunch&still=1&call=db%7Eflock&exchanged=selection&shown=latency&compare=web%7Edb&moment=recording";
  for (const query of [
    `?${times}&event=sched_switch&where=tid+%3D%3D+1&host=db&${rest}`,
    `?tab=events&${times}&at=12&chosen=1%7E-77%7E3&event=a&${rest}`,
    `?tab=events&${times}&at=12&lost=1%7E-77&event=a&${rest}`,
    `?tab=state&${times}&state=12&of=db&attribute=Threads%2F1&find=CPU&open=CPUs&open=Threads%2F1&${rest}`,
  ]) {
    const v = new View();
    v.load(query);
    assert.equal(v.query(), query);
  }
});

test("a message of a bundle is in the address with that, whichever of its ends one is at", () => {
  const bundle = "0~10~3~20~30~40~323~342~6.80.5296";
  for (const at of ["", "~sent", "~received"]) {
    const v = new View();
    v.load(`?message=0~15~3~25${at}&bundle=${bundle}`);
    assert.deepEqual([v.message?.at, v.message?.among?.sent], [{ "~sent": "from", "~received": "to" }[at], 10n]);
    assert.equal(v.query().replaceAll("%7E", "~"), `?message=0~15~3~25${at}&bundle=${bundle}`);
  }
});

test("clocks are compared at any time, before the begin of the set too", () => {
  for (const moment of ["0", "-3000000000", "2000000000000000", "recording"]) {
    const v = new View();
    v.load(`?tab=sync&moment=${moment}`);
    assert.equal(v.query(), `?tab=sync&moment=${moment}`);
  }
});

test("hosts may have in their names what stands between two of them in an address", () => {
  for (const [a, b] of [["plain", "web~1"], ["a~", "~b"], ["a", "~~b"], ["~", "%7E"], ["100%", "25%25"], ["plain", ""]] as const) {
    const v = new View();
    [v.link, v.pair, v.compared] = [{ a, b }, [a, b], [b, a]];
    if (b) v.call = [b, a];
    const w = new View();
    w.load(v.query());
    assert.deepEqual([w.link, w.pair, w.compared, w.call], [v.link, v.pair, v.compared, v.call], v.query());
  }
});

test("the state of a CPU or an interrupt is in the address as long as its row is", () => {
  const v = new View();
  v.load(`?lane=2.1.q24&was=${B}`);
  assert.deepEqual([v.lane, v.was], ["2.1.q24", B]);
  v.renumber(new Map([[2, 3]]));
  assert.equal(v.query(), `?lane=3.1.q24&was=${B}`);
  v.renumber(new Map([[3, null]]));
  assert.deepEqual([v.lane, v.was, v.query()], ["", null, ""]);
  for (const junk of [`was=${B}`, "was=9223372036854775808&lane=2.1", "was=12.5&lane=2.1", "was=&lane=2.1", "was=<b>&lane=2.1"]) {
    const w = new View();
    w.load("?" + junk);
    assert.equal(w.was, null, junk);
    assert.equal(w.query(), junk.includes("lane") ? "?lane=2.1" : "", junk);
  }
});

test("how one came to the state of a row is in the address with the state", () => {
  const v = new View();
  const led = `waited=5%7E90&via=12&from=0.7%7E-3%2C2.9%7E4`;
  v.load(`?row=2.211&did=60&${led}`);
  assert.deepEqual(v.led, { waited: { begin: 5n, end: 90n }, via: 12, from: [{ host: 0, tid: 7, local: -3n }, { host: 2, tid: 9, local: 4n }] });
  assert.equal(v.query(), `?row=2.211&did=60&${led}`);
  v.renumber(new Map([[2, 3], [0, null]]));
  assert.equal(v.query(), "?row=3.211&did=60&waited=5%7E90&via=12&from=3.9%7E4");
  v.renumber(new Map([[3, null]]));
  assert.deepEqual([v.led, v.query()], [null, ""]);
  for (const junk of [led, `row=2.1&${led}`, `row=2.-1&did=60&${led}`, "row=2.1&did=60&waited=61~90&via=3", "row=2.1&did=60&waited=90~5", "row=2.1&did=60&from=<b>,1.2,1.2~9223372036854775808", "row=2.1&did=60&via=3"]) {
    const w = new View();
    w.load("?" + junk);
    assert.deepEqual([w.led, /waited|via|from/.test(w.query())], [null, false], junk);
  }
});

test("the state of a row is in the address as long as the row is", () => {
  const v = new View();
  v.load(`?row=2.211&did=${B}`);
  assert.deepEqual([v.row, v.did], [{ host: 2, tid: 211 }, B]);
  v.renumber(new Map([[2, 3]]));
  assert.equal(v.query(), `?row=3.211&did=${B}`);
  v.renumber(new Map([[3, null]]));
  assert.deepEqual([v.row, v.did, v.query()], [null, null, ""]);
  for (const [junk, left] of [[`did=${B}`, ""], [`did=${B}&row=2.-1`, "?row=2.-1"], ["did=9223372036854775808&row=2.1", "?row=2.1"], ["did=12.5&row=2.1", "?row=2.1"], ["did=&row=2.1", "?row=2.1"]]) {
    const w = new View();
    w.load("?" + junk);
    assert.equal(w.query(), left, junk);
  }
});

test("the order of tables goes along in the address", () => {
  const v = new View();
  v.load("?tables=threads4r.cpus2a.calls0ra");
  assert.deepEqual(v.tables.get("cpus"), { column: 2, turned: false, all: true });
  v.tables.delete("threads");
  v.tables.set("hosts", { column: 11, turned: true, all: false });
  assert.equal(v.query(), "?tables=calls0ra.cpus2a.hosts11r");
});

test("nonsense in the address is left out", () => {
  const v = new View();
  v.load("?tab=elsewhere&begin=5&end=3&selection=1&row=x&link=a&collapsed=-1,b&time=utc&sizes=tree.talk1.side99999.tree-5.hat200&columns=2&message=1~2~3&tables=9.cpus.calls123.Cpus1.cpus1x&scroll=talk00.cpus-4.side9.talk&call=~flock");
  assert.equal(v.query(), "");
  for (const chosen of ["1~9223372036854775808~0", "1~5~-2", "1~5", "a~5~0", "1~5.5~0", ""]) {
    const w = new View();
    w.load(`?tab=events&chosen=${chosen}`);
    assert.equal(w.query(), "?tab=events", chosen);
  }
  for (const part of ["plot=5~5", "plot=7~5", "plot=5", "plot=5~9223372036854775808", "tall=0", "tall=1", "tall=1e3", "tall=-2", "tall=200000", "tall=x"]) {
    const w = new View();
    w.load(`?link=web~db&${part}`);
    assert.equal(w.query(), "?link=web%7Edb", part);
  }
  const w = new View();
  w.load("?plot=5~9&tall=2");
  assert.equal(w.query(), "", "a part of no link");
});

test("what is chosen of hosts goes along when these get other numbers", () => {
  const named = (...names: string[]) => names.map((name, index) => ({ name, index }));
  assert.equal(renumbered(named("db", "web"), named("db", "web", "zoo")), null);
  const to = renumbered(named("db", "gone", "web"), named("cache", "db", "web"))!;
  assert.deepEqual([...to], [[0, 1], [1, null], [2, 2]]);
  const view = new View();
  view.load("?tab=events&chosen=0~5~1&pin=0.17,1.4,9.5&collapsed=0,1,2,0.100,1.3&opened=0,1&row=0.17&mark=0~5&message=0~7~2~8&resources=off,0,0.1,1.i&lane=0.1.q24");
  view.renumber(to);
  assert.equal(decodeURIComponent(view.query()), "?tab=events&resources=off,1,1.1&lane=1.1.q24&pin=1.17,9.5&collapsed=1,2,1.100&opened=1&row=1.17&mark=1~5&message=1~7~2~8&chosen=1~5~1");
  view.renumber(new Map([[1, null], [2, 0], [9, null]]));
  assert.equal(decodeURIComponent(view.query()), "?tab=events&resources=off&collapsed=0");
});

test("a window over the whole set follows it, one that was chosen stays", () => {
  const v = new View();
  v.setBounds({ begin: B, end: B + 1000n });
  v.setBounds({ begin: B, end: B + 2000n });
  assert.deepEqual(v.window, { begin: B, span: 2000 });
  v.suggest(B + 100n, B + 300n);
  v.setBounds({ begin: B, end: B + 3000n });
  assert.deepEqual(v.window, { begin: B + 100n, span: 200 });
});

test("what is worth a look is shown where nothing was chosen, and never on top of what was", () => {
  const suggested = (query: string, choose: (v: View) => void = () => {}) => {
    const v = new View();
    v.load(query);
    v.setBounds({ begin: B, end: B + 1000n });
    choose(v);
    return v.suggest(B + 100n, B + 300n);
  };
  assert(suggested(""));
  assert(suggested("?tab=events"), "where the timeline looks is not said");
  for (const query of ["?window=all", "?by=db", "?tab=events&window=all", "?row=2.205", "?collapsed=1", "?filter=web", `?begin=${B}&end=${B + 10n}`]) assert(!suggested(query), query);
  assert(!suggested("", (v) => (v.row = { host: 0, tid: 7 })));
  assert(!suggested("", (v) => v.suggest(B + 1n, B + 2n)), "once is enough");
});

test("a jump is a movement of its own, and one to where the window is none; the whole set that was chosen stands in the address", () => {
  Object.assign(globalThis, { history: { replaceState: () => {} }, location: { pathname: "" } });
  const v = new View();
  v.setBounds({ begin: 0n, end: 1000n });
  assert.equal(v.query(), "");
  v.jump(windowOf(100n, 200n));
  v.jump(windowOf(100n, 200n));
  v.show(windowOf(110n, 210n));
  v.back();
  assert.equal(v.window.begin, 100n);
  v.back();
  assert.equal(v.whole, true);
  assert.equal(v.query(), "?window=all");
  const other = new View();
  other.load(v.query());
  other.setBounds({ begin: 0n, end: 1000n });
  other.suggest(100n, 200n);
  assert.equal(other.whole, true);
});

test("with the window what was chosen comes back where that changed with it", () => {
  const v = new View();
  v.setBounds({ begin: 0n, end: 1000n });
  const came: unknown[] = [];
  v.onChoice = (c) => {
    came.push(c.row?.tid);
    [v.row, v.did, v.message] = [c.row, c.did, c.message];
  };
  v.jump({ begin: 100n, span: 200 });
  v.row = { host: 0, tid: 7 };
  v.did = 5n;
  v.jumpChoosing({ begin: 400n, span: 200 });
  v.row = { host: 1, tid: 8 };
  v.did = null;
  v.jump({ begin: 500n, span: 200 });
  v.row = { host: 1, tid: 9 };
  v.back(); // a movement alone: what is chosen stays
  assert.deepEqual([v.window.begin, v.row.tid, came], [400n, 9, []]);
  v.back();
  assert.deepEqual([v.window.begin, v.row.tid, v.did, came], [100n, 7, 5n, [7]]);
  v.forward();
  assert.deepEqual([v.window.begin, v.row.tid, v.did, came], [400n, 9, null, [7, 9]]);
  // Where the window is already, the choice alone is a step.
  v.jumpChoosing({ begin: 400n, span: 200 });
  v.row = { host: 1, tid: 10 };
  v.back();
  assert.deepEqual([v.window.begin, v.row.tid], [400n, 9]);
  // By other numbers of hosts nobody knows what it was.
  v.jumpChoosing({ begin: 700n, span: 200 });
  v.renumber(new Map([[1, 0]]));
  v.back();
  assert.deepEqual([v.window.begin, v.row, came.length], [400n, { host: 0, tid: 9 }, 3]);
});

test("what is unfolded to be seen is folded again by the way back, with what was chosen then, and unfolded by the way on", () => {
  const v = new View();
  v.setBounds({ begin: 0n, end: 1000n });
  v.onChoice = (c) => ([v.row, v.did, v.message] = [c.row, c.did, c.message]);
  const now = () => [v.window.begin, v.row?.tid, [...v.collapsedHosts].join(), [...v.collapsedProcesses].join()];
  v.jump({ begin: 100n, span: 200 });
  v.row = { host: 0, tid: 7 };
  v.collapsedHosts = new Set([1, 2]);
  v.collapsedProcesses = new Set(["2.9"]);
  // The window goes there too: one step.
  v.jump({ begin: 400n, span: 200 });
  v.unfold([2], ["2.9"]);
  v.row = { host: 2, tid: 10 };
  assert.deepEqual(now(), [400n, 10, "1", ""]);
  v.back();
  assert.deepEqual(now(), [100n, 7, "1,2", "2.9"]);
  v.forward();
  assert.deepEqual(now(), [400n, 10, "1", ""]);
  // The window stays: a step of its own, and what is folded by hand meanwhile stays so by others.
  v.unfold([1], []);
  v.row = { host: 1, tid: 3 };
  v.jumpChoosing({ begin: 600n, span: 200 });
  v.collapsedHosts.add(0);
  v.back();
  assert.deepEqual(now(), [400n, 3, "0", ""]);
  v.back();
  assert.deepEqual(now(), [400n, 10, "1", ""]);
});

test("a chosen bundle stands in the address, with its last times, its threads and its connection", () => {
  const chosen = "0~7~2~8~90~95~-1~12~6.4000.80";
  const v = new View();
  v.load(`?message=${chosen}`);
  assert.deepEqual(v.message, { from: 0, to: 2, sent: 7n, received: 8n, many: { sentLast: 90n, receivedLast: 95n, fromTid: -1, toTid: 12, protocol: 6, fromPort: 4000, toPort: 80 } });
  assert.equal(decodeURIComponent(v.query()), `?message=${chosen}`);
  v.renumber(new Map([[2, 1]]));
  assert.equal(decodeURIComponent(v.query()), "?message=0~7~1~8~90~95~-1~12~6.4000.80");
  for (const end of ["sent", "received"]) {
    v.load(`?message=0~7~2~8~${end}`);
    assert.equal(decodeURIComponent(v.query()), `?message=0~7~2~8~${end}`);
  }
  v.load("?message=0~7~2~8~90");
  assert.equal(v.message, null);
  // With one of its messages it stands beside that, if it went the same way.
  v.load(`?message=0~17~2~18&bundle=${chosen}`);
  assert.deepEqual(v.message, { from: 0, to: 2, sent: 17n, received: 18n, among: { sent: 7n, received: 8n, many: { sentLast: 90n, receivedLast: 95n, fromTid: -1, toTid: 12, protocol: 6, fromPort: 4000, toPort: 80 } } });
  assert.equal(decodeURIComponent(v.query()), `?message=0~17~2~18&bundle=${chosen}`);
  v.renumber(new Map([[2, 1]]));
  assert.equal(decodeURIComponent(v.query()), "?message=0~17~1~18&bundle=0~7~1~8~90~95~-1~12~6.4000.80");
  for (const other of ["1~7~2~8~90~95~-1~12~6.4000.80", "0~7~2~8", "x"]) {
    v.load(`?message=0~17~2~18&bundle=${other}`);
    assert.equal(decodeURIComponent(v.query()), "?message=0~17~2~18");
  }
});

test("movements of the window are undone and done again, each as a whole", () => {
  const at = (n: number) => ({ window: { begin: BigInt(n), span: 10 }, whole: false });
  const trail = new Trail(({ window }) => ({ kept: { window, raw: false, host: "", local: 0n } }));
  assert.equal(trail.back(at(0)), null);
  trail.leave(at(0), 0);
  for (let i = 1; i < 50; i++) trail.leave(at(i), i * 100); // without a rest
  trail.leave(at(50), 10_000);
  assert.equal(trail.back(at(60))?.window.begin, 50n);
  assert.equal(trail.back(at(50))?.window.begin, 0n);
  assert.equal(trail.back(at(0)), null);
  trail.retell((sight) => ({ window: { ...sight.kept.window, begin: sight.kept.window.begin + 1000n }, sight })); // by another clock
  assert.equal(trail.forward(at(1000))?.window.begin, 1050n);
  assert.equal(trail.forward(at(1050))?.window.begin, 1060n);
  assert.equal(trail.forward(at(1060)), null);
  assert.equal(trail.back(at(1060))?.window.begin, 1050n);
  // A step that leads to where one is already is none.
  trail.leave(at(7), 20_000);
  trail.leave(at(8), 30_000);
  assert.equal(trail.back(at(8))?.window.begin, 7n);
  trail.leave(at(1050), 10_001); // right after a step: a movement of its own, and nothing is ahead any more
  assert.equal(trail.forward(at(5)), null);
  trail.rest();
  trail.leave(at(70), 10_002); // a jump, right behind that movement
  assert.equal(trail.back(at(80))?.window.begin, 70n);
  assert.equal(trail.back(at(70))?.window.begin, 1050n);
  for (let i = 0; i < 1000; i++) trail.leave(at(i), 20_000 + i * 1000);
  let steps = 0;
  while (trail.back(at(0))) steps++;
  assert.equal(steps, 200);
});

test("ranges are the same again after a reload, and what is no range is none", () => {
  const c = new Crumbs();
  const kept = { window: { begin: 7n, span: 1e6 }, raw: true, host: "web", local: -9n };
  c.list = [{ window: { begin: 1795226069841173990n, span: 4e9 }, kept: undefined }, { window: { begin: 1795226069941173990n, span: 1e6 }, kept }];
  const again = new Crumbs();
  again.restore(c.text);
  assert.deepEqual(again.list, c.list);
  // The window's span may have parts of a ns; the address of the page has it rounded, and the range is to be that window.
  const windows = () => again.list.map((r) => r.window);
  c.list = [{ window: { begin: 5n, span: 1234.5 }, kept: undefined }, { window: { begin: 6n, span: 100.25 }, kept: undefined }];
  again.restore(c.text);
  assert.deepEqual(windows(), [{ begin: 5n, span: 1235 }, { begin: 6n, span: 100 }]);
  again.restore('[["1","x"],["2",-3],7,null,["5",70,["6",70,true,"web"]]]');
  assert.deepEqual(again.list, [{ window: { begin: 5n, span: 70 }, kept: undefined }]);
  again.restore("{}");
  assert.deepEqual(again.list, []);
});

test("the ranges one zoomed through are kept as long as the window lies within", () => {
  const c = new Crumbs((window) => ({ window, raw: false, host: "", local: 0n }));
  const at = (begin: number, span: number) => ({ begin: BigInt(begin), span });
  const spans = () => c.shown.map((r) => r.window.span);
  const all = { begin: 0n, end: 1_000_000_000n };
  c.settle(at(0, 1e9), all);
  assert.deepEqual(spans(), []);
  c.settle(at(1e8, 1e8), all);
  c.settle(at(1.5e8, 2e7), all);
  c.settle(at(1.55e8, 1e7), all); // half as wide is the same place, closer
  assert.deepEqual(spans(), [1e8, 1e7]);
  c.settle(at(1.551e8, 1e5), all);
  assert.deepEqual(spans(), [1e8, 2e7, 1e5], "of what is hardly apart the widest stays");
  c.settle(at(1.8e8, 1e5), all); // moved out of the second
  assert.deepEqual(spans(), [1e8, 1e5]);
  c.retell((kept) => ({ window: { ...kept.window, begin: kept.window.begin + 7n }, kept }));
  assert.equal(c.list[0].window.begin, 100000007n);
  c.settle(at(1e8, 1e8), all);
  assert.deepEqual(spans(), [1e8], "back in the first there is nothing within it");
  c.settle(at(0, 1e9), all);
  assert.deepEqual(spans(), []);
  c.settle(at(1e8, 1e8), all);
  c.settle(at(-1e8, 1.2e9), all);
  assert.deepEqual(spans(), [], "wider than the set is not within it");
  c.settle(at(2e9, 2e9), all);
  assert.deepEqual(spans(), [2e9], "nor is what is as wide, and has nothing of it");
  c.settle(at(21e8, 1e7), all);
  assert.deepEqual(spans(), [2e9, 1e7], "a range that is wider than the set holds what lies beside it, too");
});

test("who zooms step by step finds where that began, and a range for each quarter of it", () => {
  const c = new Crumbs();
  const spans = () => c.shown.map((r) => Math.round(r.window.span));
  const all = { begin: 0n, end: 40_000n };
  const rest = (span: number) => c.settle({ begin: 20_000n, span }, all);
  for (let span = 10_600; span > 120; span /= 1.5) rest(span);
  assert.deepEqual(spans(), [10600, 2094, 123]);
  rest(414);
  assert.deepEqual(spans(), [10600, 2094, 414]);
  rest(3000);
  assert.deepEqual(spans(), [3000], "a range that the window nearly fills waits");
  rest(300);
  assert.deepEqual(spans(), [10600, 300]);
});

test("the address bar is told at once of what is done, and of what goes on and on now and then", () => {
  const clock = performance.now;
  const before = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const addresses: string[] = [];
  let [now, due, run] = [0, Infinity, () => {}];
  performance.now = () => now;
  Object.assign(globalThis, {
    history: { replaceState: (_: unknown, __: string, to: string) => addresses.push(to) }, location: { pathname: "/sets/1" },
    setTimeout: (f: () => void, ms: number) => ([due, run] = [now + ms, f], 1), clearTimeout: () => (due = Infinity),
  });
  const pass = (ms: number) => {
    for (const end = now + ms; now < end; now++) if (now >= due) (due = Infinity, run());
  };
  try {
    const v = new View();
    v.keep(); // as the page comes up
    assert.deepEqual(addresses, []);
    pass(300);
    assert.deepEqual(addresses.splice(0), ["/sets/1"]);
    // While an import runs the view is told of again and again, and nothing of it is in the address.
    for (let i = 0; i < 20; i++) (v.keep(), pass(100));
    assert.deepEqual(addresses, []);
    v.tab = "import";
    v.keep();
    assert.deepEqual(addresses.splice(0), ["?tab=import"]);
    v.filter = "a";
    v.keep(); // right after it
    assert.deepEqual(addresses, []);
    pass(300);
    assert.deepEqual(addresses.splice(0), ["?tab=import&filter=a"]);
    for (let i = 0; i < 400; i++) { // ten a second are too many for a browser
      v.filter += "a";
      v.keep();
      pass(10);
    }
    assert(addresses.length >= 3 && addresses.length <= 6, String(addresses.length));
    pass(300);
    assert.equal(addresses.at(-1), v.query());
    // Who leaves the page right after a key finds what that did.
    pass(300);
    for (v.filter of ["b", "c"]) v.keep();
    assert.deepEqual(addresses.splice(0).slice(-1), ["?tab=import&filter=b"]);
    v.entries.bar.leave();
    v.entries.bar.hide();
    assert.deepEqual(addresses.splice(0), [v.query()]);
    pass(2000);
    assert.deepEqual(addresses, []);
  } finally {
    Object.assign(globalThis, before);
    performance.now = clock;
  }
});

test("rows that were selected stay as long as the window", () => {
  const v = new View();
  v.load(`?begin=${B}&end=${B + 100n}&kept=2.205%2Cx%2C1.7`);
  v.stay({ host: 2, tid: 205 });
  assert.deepEqual(v.kept, [{ host: 1, tid: 7 }, { host: 2, tid: 205 }]);
  v.show(v.window);
  assert.equal(v.kept.length, 2);
  v.renumber(new Map([[1, null]]));
  assert.deepEqual(v.kept, [{ host: 2, tid: 205 }]);
  v.show({ begin: B, span: 50 });
  assert.deepEqual(v.kept, []);
  for (let tid = 0; tid < 20; tid++) v.stay({ host: 0, tid });
  assert.equal(v.kept.length, 16);
});
