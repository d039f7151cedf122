// Messages, one after the other and from end to end: a click on one, or a key, leads to the thread at its
// other end, and what that did there.

import { HOST, threadName } from "../model/rows.js";
import type { Choice } from "../model/trail.js";
import type { Bundle, Chosen } from "../model/chosen.js";
import { group } from "../time/number.js";
import { near, type Ns } from "../time/time.js";
import { around, endOf, same, type Window } from "../time/window.js";
import type { Communication } from "./communication.js";
import { standAt, standWords, stepIn, type Stand } from "./eachof.js";
import { endOf as endOfMessage, stretchOf, type End, type MessageEnd, type Picked } from "./picked.js";
import type { Context } from "./controlflow.js";
import { soughtBy } from "./sought.js";
import { manyWords } from "./words.js";

const NO_VERSION = -1;

export class Follow {
  private picked: Picked | null = null;
  private end: End = "from";
  private arrived: Picked | null = null; // the message whose end was gone to last
  private wished: 1 | -1 | 0 = 0; // a step that waits for the messages
  private seeking: Picked | null = null; // the message whose place in the bundle of the address is looked for
  private stand: Stand | null = null; // among the messages of a bundle, while one of them is picked
  private among: Bundle | null = null; // that bundle, while one of its messages is picked, as soon as the address says so
  private stood: Stand | null = null; // where one stood by other times, until the message is found by those of now
  private shown: Window | null = null; // where the bundle's messages are drawn one by one
  private version = 0; // of the clock map by which what is picked was told last
  private standBy = 0; // and of that by which the messages of the bundle were
  private readonly own = new WeakMap<Picked, Chosen>(); // what no clock map changes of a message, once it was told by the clocks of its times
  /** Another message is picked, or none; end is where one stands. */
  onPick: (m: Picked | null, end: End) => void = () => {};
  /** A key led to what is picked. */
  onReach: () => void = () => {};
  /** What is picked is told by other clocks. */
  onRenew: (m: Picked, end: End) => void = () => {};
  /** What a row did at a time is wanted. */
  onArrive: (row: number, at: Ns) => void = () => {};
  /** The message that ended the selected state; null where none is known. */
  ended: () => Picked | null = () => null;
  /** When the selected state began; null where none is selected. */
  began: () => Ns | null = () => null;
  /** A key chose a message, or an end of it. */
  onKey: () => void = () => {};
  /** There is no message to go to, and why. */
  onNone: (words: string) => void = () => {};
  /** What else is to be said of what is picked, as long as that holds. */
  onPart: (words: string) => void = () => {};

  constructor(private readonly c: Context, private readonly talk: Communication) {
    const tab = "timeline";
    const one = () => !!this.picked && !this.picked.bundle;
    const many = () => !!this.picked?.bundle;
    const by = (act: () => void) => () => {
      this.onKey();
      act();
    };
    c.commands.add(
      { group: "Select", words: "Choose the next message; first the one that the selected thread waited for", keys: ["m"], tab, run: by(() => this.step(1)) },
      { group: "Select", words: "Choose the message before", keys: ["Shift+m"], tab, run: by(() => this.step(-1)) },
      { group: "Select", words: "Follow the message to its other end", keys: ["t"], tab, possible: one, needs: "This key leads to the other end of a message: choose one first.", run: by(() => this.cross()) },
      { group: "Select", words: "Go to the next bundle of messages in view", keys: ["n"], tab, run: by(() => this.stepBundle(1)) },
      { group: "Select", words: "Go to the bundle of messages before", keys: ["Shift+n"], tab, run: by(() => this.stepBundle(-1)) },
      { group: "Select", words: "Zoom in until each message of the bundle is an arrow of its own", also: "single open unbundle", keys: ["i"], tab, possible: many, needs: "This key leads to the messages of a bundle: choose one first.", run: () => this.single() },
    );
  }

  /** A message was clicked near one of its ends: it leads to the other. */
  click(m: Picked | null, nearer: End): void {
    if (m && !m.bundle) this.bring(nearer === "from" ? m.received : m.sent);
    this.pick(m, nearer);
    this.cross();
  }

  /** A message is picked, or none; the address has it. */
  pick(m: Picked | null, end: End = "from", among: Bundle | null = null): void {
    this.wished = 0;
    this.stood = null;
    this.show(m, end);
    if (m && !m.bundle) this.among ??= among;
    this.address(m);
    if (!m) return;
    this.nameThreads(m);
    this.findStand(m);
  }

  /** A message that came with the address; one stands at the end that this says, or that the selected row is of. */
  again(m: Picked): void {
    const among = this.c.view.message?.among ?? null;
    const { wished } = this;
    this.standAgain(m);
    this.pick(m, this.c.view.message?.at ?? this.endOfSelected(m), among);
    if (!wished) return;
    this.onNone("");
    this.step(wished);
  }

  // Where one stands in the bundle that the picked message was chosen out of, once all messages of that are there.
  private findStand(m: Picked): void {
    const { message } = this.c.view;
    const sought = this.among && !this.stand && message ? soughtBy({ ...message, ...this.among }, this.c) : null;
    if (!sought) return;
    const { version } = this;
    this.seeking = m;
    this.talk.finding.eachOf(sought, (all) => {
      if (this.seeking === m) this.seeking = null;
      const stand = this.picked === m && this.version === version ? standAt(all, m) : null;
      if (!stand) return;
      this.standIn(stand);
      this.onPart(standWords(stand));
      if (!this.wished) return;
      this.onNone("");
      this.step(this.wished);
    });
  }

  // The messages of a bundle are told by the clocks in force.
  private standIn(stand: Stand): void {
    this.standBy = this.version;
    for (const m of stand.all) this.chosen(m);
    this.stand = stand;
  }

  // The other messages of the bundle are still told by the times of before, whatever the clock map is.
  private standAgain(m: Picked): void {
    const { stood } = this;
    const [was, now] = [stood && this.chosen(stood.all[stood.at]), this.chosen(m)];
    if (!stood || !was || !now || was.from !== now.from || was.to !== now.to || !near(was.sent, now.sent) || !near(was.received, now.received)) return;
    this.own.set(m, was);
    this.stand = { all: stood.all.with(stood.at, m), at: stood.at };
    this.standBy = NO_VERSION;
  }

  /** Another row is selected, which no longer tells at which end of what is picked one stands, or does now. */
  stay(): void {
    if (this.picked) this.address(this.picked);
  }

  // The address has what is picked, and where one stands.
  private address(m: Picked | null): void {
    const one = m && this.chosen(m);
    const at = one && !one.many && this.end !== this.endOfSelected(m) ? { at: this.end } : {};
    this.c.view.message = one && { ...one, ...at, ...(this.among ? { among: this.among } : {}) };
    this.c.view.keep();
  }

  // The end of a message that the selected row is of; where it was sent if it is of neither.
  private endOfSelected(m: Picked): End {
    const { rows, view } = this.c;
    const id = view.row && (view.row.tid < 0 ? rows.hostRow(view.row.host) : rows.find(view.row.host, view.row.tid));
    return id === m.to ? "to" : "from";
  }

  // Where many messages are drawn, one that stands by itself among the bundles is told with its hosts alone.
  private nameThreads(m: Picked): void {
    const { rows, view } = this.c;
    const ofHost = (id: number) => rows.get(id)?.kind === HOST;
    const sought = !m.bundle && (ofHost(m.from) || ofHost(m.to)) && view.message ? soughtBy(view.message, this.c) : null;
    if (!sought) return;
    this.talk.finding.withThreads(sought, (found) => {
      if (this.picked !== m || (found.from === m.from && found.to === m.to)) return;
      const arrived = this.arrived === m;
      this.pick(found, this.end, this.among);
      if (arrived) this.arrive(found);
    });
  }

  /** Rows have other ids: what is picked is to be found anew by what the address has. */
  forget(): void {
    this.stood = null;
    this.show(null, "from");
  }

  /** Times are others: what is picked is to be found by them, and with it where one stands in a bundle. */
  retime(): void {
    const stood = this.stand ?? this.stood;
    this.forget();
    this.stood = stood;
  }

  /** Another clock map: what is picked is told by it, and stays picked as it was where it is not found by that yet. */
  clocksChanged(): void {
    const version = this.c.set.clocks?.version ?? 0;
    if (version === this.version) return;
    this.version = version;
    this.renew();
  }

  private renew(): void {
    const [was, { message }] = [this.picked, this.c.view];
    const m = was && message && soughtBy(message, this.c);
    if (!m) return;
    const own = this.chosen(was);
    this.talk.finding.renew(m, (now) => {
      if (this.picked !== was) return;
      if (own) this.own.set(now, own);
      const { stand } = this;
      if (stand?.all[stand.at] === was) this.stand = { all: stand.all.with(stand.at, now), at: stand.at };
      if (this.arrived === was) this.arrived = now;
      this.picked = now;
      this.onRenew(now, this.end);
      if (this.stand) this.onPart(standWords(this.stand));
      else this.findStand(now);
    });
  }

  /** The message of the address is not found yet. */
  get missing(): boolean {
    return !this.picked && this.c.view.message !== null;
  }

  // What no clock map changes of a message, or of several: other clocks than those of its times would make it another.
  private chosen(m: Picked): Chosen | null {
    const { rows } = this.c;
    const known = this.own.get(m) ?? this.toOwn(m);
    const [from, to] = [rows.get(m.from)?.host, rows.get(m.to)?.host];
    if (!known || from === undefined || to === undefined) return null;
    this.own.set(m, known);
    return { ...known, from, to }; // hosts may have other numbers meanwhile
  }

  private toOwn(m: Picked): Chosen | null {
    const { rows, set, view } = this.c;
    const [from, to] = [rows.get(m.from)?.host, rows.get(m.to)?.host];
    if (from === undefined || to === undefined) return null;
    const local = (host: number, at: Ns) => (view.raw ? at : set.toLocal(host, at));
    const [sent, received] = [local(from, m.ends?.sentFirst ?? m.sent), local(to, m.ends?.receivedFirst ?? m.received)];
    if (sent === null || received === null) return null;
    if (!m.ends) return { from, to, sent, received };
    const [sentLast, receivedLast] = [local(from, m.ends.sentLast), local(to, m.ends.receivedLast)];
    if (sentLast === null || receivedLast === null) return null;
    const tid = (id: number) => (rows.get(id)!.kind === HOST ? -1 : rows.get(id)!.tid);
    const { protocol, fromPort, toPort } = m;
    return { from, to, sent, received, many: { sentLast, receivedLast, fromTid: tid(m.from), toTid: tid(m.to), protocol, fromPort, toPort } };
  }

  private show(m: Picked | null, end: End): void {
    if (this.stand && this.stand.all[this.stand.at] !== m) this.stand = null;
    if (!this.stand) this.among = null;
    this.shown = null;
    this.picked = m;
    this.end = end;
    this.talk.pick(m);
    this.onPick(m, end);
    if (this.stand) this.onPart(standWords(this.stand));
  }

  /** The end of the picked message where one stands; null for none, and for those of a bundle. */
  get stands(): MessageEnd | null {
    return this.picked && endOfMessage(this.picked, this.end);
  }

  /** Where that is, or, of a bundle, where the first of its messages was sent; null for none. */
  get begins(): { readonly row: number; readonly t: Ns } | null {
    const m = this.picked;
    return m?.ends ? { row: m.from, t: m.ends.sentFirst } : this.stands;
  }

  /** From the first of the picked message's ends to the last, or, of a bundle, of those of its messages; null where none is picked. */
  get stretch(): { begin: Ns; end: Ns } | null {
    return this.picked && stretchOf(this.picked);
  }

  /** To the other end of the picked message. The messages of a bundle have many. */
  cross(): void {
    const m = this.picked;
    if (!m || m.bundle) return;
    this.end = this.end === "from" ? "to" : "from";
    this.onPick(m, this.end);
    if (this.stand) this.onPart(standWords(this.stand));
    this.arrive(m);
  }

  private arrive(m: Picked): void {
    this.arrived = m;
    this.onArrive(this.end === "from" ? m.from : m.to, this.end === "from" ? m.sent : m.received);
    if (this.picked === m) this.address(m);
  }

  /** The messages were drawn. */
  drawn(): void {
    if (this.shown && !same(this.shown, this.c.view.window)) {
      this.shown = null;
      this.onPart("");
    }
    if (this.wished === 0 || this.pending || !this.talk.known) return;
    this.onNone("");
    this.step(this.wished);
  }

  // A step of now waits until the message of the address is found, and its place in the bundle: whoever does not wait steps once more.
  private get pending(): boolean {
    return this.missing || (this.seeking !== null && this.seeking === this.picked);
  }

  private step(by: 1 | -1): void {
    if (this.pending && this.wished === 0) {
      this.wished = by;
      return this.onNone("The message that was chosen is still looked for: this key goes on from there.");
    }
    this.wished = this.talk.known ? 0 : by;
    const m = this.picked;
    if (by > 0 && m?.bundle && !this.wished) return this.talk.finding.each((all) => this.picked === m && (all.length > 0 ? this.go({ all, at: 0 }) : this.leave(by)));
    const next = this.stand && stepIn(this.stand, by);
    if (next) this.go(next);
    else this.leave(by);
  }

  // To a message of the bundle.
  private go(to: Stand): void {
    if (!this.stand) {
      const bundle = this.picked && this.chosen(this.picked);
      this.among = bundle?.many ? { sent: bundle.sent, received: bundle.received, many: bundle.many } : null;
      this.standIn(to);
    }
    const m = this.standBy === this.version ? to.all[to.at] : this.timed(to.all[to.at]);
    this.stand = { all: to.all.with(to.at, m), at: to.at };
    this.goTo(m);
    if (this.standBy !== this.version) this.renew();
  }

  // A message that was told by other clocks, at the times that those in force give it.
  private timed(m: Picked): Picked {
    const own = this.chosen(m);
    const now = own && soughtBy(own, this.c);
    if (!now) return m;
    const timed = { ...m, sent: now.sent, received: now.received, first: { ...m.first, sent: now.sent } };
    this.own.set(timed, own);
    return timed;
  }

  // To a message whatever bundle it is of.
  private leave(by: 1 | -1): void {
    const next = this.talk.stepping.next(by, this.picked ? null : this.ended(), this.began());
    if (!next) return this.onNone(this.noneWords(by));
    this.goTo(next);
  }

  // The window first: what is left for it has what was picked there.
  private goTo(m: Picked): void {
    this.bring(m.sent);
    this.reach(m);
  }

  // A key leads to what is told of the message, and to both its ends.
  private reach(m: Picked): void {
    this.pick(m);
    this.talk.reveal();
    this.onReach();
  }

  private stepBundle(by: 1 | -1): void {
    const next = this.talk.stepping.nextBundle(by);
    if (next) return this.reach(next);
    const beyond = this.talk.stepping.bundled && this.picked ? (by > 0 ? "later " : "earlier ") : "";
    this.onNone(this.talk.known ? `No ${beyond}bundle of messages is in view.` : "The messages are being read: their bundles are there soon.");
  }

  /** To where the messages of the picked bundle, which stays picked, are drawn one by one. */
  single(): void {
    const m = this.picked;
    this.talk.finding.single(({ window, count }) => {
      if (this.picked !== m || !m) return;
      this.c.view.jump(window);
      this.shown = this.c.view.window;
      const words = singleWords(count, m);
      this.onNone(words);
      this.onPart(words);
    });
  }

  private noneWords(by: 1 | -1): string {
    if (!this.talk.known) return "The messages are being read: one is chosen when they are there.";
    const m = this.picked;
    if (m && !m.bundle && this.talk.stepping.bundledBeyond(m.sent, by)) return `The ${by > 0 ? "later" : "earlier"} messages in view are bundled: zoom in to choose one.`;
    if (m && !m.bundle) return by > 0 ? "No later message is known here: move the window on." : "No earlier message is known here: move the window back.";
    return this.talk.stepping.bundled ? "The messages in view are bundled: zoom in to choose one." : "No message is in view.";
  }

  /** Moves the window where a time is not in it. With what is left for it that is a step, even where the window stays, and back from it that is chosen again. */
  bring(at: Ns, left: Choice | null = null): void {
    const { view } = this.c;
    const w = view.window;
    const to = at < w.begin || at >= endOf(w) ? around(at, w.span) : w;
    if (left) view.jumpChoosing(to, left);
    else if (to !== w) view.jump(to);
  }
}

// What one sees where so many of the messages of a bundle are drawn one by one.
function singleWords(count: number, m: Picked): string {
  if (count === 0) return "Too many of these messages were sent and received at the same moment to be drawn one by one.";
  return count < m.count ? `The first ${group(count)} of ${manyWords(m)}, one by one: M chooses the first. The others are farther on: M pressed again and again gets there.` : `All ${manyWords(m)}, one by one: M chooses the first.`;
}

/** The words on the way to the other end. */
export function crossWords(c: Context, m: Picked, end: End): string {
  const row = c.rows.get(end === "from" ? m.to : m.from);
  const name = row?.kind === HOST ? row.name : row ? threadName(row) : "";
  return `Go to where it was ${end === "from" ? "received" : "sent"}${name && `: ${name}`}`;
}
