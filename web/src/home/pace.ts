// How fast bytes move, over the last seconds, and what that leaves to wait for.

import type { SetInfo, Stage } from "../net/json.js";
import { percent, short, THIN } from "../time/number.js";

const WINDOW = 5000; // ms
const LEAST = 1500; // ms before anything is said

/** The pace of a growing count; times are ms of one clock. */
export class Pace {
  private samples: { at: number; count: number }[] = [];

  add(at: number, count: number): void {
    const last = this.samples[this.samples.length - 1];
    if (last && count < last.count) this.samples = []; // it went back: what was sent did not arrive
    this.samples.push({ at, count });
    while (this.samples.length > 2 && at - this.samples[1].at >= WINDOW) this.samples.shift();
  }

  /** Nothing moves until further notice: the time that lasts does not count, and it is watched anew from the next count on. */
  rest(): void {
    this.samples = [];
  }

  /** Bytes per second up to now; 0 before it was watched for long enough, and where nothing moves. */
  rate(now: number): number {
    const [first, last] = [this.samples[0], this.samples[this.samples.length - 1]];
    if (!first || now - first.at < LEAST) return 0;
    return ((last.count - first.count) * 1000) / (now - first.at);
  }
}

/** "about 3 min left", as exact as such a guess is; "" where nothing can be said. */
export function leftWords(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return "";
  if (seconds < 5) return "a few seconds left";
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s left`;
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} min left`;
  return `about ${Math.round(seconds / 3600)} h left`;
}

/** How far an import is, how fast it goes and what that leaves to wait for. When all is read nothing goes at a rate any more, and what is left to do has no share: "" then. */
export function readingWords({ progress, rate, stages }: Pick<SetInfo, "progress" | "rate" | "stages">): string {
  if (progress >= 1) return "";
  return [percent(progress), rate > 0 ? `${short(rate)}${THIN}events/s` : "", stageLeft(stages)].filter(Boolean).join(" · ");
}

const OF: Record<Stage["name"], string> = { upload: " of the upload", unpack: " of the unpacking", read: "" };

/** What the stage that is under way leaves to wait for: only after the last of them nothing more comes. "" where nothing can be said. */
export function stageLeft(stages: readonly Stage[] | undefined): string {
  const stage = stages?.[stages.length - 1];
  const words = leftWords(stage?.left_s);
  return words && words + OF[stage!.name];
}
