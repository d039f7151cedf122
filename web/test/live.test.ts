import assert from "node:assert/strict";
import { test } from "node:test";
import { Live } from "../src/net/live.js";
import { VERSION } from "../src/net/wire.js";

const AGAIN = 4001;
const ERROR = 9; // the kind of a frame that refuses

// A socket of a server that the test plays.
class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen = () => {};
  onmessage: (e: { data: ArrayBuffer }) => void = () => {};
  onclose: (e: { code: number }) => void = () => {};
  constructor() {
    Socket.made.push(this);
  }
  send(words: string): void {
    this.sent.push(words);
  }
  close(): void {}
  open(): void {
    this.readyState = Socket.OPEN;
    this.onopen();
  }
  end(code: number): void {
    this.readyState = 3;
    this.onclose({ code });
  }
}

let waits: { ms: number; run: () => void }[] = [];
let now = 0;

// Runs a test with sockets and a clock that it plays itself.
function played(name: string, f: () => void | Promise<void>): void {
  test(name, async () => {
    const before = { WebSocket: globalThis.WebSocket, setTimeout: globalThis.setTimeout };
    const clock = performance.now;
    Socket.made = [];
    waits = [];
    now = 0;
    Object.assign(globalThis, { WebSocket: Socket, setTimeout: (run: () => void, ms: number) => waits.push({ ms, run }) });
    performance.now = () => now;
    try {
      await f();
    } finally {
      Object.assign(globalThis, before);
      performance.now = clock;
    }
  });
}

// The server asks to connect again; how long the page waits.
function ask(): number {
  const count = Socket.made.length;
  const socket = Socket.made[count - 1];
  socket.open();
  socket.end(AGAIN);
  if (Socket.made.length > count) return 0;
  const { ms, run } = waits.pop()!;
  run();
  assert.equal(Socket.made.length, count + 1);
  return ms;
}

// The frame of an answer that is empty: kind 7, "at", of a view and generation, with null as its body.
const answer = (view: number, gen: number): ArrayBuffer => frame(7, view, gen, "null");

function frame(kind: number, view: number, gen: number, body: string): ArrayBuffer {
  const words = new TextEncoder().encode(body);
  const out = new DataView(new ArrayBuffer(8 + words.length));
  out.setUint8(0, kind);
  out.setUint8(1, VERSION);
  out.setUint16(2, view, true);
  out.setUint32(4, gen, true);
  words.forEach((b, i) => out.setUint8(8 + i, b));
  return out.buffer;
}

// The frame that says that the server is there.
const alive = (view: number, gen: number): ArrayBuffer => new Uint8Array([14, VERSION, view, 0, gen & 255, gen >> 8, 0, 0]).buffer;

played("who is asked to connect again does so at once, and ever later when asked again and again", () => {
  const live = new Live("ws://server");
  live.connect();
  assert.deepEqual([ask(), ask(), ask(), ask()], [0, 50, 100, 200]);
  for (let i = 0; i < 6; i++) ask();
  assert.equal(ask(), 5000);
});

played("an answer, or a connection that lasted, makes it be at once again", () => {
  const live = new Live("ws://server");
  live.connect();
  const view = 3;
  let taken = 0;
  live.ask(view, { op: "at" }, () => taken++);
  ask();
  ask();
  const socket = Socket.made[Socket.made.length - 1];
  socket.open();
  const { gen } = JSON.parse(socket.sent[0]) as { gen: number };
  socket.onmessage({ data: answer(view, gen) });
  assert.equal(taken, 1);
  assert.equal(ask(), 0);
  assert.equal(ask(), 50);
  const long = Socket.made[Socket.made.length - 1];
  long.open();
  now = 6000;
  assert.equal(ask(), 100, "it opened just now");
  Socket.made[Socket.made.length - 1].open();
  now = 12000;
  const count = Socket.made.length;
  Socket.made[count - 1].end(AGAIN);
  assert.equal(Socket.made.length, count + 1);
});

played("who asked for rows by numbers that mean others now is told of no refusal, who asks anew is", () => {
  const live = new Live("ws://server");
  live.connect();
  const socket = Socket.made[Socket.made.length - 1];
  socket.open();
  const told: string[] = [];
  const refuse = (words: string) => {
    for (const { view, gen } of socket.sent.splice(0).map((x) => JSON.parse(x) as { view: number; gen: number })) socket.onmessage({ data: frame(ERROR, view, gen, JSON.stringify({ message: words })) });
  };
  const ask = (words: string) => {
    now += 1000;
    live.ask(3, { op: "states", rows: [390] }, () => told.push(`rows, ${words}`));
    live.ask(4, { op: "at", row: 390 }, () => told.push(`a row, ${words}`));
    live.ask(5, { op: "filter" }, () => told.push(`a filter, ${words}`));
  };
  ask("before");
  live.renumbered();
  refuse("There is no row 390.");
  assert.deepEqual(told.splice(0), ["a filter, before"]);
  ask("after");
  refuse("There is no row 390.");
  assert.deepEqual(told, ["rows, after", "a row, after", "a filter, after"]);
});

played("who gave up does not connect again after the wait", () => {
  const live = new Live("ws://server");
  live.connect();
  ask();
  const socket = Socket.made[Socket.made.length - 1];
  socket.open();
  socket.end(AGAIN);
  const count = Socket.made.length;
  live.stop();
  waits.pop()!.run();
  assert.equal(Socket.made.length, count);
});

// Lets time pass for the pulse of a page: it looks once a second.
function pass(seconds: number): void {
  for (let i = 0; i < seconds; i++) {
    now += 1000;
    const due = waits;
    waits = [];
    for (const w of due) w.run();
  }
}

played("what is drawn stays is said where something was told", () => {
  const live = new Live("ws://server");
  const told: string[] = [];
  live.onState = (_, words) => told.push(words);
  live.connect();
  Socket.made[0].end(1006);
  assert.equal(told.pop(), "No connection to the server. Trying again…");
  live.connect();
  Socket.made[1].open();
  Socket.made[1].onmessage({ data: answer(3, 1) });
  Socket.made[1].end(1006);
  assert.equal(told.pop(), "Connection lost; what is drawn stays. Trying again…");
});

const asks = (socket: Socket) => socket.sent.filter((words) => words.includes('"alive"')).length;

played("a connection over which nothing comes any more is found, said and made anew", () => {
  const live = new Live("ws://server");
  const told: string[] = [];
  live.onDoubt = (words) => told.push(words ? "doubt" : "heard");
  live.onState = (connected) => told.push(connected ? "connected" : "lost");
  live.connect();
  const socket = Socket.made[0];
  socket.open();
  live.ask(3, { op: "density" }, () => {});
  pass(4);
  assert.deepEqual([asks(socket), told.join(" ")], [0, "connected"]);
  pass(2);
  assert.deepEqual([asks(socket), told.join(" ")], [1, "connected"]);
  pass(5);
  assert.equal(told.join(" "), "connected doubt");
  const { gen } = JSON.parse(socket.sent[0]) as { gen: number };
  socket.onmessage({ data: answer(3, gen) });
  assert.equal(told.join(" "), "connected doubt heard");
  pass(28);
  assert.equal(asks(socket), 1, "nothing is waited for");
  pass(3);
  assert.equal(asks(socket), 2, "but it is looked after");
  pass(18);
  assert.equal(told.join(" "), "connected doubt heard doubt");
  pass(2);
  assert.equal(told.join(" "), "connected doubt heard doubt heard lost");
  pass(1);
  assert.equal(Socket.made.length, 2);
  const next = Socket.made[1];
  next.open();
  assert.equal(JSON.parse(next.sent[0]).view, 3, "what was asked is asked again");
  // Nothing came over the one before: this one is given twice as long.
  pass(40);
  assert.equal(Socket.made.length, 2);
  pass(10);
  assert.equal(Socket.made.length, 3);
  // One that does not come about at all is not waited for longer than that.
  pass(22);
  assert.equal(Socket.made.length, 4);
});

played("an answer that takes long is waited for as long as the server is there", () => {
  const live = new Live("ws://server");
  let lost = 0;
  live.onState = (connected) => (lost += Number(!connected));
  live.connect();
  const socket = Socket.made[0];
  socket.open();
  live.ask(3, { op: "filter" }, () => {});
  for (let i = 0; i < 60; i++) {
    pass(2);
    const last = JSON.parse(socket.sent[socket.sent.length - 1]) as { op: string; view: number; gen: number };
    if (last.op === "alive") socket.onmessage({ data: alive(last.view, last.gen) });
  }
  assert.deepEqual([lost, Socket.made.length], [0, 1]);
});

played("when the network is there again it is not waited any longer", () => {
  const live = new Live("ws://server");
  live.connect();
  Socket.made[0].open();
  live.hurry();
  assert.equal(asks(Socket.made[0]), 1);
  Socket.made[0].end(1006);
  live.hurry();
  assert.equal(Socket.made.length, 2);
});

played("what was asked about a moment and answered is not asked again by another connection", () => {
  const live = new Live("ws://server");
  live.connect();
  const socket = Socket.made[0];
  socket.open();
  let taken = 0;
  live.ask(3, { op: "at" }, () => taken++);
  live.ask(4, { op: "at" }, () => taken++);
  live.ask(5, { op: "states" }, () => taken++);
  pass(1);
  for (const words of socket.sent.slice(0, 3)) {
    const { view, gen } = JSON.parse(words) as { view: number; gen: number };
    if (view !== 4) socket.onmessage({ data: answer(view, gen) });
  }
  assert.equal(taken, 2);
  socket.end(AGAIN);
  const next = Socket.made[1];
  next.open();
  assert.deepEqual(next.sent.map((words) => (JSON.parse(words) as { view: number }).view), [4, 5]);
});

played("a connection that was opened before is gone on with, and what came over it told once whoever connects is done", async () => {
  const socket = new Socket();
  socket.open();
  const first = { socket: socket as unknown as WebSocket, came: ["one", "two"].map((message) => frame(ERROR, 0, 0, JSON.stringify({ message }))) };
  let claims = 0;
  const live = new Live("ws://server", () => (claims++ === 0 ? first : null));
  const told: string[] = [];
  live.onState = (connected) => told.push(connected ? "connected" : "lost");
  live.onError = (words) => told.push(words);
  live.ask(3, { op: "states" }, () => told.push("answered"));
  live.connect();
  assert.deepEqual([told, socket.sent], [[], []]);
  await Promise.resolve();
  assert.deepEqual(told.splice(0), ["connected", "one", "two"]);
  const { view, gen } = JSON.parse(socket.sent[0]) as { view: number; gen: number };
  socket.onmessage({ data: answer(view, gen) });
  socket.end(1006);
  assert.deepEqual(told, ["answered", "lost"]);
  waits.pop()!.run();
  assert.equal(Socket.made.length, 2, "the next one is its own");
});

played("one that is being opened is waited for as any other", async () => {
  const socket = new Socket();
  const live = new Live("ws://server", () => ({ socket: socket as unknown as WebSocket, came: [] }));
  let connected = 0;
  live.onState = () => connected++;
  live.connect();
  await Promise.resolve();
  assert.deepEqual([connected, Socket.made.length], [0, 1]);
  socket.open();
  assert.equal(connected, 1);
});

played("what is asked while nobody knows the numbers of rows waits until that is known, and is told by those", () => {
  const live = new Live("ws://server");
  live.numbers = { request: (r) => ("row" in r ? { ...r, row: (r.row as number) + 100 } : r), answer: (m) => m };
  live.onState = (connected) => connected && live.hold();
  live.connect();
  const socket = Socket.made[0];
  live.ask(3, { op: "at", row: 1 }, () => {});
  socket.open();
  live.ask(4, { op: "at", row: 2 }, () => {});
  assert.deepEqual(socket.sent, []);
  live.release();
  assert.deepEqual(socket.sent.map((x) => JSON.parse(x).row), [101, 102]);
  live.release();
  assert.equal(socket.sent.length, 2);
});
