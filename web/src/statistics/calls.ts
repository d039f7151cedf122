// How long system calls took: a table of percentiles, and the times of the chosen one as a histogram.

import { readCalls, readCallsOfEach, type CallsAnswer, type CallTime } from "../home/api.js";
import type { Bounds } from "../model/set.js";
import type { View } from "../model/view.js";
import { counted, group, percent } from "../time/number.js";
import { about, seconds } from "../time/time.js";
import { fill, h } from "../ui/dom.js";
import { Sorted, type Keeper } from "../ui/sorted.js";
import { subjectWords, type Subject } from "./alone.js";
import { longestButton, LongestOfThreads, type Shows } from "./longest.js";
import type { AtHost } from "./sheets.js";

type Row = AtHost<CallTime>;

/** The highest bar of the histogram, CSS pixels. */
const HIGH = 90;

export class CallTimes {
  readonly table: Sorted<Row>;
  readonly picture = h("section", { class: "card callpicture", "aria-label": "How long a system call took", hidden: true });
  private answer: CallsAnswer | null = null;
  private of: Subject | null = null; // the one thread that the answer is of
  private turn = 0;
  private fault = "";
  /** The longest call of each thread, of the stretch that was asked for last. */
  ofThreads = new LongestOfThreads();
  private allOf: unknown = null; // which stretch those are of
  private asked: { begin: Bounds["begin"]; end: Bounds["end"]; local: boolean } | null = null;
  onCall: Shows = () => {};

  constructor(private readonly id: string, private readonly keeper: Keeper & Pick<View, "call">) {
    const time = (name: string, of: (r: Row) => number, title?: string) => ({ name, ...(title ? { title } : {}), by: of, cell: (r: Row) => about(of(r)) });
    this.table = new Sorted<Row>("How long system calls took", [
      { name: "Call", text: true, by: (r) => r.name, cell: (r) => r.name },
      { name: "Host", text: true, by: (r) => r.host, cell: (r) => r.host },
      { name: "Times", title: "Those that were seen to return", by: (r) => r.count, cell: (r) => group(r.count) },
      time("Shortest", (r) => r.least_ns),
      time("50 %", (r) => r.median_ns, "Half of the calls took as long or less: of two calls this is the shorter"),
      time("90 %", (r) => r.p90_ns, "Nine of ten calls took as long or less"),
      time("99 %", (r) => r.p99_ns, "99 of a hundred calls took as long or less"),
      { name: "Longest", title: "Press one to see that call in the timeline", by: (r) => r.most_ns, cell: (r) => longestButton(r.host, r.longest, about(r.most_ns), this.onCall) },
      time("Whole calls", (r) => r.ns, "All of these calls together, with the parts of them that lie before or after what is added up here, which Total time leaves out"),
    ], 8, "", keeper, "took");
    this.table.onOpen = (r) => this.choose(r);
  }

  /** Whether the last question was refused. */
  get refused(): boolean {
    return this.fault !== "" || this.ofThreads.fault !== "";
  }

  /** Asks for a stretch, of all threads or of one; the answer is shown when it comes, unless another was asked for meanwhile. The longest
   * call of each thread is asked for once for each stretch. */
  async read(stretch: Bounds, local: boolean, of: Subject | null, refill: () => void): Promise<void> {
    const turn = ++this.turn;
    const { begin, end } = stretch;
    const last = this.asked;
    this.asked = { begin, end, local };
    // While a set is imported the whole of it grows at an end.
    if (last && (last.local !== local || (last.begin !== begin && last.end !== end))) this.ofThreads = new LongestOfThreads();
    try {
      const all = of && this.allOf === stretch ? null : readCalls(this.id, begin, end, local, null);
      const [answer, whole] = await Promise.all([of ? readCalls(this.id, begin, end, local, of) : all!, all]);
      if (turn !== this.turn) return;
      if (whole) {
        this.allOf = stretch;
        const asks = (host: string, tids: readonly number[]) => readCallsOfEach(this.id, begin, end, local, host, tids);
        this.ofThreads = new LongestOfThreads(whole, asks, "no", this.ofThreads);
      }
      [this.answer, this.of, this.fault] = [answer, of, ""];
    } catch (e) {
      if (turn !== this.turn) return;
      [this.answer, this.fault] = [null, e instanceof Error ? e.message : String(e)];
      this.allOf = null;
      this.ofThreads = new LongestOfThreads(null, null, "no");
    }
    refill();
  }

  /** none is what to say where there are so many calls and none of them is wanted. */
  show(wanted: (...has: string[]) => boolean, none: (there: number) => string): void {
    const hosts = this.answer?.hosts ?? [];
    const rows = hosts.flatMap((x) => x.calls.map((c) => ({ ...c, host: x.host })));
    const shown = rows.filter((r) => wanted(r.name, r.host));
    this.table.show(shown, this.note(new Set(shown.map((r) => r.host))), this.answer || this.fault ? none(rows.length) : "Each call is being looked at…");
    const [host, name] = this.keeper.call ?? [];
    const chosen = rows.find((r) => r.host === host && r.name === name);
    this.picture.hidden = !chosen;
    if (chosen) this.draw(chosen);
  }

  // What was counted on the hosts that the table has calls of: all that touch the stretch, or the first of them.
  private note(shown: ReadonlySet<string>): string {
    if (this.fault) return this.fault;
    const hosts = (this.answer?.hosts ?? []).filter((x) => shown.size === 0 || shown.has(x.host));
    const sum = (of: (x: (typeof hosts)[number]) => number) => hosts.reduce((n, x) => n + of(x), 0);
    const [all, unfinished, ongoing, others] = [sum((x) => x.all), sum((x) => x.unfinished), sum((x) => x.ongoing ?? 0), sum((x) => x.others)];
    const cut = hosts.filter((x) => x.local_until !== null);
    return [
      all ? `exact, of ${cut.length ? "the first " : ""}${counted(sum((x) => x.counted), "call")}${cut.length ? ` of ${group(all)}` : ""}${this.of ? ` of ${subjectWords(this.of)}` : ""}, each from entry to exit` : "",
      cut.length ? `${cut.map((x) => x.host).join(", ")}: too many to look at each; until ${cut.map((x) => seconds(BigInt(x.local_until!))).join(", ")} of the own clock` : "",
      unfinished ? `${group(unfinished)} were not seen to return` : "",
      ongoing ? `${group(ongoing)} are still going on, as far as is read` : "",
      others ? `${counted(others, "rarer name")} left out` : "",
    ].filter(Boolean).join("; ");
  }

  private choose(r: Row): void {
    this.keeper.call = [r.host, r.name];
    this.keeper.keep();
    this.draw(r);
    this.picture.hidden = false;
    this.picture.scrollIntoView({ block: "nearest" });
  }

  private draw(r: Row): void {
    const filled = spread(r.bins);
    const most = Math.max(...filled.map(([, n]) => n));
    const bars = filled.map(([from, n], i) => {
      const bar = h("i", { class: n > 0 ? "some" : "" });
      bar.style.height = `${n > 0 ? Math.max(2, (n / most) * HIGH) : 0}px`;
      const words = `${edge(from)} to ${edge(next(from))}: ${counted(n, "call")}`;
      return h("li", { title: words }, h("span", { class: "column", "aria-hidden": "true" }, h("span", { class: "t" }, n > 0 ? group(n) : ""), bar), h("span", { class: "t edges" }, edge(from), i < filled.length - 1 ? null : h("span", { "aria-hidden": "true" }, edge(next(from)))), h("span", { class: "sr" }, words.slice(edge(from).length)));
    });
    fill(this.picture,
      h("h2", {}, `${r.name} ${this.of ? `of ${subjectWords(this.of)}` : `on ${r.host}`} `, h("small", {}, `${counted(r.count, "call")}; half took at most ${about(r.median_ns)}, ${percent(0.99)} at most ${about(r.p99_ns)}, the longest `, longestButton(r.host, r.longest, about(r.most_ns), this.onCall))),
      h("ul", { class: "bins", "aria-label": `Calls of ${r.name} by how long they took` }, ...bars));
  }
}

// 1, 2, 5, ... of a unit, without decimals.
function edge(ns: number): string {
  return about(ns).replace(/\.0+/, "");
}

/** The bin behind one that begins so: 1, 2, 5, 10, 20, … */
export function next(from: number): number {
  if (from === 0) return 1;
  const lead = Number(String(from)[0]);
  return lead === 1 ? from * 2 : lead === 2 ? (from / 2) * 5 : from * 2;
}

/** The bins with the empty ones between them. */
export function spread(bins: readonly [number, number][]): [number, number][] {
  if (bins.length === 0) return [];
  const counts = new Map(bins);
  const out: [number, number][] = [];
  for (let from = bins[0][0]; from <= bins[bins.length - 1][0]; from = next(from)) out.push([from, counts.get(from) ?? 0]);
  return out;
}
