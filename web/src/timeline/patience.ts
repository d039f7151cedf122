// What lacks something says so once that lasts: what comes at once would only flicker.

/** So many ms. */
export const LASTS = 250;

export class Patience {
  private since: number | null = null;
  private timer = 0;

  /** Has drawn anew what says so. */
  constructor(private readonly schedule: () => void) {}

  /** Whether something is lacking, as it is told with each drawing, and has been for so long that it is to be said. */
  lasts(lacking: boolean): boolean {
    if (!lacking) {
      if (this.timer) clearTimeout(this.timer);
      this.timer = 0;
      this.since = null;
      return false;
    }
    const now = performance.now();
    this.since ??= now;
    this.timer ||= setTimeout(this.schedule, LASTS);
    return now - this.since >= LASTS;
  }
}
