// What was odd in the traces of a set: a fold per kind, with what it means and its places.

import type { Oddity } from "../net/json.js";
import { counted, group } from "../time/number.js";
import { add, fill, h } from "../ui/dom.js";
import { table } from "./table.js";

/** Up to so many kinds are unfolded from the beginning. */
const FEW = 3;

/** Of what was given these are missing: they are unfolded among however many. */
const MISSING: ReadonlySet<string> = new Set(["damaged-archive", "unreadable-archive", "no-trace", "packed-archive"]);

const NONE = { report: "The report is on its way.", events: "Nothing is read yet.", "": "None: every packet read is as it should be." };

export class Anomalies {
  readonly root = h("section", { class: "card anomalies" });
  private readonly opened = new Set<string>(); // kinds
  private readonly closed = new Set<string>();
  private shown: readonly Oddity[] | null = null;

  /** Of a list that is empty it is told why: that it is on its way, that nothing is read yet, or that nothing was odd. */
  show(list: readonly Oddity[], lacks: "report" | "events" | ""): void {
    if (this.shown === list && list.length > 0) return; // what is read or chosen in it stays
    this.shown = list;
    const total = list.reduce((n, o) => n + o.count, 0);
    fill(this.root,
      h("h2", {}, "Anomalies ", h("small", {}, total ? `${counted(total, "place")} where the traces are not as they should be; all that could be read was read` : "")),
      list.length === 0 ? h("p", { class: "minor" }, NONE[lacks]) : null,
      ...list.map((o) => this.fold(o, (list.length <= FEW || MISSING.has(o.kind)) && !this.closed.has(o.kind))));
  }

  /** Unfolds a kind, brings it into view, below the heading that stays there, and moves the focus there. */
  reveal(kind: string): void {
    const fold = this.root.querySelector<HTMLDetailsElement>(`details[data-kind="${CSS.escape(kind)}"]`);
    if (!fold) return;
    fold.open = true;
    this.opened.add(kind);
    this.closed.delete(kind);
    fold.style.scrollMarginTop = `${this.root.querySelector("h2")!.offsetHeight}px`;
    fold.scrollIntoView({ block: "start" });
    fold.querySelector("summary")!.focus({ preventScroll: true });
  }

  private fold(o: Oddity, open: boolean): HTMLElement {
    const hosts = [...new Set(o.places.map((p) => p.host).filter(Boolean))];
    const places = o.places.length + o.others;
    const where = [hosts.length > 0 && hosts.length <= 4 ? `on ${hosts.join(", ")}` : hosts.length > 4 ? `on ${counted(hosts.length, "host")}` : "", places > 1 ? `in ${counted(places, "file")}` : ""].filter(Boolean).join(", ");
    const el = h("details", { class: "oddity", "data-kind": o.kind, open: open || this.opened.has(o.kind) },
      h("summary", {}, h("b", {}, o.what), " ", h("span", { class: "t" }, counted(o.count, "time")), where ? h("span", { class: "minor" }, ` ${where}`) : null),
      o.means ? h("p", {}, o.means) : null,
      placesOf(o));
    if (o.others > 0) add(el, h("p", { class: "minor" }, `${counted(o.others, "other file")} with fewer.`));
    el.querySelector("summary")!.addEventListener("click", () => {
      const [to, from] = el.open ? [this.closed, this.opened] : [this.opened, this.closed]; // it is about to turn
      to.add(o.kind);
      from.delete(o.kind);
    });
    return el;
  }
}

function placesOf({ what, places }: Oddity): HTMLElement {
  return table(what, ["Host", "File", "Times", "First at byte", "The first of them"], [0, 1, 4],
    places.map((p) => h("tr", {}, h("td", {}, p.host), h("td", { class: "text" }, p.stream), h("td", {}, group(p.count)), h("td", {}, p.offset > 0 || p.stream ? group(p.offset) : "–"), h("td", { class: "text" }, p.message || p.kind))));
}
