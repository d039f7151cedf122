import assert from "node:assert/strict";
import { test } from "node:test";
import type { Live } from "../src/net/live.js";
import { STATES, type Message, type StatesAnswer } from "../src/net/wire.js";
import { StateTiles, type Sight } from "../src/timeline/tiles.js";

interface Question { begin: bigint; end: bigint; columns: number; rows: number[]; view: number }

// A server that answers when it is told to, each row by one state throughout.
class Server {
  asked: Question[] = [];
  private readonly waiting = new Map<number, { q: Question; receive: (m: Message) => void }>();
  version = 1;
  complete = true;
  weight = 0; // bytes of an answer, at least
  knows = (row: number) => row >= 0; // rows that are in answers
  private gen = 0;
  readonly live = {
    ask: (view: number, r: { begin: string; end: string; columns: number; rows: number[] }, receive: (m: Message) => void) => {
      const q = { begin: BigInt(r.begin), end: BigInt(r.end), columns: r.columns, rows: r.rows, view };
      this.asked.push(q);
      this.waiting.set(view, { q, receive });
    },
    drop: (view: number) => this.waiting.delete(view),
    onError: () => {},
  } as unknown as Live;

  /** Answers what a view waits for; false if it waits for nothing. */
  answer(view: number): boolean {
    const w = this.waiting.get(view);
    if (!w) return false;
    this.waiting.delete(view);
    const rows = w.q.rows.filter(this.knows);
    const n = rows.length;
    w.receive({
      kind: "states", view, gen: ++this.gen, seq: 1, begin: w.q.begin, end: w.q.end, columns: w.q.columns, complete: this.complete,
      rows: Uint32Array.from(rows), rowRuns: Uint32Array.from({ length: n + 1 }, (_, i) => i), rowMixes: new Uint32Array(n),
      runEnd: new Uint16Array(new ArrayBuffer(Math.max(2 * n, this.weight)), 0, n).fill(w.q.columns), runLabel: new Uint16Array(n), runState: new Uint8Array(n).fill(1 % STATES), mixes: new Uint8Array(0), labels: [],
      clocks: { version: this.version, spans: new BigInt64Array(0) },
    } satisfies StatesAnswer);
    return true;
  }
}

const URGENT = 1;
const AHEAD = 30;

function sight(begin: number, span: number, first = 0, last = 10): Sight {
  return {
    window: { begin: BigInt(begin), span }, bounds: { begin: 0n, end: 1n << 40n }, pixels: 1000, time: "reference", version: 1, settled: false, first, last, list: [],
    rows: (from, to) => Array.from({ length: Math.max(0, Math.min(500, to) - Math.max(0, from)) }, (_, i) => Math.max(0, from) + i),
  };
}

const pause = () => new Promise((done) => setTimeout(done, 60));

// Fetches ahead until nothing more is wanted.
async function settle(server: Server, tiles: StateTiles, s: Sight): Promise<void> {
  tiles.request(s);
  for (let quiet = 0, answered = 0; quiet < 2; ) {
    assert(answered < 40, "what is fetched ahead ends");
    if (server.answer(URGENT) || server.answer(AHEAD)) [quiet, answered] = [0, answered + 1];
    else {
      await pause();
      tiles.request(s);
      quiet++;
    }
  }
}

test("what is on screen comes first and alone; what is around it is there before it is looked at", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const s = sight(2 ** 38, 2 ** 30);
  assert(tiles.parts(0, s).blank);
  await settle(server, tiles, s);
  const here = tiles.parts(3, s);
  assert(!here.blank && !here.coarse);
  const asked = server.asked.length;
  for (const [begin, rows] of [[2 ** 38 - 2 ** 30, 0], [2 ** 38 + 2 ** 29, 0], [2 ** 38, 5]] as const) {
    const beside = sight(begin, 2 ** 30, rows, rows + 10);
    assert(!tiles.parts(rows + 3, beside).coarse, `a screen beside at ${begin} is there`);
  }
  const q = server.asked.at(-1)!;
  assert(q.rows.length <= 100 && q.columns <= 8192);
  tiles.request(s);
  await pause();
  assert.equal(server.asked.length, asked, "at rest nothing more is asked for");
});

test("no part of a row is blank anywhere in the set, however far the window jumps", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  await settle(server, tiles, sight(2 ** 38, 2 ** 20));
  for (const [begin, span] of [[0, 2 ** 40], [5, 1000], [2 ** 40 - 2 ** 30, 2 ** 30], [2 ** 39, 2 ** 35]]) {
    const p = tiles.parts(7, sight(begin, span));
    assert(!p.blank, `blank at ${begin} + ${span}`);
    const covered = p.pieces.reduce((n, x) => n + x.to - x.from, 0);
    assert(Math.abs(covered - span) < 1e-6 * span, `parts of ${covered} in a window of ${span}`);
  }
  assert(tiles.parts(200, sight(0, 1000, 200, 210)).blank, "a row far away was never fetched");
});

test("many rows are fetched ahead in pieces, each once", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  await settle(server, tiles, sight(2 ** 38, 2 ** 30, 100, 193));
  await settle(server, tiles, sight(2 ** 38 + 2 ** 28, 2 ** 30, 100, 193));
  const asked = server.asked.map((q) => [q.begin, q.columns, q.rows[0], q.rows.length].join());
  assert.equal(new Set(asked).size, asked.length, "nothing is asked for twice");
  assert(!tiles.parts(70, sight(2 ** 38, 2 ** 30)).coarse, "rows above are there too");
});

test("a window that moved on replaces its question, and asks only for what it lacks", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  await settle(server, tiles, sight(2 ** 38, 2 ** 30));
  server.asked = [];
  const span = 2 ** 30;
  tiles.request(sight(2 ** 38 + 3 * span, span));
  tiles.request(sight(2 ** 38 + 8 * span, span));
  assert.deepEqual(server.asked.map((q) => q.view), [URGENT, URGENT]);
  assert(server.answer(URGENT));
  assert(!tiles.parts(1, sight(2 ** 38 + 8 * span, span)).coarse);
  server.asked = [];
  tiles.request(sight(2 ** 38 + 8.5 * span, span));
  const [q] = server.asked;
  assert(q.begin >= BigInt(2 ** 38 + Math.round(8.9 * span)), "the half that is there is not asked for again");
});

test("while the import runs there is one subscription, and other clocks are asked for anew", async () => {
  const server = new Server();
  server.complete = false;
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const s = sight(2 ** 38, 2 ** 30);
  tiles.request(s);
  server.answer(URGENT);
  tiles.request(s);
  await pause();
  assert.deepEqual(server.asked.map((q) => q.view).sort(), [URGENT, AHEAD]);
  const far = sight(2 ** 39, 2 ** 20);
  assert(tiles.parts(0, far).blank);
  server.answer(AHEAD);
  for (let k = 0; k < 10; k++) {
    tiles.request(sight(2 ** 37 + k * 2 ** 34, 2 ** 28)); // many jumps
    server.answer(URGENT);
    assert(!tiles.parts(0, far).blank, "a jump has the whole set to show, coarsely");
  }
  server.complete = true;
  tiles.request(sight(2 ** 38, 2 ** 28));
  server.answer(URGENT);
  await settle(server, tiles, s);
  assert(!tiles.parts(0, s).coarse);
  const newer = { ...s, version: 2 };
  assert(tiles.parts(0, newer).coarse && !tiles.parts(0, newer).blank, "what was drawn by older clocks is stretched until the new is there");
  server.version = 2;
  await settle(server, tiles, newer);
  assert(!tiles.parts(0, newer).coarse);
});

test("by new clocks what is drawn sharp stays so until it is there sharp again, though the whole set is there before", () => {
  const server = new Server();
  server.complete = false;
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const s = sight(2 ** 38, 2 ** 30);
  tiles.request(s);
  assert(server.answer(URGENT));
  server.version = 2;
  assert(server.answer(AHEAD), "the whole set by new clocks");
  const newer = { ...s, version: 2 };
  assert.deepEqual(tiles.parts(3, newer).pieces.map((p) => [p.answer.clocks.version, p.answer.end - p.answer.begin < 2n ** 33n]), [[1, true]]);
  tiles.renew();
  tiles.request(newer);
  assert(server.answer(URGENT));
  assert.deepEqual(tiles.parts(3, newer).pieces.map((p) => p.answer.clocks.version), [2]);
});

test("the store is bounded", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  for (let k = 0; k < 700; k++) await settleUrgent(server, tiles, sight(k * 2 ** 32, 2 ** 30));
  const held = (tiles as unknown as { store: { bytes: number }[] }).store;
  assert(held.length <= 512, `${held.length} answers are kept`);
});

async function settleUrgent(server: Server, tiles: StateTiles, s: Sight): Promise<void> {
  tiles.request(s);
  server.answer(URGENT);
}

const many = (first: number, list: readonly unknown[]): Sight => ({
  ...sight(2 ** 38, 2 ** 30, first, first + 10), list,
  rows: (from, to) => Array.from({ length: Math.max(0, Math.min(list.length, to) - Math.max(0, from)) }, (_, i) => Math.max(0, from) + i),
});

test("of more rows than can be kept as many as can are fetched, and no more", async () => {
  const server = new Server();
  server.weight = 2 << 20;
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const list = Array.from({ length: 60000 });
  await settle(server, tiles, many(0, list));
  const asked = server.asked.length;
  await settle(server, tiles, many(0, list));
  assert.equal(server.asked.length, asked);
  assert(!tiles.parts(4000, many(3995, list)).blank);
});

test("of very many rows none is blank once all have come coarsely, and another list asks for what it has more", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const list = Array.from({ length: 5000 });
  await settle(server, tiles, many(0, list));
  for (const row of [700, 2047, 2048, 4999]) {
    const there = tiles.parts(row, many(row - 9, list));
    assert.deepEqual([row, there.blank, there.coarse], [row, false, true]);
  }
  const longer = Array.from({ length: 5100 });
  assert(tiles.parts(5050, many(5045, longer)).blank);
  await settle(server, tiles, many(0, longer));
  assert(!tiles.parts(5050, many(5045, longer)).blank);
});

test("what a first look showed of a row stays until there is an answer about that row", () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const s = sight(0, 1e6, 0, 4);
  server.complete = false;
  tiles.request(s);
  server.answer(URGENT);
  assert(!tiles.parts(1, s).blank);
  tiles.giveWay();
  server.knows = (row) => row !== 1 && row !== 2;
  const drawn = tiles.parts(1, s).pieces[0].answer;
  for (let i = 0; i < 8; i++) {
    tiles.renew();
    tiles.request(s);
    server.answer(URGENT);
    assert.equal(tiles.parts(1, s).pieces[0]?.answer, drawn, "the first look is drawn still");
    assert(tiles.parts(0, s).pieces[0].answer !== drawn, "what is known anew is drawn");
  }
  server.knows = (row) => row !== 2;
  tiles.renew();
  tiles.request(s);
  server.answer(URGENT);
  assert(tiles.parts(1, s).pieces[0].answer !== drawn);
  assert.equal(tiles.parts(2, s).pieces[0].answer, drawn);
  server.complete = true;
  tiles.renew();
  tiles.request(s);
  server.answer(URGENT);
  assert(tiles.parts(2, s).pieces.every((p) => p.answer !== drawn), "nothing of it is left when all is known");
});

test("a window that ends in the midst of a ns is sharp to its end", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  // The last whole ns of it is the last of a tile.
  const s: Sight = { ...sight(2 ** 38 + 128 - 61, 61.3), settled: true };
  await settle(server, tiles, { ...sight(2 ** 38, 2 ** 12), settled: true });
  await settle(server, tiles, s);
  const { pieces, blank, coarse } = tiles.parts(3, s);
  assert(!blank && !coarse);
  assert(Math.max(...pieces.map((p) => p.to)) >= s.window.span, `drawn to ${pieces.map((p) => p.to).join()} of ${s.window.span} ns`);
});

test("of a set that is read to its end the rows on screen come first, coarsely and then sharp, and nothing is subscribed to", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const s: Sight = { ...sight(2 ** 38, 2 ** 30, 100, 193), settled: true };
  tiles.request(s);
  const onScreen = Array.from({ length: 93 }, (_, i) => 100 + i);
  assert.deepEqual(server.asked.map((q) => [q.view, q.rows]), [[URGENT, onScreen]], "one question, for what is on screen");
  server.answer(URGENT);
  assert(!tiles.parts(150, s).blank && tiles.parts(150, s).coarse, "stretched until the right level lands");
  assert.deepEqual(server.asked.map((q) => [q.view, q.rows]), [[URGENT, onScreen], [URGENT, onScreen]]);
  const [first, second] = server.asked.map((q) => Number(q.end - q.begin) / q.columns);
  assert(first >= 4 * second, `columns of ${first} ns first, then of ${second}`);
  server.answer(URGENT);
  assert(!tiles.parts(150, s).coarse);
  await pause();
  assert(server.asked.slice(2).every((q) => q.view === AHEAD), "the rest is fetched ahead");
});

test("an answer that may change turns a set that was thought to be read to its end into a subscription", () => {
  const server = new Server();
  server.complete = false;
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const s: Sight = { ...sight(2 ** 38, 2 ** 30), settled: true };
  tiles.request(s);
  server.answer(URGENT);
  tiles.request(s);
  assert(server.asked.some((q) => q.view === URGENT && q.begin <= s.window.begin && q.end >= s.window.begin + BigInt(s.window.span) && q.columns > 1000), "a subscription of three screens");
});

test("an answer by clocks of another reference that came before those clocks is not moved with the others", async () => {
  const server = new Server();
  const tiles = new StateTiles(server.live, URGENT, AHEAD);
  const s = sight(2 ** 38, 2 ** 30);
  server.complete = false;
  tiles.request(s);
  server.answer(URGENT);
  // The last answer of an import, by clocks that the page has not heard of, is about a place that has another name now.
  [server.complete, server.version] = [true, 2];
  tiles.renew();
  tiles.request(s);
  server.answer(URGENT);
  const by = 2 ** 36;
  tiles.retime(BigInt(by), 2);
  const there = { ...sight(2 ** 38 + by, 2 ** 30), version: 2, settled: true };
  tiles.request(there);
  assert(server.answer(URGENT), "what is on screen under the new clocks is asked for");
  const here = tiles.parts(3, there);
  assert(!here.blank && !here.coarse);
  const drawn = here.pieces.map((p) => p.answer);
  assert(drawn.every((a) => a.clocks.version === 2 && a.begin >= BigInt(2 ** 38 + by) - BigInt(2 ** 32)), "it is drawn by an answer about it");
});
