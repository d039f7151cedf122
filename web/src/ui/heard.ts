// What only those hear who have the screen read out: the state of the row that was chosen, which others see in the inspector,
// and every tenth of an import, which others see as a bar.

import type { At, SetInfo } from "../net/json.js";
import { exact, parseNs } from "../time/time.js";
import { add, h, text } from "./dom.js";

export class Heard {
  private readonly state = h("span", { class: "sr", role: "status" });
  private readonly import = h("span", { class: "sr", role: "status" });
  private tenth = -1;

  constructor(parent: HTMLElement) {
    add(parent, this.state, this.import);
  }

  /** Another state was chosen; null for none. */
  chosen(at: At | null): void {
    text(this.state, at ? chosenWords(at) : "");
  }

  /** The set was told of anew. */
  progress(info: SetInfo | null): void {
    const running = info?.state === "importing";
    const tenth = !info ? -1 : running ? Math.floor(info.progress * 10) : 11;
    if (tenth === this.tenth) return;
    const was = this.tenth;
    this.tenth = tenth;
    if (info && running) text(this.import, `Import: ${tenth * 10} %, ${info.stage}`);
    else if (info && was >= 0) text(this.import, info.state === "failed" ? "The import failed." : "The import is finished.");
  }
}

/** What a thread did at the time that was chosen, as a sentence. */
export function chosenWords(at: At): string {
  const [begin, end] = [parseNs(at.begin), parseNs(at.end)];
  const state = at.status === null ? "nothing is known" : at.syscall && !at.status.includes(at.syscall) ? `${at.status} in ${at.syscall}` : at.status;
  return `${at.thread ? `${at.thread.name} ${at.thread.tid}` : "thread"} on ${at.host}: ${state}${begin !== null && end !== null ? `, for ${exact(end - begin)}` : ""}.`;
}
