// The page of all trace sets: drop archives and folders, see how their import goes, find and open them.

import type { SetStatus } from "./home/api.js";
import { homeHelp } from "./home/help.js";
import { sift } from "./home/heads.js";
import { recall } from "./home/memory.js";
import { chosen, dropped, isText, parcelsOf, type Found, type Parcel } from "./home/parcel.js";
import { asSent, mismatch, unfinishedOf } from "./home/resume.js";
import { SetList } from "./home/sets.js";
import { Uploads } from "./home/uploads.js";
import { list } from "./model/names.js";
import { byId, fill, h, text } from "./ui/dom.js";
import { themes } from "./ui/themes.js";
import { works } from "./ui/works.js";

themes(() => {});
homeHelp(byId<HTMLInputElement>("find"));
const sets = new SetList(byId("sets"), byId("sets-count"), byId<HTMLSelectElement>("order"), byId<HTMLInputElement>("find"));
const drop = byId("drop");
const files = byId<HTMLInputElement>("files");
const folder = byId<HTMLInputElement>("folder");
const said = byId("said");
const uploads = new Uploads(byId("uploads"), {
  changed: () => sets.refresh(),
  closed: (focused) => focused && byId("pick").focus(),
  listed: (name) => text(said, `${name} is in the list of trace sets, and can be opened while it is read.`),
  said: (words) => text(said, words),
  deleted: (name) => text(said, `${name} was deleted, and nothing of it is sent any more.`),
});
let wanted: SetStatus | null = null; // the set that files are being chosen for

sets.busy = (id) => uploads.busy.has(id);
sets.known = () => uploads.known();
sets.doing = (id) => uploads.doing(id);
sets.onRead = () => uploads.gone();
sets.onGoOn = (set) => {
  wanted = set;
  (recall(set.id)?.some((f) => f.folder) ? folder : files).click();
};

function refuse(...sentences: string[]): void {
  fill(byId("refused"), ...sentences.map((s) => h("p", { class: "fault" }, s)));
}

async function take(found: Promise<Found[]> | Found[], goOn: SetStatus | null): Promise<void> {
  refuse();
  try {
    const { parcels, refused } = parcelsOf(await found);
    const changed = goOn && parcels.length > 0 ? mismatch(goOn, parcels) : "";
    if (changed) return refuse(changed);
    const { fit, refused: unfit } = await sift(parcels);
    if (unfit.length > 0) {
      refuse(...refused, ...unfit);
      byId("refused").append(fit.length > 0 ? others(fit, goOn) : h("p", { class: "minor" }, "Nothing was sent, and nothing is kept."));
      byId("refused").querySelector("button")?.focus();
      return;
    }
    await send(parcels, refused, goOn);
  } catch (e) {
    refuse(e instanceof Error ? e.message : String(e));
  }
}

// Nothing is sent before it is known that some of it cannot be used.
function others(fit: Parcel[], goOn: SetStatus | null): HTMLElement {
  const go = () => {
    byId("pick").focus(); // this button goes
    void send(fit, [], goOn);
  };
  return h("button", { type: "button", onclick: go }, fit.length === 1 ? `Upload ${fit[0].name} alone` : `Upload the other ${fit.length}`);
}

async function send(parcels: Parcel[], refused: string[], goOn: SetStatus | null): Promise<void> {
  refuse();
  try {
    if (parcels.length === 0) return refuse(...(refused.length > 0 ? refused : ["There is no file in it."]));
    await sets.refresh();
    const running = uploads.running(goOn, parcels);
    if (running) {
      running.show();
      return refuse(`${running.name} is ${running.doing} already.`);
    }
    const resumed = goOn ?? unfinishedOf(sets.all, parcels, uploads.busy);
    if (resumed && sets.elsewhere(resumed.id)) return refuse(`${resumed.name} is being uploaded in another tab already.`);
    const unfit = goOn ? mismatch(goOn, parcels) : "";
    if (unfit) return refuse(unfit);
    if (!resumed && parcels.every((p) => isText(p.name))) return refuse(`${list(parcels.map((p) => p.name))} says what is in traces: drop it together with the archive of those, or open their set and add it there, under Import.`);
    refuse(...refused);
    text(said, `${resumed ? "Going on with" : "Uploading"} ${parcels.map((p) => p.name).join(", ")}`);
    await uploads.start(resumed ? asSent(resumed, parcels) : parcels, resumed);
  } catch (e) {
    refuse(e instanceof Error ? e.message : String(e));
  }
}

byId("pick").addEventListener("click", () => {
  wanted = null;
  files.click();
});
byId("pick-folder").addEventListener("click", () => {
  wanted = null;
  folder.click();
});
for (const input of [files, folder])
  input.addEventListener("change", () => {
    const found = chosen(input.files ?? []);
    input.value = "";
    if (found.length > 0) void take(found, wanted);
    wanted = null;
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
  void take(dropped(e.dataTransfer.items), null);
});

// A set that is looked at meanwhile is opened beside this page: what it sends would break off.
addEventListener("click", (e) => {
  const link = e.target instanceof Element ? e.target.closest("a") : null;
  if (link) link.target = uploads.sends ? "_blank" : "";
}, true);

// What is on its way would break off: the browser asks first.
addEventListener("beforeunload", (e) => {
  if (uploads.sends) e.preventDefault();
});

void sets.refresh();
works((found) => void take(found, null));
