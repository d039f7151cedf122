// The timeline as a picture to keep: names of rows, axis and panes as they are on screen, with a line that says of what
// and when, and the legend. As PNG at the resolution of the screen, or as SVG, in which everything is lines and text.

import { LOOKS } from "../draw/palette.js";
import type { Palette } from "../draw/palette.js";
import type { Surface } from "../draw/surface.js";
import { escaped, Recorder } from "./recorder.js";

/** What a picture is made of. */
export interface Scene {
  /** Says of what and when the picture is. */
  readonly title: string;
  readonly palette: Palette;
  /** The elements that have names of rows beside a drawing, and the axis. */
  readonly plot: HTMLElement;
  readonly surfaces: readonly Surface[];
  /** Draws all surfaces, at once. */
  readonly draw: () => void;
}

const HEAD = 34;
const FOOT = 32;
const PAD = 12;

// What the layout of a picture needs of a canvas.
type Pen = Pick<CanvasRenderingContext2D, "fillStyle" | "font" | "textBaseline" | "textAlign" | "fillRect" | "fillText" | "measureText" | "save" | "restore" | "beginPath" | "rect" | "clip">;

/** The picture as PNG. */
export function png(scene: Scene): Promise<Blob> {
  const box = scene.plot.getBoundingClientRect();
  const ratio = scene.surfaces[0]?.ratio ?? 1;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(box.width * ratio), Math.round((box.height + HEAD + FOOT) * ratio)];
  const g = canvas.getContext("2d")!;
  g.scale(ratio, ratio);
  layout(scene, g, box, (s, x, y, clip) => {
    g.save();
    g.beginPath();
    g.rect(x, y, s.width, clip);
    g.clip();
    g.drawImage(s.canvas, x, y, s.width, s.height);
    g.restore();
  });
  return new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error("The picture is too large for this browser."))), "image/png"));
}

/** The picture as SVG. */
export function svg(scene: Scene): Blob {
  const box = scene.plot.getBoundingClientRect();
  const drawn = new Map<Surface, string>();
  const measure = document.createElement("canvas").getContext("2d")!;
  const recorders = scene.surfaces.map((s) => ({ s, recorder: new Recorder(measure) }));
  const drawAll = recorders.reduce((inner, { s, recorder }) => () => s.into(recorder.context, inner), scene.draw);
  drawAll();
  for (const { s, recorder } of recorders) drawn.set(s, recorder.end());
  const sheet = new Recorder(measure);
  const parts: string[] = [];
  let clips = 0;
  layout(scene, sheet.context, box, (s, x, y, clip) => {
    const id = `pane${++clips}`;
    parts.push(`<clipPath id="${id}"><rect x="${x}" y="${y}" width="${s.width}" height="${clip}"/></clipPath>`,
      `<g clip-path="url(#${id})"><g transform="translate(${x} ${y}) scale(${1 / s.ratio})" shape-rendering="geometricPrecision">`, drawn.get(s) ?? "", "</g></g>");
  });
  const [w, h] = [Math.round(box.width), Math.round(box.height + HEAD + FOOT)];
  const text = [`<?xml version="1.0" encoding="UTF-8"?>`, `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">`,
    `<title>${escaped(scene.title)}</title>`, sheet.end(), ...parts, "</svg>", ""].join("\n");
  return new Blob([text], { type: "image/svg+xml" });
}

// Puts everything in its place; drawing puts a surface there, no higher than clip.
function layout(scene: Scene, g: Pen, box: DOMRect, drawing: (s: Surface, x: number, y: number, clip: number) => void): void {
  const { palette, plot } = scene;
  g.fillStyle = palette.css.panel;
  g.fillRect(0, 0, box.width, box.height + HEAD + FOOT);
  g.textBaseline = "middle";
  g.textAlign = "left";
  g.font = palette.sans;
  g.fillStyle = palette.css.ink;
  g.fillText(scene.title, PAD, HEAD / 2);
  const at = (el: Element) => {
    const b = el.getBoundingClientRect();
    return { x: b.left - box.left, y: b.top - box.top + HEAD, w: b.width, h: b.height };
  };
  for (const s of scene.surfaces) {
    if (s.width === 0) continue;
    const place = at(s.canvas);
    const around = at(s.canvas.closest(".scroller") ?? s.canvas);
    drawing(s, Math.round(place.x), Math.round(place.y), Math.min(place.h, around.y + around.h - place.y));
  }
  for (const head of plot.querySelectorAll<HTMLElement>(".pane > .head")) {
    const place = at(head);
    g.fillStyle = palette.css.sunken;
    g.fillRect(place.x, place.y, place.w, place.h);
    const words = head.querySelector("h2");
    if (words) write(g, words, at(words), palette.css.ink);
    const note = head.querySelector("small");
    if (note) write(g, note, at(note), palette.css.ink2);
  }
  for (const scroller of plot.querySelectorAll<HTMLElement>(".pane .scroller")) {
    const view = at(scroller);
    g.save();
    g.beginPath();
    g.rect(view.x, view.y, view.w, view.h);
    g.clip();
    const pin = [...scroller.querySelectorAll<HTMLElement>(".row.pin:not([hidden])")];
    const rows = [...scroller.querySelectorAll<HTMLElement>(".row:not(.pin):not([hidden])")];
    for (const row of [...rows, ...pin]) {
      const place = at(row);
      if (place.y + place.h <= view.y || place.y >= view.y + view.h) continue;
      const color = getComputedStyle(row).backgroundColor;
      if (!/^(transparent|rgba\(0, 0, 0, 0\))$/.test(color)) {
        g.fillStyle = color;
        g.fillRect(place.x, place.y, place.w, place.h);
      }
      for (const part of row.querySelectorAll<HTMLElement>(".twist, .name, .note")) write(g, part, at(part), getComputedStyle(part).color);
    }
    g.restore();
  }
  legend(g, palette, box.height + HEAD + FOOT / 2);
}

// A text where it stands on the page, cut where it is cut there.
function write(g: Pen, el: HTMLElement, place: { x: number; y: number; w: number; h: number }, color: string): void {
  let words = el.textContent ?? "";
  if (!words || place.w === 0) return;
  const style = getComputedStyle(el);
  g.font = `${style.fontWeight === "400" ? "" : style.fontWeight + " "}${style.fontSize} ${style.fontFamily}`;
  g.fillStyle = color;
  const room = place.w + 1;
  if (g.measureText(words).width > room) {
    while (words.length > 1 && g.measureText(words + "…").width > room) words = words.slice(0, -1);
    words += "…";
  }
  const right = style.textAlign === "right" ? place.w - g.measureText(words).width : 0;
  g.fillText(words, place.x + right, place.y + place.h / 2);
}

function legend(g: Pen, palette: Palette, y: number): void {
  let x = PAD;
  g.font = palette.sans.replace(/^600 13px/, "11px");
  LOOKS.forEach((look, i) => {
    const height = Math.max(2, Math.round(14 * look.height));
    g.fillStyle = palette.states[i];
    g.fillRect(x, Math.round(y - height / 2), 14, height);
    g.fillStyle = palette.css.ink2;
    g.fillText(look.words, x + 19, y);
    x += 19 + g.measureText(look.words).width + 16;
  });
}
