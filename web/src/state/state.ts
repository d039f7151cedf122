// The State tab: all attributes of a host and what they hold at a time, since when and until when; from there to the
// next change of one, or the one before.

import { orderToMark } from "../events/order.js";
import type { Context } from "../timeline/controlflow.js";
import type { Pointed } from "../timeline/mark.js";
import { exactly } from "../model/held.js";
import { knownWords, STILL, UNREAD } from "../model/known.js";
import type { HostInfo } from "../net/json.js";
import { counted } from "../time/number.js";
import { shortened } from "../model/shortened.js";
import { about, maxNs, minNs, parseNs, seconds, type Ns } from "../time/time.js";
import { around, endOf } from "../time/window.js";
import { add, fill, h, text } from "../ui/dom.js";
import { Stays, STEPS } from "../ui/stays.js";
import { readChange, type Attribute, type Place } from "./api.js";
import { Been, type Looked } from "./been.js";
import { holds, Levels, type Line } from "./levels.js";
import { Tree } from "./tree.js";
import { meaningOf } from "./meanings.js";
import { CODE, told } from "./values.js";

const SEARCH_PAUSE = 150;
/** Steps that may wait. */
const MANY = 8;

export class StatePage {
  /** Shows a time in the timeline. */
  onFind: (at: Ns) => void = () => {};
  /** The time that is looked at in the timeline and, where nobody chose that, whose it is; null for no host's. */
  moment: () => Pointed = () => ({ host: null, t: this.c.view.window.begin });
  private readonly hosts = h("select", { id: "state-host", onchange: () => this.turnTo(this.hosts.value) });
  private readonly time = h("b", { class: "t" });
  private readonly local = h("span", { class: "t" });
  private readonly order = h("span", { class: "order" });
  private readonly before = h("button", { type: "button", title: "To the last change of the chosen attribute before this time (,)", onclick: () => this.step(true) }, "‹ Change before");
  private readonly after = h("button", { type: "button", title: "To the next change of the chosen attribute (.)", onclick: () => this.step(false) }, "Next change ›");
  private readonly find = h("input", { type: "search", placeholder: "Name or value", "aria-label": "List attributes that have these words in name or value", spellcheck: "false", oninput: () => this.type() });
  private readonly words = h("p", { class: "told", role: "status" });
  private readonly heard = new Stays(STEPS);
  private readonly detail = h("section", { class: "chosen", "aria-label": "The chosen attribute", hidden: true });
  private readonly levels: Levels;
  private readonly tree: Tree;
  private revealing = "";
  private asked = "";
  private stranger = ""; // the host that the address asks for, which is none of this set
  private timer = 0;
  private steps: Promise<void> = Promise.resolve();
  private waiting = 0;
  private failures = 0; // of steps
  private readonly been = new Been();

  constructor(root: HTMLElement, private readonly id: string, private readonly c: Context) {
    this.levels = new Levels(id, () => this.fill());
    this.tree = new Tree("Attributes", ["Attribute", "Value", "Since", "Until", "For"], (l) => this.times(l), (path) => this.nameOf(path));
    this.tree.onScroll = (lines) => this.levels.want(lines);
    this.tree.onToggle = (path, open) => {
      if (open) this.levels.open.add(path);
      else this.levels.open.delete(path);
      this.fill();
      this.keepOpen();
      c.view.keep();
    };
    this.tree.onChoose = () => {
      c.view.state.path = this.tree.chosen;
      this.keepOpen();
      this.tell();
      c.view.emit();
    };
    add(root,
      h("div", { class: "line place" }, h("label", { for: "state-host" }, "State of"), this.hosts, "at", this.time, this.local, this.before, this.after,
        h("button", { type: "button", onclick: () => this.c.view.state.at !== null && this.onFind(this.c.view.state.at) }, "In the timeline"), h("span", { class: "space" }), this.find, this.order),
      this.words, this.tree.root, this.detail, this.heard.el);
    this.take();
    c.view.returned.on(() => {
      this.levels.open.clear();
      this.take();
    });
  }

  /** What its attributes are scrolled in. */
  get list(): HTMLElement {
    return this.tree.root;
  }

  // What the address says.
  private take(): void {
    const { find, open, path } = this.c.view.state;
    this.stranger = "";
    this.find.value = find;
    this.levels.search(find.trim());
    for (const p of open) this.levels.open.add(p);
    this.tree.chosen = this.revealing = path;
    if (this.revealing && !find) this.levels.reveal(this.revealing);
  }

  /** Goes to a time, which is of a host where no row is and none was looked at before; the thread of a row is opened and chosen where nothing is chosen yet. */
  go(at: Ns, row: { host: number; tid: number } | null = this.c.view.row, of: number | null = null): void {
    const { view, set } = this.c;
    view.entries.step(false);
    this.been.leave(this.here());
    view.state.at = at;
    const host = set.host(row?.host ?? (view.state.host ? null : of) ?? -1)?.name;
    if (host) view.state.host = host;
    this.stranger = "";
    if (row && row.tid > 0) this.choose(`Threads/${row.tid}`);
    this.refresh();
    view.emit();
  }

  /** Whether there is an attribute to go along: one is chosen, or will be as the tab comes up. */
  get along(): boolean {
    const { state, row } = this.c.view;
    return !!state.path || (state.at === null && !state.find && !!row && row.tid > 0);
  }

  private choose(path: string): void {
    this.c.view.state.path = this.tree.chosen = this.revealing = path;
    this.c.view.state.find = this.find.value = "";
    this.levels.search("");
    this.levels.open.add(path);
    this.levels.reveal(path);
    this.keepOpen();
  }

  // What a link says of what is open: what the chosen attribute stands in is open by that.
  private keepOpen(): void {
    const { state } = this.c.view;
    state.open = [...this.levels.open].filter((path) => !state.path.startsWith(`${path}/`)).sort();
  }

  /** The tab came up, or the set, its clocks or the kind of time changed. */
  refresh(): void {
    const { view, set } = this.c;
    if (view.tab !== "state" || view.empty || set.hosts.length === 0) {
      if (set.importing) this.say("What each thread and each CPU did can be read as soon as the first events are.");
      return;
    }
    if (view.state.at === null) {
      const { row } = view;
      const { host, t } = this.moment();
      view.state.at = t;
      if (!view.state.host) view.state.host = set.host(row?.host ?? host ?? -1)?.name ?? "";
      if (!view.state.path && !view.state.find && row && row.tid > 0) this.choose(`Threads/${row.tid}`);
    }
    const names = set.hosts.map((x) => x.name);
    if (view.state.host && !names.includes(view.state.host)) this.stranger = view.state.host;
    if (!names.includes(view.state.host)) view.state.host = (set.hosts.find((x) => x.reference) ?? set.hosts[0]).name;
    if ([...this.hosts.options].map((o) => o.value).join() !== names.join()) fill(this.hosts, ...names.map((n) => h("option", { value: n }, n)));
    this.hosts.value = view.state.host;
    // While an import runs more may be known of the same time.
    const question = [view.state.host, view.state.at, view.raw, set.clocks?.version, set.info?.state === "ready", this.host()?.events, !!set.info?.preview].join();
    if (question !== this.asked) {
      this.asked = question;
      const place = this.place();
      if (place && !set.info?.preview) this.levels.at(place);
    }
    this.tell();
  }

  /** The server is there again: what it did not answer is asked once more. */
  again(): void {
    this.levels.again();
  }

  /** Rows came or changed: threads may have names now. */
  rowsChanged(): void {
    if (this.c.view.tab === "state") this.fill();
  }

  private turnTo(host: string): void {
    this.been.leave(this.here());
    this.c.view.state.host = host;
    this.stranger = "";
    this.refresh();
    this.c.view.emit();
  }

  private type(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.c.view.state.find = this.find.value.trim();
      this.levels.search(this.c.view.state.find);
      this.tree.root.scrollTop = 0;
      this.c.view.emit();
    }, SEARCH_PAUSE);
  }

  /** Puts the cursor into the field that searches. */
  focusFind(): void {
    this.find.focus();
  }

  /** Goes to the next change of the chosen attribute, or back to the one before; steps that come faster than answers wait for each other, and
   * go with one that fails. */
  step(back: boolean): void {
    if (this.waiting === MANY) return;
    this.waiting++;
    const { failures } = this;
    this.steps = this.steps.then(() => (failures === this.failures ? this.stepNow(back) : undefined)).finally(() => this.waiting--);
  }

  private async stepNow(back: boolean): Promise<void> {
    const { view } = this.c;
    const place = this.place();
    if (!this.tree.chosen) return this.say("These keys go along an attribute: choose one first.");
    if (!place) return;
    try {
      const change = await readChange(this.id, place, this.tree.chosen, back);
      const local = parseNs(change.attribute?.local_begin);
      if (place.host !== view.state.host) return;
      if (!change.known) {
        return this.say(back ? `${place.host} is not read so far yet: when it changed before is not known.` : "It does not change any more in what is read so far.");
      }
      if (!change.found || local === null) {
        return this.say(back ? "It did not change before, as far as is recorded." : "It does not change any more, as far as is recorded.");
      }
      this.been.leave(this.here());
      this.arrive(place.host, local);
    } catch (e) {
      this.failures++;
      this.say(e instanceof Error ? e.message : String(e));
    }
  }

  // Goes to a time of the host's own clock; that is an entry of the browser's history unless the page's own way leads back there.
  private arrive(host: string, local: Ns, entry = true): void {
    const { view } = this.c;
    if (entry) view.entries.step(false);
    view.state.host = host;
    const at = this.shown(local);
    view.state.at = view.cursor = at;
    view.state.exact = { at, local, host };
    if (at < view.window.begin || at >= endOf(view.window)) view.jump(around(at, view.window.span), entry);
    this.refresh();
    view.emit();
  }

  /** Whether there is a time to go back to, and one to go forward to again. */
  get ways(): { back: boolean; forward: boolean } {
    return this.been.ways;
  }

  /** Goes back to the time that was looked at before, with its host and the attribute that was chosen then; or forward again. */
  turnBack(forward = false): void {
    const to = this.been.go(forward, this.here());
    if (!to) return;
    if (to.path !== this.tree.chosen) {
      if (to.path) this.choose(to.path);
      else this.c.view.state.path = this.tree.chosen = "";
    }
    this.arrive(to.host, to.local, false);
  }

  private here(): Looked | null {
    const place = this.place();
    return place && { ...place, path: this.tree.chosen };
  }

  private say(sentence: string): void {
    text(this.words, sentence);
    this.words.hidden = false;
  }

  /** The host and its own time now; what a step came to is known to the ns, what the reference clock reads may lie one beside it. */
  private place(): Place | null {
    const { view } = this.c;
    const at = view.state.at;
    const host = this.host();
    if (at === null || !host) return null;
    const local = view.raw ? at : (exactly(view.state)?.local ?? this.c.set.toLocal(host.index, at) ?? at);
    return { host: host.name, local };
  }

  private host(): HostInfo | undefined {
    return this.c.set.hosts.find((x) => x.name === this.c.view.state.host);
  }

  /** Where the axis shows a time of the host's own clock. */
  private shown(local: Ns): Ns {
    const host = this.host();
    return this.c.view.raw || !host ? local : (this.c.set.toReference(host.index, local) ?? local);
  }

  private fill(): void {
    const lines = this.levels.lines();
    this.tree.show(lines, this.levels.searching);
    if (this.revealing && this.tree.scrollToChosen(true)) this.revealing = "";
    this.tell();
  }

  // The name of a thread, whose attribute is its number.
  private nameOf(path: string): string {
    const tid = /^Threads\/(\d+)$/.exec(path)?.[1];
    const host = tid ? this.host() : undefined;
    const id = host && this.c.rows.find(host.index, Number(tid));
    const last = id === undefined ? "" : (this.c.rows.get(id)?.name ?? "");
    if (last === tid) return "";
    // Rows have the last one. Where the one of this time stands below, both are told.
    const then = this.levels.valueOf(`${path}/Name`);
    return then && last && then !== last ? `${then}, later ${last}` : last;
  }

  private times(l: Line): string[] {
    if (l.item && holds(l.item)) return ["", "", ""];
    const [from, to] = [parseNs(l.item?.local_begin), parseNs(l.item?.local_end)];
    if (from === null) return ["", "", ""];
    const origin = this.c.view.origin();
    if (to === null) return [seconds(this.shown(from) - origin), "not yet", ""];
    const [begin, end] = [this.shown(from), this.shown(to)];
    return [seconds(begin - origin), seconds(end - origin), about(Number(end - begin))];
  }

  // What stands above and below the tree.
  private tell(): void {
    const { view, set } = this.c;
    const at = view.state.at;
    const host = this.host();
    const place = this.place();
    if (at === null || !host || !place) return;
    const own = set.toLocal(host.index, at) === null && !view.raw ? null : place.local;
    text(this.time, seconds(at - view.origin()));
    const error = own === null ? null : set.errorAt(host.index, own);
    text(this.local, own === null ? "" : `${host.name} ${view.clock(own)}${host.reference || host.unsynchronized ? ", " : " "}${knownWords(host, error, set.silence(host.index, own))}`);
    const order = own === null ? null : orderToMark(set, view, host.index, own);
    text(this.order, order?.words ?? "");
    this.order.classList.toggle("open", order?.open ?? false);
    const s = this.levels.summary;
    const words = set.info?.preview ? "Attributes can be read when the archives are unpacked; what there is now is a first look."
      : this.levels.error ? this.levels.error
      : !s ? "Reading…"
      : !s.known && (s.unread || (own !== null && set.silence(host.index, own) === UNREAD)) ? `${host.name} is not read so far yet: what it did at this time is not known.`
      : !s.known ? `Nothing of ${host.name} is recorded at this time${this.recorded(host.index)}.`
      : s.total === 0 && !this.levels.searching ? (set.importing ? `Nothing is known yet of what ${host.name} did.`
        : `Nothing is known of what ${host.name} did: its recording tells of no thread and no CPU. The tab Import has what it lacks.`)
      : this.levels.searching ? `${counted(s.total, "attribute")}${s.all ? "" : " and more"} with “${view.state.find}” in name or value`
      : "";
    const other = this.stranger && !set.importing ? `There is no host ${shortened(this.stranger, 24, 8)} in this set: this is the state of ${host.name}. ` : "";
    text(this.words, other + words);
    this.words.hidden = !other && !words;
    const line = this.tree.chosenLine;
    this.before.disabled = this.after.disabled = !this.tree.chosen;
    this.detail.hidden = !line?.item;
    if (line?.item) this.tellOf(line.item, host.name);
    this.heard.say([`At ${this.time.textContent}`, line?.item ? readOut(line.item) : host.name, order?.words ?? ""].filter(Boolean).join(": "));
  }

  // Where the recording of a host lies, as the end of a sentence.
  private recorded(host: number): string {
    const e = this.c.set.extent(host, this.c.view.raw);
    if (!e) return "";
    const origin = this.c.view.origin();
    const [begin, end] = [minNs(e.begin, e.end), maxNs(e.begin, e.end)];
    const decimals = end - begin < 1_000_000_000n ? 9 : 3;
    return `; its recording goes from ${seconds(begin - origin, decimals)} to ${seconds(end - origin, decimals)}`;
  }

  private tellOf(a: Attribute, host: string): void {
    const [localBegin, localEnd] = [parseNs(a.local_begin)!, parseNs(a.local_end)];
    const begin = this.shown(localBegin);
    const origin = this.c.view.origin();
    const value = told(a.path, a.value);
    const meaning = meaningOf(a.path);
    fill(this.detail, h("h2", {}, a.path),
      h("p", { title: value.meaning ? CODE : null }, value.text === "–" ? "nothing" : value.text, value.meaning ? `, ${value.meaning}` : ""),
      h("p", { class: "t" }, `since ${seconds(begin - origin)} · ${localEnd === null ? STILL : lasted(begin, this.shown(localEnd), origin)}`),
      h("p", { class: "t" }, `on ${host}: since ${this.c.view.clock(localBegin)}${localEnd === null ? "" : ` · until ${this.c.view.clock(localEnd)}`}`),
      meaning ? h("p", { class: "minor" }, `${meaning[0].toUpperCase()}${meaning.slice(1)}.`) : null);
  }
}

// What an attribute is, for those who hear where a step came to.
function readOut(a: Attribute): string {
  const value = told(a.path, a.value);
  return `${a.path} is ${value.text === "–" ? "nothing" : value.text}${value.meaning ? `, ${value.meaning}` : ""}`;
}

// Until when something was so, and how long.
const lasted = (begin: Ns, end: Ns, origin: Ns) => `until ${seconds(end - origin)} · ${about(Number(end - begin), 6)}`;
