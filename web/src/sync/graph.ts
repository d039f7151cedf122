// The graph of hosts: links of the spanning forest are solid, others broken; hosts that
// no message relates to the reference stand apart.

import type { HostInfo, LinkInfo } from "../net/json.js";
import type { SetModel } from "../model/set.js";
import { h, svg } from "../ui/dom.js";
import { plusMinus } from "../time/time.js";
import { arrange, route, type Spot } from "./arrange.js";
import { CLASSES, span, unused } from "./number.js";

/** With more links only those in use have their bound beside them. */
const LABELLED = 12;
/** The width of a letter of a note. */
const LETTER = 6.6;

export interface Picking {
  readonly compared: readonly string[]; // hosts that are marked
  readonly pick: (host: string) => void;
}

export function drawGraph(box: HTMLElement, set: SetModel, chosen: LinkInfo | null, choose: (l: LinkInfo) => void, picking: Picking): void {
  const [W, room] = [Math.max(240, box.clientWidth), Math.max(160, box.clientHeight)];
  if (set.hosts.length === 0) {
    box.replaceChildren(h("p", { class: "empty" }, "This shows the hosts and who exchanged messages with whom. It appears with the first host."));
    return;
  }
  const links = (set.clocks?.links ?? []).filter((l) => l.class !== "absent");
  const { spots, width, height } = arrange(set.hosts, links.filter((l) => l.in_tree), W, room);
  const H = Math.max(height, room);
  const shift = (H - height) / 2;
  const root = svg("svg", { viewBox: `0 ${-shift} ${width} ${H}`, width, height: H, role: "img", "aria-label": describe(set) });
  const labels: SVGElement[] = [];
  const ways = new Map<string, number[]>(); // in which links leave a host
  for (const l of [...links].sort((a, b) => Number(a.in_tree) - Number(b.in_tree))) {
    const [a, b] = [spots.get(l.a), spots.get(l.b)];
    if (!a || !b) continue;
    const { path, x, y } = route(a, b, !l.in_tree);
    for (const [name, s] of [[l.a, a], [l.b, b]] as const) ways.set(name, [...(ways.get(name) ?? []), Math.atan2(y - s.y, x - s.x)]);
    const faint = a.tree && !l.in_tree && chosen !== l;
    const line = svg("path", { d: path, class: `edge ${CLASSES[l.class].tone}${l.in_tree ? " tree" : ""}${faint ? " faint" : ""}${chosen === l ? " on" : ""}` });
    const hit = svg("path", { d: path, class: "hit" }, svg("title", {}, `${l.a} – ${l.b}: ${CLASSES[l.class].words}${l.error_ns ? ", " + span(l.error_ns.min, l.error_ns.max) : ""}${l.in_tree ? "" : ", " + unused(l)}`));
    hit.addEventListener("click", () => choose(l));
    root.append(line, hit);
    const far = Math.abs(a.x - b.x) > 100;
    const free = l.in_tree || ![...spots.values()].some((s) => Math.abs(s.x - x) < 32 + s.r && Math.abs(s.y - y) < 9 + s.r);
    if (l.error_ns && free && (a.tree ? l.in_tree && far : l.in_tree || links.length <= LABELLED)) labels.push(...label(x, y, plusMinus(l.error_ns.median)));
  }
  root.append(...labels);
  for (const host of set.hosts) {
    const s = spots.get(host.name);
    if (s) root.append(...node(set, host, s, ways.get(host.name) ?? [], W, picking));
  }
  box.replaceChildren(root);
}

function node(set: SetModel, host: HostInfo, s: Spot, ways: number[], W: number, picking: Picking): SVGElement[] {
  const ref = host.reference && !host.unsynchronized;
  const error = set.clock(host.index)?.error_ns;
  const own = set.hosts.find((x) => x.component === host.component && x.reference && x.index !== host.index);
  const note = ref ? "reference" : host.unsynchronized ? (own ? `with ${own.name}` : "unsynchronized") : error ? span(error.min, error.max) : "";
  const marked = picking.compared.includes(host.name);
  const circle = (r: number, kind: string) => {
    const el = svg("circle", { cx: s.x, cy: s.y, r, class: `node${kind}` }, svg("title", {}, `${host.name}: ${note}. Click two hosts to compare them.`));
    el.addEventListener("click", () => picking.pick(host.name));
    return el;
  };
  const out = [circle(s.r, (ref ? " reference" : "") + (host.unsynchronized ? " island" : "") + (marked ? " compared" : ""))];
  if (ref) out.push(circle(s.r * 0.74, " inner" + (marked ? " compared" : "")));
  return [...out, ...(s.tree ? treeCaption(s, cut(host.name), note) : caption(s, cut(host.name), note, ways, W))];
}

function label(x: number, y: number, words: string): SVGElement[] {
  const width = words.length * 6.9 + 8;
  return [svg("rect", { x: x - width / 2, y: y - 9, width, height: 18, class: "plate" }), svg("text", { x, y: y + 4, class: "edge-label", "text-anchor": "middle" }, words)];
}

function texts(x: number, y: number, anchor: string, name: string, note: string): SVGElement[] {
  return [svg("text", { x, y, class: "node-name", "text-anchor": anchor }, name), svg("text", { x, y: y + 14, class: "node-note", "text-anchor": anchor }, note)];
}

// In a tree leaves have their name behind them, the others above.
function treeCaption(s: Spot, name: string, note: string): SVGElement[] {
  if (s.leaf) return texts(s.x + s.r + 6, s.noted ? s.y - 1 : s.y + 4, "start", name, s.noted ? note : "");
  return texts(s.depth === 0 ? 4 : s.x, s.y - s.r - 5, s.depth === 0 ? "start" : "middle", name, "");
}

/** A longer name is cut; all of it stands in the title of its node. */
const LONGEST = 24;
const cut = (name: string) => (name.length > LONGEST ? name.slice(0, LONGEST - 1) + "…" : name);

// The name of a host stands on the side that is furthest from its links and has room.
function caption(s: Spot, name: string, note: string, ways: number[], W: number): SVGElement[] {
  const half = (Math.max(name.length * 1.15, note.length) * LETTER) / 2 + 4;
  const sides = [
    { angle: Math.PI / 2, x: Math.min(Math.max(s.x, half), W - half), y: s.y + s.r + 16, anchor: "middle", fits: true },
    { angle: -Math.PI / 2, x: Math.min(Math.max(s.x, half), W - half), y: s.y - s.r - 21, anchor: "middle", fits: true },
    { angle: 0, x: s.x + s.r + 8, y: s.y - 2, anchor: "start", fits: s.x + s.r + 8 + 2 * half < W },
    { angle: Math.PI, x: s.x - s.r - 8, y: s.y - 2, anchor: "end", fits: s.x - s.r - 8 > 2 * half },
  ];
  const free = (angle: number) => ways.reduce((least, w) => Math.min(least, Math.abs(Math.atan2(Math.sin(w - angle), Math.cos(w - angle)))), Math.PI);
  // Rather above or below, where there is room for a long name.
  const score = (side: (typeof sides)[number]) => (side.fits ? free(side.angle) * (side.anchor === "middle" ? 1 : 0.8) : -1);
  const best = sides.reduce((a, b) => (score(b) > score(a) + 1e-9 ? b : a));
  return texts(best.x, best.y, best.anchor, name, note);
}

/** What lines mean, in words; "" where there are none. */
export function graphKey(set: SetModel): string {
  const links = (set.clocks?.links ?? []).filter((l) => l.class !== "absent");
  const out: string[] = [];
  if (links.some((l) => l.in_tree)) out.push("Solid: in use, the way to the reference.");
  if (links.some((l) => !l.in_tree)) out.push("Broken: not in use, a check of the others.");
  if (set.hosts.some((x) => x.unsynchronized)) out.push("A broken circle: no message relates this clock to the reference.");
  return out.join(" ");
}

function describe(set: SetModel): string {
  const links = (set.clocks?.links ?? []).filter((l) => l.in_tree).map((l) => `${l.a} to ${l.b}`);
  return `${set.hosts.length} hosts. Links in use: ${links.join(", ") || "none"}. The table beside lists them all.`;
}
