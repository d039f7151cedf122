// The places where something was lost, one after another, and what is told of one.

import { readLosses } from "../home/api.js";
import { anyLost, lossOf, lossWords, type Loss } from "../model/losses.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { add, h, terms } from "../ui/dom.js";
import { EVER, exact, ROUNDED, type Ns } from "../time/time.js";

export class LossPlaces {
  readonly el = h("span", { class: "losses", hidden: true });
  /** A place was found. */
  onFound: (loss: Loss) => void = () => {};
  /** None was found, in words. */
  onNone: (sentence: string) => void = () => {};
  private turn = 0;

  constructor(private readonly id: string, private readonly set: SetModel, private readonly view: View, private readonly place: () => { before: Ns; behind: Ns }) {
    const button = (words: string, title: string, run: () => void) => h("button", { type: "button", title, onclick: run }, words);
    add(this.el, button("Previous loss", "The place before this one where events were lost (Shift+L)", () => void this.previous()), " ", button("Next loss", "The place behind this one where events were lost (L)", () => void this.next()));
  }

  /** Whether anything was lost of the set. */
  get any(): boolean {
    return this.set.hosts.some(anyLost);
  }

  refresh(): void {
    this.el.hidden = !this.any;
  }

  /** The first of all, or of one host. */
  first(host = ""): Promise<void> {
    return this.later(-EVER, host);
  }

  next(): Promise<void> {
    return this.later(this.place().behind + 1n, this.view.events.host);
  }

  // Those that are told from a time on, the first of them.
  private later(from: Ns, host: string): Promise<void> {
    return this.find(from, EVER, 2, host, (list) => list.filter((x) => x.place >= from).sort((a, b) => Number(a.place - b.place))[0], "No events were lost behind this place");
  }

  /** The last that is told before the place. */
  previous(): Promise<void> {
    const { before } = this.place();
    return this.find(-EVER, before, 1, this.view.events.host, (list) => {
      const last = list.filter((x) => x.last < before).sort((a, b) => Number(b.last - a.last))[0];
      return last && { ...last, place: last.last };
    }, "No events were lost ahead of this place");
  }

  /** Where a loss is told, by the clock of its host, as the address has it; null where nothing says. */
  placeOf(x: Loss): { host: number; local: Ns } | null {
    const host = this.set.hosts.find((h) => h.name === x.host)?.index ?? -1;
    const local = this.view.raw ? x.place : this.set.toLocal(host, x.place);
    return host < 0 || local === null ? null : { host, local };
  }

  /** The loss that the address has: one of a list or, where none of that is, one that the server finds; null where there is none, or another one meanwhile. */
  async kept(list: readonly Loss[]): Promise<Loss | null> {
    const { view, set } = this;
    const { loss } = view.events;
    const host = loss && set.host(loss.host)?.name;
    const at = !loss || !host ? null : view.raw ? loss.local : set.toReference(loss.host, loss.local);
    if (!host || at === null) return null;
    const is = (x: Loss) => x.host === host && x.place - ROUNDED <= at && at <= x.last + ROUNDED;
    const here = list.find(is);
    if (here) return here;
    const hosts = await readLosses(this.id, at - ROUNDED, at + ROUNDED + 1n, view.raw, 1, { host, placed: true }).catch(() => []);
    const found = hosts.flatMap((x) => x.stretches.map((s) => lossOf(x.host, s))).find(is);
    return view.events.loss === loss && found ? found : null;
  }

  private async find(begin: Ns, end: Ns, most: number, host: string, pick: (list: Loss[]) => Loss | undefined, none: string): Promise<void> {
    const turn = ++this.turn;
    try {
      const hosts = await readLosses(this.id, begin, end, this.view.raw, most, { host, placed: true });
      if (turn !== this.turn) return;
      const found = pick(hosts.flatMap((x) => x.stretches.map((s) => lossOf(x.host, s))));
      const words = undatedWords(hosts.filter((x) => !x.known && !x.error).map((x) => x.host), hosts.flatMap((x) => x.error ?? []));
      if (found) this.onFound(found);
      else this.onNone(words || `${none}.`);
    } catch (e) {
      if (turn === this.turn) this.onNone(e instanceof Error ? e.message : String(e));
    }
  }
}

/** What is said of hosts of which something was lost and nobody knows when, and in sentences of damaged files that had it; "" where there are none. */
export function undatedWords(hosts: readonly string[], damaged: readonly string[]): string {
  const undated = hosts.length > 0 ? [`When events were lost on ${hosts.join(", ")} is not known, for an earlier version of the program read the traces. Import them again to see where.`] : [];
  return [...damaged, ...undated].join(" ");
}

/** What is told of a place where something was lost, the time to which as until says it; show is called for the timeline there. */
export function lossTold(x: Loss, set: SetModel, at: (t: Ns) => string, until: (t: Ns) => string, show: () => void): Node[] {
  const events = x.lost_events > 0;
  const why = events
    ? "The tracer counts what it discards from packet to packet: when between these times events were lost nobody knows for sure. It writes to a packet as long as that has room, so most likely it was here, behind the last event of the packet that counts them. A packet is closed when the next has begun, so events behind this line may be earlier than the latest time."
    : "Packets are missing: by their numbers, or because the stream of a CPU is cut or ends before others do; then one stands for all that are missing to the end. How many events were in them nobody knows.";
  return [
    h("div", { class: "line" }, h("h2", {}, lossWords(x, set.hosts.length < 2, at, until)), h("span", {}, h("button", { type: "button", onclick: show }, "Show in the timeline"))),
    terms([["Host", x.host], ["From, at the earliest", at(x.begin)], ["To, at the latest", until(x.end)], ["In", exact(x.end - x.begin)]]),
    h("p", {}, why),
  ];
}
