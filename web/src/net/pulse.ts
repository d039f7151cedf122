// Whether the server is there. A connection of which nothing comes need not be dead: there may be nothing to tell, or the
// answer takes long. So the server is asked, and answers that at once whatever else it has to do. A browser does not
// notice by itself, for many minutes, that a network has let a connection go without a word.

/** What waits for an answer for so many ms makes the page ask, and a connection over which nothing came for so many. */
const QUIET = 5_000;
const IDLE = 30_000;
/** When that was not answered for so many ms it is said. */
const DOUBT = 5_000;
/** And after so many it is given up. Where the line is slow a large answer is heard only when all of it is there: each connection that
 * was given up leaves the next twice as long. */
const PATIENCE = 20_000;
const MOST_PATIENCE = 160_000;
/** So often it is looked, ms. */
const LOOK = 1_000;

/** What a pulse needs of its connection. */
export interface Heart {
  /** Whether an answer is waited for. */
  waits(): boolean;
  /** Ask whether the server is there. */
  ask(): void;
  /** It has not answered that for a while; then, perhaps, it has. */
  doubt(doubtful: boolean): void;
  /** It is not there. */
  silent(): void;
}

export class Pulse {
  private heardAt = 0;
  private askedAt: number | null = null;
  private open = false;
  private doubtful = false;
  private patience = PATIENCE;
  private timer = 0;

  constructor(private readonly heart: Heart) {}

  /** A connection is being made: that it comes about is the first answer. */
  begin(): void {
    this.end();
    this.open = false;
    this.askedAt = performance.now();
    this.later();
  }

  /** Something came of the server: the connection itself, or a message. */
  heard(message: boolean): void {
    this.open = true;
    this.heardAt = performance.now();
    this.askedAt = null;
    if (message) this.patience = PATIENCE;
    this.believe(false);
  }

  /** Asks without waiting any longer, as when the network has just changed. */
  now(): void {
    if (this.askedAt === null) this.ask();
  }

  /** There is no connection any more. */
  end(): void {
    clearTimeout(this.timer);
    this.believe(false);
  }

  private later(): void {
    this.timer = setTimeout(() => this.look(), LOOK);
  }

  private look(): void {
    const now = performance.now();
    const silence = this.askedAt === null ? 0 : now - this.askedAt;
    if (silence >= (this.open ? this.patience : PATIENCE)) {
      if (this.open) this.patience = Math.min(2 * this.patience, MOST_PATIENCE);
      this.end();
      return this.heart.silent();
    }
    if (this.askedAt === null && now - this.heardAt >= (this.heart.waits() ? QUIET : IDLE)) this.ask();
    if (this.open && silence >= DOUBT) this.believe(true);
    this.later();
  }

  private ask(): void {
    this.askedAt = performance.now();
    this.heart.ask();
  }

  private believe(doubtful: boolean): void {
    if (doubtful === this.doubtful) return;
    this.doubtful = doubtful;
    this.heart.doubt(doubtful);
  }
}
