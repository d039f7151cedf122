// What the errors would be with each host as the reference: a bar for their sum, its part for the largest.

import { byName } from "../model/natural.js";
import { list as names } from "../model/names.js";
import type { SetModel } from "../model/set.js";
import { counted, MINUS } from "../time/number.js";
import { about } from "../time/time.js";
import { add, fill, h } from "../ui/dom.js";
import { knownOf, knownWords } from "./change.js";
import type { Resync } from "./resync.js";

const FIRST = 12;
const ABOUT = "≈\u202f";

export interface Candidate {
  name: string;
  sum: number;
  most: number;
  farthest: string;
  reference: boolean;
  unbounded: number; // hosts that would have no bound
  loss: number | null; // by which the errors of all would add up to more than with the best
  best: boolean; // with no other would they add up to less
  pin: string | null; // what is to be asked for to have it as the reference: null where that is chosen unasked
}

/** The hosts of the reference's component: the best first, then those with the fewest that nothing would bound. */
export function candidatesOf(set: Pick<SetModel, "clocks" | "hosts">): Candidate[] {
  const clocks = set.clocks?.hosts ?? [];
  const component = clocks.find((x) => x.name === set.clocks?.reference)?.component;
  const list = clocks.flatMap((x): Candidate[] => {
    const c = x.as_reference_bounded ?? (x.as_reference ? { ...x.as_reference, unbounded: 0 } : null);
    return x.component === component && c ? [{ name: x.name, sum: c.sum_ns, most: c.most_ns, farthest: c.farthest, reference: x.name === set.clocks?.reference, unbounded: c.unbounded, loss: x.reference_loss_ns ?? null, best: false, pin: x.name }] : [];
  });
  // Of several that are as good as any the one that is chosen stands first, whatever else tells them apart.
  const chosen = set.clocks?.pinned?.best ?? set.clocks?.reference;
  const goodAs = (c: Candidate) => (c.loss !== 0 ? 2 : c.name === chosen ? 0 : 1);
  list.sort((a, b) => a.unbounded - b.unbounded || a.sum - b.sum || goodAs(a) - goodAs(b) || a.most - b.most || byName(a.name, b.name));
  const first = list.findIndex((c) => c.loss === 0);
  if (first > 0) list.unshift(...list.splice(first, 1));
  for (const c of list) c.best = c.unbounded === list[0].unbounded && c.sum === list[0].sum;
  if (list.length > 0 && list[0].name === chosen && !list[1]?.best) list[0].pin = null;
  return list;
}

export class Candidates {
  readonly el = h("section", { class: "card candidates" });
  private all = false;
  private drawn = "";
  private held: { readonly host: string; readonly top: number } | null = null;

  constructor(private readonly set: SetModel, private readonly resync: Resync) {
    // Before a press counts: who scrolls, types or presses again is to find things where they are.
    for (const by of ["wheel", "keydown", "pointerdown"]) window.addEventListener(by, () => (this.held = null), { capture: true, passive: true });
  }

  // How many hosts messages relate to the best one, and those of them that have no bound with it.
  private others(list: readonly Candidate[]): { component: number; unbounded: string[] } {
    const clocks = this.set.clocks?.hosts ?? [];
    const own = clocks.filter((x) => x.component === clocks.find((y) => y.name === list[0].name)?.component);
    const bounded = new Set([list[0].name]);
    const links = (this.set.clocks?.links ?? []).filter((l) => l.in_tree && l.error_ns);
    for (const name of bounded) for (const l of links) if (l.a === name || l.b === name) bounded.add(l.a).add(l.b);
    return { component: own.length, unbounded: own.map((x) => x.name).filter((name) => !bounded.has(name)).sort(byName) };
  }

  // How well the clock is known that the estimate of the reference in force has as the largest, and the one that is known worst then: as Hosts has it, from
  // the best time to the worst.
  private cameOut(list: readonly Candidate[]): string {
    const now = list.find((c) => c.reference);
    const known = knownOf(this.set);
    const own = now && known.get(now.farthest);
    if (!own) return "";
    const [worst, bound] = [...known].reduce((a, b) => ((b[1]?.worst ?? 0) > (a[1]?.worst ?? 0) ? b : a));
    const other = worst !== now.farthest && bound ? `, and ${worst} at ${knownWords(bound)}` : "";
    return ` With ${now.name} in force ${now.farthest} came out at ${knownWords(own)}${other}, as Hosts has it.`;
  }

  // The pointer is on the button still when what became of it is told above: that moves nothing below, or a second press would be of another host.
  private use(c: Candidate): void {
    const top = this.button(c.name)?.getBoundingClientRect().top;
    this.held = top === undefined ? null : { host: c.name, top };
    this.resync.pin(c.pin);
  }

  private button(host: string): HTMLElement | null {
    return this.el.querySelector(`[data-host="${CSS.escape(host)}"]`);
  }

  /** Keeps the button that was pressed last where it is in sight, after all of the page was drawn. */
  stay(scroller: HTMLElement): void {
    const button = this.held && this.button(this.held.host);
    if (button) scroller.scrollTop += button.getBoundingClientRect().top - this.held!.top;
  }

  render(): void {
    const list = candidatesOf(this.set);
    const { ready, told, refused } = this.resync;
    const state = JSON.stringify([list, ready, told, refused, this.all, this.set.clocks?.version]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focused = this.el.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.host : undefined;
    fill(this.el, h("h2", {}, "Each host as the reference ", h("small", {}, "estimated from the links alone: what the errors of the others would add up to, and the largest of them (the full part)")));
    if (list.length < 2) {
      add(this.el, h("p", { class: "minor" }, this.set.hosts.length === 0 ? "Not known: there is no host." : this.set.hosts.length < 2 ? "A single host is its own reference." : "Not known: the errors along the tree have no bound."));
      return;
    }
    const most = Math.max(...list.map((c) => c.sum), 1);
    const shown = this.all ? list : list.filter((c, i) => i < FIRST || c.reference);
    const rows = shown.map((c) => {
      const [sum, part] = [h("i"), h("b")];
      sum.style.width = `${(c.sum / most) * 100}%`;
      part.style.width = `${(c.most / most) * 100}%`;
      const more = c.unbounded === list[0].unbounded ? c.sum - list[0].sum : null;
      // It is only marked as disabled, so that it keeps the focus.
      const idle = c.reference || !this.resync.ready;
      const use = h("button", { type: "button", "aria-disabled": idle, "aria-label": c.reference ? `in force: ${c.name}` : `Use ${c.name} as the reference`, onclick: () => idle || this.use(c) }, c.reference ? "in force" : "Use");
      use.dataset.host = c.name;
      return h("tr", {},
        h("td", {}, c.name, c.best ? h("span", { class: "aside" }, c === list[0] ? " best" : " as good") : null),
        h("td", { class: "text" }, h("span", { class: "sums", "aria-hidden": "true" }, sum, part)),
        h("td", {}, ABOUT + about(c.sum, 3)),
        h("td", {}, more === null ? `no bound of ${counted(c.unbounded, "host")}` : more ? (more > 0 ? "+" : MINUS) + about(Math.abs(more), 3) : "–"),
        h("td", {}, ABOUT + about(c.most, 3), h("span", { class: "aside" }, ` ${c.farthest}`)),
        h("td", {}, use));
    });
    const heads = ["Reference", "", "Estimated sum", "More than the best", "Largest estimate, of", ""].map((t, i) => h("th", { scope: "col", class: i < 2 ? "text" : null }, t || h("span", { class: "sr" }, i === 1 ? "Bars" : "Change")));
    add(this.el, h("div", { class: "wide" }, h("table", { "aria-label": "Each host as the reference" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows))));
    add(this.el, h("p", { class: "minor" }, `Estimates: on the way to each host every link counts with the median ± of its own line, and more where one of its hosts recorded longer, but not with the step of a clock.${this.cameOut(list)}`));
    // What became of it stands above, which may be out of sight of the button.
    if (told || refused) add(this.el, h("p", { class: refused ? "fault" : "" }, refused || told));
    add(this.el, h("p", { class: "minor" }, "Use changes the times that everybody sees who looks at this set; links keep their moments."));
    const { component, unbounded } = this.others(list);
    const islands = this.set.hosts.length - component;
    if (shown.length < list.length) add(this.el, h("p", {}, h("button", { type: "button", onclick: () => ((this.all = true), this.render()) }, `All ${counted(list.length, "host")}`)));
    const n = list[0].unbounded;
    if (n > 0) add(this.el, h("p", { class: "minor" }, `${unbounded.length === n ? names(unbounded, 7) : counted(n, "host")} ${n > 1 ? "have" : "has"} no bound with ${list[0].name} as the reference, and ${n > 1 ? "are" : "is"} in no sum.`));
    if (islands > 0) add(this.el, h("p", { class: "minor" }, `${counted(islands, "host")} cannot be: nothing relates ${islands > 1 ? "them" : "it"} to the others.`));
    if (focused) this.button(focused)?.focus();
  }
}
