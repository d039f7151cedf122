// The page of all trace sets: drop archives, see how their import goes, open them.

import { SetList } from "./home/sets.js";
import { upload } from "./home/upload.js";
import { byId, text } from "./ui/dom.js";
import { themes } from "./ui/themes.js";

themes(() => {});
const sets = new SetList(byId("sets"), byId("sets-count"));
const drop = byId("drop");
const files = byId<HTMLInputElement>("files");
const said = byId("said");

function take(list: File[]): void {
  if (list.length === 0) return;
  text(said, `Uploading ${list.map((f) => f.name).join(", ")}`);
  void upload(list, byId("uploads"), () => void sets.refresh());
}

byId("pick").addEventListener("click", () => files.click());
files.addEventListener("change", () => {
  take([...(files.files ?? [])]);
  files.value = "";
});

// The whole page takes what is dropped, the zone shows where.
addEventListener("dragover", (e) => {
  if (!e.dataTransfer?.types.includes("Files")) return;
  e.preventDefault();
  drop.classList.add("over");
});
addEventListener("dragleave", (e) => {
  if (e.relatedTarget === null) drop.classList.remove("over");
});
addEventListener("drop", (e) => {
  if (!e.dataTransfer?.types.includes("Files")) return;
  e.preventDefault();
  drop.classList.remove("over");
  const items = [...e.dataTransfer.items].filter((i) => i.kind === "file");
  const folder = items.map((i) => i.webkitGetAsEntry()).find((entry) => entry?.isDirectory);
  if (folder) {
    const note = document.createElement("p");
    note.className = "fault";
    note.setAttribute("role", "alert");
    note.textContent = `${folder.name} is a folder. Pack it as a zip or tar archive and drop that.`;
    byId("uploads").replaceChildren(note);
    return;
  }
  take([...e.dataTransfer.files]);
});

void sets.refresh();
