// What is gone may be there again without that anything told so, be it a server that could not be reached by a question, or a set that
// somebody may bring back. So it is asked whether it is, until it is.

/** So many ms after it was missed, and then after twice as many each time. */
const FIRST = 1_000;
const SLOWEST = 8_000;

export class Back {
  private timer = 0;
  private turn = 0;

  /** ask is answered when it is there, and throws when it is not; then it is back. */
  constructor(private readonly ask: () => Promise<unknown>, private readonly onBack: () => void) {}

  /** It is missed. */
  missed(): void {
    if (!this.timer) this.later(FIRST);
  }

  /** It is missed, and may be back at once. */
  look(): void {
    this.end();
    void this.asked(FIRST / 2);
  }

  /** Nothing more is asked. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.turn++;
  }

  private later(ms: number): void {
    this.timer = setTimeout(() => void this.asked(ms), ms);
  }

  private async asked(waited: number): Promise<void> {
    const { turn } = this;
    const there = await this.ask().then(() => true, () => false);
    if (turn !== this.turn) return; // ended meanwhile
    if (!there) return this.later(Math.min(2 * waited, SLOWEST));
    this.timer = 0;
    this.onBack();
  }
}
