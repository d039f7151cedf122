// The graph of hosts: links of the spanning forest are solid, others broken, those that are left out dotted, each coloured by its bound and the wider
// the better that is, hollow where it has none; hosts that no message relates to the reference stand apart. Where there are
// very many links, those that are not in use are drawn of one host at a time, the one that is pointed at or has the focus.

import { boundScale, boundStyle, boundWidth, stepWords, type BoundScale } from "../draw/bounds.js";
import type { HostInfo, LinkInfo } from "../net/json.js";
import { unrelatedWords } from "../model/known.js";
import { knownBy } from "../model/inforce.js";
import type { SetModel } from "../model/set.js";
import { shortened } from "../model/shortened.js";
import { fill, h, svg, text } from "../ui/dom.js";
import { counted, group } from "../time/number.js";
import { plusMinus } from "../time/time.js";
import { arrange, route, type Spot } from "./arrange.js";
import { labelBox, LETTER, NAME, place, type Caption, type Joined, type Placed } from "./captions.js";
import { LONGEST } from "./fold.js";
import { bounding } from "./force.js";
import { hopWords, lanes } from "./rowlinks.js";
import { classWords, span, tier, tiersOf, unused, type Tier } from "./number.js";

/** With more links only those in use have their bound beside them. */
const LABELLED = 12;
/** With more links out of use they are drawn of one host at a time, and sooner where hosts stand in rows, with names in the way. */
const ALL = 60;
const ALL_OF_ROWS = 4;
/** The legend names up to so many steps of bounds one by one; more are a strip of so many pixels each. */
const NAMED_STEPS = 3;
const STEP = 12;
/** Letters that find room beside the names of hosts in rows. */
const MOST_BESIDE = 24;
export interface Picking {
  readonly compared: readonly string[]; // hosts that are marked
  readonly choose: (l: LinkInfo) => void;
  readonly pick: (host: string) => void;
}

// The drawing before it is drawn.
interface Settled extends Omit<Placed<Joined>, "clear"> {
  readonly width: number;
  readonly height: number;
  readonly room: number; // in height
  readonly crowded: boolean;
  readonly drawn: readonly LinkInfo[];
  /** The ways of links that have none of their own by where their hosts stand. */
  readonly lanes: ReadonlyMap<LinkInfo, string>;
}

export class HostGraph {
  readonly el = h("div", { class: "graph", role: "region", "aria-label": "Graph of hosts and links" });
  /** Says what the lines mean, or what the host is that is pointed at. */
  readonly key = h("p", { class: "minor key" });
  /** What the colours and widths of the lines mean. */
  readonly legend = h("ul", { class: "tiers", "aria-label": "Lines by the bound of their link" });
  private hot: string | null = null;
  /** A host is pointed at or has the focus, or none is any more. */
  onPoint: (host: string | null) => void = () => {};
  /** The host that the Tab key leads to. */
  private first = "";
  private spots = new Map<string, Spot>();
  /** There are too many links out of use to draw them all. */
  private crowded = false;
  private others = svg("g");
  /** How many of the links that have a bound are drawn, and how many of these have it beside them. */
  bounded = 0;
  labelled = 0;
  /** Whether there is room beside hosts for how well their clocks are known. */
  noted = true;

  constructor(private readonly set: SetModel, private readonly picking: () => Picking, private readonly chosen: () => LinkInfo | null) {
    this.el.addEventListener("keydown", (e) => this.step(e));
  }

  render(): void {
    const { el, set } = this;
    const [links, chosen] = [this.links(), this.chosen()];
    if (set.hosts.length === 0) {
      this.explain();
      el.replaceChildren(h("p", { class: "empty" }, "This shows the hosts and who exchanged messages with whom. It appears with the first host."));
      this.spots.clear();
      text(this.key, "");
      return;
    }
    this.crowded = this.settle(links, chosen).crowded;
    this.explain(); // which takes some of the room
    const { spots, captions, labels, lanes, drawn, width, height, room, crowded } = this.settle(links, chosen);
    if (crowded !== this.crowded) {
      this.crowded = crowded;
      this.explain();
    }
    this.spots = spots;
    this.bounded = drawn.filter((l) => knownBy(l)).length;
    this.labelled = labels.size;
    this.noted = [...spots.values()].every((s) => !s.tree || s.tree.fold.noted);
    const H = Math.max(height, room);
    const shift = (H - height) / 2;
    this.others = svg("g");
    const root = svg("svg", { viewBox: `0 ${-shift} ${width} ${H}`, width, height: H, role: "group", "aria-label": describe(set) }, this.others);
    for (const l of drawn) {
      const [a, b] = [spots.get(l.a), spots.get(l.b)];
      if (a && b) root.append(...this.edge(l, a, b, l === chosen, lanes.get(l)));
    }
    for (const [{ words }, at] of labels) root.append(...label(at, words, !inRows(spots)));
    if (!spots.has(this.first)) this.first = (set.hosts.find((x) => x.reference && !x.unsynchronized) ?? set.hosts[0]).name;
    for (const host of set.hosts) {
      const s = spots.get(host.name);
      if (s) root.append(this.node(host, s, captions.get(host.name) ?? null, width));
    }
    const focused = el.contains(document.activeElement) ? (document.activeElement as Element).getAttribute("data-host") : null;
    el.replaceChildren(root);
    // The page may have been scrolled away from it.
    if (focused !== null && spots.has(focused)) this.focus(focused, true);
    this.point(this.hot);
  }

  // Where hosts stand in the room that there is now, what of their links is drawn, and where words stand; hosts in rows have theirs beside
  // them. So do hosts whose names have no clear place elsewhere.
  private settle(links: readonly LinkInfo[], chosen: LinkInfo | null, rows = false): Settled {
    const { hosts } = this.set;
    // Its size is rounded, and half a pixel too much would bring scroll bars.
    const [W, room] = [Math.max(240, this.el.clientWidth - 1), Math.max(160, this.el.clientHeight - 1)];
    const arranged = arrange(hosts, links.filter((l) => l.in_tree), W, room, rows);
    const crowded = isCrowded(links, arranged.spots);
    const drawn = links.filter((l) => isDrawn(l, crowded, chosen)).sort((a, b) => Number(a.in_tree) - Number(b.in_tree));
    const labelled = (l: LinkInfo) => l.in_tree || drawn.length <= LABELLED;
    const joined = drawn.map((l) => ({ a: l.a, b: l.b, used: l.in_tree, words: labelled(l) ? medianWords(l) : "" }));
    const named = hosts.map((x) => ({ host: x.name, name: cut(x.name, lettersIn(arranged.spots)), note: noteOf(this.set, x) }));
    const settled = { ...arranged, room, crowded, drawn };
    if (inRows(arranged.spots)) {
      const ways = lanes(arranged.spots, joined, named, W);
      return { ...settled, captions: new Map(), labels: hopWords(arranged.spots, joined), lanes: new Map(drawn.flatMap((l, i) => (ways.has(joined[i]) ? [[l, ways.get(joined[i])!] as const] : []))) };
    }
    const placed = place(arranged.spots, joined, named, arranged.width);
    return placed.clear ? { ...settled, ...placed, lanes: new Map() } : this.settle(links, chosen, true);
  }

  private links(): LinkInfo[] {
    return (this.set.clocks?.links ?? []).filter((l) => l.class !== "absent");
  }

  private explain(): void {
    const scale = boundScale(this.set.clocks);
    const chosen = this.chosen();
    const tiers = tiersOf(this.links().filter((l) => isDrawn(l, this.crowded, chosen)), scale);
    this.legend.hidden = tiers.length === 0;
    const known = tiers.filter((t) => t.step !== null);
    const short = scale && known.length > NAMED_STEPS ? [this.steps(known, scale)] : [];
    fill(this.legend, ...short, ...(short.length > 0 ? tiers.filter((t) => t.step === null) : tiers).map((t) => h("li", {}, svg("svg", { viewBox: "0 0 26 8", "aria-hidden": "true" }, ...stroke("M0 4H26", `edge tree ${t.tone}`, t, scale)), t.words)));
  }

  // Many steps are one entry: their colours side by side, and from where to where they go.
  private steps(known: readonly Tier[], scale: BoundScale): HTMLElement {
    const lines = known.flatMap((t, i) => stroke(`M${i * STEP} 4H${(i + 1) * STEP}`, `edge tree ${t.tone}`, t, scale));
    const picture = svg("svg", { viewBox: `0 0 ${known.length * STEP} 8`, "aria-hidden": "true" }, ...lines);
    picture.style.width = `${known.length * STEP}px`;
    return h("li", {}, picture, `${stepWords(scale, known[0].step!, known[known.length - 1].step!)}, in steps that double`);
  }

  private edge(l: LinkInfo, a: Spot, b: Spot, chosen: boolean, lane?: string): SVGElement[] {
    const path = lane ?? route(a, b, !l.in_tree).path;
    const faint = a.tree && !l.in_tree && !chosen;
    const scale = boundScale(this.set.clocks);
    const of = tier(l, scale);
    const line = stroke(path, `edge${l.in_tree ? " tree" : l.excluded ? " left" : ""} ${of.tone}${faint ? " faint" : ""}${a.tree?.fold.small ? " small" : ""}`, of, scale);
    const hit = svg("path", { d: path, class: "hit" }, svg("title", {}, `${l.a} – ${l.b}: ${classWords(l.class, bounding(this.set.clocks)).words}${rangeWords(l)}${l.in_tree ? "" : ", " + unused(l)}`));
    hit.addEventListener("click", () => this.picking().choose(l));
    return chosen ? [svg("path", { d: path, class: "halo" }), ...line, hit] : [...line, hit];
  }

  // A host is a button: pressed, it is one of the two that are compared.
  private node(host: HostInfo, s: Spot, at: Caption | null, W: number): SVGElement {
    const ref = host.reference && !host.unsynchronized;
    const note = noteOf(this.set, host);
    const brief = s.tree && note.length > MOST_BESIDE ? briefly(host) : note;
    const { compared, pick } = this.picking();
    const marked = compared.includes(host.name);
    const shown = cut(host.name, s.tree?.fold.letters ?? LONGEST);
    const el = svg("g", { role: "button", tabindex: host.name === this.first ? 0 : -1, "data-host": host.name, "aria-pressed": String(marked), "aria-label": spoken(host.name, shown, note, brief) }, svg("title", {}, `${titled(host.name, note)}. Click two hosts to compare them.`));
    const circle = (r: number, kind: string) => svg("circle", { cx: s.x, cy: s.y, r, class: `node${kind}` });
    el.append(circle(s.r, (ref ? " reference" : "") + (host.unsynchronized ? " island" : "") + (marked ? " compared" : "")));
    if (ref) el.append(circle(s.r * 0.74, " inner" + (marked ? " compared" : "")));
    el.append(...(at ? caption(at, shown, note) : treeCaption(s, shown, brief, W)));
    el.addEventListener("click", () => pick(host.name));
    el.addEventListener("pointerenter", () => this.point(host.name));
    el.addEventListener("pointerleave", () => this.point(null));
    el.addEventListener("focus", () => this.point(host.name));
    el.addEventListener("blur", () => this.point(null));
    return el;
  }

  // Tells of a host, and shows its links where not all are drawn.
  private point(name: string | null): void {
    this.hot = name;
    this.onPoint(name);
    const host = this.set.hosts.find((x) => x.name === name);
    const [all, chosen] = [this.links(), this.chosen()];
    const own = host ? all.filter((l) => l.a === host.name || l.b === host.name) : [];
    this.others.replaceChildren();
    if (this.crowded)
      for (const l of own) {
        const [a, b] = [this.spots.get(l.a), this.spots.get(l.b)];
        if (a && b && !l.in_tree && l !== chosen) this.others.append(...this.edge(l, a, b, false));
      }
    const used = own.filter((l) => l.in_tree).length;
    text(this.key, host ? `${titled(host.name, noteOf(this.set, host))}; ${counted(own.length, "link")}, ${used} in use. Press it, and another, to compare them.` : graphKey(this.set, this.crowded));
  }

  private focus(name: string, preventScroll = false): void {
    for (const node of this.el.querySelectorAll<SVGElement>("[data-host]")) {
      const on = node.dataset.host === name;
      node.tabIndex = on ? 0 : -1;
      if (on) node.focus({ preventScroll });
    }
    this.first = name;
  }

  // Arrow keys lead to the nearest host that way, Home to the reference; Enter and the space bar press it.
  private step(e: KeyboardEvent): void {
    const now = (e.target as Element).closest<SVGElement>("[data-host]")?.dataset.host;
    const from = this.spots.get(now ?? "");
    if (now === undefined || !from || e.ctrlKey || e.metaKey || e.altKey) return;
    const ways: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (e.key === "Enter" || e.key === " ") this.picking().pick(now);
    else if (e.key === "Home") this.focus(this.set.hosts.find((x) => x.reference && !x.unsynchronized)?.name ?? now);
    else if (e.key in ways) this.focus(this.next(now, from, ways[e.key]));
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // In a tree up and down lead from row to row, also from column to column, left to the host that this one hangs from, right to one
  // that is further away from the root.
  private next(now: string, from: Spot, [dx, dy]: [number, number]): string {
    let [best, least] = [now, Infinity];
    for (const [name, s] of this.spots) {
      const rows = from.tree && s.tree ? s.tree.row - from.tree.row : 0;
      const hops = from.tree && s.tree ? s.tree.depth - from.tree.depth : 0;
      const along = !from.tree ? (s.x - from.x) * dx + (s.y - from.y) * dy : rows * dy + hops * dx;
      const across = Math.abs((s.x - from.x) * dy) + Math.abs((s.y - from.y) * dx);
      if (along < 0.5 || (!from.tree && across > 2 * along) || (dx < 0 && rows > 0)) continue;
      const far = from.tree ? Math.abs(rows) : along + 2 * across;
      if (far < least) [best, least] = [name, far];
    }
    return best;
  }
}

// Whether there are too many links out of use to draw them all.
function isCrowded(links: readonly LinkInfo[], spots: Map<string, Spot>): boolean {
  return links.length - links.filter((l) => l.in_tree).length > (inRows(spots) ? ALL_OF_ROWS : ALL);
}

const inRows = (spots: Map<string, Spot>) => [...spots.values()].some((s) => s.tree !== null);

// Whether a link is in the graph while no host is pointed at.
function isDrawn(l: LinkInfo, crowded: boolean, chosen: LinkInfo | null): boolean {
  return l.in_tree || !crowded || l === chosen;
}

// The line of a link by its classes, with the colour and width of its bound's step: one in use that has no bound is hollow.
function stroke(d: string, of: string, { step }: Tier, scale: BoundScale | null): SVGElement[] {
  const line = svg("path", { d, class: of });
  if (step !== null && scale) {
    line.style.setProperty("--bound", boundStyle(scale, step));
    line.style.setProperty("--better", boundWidth(scale, step).toFixed(2));
  }
  return of.startsWith("edge tree enone") ? [line, svg("path", { d, class: "core" })] : [line];
}

function medianWords(l: LinkInfo): string {
  const known = knownBy(l);
  return known ? plusMinus(known.median) : "";
}

function rangeWords(l: LinkInfo): string {
  const known = knownBy(l);
  return known ? `, ${span(known.min, known.max)}` : "";
}

// What stands beside a host's name.
function noteOf(set: SetModel, host: HostInfo): string {
  if (host.reference && !host.unsynchronized) return "reference";
  if (host.unsynchronized) return unrelatedWords(host);
  const error = set.clock(host.index)?.error_ns;
  if (error) return span(error.min, error.max);
  return bounding(set.clocks) && set.clocks ? "no bound" : "";
}

// The same where it has no room, as beside the names of hosts that stand in rows: whose clock it is then, is told when the host is pointed at.
function briefly(host: HostInfo): string {
  return host.provisional ? "not known yet" : "not related";
}

// Words on a link have a plate, those above one in rows need none.
function label(at: { x: number; y: number }, words: string, on: boolean): SVGElement[] {
  const { left, right, top, bottom } = labelBox(at, words);
  const plate = svg("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "plate" });
  return [...(on ? [plate] : []), svg("text", { x: at.x, y: at.y + 4, class: "edge-label", "text-anchor": "middle" }, words)];
}

// Of a host nothing may be known yet.
const titled = (name: string, note: string) => (note ? `${name}: ${note}` : name);

// What a host is called by: all that is drawn of it must be in that, and its whole name.
function spoken(name: string, shown: string, note: string, brief: string): string {
  const more = brief === note ? "" : `: ${note}`;
  return shown === name && !more ? titled(name, note) : `${shown} ${brief}, ${name}${more}`;
}

// The space keeps name and note apart for those who read the node as one line.
function caption({ x, y, anchor }: Caption, name: string, note: string): SVGElement[] {
  // Plates, so that no line runs through the words.
  const plate = (width: number, top: number, height: number) => svg("rect", { x: x - (anchor === "middle" ? width / 2 : anchor === "end" ? width - 4 : 4), y: top, width, height, rx: 3, class: "plate" });
  const plates = [plate(name.length * NAME + 14, y - 14, 19), ...(note ? [plate(note.length * LETTER + 8, y + 2, 17)] : [])];
  return [...plates, svg("text", { x, y, class: "node-name", "text-anchor": anchor }, `${name} `), svg("text", { x, y: y + 14, class: "node-note", "text-anchor": anchor }, note)];
}

// In a tree names stand behind their hosts, and bounds below each other at the right.
function treeCaption(s: Spot, name: string, note: string, W: number): SVGElement[] {
  const out = [svg("rect", { x: s.x + s.r + 3, y: s.y - 7, width: name.length * (s.tree?.fold.small ? LETTER : NAME) + 4, height: 14, class: "plate" })];
  out.push(svg("text", { x: s.x + s.r + 5, y: s.y + 4, class: `node-name${s.tree?.fold.small ? " small" : ""}`, "text-anchor": "start" }, `${name} `));
  if (s.tree?.fold.noted) out.push(svg("text", { x: W - 6, y: s.y + 4, class: "node-note", "text-anchor": "end" }, note));
  return out;
}

// A long name is cut in its middle; all of it is told when the host is pointed at. Among rows there may be less room for names.
function cut(name: string, letters: number): string {
  return shortened(name, Math.ceil((letters - 1) / 2), Math.floor((letters - 1) / 2));
}

const lettersIn = (spots: Map<string, Spot>) => [...spots.values()].find((s) => s.tree)?.tree?.fold.letters ?? LONGEST;

// What lines mean, in words; "" where there are none.
function graphKey(set: SetModel, crowded: boolean): string {
  const links = (set.clocks?.links ?? []).filter((l) => l.class !== "absent");
  const out: string[] = [];
  const left = links.filter((l) => l.excluded).length;
  const others = links.filter((l) => !l.in_tree && !l.excluded).length;
  const checks = links.filter((l) => l.loop_ns).length;
  const used = links.length - others - left > 0;
  if (used) out.push("Solid: in use, the way to the reference.");
  if (crowded) out.push(`${counted(others + left, "link")} more are not in use${checks > 0 ? `, ${checks === others + left ? "" : `${group(checks)} `}a check of the others` : ""}: point at a host to see its own.`);
  else if (others > 0) out.push(checks > 0 ? `Broken: not in use, ${checks === others ? "" : `${group(checks)} `}a check of the others.` : "Broken: not in use.");
  if (left > 0) out.push("Dotted: left out, it counts for nothing.");
  if (used && !bounding(set.clocks)) out.push("Hollow: this method bounds nothing.");
  if (set.hosts.some((x) => x.unsynchronized)) out.push(`A broken circle: no message${set.hosts.some((x) => x.provisional) ? " that was read yet" : ""} relates this clock to the reference.`);
  return out.join(" ");
}

function describe(set: SetModel): string {
  const links = (set.clocks?.links ?? []).filter((l) => l.in_tree).map((l) => `${l.a} to ${l.b}`);
  return `${set.hosts.length} hosts. Links in use: ${links.join(", ") || "none"}. The table beside lists them all.`;
}
