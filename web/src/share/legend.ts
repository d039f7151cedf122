// The legend below a picture: what the colours mean in each kind of rows that it has, in as many lines as the picture is narrow.

import { LOOKS, UNKNOWN, type Palette } from "../draw/palette.js";

/** How high the first line is, with the room about it, and each that follows, CSS pixels. */
const FIRST = 32;
const NEXT = 19;
/** A sample of a colour, what is between it and its words, and between them and the next. */
const SAMPLE = 14;
const BESIDE = 5;
const APART = 16;
/** How broad a stripe of the hatching is. */
const STRIPE = 2;

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

/** What something is drawn like: a state of threads, or what was lost. */
type Look = number | "lost";

/** A kind of rows, with what their colours mean: words, and what they are of. */
export interface Part {
  readonly name: string;
  readonly samples: readonly { readonly words: string; readonly as: Look }[];
}

/** What the rows of threads show. */
export const THREADS: Part = { name: "Threads", samples: LOOKS.map((look, as) => ({ words: look.words, as })) };

/** The same where events were lost, which the rows of hosts show. */
export const THREADS_AND_LOSSES: Part = { ...THREADS, samples: [...THREADS.samples, { words: "events lost", as: "lost" }] };

type Pen = Pick<CanvasRenderingContext2D, "fillStyle" | "font" | "fillRect" | "fillText" | "measureText">;

interface Drawn extends Entry {
  readonly words: string;
  readonly as: Look | null; // null for the name of a part
}

export class Legend {
  private readonly font: string;
  private readonly entries: Drawn[] = [];

  /** Each part begins a line; one that is alone has no name. pen measures the words; room is how wide the legend may be, CSS pixels. */
  constructor(private readonly palette: Palette, parts: readonly Part[], pen: Pen, room: number) {
    this.font = palette.sans.replace(/^600 13px/, "11px");
    pen.font = this.font;
    for (const { name, samples } of parts) {
      const of = [...(parts.length > 1 ? [{ words: `${name}:`, as: null }] : []), ...samples];
      const first = this.entries.length > 0 ? this.last + 1 : 0;
      inLines(of.map((e) => (e.as === null ? 0 : SAMPLE + BESIDE) + pen.measureText(e.words).width), room)
        .forEach((at, i) => this.entries.push({ ...of[i], x: at.x, line: first + at.line }));
    }
  }

  private get last(): number {
    return Math.max(...this.entries.map((e) => e.line));
  }

  /** How high it is, with the room about it, CSS pixels. */
  get height(): number {
    return FIRST + NEXT * this.last;
  }

  /** Draws it from x on, below y; the middle as the line of text is set. */
  draw(g: Pen, x: number, y: number): void {
    g.font = this.font;
    for (const e of this.entries) {
      const middle = y + FIRST / 2 + e.line * NEXT;
      if (e.as !== null) this.sample(g, e.as, x + e.x, middle);
      g.fillStyle = this.palette.css[e.as === null ? "ink" : "ink2"];
      g.fillText(e.words, x + e.x + (e.as === null ? 0 : SAMPLE + BESIDE), middle);
    }
  }

  // As rows have it: what is unknown is hatched, and what was lost has an edge as well.
  private sample(g: Pen, as: Look, x: number, middle: number): void {
    const lost = as === "lost";
    const height = lost ? 10 : Math.max(2, Math.round(14 * LOOKS[as].height));
    const top = Math.round(middle - height / 2);
    g.fillStyle = lost ? this.palette.css.warn : this.palette.states[as];
    if (!lost && as !== UNKNOWN) return g.fillRect(x, top, SAMPLE, height);
    if (lost) for (const [left, y, w, h] of [[0, 0, SAMPLE, 1], [0, height - 1, SAMPLE, 1], [0, 0, 1, height], [SAMPLE - 1, 0, 1, height]]) g.fillRect(x + left, top + y, w, h);
    for (let j = 0; j < height; j++)
      for (let from = -(j % (2 * STRIPE)); from < SAMPLE; from += 2 * STRIPE) {
        const [left, right] = [Math.max(0, from), Math.min(SAMPLE, from + STRIPE)];
        if (right > left) g.fillRect(x + left, top + j, right - left, 1);
      }
  }
}
