// An upload: a set, its archives piece by piece, then the import. A piece that does not arrive is sent again from where
// the server stands, for as long as the page is open; an upload that was stopped, or whose page was closed, goes on
// later with the same files.

import { bytes, percent } from "../time/number.js";
import { add, fill, h, text } from "../ui/dom.js";
import { createFrom, createSet, deleteSet, putPiece, readSet, Refusal, removeSet, startImport, stoppedError, type SetStatus } from "./api.js";
import { claim, Claimed } from "./claim.js";
import { forget, knownOf, remember, type Remembered } from "./memory.js";
import { leftWords, Pace } from "./pace.js";
import { cutTo, type Parcel } from "./parcel.js";
import { turns } from "./turns.js";

const PIECE = 8 << 20;
const LONGEST = 15; // s between two tries
/** The stages: their names, and how it is said of a set that it is in one. */
const STEPS = [{ name: "Upload", what: "Uploading", of: "being uploaded" }, { name: "Unpack", what: "Unpacking", of: "being unpacked" }, { name: "Read", what: "Reading", of: "being read" }] as const;
const CONFLICTS = 8; // times in a row that the server stood elsewhere

/** The name a set gets from its files: "web", or "web and 2 more". The server gives a whole set from elsewhere the one it had there, if this is all it got. */
export function nameOf(files: readonly { name: string }[]): string {
  const stem = files[0].name.replace(/\.(zip|t?(ar\.)?(gz|xz|zst)|tgz|txz|tar)$/i, "").replace(/\.tar$/i, "").replace(/(.)\.synchroscope$/i, "$1") || files[0].name;
  return files.length === 1 ? stem : `${cutTo(stem, 180)} and ${files.length - 1} more`;
}

class FileLine {
  readonly el = h("div", { class: "file" });
  pace = new Pace();
  sent = 0;
  private readonly inner = h("i");
  private readonly bar = h("span", { class: "bar", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100 }, this.inner);
  private readonly words = h("span", { class: "t" });
  private readonly fault = h("p", { class: "fault", role: "alert", hidden: true });

  constructor(public parcel: Parcel) {
    this.bar.setAttribute("aria-label", parcel.name);
    add(this.el, h("span", { class: "name", title: parcel.name }, parcel.name), this.bar, this.words, this.fault);
    this.show(0);
  }

  get size(): number {
    return this.parcel.blob.size;
  }

  show(sent: number, note = ""): void {
    this.sent = sent;
    const share = this.size ? sent / this.size : 1;
    const rate = sent < this.size ? this.pace.rate(performance.now()) : 0;
    this.inner.style.width = `${(share * 100).toFixed(2)}%`;
    this.bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    text(this.words, [sent < this.size ? `${bytes(sent)} of ${bytes(this.size)}` : bytes(this.size), percent(share), note || (rate > 0 ? `${bytes(rate)}/s` : "")].filter(Boolean).join(" · "));
  }

  say(sentence: string): void {
    text(this.fault, sentence);
    this.fault.hidden = !sentence;
  }
}

/** What an upload asks of the page that it is on. */
export interface Around {
  /** There is something else to say of it; done when the list of sets says that. */
  changed: () => Promise<void>;
  /** Its card is gone, which had the focus, or had not. */
  closed: (focused: boolean) => void;
  /** Whether others are on their way, which would break off if this page were left. */
  others: () => boolean;
  /** Its set can be opened, from the list. */
  listed: (name: string) => void;
  /** It goes on, or goes on no more: what its card says. */
  said: (words: string) => void;
  /** Its set was deleted meanwhile; the list has the way back. */
  deleted: (name: string) => void;
}

/** An upload with its card. */
export class Upload {
  id: string; // of its set, "" before that is made
  /** It is under way, up to the end of the page, or of its card, once its import has begun. */
  runs = false;
  /** The server has all of it, and reads it. */
  begun = false;
  /** While its set is being made: done, whether or not it was, when that is answered. */
  making: Promise<void> | null = null;
  /** What has arrived is of use: the same files go on with it. */
  goesOn = true;
  private readonly lines: FileLine[];
  private readonly stage = h("p", { class: "stage" });
  private readonly sum = h("span", { class: "t" });
  private readonly steps = h("ol", { class: "steps", "aria-label": "Stages" }, ...STEPS.map((x) => h("li", {}, x.name)));
  private readonly fault = h("p", { class: "fault", role: "alert", hidden: true });
  private readonly buttons = h("p", { class: "buttons" });
  private readonly card: HTMLElement;
  private readonly pace = new Pace();
  /** Ends its wait for a turn, from when it asks for one to when it has it. */
  private waits: AbortController | null = null;
  name: string;
  /** What is done now, as the list of sets says it of the set. */
  doing: string = STEPS[0].of;

  /** resumed is the set that is gone on with, null for a new one; from is the set that a new one is made of, null for none. */
  constructor(parcels: readonly Parcel[], box: HTMLElement, resumed: SetStatus | null, private readonly around: Around, private readonly from: { id: string; name: string } | null = null) {
    this.lines = parcels.map((p) => new FileLine(p));
    this.id = resumed?.id ?? "";
    this.name = resumed?.name ?? from?.name ?? nameOf(parcels);
    this.card = h("div", { class: "upload", role: "group", tabindex: -1 }, h("div", { class: "line" }, this.stage, this.steps, this.sum), ...this.lines.map((l) => l.el), this.fault, this.buttons);
    this.call({ id: this.id, name: this.name });
    box.append(this.card);
  }

  // Its set, and what that is called.
  private call({ id, name }: { id: string; name: string }): void {
    [this.id, this.name] = [id, name];
    this.card.setAttribute("aria-label", `Upload of ${name}`);
  }

  /** The archives it is of. */
  get known(): Remembered[] {
    return knownOf(this.lines.map((l) => l.parcel), this.from?.id);
  }

  /** Goes on with archives that were chosen once more: the same ones, where they are now. */
  again(parcels: readonly Parcel[]): Promise<void> {
    for (const l of this.lines) l.parcel = parcels.find((p) => p.name === l.parcel.name) ?? l.parcel;
    return this.run();
  }

  /** Its set is no more: whoever sends is told by the server, who waits for a turn is told here. */
  lost(): void {
    this.waits?.abort();
  }

  /** Shows how much of it the server has: what a browser says to be sent may not have left the machine. */
  arrived(set: SetStatus): void {
    for (const l of this.lines) l.show(Math.min(sentTo(set, l.parcel)?.received ?? 0, l.size));
  }

  /** Brings the focus to its card. */
  show(): void {
    this.card.focus();
  }

  async run(): Promise<void> {
    if (this.runs) return;
    const stopping = new AbortController();
    let current: FileLine | null = null;
    let release = () => {};
    this.runs = true;
    this.rest();
    this.say("");
    for (const l of this.lines) l.say("");
    this.step(0);
    if (this.id) this.tell(`Going on with ${this.name}`);
    this.offer(stopButton(stopping));
    try {
      if (!this.id) {
        const made = (this.from ? createFrom(this.from.id) : createSet(this.name)).then((set) => this.call(set));
        this.making = made.catch(() => {});
        await made.finally(() => (this.making = null));
        this.step(0);
      }
      release = await claim(this.id);
      remember(this.id, this.known);
      void this.around.changed();
      const set = await this.reach(() => readSet(this.id), stopping);
      this.arrived(set);
      for (current of this.lines) {
        const begun = refuseAnother(current.parcel, sentTo(set, current.parcel));
        if (current.sent < current.size || !begun) await this.send(current, stopping.signal);
      }
      current = null;
      if (await this.open(stopping)) return; // it is the page's own to its end: the list may hold it for unfinished still
      await this.list();
      release();
      this.runs = false;
      return;
    } catch (e) {
      this.failed(e, current, stopping.signal.aborted);
    }
    release();
    this.runs = false;
    void this.around.changed();
  }

  // Asks until there is an answer: what has arrived at a server that is away for a while is not lost.
  private async reach<T>(ask: () => Promise<T>, stopping: AbortController): Promise<T> {
    for (let tries = 0; ; ) {
      try {
        const answer = await ask();
        if (tries > 0) text(this.sum, "");
        return answer;
      } catch (e) {
        if (stopping.signal.aborted || !(e instanceof Refusal && e.away)) throw e;
        text(this.sum, `${e.message} Trying again…`);
        this.offer(stopButton(stopping));
        await pause(++tries, stopping.signal);
      }
    }
  }

  // Sends what is left of an archive.
  private async send(line: FileLine, signal: AbortSignal): Promise<void> {
    let at = line.sent;
    let tries = 0;
    let conflicts = 0;
    do {
      const to = Math.min(line.size, at + PIECE);
      try {
        await this.put(line, at, to, signal);
        at = to;
        tries = conflicts = 0;
        this.moved(line, at);
      } catch (e) {
        if (signal.aborted || !(e instanceof Refusal) || !(e.retry || (e.status === 409 && ++conflicts <= CONFLICTS))) throw e;
        if (e.away && !(await readable(line.parcel.blob.slice(at, to)))) throw new Error(`${line.parcel.name} was changed or moved since it was chosen. Drop it once more; if it is another file now, it becomes a new set.`);
        this.rest();
        line.show(at, `${e.status === 409 ? "The server is asked where it stands." : e.message} Trying again…`);
        text(this.sum, "");
        await pause(++tries, signal);
        const set = await readSet(this.id).catch((e: unknown) => {
          if (e instanceof Refusal && !e.retry) throw e; // the set is gone
          return null;
        });
        const known = set && refuseAnother(line.parcel, sentTo(set, line.parcel));
        if (known && known.received !== at) conflicts = 0;
        if (known) at = Math.min(known.received, line.size);
        else if (set) at = 0;
        line.show(at);
      }
    } while (at < line.size);
  }

  // Sends a piece, when it is its turn.
  private async put(line: FileLine, at: number, to: number, signal: AbortSignal): Promise<void> {
    if (turns.all) {
      this.rest();
      line.show(at, "waits for other uploads");
      text(this.sum, "");
    }
    const lost = (this.waits = new AbortController());
    const end = await turns.take(AbortSignal.any([signal, lost.signal])).catch((e: unknown) => {
      throw lost.signal.aborted ? new Refusal("Its set was deleted.", 404) : e;
    });
    this.waits = null;
    try {
      await putPiece(this.id, line.parcel.name, line.parcel.blob, at, to, signal, (sent) => this.moved(line, at + Math.min(sent, to - at)));
    } finally {
      end();
    }
  }

  // Where nothing is sent, no rate is told of it afterwards.
  private rest(): void {
    for (const p of [this.pace, ...this.lines.map((l) => l.pace)]) p.rest();
  }

  private moved(line: FileLine, sent: number): void {
    const now = performance.now();
    line.pace.add(now, sent);
    line.show(sent);
    const [done, all] = [this.lines.reduce((n, l) => n + l.sent, 0), this.lines.reduce((n, l) => n + l.size, 0)];
    this.pace.add(now, done);
    const rate = this.pace.rate(now);
    const left = rate > 0 ? leftWords((all - done) / rate) : "";
    text(this.sum, [this.lines.length > 1 ? `${bytes(done)} of ${bytes(all)} in all` : "", left].filter(Boolean).join(" · "));
  }

  // The import answers once it is known whether there is anything to import; until then the archives are unpacked. It tells
  // whether the page is left for the set: not where others would break off.
  private async open(stopping: AbortController): Promise<boolean> {
    this.step(1);
    let open = true;
    const watch = async () => {
      while (open) {
        const status = await readSet(this.id).catch(() => null);
        const unpack = status?.stages?.find((s) => s.name === "unpack");
        if (open && unpack && unpack.total > 0) text(this.sum, [`${bytes(unpack.done)} of ${bytes(unpack.total)}`, unpack.rate > 0 ? `${bytes(unpack.rate)}/s` : "", leftWords(unpack.left_s)].filter(Boolean).join(" · "));
        await new Promise((r) => setTimeout(r, 400));
      }
    };
    void watch();
    try {
      await this.reach(() => {
        this.offer(); // what is begun cannot be stopped
        return startImport(this.id);
      }, stopping);
    } finally {
      open = false;
    }
    forget(this.id);
    this.begun = true;
    this.step(2);
    if (this.around.others()) return false;
    location.assign(`/sets/${encodeURIComponent(this.id)}`);
    return true;
  }

  // It has done what is its own; its line in the list says the rest, and leads to the set.
  private async list(): Promise<void> {
    await this.around.changed();
    this.around.listed(this.name);
    this.close();
  }

  // One stage at a time is said, here and in the list of sets.
  private step(n: number): void {
    this.doing = STEPS[n].of;
    text(this.stage, `${STEPS[n].what} ${this.name}`);
    text(this.sum, "");
    void this.around.changed();
    [...this.steps.children].forEach((li, i) => {
      li.className = i < n ? "done" : "";
      if (i === n) li.setAttribute("aria-current", "step");
      else li.removeAttribute("aria-current");
    });
  }

  // What the card has for its heading, and those hear who do not see it.
  private tell(words: string): void {
    text(this.stage, words);
    this.around.said(words);
  }

  private say(sentence: string): void {
    text(this.fault, sentence);
    this.fault.hidden = !sentence;
  }

  // What can be pressed now; who had pressed, or was about to, has the first of it, or the card where there is none.
  private offer(...children: (Node | string)[]): void {
    const held = this.buttons.contains(document.activeElement) || this.card === document.activeElement;
    fill(this.buttons, ...children);
    if (held) (this.buttons.querySelector("button") ?? this.card).focus();
  }

  /** Takes the card off the page, and what arrived off the server where nothing can be used of it. */
  async dismiss(): Promise<void> {
    this.close();
    if (!this.goesOn && this.id) {
      forget(this.id);
      await deleteSet(this.id).then(() => removeSet(this.id)).catch(() => {});
    }
    void this.around.changed();
  }

  /** Takes the card off the page. */
  close(): void {
    const focused = this.card.contains(document.activeElement);
    this.card.remove();
    this.around.closed(focused);
  }

  private failed(e: unknown, line: FileLine | null, stopped: boolean): void {
    if (this.id && e instanceof Refusal && e.status === 404) {
      this.around.deleted(this.name);
      this.close();
      void this.around.changed();
      return;
    }
    text(this.sum, "");
    for (const l of this.lines) {
      l.pace = new Pace();
      l.show(l.sent);
    }
    this.goesOn = stopped || line !== null || e instanceof Claimed || (e instanceof Refusal && e.away);
    const again = h("button", { type: "button", class: "primary", onclick: () => void this.run() }, "Go on");
    const dismiss = h("button", { type: "button", onclick: () => void this.dismiss() }, "Dismiss");
    if (stopped) {
      this.tell(`${this.name} is stopped`);
      this.offer(again, " ", dismiss, h("span", { class: "minor" }, " What has arrived is kept for a day. Choose the same files later and the upload goes on."));
    } else {
      const sentence = e instanceof Error ? e.message : String(e);
      this.tell(e instanceof Claimed ? `${this.name} is stopped here` : `${this.name} was not imported`);
      if (line) line.say(sentence);
      else this.say(sentence);
      this.offer(...(this.goesOn ? [again, " "] : []), dismiss);
    }
    void this.around.changed();
  }
}

// What a set has of a file that was sent to it, or is being sent: those that it was made with are not these, though one may have the same name.
const sentTo = (set: SetStatus, { name }: Parcel) => (set.files ?? []).find((f) => !f.given && f.name === name);

// The same, where it is of the same file: of another nothing would be sent to its end. How large one is may not have been announced.
function refuseAnother<F extends { readonly size: number }>({ name, blob }: Parcel, sent: F | undefined): F | undefined {
  if (sent && sent.size >= 0 && sent.size !== blob.size) throw new Error(`The set has another ${name}, of ${bytes(sent.size)}. Give this one another name and drop it once more.`);
  return sent;
}

// Whether a file can be read: one that was changed or moved since it was chosen cannot, and is told by nothing else apart from a server that is away.
async function readable(part: Blob): Promise<boolean> {
  return part.arrayBuffer().then(() => true, () => false);
}

function stopButton(stopping: AbortController): HTMLElement {
  return h("button", { type: "button", onclick: () => stopping.abort() }, "Stop");
}

// Waits before another try, the longer the more there were.
function pause(tries: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const timer = setTimeout(done, Math.min(LONGEST, 0.25 * 2 ** tries) * 1000);
    signal.addEventListener("abort", () => (clearTimeout(timer), failed(stoppedError())));
  });
}
