// Who woke whom: on demand, arrows over the control flow from the thread that woke to the one that slept, for
// the rows on screen. A short arrow comes from a thread that is not listed.

import type { Palette } from "../draw/palette.js";
import { HOST } from "../model/rows.js";
import type { WakeupsAnswer } from "../net/wire.js";
import { VIEWS } from "../net/views.js";
import { counted } from "../time/number.js";
import { endOf } from "../time/window.js";
import { h, text } from "../ui/dom.js";
import type { Context, ControlFlow } from "./controlflow.js";

const SETTLE = 150;
/** Wake-ups asked for at most; of rows with more those that change most often are left out. */
const LIMIT = 3000;
/** Wake-ups of the same two rows within so many pixels are one arrow. */
const CELL = 3;
const HEAD = 5;
const STUB = 9;

/** The looks of arrows in words. */
const LOOKS = "Thick, in the colour of what is selected: to or from the selected thread. Thin and dark: between others. A short one from above: by a thread that is not listed.";

interface Arrow {
  readonly stub: boolean; // from no row
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
  readonly strong: boolean;
}

export class Wakeups {
  readonly button = h("button", { type: "button", class: "toggle", "aria-pressed": "false", title: `Arrows from the thread that woke to the one that slept (U). ${LOOKS}`, onclick: () => this.toggle() }, "who woke whom");
  readonly words = h("small", { class: "wokenwords", role: "status" });
  /** What the looks of arrows mean, while there are any. */
  readonly key = h("small", { class: "wakekey", hidden: true, title: LOOKS }, h("span", {}, h("i", { class: "strong" }), "of the selected thread"), h("span", {}, h("i"), "other"), h("span", {}, h("i", { class: "stub" }), "waker not listed"));
  private answer: WakeupsAnswer | null = null;
  private asked = "";
  private timer = 0;

  constructor(private readonly c: Context, private readonly flow: ControlFlow) {
    c.commands.add({ group: "Rows", words: "Show or hide who woke whom", also: "wake-up wakeups arrows waker", keys: ["u"], tab: "timeline", run: () => this.toggle() });
    flow.pane.moved.on(() => this.request());
  }

  private toggle(): void {
    const { view } = this.c;
    view.wakes = !view.wakes;
    view.emit();
    this.request();
    this.c.schedule();
  }

  reset(): void {
    this.answer = null;
    this.asked = "";
  }

  retime(by: bigint): void {
    if (this.answer) this.answer.base += by;
    this.asked = "";
  }

  /** Not on screen now: the server need not answer anew. */
  pause(): void {
    clearTimeout(this.timer);
    this.asked = "";
    this.c.live.drop(VIEWS.wakeups);
  }

  /** Asks where the rows on screen, the window or the time are others, once they have settled. */
  request(): void {
    const { view } = this.c;
    this.button.setAttribute("aria-pressed", String(view.wakes));
    if (!view.wakes) {
      if (this.answer || this.asked) this.pause();
      this.answer = null;
      text(this.words, "");
      this.key.hidden = true;
      return;
    }
    if (view.empty || view.tab !== "timeline") return;
    const key = [view.window.begin, view.window.span, view.time, ...this.flow.onScreen()].join();
    if (key === this.asked) return;
    this.asked = key;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), SETTLE);
  }

  private ask(): void {
    const { view, live } = this.c;
    const { time, window } = view;
    live.ask(VIEWS.wakeups, { op: "wakeups", begin: String(window.begin), end: String(endOf(window)), time, rows: this.flow.onScreen(), limit: LIMIT }, (m) => {
      if (m.kind === "error") live.onError(m.body.message);
      if (m.kind !== "wakeups" || time !== view.time || !view.wakes) return;
      this.answer = m;
      this.c.schedule();
    });
  }

  /** Draws over the control flow, which is drawn already. */
  draw(palette: Palette): void {
    const a = this.answer;
    const { pane } = this.flow;
    const s = pane.surface;
    if (!a || !this.c.view.wakes || s.width === 0 || pane.held) return;
    const arrows = this.place(a, s.width);
    text(this.words, this.countWords(a));
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
    this.key.hidden = arrows.length === 0;
    const drawn = [arrows.some((x) => x.strong), arrows.some((x) => !x.strong), arrows.some((x) => x.stub)];
    [...this.key.children].forEach((part, i) => ((part as HTMLElement).hidden = !drawn[i]));
  }

  private place(a: WakeupsAnswer, width: number): Arrow[] {
    const { view } = this.c;
    const { pane } = this.flow;
    const base = Number(a.base - view.window.begin);
    const out: Arrow[] = [];
    const taken = new Set<string>();
    for (let i = 0; i < a.count; i++) {
      const x = ((base + a.at[i]) / view.window.span) * width;
      if (x < 0 || x > width) continue;
      const woken = pane.indexOf(a.woken[i]);
      if (woken === undefined) continue;
      const waker = this.c.rows.get(a.waker[i])?.kind === HOST ? undefined : pane.indexOf(a.waker[i]);
      const key = `${Math.round(x / CELL)} ${waker} ${woken}`;
      if (taken.has(key)) continue;
      taken.add(key);
      const middle = (k: number) => pane.topOf(k) + pane.rowHeight / 2;
      const y1 = middle(woken);
      const from = waker === undefined ? y1 - STUB : middle(waker);
      // The head ends at the bar of the row, not in it.
      const to = y1 - Math.sign(y1 - from) * 4;
      out.push({ stub: waker === undefined, x, y0: waker === undefined ? to - STUB : from, y1: to, strong: pane.selected !== null && (pane.selected === a.woken[i] || pane.selected === a.waker[i]) });
    }
    return out;
  }

  private countWords(a: WakeupsAnswer): string {
    const { window } = this.c.view;
    const [from, to] = [Number(window.begin - a.base), Number(endOf(window) - a.base)];
    let n = 0;
    for (let i = 0; i < a.count; i++) if (a.at[i] >= from && a.at[i] < to) n++;
    return counted(n, "wake-up") + (a.leftOut > 0 ? `; ${counted(a.leftOut, "row")} left out that ${a.leftOut === 1 ? "changes" : "change"} too often here: zoom in` : "");
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
