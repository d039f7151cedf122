// The websocket of a set. It keeps the newest request of each view and sends them
// all again after a reconnection, so a lost connection costs nothing but time. A
// question about a moment is over with its answer: what was done then is not done again.
//
// A view's requests are sent at once, but no more than one in SPACING ms; of those
// that come faster the last one counts. Answers are acknowledged when they are on
// screen (drawn), which makes the rate of painting the rate of sending.
//
// A connection that is dead without having been closed is found by its pulse, and made anew.

import type { First } from "./first.js";
import { Pulse } from "./pulse.js";
import { VIEWS } from "./views.js";
import { decode, type Message } from "./wire.js";

const SPACING = 40;
const SLOWEST_RETRY = 5000;
const AGAIN = 4001; // the close code that asks to connect again at once: other things are to be seen of the set now
/** Asked to again before anything was answered, it waits so many ms, then twice as many, and so on. */
const AGAIN_PAUSE = 50;

export type Request = { readonly op: "states" | "messages" | "density" | "at" | "points" | "wakeups" | "ran" | "filter" | "measure" | "connections" } & Record<string, unknown>;

interface Slot {
  request: Request;
  gen: number;
  sentAt: number;
  timer: number;
  receive: (m: Message) => void;
  over: boolean; // it is answered, and not to be asked again
  former: boolean; // it was asked when numbers of rows meant others
}

export class Live {
  private socket: WebSocket | null = null;
  private readonly slots = new Map<number, Slot>();
  private readonly unacknowledged = new Map<number, { gen: number; seq: number }>();
  /** The views of which the newest request has no answer yet. */
  private readonly unanswered = new Set<number>();
  private retry = 250;
  private again = 0; // ms that the next wait takes where the server asks to connect again
  private waiting = 0; // the timer of the next connection, while there is none
  private stopped = false;
  private held = false; // nothing is asked until release
  private gen = 0;
  private readonly pulse = new Pulse({
    waits: () => this.unanswered.size > 0,
    ask: () => this.send({ op: "alive", view: VIEWS.alive, gen: ++this.gen }),
    doubt: (doubtful) => this.onDoubt(doubtful ? "The server does not answer; what is drawn may be old. Waiting…" : ""),
    silent: () => this.giveUp(),
  });
  /** Called with what no view asked for: set, report, clocks, rows. */
  onPush: (m: Message) => void = () => {};
  /** Called with each answer that waits for its acknowledgement: a frame is to be drawn. */
  onAnswer: () => void = () => {};
  /** Called when the connection comes and goes, with words for the status line. */
  onState: (connected: boolean, words: string) => void = () => {};
  /** Called when the server is not heard though it should be, with words for the status line, and with "" when it is heard again. */
  onDoubt: (words: string) => void = () => {};
  /** Called before it connects again because there is more to see; rows of the same threads keep their ids. */
  onAgain: () => void = () => {};
  /** What is asked in the numbers of rows that the server has, and what it answers in those of the page. */
  numbers: { request(r: Request): Request; answer(m: Message): Message } = { request: (r) => r, answer: (m) => m };
  /** Called with each frame that cannot be read and each refusal that no view takes. */
  onError: (sentence: string) => void = () => {};

  /** The server told something, so that there may be something drawn. */
  private told = false;

  /** claim gives the connection that was opened before this was there; null for none. */
  constructor(private readonly url: string, private readonly claim: () => First | null = () => null) {}

  connect(): void {
    const first = this.claim();
    const socket = first?.socket ?? new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.unanswered.clear();
    this.held = false;
    this.pulse.begin();
    let since = Infinity; // when it was opened
    const opened = () => {
      this.pulse.heard(false);
      this.retry = 250;
      since = performance.now();
      this.onState(true, "");
      this.transmitAll();
    };
    const take = (frame: ArrayBuffer) => {
      this.pulse.heard(true);
      this.told = true;
      this.receive(frame);
    };
    socket.onopen = opened;
    socket.onmessage = (e) => take(e.data as ArrayBuffer);
    socket.onclose = (e) => {
      this.pulse.end();
      this.unacknowledged.clear();
      if (this.stopped) return;
      if (e.code === AGAIN) {
        this.onAgain();
        if (performance.now() - since > SLOWEST_RETRY) this.again = 0;
        this.later(this.again);
        this.again = Math.min(Math.max(AGAIN_PAUSE, this.again * 2), SLOWEST_RETRY);
        return;
      }
      this.lost();
    };
    // What it has told already is told as all else is: once whoever connects has done so.
    if (first && socket.readyState === WebSocket.OPEN)
      queueMicrotask(() => {
        opened();
        first.came.forEach(take);
      });
  }

  private lost(): void {
    this.onState(false, this.told ? "Connection lost; what is drawn stays. Trying again…" : "No connection to the server. Trying again…");
    this.later(this.retry);
    this.retry = Math.min(this.retry * 2, SLOWEST_RETRY);
  }

  // Nothing is heard of the server: the browser may take minutes to close what it does not know to be dead.
  private giveUp(): void {
    this.hangUp();
    this.lost();
  }

  private later(ms: number): void {
    if (ms === 0) return this.connect();
    this.waiting = setTimeout(() => {
      this.waiting = 0;
      if (!this.stopped) this.connect();
    }, ms);
  }

  /** The network may be there again, or another one: it is not waited any longer to find out. */
  hurry(): void {
    if (!this.waiting) return this.pulse.now();
    clearTimeout(this.waiting);
    this.waiting = 0;
    if (!this.stopped) this.connect();
  }

  /** Gives up until it is told to resume: the set is gone. */
  stop(): void {
    this.stopped = true;
    this.pulse.end();
    clearTimeout(this.waiting);
    this.waiting = 0;
    this.hangUp();
  }

  private hangUp(): void {
    const socket = this.socket!;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.unacknowledged.clear();
  }

  /** The set is there again. */
  resume(): void {
    this.stopped = false;
    this.connect();
  }

  /**
   * Asks for a view; a later request of the same view replaces it. receive gets every
   * answer, also one of kind error, which leaves on screen what is there.
   */
  ask(view: number, request: Request, receive: (m: Message) => void): void {
    const old = this.slots.get(view);
    const slot: Slot = { request, gen: ++this.gen, sentAt: old?.sentAt ?? 0, timer: old?.timer ?? 0, receive, over: false, former: false };
    this.slots.set(view, slot);
    if (slot.timer) return;
    const wait = slot.sentAt + SPACING - performance.now();
    if (wait <= 0) this.transmit(view, slot);
    else
      slot.timer = setTimeout(() => {
        const newest = this.slots.get(view);
        if (!newest) return;
        newest.timer = 0;
        this.transmit(view, newest);
      }, wait);
  }

  /** The view is no longer wanted. */
  drop(view: number): void {
    const slot = this.slots.get(view);
    if (!slot) return;
    clearTimeout(slot.timer);
    this.slots.delete(view);
    this.unanswered.delete(view);
    this.unacknowledged.delete(view);
    this.send({ op: "close", view });
  }

  /** Numbers of rows mean others than before: of what was asked by those of before no refusal is told. Whoever has it on screen asks anew. */
  renumbered(): void {
    for (const slot of this.slots.values()) slot.former = "row" in slot.request || "rows" in slot.request;
  }

  /** It is not known yet by which numbers the server has the rows: what is asked waits for release. */
  hold(): void {
    this.held = true;
  }

  /** What waits is asked now. */
  release(): void {
    if (!this.held) return;
    this.held = false;
    this.transmitAll();
  }

  private transmitAll(): void {
    for (const [view, slot] of this.slots) if (!slot.over) this.transmit(view, slot);
  }

  /** What was received is on screen: let the server go on. */
  drawn(): void {
    for (const [view, a] of this.unacknowledged) this.send({ op: "ack", view, gen: a.gen, seq: a.seq });
    this.unacknowledged.clear();
  }

  private transmit(view: number, slot: Slot): void {
    if (this.held) return;
    slot.sentAt = performance.now();
    this.unanswered.add(view);
    this.send({ ...this.numbers.request(slot.request), view, gen: slot.gen });
  }

  private send(request: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  private receive(frame: ArrayBuffer): void {
    let m: Message;
    try {
      m = this.numbers.answer(decode(frame));
    } catch (e) {
      this.onError(`A message of the server could not be read: ${(e as Error).message}.`);
      return;
    }
    const slot = m.view === 0 ? undefined : this.slots.get(m.view);
    if (slot && m.kind !== "error") this.again = 0;
    if (slot && slot.gen === m.gen) {
      this.unanswered.delete(m.view);
      slot.over = slot.request.op === "at";
      if (m.kind !== "error" || !slot.former) slot.receive(m);
    } else if (m.kind === "error" && m.view === 0) this.onError(m.body.message); // of what is not asked any more none is told
    else if (m.view === 0) this.onPush(m);
    if ("seq" in m) {
      this.unacknowledged.set(m.view, { gen: m.gen, seq: m.seq });
      this.onAnswer();
    }
  }
}

