// The tooltip: what is under the cursor, beside it.

import type { Row } from "../model/rows.js";
import type { At } from "../net/json.js";
import { exact, parseNs } from "../time/time.js";
import { add, fill, h } from "../ui/dom.js";
import { chip } from "./inspector.js";

export class Tooltip {
  readonly el = h("div", { class: "tooltip", hidden: true, "aria-hidden": true });

  place(x: number, y: number): void {
    this.el.hidden = false;
    const { offsetWidth: w, offsetHeight: t } = this.el;
    const left = x + 16 + w > innerWidth ? x - w - 12 : x + 16;
    const top = y + 18 + t > innerHeight - 30 ? y - t - 12 : y + 18;
    this.el.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  /** A state: at once what is drawn, then what the server knows of this very ns. */
  show(row: Row, host: string, drawn: string, at: At | null): void {
    this.el.hidden = false;
    fill(this.el, h("b", {}, `${row.name} · ${row.tid}`), h("span", { class: "where" }, " " + host));
    if (at) {
      const [begin, end] = [parseNs(at.begin), parseNs(at.end)];
      const cpu = at.cpu !== null && at.cpu !== undefined && at.cpu >= 0 ? `CPU ${at.cpu}` : "";
      const duration = begin !== null && end !== null ? exact(end - begin) : "";
      add(this.el, h("div", {}, chip(at)), h("div", { class: "t" }, [cpu, duration].filter(Boolean).join(" · ")));
      if (drawn.includes("%")) add(this.el, h("div", { class: "where" }, `this pixel: ${drawn}`));
    } else add(this.el, h("div", {}, drawn || "not loaded yet"));
  }

  say(words: string): void {
    this.el.hidden = false;
    fill(this.el, words);
  }

  hide(): void {
    this.el.hidden = true;
  }
}
