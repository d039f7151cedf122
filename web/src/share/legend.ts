// The legend below a picture: what the colours of states mean, in as many lines as the picture is narrow.

import { LOOKS, type Palette } from "../draw/palette.js";

/** How high the first line is, with the room about it, and each that follows, CSS pixels. */
const FIRST = 32;
const NEXT = 19;
/** A sample of a colour, what is between it and its words, and between them and the next. */
const SAMPLE = 14;
const BESIDE = 5;
const APART = 16;

/** Where one entry stands: how far from the left, and in which line, 0 for the first. */
export interface Entry {
  readonly x: number;
  readonly line: number;
}

/** Puts entries, of which each is so wide, beside each other, and below where there is no more room; one that is wider than all of the room
 * has a line of its own. */
export function inLines(widths: readonly number[], room: number): Entry[] {
  let [x, line] = [0, 0];
  return widths.map((width) => {
    if (x > 0 && x + width > room) [x, line] = [0, line + 1];
    const at = { x, line };
    x += width + APART;
    return at;
  });
}

type Pen = Pick<CanvasRenderingContext2D, "fillStyle" | "font" | "fillRect" | "fillText" | "measureText">;

export class Legend {
  private readonly font: string;
  private readonly entries: Entry[];

  /** pen measures the words; room is how wide the legend may be, CSS pixels. */
  constructor(private readonly palette: Palette, pen: Pen, room: number) {
    this.font = palette.sans.replace(/^600 13px/, "11px");
    pen.font = this.font;
    this.entries = inLines(LOOKS.map((look) => SAMPLE + BESIDE + pen.measureText(look.words).width), room);
  }

  /** How high it is, with the room about it, CSS pixels. */
  get height(): number {
    return FIRST + NEXT * Math.max(...this.entries.map((e) => e.line));
  }

  /** Draws it from x on, below y; the middle as the line of text is set. */
  draw(g: Pen, x: number, y: number): void {
    g.font = this.font;
    LOOKS.forEach((look, i) => {
      const at = this.entries[i];
      const middle = y + FIRST / 2 + at.line * NEXT;
      const height = Math.max(2, Math.round(14 * look.height));
      g.fillStyle = this.palette.states[i];
      g.fillRect(x + at.x, Math.round(middle - height / 2), SAMPLE, height);
      g.fillStyle = this.palette.css.ink2;
      g.fillText(look.words, x + at.x + SAMPLE + BESIDE, middle);
    });
  }
}
