// The uploads of this page, those that rest included, and which of them archives belong to.

import type { SetStatus } from "./api.js";
import type { Parcel } from "./parcel.js";
import { asKnown, same } from "./resume.js";
import { Upload, type Around } from "./upload.js";

export class Uploads {
  private readonly all = new Set<Upload>();

  /** The cards go into box; what else there is is called as Around says. */
  constructor(private readonly box: HTMLElement, private readonly around: Pick<Around, "changed" | "closed" | "listed" | "said" | "deleted">) {}

  /** Whether something would break off if the page were left. */
  get sends(): boolean {
    return [...this.all].some((u) => u.runs && !u.begun);
  }

  /** The sets that are under way. */
  get busy(): Set<string> {
    return new Set([...this.all].filter((u) => u.runs).map((u) => u.id));
  }

  /** Done when it is known of each upload what its set is. */
  async known(): Promise<void> {
    await Promise.all([...this.all].map((u) => u.making));
  }

  /** What is done now with a set that is under way; "" of any other. */
  doing(id: string): string {
    return [...this.all].find((u) => u.runs && u.id === id)?.doing ?? "";
  }

  /** The upload that is under way with a set, or with these very archives. */
  running(set: SetStatus | null, parcels: readonly Parcel[]): Upload | null {
    return [...this.all].find((u) => u.runs && (set ? u.id === set.id : same(u.known, parcels))) ?? null;
  }

  /**
   * Uploads archives, of which none is under way: into a set that they go on with, null for none that is known. The card that
   * rests and has the same archives is the one that goes on.
   */
  async start(parcels: readonly Parcel[], set: SetStatus | null): Promise<void> {
    const resting = [...this.all].filter((u) => !u.runs && (set ? u.id === set.id : same(u.known, parcels)));
    const old = resting.find((u) => (u.goesOn || set) && same(u.known, parcels));
    for (const u of resting)
      if (u !== old) {
        if (set) u.close();
        else void u.dismiss();
      }
    if (old) return old.again(asKnown(old.known, parcels));
    const upload = new Upload(parcels, this.box, set, {
      ...this.around,
      closed: (focused) => {
        this.all.delete(upload);
        this.around.closed(focused);
      },
      others: () => this.sends, // it has begun itself by the time it asks
    });
    this.all.add(upload);
    await upload.run();
  }

  /** Asked before the sets are read, it tells what takes the cards away of which the set is gone, or imported, by then; others that rest show what has arrived. */
  gone(): (sets: readonly SetStatus[]) => void {
    const had = [...this.all].filter((u) => u.id);
    const resting = new Set(had.filter((u) => !u.runs));
    return (sets) => {
      for (const u of had) {
        const set = sets.find((s) => s.id === u.id);
        if (u.runs && !set) u.lost();
        if (u.runs || !resting.has(u)) continue;
        if (set && (set.state === "uploading" || set.state === "failed")) {
          // Of archives that nothing could be read of none is kept: they had arrived all the same.
          if (set.state === "uploading" || set.files?.length) u.arrived(set);
          continue;
        }
        if (!set) this.around.deleted(u.name);
        u.close();
      }
    };
  }
}
