// The colours of the canvases, read from the same custom properties as the page.
// States carry Trace Compass's hues; height and hatching tell them apart without colour.

export const UNKNOWN = 0;
export const BLOCKED = 1;
export const USER = 2;
export const SYSCALL = 3;
export const INTERRUPTED = 4;
export const WAIT_CPU = 5;
export const WAIT = 6;
export const FORKED = 7;
export const KERNEL = 8;

export interface StateLook {
  readonly words: string;
  readonly variable: string;
  readonly height: number; // of a bar
  readonly running: boolean; // it runs or wants to: what makes a row busy
}

/** By status code. */
export const LOOKS: readonly StateLook[] = [
  { words: "unknown", variable: "--unk", height: 0.33, running: false },
  { words: "blocked", variable: "--blk", height: 0.42, running: false },
  { words: "user space", variable: "--user", height: 1, running: true },
  { words: "system call", variable: "--sys", height: 1, running: true },
  { words: "interrupted", variable: "--irq", height: 0.75, running: true },
  { words: "waiting for a CPU", variable: "--cpuw", height: 0.5, running: true },
  { words: "not running", variable: "--wait", height: 0.3, running: false },
  { words: "forked, not run yet", variable: "--fork", height: 0.5, running: true },
  { words: "kernel", variable: "--kern", height: 0.87, running: true },
];

/** A state in words; of a host that did not record system calls, user space is all that it did not tell apart. */
export function stateWords(state: number, callsLacking: boolean): string {
  return state === USER && callsLacking ? "user space or system call" : LOOKS[state].words;
}

/** What stands in a bar: the name of what is done, the state itself where there is none. */
export function barWords(state: number, name: string, callsLacking: boolean): string {
  return name || stateWords(state, callsLacking);
}

const NAMES = ["panel", "sunken", "line", "line2", "ink", "ink2", "ink3", "accent", "accent-bg", "warn", "good", "grid", "brush", "msg", "sys", "user", "irq", "cpuw", "blk", "on-bar", "density"] as const;
type Name = (typeof NAMES)[number];

export class Palette {
  readonly css = {} as Record<Name, string>;
  readonly states: string[] = [];
  /** What is written on a bar, by state: the colour for that, or that of text where it would be hard to read. */
  readonly onStates: string[] = [];
  /** The states as little-endian RGBA words for pixel buffers. */
  readonly words = new Uint32Array(LOOKS.length);
  mono = "11px monospace";
  sans = "13px sans-serif";

  constructor() {
    this.read();
  }

  /** Reads the properties again: the theme changed. */
  read(): void {
    const style = getComputedStyle(document.documentElement);
    for (const n of NAMES) this.css[n] = style.getPropertyValue("--" + n).trim();
    LOOKS.forEach((look, i) => {
      this.states[i] = style.getPropertyValue(look.variable).trim();
      this.words[i] = word(this.states[i]);
      this.onStates[i] = contrast(this.css["on-bar"], this.states[i]) < LEGIBLE ? this.css.ink : this.css["on-bar"];
    });
    const family = style.getPropertyValue("--mono-family").trim() || "monospace";
    this.mono = `11px ${family}`;
    this.sans = `600 13px ${style.getPropertyValue("--sans-family").trim() || "sans-serif"}`;
  }

  word = (name: Name): number => word(this.css[name]);
}

/** The least contrast of short words on a bar. */
const LEGIBLE = 3.5;

// The contrast of two colours "#rrggbb", as WCAG counts it.
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(hex: string): number {
  const n = word(hex);
  const part = (shift: number) => {
    const c = ((n >>> shift) & 255) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(0) + 0.7152 * part(8) + 0.0722 * part(16);
}

// A colour "#rrggbb" as a word of ImageData's bytes.
function word(hex: string): number {
  const m = /^#([0-9a-f]{6})$/i.exec(hex);
  const n = m ? parseInt(m[1], 16) : 0x808080;
  return (0xff000000 | ((n & 0xff) << 16) | (n & 0xff00) | (n >> 16)) >>> 0;
}
