// How large the parts of the timeline are: as the style sheet has them until a line between two of them is moved, and then as
// the view, and with it the address, has it.

import { PARTS, type Part } from "../model/shown.js";
import type { View } from "../model/view.js";
import type { Size } from "../ui/splitter.js";

/** A part may take so much of the room. */
const MOST = 0.6;

export class Sizes {
  /** root takes the sizes as --chosen-tree and so on, and has those in force as --tree and so on. */
  constructor(private readonly root: HTMLElement, private readonly view: View) {
    this.take();
    view.returned.on(() => {
      for (const part of PARTS) this.root.style.removeProperty(`--chosen-${part}`);
      this.take();
    });
  }

  // A link may come from a larger screen.
  private take(): void {
    for (const [part, size] of Object.entries(this.view.sizes) as [Part, number][]) this.set(part, Math.min(size, most(part)));
  }

  /** Makes a part larger by so many pixels, but no smaller than least. shown is what it has now, which may be less than was chosen; 0 where
   * it is not shown. */
  resize(part: Part, by: number, least: number, shown: number): Size {
    const was = shown || this.now(part) || least;
    const now = Math.round(Math.max(least, Math.min(was + by, most(part))));
    if (by !== 0) {
      this.root.style.removeProperty(`--chosen-${part}`);
      if (now === this.now(part)) delete this.view.sizes[part];
      else {
        this.view.sizes[part] = now;
        this.set(part, now);
      }
      this.view.keep();
    }
    return { now, least, most: most(part) };
  }

  private now(part: Part): number {
    return parseFloat(getComputedStyle(this.root).getPropertyValue(`--${part}`));
  }

  private set(part: Part, size: number): void {
    this.root.style.setProperty(`--chosen-${part}`, `${size}px`);
  }
}

const most = (part: Part) => Math.round((part === "tree" || part === "side" ? innerWidth : innerHeight) * MOST);
