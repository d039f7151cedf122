// The graph of hosts: links of the spanning forest are solid, others broken, each coloured by its bound and the wider
// the better that is, hollow where it has none; hosts that no message relates to the reference stand apart. Where there are
// very many links, those that are not in use are drawn of one host at a time, the one that is pointed at or has the focus.

import { boundScale, boundStyle, boundWidth, stepWords, type BoundScale } from "../draw/bounds.js";
import type { HostInfo, LinkInfo } from "../net/json.js";
import type { SetModel } from "../model/set.js";
import { fill, h, svg, text } from "../ui/dom.js";
import { counted } from "../time/number.js";
import { plusMinus } from "../time/time.js";
import { arrange, route, type Spot } from "./arrange.js";
import { LONGEST } from "./fold.js";
import { bounding } from "./force.js";
import { classWords, span, tier, tiersOf, unused, type Tier } from "./number.js";

/** With more links only those in use have their bound beside them. */
const LABELLED = 12;
/** With more links out of use they are drawn of one host at a time. */
const ALL = 60;
/** The legend names up to so many steps of bounds one by one; more are a strip of so many pixels each. */
const NAMED_STEPS = 3;
const STEP = 12;
/** The width of a letter of a note. */
const LETTER = 6.6;
/** The width of a letter of a host's name, most of the time at most. */
const NAME = 8.2;
/** What it costs a side of a host to cover something, more than links ever do; and to have no room. */
const COVERED = 4;
const LAST = 100;

export interface Picking {
  readonly compared: readonly string[]; // hosts that are marked
  readonly choose: (l: LinkInfo) => void;
  readonly pick: (host: string) => void;
}

export class HostGraph {
  readonly el = h("div", { class: "graph", role: "region", "aria-label": "Graph of hosts and links" });
  /** Says what the lines mean, or what the host is that is pointed at. */
  readonly key = h("p", { class: "minor key" });
  /** What the colours and widths of the lines mean. */
  readonly legend = h("ul", { class: "tiers", "aria-label": "Lines by the bound of their link" });
  private hot: string | null = null;
  /** The host that the Tab key leads to. */
  private first = "";
  private spots = new Map<string, Spot>();
  private others = svg("g");

  constructor(private readonly set: SetModel, private readonly picking: () => Picking, private readonly chosen: () => LinkInfo | null) {
    this.el.addEventListener("keydown", (e) => this.step(e));
  }

  render(): void {
    const { el, set } = this;
    this.explain();
    // Its size is rounded, and half a pixel too much would bring scroll bars.
    const [W, room] = [Math.max(240, el.clientWidth - 1), Math.max(160, el.clientHeight - 1)];
    if (set.hosts.length === 0) {
      el.replaceChildren(h("p", { class: "empty" }, "This shows the hosts and who exchanged messages with whom. It appears with the first host."));
      this.spots.clear();
      text(this.key, "");
      return;
    }
    const [links, chosen] = [this.links(), this.chosen()];
    const crowded = isCrowded(links);
    const { spots, width, height } = arrange(set.hosts, links.filter((l) => l.in_tree), W, room);
    this.spots = spots;
    const H = Math.max(height, room);
    const shift = (H - height) / 2;
    this.others = svg("g");
    const root = svg("svg", { viewBox: `0 ${-shift} ${width} ${H}`, width, height: H, role: "group", "aria-label": describe(set) }, this.others);
    const labels: SVGElement[] = [];
    const taken: Box[] = [...spots.values()].map((s) => ({ left: s.x - s.r, right: s.x + s.r, top: s.y - s.r, bottom: s.y + s.r })); // by hosts and words
    const ways = new Map<string, number[]>(); // in which links leave a host
    for (const l of [...links].sort((a, b) => Number(a.in_tree) - Number(b.in_tree))) {
      const [a, b] = [spots.get(l.a), spots.get(l.b)];
      if (!a || !b || !isDrawn(l, crowded, chosen)) continue;
      const { x, y } = route(a, b, !l.in_tree);
      for (const [name, s] of [[l.a, a], [l.b, b]] as const) ways.set(name, [...(ways.get(name) ?? []), Math.atan2(y - s.y, x - s.x)]);
      root.append(...this.edge(l, a, b, l === chosen));
      const free = l.in_tree || ![...spots.values()].some((s) => Math.abs(s.x - x) < 32 + s.r && Math.abs(s.y - y) < 9 + s.r);
      const words = l.error_ns ? plusMinus(l.error_ns.median) : "";
      // A plate that would cover its whole link says less than the link.
      const long = !l.in_tree || Math.hypot(a.x - b.x, a.y - b.y) - a.r - b.r > words.length * LETTER + 24;
      if (words && free && long && !a.tree && (l.in_tree || links.length <= LABELLED)) {
        labels.push(...label(x, y, words));
        taken.push(labelBox(x, y, words));
      }
    }
    root.append(...labels);
    if (!spots.has(this.first)) this.first = (set.hosts.find((x) => x.reference && !x.unsynchronized) ?? set.hosts[0]).name;
    for (const host of set.hosts) {
      const s = spots.get(host.name);
      if (s) root.append(this.node(host, s, ways.get(host.name) ?? [], taken, width));
    }
    const focused = el.contains(document.activeElement) ? (document.activeElement as Element).getAttribute("data-host") : null;
    el.replaceChildren(root);
    // The page may have been scrolled away from it.
    if (focused !== null && spots.has(focused)) this.focus(focused, true);
    this.point(this.hot);
  }

  private links(): LinkInfo[] {
    return (this.set.clocks?.links ?? []).filter((l) => l.class !== "absent");
  }

  private explain(): void {
    const scale = boundScale(this.set.clocks);
    const [links, chosen] = [this.links(), this.chosen()];
    const crowded = isCrowded(links);
    const tiers = tiersOf(links.filter((l) => isDrawn(l, crowded, chosen)), scale);
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

  private edge(l: LinkInfo, a: Spot, b: Spot, chosen: boolean): SVGElement[] {
    const { path } = route(a, b, !l.in_tree);
    const faint = a.tree && !l.in_tree && !chosen;
    const scale = boundScale(this.set.clocks);
    const of = tier(l, scale);
    const line = stroke(path, `edge${l.in_tree ? " tree" : ""} ${of.tone}${faint ? " faint" : ""}${a.tree?.fold.small ? " small" : ""}`, of, scale);
    const hit = svg("path", { d: path, class: "hit" }, svg("title", {}, `${l.a} – ${l.b}: ${classWords(l.class, bounding(this.set.clocks)).words}${l.error_ns ? ", " + span(l.error_ns.min, l.error_ns.max) : ""}${l.in_tree ? "" : ", " + unused(l)}`));
    hit.addEventListener("click", () => this.picking().choose(l));
    return chosen ? [svg("path", { d: path, class: "halo" }), ...line, hit] : [...line, hit];
  }

  // A host is a button: pressed, it is one of the two that are compared.
  private node(host: HostInfo, s: Spot, ways: number[], taken: Box[], W: number): SVGElement {
    const ref = host.reference && !host.unsynchronized;
    const note = noteOf(this.set, host);
    const { compared, pick } = this.picking();
    const marked = compared.includes(host.name);
    const el = svg("g", { role: "button", tabindex: host.name === this.first ? 0 : -1, "data-host": host.name, "aria-pressed": String(marked), "aria-label": spoken(host.name, note) }, svg("title", {}, `${titled(host.name, note)}. Click two hosts to compare them.`));
    const circle = (r: number, kind: string) => svg("circle", { cx: s.x, cy: s.y, r, class: `node${kind}` });
    el.append(circle(s.r, (ref ? " reference" : "") + (host.unsynchronized ? " island" : "") + (marked ? " compared" : "")));
    if (ref) el.append(circle(s.r * 0.74, " inner" + (marked ? " compared" : "")));
    el.append(...(s.tree ? treeCaption(s, cut(host.name), note, W) : caption(s, cut(host.name), note, ways, taken, W)));
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
    const host = this.set.hosts.find((x) => x.name === name);
    const [all, chosen] = [this.links(), this.chosen()];
    const own = host ? all.filter((l) => l.a === host.name || l.b === host.name) : [];
    const crowded = isCrowded(all);
    this.others.replaceChildren();
    if (crowded)
      for (const l of own) {
        const [a, b] = [this.spots.get(l.a), this.spots.get(l.b)];
        if (a && b && !l.in_tree && l !== chosen) this.others.append(...this.edge(l, a, b, false));
      }
    const used = own.filter((l) => l.in_tree).length;
    text(this.key, host ? `${titled(host.name, noteOf(this.set, host))}; ${counted(own.length, "link")}, ${used} in use. Press it, and another, to compare them.` : graphKey(this.set, crowded));
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
function isCrowded(links: readonly LinkInfo[]): boolean {
  return links.length - links.filter((l) => l.in_tree).length > ALL;
}

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

// What stands beside a host's name.
function noteOf(set: SetModel, host: HostInfo): string {
  if (host.reference && !host.unsynchronized) return "reference";
  const own = set.hosts.find((x) => x.component === host.component && x.reference && x.index !== host.index);
  if (host.unsynchronized) return own ? `with ${own.name}` : "unsynchronized";
  const error = set.clock(host.index)?.error_ns;
  return error ? span(error.min, error.max) : "";
}

/** What words or a host take of the drawing. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function labelBox(x: number, y: number, words: string): Box {
  const width = words.length * 6.9 + 8;
  return { left: x - width / 2, right: x + width / 2, top: y - 9, bottom: y + 9 };
}

function label(x: number, y: number, words: string): SVGElement[] {
  const { left, right, top, bottom } = labelBox(x, y, words);
  return [svg("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "plate" }), svg("text", { x, y: y + 4, class: "edge-label", "text-anchor": "middle" }, words)];
}

// Of a host nothing may be known yet.
const titled = (name: string, note: string) => (note ? `${name}: ${note}` : name);

// What a host is called by: all that is drawn of it must be in that, and its whole name.
function spoken(name: string, note: string): string {
  return cut(name) === name ? titled(name, note) : `${cut(name)} ${note}, ${name}`;
}

// The space keeps name and note apart for those who read the node as one line.
function texts(x: number, y: number, anchor: string, name: string, note: string): SVGElement[] {
  // Plates, so that no line runs through the words.
  const plate = (width: number, top: number, height: number) => svg("rect", { x: x - (anchor === "middle" ? width / 2 : anchor === "end" ? width - 4 : 4), y: top, width, height, rx: 3, class: "plate" });
  const plates = [plate(name.length * NAME + 14, y - 14, 19), ...(note ? [plate(note.length * LETTER + 8, y + 2, 17)] : [])];
  return [...plates, svg("text", { x, y, class: "node-name", "text-anchor": anchor }, `${name} `), svg("text", { x, y: y + 14, class: "node-note", "text-anchor": anchor }, note)];
}

// In a tree names stand behind their hosts, and bounds below each other at the right.
function treeCaption(s: Spot, name: string, note: string, W: number): SVGElement[] {
  const out = [svg("text", { x: s.x + s.r + 5, y: s.y + 4, class: `node-name${s.tree?.fold.small ? " small" : ""}`, "text-anchor": "start" }, `${name} `)];
  if (s.tree?.fold.noted) out.push(svg("text", { x: W - 6, y: s.y + 4, class: "node-note", "text-anchor": "end" }, note));
  return out;
}

// A long name is cut; all of it is told when the host is pointed at.
const cut = (name: string) => (name.length > LONGEST ? name.slice(0, LONGEST - 1) + "…" : name);

// The name of a host stands on the side that is furthest from its links and has room, on nothing else if there is such a side.
function caption(s: Spot, name: string, note: string, ways: number[], taken: Box[], W: number): SVGElement[] {
  const half = (Math.max(name.length * 1.3, note.length) * LETTER) / 2 + 4;
  const sides = [
    { angle: Math.PI / 2, x: Math.min(Math.max(s.x, half), W - half), y: s.y + s.r + 16, anchor: "middle", fits: true },
    { angle: -Math.PI / 2, x: Math.min(Math.max(s.x, half), W - half), y: s.y - s.r - 21, anchor: "middle", fits: true },
    { angle: 0, x: s.x + s.r + 8, y: s.y - 2, anchor: "start", fits: s.x + s.r + 8 + 2 * half < W },
    { angle: Math.PI, x: s.x - s.r - 8, y: s.y - 2, anchor: "end", fits: s.x - s.r - 8 > 2 * half },
  ];
  const free = (angle: number) => ways.reduce((least, w) => Math.min(least, Math.abs(Math.atan2(Math.sin(w - angle), Math.cos(w - angle)))), Math.PI);
  // Rather above or below, where there is room for a long name.
  const box = ({ x, y, anchor }: (typeof sides)[number]): Box => {
    const left = anchor === "middle" ? x - half : anchor === "end" ? x - 2 * half : x;
    return { left, right: left + 2 * half, top: y - 14, bottom: y + 19 };
  };
  const covers = (side: (typeof sides)[number]) => taken.filter((b) => meet(b, box(side))).length;
  const score = (side: (typeof sides)[number]) => (side.fits ? free(side.angle) * (side.anchor === "middle" ? 1 : 0.8) - COVERED * covers(side) : -LAST);
  const best = sides.reduce((a, b) => (score(b) > score(a) + 1e-9 ? b : a));
  taken.push(box(best));
  return texts(best.x, best.y, best.anchor, name, note);
}

// What lines mean, in words; "" where there are none.
function graphKey(set: SetModel, crowded: boolean): string {
  const links = (set.clocks?.links ?? []).filter((l) => l.class !== "absent");
  const out: string[] = [];
  const others = links.filter((l) => !l.in_tree).length;
  if (others < links.length) out.push("Solid: in use, the way to the reference.");
  if (crowded) out.push(`${counted(others, "link")} more are not in use${bounding(set.clocks) ? ", a check of the others" : ""}: point at a host to see its own.`);
  else if (others > 0) out.push(bounding(set.clocks) ? "Broken: not in use, a check of the others." : "Broken: not in use.");
  if (others < links.length && !bounding(set.clocks)) out.push("Hollow: this method bounds nothing.");
  if (set.hosts.some((x) => x.unsynchronized)) out.push("A broken circle: no message relates this clock to the reference.");
  return out.join(" ");
}

function describe(set: SetModel): string {
  const links = (set.clocks?.links ?? []).filter((l) => l.in_tree).map((l) => `${l.a} to ${l.b}`);
  return `${set.hosts.length} hosts. Links in use: ${links.join(", ") || "none"}. The table beside lists them all.`;
}
