// The choice of a host among the heads of the table. Its list has room for more of a name than its box has: both leave out the middle, so that names which
// begin alike are told apart.

import { shortened } from "../model/shortened.js";
import { fill, h, text } from "../ui/dom.js";

/** So many letters at either end of a name are in the list, and so many in the box. */
const LISTED: readonly [number, number] = [16, 12];
const BOXED: readonly [number, number] = [4, 4];

export class HostChoice {
  readonly el = h("select", { "aria-label": "Host" });
  private names: readonly string[] = [];

  constructor() {
    this.el.addEventListener("pointerdown", () => this.write(true));
    for (const kind of ["change", "blur"]) this.el.addEventListener(kind, () => this.write(false));
  }

  /** The host that is chosen, "" for all. */
  get value(): string {
    return this.el.value;
  }

  set value(name: string) {
    this.el.value = name;
    this.write(false);
  }

  /** Offers these hosts, and all together; tells whether they are others than before. */
  offer(names: readonly string[]): boolean {
    if (this.el.options.length > 0 && names.join("\n") === this.names.join("\n")) return false;
    this.names = names;
    fill(this.el, ...["", ...names].map((n) => h("option", { value: n, title: n || null, "aria-label": n || null })));
    this.write(false);
    return true;
  }

  private write(listed: boolean): void {
    for (const o of this.el.options) text(o, shortened(o.value, ...(listed || !o.selected ? LISTED : BOXED)) || "all");
    this.el.title = this.value;
  }
}
