// What waits until a movement has settled. Each frame of one begins the wait anew. Instead of a timer that is taken back and set with each of them, one
// runs on, and waits for what is left where it came too early.

/** Does something once nothing has begun its wait anew for a while. */
export class Settled {
  private due: number | null = null; // ms
  private timer: ReturnType<typeof setTimeout> | null = null;
  private comes = 0; // ms; when it does

  /** then is called once nothing has begun the wait anew for so many ms. */
  constructor(private readonly ms: number, private readonly then: () => void) {}

  /** Whether it is waited. */
  get waits(): boolean {
    return this.due !== null;
  }

  /** Waits, anew, for so many ms. */
  begin(ms = this.ms): void {
    const now = performance.now();
    this.due = now + ms;
    if (this.timer !== null && this.comes <= this.due) return;
    this.stop();
    this.set(now, ms);
  }

  /** Waits no more. */
  end(): void {
    this.due = null;
  }

  private set(now: number, ms: number): void {
    this.comes = now + ms;
    this.timer = setTimeout(() => this.look(), ms);
  }

  private stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private look(): void {
    this.timer = null;
    if (this.due === null) return;
    const now = performance.now();
    if (this.due - now >= 1) return this.set(now, this.due - now);
    this.due = null;
    this.then();
  }
}
