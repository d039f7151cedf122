// Rows that the server lists of the window, by what their threads do there: asked for when the window has settled, and anew whenever it or the
// time is another. While more is read the server answers again by itself. Where rows have come it is asked anew as well, but not
// before it has answered: where many come it would be made to begin again and again.

import type { Request } from "../net/live.js";
import type { Message } from "../net/wire.js";
import { Settled } from "../model/settled.js";
import { endOf, type Window } from "../time/window.js";
import type { Context } from "./controlflow.js";

const SETTLE = 220; // ms

/** What a view asks about the window, beside the window itself. */
export type Question = { readonly op: "measure"; readonly by: string } | { readonly op: "filter"; readonly where: string };

export class ListedInView {
  private question: Question | null = null;
  private asked = ""; // the question and what it is asked about
  private threads = 0; // there were when it was asked
  private waiting = false; // it is asked, and not answered
  private readonly settled = new Settled(SETTLE, () => this.ask(this.question!));
  private dropped = 0; // how often what was asked became of no use
  private early: (() => void) | null = null; // an answer by clocks that nobody has told of yet

  /** take gets each answer, also one of kind error, with the window and the time that it is about. */
  constructor(private readonly c: Context, private readonly view: number, private readonly take: (m: Message, window: Window, time: string) => void) {}

  /** Asks a question where it, window, time or the number of rows are others than before: when they have settled, or at once where a window is urgent
   * or nothing was asked until now. Tells whether there is a window to be asked about. */
  request(question: Question, urgent = false): boolean {
    const { view } = this.c;
    const words = JSON.stringify(question);
    if (words !== JSON.stringify(this.question)) this.giveUp();
    this.question = question;
    this.early?.(); // or it waits again
    if (view.empty || view.tab !== "timeline") {
      this.pause();
      return false;
    }
    const key = `${words} ${view.window.begin} ${view.window.span} ${view.time}`;
    if (key === this.asked) this.askOfMore();
    else this.settled.begin(urgent || this.asked === "" ? 0 : SETTLE);
    this.asked = key;
    return true;
  }

  /** Stops asking. What was asked for is answered no more. */
  pause(): void {
    this.settled.end();
    this.giveUp();
    this.c.live.drop(this.view);
  }

  /** Times are others: an answer of those that there were is none any more. */
  retime(): void {
    this.giveUp();
  }

  private giveUp(): void {
    this.asked = "";
    this.waiting = false;
    this.dropped++;
    this.early = null;
  }

  // Asks anew where there are other rows than when it was asked.
  private askOfMore(): void {
    if (this.threads !== this.c.rows.threads && !this.waiting && !this.settled.waits) this.settled.begin();
  }

  // By clocks of another reference the window is called otherwise, and an answer by them may come before they do or after: what it says of
  // the times that were asked for, when mostly nothing was recorded, would leave out every row. So an answer waits for its clocks, and
  // none is taken once times are others.
  private ask(question: Question): void {
    const { view, live, rows } = this.c;
    const { window, time } = view;
    const dropped = this.dropped;
    this.early = null;
    this.threads = rows.threads;
    this.waiting = true;
    const request: Request = { ...question, begin: String(window.begin), end: String(endOf(window)), time };
    live.ask(this.view, request, (m) => {
      if (dropped !== this.dropped) return;
      this.waiting = false;
      const now = () => {
        this.early = null;
        if (dropped !== this.dropped) return;
        if (m.kind === "listing" && m.map > (this.c.set.clocks?.version ?? 0)) this.early = now;
        else this.take(m, window, time);
      };
      now();
      this.askOfMore();
    });
  }
}
