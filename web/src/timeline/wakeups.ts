// Who woke whom: on demand, arrows over the control flow from the thread that woke to the one that slept: all those of the
// selected thread, wherever the other row is, and of others those that woke rows on screen. A short arrow has its other end at a
// thread that is not listed.

import type { Palette } from "../draw/palette.js";
import { HOST, PROCESS, THREAD } from "../model/rows.js";
import { Settled } from "../model/settled.js";
import type { WakeupsAnswer } from "../net/wire.js";
import { VIEWS } from "../net/views.js";
import { counted, group } from "../time/number.js";
import { endOf } from "../time/window.js";
import { attribute, h, hide, text } from "../ui/dom.js";
import type { Context, ControlFlow } from "./controlflow.js";

const SETTLE = 150;
/** Wake-ups asked for at most; of rows with more those that change most often are left out. */
const LIMIT = 3000;
/** Wake-ups of the same two rows within so many pixels are one arrow. */
const CELL = 3;
const HEAD = 5;
const STUB = 9;

/** The looks of arrows in words. */
const LOOKS = "Thick, in the colour of what is selected: to or from the selected thread. Thin and dark: between others. A short one: from above by a thread that is not listed, upwards to one.";
/** Which of them there are. */
const WHICH = "Of the selected thread all wake-ups in the window, by it and of it; of others those where the row that was woken is in sight.";

interface Arrow {
  readonly stub: boolean; // from or to no row
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
  readonly strong: boolean;
}

export class Wakeups {
  readonly button = h("button", { type: "button", class: "toggle", "aria-pressed": "false", title: `Arrows from the thread that woke to the one that slept (U). ${WHICH} ${LOOKS}`, onclick: () => this.toggle() }, "who woke whom");
  private readonly first = h("span");
  private readonly unit = h("span", { class: "unit" });
  private readonly whose = h("span");
  private readonly sight = h("span", { class: "unit" });
  private readonly left = h("span");
  readonly words = h("small", { class: "wokenwords", role: "status" }, this.first, this.unit, this.whose, this.sight, this.left);
  /** What the looks of arrows mean, while there are any. */
  readonly key = h("small", { class: "wakekey", hidden: true, title: LOOKS }, h("span", {}, h("i", { class: "strong" }), "of the selected thread"), h("span", {}, h("i"), "other"), h("span", {}, h("i", { class: "stub" }), "one not listed"));
  private readonly inSight: Asked;
  private readonly ofSelected: Asked;

  constructor(private readonly c: Context, private readonly flow: ControlFlow) {
    c.commands.add({ group: "Rows", words: "Show or hide who woke whom", also: "wake-up wakeups arrows waker", keys: ["u"], tab: "timeline", run: () => this.toggle() });
    this.inSight = new Asked(c, VIEWS.wakeups, () => ({ rows: flow.onScreen() }));
    this.ofSelected = new Asked(c, VIEWS.wakeupsOf, () => ({ rows: [], row: this.selected() ?? undefined }));
    flow.pane.moved.on(() => this.request());
  }

  private toggle(): void {
    const { view } = this.c;
    view.wakes = !view.wakes;
    view.emit();
    this.request();
    this.c.schedule();
  }

  private selected(): number | null {
    const id = this.flow.pane.selected;
    const kind = id === null ? undefined : this.c.rows.get(id)?.kind;
    return kind === PROCESS || kind === THREAD ? id : null;
  }

  reset(): void {
    this.inSight.reset();
    this.ofSelected.reset();
  }

  retime(by: bigint): void {
    this.inSight.retime(by);
    this.ofSelected.retime(by);
  }

  /** Not on screen now: the server need not answer anew. */
  pause(): void {
    this.inSight.pause();
    this.ofSelected.pause();
  }

  /** Asks where the rows on screen, the window or the time are others, once they have settled. */
  request(): void {
    const { view } = this.c;
    attribute(this.button, "aria-pressed", String(view.wakes));
    if (!view.wakes) {
      this.inSight.forget();
      this.ofSelected.forget();
      this.say("");
      hide(this.key, true);
      return;
    }
    if (view.empty || view.tab !== "timeline") return;
    this.inSight.request(this.flow.onScreen().join());
    const selected = this.selected();
    if (selected === null) this.ofSelected.forget();
    else this.ofSelected.request(String(selected));
  }

  /** Draws over the control flow, which is drawn already. */
  draw(palette: Palette): void {
    const { pane } = this.flow;
    const s = pane.surface;
    const { view } = this.c;
    const selected = this.selected();
    const own = this.ofSelected.about === String(selected) ? this.ofSelected.answer : null;
    const others = this.inSight.answer;
    if (!(own || others) || !view.wakes || s.width === 0 || pane.held) return;
    // Of the selected thread the one answer has all, so the other need tell of others alone.
    const isOwn = (a: WakeupsAnswer, i: number) => selected !== null && (a.woken[i] === selected || a.waker[i] === selected);
    const arrows = [own, others].flatMap((a) => (a ? this.place(a, s.width, (i) => a === own || !own || !isOwn(a, i), (i) => isOwn(a, i)) : []));
    this.tell(own, others, (i) => !others || !own || !isOwn(others, i));
    this.explain(arrows);
    const g = s.g;
    g.save();
    g.setTransform(s.ratio, 0, 0, s.ratio, 0, 0);
    const pinned = pane.pinned();
    g.beginPath();
    g.rect(0, pinned ? pinned.top + pane.rowHeight : 0, s.width, s.height);
    g.clip();
    for (const strong of [false, true]) {
      g.strokeStyle = g.fillStyle = strong ? palette.css.accent : palette.css.ink;
      g.lineWidth = strong ? 2 : 1;
      g.globalAlpha = strong ? 1 : 0.75;
      for (const arrow of arrows) if (arrow.strong === strong) drawArrow(g, arrow);
    }
    g.restore();
  }

  // Of what is not drawn no look is told.
  private explain(arrows: readonly Arrow[]): void {
    hide(this.key, arrows.length === 0);
    const drawn = [arrows.some((x) => x.strong), arrows.some((x) => !x.strong), arrows.some((x) => x.stub)];
    [...this.key.children].forEach((part, i) => hide(part as HTMLElement, !drawn[i]));
  }

  private place(a: WakeupsAnswer, width: number, wanted: (i: number) => boolean, isOwn: (i: number) => boolean): Arrow[] {
    const { view } = this.c;
    const { pane } = this.flow;
    const base = Number(a.base - view.window.begin);
    const out: Arrow[] = [];
    const taken = new Set<string>();
    for (let i = 0; i < a.count; i++) {
      const x = ((base + a.at[i]) / view.window.span) * width;
      if (x < 0 || x > width || !wanted(i)) continue;
      const woken = pane.indexOf(a.woken[i]);
      const waker = this.c.rows.get(a.waker[i])?.kind === HOST ? undefined : pane.indexOf(a.waker[i]);
      const key = `${Math.round(x / CELL)} ${waker} ${woken}`;
      if (taken.has(key) || (woken === undefined && waker === undefined)) continue;
      taken.add(key);
      const middle = (k: number) => pane.topOf(k) + pane.rowHeight / 2;
      if (woken === undefined) {
        const y0 = middle(waker!) - 4;
        out.push({ stub: true, x, y0, y1: y0 - STUB, strong: isOwn(i) });
        continue;
      }
      const y1 = middle(woken);
      const from = waker === undefined ? y1 - STUB : middle(waker);
      // The head ends at the bar of the row, not in it.
      const to = y1 - Math.sign(y1 - from) * 4;
      out.push({ stub: waker === undefined, x, y0: waker === undefined ? to - STUB : from, y1: to, strong: isOwn(i) });
    }
    return out;
  }

  private tell(own: WakeupsAnswer | null, others: WakeupsAnswer | null, isOther: (i: number) => boolean): void {
    const n = this.count(others, isOther);
    const left = [own, others].map((a) => a?.leftOut ?? 0);
    const out = left[1] || left[0];
    const busy = out > 0 ? `; ${counted(out, "busy row")} left out: zoom in` : "";
    if (this.unrecorded) this.say("no", "", "", ": not recorded");
    else if (own) this.say((left[0] > 0 ? "at least " : "") + group(this.count(own, () => true)), ` of the selected${others ? `, ${group(n)} of others` : ""}`, others ? " in sight" : "", busy);
    else this.say(group(n), "", " in sight", busy);
    const notSeen = left[0] > 0 ? ` On its host ${counted(left[0], "row")} that sleep and wake too often here were not searched for those that it woke.` : "";
    this.words.title = `${this.words.textContent}. ${this.unrecorded ? "The tab Import has the command that records them." : `${WHICH}${notSeen}`}`;
  }

  // Where no host recorded any, none is known, which is another thing than that there was none.
  private get unrecorded(): boolean {
    return this.c.set.hosts.every((x) => x.missing?.some((m) => m.view === "wake-ups"));
  }

  private say(first: string, whose = "", sight = "", left = ""): void {
    text(this.first, first);
    text(this.unit, /^1( |$)/.test(first) ? " wake-up" : " wake-ups");
    text(this.whose, whose);
    text(this.sight, sight);
    text(this.left, left);
    hide(this.words, first === "");
  }

  // How many of an answer are in the window now.
  private count(a: WakeupsAnswer | null, wanted: (i: number) => boolean): number {
    if (!a) return 0;
    const { window } = this.c.view;
    const [from, to] = [Number(window.begin - a.base), Number(endOf(window) - a.base)];
    let n = 0;
    for (let i = 0; i < a.count; i++) if (a.at[i] >= from && a.at[i] < to && wanted(i)) n++;
    return n;
  }
}

function drawArrow(g: CanvasRenderingContext2D, { x, y0, y1 }: Arrow): void {
  const down = y1 > y0 ? 1 : -1;
  g.beginPath();
  g.moveTo(Math.round(x) + 0.5, y0);
  g.lineTo(Math.round(x) + 0.5, y1);
  g.stroke();
  g.beginPath();
  g.moveTo(x + 0.5, y1);
  g.lineTo(x + 0.5 - HEAD * 0.6, y1 - down * HEAD);
  g.lineTo(x + 0.5 + HEAD * 0.6, y1 - down * HEAD);
  g.fill();
}

// A question that is asked anew where the window, the time or what it is about are others, once they have settled.
class Asked {
  answer: WakeupsAnswer | null = null;
  /** What the answer is about. */
  about = "";
  private asked = "";
  private readonly settled = new Settled(SETTLE, () => this.ask(this.wanted));
  private wanted = ""; // what is asked about then

  constructor(private readonly c: Context, private readonly number: number, private readonly parts: () => Record<string, unknown>) {}

  reset(): void {
    this.answer = null;
    this.asked = "";
  }

  retime(by: bigint): void {
    if (this.answer) this.answer.base += by;
    this.asked = "";
  }

  pause(): void {
    this.settled.end();
    this.asked = "";
    this.c.live.drop(this.number);
  }

  forget(): void {
    this.pause();
    this.answer = null;
  }

  request(about: string): void {
    const { view } = this.c;
    const key = [view.window.begin, view.window.span, view.time, about].join();
    if (key === this.asked) return;
    this.asked = key;
    this.wanted = about;
    this.settled.begin();
  }

  private ask(about: string): void {
    const { view, live } = this.c;
    const { time, window } = view;
    live.ask(this.number, { op: "wakeups", begin: String(window.begin), end: String(endOf(window)), time, limit: LIMIT, ...this.parts() }, (m) => {
      if (m.kind === "error") live.onError(m.body.message);
      if (m.kind !== "wakeups" || time !== view.time || !view.wakes) return;
      this.answer = m;
      this.about = about;
      this.c.schedule();
    });
  }
}
