// What the messages of a link say about its clock: every message from a to b is a time
// that b's clock cannot lie above, every one from b to a one it cannot lie below. Drawn
// as what remains after the estimate is taken away, or the slope would hide all else.

import type { Palette } from "../draw/palette.js";
import type { Surface } from "../draw/surface.js";
import type { Points } from "../net/json.js";
import { axisLabel, roundValues } from "../time/ticks.js";

const LEFT = 64;
const BOTTOM = 24;

export function drawPoints(s: Surface, p: Points | null, a: string, b: string, empty: string, palette: Palette): void {
  if (s.width === 0) return;
  const g = s.begin(palette.css.panel);
  g.font = palette.mono;
  const span = p ? Number(BigInt(p.end) - BigInt(p.begin)) : 0;
  if (!p || !p.points || p.points.length === 0 || !(span > 0)) {
    g.fillStyle = palette.css.ink2;
    g.fillText(empty, 8, 24);
    return;
  }
  const reach = reachOf(p);
  const W = s.width;
  const middle = (s.height - BOTTOM) / 2;
  const y = (v: number) => middle - (v / reach) * middle;
  const x = (t: number) => LEFT + ((W - LEFT - 8) * t) / span;
  g.textAlign = "right";
  for (const v of roundValues(-reach, reach, 8)) {
    if (Math.abs(v) > reach * 0.98) continue;
    g.fillStyle = palette.css.grid;
    g.fillRect(LEFT, Math.round(y(v)), W - LEFT, 1);
    g.fillStyle = palette.css.ink2;
    g.fillText(axisLabel(v, reach, true), LEFT - 6, y(v) + 4);
  }
  g.textAlign = "center";
  for (const t of roundValues(0, span, 6)) g.fillText(axisLabel(t, span), Math.min(x(t), W - 16), s.height - 6);
  g.textAlign = "left";
  g.save();
  g.beginPath();
  g.rect(LEFT, 0, W - LEFT, s.height - BOTTOM);
  g.clip();
  const path = (points: [number, number][]) => {
    g.beginPath();
    points.forEach(([t, v], i) => (i ? g.lineTo(x(t), y(v)) : g.moveTo(x(t), y(v))));
  };
  if (p.band?.length) {
    path([...p.band.map(([t, , high]): [number, number] => [t, high]), ...p.band.map(([t, low]): [number, number] => [t, low]).reverse()]);
    g.fillStyle = palette.css.brush;
    g.fill();
  }
  g.globalAlpha = 0.55;
  for (const direction of [0, 1]) {
    g.fillStyle = direction === 0 ? palette.css.sys : palette.css.user;
    for (const [t, v, d] of p.points) {
      if (d !== direction) continue;
      const out = Math.abs(v) > reach;
      // Circles and squares, and for what is off the scale a mark at the edge.
      if (out) g.fillRect(x(t) - 0.5, v > 0 ? 0 : s.height - BOTTOM - 4, 1, 4);
      else if (direction === 0) {
        g.beginPath();
        g.arc(x(t), y(v), 1.5, 0, 7);
        g.fill();
      } else g.fillRect(x(t) - 1.2, y(v) - 1.2, 2.4, 2.4);
    }
  }
  g.globalAlpha = 1;
  const hull = (points: [number, number][] | null, color: string) => {
    if (!points?.length) return;
    path(points);
    g.strokeStyle = color;
    g.lineWidth = 1.6;
    g.stroke();
    g.fillStyle = color;
    for (const [t, v] of points) {
      g.beginPath();
      g.arc(x(t), y(v), 3, 0, 7);
      g.fill();
    }
  };
  hull(p.upper, palette.css.sys);
  hull(p.lower, palette.css.user);
  g.setLineDash([5, 4]);
  g.strokeStyle = palette.css.ink2;
  g.lineWidth = 1.3;
  for (const l of [p.lmax, p.lmin])
    if (l?.length === 2) {
      path(l);
      g.stroke();
    }
  g.setLineDash([]);
  if (p.midline !== false) {
    path([[0, 0], [span, 0]]);
    g.strokeStyle = palette.css.ink;
    g.lineWidth = 1.4;
    g.stroke();
  }
  const plate = (words: string, px: number, py: number, color: string, align: CanvasTextAlign = "left") => {
    const width = g.measureText(words).width;
    const left = align === "right" ? px - width : px;
    g.fillStyle = palette.css.panel;
    g.globalAlpha = 0.85;
    g.fillRect(left - 3, py - 11, width + 6, 15);
    g.globalAlpha = 1;
    g.fillStyle = color;
    g.fillText(words, left, py);
  };
  // The ends of the band are empty between the lines, so their names stand there if there is room.
  const lineEnd = (l: [number, number][] | null, words: string, below: boolean) => {
    if (l?.length !== 2) return;
    const slope = (l[1][1] - l[0][1]) / (l[1][0] - l[0][0] || 1);
    const at = (px: number) => y(l[1][1] + slope * (((px - LEFT) / (W - LEFT - 8)) * span - l[1][0]));
    const [near, far] = [at(W - 12), at(W - 12 - g.measureText(words).width)];
    const inside = Math.abs(near - middle) > 40;
    const line = inside === below ? Math.min(near, far) - 6 : Math.max(near, far) + 15;
    plate(words, W - 12, Math.min(s.height - BOTTOM - 6, Math.max(14, line)), palette.css.ink2, "right");
  };
  lineEnd(p.lmax, "steepest", false);
  lineEnd(p.lmin, "flattest", true);
  plate(`● ${a} → ${b}: ${b} cannot be later than these`, LEFT + 10, 16, palette.css.sys);
  plate(`■ ${b} → ${a}: ${b} cannot be earlier than these`, LEFT + 10, s.height - BOTTOM - 8, palette.css["good"]);
  g.restore();
}

// The plot reaches past the band and what is usual of the hulls, not to the last
// straggler, beside which they would be a line.
function reachOf(p: Points): number {
  const hull = [...(p.upper ?? []), ...(p.lower ?? [])].map(([, v]) => Math.abs(v)).sort((a, b) => a - b);
  const usual = hull[hull.length >> 1] ?? 0;
  let band = 0;
  for (const [, low, high] of p.band ?? []) band = Math.max(band, Math.abs(low), Math.abs(high));
  const last = (p.points ?? []).reduce((m, [, v]) => Math.max(m, Math.abs(v)), 0);
  return Math.max(1, Math.min(last * 1.08, Math.max(band * 1.5, usual * 3.5)) || last);
}
