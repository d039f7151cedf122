// At which time clocks are compared: a field for it, and what else it may be.

import { instant } from "../commands/times.js";
import type { Context } from "../timeline/controlflow.js";
import { THIN } from "../time/number.js";
import { seconds, type Ns } from "../time/time.js";
import { h, text } from "../ui/dom.js";

const WINDOW = "the middle of the timeline's window";
const RECORDING = "the middle of the recording";
/** Raw time has no middle that all hosts share: the sentence says which instant it is. */
const RAW_WINDOW = "by the timeline's window, in raw time";
const CHOICES: readonly (readonly [string, string])[] = [
  ["window", WINDOW],
  ["recording", RECORDING],
  ["time", "a time that you choose"],
  ["pointed", "where Error over time is pointed at"],
];

export class When {
  private readonly field = h("input", { type: "text", "aria-label": "Compared at, in s", title: "A time, in s from the begin of the set", size: 8, autocomplete: "off", spellcheck: "false", onchange: () => this.typed() });
  private readonly of = h("select", { "aria-label": "which is", onchange: () => this.picked() }, ...CHOICES.map(([value, words]) => h("option", { value }, words)));
  readonly el = h("span", { class: "when" }, h("span", {}, "at"), this.field, h("span", {}, "s,"), this.of);
  /** What is wrong with what was typed; "" where it is a time. */
  wrong = "";
  private shown: Ns = 0n;

  constructor(private readonly c: Context, private readonly onChange: () => void) {}

  /** Shows the instant that is meant, unless another is being typed: the one that is pointed at, if any is; middle says what the middle of the recording is. */
  render(t: Ns, pointed: boolean, middle: string): void {
    this.shown = t - (this.c.set.bounds(false)?.begin ?? 0n);
    const { comparedAt, raw, whole } = this.c.view;
    for (const o of this.of.options) {
      if (o.value === "pointed") o.disabled = !pointed;
      if (o.value === "window") text(o, whole && middle !== RECORDING ? middle : raw ? RAW_WINDOW : WINDOW);
      if (o.value === "recording") text(o, middle);
    }
    this.of.value = pointed ? "pointed" : typeof comparedAt === "number" ? "time" : (comparedAt ?? "window");
    if (!this.wrong && document.activeElement !== this.field) this.write();
    this.field.setAttribute("aria-invalid", String(!!this.wrong));
  }

  private write(): void {
    this.field.value = seconds(this.shown, 3).slice(0, -2).replaceAll(THIN, " ");
  }

  private picked(): void {
    const { value } = this.of;
    this.meant(value === "time" ? Number(this.shown) : value === "recording" ? value : null);
    if (value === "time") this.field.select();
  }

  private typed(): void {
    const all = this.c.set.bounds(false);
    const typed = this.field.value.trim();
    if (!all) return;
    const at = typed ? instant(typed, { begin: all.begin, end: all.end, from: all.begin }) : null;
    if (typed && (at === null || at < all.begin || at > all.end)) {
      this.wrong = `The time is one from 0 to ${seconds(all.end - all.begin, 3)}, such as 1.5.`;
      this.onChange();
      return;
    }
    this.meant(at === null ? null : Number(at - all.begin));
    this.write();
  }

  private meant(at: number | "recording" | null): void {
    this.wrong = "";
    this.c.view.comparedAt = at;
    this.c.view.keep();
    this.onChange();
  }
}
