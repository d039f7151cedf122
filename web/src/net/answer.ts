// Whether an answer may still come. A question that has none yet may take long, or it went where nobody is: a browser does not notice by
// itself, for many minutes, that a network has let it go without a word. So the server is asked beside it whether it is there, which it
// answers at once whatever else it has to do.

/** What heard nothing for so many ms makes the page ask, and what is not answered in so many more is given up. */
const QUIET = 5_000;
const PATIENCE = 5_000;
/** A browser has no more than so many questions on their way to a server, and lets others wait: then that alone may take as long as the
 * server takes for an answer. */
const AT_ONCE = 6;
const IN_LINE = 40_000;

let open = 0;
let asked: Promise<boolean> | null = null;

export class Answer {
  private timer = 0;
  private over = false;

  /** giveUp is called where the server is not there. */
  constructor(private readonly giveUp: () => void) {
    open++;
    this.later();
  }

  /** Something came of the server: it is there. */
  heard(): void {
    clearTimeout(this.timer);
    this.later();
  }

  /** The answer is there, or is not wanted any more. */
  end(): void {
    if (!this.over) open--;
    this.over = true;
    clearTimeout(this.timer);
  }

  private later(): void {
    if (!this.over) this.timer = setTimeout(() => void this.look(), QUIET);
  }

  private async look(): Promise<void> {
    const timer = this.timer;
    asked ??= there().finally(() => (asked = null));
    const yes = await asked;
    if (this.over || timer !== this.timer) return; // it was heard meanwhile
    if (yes) this.later();
    else this.giveUp();
  }
}

async function there(): Promise<boolean> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), open < AT_ONCE ? PATIENCE : IN_LINE);
  try {
    await fetch("/healthz", { cache: "no-store", signal: stop.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
