// What is told of the chosen event, or loss. It is told of until another is chosen, also where its row is not held any more.

import { knownToWords } from "../model/known.js";
import type { Loss } from "../model/losses.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import type { Ns } from "../time/time.js";
import { fill, h, keepFocus } from "../ui/dom.js";
import { Stays, STEPS } from "../ui/stays.js";
import { lossTold } from "./lossplaces.js";
import { eventTold, type Marked } from "./marked.js";
import type { Entry } from "./pages.js";
import { retimed, timed, type Timed } from "./timed.js";

export class Chosen {
  readonly el = h("section", { class: "chosen", "aria-label": "The chosen event", hidden: true });
  /** Asks for the timeline at an event. */
  onFind: (e: Entry) => void = () => {};
  /** Marks an event. */
  onMark: (e: Entry) => void = () => {};
  /** Asks for the timeline where something was lost. */
  onRange: (x: Loss) => void = () => {};
  /** What is told of. */
  event: Entry | null = null;
  loss: Loss | null = null;
  private readonly stays = new Stays(STEPS);

  /** words tells a time, until the end of a loss. */
  constructor(private readonly set: SetModel, private readonly view: View, private readonly flag: Marked, private readonly words: (t: Ns) => string, private readonly until: (t: Ns) => string) {}

  /** Tells who hears the page how the chosen event lies to the mark. */
  get heard(): HTMLElement {
    return this.stays.el;
  }

  tell(e: Entry | null): void {
    this.event = e;
    this.loss = null;
    this.el.hidden = !e;
    const order = e && this.flag.order(e);
    this.stays.say(order && !this.flag.is(e) ? order.textContent! : "");
    if (!e) return;
    const host = this.set.hosts.find((x) => x.name === e.host);
    const error = host ? this.set.errorAt(host.index, e.local) : null;
    const known = host ? knownToWords(host, error) : "unknown";
    const clock = this.view.clock(e.recorded ?? e.local) + (e.recorded === undefined ? "" : ", earlier than events ahead of it");
    const what: [string, string][] = [["Time", this.words(e.time)], ["Host's clock (UTC)", clock], ["Known to", known]];
    keepFocus(this.el, () => fill(this.el, ...eventTold(e, what, order, () => this.onFind(e), () => this.onMark(e))));
  }

  tellLoss(x: Loss): void {
    this.loss = x;
    this.el.hidden = false;
    keepFocus(this.el, () => fill(this.el, ...lossTold(x, this.set, this.words, this.until, () => this.onRange(x))));
  }

  /** The mark is another one, or times are told by other clocks. */
  tellAnew(): void {
    if (this.loss) this.tellLoss(this.loss);
    else this.tell(this.event);
  }

  /** Times are told by other clocks from now on. */
  retime(before: Timed | null, now: Timed): void {
    if (this.event) timed(this.event, now);
    if (this.loss) this.loss = retimed(this.loss, before, now);
  }

  /** Asks for the timeline at what is told of. */
  open(): void {
    if (this.loss) this.onRange(this.loss);
    else if (this.event) this.onFind(this.event);
  }

  /** Whether it is the event that the address has. */
  isIt(e: Entry): boolean {
    const { chosen } = this.view.events;
    return !!chosen && e.local === chosen.local && e.cpu === chosen.cpu && e.host === this.set.host(chosen.host)?.name;
  }

  /** Whether it is the loss that is told of, or has it: what lies where two pages meet is known whole when both are there. */
  isLoss(x: Loss): boolean {
    const { loss: of } = this;
    return !!of && x.host === of.host && x.place <= of.place && of.place <= x.last;
  }
}
