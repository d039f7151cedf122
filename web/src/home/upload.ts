// An upload: a new set, its archives piece by piece, then the import. A piece that does
// not arrive is sent again from where the server stands.

import { bytes, percent, THIN } from "../time/number.js";
import { add, fill, h, text } from "../ui/dom.js";
import { createSet, deleteSet, putPiece, readSet, Refusal, startImport } from "./api.js";

const PIECE = 8 << 20;
const TRIES = 6;

/** The name a set gets from its files: "web", or "web and 2 more". */
export function nameOf(files: readonly { name: string }[]): string {
  const stem = files[0].name.replace(/\.(zip|t?(ar\.)?(gz|xz|zst)|tgz|txz|tar)$/i, "").replace(/\.tar$/i, "") || files[0].name;
  return files.length === 1 ? stem : `${stem} and ${files.length - 1} more`;
}

class FileLine {
  readonly el = h("div", { class: "file" });
  private readonly inner = h("i");
  private readonly bar = h("span", { class: "bar", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100 }, this.inner);
  private readonly words = h("span", { class: "t" });
  private readonly fault = h("p", { class: "fault", role: "alert", hidden: true });

  constructor(readonly file: File) {
    this.bar.setAttribute("aria-label", file.name);
    add(this.el, h("span", { class: "name" }, file.name), this.bar, this.words, this.fault);
    this.show(0, 0);
  }

  show(sent: number, rate: number): void {
    const share = this.file.size ? sent / this.file.size : 1;
    this.inner.style.width = `${(share * 100).toFixed(2)}%`;
    this.bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    text(this.words, `${bytes(sent)} of ${bytes(this.file.size)} · ${percent(share)}${rate > 0 ? ` · ${bytes(rate)}${THIN}/s` : ""}`);
  }

  /** Nothing arrives, and it is tried again. */
  wait(at: number, sentence: string): void {
    this.show(at, 0);
    text(this.words, `${this.words.textContent} · ${sentence} Trying again…`);
  }

  fail(sentence: string): void {
    text(this.fault, sentence);
    this.fault.hidden = false;
  }
}

/** Uploads files as one new set and opens the viewer. box shows how it goes. */
export async function upload(files: File[], box: HTMLElement, onListChange: () => void): Promise<void> {
  const name = nameOf(files);
  const lines = files.map((f) => new FileLine(f));
  const stage = h("p", { class: "stage" }, `Uploading ${name}`);
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const card = h("div", { class: "upload" }, stage, ...lines.map((l) => l.el), fault);
  box.append(card);
  let id = "";
  let current: FileLine | null = null;
  try {
    id = await createSet(name);
    onListChange();
    for (current of lines) await send(id, current);
    current = null;
    text(stage, `Opening ${files.length === 1 ? files[0].name : "the archives"}`);
    await startImport(id);
    location.assign(`/sets/${encodeURIComponent(id)}`);
  } catch (e) {
    const sentence = e instanceof Error ? e.message : String(e);
    text(stage, `${name} was not imported`);
    if (current) current.fail(sentence);
    else {
      text(fault, sentence);
      fault.hidden = false;
    }
    const remove = h("button", { type: "button" }, "Dismiss");
    remove.addEventListener("click", async () => {
      card.remove();
      if (id) await deleteSet(id).catch(() => {});
      onListChange();
    });
    fill(card, stage, ...lines.map((l) => l.el), fault, remove);
    onListChange();
  }
}

async function send(id: string, line: FileLine): Promise<void> {
  const { file } = line;
  const began = performance.now();
  let first = 0;
  let at = 0;
  let tries = 0;
  do {
    const to = Math.min(file.size, at + PIECE);
    try {
      await putPiece(id, file, at, to, (sent) => line.show(at + Math.min(sent, to - at), ((at - first + sent) * 1000) / (performance.now() - began)));
      at = to;
      tries = 0;
    } catch (e) {
      if (!(e instanceof Refusal) || !e.retry || ++tries >= TRIES) throw e;
      line.wait(at, e.message);
      await new Promise((r) => setTimeout(r, 250 * 2 ** tries));
      const known = (await readSet(id).catch(() => null))?.files?.find((f) => f.name === file.name);
      if (known) first = at = Math.min(known.received, file.size);
    }
  } while (at < file.size);
  line.show(file.size, 0);
}
