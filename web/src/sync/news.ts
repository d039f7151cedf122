// That another host became the reference, here or on the page of somebody else: all figures are others then, and nothing else tells why.

import type { Clocks } from "../net/json.js";
import type { Status } from "../ui/status.js";
import { anewWords } from "./change.js";

export class ReferenceNews {
  // What was said last, in the words of raw times or of others.
  private words = (_raw: boolean): string => "";

  constructor(private readonly status: Pick<Status, "say" | "reword">) {}

  /** Clocks give way to others. */
  take(was: Clocks | null, now: Clocks, raw: boolean): void {
    if (!anewWords(was, now, raw)) return;
    this.words = (raw) => anewWords(was, now, raw);
    this.status.say(this.words(raw));
  }

  /** Times are raw from now on, or are not any more. */
  retimed(raw: boolean): void {
    this.status.reword(this.words(!raw), this.words(raw));
  }
}
