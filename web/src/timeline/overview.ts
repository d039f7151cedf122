// The strip over everything: how many events, where some were lost, how well the
// clocks are known, and the window as a brush that can be moved and stretched.

import { boundColor, boundScale, boundStep } from "../draw/bounds.js";
import type { Palette } from "../draw/palette.js";
import { Surface } from "../draw/surface.js";
import { isolated } from "../model/names.js";
import type { DensityAnswer, Message } from "../net/wire.js";
import { anyLost, lostWords } from "../model/losses.js";
import { seldom } from "../model/seldom.js";
import type { SetModel } from "../model/set.js";
import { worstOverTime } from "../model/worst.js";
import { VIEWS } from "../net/views.js";
import { span } from "../sync/number.js";
import { counted, group } from "../time/number.js";
import { about, digitsFor, exact, plusMinus, seconds } from "../time/time.js";
import { around, endOf, pan, shareOf, timeAt, windowOf, zoom, type Window } from "../time/window.js";
import { add, h, hide, text } from "../ui/dom.js";
import { fitLine } from "../ui/fit.js";
import type { Context } from "./controlflow.js";
import { fullHeight } from "./density.js";
import { showRange } from "./keys.js";
import { lostHere, lostIn, stretches, type Stretch } from "./lost.js";
import { hatchLosses, nameLosses, spansOf, type LostColumn } from "./lostmarks.js";
import { drawMarks, markAt, recordedWords, short, type Recording } from "./recordings.js";
import type { Told } from "./tooltip.js";
import { windowWords } from "./words.js";

const BAR = 3; // CSS pixels per column
const EDGE = 6;
/** The least width of the brush, and where its grips begin where the strip is high, CSS pixels. */
const LEAST = 4;
const GRIP = 18;
/** While the window moves, words about it follow so many ms later. */
const TELLS = 100;
/** How far below its top a column that is cut has a gap. */
const CUT = 5;
/** Columns stand between what is so high at the top and at the bottom of the strip. */
const HEADROOM = 8;
const RIBBON = 14;
/** Where events were lost a cap stands above the columns, and from it hangs a veil behind them, hatched, as far down as the share of them, with an edge. */
const CAP = 4;
const VEIL = 0.14;

const [WHOLE, FIRST_LOOK] = [["Whole", " set"], ["First", " look"]];

export class Overview {
  readonly el = h("div", { class: "overview" });
  private readonly surface: Surface;
  private readonly whole = h("div", { class: "facts" });
  private readonly windowFacts = h("div", { class: "facts right" });
  private readonly brush = h("div", {
    class: "brush", role: "slider", tabindex: 0, "aria-label": "Window", "aria-orientation": "horizontal", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 0,
  });
  private readonly cursor = h("div", { class: "cursor", hidden: true });
  /** There are other numbers than before. */
  onAnswer: () => void = () => {};
  /** Where events were lost is wanted. */
  onLost: () => void = () => {};
  private readonly lost = h("button", { type: "button", class: "link warn", hidden: true, title: "Where events were lost", onclick: () => this.onLost() });
  /** Called with what is under the pointer, and with null when it leaves. */
  onHover: (x: number, y: number, told: Told | null) => void = () => {};
  /** Where the pointer is, on the page, while it is over the strip. */
  private rest: { x: number; y: number; share: number } | null = null;
  private answer: DensityAnswer | null = null;
  private answers = 0;
  private marks: readonly Recording[] = [];
  private picture = "";
  /** The strip without the brush. */
  private still: HTMLCanvasElement | null = null;
  private drawn = "";
  /** Where the brush was drawn last; null for nowhere. */
  private place: [number, number] | null = null;
  private clockWords = "";
  private asked = "";

  constructor(private readonly c: Context) {
    const strip = h("div", { class: "strip" });
    const wholeTitle = h("b", {}, h("span"), h("span", { class: "long" }));
    const windowTitle = h("b", {}, "Window");
    const line = () => h("div", { class: "t" });
    add(this.whole, wholeTitle, this.lost, line(), line());
    add(this.windowFacts, windowTitle, line(), line());
    add(this.el, this.whole, strip, this.windowFacts);
    fitLine(this.whole, 1, () => [wholeTitle]); // beside much that was lost
    this.surface = new Surface(strip, "Events over the whole set", () => {
      this.picture = ""; // another size is an empty canvas, also when the size is back to what it was
      this.request();
      c.schedule();
    });
    strip.append(this.brush, this.cursor);
    this.drag(strip);
  }

  /** Shows where in the whole the cursor is; null for nowhere. A cursor beside the whole would make the page as broad as it is far away. */
  point(t: bigint | null): void {
    const all = this.all;
    const share = t === null || !all ? -1 : shareOf(all, t);
    hide(this.cursor, !(share >= 0 && share <= 1));
    if (!this.cursor.hidden) this.cursor.style.transform = `translateX(${Math.round(share * this.surface.width)}px)`;
  }

  reset(): void {
    this.answer = null;
    this.answers++;
    this.asked = "";
  }

  /** Times are others, later by so much: what is drawn stays until the answer in the new times is there. */
  retime(by: bigint): void {
    if (this.answer) this.answer = { ...this.answer, begin: this.answer.begin + by, end: this.answer.end + by };
    this.answers++;
    this.asked = "";
  }

  request(): void {
    const { view, live } = this.c;
    const b = view.bounds;
    if (!b || this.surface.width === 0) return;
    const columns = Math.max(1, Math.floor(this.surface.width / BAR));
    const key = `${b.begin} ${b.end} ${columns} ${view.time}`;
    if (key === this.asked) return;
    this.asked = key;
    live.ask(VIEWS.density, { op: "density", begin: String(b.begin), end: String(b.end), columns, time: view.time }, (m: Message) => {
      if (m.kind === "error") live.onError(m.body.message);
      if (m.kind !== "density") return;
      this.answer = m;
      this.answers++;
      this.onAnswer();
      this.c.schedule();
    });
  }

  // The strip spans the bounds of the set.
  private get all(): Window | null {
    const b = this.c.view.bounds;
    return b && windowOf(b.begin, b.end);
  }

  draw(): void {
    const { palette, view, set } = this.c;
    const { width: W, height: H } = this.surface;
    const all = this.all;
    // The strip itself changes seldom, the window over it with each frame.
    const picture = [W, H, this.surface.ratio, all?.begin, all?.span, view.raw, palette.css.panel, palette.css.density, palette.css.good, palette.css.accent, this.answers, set.clocks?.version, set.hosts.length].join();
    if (picture !== this.picture) {
      this.picture = picture;
      const g = this.surface.begin(palette.css.panel);
      if (all && this.answer) this.drawDensity(g, this.answer, all, W, H);
      this.marks = all ? short(set, view.raw, all, W) : [];
      drawMarks(g, this.marks, W, palette.css.accent);
      this.still = this.surface.copy();
      this.drawn = "";
      this.clockWords = this.errorWords();
      this.hover();
    }
    const shown = all && !view.empty ? this.shown(all, W) : null;
    if (this.drawn !== String(shown)) {
      this.drawn = String(shown);
      this.place = shown;
      const g = this.surface.begin(palette.css.panel);
      g.drawImage(this.still!, 0, 0, W, H);
      if (shown) drawBrush(g, shown[0], shown[1], W, H, palette);
    }
    this.tell();
  }

  // From where to where the window lies on the strip, CSS pixels.
  private shown(all: Window, W: number): [number, number] {
    const { window } = this.c.view;
    const [x0, x1] = [window.begin, endOf(window)].map((t) => Math.round(shareOf(all, t) * W));
    const left = Math.max(0, Math.min(x0, W - LEAST));
    return [left, Math.max(left + LEAST, Math.min(x1, W))];
  }

  // What stands beside the strip, and where the brush is to those who do not see it: it is drawn with the strip, since
  // an element that changes its size makes the browser lay out and paint anew in each frame.
  private readonly tell = seldom(TELLS, () => {
    const { view, set } = this.c;
    const all = this.all;
    this.brush.hidden = !this.place;
    if (all && this.place) {
      const [left, right] = this.place;
      this.brush.style.transform = `translateX(${left}px)`;
      this.brush.style.width = `${right - left}px`;
      this.brush.setAttribute("aria-valuenow", String(Math.round(shareOf(all, view.window.begin) * 100)));
      this.brush.setAttribute("aria-valuetext", windowWords(view));
    }
    const info = set.info;
    const b = set.bounds(view.raw);
    const [wholeTitle, , wholeLine, wholeMinor] = this.whole.children as unknown as HTMLElement[];
    (info?.preview ? FIRST_LOOK : WHOLE).forEach((words, i) => text(wholeTitle.children[i], words));
    wholeTitle.title = info?.preview ? "The beginning of what is unpacked so far. More events, threads and hosts may come at any of these times." : "";
    text(wholeLine, info && b ? `${about(Number(b.end - b.begin), 5)} · ${counted(info.events, "event")}` : (info?.stage ?? ""));
    text(wholeMinor, this.clockWords);
    wholeMinor.title = this.clockWords && `How well the clock that is known worst at a time is known, from the best time at which as many hosts recorded as ever to the worst of all; the same however wide the strip is. ${relatedTitle(set)}`.trim();
    text(this.lost, info ? lostWords(info) : "");
    this.lost.hidden = !info || !anyLost(info);
    const heard = `Events over the whole set${info && anyLost(info) ? `; ${lostWords(info)}, hatched` : ""}`;
    if (this.surface.canvas.ariaLabel !== heard) this.surface.canvas.ariaLabel = heard;
    const [, windowLine, windowMinor] = this.windowFacts.children as unknown as HTMLElement[];
    text(windowLine, view.empty ? "" : seconds(view.window.begin - view.origin(), digitsFor(view.window.span)));
    text(windowMinor, view.empty ? "" : `+ ${view.window.span < 1e6 ? exact(view.window.span) : about(view.window.span, 5)}${view.whole ? ", all" : ""}`);
  });

  private drawDensity(g: CanvasRenderingContext2D, a: DensityAnswer, all: Window, W: number, H: number): void {
    const { palette } = this.c;
    const full = fullHeight(a.events);
    const step = Number(a.end - a.begin) / a.columns;
    const origin = Number(a.begin - all.begin);
    const x = (i: number) => ((origin + i * step) / all.span) * W;
    const width = Math.max(1, x(1) - x(0) - 1);
    const lost: LostColumn[] = [];
    for (let i = 0; i < a.columns; i++) // it goes on from column to column
      if (lostIn(a, i)) lost.push({ x0: Math.round(x(i)), x1: Math.round(x(i + 1)), to: HEADROOM + Math.round(a.share[i] * (H - RIBBON - HEADROOM)) });
    g.fillStyle = palette.css.warn;
    g.globalAlpha = VEIL;
    for (const { x0, x1, to } of lost) g.fillRect(x0, HEADROOM, x1 - x0, to - HEADROOM);
    g.globalAlpha = 1;
    hatchLosses(g, lost, HEADROOM, palette);
    g.fillStyle = palette.css.density;
    for (let i = 0; i < a.columns; i++) {
      if (a.events[i] === 0) continue;
      const height = Math.max(1, Math.min(1, a.events[i] / full) * (H - RIBBON - HEADROOM));
      g.fillRect(x(i), H - RIBBON - height, width, height);
    }
    g.fillStyle = palette.css.panel;
    for (let i = 0; i < a.columns; i++) if (a.events[i] > full) g.fillRect(x(i), HEADROOM + CUT, width, 2);
    g.fillStyle = palette.css.warn;
    for (const { x0, x1, to } of lost) {
      g.fillRect(x0, HEADROOM - CAP, x1 - x0, CAP);
      if (to > HEADROOM + 1) g.fillRect(x0, to - 1, x1 - x0, 1);
    }
    nameLosses(g, spansOf(lost), HEADROOM, W, palette);
    if (this.c.view.raw) return; // of clocks that are not applied there is no error to show
    const worst = a.error.reduce((m, e) => Math.max(m, e), 0);
    const scale = boundScale(this.c.set.clocks);
    const hue = (ns: number) => (scale ? boundColor(scale, boundStep(scale, ns), (name) => palette.css[name]) : palette.css.good);
    for (let i = 0; i < a.columns; i++) {
      if (a.events[i] === 0 && a.error[i] < 0) continue;
      const known = a.error[i] >= 0;
      const thick = known ? 1.5 + (worst > 0 ? (a.error[i] / worst) * 7 : 0) : 1;
      g.fillStyle = known ? hue(a.error[i]) : palette.css.ink3;
      const [x0, x1] = [Math.round(x(i)), Math.round(x(i + 1))];
      if (known || i % 2 === 0) g.fillRect(x0, H - 7 - thick / 2, x1 - x0, thick);
    }
  }

  private errorWords(): string {
    if (this.c.view.raw) return "";
    const { set } = this.c;
    const known = set.hosts.length < 2 ? null : worstOverTime(set);
    if (!known) return "";
    const related = relatedTo(set);
    return `${related ? `${related.number} of ${related.all} clocks ` : ""}${span(known.least, known.worst)}`;
  }

  /** The stretches in which events were lost, as finely as the strip has columns; null while that is not known. */
  losses(): Stretch[] | null {
    return this.answer && stretches(this.answer);
  }

  // What the column at a time counts.
  private toldAt(t: bigint): Told | null {
    const { view, set } = this.c;
    const a = this.answer;
    if (!a || t < a.begin || t >= a.end) return null;
    const step = Number(a.end - a.begin) / a.columns;
    const i = Math.min(a.columns - 1, Math.floor(Number(t - a.begin) / step));
    const mark = this.markAt(t);
    const pairs: [string, string][] = [[`Events in ${about(step, 3)}`, group(a.events[i])]];
    if (lostIn(a, i)) pairs.push(["Lost", lostHere(a, i)]);
    if (set.hosts.length > 1 && !view.raw) pairs.push(["Clocks known to", a.error[i] < 0 ? "no bound here" : a.error[i] === 0 ? "only the reference here" : `${plusMinus(a.error[i])}${relatedWords(set)}`]);
    if (mark) pairs.push(["Click to go there", recordedWords(mark.hosts, mark.begin, mark.end, view.origin())]);
    return { title: seconds(t - view.origin(), digitsFor(view.bounds ? Number(view.bounds.end - view.bounds.begin) : step)), pairs };
  }

  private markAt(t: bigint): Recording | null {
    return this.all && markAt(this.marks, shareOf(this.all, t) * this.surface.width);
  }

  private hover(): void {
    const [all, at] = [this.all, this.rest];
    if (all && at) this.onHover(at.x, at.y, this.toldAt(timeAt(all, at.share)));
  }

  private drag(strip: HTMLElement): void {
    const { view } = this.c;
    let grip: { what: "move" | "begin" | "end" | "new"; share: number; window: Window } | null = null;
    const share = (e: MouseEvent) => {
      const box = strip.getBoundingClientRect();
      return (e.clientX - box.left) / Math.max(1, box.width);
    };
    const part = (e: MouseEvent): "move" | "begin" | "end" | "new" => {
      if (!this.place) return "new";
      const x = share(e) * this.surface.width;
      const [left, right] = this.place;
      if (x < left - EDGE || x > right + EDGE) return "new";
      const narrow = right - left < 3 * EDGE;
      if (x < left + (narrow ? 0 : EDGE)) return "begin";
      if (x > right - (narrow ? 0 : EDGE)) return "end";
      return view.whole ? "new" : "move";
    };
    strip.addEventListener("pointerdown", (e) => {
      if (e.button !== 0 || !this.all) return;
      grip = { what: part(e), share: share(e), window: view.window };
      strip.setPointerCapture(e.pointerId);
    });
    strip.addEventListener("pointermove", (e) => {
      const all = this.all;
      if (!all) return;
      this.rest = { x: e.clientX, y: e.clientY, share: Math.min(1, Math.max(0, share(e))) };
      this.hover();
      if (!grip) {
        strip.dataset.part = (view.whole || part(e) === "new") && markAt(this.marks, share(e) * this.surface.width) ? "mark" : part(e);
        return;
      }
      const s = Math.min(1, Math.max(0, share(e)));
      const t = timeAt(all, s);
      const w = grip.window;
      if (grip.what === "move") view.show(pan(w, ((s - grip.share) * all.span) / w.span));
      else if (grip.what === "new") {
        if (Math.abs(s - grip.share) * this.surface.width < 4) return;
        view.show(between(timeAt(all, grip.share), t));
      } else view.show(between(grip.what === "begin" ? endOf(w) : w.begin, t));
    });
    strip.addEventListener("pointerup", (e) => {
      const all = this.all;
      // A click on a mark brings the window to all that it is of, one outside of the brush brings it there.
      if (grip && all && Math.abs(share(e) - grip.share) * this.surface.width < 4) {
        const mark = view.whole || grip.what === "new" ? markAt(this.marks, grip.share * this.surface.width) : null;
        if (mark) showRange(view, mark.begin, mark.end);
        else if (grip.what === "new" && !view.whole) view.jump(around(timeAt(all, grip.share), view.window.span));
      }
      grip = null;
    });
    strip.addEventListener("pointercancel", () => (grip = null)); // a finger moves the page
    strip.addEventListener("pointerleave", () => {
      this.rest = null;
      this.onHover(0, 0, null);
    });
    strip.addEventListener("dblclick", () => view.showAll());
    strip.addEventListener("wheel", (e) => {
      e.preventDefault();
      const all = this.all;
      if (!all) return;
      const at = shareOf(view.window, timeAt(all, share(e)));
      view.show(zoom(view.window, Math.min(1, Math.max(0, at)), Math.exp(Math.max(-200, Math.min(200, e.deltaY)) * 0.0025), view.widest()));
    }, { passive: false });
  }
}

// Of a set with islands the hosts that bounds are told of: those whose clocks something relates to the reference's; null where that is all.
function relatedTo(set: SetModel): { reference: string; number: number; all: number } | null {
  const [reference, number] = [set.hosts.find((x) => x.reference && !x.unsynchronized), set.hosts.filter((x) => !x.unsynchronized).length];
  return reference && number < set.hosts.length ? { reference: reference.name, number, all: set.hosts.length } : null;
}

function relatedWords(set: SetModel): string {
  const related = relatedTo(set);
  return related ? `, of the hosts related to ${isolated(related.reference)}` : "";
}

function relatedTitle(set: SetModel): string {
  const related = relatedTo(set);
  return related ? `The clocks of the hosts related to ${isolated(related.reference)}. Nothing relates those of the others to them` : "";
}

// The window over the strip, from x0 to x1, CSS pixels: a frame with a grip at each side. At the ends of the strip that is a mark above the
// columns alone, or it would hide the first and the last of them.
function drawBrush(g: CanvasRenderingContext2D, x0: number, x1: number, W: number, H: number, palette: Palette): void {
  g.fillStyle = palette.css.brush;
  g.fillRect(x0, 0, x1 - x0, H);
  g.fillStyle = palette.css.accent;
  for (const y of [0, H - 1]) g.fillRect(x0, y, x1 - x0, 1);
  const top = Math.min(GRIP, H / 4);
  for (const [line, grip, end] of [[x0, x0 - 1, x0 <= 0], [x1 - 1, x1 - 2, x1 >= W]] as const) {
    if (end) {
      g.fillRect(Math.min(W - 3, Math.max(0, grip)), 0, 3, HEADROOM - CAP - 1);
      continue;
    }
    g.fillRect(line, 0, 1, H);
    g.beginPath();
    g.roundRect(grip, top, 3, H - 2 * top, 1.5);
    g.fill();
  }
}

function between(a: bigint, b: bigint): Window {
  return a < b ? windowOf(a, b) : windowOf(b, a);
}
