// Words on a canvas that stand on what is drawn, and can be read there.

import type { Palette } from "./palette.js";
import type { Spot, Surface } from "./surface.js";

/** Words with a rim in the colour of the ground, in the font that is set. */
export function outlined(g: CanvasRenderingContext2D, palette: Palette, words: string, x: number, y: number, color: string): void {
  g.strokeStyle = palette.css.panel;
  g.lineWidth = 4;
  g.lineJoin = "round";
  g.strokeText(words, x, y);
  g.fillStyle = color;
  g.fillText(words, x, y);
}

/** Words in a bar of states, device pixels: x is its left edge, y its middle. */
export interface BarLabel {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly color: string;
}

const BAR_FONT = 10.5;
const PADDING = 4;

/** How wide a bar has to be for so many characters, device pixels. */
export const barWidth = (characters: number, ratio: number): number => characters * BAR_FONT * 0.605 * ratio + 2 * PADDING * ratio;

/** Where words of a width stand, device pixels, of the font of bars: x is where they begin, y their middle. */
export function spotOf(x: number, y: number, width: number, ratio: number): Spot {
  return { x0: x / ratio - 2, x1: (x + width) / ratio + 2, y0: y / ratio - BAR_FONT * 0.6, y1: y / ratio + BAR_FONT * 0.7 };
}

/** Writes what stands in bars. The font and the middle as the line of text stay set. */
export function drawBarLabels(s: Surface, palette: Palette, labels: readonly BarLabel[]): void {
  const { g, ratio } = s;
  g.font = `${BAR_FONT * ratio}px ${palette.mono.replace(/^\S+ /, "")}`;
  g.textBaseline = "middle";
  for (const l of labels) {
    g.fillStyle = l.color;
    g.fillText(l.label, l.x + PADDING * ratio, l.y + 0.5 * ratio);
    s.spots.push(spotOf(l.x + PADDING * ratio, l.y, barWidth(l.label.length, ratio) - 2 * PADDING * ratio, ratio));
  }
}
