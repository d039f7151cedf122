// What the recordings of a set lack: what is not shown without, and the command that would have recorded it.

import { list } from "../model/names.js";
import type { Lack } from "../net/json.js";
import { fill, h } from "../ui/dom.js";

export function showLacks(card: HTMLElement, lacks: readonly Lack[]): void {
  card.hidden = lacks.length === 0;
  fill(card, h("h2", {}, "What these recordings lack"), ...lacks.map(lackOf));
}

function lackOf(lack: Lack): HTMLElement {
  const views = lack.views.join(" and ");
  const need = lack.views.length > 1 || views.endsWith("s") ? "need" : "needs";
  const none = lack.hosts.length > 1 ? "these hosts have none" : "this host has none";
  const several = lack.events.length > 1 || lack.events[0]?.startsWith("the contexts ");
  const remedy = lack.command.startsWith("lttng ") ? `To record ${several ? "them" : "it"} next time:` : "They can be made now, and be added below:";
  return h("div", { class: "lack" },
    h("p", {}, h("b", {}, views[0].toUpperCase() + views.slice(1)), lack.events.length ? ` on ${list(lack.hosts)} ${need} ${list(lack.events)}. ` : `: ${none} (${list(lack.hosts)}). `,
      lack.without, ` ${remedy}`),
    h("pre", { tabindex: 0, "aria-label": "Command" }, lack.command));
}
