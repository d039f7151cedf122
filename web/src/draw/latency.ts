// The colours of latencies: five steps from the fastest to the slowest that is drawn, equal in their
// ratio. The ends are round, so that they stand still while the window moves a little.

import { about } from "../time/time.js";
import { h, fill } from "../ui/dom.js";
import type { Palette } from "./palette.js";

const STEPS = 5;

export interface LatencyScale {
  readonly low: number;
  readonly high: number; // ns, both more than 0
}

/** The scale of latencies in ns; null where none is more than 0. */
export function scaleOf(latencies: Iterable<number>): LatencyScale | null {
  let [low, high] = [Infinity, 0];
  for (const ns of latencies) {
    if (!(ns > 0)) continue;
    low = Math.min(low, ns);
    high = Math.max(high, ns);
  }
  return high > 0 ? { low: round(low, Math.floor), high: round(high, Math.ceil) } : null;
}

/** The step of a latency, from 0. */
export function stepOf(s: LatencyScale, ns: number): number {
  if (!(ns > s.low) || s.high <= s.low) return 0;
  return Math.min(STEPS - 1, Math.floor((Math.log(ns / s.low) / Math.log(s.high / s.low)) * STEPS));
}

/** The colours of the steps. */
export function latencyColors(palette: Palette): string[] {
  return Array.from({ length: STEPS }, (_, step) => mix(palette.css.sys, palette.css.cpuw, step / (STEPS - 1)));
}

/** What the colours mean, for the head of a section, and broken arrows where some have no latency; empty without either. */
export function legend(el: HTMLElement, s: LatencyScale | null, longest: number, apart: boolean, palette: Palette): void {
  const state = `${s ? `${s.low} ${s.high} ${palette.css.sys} ${palette.css.cpuw}` : ""} ${longest} ${apart}`;
  if (el.dataset.state === state) return;
  el.dataset.state = state;
  el.hidden = !s && !apart;
  fill(el, ...(s ? bundles(s, longest, palette) : []), apart ? h("span", {}, s ? " " : "", h("i", { class: "apart", "aria-hidden": "true" }), "not related") : null);
  el.title = [s ? "The colour of a bundle is the mean latency of its messages, its width their number." : "", s && longest > 0 ? `Messages of one bundle are up to ${about(longest, 2)} apart: the lines of hosts are thick where they lie, the stronger the more there are, and its arrow stands where one of them is, taken by chance.` : "", apart ? "The latency of a broken arrow is not known: no link in use leads from one of its hosts to the other." : ""].filter(Boolean).join(" ");
}

function bundles(s: LatencyScale, longest: number, palette: Palette): (string | HTMLElement)[] {
  const steps = latencyColors(palette).map((color, i) => {
    const step = h("i");
    step.style.background = color;
    step.style.height = `${4 + 1.5 * i}px`;
    return step;
  });
  return [longest > 0 ? `bundles of up to ${about(longest, 1)}: ` : "bundles: ", about(s.low, 1), h("span", { class: "steps", "aria-hidden": "true" }, ...steps), about(s.high, 1)];
}

// The next of 1, 2 and 5 times a power of ten.
function round(ns: number, towards: (x: number) => number): number {
  const power = 10 ** Math.floor(Math.log10(ns));
  const parts = [1, 2, 5, 10];
  const m = ns / power;
  const fits = towards === Math.floor ? parts.filter((p) => p <= m * (1 + 1e-9)) : parts.filter((p) => p >= m * (1 - 1e-9));
  return power * (towards === Math.floor ? fits[fits.length - 1] : fits[0]);
}

function mix(a: string, b: string, share: number): string {
  const part = (hex: string, i: number) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16) || 0;
  return `rgb(${[0, 1, 2].map((i) => Math.round(part(a, i) * (1 - share) + part(b, i) * share)).join(" ")})`;
}
