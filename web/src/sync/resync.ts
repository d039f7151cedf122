// What is in force, and how to synchronize in another way: method, reference, messages of a
// stretch of time. Links are left out where they stand, below the table of links.

import { Refusal, synchronize } from "../home/api.js";
import type { LinkInfo, Options } from "../net/json.js";
import type { Context } from "../timeline/controlflow.js";
import { about } from "../time/time.js";
import { add, fill, h, text } from "../ui/dom.js";
import { briefWords, changeWords, knownOf, referenceWords, type Known } from "./change.js";
import { bounding, costWords, inForce, isDefault, leftOut, METHODS, NO_OPTIONS, stretch, turned, windowOf } from "./force.js";
import { Glossary } from "./glossary.js";

type Stretch = [string, string];

// Why messages that were chosen cannot be taken now.
const RAW_LACK = "The messages of the timeline's window cannot be taken while raw time is on.";
const WHOLE_LACK = "The timeline's window is the whole set now: zoom in there, or choose other messages.";
const NONE_LACK = "Messages of no stretch of time are in force any more: choose which ones to take.";

/** What somebody chose in the form; what is not among it is as it is in force. */
interface Chosen {
  readonly method?: string;
  readonly reference?: string;
  readonly messages?: string;
}

export class Resync {
  readonly el = h("section", { class: "card force", "aria-label": "How it is synchronized" });
  private readonly words = h("p", { class: "inforce" });
  private readonly said = h("p", { class: "minor" });
  private readonly fault = h("p", { class: "fault", role: "alert", hidden: true });
  private readonly opener = h("button", { type: "button", "aria-expanded": "false", "aria-controls": "resync", onclick: () => this.toggle() }, "Synchronize in another way…");
  private readonly back = h("button", { type: "button", class: "covered", onclick: () => this.reset() }, "Back to the default");
  private readonly method = h("select", { onchange: () => this.choose({ method: this.method.value }) }, ...METHODS.map((m) => h("option", { value: m.name }, m.words)));
  private readonly reference = h("select", { onchange: () => this.choose({ reference: this.reference.value }) });
  private readonly messages = h("select", { onchange: () => this.choose({ messages: this.messages.selectedOptions[0].dataset.name! }) });
  private readonly lack = h("p", { class: "warn", role: "alert", hidden: true });
  private readonly sentence = h("p", { class: "minor" });
  private readonly go = h("button", { type: "submit", class: "primary" }, "Synchronize");
  private readonly form = h("form", { id: "resync", hidden: true });
  private readonly glossary = new Glossary();
  private busy = false;
  private offered = 0; // the version that the form was filled from
  private offers = ""; // which messages it offers
  /** Since it was opened, or since that came into force: it stays chosen whatever becomes of the clocks. */
  private chosen: Chosen = {};
  private taken = 0; // the version in which all of that is in force, 0 for none
  /** What was changed here last: how well clocks were known before, and by which host's, and the version that came of it, 0 while it is on its way. */
  private last: { before: Map<string, Known>; by: string; version: number; words: string } | null = null;

  /** A change is on its way, or has ended. */
  onBusy: () => void = () => {};
  /** What became of a change, in few words; "" where that does not hold any more. */
  onSay: (sentence: string) => void = () => {};

  constructor(private readonly id: string, private readonly c: Context) {
    const field = (name: string, control: HTMLElement) => h("label", {}, h("span", {}, name), control);
    add(this.form, h("div", { class: "fields" }, field("Method", this.method), field("Reference", this.reference), field("Messages", this.messages), this.go), this.lack, this.sentence);
    this.form.addEventListener("submit", (e) => {
      e.preventDefault();
      if (this.lack.hidden) void this.applyChosen();
      else this.messages.focus();
    });
    this.form.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      e.stopPropagation();
      this.toggle();
      this.opener.focus();
    });
    add(this.el, h("div", { class: "line" }, this.words, this.back, this.glossary.button, this.opener), this.said, this.glossary.el, this.form, this.fault);
  }

  private get options(): Options {
    const { clocks } = this.c.set;
    return clocks?.options ? { ...clocks.options, window: windowOf(clocks) } : NO_OPTIONS;
  }

  render(): void {
    const { set, view } = this.c;
    this.el.hidden = !set.clocks || set.hosts.length < 2;
    if (!set.clocks) return;
    const own = !isDefault(this.options);
    const ready = set.info?.state === "ready";
    text(this.words, `In force${ready ? "" : " while the import runs"}: ${own ? "" : "the default, "}${inForce(set.clocks, view.bounds?.begin ?? 0n).join("; ")}.${view.raw ? " Raw time is on: the plot of a link shows its two clocks as they were recorded; all else is told here as it is known." : ""}`);
    this.el.classList.toggle("own", own);
    this.opener.disabled = !ready;
    this.opener.title = ready ? "Another method or reference, or the messages of a stretch of time" : "When the import is complete";
    // They are only marked as disabled while a change is on its way, so that they keep the focus.
    for (const b of [this.opener, this.back]) b.setAttribute("aria-disabled", String(this.busy));
    if (document.activeElement === this.back && !own) this.opener.focus();
    this.back.classList.toggle("covered", !own); // its room stays
    if (this.taken && set.clocks.version >= this.taken) {
      this.chosen = {};
      this.taken = this.offered = 0;
    }
    if (!this.form.hidden && this.offered !== set.clocks.version) this.offer();
    else if (!this.form.hidden) this.offerMessages();
    this.tell();
  }

  // What became of the bounds is told as soon as the new clocks are there.
  private tell(): void {
    const before = this.before();
    if (this.last && before) this.say([this.last.words, referenceWords(this.last.by, this.c.set.clocks!), changeWords(before, knownOf(this.c.set))].filter(Boolean).join(" "), briefWords(this.last.by, this.c.set.clocks!, this.c.view.raw));
    // Another page has synchronized since: what was said is of clocks that are not in force any more.
    else if (this.last?.version && (this.c.set.clocks?.version ?? 0) > this.last.version) this.say("");
  }

  // brief is for the line below all tabs, where other things are said too.
  private say(words: string, brief = words): void {
    if (words === this.told) return;
    text(this.said, words);
    this.onSay(brief);
  }

  /** What is said of the last change, for whoever made it elsewhere on the page. */
  get told(): string {
    return this.said.textContent ?? "";
  }

  /** Why the last change was refused; "" where it was not. */
  get refused(): string {
    return this.fault.hidden ? "" : (this.fault.textContent ?? "");
  }

  /** How well clocks were known before they were synchronized anew here; null where what is shown did not come of that. */
  before(): ReadonlyMap<string, Known> | null {
    return this.last?.version && this.last.version === this.c.set.clocks?.version ? this.last.before : null;
  }

  private toggle(): void {
    const open = this.form.hidden;
    this.form.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.chosen = {};
    this.taken = 0;
    this.offer();
    this.method.focus();
  }

  private choose(chosen: Chosen): void {
    this.chosen = { ...this.chosen, ...chosen };
    this.taken = 0;
    this.offerMessages();
    this.explain();
  }

  // Fills the form with what is in force, but for what was chosen.
  private offer(): void {
    const { set } = this.c;
    const o = { ...this.options, ...this.chosen };
    this.offered = set.clocks?.version ?? 0;
    this.method.value = o.method;
    fill(this.reference, h("option", { value: "" }, "the best"), ...set.hosts.map((x) => h("option", { value: x.name }, costWords(x.name, set.clock(x.index)?.reference_loss_ns))));
    this.reference.value = o.reference ?? "";
    this.offerMessages();
    this.explain();
  }

  // Offers the timeline's window as it is now. Messages that were chosen and cannot be now stay chosen, and it says so, for what takes their
  // place nobody has chosen.
  private offerMessages(): void {
    const { view } = this.c;
    const { window } = this.options;
    const origin = view.bounds?.begin ?? 0n;
    const shown: Stretch = [String(view.window.begin), String(view.window.begin + BigInt(Math.round(view.window.span)))];
    const [why, lack] = view.raw ? ["not while raw time is on", RAW_LACK] : view.whole ? ["zoom in there first", WHOLE_LACK] : ["", ""];
    const chosen = this.chosen.messages ?? (window ? "now" : "all");
    const offers = [
      { name: "all", value: "", words: "all", lack: "" },
      ...(window ? [{ name: "now", value: window.join("~"), words: `as now, ${stretch(window, origin)}`, lack: "" }] : []),
      ...(!window && chosen === "now" ? [{ name: "now", value: "", words: "as before: no stretch of time counts any more", lack: NONE_LACK }] : []),
      { name: "shown", value: shown.join("~"), words: why ? `of the timeline's window: ${why}` : `of the timeline's window, ${stretch(shown, origin)}`, lack },
    ];
    const state = JSON.stringify(offers);
    if (state !== this.offers) fill(this.messages, ...offers.map((x) => h("option", { value: x.value, "data-name": x.name, disabled: x.lack !== "" }, x.words)));
    this.offers = state;
    const place = offers.findIndex((x) => x.name === chosen);
    if (this.messages.selectedIndex !== place) this.messages.selectedIndex = place;
    text(this.lack, offers[place].lack);
    this.lack.hidden = !offers[place].lack;
    this.go.setAttribute("aria-disabled", String(this.busy || !this.lack.hidden));
  }

  private explain(): void {
    text(this.sentence, METHODS.find((m) => m.name === this.method.value)?.sentence ?? "");
    add(this.sentence, " What comes of it everybody sees who looks at this set.");
  }

  private window(): Stretch | null {
    const [begin, end] = this.messages.value.split("~");
    return begin && end ? [begin, end] : null;
  }

  /** Opens the form, with what is in force. */
  open(): void {
    if (this.form.hidden) this.toggle();
    else this.method.focus();
  }

  /** Whether anything is synchronized in another way than by default. */
  get own(): boolean {
    return !isDefault(this.options);
  }

  /** Whether a link is left out. */
  out(l: LinkInfo): boolean {
    return leftOut(this.options, l.a, l.b);
  }

  /** Back to the default. */
  reset(): void {
    void this.apply(NO_OPTIONS);
  }

  /** Makes a host the reference, or the best one for null; all else stays. */
  pin(host: string | null): void {
    void this.apply({ ...this.options, reference: host });
  }

  /** Whether something can be changed now. */
  get ready(): boolean {
    return this.c.set.info?.state === "ready" && !this.busy;
  }

  /** Leaves a link out, or takes it in again. */
  turn(l: LinkInfo): void {
    void this.apply({ ...this.options, exclude: turned(this.options, l.a, l.b) });
  }

  /** What the button beside a link says, and whether it can be pressed now. */
  turning(l: LinkInfo): { words: string; ready: boolean } {
    return { words: leftOut(this.options, l.a, l.b) ? "Take this link in again" : "Leave this link out", ready: this.c.set.info?.state === "ready" && !this.busy };
  }

  private async applyChosen(): Promise<void> {
    const { chosen } = this;
    const version = await this.apply({ method: this.method.value, reference: this.reference.value || null, exclude: this.options.exclude, window: this.window() });
    if (!version || chosen !== this.chosen) return;
    this.taken = version;
    this.render();
  }

  // The new clocks come over the websocket, as all do. Returns their version, 0 where there are none.
  private async apply(o: Options): Promise<number> {
    if (this.busy) return 0;
    const begun = performance.now();
    const times = this.inTimesOf(o.window);
    this.last = { before: knownOf(this.c.set), by: this.c.set.clocks?.reference ?? "", version: 0, words: "" };
    this.wait(true);
    this.fault.hidden = true;
    try {
      const wanted = { ...o };
      if (o.window) {
        const reference = o.reference ?? (await this.bestFor(o));
        wanted.window = times(reference);
        if (o.method !== METHODS[0].name) wanted.reference = reference;
      }
      const { version } = await synchronize(this.id, wanted);
      this.last = { ...this.last, version, words: `Synchronized in ${about((performance.now() - begun) * 1e6, 2)}: clock map ${version}.` };
      this.say(this.last.words);
    } catch (e) {
      this.last = null;
      this.say("");
      text(this.fault, e instanceof Refusal ? e.message : String(e));
      this.fault.hidden = false;
    }
    this.wait(false);
    return this.last?.version ?? 0;
  }

  // A window is in the time of the host that is the best reference by all messages that count. Which that is
  // need not be asked for where all messages count as yet and nothing but the window changes.
  private async bestFor(o: Options): Promise<string> {
    const now = this.options;
    const same = !now.reference && !now.window && bounding(this.c.set.clocks) && JSON.stringify(now.exclude) === JSON.stringify(o.exclude);
    return same ? (this.c.set.clocks?.reference ?? "") : (await synchronize(this.id, { exclude: o.exclude })).reference;
  }

  private wait(busy: boolean): void {
    this.busy = busy;
    if (busy) this.say("Synchronizing…");
    this.onBusy();
  }

  // A stretch of reference time in the time of each host, by the clocks as they are now.
  private inTimesOf(w: Stretch | null): (host: string) => Stretch | null {
    const { set } = this.c;
    const all = new Map<string, Stretch>();
    const now = this.options.window;
    for (const host of w ? set.hosts : []) {
      const own = set.clock(host.index)?.window;
      if (own && now?.join() === w!.join()) all.set(host.name, own);
      if (all.has(host.name)) continue;
      const [begin, end] = w!.map((s) => set.toLocal(host.index, BigInt(s)));
      if (begin !== null && end !== null) all.set(host.name, [String(begin), String(end)]);
    }
    return (host) => all.get(host) ?? w;
  }
}
