// The little that is needed to build a page by hand. Text is always text: nothing
// here can turn data into markup.

import { whenLetGo } from "./pressed.js";

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((e: never) => void)>;

/** Makes an element. on* attributes are listeners; booleans are set or left out, but those of aria-* are the words true and false. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") el.addEventListener(name.slice(2), value as EventListener);
    else if (value === true && !name.startsWith("aria-")) el.setAttribute(name, "");
    else if ((value !== false || name.startsWith("aria-")) && value !== null && value !== undefined) el.setAttribute(name, String(value));
  }
  add(el, ...children);
  return el;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: Child[]): SVGElement {
  const el = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  add(el, ...children);
  return el;
}

/** The class of a table's cell by its words: those of a very long name may be broken anywhere. */
export const nameClass = (words: string) => (words.length > 40 ? "long" : null);

export function add(el: Element, ...children: Child[]): void {
  for (const c of children) if (c !== null && c !== undefined && c !== false) el.append(c);
}

export function fill(el: Element, ...children: Child[]): void {
  el.replaceChildren();
  add(el, ...children);
}

/** Draws a part of the page anew, which may be at any time: of its buttons the one that reads as that which had the focus
 * has it then, else the one in its place, and a field that is put in anew keeps it; what is scrolled to stays. Where something in it is
 * pressed, it is drawn as that is let go. */
export function keepFocus(el: Element, draw: () => void): void {
  whenLetGo(el, () => drawn(el, draw));
}

function drawn(el: Element, draw: () => void): void {
  const at = [...el.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
  const had = document.activeElement;
  const words = had?.textContent;
  draw();
  if (had instanceof HTMLInputElement && el.contains(had)) had.focus({ preventScroll: true });
  if (at < 0) return;
  const all = [...el.querySelectorAll("button")];
  const same = all[at]?.textContent === words ? all[at] : all.find((b) => b.textContent === words);
  (same ?? all[at])?.focus({ preventScroll: true });
}

/** Sets a text only where it differs, so that nothing is laid out or read out again. */
export function text(el: Element, s: string): void {
  if (el.textContent !== s) el.textContent = s;
}

/** Hides an element or shows it, only where that is another thing than now: what is set again is styled again. */
export function hide(el: HTMLElement, hidden: boolean): void {
  if (el.hidden !== hidden) el.hidden = hidden;
}

/** Sets an attribute only where it differs. */
export function attribute(el: Element, name: string, value: string): void {
  if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const el = document.getElementById(id);
  if (!el) throw new Error(`the page has no #${id}`);
  return el as T;
}

/** So many letters a time has, by the clock of a day. */
const WHOLE = 24;

/** A list of terms and their values. */
export function terms(pairs: [string, Child][]): HTMLElement {
  // A time or a figure is in one line, and the words before it break.
  const whole = (value: Child) => (typeof value === "string" && value.length <= WHOLE && /^[±−\d]/.test(value) ? "whole" : null);
  const dl = h("dl", { class: "kv" });
  for (const [term, value] of pairs) if (value !== null && value !== undefined && value !== false && value !== "") add(dl, h("dt", {}, term), h("dd", { class: whole(value) }, value));
  return dl;
}

/** A bar with its share; the numbers stand beside it. */
export function bar(share: number, label: string): HTMLElement {
  const inner = h("i");
  inner.style.width = `${Math.min(100, Math.max(0, share * 100)).toFixed(2)}%`;
  return h("span", { class: "bar", role: "progressbar", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(share * 100) }, inner);
}
