// A drawing as SVG: what a view draws on its canvas, drawn on this instead, becomes elements. It knows what the
// views use of a canvas, no more: scales but no turns, straight lines, arcs that are whole circles, and pictures of pixels,
// which become the rectangles they were made of.

import { rectangles } from "./rectangles.js";

interface State {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textAlign: string;
  textBaseline: string;
  lineJoin: string;
  dash: readonly number[];
  scale: number;
  clips: number; // groups that are open for clips
}

const START: State = {
  fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, font: "10px sans-serif", textAlign: "start", textBaseline: "alphabetic", lineJoin: "miter", dash: [], scale: 1, clips: 0,
};

let clipNumber = 0;

export class Recorder implements State {
  fillStyle = START.fillStyle;
  strokeStyle = START.strokeStyle;
  lineWidth = START.lineWidth;
  globalAlpha = START.globalAlpha;
  font = START.font;
  textAlign = START.textAlign;
  textBaseline = START.textBaseline;
  lineJoin = START.lineJoin;
  dash: readonly number[] = [];
  scale = 1;
  clips = 0;
  private readonly saved: State[] = [];
  private readonly out: string[] = [];
  private path = "";

  /** measure is asked how wide texts are. */
  constructor(private readonly measure: CanvasRenderingContext2D) {}

  /** This as what the views take it for. */
  get context(): CanvasRenderingContext2D {
    return this as unknown as CanvasRenderingContext2D;
  }

  /** All that was drawn, as elements. */
  end(): string {
    while (this.saved.length > 0) this.restore();
    return this.out.join("\n");
  }

  setTransform(scale: number): void {
    this.scale = scale;
  }

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, lineJoin, dash, scale, clips } = this;
    this.saved.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, lineJoin, dash, scale, clips });
  }

  restore(): void {
    const state = this.saved.pop();
    if (!state) return;
    for (let i = state.clips; i < this.clips; i++) this.out.push("</g>");
    Object.assign(this, state);
  }

  setLineDash(dash: readonly number[]): void {
    this.dash = dash;
  }

  measureText(s: string): TextMetrics {
    this.measure.font = this.font;
    return this.measure.measureText(s);
  }

  fillRect(x: number, y: number, w: number, h: number): void {
    if (w !== 0 && h !== 0) this.out.push(`<rect ${this.box(x, y, w, h)}${this.fillWords()}/>`);
  }

  strokeRect(x: number, y: number, w: number, h: number): void {
    this.out.push(`<rect ${this.box(x, y, w, h)} fill="none"${this.strokeWords()}/>`);
  }

  beginPath(): void {
    this.path = "";
  }

  moveTo(x: number, y: number): void {
    this.path += `M${this.n(x)} ${this.n(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `${this.path ? "L" : "M"}${this.n(x)} ${this.n(y)}`;
  }

  closePath(): void {
    this.path += "Z";
  }

  rect(x: number, y: number, w: number, h: number): void {
    this.path += `M${this.n(x)} ${this.n(y)}H${this.n(x + w)}V${this.n(y + h)}H${this.n(x)}Z`;
  }

  arc(x: number, y: number, r: number): void {
    const d = this.n(2 * r);
    this.path += `M${this.n(x - r)} ${this.n(y)}a${this.n(r)} ${this.n(r)} 0 1 0 ${d} 0a${this.n(r)} ${this.n(r)} 0 1 0 -${d} 0`;
  }

  clip(): void {
    const id = `clip${++clipNumber}`;
    this.out.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath><g clip-path="url(#${id})">`);
    this.clips++;
  }

  fill(): void {
    if (this.path) this.out.push(`<path d="${this.path}"${this.fillWords()}/>`);
  }

  stroke(): void {
    if (this.path) this.out.push(`<path d="${this.path}" fill="none"${this.strokeWords()}/>`);
  }

  fillText(s: string, x: number, y: number): void {
    this.text(s, x, y, this.fillWords());
  }

  strokeText(s: string, x: number, y: number): void {
    this.text(s, x, y, ` fill="none"${this.strokeWords()}`);
  }

  putImageData(image: ImageData, x: number, y: number): void {
    const words = new Uint32Array(image.data.buffer, image.data.byteOffset, image.width * image.height);
    for (const r of rectangles(words, image.width, image.height)) this.out.push(`<rect x="${x + r.x0}" y="${y + r.y0}" width="${r.x1 - r.x0}" height="${r.y1 - r.y0}" fill="${hex(r.color)}"/>`);
  }

  private text(s: string, x: number, y: number, paint: string): void {
    const kept = /^ | $|  /.test(s) ? ' xml:space="preserve"' : ""; // spaces that a reader would leave out
    this.out.push(`<text ${this.place(x, y)}${kept}${paint}>${escaped(s)}</text>`);
  }

  private n(v: number): string {
    return String(Math.round(v * this.scale * 100) / 100);
  }

  private box(x: number, y: number, w: number, h: number): string {
    return `x="${this.n(Math.min(x, x + w))}" y="${this.n(Math.min(y, y + h))}" width="${this.n(Math.abs(w))}" height="${this.n(Math.abs(h))}"`;
  }

  private paint(kind: "fill" | "stroke", color: string): string {
    const m = /^(#[0-9a-f]{6})([0-9a-f]{2})$/i.exec(color);
    const alpha = this.globalAlpha * (m ? parseInt(m[2], 16) / 255 : 1);
    return ` ${kind}="${escaped(m ? m[1] : color)}"` + (alpha < 1 ? ` ${kind}-opacity="${Math.round(alpha * 1000) / 1000}"` : "");
  }

  private fillWords(): string {
    return this.paint("fill", this.fillStyle);
  }

  private strokeWords(): string {
    const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.map((d) => this.n(d)).join(" ")}"` : "";
    return `${this.paint("stroke", this.strokeStyle)} stroke-width="${this.n(this.lineWidth)}"${dash}${this.lineJoin === "miter" ? "" : ` stroke-linejoin="${this.lineJoin}"`}`;
  }

  private place(x: number, y: number): string {
    const m = /^(?:(\d+|bold|italic)\s+)?([\d.]+)px(?:\/\S+)?\s+(.*)$/.exec(this.font);
    const anchor = { center: "middle", right: "end", end: "end" }[this.textAlign];
    return `x="${this.n(x)}" y="${this.n(y)}" font-family="${escaped(m?.[3] ?? "monospace")}" font-size="${this.n(Number(m?.[2] ?? 11))}"` +
      (m?.[1] ? ` font-weight="${m[1]}"` : "") + (anchor ? ` text-anchor="${anchor}"` : "") + (this.textBaseline === "middle" ? ' dominant-baseline="central"' : "");
  }
}

/** A text as it may stand in XML. */
export function escaped(s: string): string {
  // What XML has no place for at all is left out: control characters and halves of pairs.
  const clean = s.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");
  return clean.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

// A word of ImageData as a colour.
function hex(word: number): string {
  return "#" + [word & 255, (word >> 8) & 255, (word >> 16) & 255].map((v) => v.toString(16).padStart(2, "0")).join("");
}
