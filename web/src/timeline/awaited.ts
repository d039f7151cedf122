// Until it is known which rows run, none is listed of a set that is read: those that do not would stand there for a moment, and others in their
// place then. It is not waited for long, and not at all where rows are listed already.

/** So many ms at most. */
const LONGEST = 800;

export class Awaited {
  private timer = 0;
  private over = false;

  constructor(private readonly onOver: () => void) {}

  /** Whether rows wait; unknown tells that it is not known which of them run. */
  waits(unknown: boolean): boolean {
    if (!unknown || this.over) {
      clearTimeout(this.timer);
      this.timer = 0;
      this.over = true;
      return false;
    }
    this.timer ||= setTimeout(() => {
      // What came while the page was busy, as with a first frame, is taken before.
      this.timer = setTimeout(() => {
        this.over = true;
        this.onOver();
      });
    }, LONGEST);
    return true;
  }

  /** It is waited no longer; whether it was until now. */
  end(): boolean {
    const waited = this.timer !== 0;
    this.waits(false);
    return waited;
  }

  /** All rows are others. */
  reset(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.over = false;
  }
}
