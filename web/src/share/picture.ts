// The timeline as a picture to keep: names of rows, axis and panes as they are on screen, the selection, the mark and the bookmarks, with a line
// that says of what and when, and the legend. As PNG at the resolution of the screen, or as SVG, in which everything is lines and text.

import type { Palette } from "../draw/palette.js";
import type { Surface } from "../draw/surface.js";
import { fitted } from "../model/shortened.js";
import { Legend, type Part } from "./legend.js";
import { escaped, Recorder } from "./recorder.js";

/** What a picture is made of. */
export interface Scene {
  /** What the picture is of, and when. */
  readonly name: string;
  readonly when: string;
  readonly palette: Palette;
  /** The kinds of rows that it has. */
  readonly legend: readonly Part[];
  /** The elements that have names of rows beside a drawing, and the axis. */
  readonly plot: HTMLElement;
  readonly surfaces: readonly Surface[];
  /** Draws all surfaces, at once. */
  readonly draw: () => void;
}

const HEAD = 34;
const PAD = 12;
/** The step of a bound before a note, and what is between. */
const MARK = 9;
const GAP = 6;
/** The cloth of a bookmark's flag, from the top of its pole. */
const FLAG = [[0.75, 0], [8.5, 0], [6.3, 3.6], [8.5, 7], [0.75, 7]] as const;

// What the layout of a picture needs of a canvas.
type Pen = Pick<CanvasRenderingContext2D, "fillStyle" | "font" | "textBaseline" | "textAlign" | "fillRect" | "fillText" | "measureText" | "save" | "restore" | "beginPath" | "rect" | "clip" | "strokeStyle" | "lineWidth" | "setLineDash" | "moveTo" | "lineTo" | "closePath" | "fill" | "stroke">;

type Place = { x: number; y: number; w: number; h: number };

/** The picture as PNG. */
export function png(scene: Scene): Promise<Blob> {
  const box = scene.plot.getBoundingClientRect();
  const ratio = scene.surfaces[0]?.ratio ?? 1;
  const canvas = document.createElement("canvas");
  const g = canvas.getContext("2d")!;
  const legend = legendOf(scene, g, box);
  [canvas.width, canvas.height] = [Math.round(box.width * ratio), Math.round((box.height + HEAD + legend.height) * ratio)];
  g.scale(ratio, ratio);
  layout(scene, g, box, legend, (s, x, y, clip) => {
    g.save();
    g.beginPath();
    g.rect(x, y, s.width, clip);
    g.clip();
    g.drawImage(s.canvas, x, y, s.width, s.height);
    g.restore();
  });
  across(scene, g, box);
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
  const legend = legendOf(scene, measure, box);
  layout(scene, sheet.context, box, legend, (s, x, y, clip) => {
    const id = `pane${++clips}`;
    parts.push(`<clipPath id="${id}"><rect x="${x}" y="${y}" width="${s.width}" height="${clip}"/></clipPath>`,
      `<g clip-path="url(#${id})"><g transform="translate(${x} ${y}) scale(${1 / s.ratio})" shape-rendering="geometricPrecision">`, drawn.get(s) ?? "", "</g></g>");
  });
  const above = new Recorder(measure);
  above.textBaseline = "middle";
  across(scene, above.context, box);
  const [w, h] = [Math.round(box.width), Math.round(box.height + HEAD + legend.height)];
  const text = [`<?xml version="1.0" encoding="UTF-8"?>`, `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">`,
    `<title>${escaped(`${scene.name}: ${scene.when}`)}</title>`, sheet.end(), ...parts, above.end(), "</svg>", ""].join("\n");
  return new Blob([text], { type: "image/svg+xml" });
}

const legendOf = (scene: Scene, g: CanvasRenderingContext2D, box: DOMRect) => new Legend(scene.palette, scene.legend, g, box.width - 2 * PAD);

// Puts everything in its place; drawing puts a surface there, no higher than clip.
function layout(scene: Scene, g: Pen, box: DOMRect, legend: Legend, drawing: (s: Surface, x: number, y: number, clip: number) => void): void {
  const { palette, plot } = scene;
  g.fillStyle = palette.css.panel;
  g.fillRect(0, 0, box.width, box.height + HEAD + legend.height);
  g.textBaseline = "middle";
  g.textAlign = "left";
  g.font = palette.sans;
  g.fillStyle = palette.css.ink;
  const width = (words: string) => g.measureText(words).width;
  const when = `: ${scene.when}`;
  g.fillText(fitted(scene.name, box.width - 2 * PAD - width(when), width) + when, PAD, HEAD / 2);
  const at = places(box);
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
    for (const note of head.querySelectorAll<HTMLElement>("small")) if (note.checkVisibility() && note.clientWidth > 1) tell(g, note, at(note), at, palette);
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
      for (const part of row.querySelectorAll<HTMLElement>(".twist, .name, .note")) write(g, part, at(part), getComputedStyle(part).color, part.matches(".marked"));
    }
    g.restore();
  }
  legend.draw(g, PAD, box.height + HEAD);
}

// Where things are in the picture that are on the page.
function places(box: DOMRect): (what: Element | Range) => Place {
  return (what) => {
    const b = what.getBoundingClientRect();
    return { x: b.left - box.left, y: b.top - box.top + HEAD, w: b.width, h: b.height };
  };
}

// What lies over all panes: the selection and how long it is, the mark, and the flags of bookmarks.
function across({ palette, plot }: Scene, g: Pen, box: DOMRect): void {
  const at = places(box);
  const overlay = plot.querySelector<HTMLElement>(".overlay");
  if (!overlay) return;
  const around = at(overlay);
  for (const el of plot.querySelectorAll<HTMLElement>(".axis .bookmark:not([hidden])")) {
    const { x, y } = at(el.querySelector("svg")!);
    g.fillStyle = getComputedStyle(el.querySelector("path")!).fill;
    g.fillRect(x, y, 1.5, 12);
    g.beginPath();
    for (const [i, [dx, dy]] of FLAG.entries()) i === 0 ? g.moveTo(x + dx, y + dy) : g.lineTo(x + dx, y + dy);
    g.closePath();
    g.fill();
  }
  g.textBaseline = "middle";
  g.textAlign = "left";
  g.save();
  g.beginPath();
  g.rect(around.x, around.y, around.w, around.h);
  g.clip();
  for (const el of overlay.querySelectorAll<HTMLElement>(":scope > :is(.range, .mark):not([hidden])")) {
    const { x, y, w, h } = at(el);
    if (el.matches(".range")) {
      g.fillStyle = palette.css.brush;
      g.fillRect(x, y, w, h);
      g.fillStyle = palette.css.accent;
      for (const edge of [x, x + w - 1]) g.fillRect(edge, y, 1, h);
    } else {
      g.strokeStyle = palette.css.accent;
      g.lineWidth = 1;
      g.setLineDash([3, 3]);
      g.beginPath();
      g.moveTo(x + 0.5, y);
      g.lineTo(x + 0.5, y + h);
      g.stroke();
    }
    const flag = el.querySelector<HTMLElement>(".flag");
    if (!flag?.textContent) continue;
    const style = getComputedStyle(flag);
    const place = at(flag);
    g.fillStyle = palette.css.accent;
    g.fillRect(place.x, place.y, place.w, place.h);
    const pad = parseFloat(style.paddingLeft);
    write(g, flag, { ...place, x: place.x + pad, w: place.w - 2 * pad }, style.color);
  }
  g.restore();
}

// A note word by word, with the samples of colours that are among them.
function tell(g: Pen, el: HTMLElement, within: Place, at: (what: Element | Range) => Place, palette: Palette): void {
  for (const node of el.childNodes) {
    if (node instanceof HTMLElement && node.tagName === "I") {
      const { x, y, w, h } = at(node);
      const apart = node.matches(".apart");
      g.fillStyle = apart ? palette.css.msg : getComputedStyle(node).backgroundColor;
      if (!apart) g.fillRect(x, y, w, h);
      else for (let dash = 0; dash < w; dash += 12) g.fillRect(x + dash, y, Math.min(7, w - dash), 3);
    } else if (node instanceof HTMLElement) {
      if (node.checkVisibility() && !node.matches(".sr")) tell(g, node, within, at, palette);
    } else if (node.textContent?.trim()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const place = at(range);
      write(g, el, { ...place, w: Math.min(place.w, within.x + within.w - place.x) }, getComputedStyle(el).color, false, node.textContent);
    }
  }
}

// The text of an element, but for what is heard alone.
function seen(el: HTMLElement): string {
  return [...el.childNodes].map((node) => (node instanceof HTMLElement && node.matches(".sr") ? "" : node.textContent)).join("");
}

// A text where it stands on the page, cut where it is cut there; a marked one is on the right, behind the step of its bound.
function write(g: Pen, el: HTMLElement, place: Place, color: string, marked = false, words = seen(el)): void {
  if (!words || place.w <= 0) return;
  const style = getComputedStyle(el);
  const before = marked ? MARK + GAP : 0;
  g.font = `${style.fontWeight === "400" ? "" : style.fontWeight + " "}${style.fontSize} ${style.fontFamily}`;
  g.fillStyle = color;
  const room = place.w - before + 1;
  if (g.measureText(words).width > room) {
    while (words.length > 1 && g.measureText(words + "…").width > room) words = words.slice(0, -1);
    words += "…";
  }
  const right = style.textAlign === "right" || marked ? place.w - g.measureText(words).width : 0;
  g.fillText(words, place.x + right, place.y + place.h / 2);
  if (!marked) return;
  g.fillStyle = getComputedStyle(el, "::before").backgroundColor;
  g.fillRect(Math.round(place.x + right - before), Math.round(place.y + (place.h - MARK) / 2), MARK, MARK);
}
