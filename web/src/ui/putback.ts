// How far the tabs that scroll as a whole, and long tables in them, are scrolled, for when the page is loaded again: what is in them comes from the server, so that the
// browser cannot put them back.

import { typing } from "../commands/keyboard.js";
import { onDeed } from "./deeds.js";

/** How far parts are scrolled, CSS pixels, by their names: those of their tabs, with a dot and a name of its own for a part of one. */
export type Offsets = ReadonlyMap<string, number>;

export class PutBack {
  private readonly now = new Map<string, number>();
  private readonly due: Map<string, number>;
  private readonly watching = new Map<string, () => void>();

  /** left is how far the parts were scrolled; tab names the one that is open, stays tells of a key whether it leaves that as it is. */
  constructor(parts: ReadonlyMap<string, HTMLElement>, left: Offsets, tab: () => string, stays: (e: KeyboardEvent) => boolean) {
    this.due = new Map([...left].filter(([name]) => parts.has(name)));
    for (const [name, part] of parts) part.addEventListener("scroll", () => this.scrolled(name, part));
    for (const name of this.due.keys()) this.watch(name, parts.get(name)!);
    onDeed((e) => {
      if (!(e instanceof KeyboardEvent) || typing(e) || !stays(e)) for (const name of parts.keys()) if (name.split(".")[0] === tab()) this.leave(name);
    });
  }

  /** How far the parts are scrolled, or are to be as soon as there is enough in them. */
  get offsets(): Offsets {
    return new Map([...this.now, ...this.due].filter(([, y]) => y > 0));
  }

  // Whoever scrolls it, or has it scrolled, does not want it back where it was; the browser alone scrolls what has become shorter.
  private scrolled(name: string, part: HTMLElement): void {
    const due = this.due.get(name);
    this.now.set(name, Math.round(part.scrollTop));
    if (due !== undefined && room(part) >= due && Math.abs(part.scrollTop - due) > 1) this.leave(name);
  }

  private leave(name: string): void {
    this.due.delete(name);
    this.watching.get(name)?.();
    this.watching.delete(name);
  }

  // A part is put back whenever there is enough in it, until somebody does something there.
  private watch(name: string, part: HTMLElement): void {
    const look = () => {
      const due = this.due.get(name);
      if (due !== undefined && room(part) >= due && Math.abs(part.scrollTop - due) > 1) part.scrollTop = due;
    };
    const sizes = new ResizeObserver(look);
    const content = new MutationObserver(() => {
      for (const child of part.children) sizes.observe(child);
      look();
    });
    for (const el of [part, ...part.children]) sizes.observe(el);
    content.observe(part, { childList: true, subtree: true });
    this.watching.set(name, () => {
      sizes.disconnect();
      content.disconnect();
    });
  }
}

// How far a part can be scrolled; not at all while its tab is not open.
const room = (part: HTMLElement): number => part.scrollHeight - part.clientHeight;
