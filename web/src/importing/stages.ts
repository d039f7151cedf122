// The stages of an import: how much of each is done, how fast it goes, how long it takes at that rate.

import { leftWords } from "../home/pace.js";
import type { Stage } from "../net/json.js";
import { bytes, percent } from "../time/number.js";
import { bar, fill, h } from "../ui/dom.js";

const NAMES: Record<Stage["name"], string> = { upload: "Upload", unpack: "Unpack", read: "Read" };

export function showStages(el: HTMLElement, stages: readonly Stage[]): void {
  el.hidden = stages.length === 0;
  fill(el, ...stages.map((s) => {
    const share = s.total > 0 ? s.done / s.total : s.total === 0 ? 1 : 0;
    const words = s.done === s.total && s.total >= 0
      ? [bytes(s.total)]
      : [s.total >= 0 ? `${bytes(s.done)} of ${bytes(s.total)}` : bytes(s.done), s.total >= 0 ? percent(share) : "", s.rate > 0 ? `${bytes(s.rate)}/s` : "", leftWords(s.left_s)];
    return h("li", {}, h("span", { class: "name" }, NAMES[s.name]), bar(share, NAMES[s.name]), h("span", { class: "t" }, words.filter(Boolean).join(" · ")));
  }));
}
