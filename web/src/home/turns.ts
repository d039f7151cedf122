// How many uploads send at once. A browser has no more than six questions on their way to a server, of all its tabs together, and lets
// others wait: were all of them pieces of archives, over a slow network nothing else would be answered for a minute, be it the list of
// sets or a viewer beside it, and all of them would say that the server does not answer.

import { stoppedError } from "./api.js";

const AT_ONCE = 3;

export class Turns {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most = AT_ONCE) {}

  /** Whether who asks now has to wait. */
  get all(): boolean {
    return this.taken >= this.most;
  }

  /** A turn, in the order in which they were asked for, until what is returned is called. Throws once the signal is aborted. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw stoppedError();
    if (!this.all) this.taken++;
    else
      await new Promise<void>((done, failed) => {
        const mine = () => {
          signal.removeEventListener("abort", left);
          done();
        };
        const left = () => {
          this.waiting.splice(this.waiting.indexOf(mine), 1);
          failed(stoppedError());
        };
        signal.addEventListener("abort", left, { once: true });
        this.waiting.push(mine);
      });
    return () => {
      // A turn goes straight to who waits: another that asks just then has none before.
      const next = this.waiting.shift();
      if (next) next();
      else this.taken--;
    };
  }
}

/** Those of this page. */
export const turns = new Turns();
