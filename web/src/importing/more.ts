// More files for a set that is ready: archives of machines that were forgotten, and texts that say what is in the traces. The server makes another set
// of what this one was made of, which takes them and is read; this one stays as it is.

import { readSet, readSets, type SetStatus } from "../home/api.js";
import { claimed } from "../home/claim.js";
import { sift } from "../home/heads.js";
import { recall } from "../home/memory.js";
import { chosen, dropped, parcelsOf, type Found, type Parcel } from "../home/parcel.js";
import { asKnown, asSent, same, unfinishedOf, unlike } from "../home/resume.js";
import { Upload } from "../home/upload.js";
import { add, fill, h, text } from "../ui/dom.js";

export class MoreFiles {
  readonly el = h("section", { class: "card more", hidden: true });
  /** Something was dropped on the page: what becomes of it is said here. */
  onDropped: () => void = () => {};
  private readonly files = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files to add" });
  private readonly folder = h("input", { type: "file", webkitdirectory: true, hidden: true, "aria-label": "Folder to add" });
  private readonly pick = h("button", { type: "button", onclick: () => this.files.click() }, "Choose files…");
  private readonly refused = h("div", { role: "alert" });
  private readonly said = h("p", { class: "sr", role: "status" });
  private readonly box = h("div");
  private upload: Upload | null = null;
  private taken = Promise.resolve();

  constructor(private readonly id: string) {
    add(this.el, h("h2", {}, "Add to this set"),
      h("p", {}, "A machine is missing, or ", h("code", {}, "synchroscope-symbols"), " with the names of functions, ", h("code", {}, "synchroscope-states"), " or ", h("code", {}, "synchroscope-endpoints"),
        "? Drop archives, folders or these texts here. Nothing that is here is sent again: all of it is read together as another set, and this one stays as it is."),
      h("p", { class: "line" }, this.pick, " ", h("button", { type: "button", onclick: () => this.folder.click() }, "Choose a folder…")),
      this.files, this.folder, this.refused, this.box, this.said);
    for (const input of [this.files, this.folder])
      input.addEventListener("change", () => {
        const found = chosen(input.files ?? []);
        input.value = "";
        if (found.length > 0) this.take(found);
      });
    addEventListener("dragover", (e) => {
      if (!e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      this.el.classList.add("over");
    });
    addEventListener("dragleave", (e) => e.relatedTarget === null && this.el.classList.remove("over"));
    addEventListener("drop", (e) => {
      if (!e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      this.el.classList.remove("over");
      this.drop(dropped(e.dataTransfer.items));
    });
    // What is on its way would break off: the browser asks first.
    addEventListener("beforeunload", (e) => {
      if (this.upload?.runs && !this.upload.begun) e.preventDefault();
    });
  }

  /** The set is ready, or is not. */
  show(ready: boolean): void {
    this.el.hidden = !ready && !this.refused.hasChildNodes();
  }

  /** Brings the focus to what files are chosen by. */
  focus(): void {
    this.pick.focus();
  }

  /** Takes what was dropped on the page. */
  drop(found: Promise<Found[]>): void {
    this.onDropped();
    this.take(found);
  }

  // What is chosen while another choice is looked at is looked at after that.
  private take(found: Promise<Found[]> | Found[]): void {
    this.taken = this.taken.then(() => this.add(found));
  }

  private async add(found: Promise<Found[]> | Found[]): Promise<void> {
    this.refuse();
    try {
      const { parcels, refused } = parcelsOf(await found);
      const { refused: unfit } = await sift(parcels);
      const bad = [...refused, ...unfit];
      if (bad.length > 0) return this.refuse(...bad);
      if (parcels.length === 0) return this.refuse("There is no file in it.");
      const sets = await readSets();
      if (this.upload && !this.upload.runs && this.upload.id && !sets.some((s) => s.id === this.upload!.id)) this.upload.close(); // it was deleted
      const resting = this.upload;
      if (resting && !resting.runs && same(resting.known, parcels)) return this.goOn(resting.again(asKnown(resting.known, parcels)));
      if (resting) return this.refuse(`${resting.name} is made of this set already: that has to end, or be dismissed, first.`);
      const [set, busy] = [await readSet(this.id), await claimed()];
      const begun = unfinishedOf(sets.filter((s) => recall(s.id)?.[0]?.from === this.id), parcels, busy);
      if (begun) return this.goOn(this.made(asSent(begun, parcels), begun, set).run());
      if (set.state !== "ready") return this.refuse(`Files can be added to ${set.name} when its import has ended.`);
      this.goOn(this.made(unlike(set, parcels), null, set).run());
    } catch (e) {
      this.refuse(e instanceof Error ? e.message : String(e));
    }
  }

  private made(parcels: readonly Parcel[], begun: SetStatus | null, set: SetStatus): Upload {
    const upload = new Upload(parcels, this.box, begun, {
      changed: async () => {},
      closed: (focused) => {
        this.upload = null;
        if (focused) this.pick.focus();
      },
      others: () => false,
      listed: () => {},
      said: (words) => text(this.said, words),
      deleted: (name) => this.refuse(`${name} was deleted, and nothing of it is sent any more.`),
    }, set);
    return (this.upload = upload);
  }

  private goOn(running: Promise<void>): void {
    this.upload?.show();
    running.catch((e: unknown) => this.refuse(e instanceof Error ? e.message : String(e)));
  }

  private refuse(...sentences: string[]): void {
    fill(this.refused, ...sentences.map((s) => h("p", { class: "fault" }, s)));
    if (sentences.length > 0) this.el.hidden = false;
  }
}
