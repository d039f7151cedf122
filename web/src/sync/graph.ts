// The graph of hosts: links of the spanning forest are solid, others broken; hosts that
// no message reaches stand apart.

import type { LinkInfo } from "../net/json.js";
import type { SetModel } from "../model/set.js";
import { h, svg } from "../ui/dom.js";
import { plusMinus } from "../time/time.js";
import { CLASSES, span, unused } from "./number.js";

interface Spot {
  x: number;
  y: number;
  name: string;
}

const RADIUS = 17;

export function drawGraph(box: HTMLElement, set: SetModel, chosen: LinkInfo | null, choose: (l: LinkInfo) => void): void {
  const [W, H] = [Math.max(240, box.clientWidth), Math.max(160, box.clientHeight)];
  if (set.hosts.length === 0) {
    box.replaceChildren(h("p", { class: "empty" }, "This shows the hosts and who exchanged messages with whom. It appears with the first host."));
    return;
  }
  const spots = place(set, W, H);
  const root = svg("svg", { viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: "img", "aria-label": describe(set) });
  const links = (set.clocks?.links ?? []).filter((l) => l.class !== "absent");
  const labels: SVGElement[] = [];
  for (const l of [...links].sort((a, b) => Number(a.in_tree) - Number(b.in_tree))) {
    const [a, b] = [spots.get(l.a), spots.get(l.b)];
    if (!a || !b) continue;
    const on = chosen === l;
    const tone = CLASSES[l.class].tone;
    const line = svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: `edge ${tone}${l.in_tree ? " tree" : ""}${on ? " on" : ""}` });
    const hit = svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: "hit" }, svg("title", {}, `${l.a} – ${l.b}: ${CLASSES[l.class].words}${l.error_ns ? ", " + span(l.error_ns.min, l.error_ns.max) : ""}${l.in_tree ? "" : ", " + unused(l)}`));
    hit.addEventListener("click", () => choose(l));
    root.append(line, hit);
    const share = l.in_tree ? 0.5 : 0.62;
    if (l.error_ns) labels.push(...label(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, plusMinus(l.error_ns.median)));
  }
  root.append(...labels);
  const middle = { x: W / 2, y: H / 2 };
  for (const host of set.hosts) {
    const s = spots.get(host.name);
    if (!s) continue;
    const ref = host.reference && !host.unsynchronized;
    root.append(svg("circle", { cx: s.x, cy: s.y, r: RADIUS, class: `node${ref ? " reference" : ""}${host.unsynchronized ? " island" : ""}` }));
    if (ref) root.append(svg("circle", { cx: s.x, cy: s.y, r: RADIUS - 4.5, class: "node inner" }));
    const error = set.clock(host.index)?.error_ns;
    const note = ref ? "reference" : host.unsynchronized ? "unsynchronized" : error ? span(error.min, error.max) : "";
    root.append(...caption(s, host.name, note, middle, W));
  }
  box.replaceChildren(root);
}

// Each component on a circle of its own, beside the others, the reference host leftmost.
function place(set: SetModel, W: number, H: number): Map<string, Spot> {
  const groups = new Map<string, string[]>();
  for (const host of set.hosts) {
    const key = host.unsynchronized ? `alone ${host.index}` : String(host.component);
    const names = groups.get(key) ?? [];
    if (host.reference) names.unshift(host.name);
    else names.push(host.name);
    groups.set(key, names);
  }
  const out = new Map<string, Spot>();
  const all = [...groups.values()].sort((a, b) => b.length - a.length);
  const weights = all.map((g) => (g.length === 1 ? 1.15 : Math.min(6, g.length + 0.8)));
  const total = weights.reduce((a, b) => a + b, 0);
  let left = 0;
  all.forEach((names, k) => {
    const width = (W * weights[k]) / total;
    const cx = left + width / 2;
    const flat = names.length === 2;
    const rx = names.length === 1 ? 0 : Math.max(30, width / 2 - 64);
    const ry = names.length === 1 || flat ? 0 : Math.max(30, H / 2 - 52);
    names.forEach((name, i) => {
      const angle = Math.PI + (2 * Math.PI * i) / names.length;
      out.set(name, { x: cx + rx * Math.cos(angle), y: H / 2 + ry * Math.sin(angle), name });
    });
    left += width;
  });
  return out;
}

function label(x: number, y: number, words: string): SVGElement[] {
  const width = words.length * 6.9 + 8;
  return [svg("rect", { x: x - width / 2, y: y - 9, width, height: 18, class: "plate" }), svg("text", { x, y: y + 4, class: "edge-label", "text-anchor": "middle" }, words)];
}

// Names stand outside of the circle: beside, above or below a host, where no link goes.
function caption(s: Spot, name: string, note: string, middle: { x: number; y: number }, W: number): SVGElement[] {
  const upper = middle.y - s.y > 24;
  const side = Math.abs(s.x - middle.x) < 24 && (upper || s.y - middle.y > 24);
  const half = (note.length * 6.6) / 2 + 4;
  const [x, y] = side ? [s.x + RADIUS + 8, s.y - 2] : [Math.min(Math.max(s.x, half), W - half), upper ? s.y - RADIUS - 22 : s.y + RADIUS + 16];
  const anchor = side ? "start" : "middle";
  const plate = note ? [svg("rect", { x: side ? x - 4 : x - half, y: y + 4, width: 2 * half, height: 15, class: "plate" })] : [];
  return [...plate, svg("text", { x: side ? x : s.x, y, class: "node-name", "text-anchor": anchor }, name), svg("text", { x, y: y + 15, class: "node-note", "text-anchor": anchor }, note)];
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
