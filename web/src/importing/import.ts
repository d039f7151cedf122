// The Import tab: how far each host is, what was odd in the traces, and what the
// recordings lack.

import type { Found } from "../home/parcel.js";
import { unrelatedWords } from "../model/known.js";
import { anyLost, lostCount, lostWords } from "../model/losses.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { parseWait } from "../model/wait.js";
import type { HostInfo } from "../net/json.js";
import { counted, group, percent, short, THIN } from "../time/number.js";
import { about, bound, clock, date, parseNs } from "../time/time.js";
import { add, bar, fill, h, nameClass } from "../ui/dom.js";
import { Anomalies } from "./anomalies.js";
import { showLacks } from "./lacks.js";
import { MoreFiles } from "./more.js";
import { Source } from "./source.js";
import { showStages } from "./stages.js";
import { table } from "./table.js";

const STATES: Record<HostInfo["state"], string> = { waiting: "waiting", importing: "reading", done: "read", failed: "failed" };

/** Bounds that the drawing of the timeline may wait for, as they stand in an address. */
const WAITS = ["10ms", "1ms", "200us", "50us", "10us"];

export class ImportPage {
  private readonly summary = h("section", { class: "card" });
  private readonly stages = h("ol", { class: "stages", "aria-label": "Stages" });
  private readonly hosts = h("section", { class: "card" });
  private readonly anomalies = new Anomalies();
  private readonly lacks = h("section", { class: "card" });

  private readonly waits = h("select", { id: "wait", onchange: () => this.wait() });
  private readonly drawing = h("section", { class: "card" }, h("p", { class: "line" }, h("label", { for: "wait" }, "Draw the timeline"), this.waits),
    h("p", { class: "minor" }, "While the import runs clocks become better known. What is drawn before that moves when they do; the address keeps this choice."));

  /** Something to add was dropped, of which this tab tells. */
  onDropped: () => void = () => {};
  /** The events are wanted where the first were lost of a host. */
  onLost: (host: string) => void = () => {};
  private readonly source: Source;
  private readonly more: MoreFiles;

  constructor(root: HTMLElement, id: string, private readonly set: SetModel, private readonly view: View) {
    this.source = new Source(id);
    this.more = new MoreFiles(id);
    this.more.onDropped = () => this.onDropped();
    const all = [...new Set([...WAITS, view.waitedFor].filter(Boolean))].sort((a, b) => parseWait(b)! - parseWait(a)!);
    add(this.waits, h("option", { value: "" }, "at once"), ...all.map((w) => h("option", { value: w }, `when the clocks in the window are known to ±${THIN}${bound(parseWait(w)!)}`)));
    add(root, h("div", {}, this.summary, this.drawing, this.hosts), h("div", {}, this.lacks, this.anomalies.root, this.more.el));
    this.render();
  }

  /** Leads to what is said of a kind of anomaly. */
  reveal(kind: string): void {
    this.anomalies.reveal(kind);
  }

  /** Leads to where files are added to the set. */
  addFiles(): void {
    this.more.focus();
  }

  /** Takes files that were dropped on the page. */
  drop(found: Promise<Found[]>): void {
    this.more.drop(found);
  }

  private wait(): void {
    this.view.waitFor(this.waits.value);
    this.view.emit();
  }

  render(): void {
    const info = this.set.info;
    this.more.show(info?.state === "ready");
    this.drawing.hidden = info?.state === "ready" || info?.state === "failed";
    this.waits.value = this.view.waitedFor;
    if (!info) {
      fill(this.summary, h("h2", {}, "Import"), h("p", { class: "minor" }, "Waiting for the server."));
      return;
    }
    const running = this.set.importing;
    const words: Record<string, string> = { uploading: "Uploading", importing: "Importing", ready: "Imported", failed: "The import failed" };
    const nothing = info.state === "failed" && info.events === 0;
    fill(
      this.summary,
      h("h2", {}, info.unshown ? "The set cannot be shown" : words[info.state] ?? info.state, " ", h("small", {}, running ? info.stage : "")),
      nothing ? null : h("p", { class: "progress" }, bar(info.progress, "Import"), h("span", { class: "t" }, percent(info.progress)), running && info.rate > 0 ? h("span", { class: "t" }, `${short(info.rate)}${THIN}events/s`) : null,
        h("span", { class: "t" }, counted(info.events, "event")), anyLost(info) ? h("span", { class: "t warn" }, info.lost_packets ? lostWords(info) : `${lostWords(info)} by the tracer`) : null),
      info.error ? h("p", { class: "fault", role: "alert" }, info.error) : null,
    );
    showStages(this.stages, info.stages ?? []);
    this.source.refresh(info.state);
    add(this.summary, this.stages, this.source.el);
    fill(this.hosts, h("h2", {}, "Hosts"), this.hostTable());
    showLacks(this.lacks, this.set.report?.missing ?? []);
    this.anomalies.root.hidden = info.state === "failed" && !this.set.report?.anomalies.length; // of packets that nobody read
    this.anomalies.show(this.set.report?.anomalies ?? [], info.anomalies > 0 && !this.set.report ? "report" : running && info.events === 0 ? "events" : "");
  }

  private hostTable(): HTMLElement {
    if (this.set.hosts.length === 0) return h("p", { class: "minor" }, this.set.info?.unshown ? "No host can be shown." : this.set.info?.state === "failed" ? "No host could be read." : "No trace has been found yet.");
    const rows = this.set.hosts.map((x) => {
      const [begin, end] = [parseNs(x.local_begin), parseNs(x.local_end)];
      return h("tr", {},
        h("td", { class: nameClass(x.name) }, x.name, x.unsynchronized ? h("span", { class: "aside" }, ` ${unrelatedWords(x)}`) : x.reference ? h("span", { class: "aside" }, " reference") : null),
        h("td", { class: "text" }, STATES[x.state] ?? x.state),
        h("td", { class: "withbar" }, bar(x.progress, x.name), h("span", { class: "t" }, percent(x.progress))),
        h("td", {}, group(x.events)),
        h("td", {}, anyLost(x) ? h("button", { type: "button", class: "link warn", title: "List the events where the first were lost", "aria-label": `${lostCount(x)} lost on ${x.name}: list the events there`, onclick: () => this.onLost(x.name) }, lostCount(x)) : lostCount(x)),
        h("td", {}, begin !== null ? `${date(begin)} ${clock(begin)}` : "–"),
        h("td", {}, begin !== null && end !== null && end > begin ? about(Number(end - begin), 5) : "–"));
    });
    const heads = ["Host", "State", "Read", "Events", "Lost", "Begins, own clock (UTC)", "Duration, own clock"];
    return table("Hosts", heads, [0, 1], rows);
  }
}
