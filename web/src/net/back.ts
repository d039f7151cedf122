// A server that could not be reached by a question may be there again without that anything told so: the connection of the views
// may never have been lost. So it is asked whether it is, until it is.

/** So many ms after it was missed, and then after twice as many each time. */
const FIRST = 1_000;
const SLOWEST = 8_000;

export class Back {
  private timer = 0;

  /** ask is answered when the server is there; then it is back. */
  constructor(private readonly ask: () => Promise<unknown>, private readonly onBack: () => void) {}

  /** It could not be reached. */
  missed(): void {
    if (!this.timer) this.later(FIRST);
  }

  private later(ms: number): void {
    this.timer = setTimeout(() => void this.look(ms), ms);
  }

  private async look(waited: number): Promise<void> {
    try {
      await this.ask();
    } catch {
      return this.later(Math.min(2 * waited, SLOWEST));
    }
    this.timer = 0;
    this.onBack();
  }
}
