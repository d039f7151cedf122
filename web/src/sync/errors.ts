// The bound on each host's clock over reference time.

import type { Palette } from "../draw/palette.js";
import type { Surface } from "../draw/surface.js";
import type { SetModel } from "../model/set.js";
import { axisLabel, roundValues } from "../time/ticks.js";

const LEFT = 62;
const RIGHT = 70;
const BOTTOM = 24;
const TOP = 8;
const HUES = ["accent", "user", "cpuw", "msg", "blk", "warn"] as const;
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

interface Line {
  name: string;
  points: [number, number][]; // ns after the set's begin, bound
}

export function drawErrors(s: Surface, set: SetModel, palette: Palette): void {
  if (s.width === 0) return;
  const g = s.begin(palette.css.panel);
  const bounds = set.bounds(false);
  const lines = bounds ? linesOf(set, bounds.begin) : [];
  g.font = palette.mono;
  if (!bounds || lines.length === 0) {
    g.fillStyle = palette.css.ink2;
    g.fillText(set.hosts.length === 1 ? "A single host is its own reference: there is no error to show." : "No clock has a bound yet.", 8, 24);
    return;
  }
  // Only the time that some bound covers: hosts without one may lie years away.
  const times = lines.flatMap((l) => [l.points[0][0], l.points[l.points.length - 1][0]]);
  const first = Math.min(...times);
  const span = Math.max(1, Math.max(...times) - first);
  const values = lines.flatMap((l) => l.points.map((p) => p[1]));
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b), 1)];
  // A scale of powers where the ends are much worse than the middle.
  const log = least > 0 && most / least > 30;
  const low = log ? 10 ** Math.floor(Math.log10(least)) : 0;
  const high = log ? 10 ** Math.ceil(Math.log10(most)) : most * 1.08;
  const y = (v: number) => TOP + (s.height - BOTTOM - TOP) * (1 - (log ? Math.log(Math.max(v, low) / low) / Math.log(high / low) : v / high));
  const x = (t: number) => LEFT + ((s.width - LEFT - RIGHT) * (t - first)) / span;
  const marks = log ? Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, k) => low * 10 ** k) : roundValues(0, high, 5);
  for (const v of marks) {
    g.fillStyle = palette.css.grid;
    g.fillRect(LEFT, Math.round(y(v)), s.width - LEFT - RIGHT, 1);
    g.fillStyle = palette.css.ink2;
    g.textAlign = "right";
    g.fillText(axisLabel(v, log ? v : high), LEFT - 6, y(v) + 4);
  }
  g.textAlign = "center";
  const last = first + span;
  const room = g.measureText(axisLabel(last, last)).width + 24;
  for (const t of roundValues(first, last, Math.max(1, Math.min(6, Math.floor((s.width - LEFT - RIGHT) / room))))) g.fillText(axisLabel(t, last), x(t), s.height - 6);
  g.textAlign = "left";
  const names: { y: number; name: string; hue: string }[] = [];
  lines.forEach((l, k) => {
    const hue = palette.css[HUES[k % HUES.length]];
    g.strokeStyle = hue;
    g.lineWidth = 1.8;
    g.setLineDash(DASHES[Math.floor(k / 2) % DASHES.length]);
    g.beginPath();
    // Between two entries the larger one holds.
    l.points.forEach(([t, v], i) => {
      const next = l.points[i + 1];
      const level = next ? Math.max(v, next[1]) : v;
      if (i === 0) g.moveTo(x(t), y(level));
      else g.lineTo(x(t), y(level));
      if (next) g.lineTo(x(next[0]), y(level));
    });
    g.stroke();
    g.setLineDash([]);
    const last = l.points[l.points.length - 1];
    // A line that ends early has its name at its end, the others stand in the margin.
    const end = x(last[0]) + 6;
    const early = end + g.measureText(l.name).width < s.width - RIGHT;
    if (early) plate(g, palette, l.name, end, y(last[1]) + 4, hue);
    else names.push({ y: y(last[1]) + 4, name: l.name, hue });
  });
  names.sort((a, b) => a.y - b.y);
  names.forEach((n, i) => {
    if (i > 0) n.y = Math.max(n.y, names[i - 1].y + 14);
    g.fillStyle = n.hue;
    g.fillText(n.name, s.width - RIGHT + 6, n.y);
  });
}

function plate(g: CanvasRenderingContext2D, palette: Palette, words: string, x: number, y: number, hue: string): void {
  g.strokeStyle = palette.css.panel;
  g.lineWidth = 4;
  g.lineJoin = "round";
  g.strokeText(words, x, y);
  g.fillStyle = hue;
  g.fillText(words, x, y);
}

let drawn: { clocks: SetModel["clocks"]; begin: bigint; hosts: SetModel["info"]; lines: Line[] } | null = null;

// The lines of a solution, made once: entries are hundreds for each host, and each frame draws.
function linesOf(set: SetModel, begin: bigint): Line[] {
  if (drawn && drawn.clocks === set.clocks && drawn.hosts === set.info && drawn.begin === begin) return drawn.lines;
  drawn = { clocks: set.clocks, begin, hosts: set.info, lines: make(set, begin) };
  return drawn.lines;
}

function make(set: SetModel, begin: bigint): Line[] {
  const out: Line[] = [];
  for (const host of set.hosts) {
    if (host.reference || host.unsynchronized) continue;
    const points: [number, number][] = [];
    for (const [local, bound] of set.errorList(host.index)) {
      const t = set.toReference(host.index, local);
      if (t !== null && Number.isFinite(bound) && bound >= 0) points.push([Number(t - begin), bound]);
    }
    if (points.length > 0) out.push({ name: host.name, points });
  }
  return out;
}
