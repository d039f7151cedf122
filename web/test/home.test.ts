import assert from "node:assert/strict";
import { test } from "node:test";
import type { SetStatus } from "../src/home/api.js";
import { arrivedOf, missingWords } from "../src/home/arrived.js";
import { found, ORDERS } from "../src/home/find.js";
import { isArchive, sift } from "../src/home/heads.js";
import { forget, knownOf, remember } from "../src/home/memory.js";
import { leftWords, Pace, readingWords, stageLeft } from "../src/home/pace.js";
import { named, parcelsOf, type Found } from "../src/home/parcel.js";
import { asKnown, asSent, mismatch, same, unfinishedOf, unlike } from "../src/home/resume.js";
import { tarOf } from "../src/home/tar.js";
import { Turns } from "../src/home/turns.js";
import { nameOf } from "../src/home/upload.js";
import { sourceWords } from "../src/importing/source.js";
import type { Stage } from "../src/net/json.js";

test("what is left is told by the pace of the last seconds, and not before it is known", () => {
  const p = new Pace();
  p.add(0, 0);
  p.add(1000, 100);
  assert.equal(p.rate(1000), 0);
  p.add(2000, 200);
  assert.equal(p.rate(2000), 100);
  for (let t = 3000; t <= 12000; t += 1000) p.add(t, 200 + (t - 2000));
  assert.equal(p.rate(12000), 1000); // what was slow is forgotten
  assert.equal(Math.round(p.rate(20000)), 385); // nothing came since
  p.add(21000, 50); // it went back
  assert.equal(p.rate(21000), 0);
  assert.equal([3, 42, 400, 7300, Infinity, null].map(leftWords).join("; "), "a few seconds left; about 40 s left; about 7 min left; about 2 h left; ; ");
});

test("an outage counts neither as time nor as bytes", () => {
  const p = new Pace();
  for (let t = 0; t <= 3000; t += 1000) p.add(t, t);
  p.rest();
  assert.equal(p.rate(20000), 0);
  p.add(20000, 9000); // of what arrived meanwhile nobody knows when
  p.add(21000, 10000);
  assert.equal(p.rate(21000), 0);
  p.add(22000, 11000);
  assert.equal(p.rate(22000), 1000);
});

test("an import that has read all goes at no rate any more", () => {
  const words = (progress: number) => readingWords({ progress, rate: 91_000, stages: [] }).replace(/[\u202f\u00a0]/g, " ");
  assert.deepEqual([words(0.42), words(0.994), words(0.9996), words(1)], ["42 % · 91 k events/s", "99 % · 91 k events/s", "99.9 % · 91 k events/s", ""]);
});

test("what a stage leaves to wait for is told of that stage alone, unless it is the last", () => {
  const of = (name: Stage["name"], left_s: number | null): Stage => ({ name, done: 1, total: 2, rate: 1, left_s });
  assert.equal(stageLeft([of("upload", null), of("unpack", 42)]), "about 40 s left of the unpacking");
  assert.equal(stageLeft([of("upload", null), of("unpack", null), of("read", 400)]), "about 7 min left");
  assert.deepEqual([stageLeft([of("read", null)]), stageLeft([]), stageLeft(undefined)], ["", "", ""]);
});

test("of an upload that broke off all counts that was dropped, not what was begun alone", () => {
  const dropped = ["a", "b", "c", "d", "e", "f", "g", "h"].map((x) => ({ name: `${x}.zip`, size: 10 }));
  const begun = (...received: number[]) => received.map((n, i) => ({ name: dropped[i].name, size: 10, received: n }));
  const { archives, whole, size, received } = arrivedOf(begun(10, 10, 4), dropped);
  assert.deepEqual([archives, whole, size, received], [8, 2, 80, 24]);
  const says = (received: number[], of: { name: string; size: number }[] | null, words: string) => assert.equal(missingWords(arrivedOf(begun(...received), of)).replace(/\u00a0/g, " "), words);
  says([10, 10, 4], dropped.slice(0, 4), "2 of 4 archives are here; c.zip is here in part; d.zip is missing.");
  says([10, 10, 4], dropped.slice(0, 3), "2 of 3 archives are here; c.zip is here in part.");
  says([10], dropped.slice(0, 2), "1 of 2 archives is here; b.zip is missing.");
  says([10], dropped, "1 of 8 archives is here; b.zip, c.zip, d.zip, e.zip and 3 others are missing.");
  says([4], dropped.slice(0, 3), "None of the 3 archives is here whole; a.zip is here in part; b.zip and c.zip are missing.");
  says([4, 5], dropped.slice(0, 2), "None of the 2 archives is here whole; a.zip and b.zip are here in part.");
  says([0], dropped.slice(0, 3), "None of the 3 archives is here; a.zip, b.zip and c.zip are missing.");
  says([], dropped.slice(0, 2), "None of the 2 archives is here; a.zip and b.zip are missing.");
  // Nothing is missing, or one archive alone is told of in bytes; what another browser dropped is not known.
  for (const [received, of] of [[[10, 10], dropped.slice(0, 2)], [[4], dropped.slice(0, 1)], [[4], null], [[], null]] as const) says([...received], of && [...of], "");
  says([10, 10], null, "Every archive that was begun is here. If there were more, this browser does not know of them.");
  says([10], null, "The archive that was begun is here. If there were more, this browser does not know of them.");
  says([10, 4], null, "1 of 2 archives is here; b.zip is here in part. If there were more, this browser does not know of them.");
  // What another set gave is here, but for what gives way to a file of its name.
  const given = (name: string) => ({ name, size: 20, received: 20, given: true });
  const made = arrivedOf([given("a.zip"), given("synchroscope-states")], [{ name: "synchroscope-states", size: 30 }]);
  assert.deepEqual([made.archives, made.whole, made.size, made.received, made.missing.join()], [2, 1, 50, 20, "synchroscope-states"]);
});

test("what is added to a set has no name that is taken there, and texts are no archives, but sent", async () => {
  const file = (name: string) => parcelsOf([{ path: name, file: new File(["calls work"], name) }]).parcels[0];
  assert.equal(named([file("web.tar.gz"), file("db.zip"), file("synchroscope-states")], ["web.tar.gz", "web (2).tar.gz"]).map((p) => p.name).join(), "web (3).tar.gz,db.zip,synchroscope-states");
  const { fit, refused } = await sift([file("synchroscope-states"), file("synchroscope-states.txt"), file("synchroscope-symbols"), file("synchroscope-endpoints")]);
  assert.deepEqual([fit.map((p) => p.name).join(), refused.length], ["synchroscope-states,synchroscope-symbols,synchroscope-endpoints", 1]);
});

test("a folder of traces is one archive, archives in a folder are one each, other folders are refused", () => {
  const f = (path: string): Found => ({ path, file: new File(["x"], path.split("/").pop()!, { lastModified: 5 }) });
  const { parcels, refused } = parcelsOf([f("a.zip"), f("web/kernel/metadata"), f("web/kernel/channel0_0"), f("many/a.zip"), f("many/b.tar.gz"), f("many/notes.txt"), f("pictures/x.png")]);
  assert.equal(parcels.map((p) => p.name).join(), "a.zip,web.tar,a (2).zip,b.tar.gz");
  assert.equal(parcels[1].modified, 5);
  assert.equal(refused.length, 1);
  assert(refused[0].startsWith("pictures holds no trace"));
});

test("archives that lie beside the traces of a folder are sent too, those within a trace as a part of it", async () => {
  const f = (path: string): Found => ({ path, file: new File([path], path.split("/").pop()!, { lastModified: 5 }) });
  const { parcels, refused } = parcelsOf([f("all/web/kernel/metadata"), f("all/web/kernel/index/old.gz"), f("all/db.tar.gz"), f("all/notes.txt"), f("all/more/cache.zip")]);
  assert.equal(parcels.map((p) => p.name).join(), "all.tar,db.tar.gz,cache.zip");
  const packed = await parcels[0].blob.text();
  assert.deepEqual(["kernel/metadata", "old.gz", "db.tar.gz", "cache.zip"].map((x) => packed.includes(x)), [true, true, false, false]);
  assert.equal(refused.length, 0);
});

test("archives are known again by name, size and date, a folder by those of all files in it", () => {
  const stored = new Map<string, string>();
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: { getItem: (k: string) => stored.get(k) ?? null, setItem: (k: string, v: string) => void stored.set(k, v) } });
  const f = (path: string, content: string, lastModified: number): Found => ({ path, file: new File([content], path.split("/").pop()!, { lastModified }) });
  const of = (...found: Found[]) => parcelsOf(found).parcels;
  const two = of(f("a.zip", "aa", 5), f("b.zip", "b", 6));
  assert(same(knownOf(two), of(f("b.zip", "b", 6), f("a.zip", "aa", 5))));
  for (const others of [of(f("a.zip", "aa", 5)), of(f("a.zip", "aa", 5), f("b.zip", "b", 7)), of(f("a.zip", "a", 5), f("b.zip", "b", 6)), of(f("a.zip", "aa", 5), f("c.zip", "b", 6)), [...two, ...of(f("c.zip", "c", 5))]]) assert(!same(knownOf(two), others));
  const folder = (...files: Found[]) => of(f("web/kernel/metadata", "m", 9), ...files);
  const web = folder(f("web/kernel/c_0", "x", 3), f("web/kernel/c_1", "y", 4));
  assert(same(knownOf(web), folder(f("web/kernel/c_1", "y", 4), f("web/kernel/c_0", "x", 3))));
  const changed = folder(f("web/kernel/c_0", "z", 5), f("web/kernel/c_1", "y", 4)); // as large as before, and older than the newest
  assert(!same(knownOf(web), changed));

  const set = (id: string, received: number, state = "uploading") => ({ id, name: id, state, files: [{ name: "web.tar", size: web[0].blob.size, received }] }) as SetStatus;
  for (const id of ["s", "t", "u", "v"]) remember(id, knownOf(web));
  const sets = [set("s", 10), set("t", 30), set("u", 20), set("v", 40, "importing"), set("w", 50)];
  assert.equal(unfinishedOf(sets, web, new Set())?.id, "t"); // of several that with most of it here
  assert.equal(unfinishedOf(sets, web, new Set(["t"]))?.id, "u");
  assert.equal(unfinishedOf(sets, changed, new Set()), null);
  assert.equal(mismatch(sets[0], web), "");
  assert(mismatch(sets[0], changed).startsWith("web.tar was changed since the upload began"));
  // So is one that was sent by another name, for that was taken.
  const sent = named(web, ["web.tar"]);
  remember("x", knownOf(sent));
  assert.equal(sent[0].name, "web (2).tar");
  assert(same(knownOf(sent), web));
  const other = { ...set("x", 60), files: [{ name: "web.tar", size: 7, received: 7, given: true }, { name: "web (2).tar", size: web[0].blob.size, received: 5 }] } as SetStatus;
  assert.equal(unfinishedOf([other], web, new Set())?.id, "x");
  assert.equal(mismatch(other, web), "");
  assert.equal(asSent(other, web)[0].name, "web (2).tar");
  assert.equal(asSent(sets[0], web)[0].name, "web.tar");
  // Another browser knows it by its size, and by its name without the number.
  const elsewhere = { ...other, id: "y" } as SetStatus;
  assert.equal(mismatch(elsewhere, web), "");
  assert.equal(asSent(elsewhere, web)[0].name, "web (2).tar");
  assert(mismatch(elsewhere, of(f("db.tar", "db", 5))).startsWith("web (2).tar (")); 
  // One that has the name that another was sent by is not that one; two of one name are told apart.
  const pair = of(f("t.tar.gz", "one", 5), f("t (2).tar.gz", "three", 6));
  const both = knownOf(named(pair, ["t.tar.gz"]));
  assert.deepEqual(both.map((k) => k.name), ["t (2).tar.gz", "t (2) (2).tar.gz"]);
  assert(same(both, [...pair].reverse()));
  assert.deepEqual(asKnown(both, [...pair].reverse()).map((p) => p.name), ["t (2) (2).tar.gz", "t (2).tar.gz"]);
  const machines = () => of(f("m1/t.tar.gz", "one", 5), f("m2/t.tar.gz", "three", 6));
  const sentFrom = named(machines(), ["t.tar.gz"]);
  assert(same(knownOf(sentFrom), machines()));
  assert.deepEqual(asKnown(knownOf(sentFrom), machines()).map((p) => p.name), sentFrom.map((p) => p.name));
  assert(!same(knownOf(sentFrom), [machines()[0], machines()[0]]));
});

test("what an upload elsewhere does not know of yet gets a name that nothing in its set has", () => {
  const f = (path: string, content: string): Found => ({ path, file: new File([content], path.split("/").pop()!) });
  const of = (...found: Found[]) => parcelsOf(found).parcels;
  const names = (parcels: readonly { name: string }[]) => parcels.map((p) => p.name).join();
  type Had = { name: string; size: number; received: number; given?: boolean; lacks?: boolean };
  const set = (...files: Had[]) => ({ id: "z", name: "z", state: "uploading", files }) as SetStatus;
  const [given, lacking] = [(name: string): Had => ({ name, size: 9, received: 9, given: true }), (name: string): Had => ({ ...given(name), lacks: true })];
  const two = of(f("a/t.tar.gz", "the first"), f("b/t.tar.gz", "other"));
  assert.equal(names(unlike(set(given("t.tar.gz")), two)), "t (2).tar.gz,t (3).tar.gz");
  assert.equal(names(asSent(set(given("t.tar.gz"), { name: "t (2).tar.gz", size: 9, received: 4 }), two)), "t (2).tar.gz,t (3).tar.gz");
  assert.equal(names(asSent(set(given("t.tar.gz"), { name: "t (2).tar.gz", size: 9, received: 9 }, { name: "t (3).tar.gz", size: 5, received: 1 }), [...two].reverse())), "t (3).tar.gz,t (2).tar.gz");
  assert.equal(names(asSent(set(given("web.zip"), { name: "db.zip", size: 2, received: 1 }), of(f("db.zip", "db"), f("web.zip", "web")))), "db.zip,web (2).zip");
  // What is still to be sent has a name already, and files are first of what is not whole.
  const folder = () => of(f("all/web/metadata", "m"), f("all/m1/t.tar.gz", "one"), f("all/m2/t.tar.gz", "two"));
  remember("z", knownOf(folder()));
  const more = [...folder(), ...of(f("x/t.tar.gz", "three more"))];
  assert.equal(names(asSent(set({ name: "all.tar", size: more[0].blob.size, received: 5 }), more)), "all.tar,t.tar.gz,t (2).tar.gz,t (3).tar.gz");
  forget("z");
  assert.equal(names(asSent(set({ name: "t.tar.gz", size: 9, received: 9 }, { name: "t (2).tar.gz", size: 9, received: 4 }), [two[0]])), "t (2).tar.gz");
  // How large a file is may not have been announced; what is whole is not sent again, unless it is another one.
  const unannounced = set({ name: "a.zip", size: -1, received: 3 });
  assert.deepEqual([names(asSent(unannounced, of(f("a.zip", "all of it")))), mismatch(unannounced, of(f("a.zip", "all of it")))], ["a.zip", ""]);
  const half = set({ name: "a.zip", size: -1, received: 9 }, { name: "b.zip", size: 5, received: 2 }, { name: "c.zip", size: 1, received: 1 });
  assert.deepEqual([names(asSent(half, of(f("b.zip", "other")))), mismatch(half, of(f("b.zip", "other")))], ["b.zip", ""]);
  assert.equal(names(asSent(half, of(f("c.zip", "c"), f("b.zip", "other")))), "c.zip,b.zip");
  assert.equal(names(asSent(half, of(f("c.zip", "cc"), f("b.zip", "other")))), "c (2).zip,b.zip");
  remember("z", knownOf(of(f("b.zip", "other"))));
  assert.equal(names(asSent(half, of(f("b.zip", "other"), f("c.zip", "c")))), "b.zip,c.zip");
  forget("z");
  const third = set(given("t.tar.gz"), { name: "t (2) (2).tar.gz", size: 5, received: 1 });
  assert.equal(mismatch(third, [two[1]]), "");
  // What was damaged gives way to a file that is called so itself, and a number makes no other of it.
  assert.equal(names(unlike(set(given("t.tar.gz"), lacking("t (2).tar.gz")), of(f("t.tar.gz", "third")))), "t (3).tar.gz");
  assert.equal(names(unlike(set(given("t.tar.gz"), lacking("t (2).tar.gz")), of(f("t (2).tar.gz", "mended")))), "t (2).tar.gz");
  assert.equal(names(unlike(set(given("synchroscope-states")), of(f("synchroscope-states", "x")))), "synchroscope-states");
});

test("texts go along with the archives of a folder, and are packed with its traces", () => {
  const f = (path: string): Found => ({ path, file: new File(["x"], path.split("/").pop()!) });
  assert.equal(parcelsOf([f("all/db.tar.gz"), f("all/more/synchroscope-states"), f("all/notes.txt")]).parcels.map((p) => p.name).join(), "db.tar.gz,synchroscope-states");
  assert.equal(parcelsOf([f("texts/synchroscope-states"), f("texts/notes.txt")]).parcels.map((p) => p.name).join(), "synchroscope-states");
  assert.equal(parcelsOf([f("all/web/metadata"), f("all/db.tar.gz"), f("all/synchroscope-states")]).parcels.map((p) => p.name).join(), "all.tar,db.tar.gz");
});

test("what is no archive is told apart from those that are, before anything is sent", async () => {
  const file = (name: string, ...parts: BlobPart[]) => parcelsOf([{ path: name, file: new File(parts, name) }]).parcels[0];
  const tar = tarOf([{ path: "web/metadata", file: new Blob(["x"]) }]);
  const notes = file("notes.txt", "n".repeat(2000));
  const { fit, refused } = await sift([notes, file("web.tar", tar), file("empty.zip"), file("a.zip", "PK\x03\x04"), file("b.gz", new Uint8Array([0x1f, 0x8b, 8]))]);
  assert.equal(fit.map((p) => p.name).join(), "web.tar,a.zip,b.gz");
  assert.deepEqual(refused, ["notes.txt is not an archive: zip, tar, tar.gz, tar.xz and tar.zst are accepted.", "empty.zip is empty."]);
  assert.deepEqual(await sift([notes]), { fit: [], refused: [refused[0]] });
  assert.deepEqual((await sift([file("a.tar.bz2", "BZh91AY"), file("a.rar", "Rar!\x1a\x07")])).refused.map((s) => s.split(":")[0]), ["a.tar.bz2 is a bzip2 file", "a.rar is a RAR file"]);
  for (const head of [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], [0x28, 0xb5, 0x2f, 0xfd], [0x53, 0x2a, 0x4d, 0x18], Array(512).fill(0)]) assert(isArchive(new Uint8Array(head)), String(head.slice(0, 6)));
  for (const head of [[], [0], Array(511).fill(0), Array(512).fill(48)]) assert(!isArchive(new Uint8Array(head)), String(head.slice(0, 6)));
});

test("the archive of a folder does not depend on the order of its files", async () => {
  const list = ["b/x", "b/metadata", "b/" + "l".repeat(200), "b/ä"].map((path) => ({ path, file: new Blob([path]) }));
  const bytes = async (b: Blob) => [...new Uint8Array(await b.arrayBuffer())].join();
  const one = tarOf(list);
  assert.equal(await bytes(one), await bytes(tarOf([...list].reverse())));
  assert.equal(one.size % 512, 0);
});

test("sets are found by name, host and date, and ordered", () => {
  const set = (name: string, hosts: string[], bytes: number, created: string) => ({ name, hosts: hosts.map((x) => ({ name: x, state: "done" })), files: [{ name: `${name}.tar.gz`, size: 1, received: 1 }], bytes, events: bytes, created, state: "ready" }) as unknown as SetStatus;
  const all = [set("shop 10", ["web", "db"], 5, "2026-11-20T10:00:00Z"), set("shop 9", ["cache"], 9, "2026-11-21T10:00:00Z")];
  const names = (words: string, order = "newest") => all.filter((s) => found(s, words)).sort(ORDERS[order]).map((s) => s.name).join();
  assert.equal(names(""), "shop 9,shop 10");
  assert.equal(names("SHOP db"), "shop 10");
  assert.equal(names("2026-11-21"), "shop 9");
  assert.equal(names("nowhere"), "");
  assert.equal(names("9.tar"), ""); // names of archives are not in the list
  assert.equal(names("", "name"), "shop 9,shop 10");
  assert.equal(names("", "size"), "shop 9,shop 10");
});

test("the import report names what a set was made of", () => {
  const plain = (s: string) => s.replace(/[\u202f\u00a0\u202f]/g, " ");
  const created = "2026-11-26T04:42:35Z";
  const file = (name: string, size: number) => ({ name, size, received: size });
  assert(/^From a\.tar\.gz \(2\.0 MiB\) and b\.zip; here since .*2026.*, read in 298 ms\.$/.test(plain(sourceWords({ files: [file("a.tar.gz", 2 << 20), file("b.zip", -1)], created }, 0.298))));
  assert(/^Here since .*2026[^;]*\.$/.test(plain(sourceWords({ files: [], created }, null))));
  assert.equal(sourceWords({ files: null, created: "" }, null), "");
});

test("a file of any name is sent, by a name that the server takes", () => {
  const names = (...paths: string[]) => parcelsOf(paths.map((path) => ({ path, file: new File(["x"], path) }))).parcels.map((p) => p.name);
  const bytes = (s: string) => new TextEncoder().encode(s).length;
  const long = "記録".repeat(40); // 240 bytes
  const cut = names(`${long}.tar.gz`, `${long}1.tar.gz`, `${long}2.synchroscope.tar.zst`, "web.tar.gz");
  assert.deepEqual(cut.map((n) => n.replace(/^(記録)+記?…/u, "")), [".tar.gz", " (2).tar.gz", ".synchroscope.tar.zst", "web.tar.gz"]);
  assert(cut.every((n) => bytes(n) <= 200 && !n.includes("\ufffd")), cut.join());
  assert(bytes(cut[0]) > 185, cut[0]);
  assert.deepEqual(names("a\nb.zip", "a\\b.zip"), ["a_b.zip", "a_b (2).zip"]);
  assert(bytes(nameOf(names(`${"x".repeat(250)}.tar`, "b.tar").map((name) => ({ name })))) <= 200);
});

test("uploads send in turn, no more than a few at once, and who stops leaves the line", async () => {
  const turns = new Turns(2);
  const stopping = new AbortController();
  const had: string[] = [];
  const ask = (name: string, signal = new AbortController().signal) => turns.take(signal).then((end) => (had.push(name), end), () => (had.push(`${name} stopped`), () => {}));
  const [a, b] = await Promise.all([ask("a"), ask("b")]);
  assert(turns.all);
  const waiting = [ask("c"), ask("d", stopping.signal), ask("e")];
  stopping.abort();
  await waiting[1];
  await ask("g", stopping.signal); // stopped before it asks
  assert.deepEqual(had.splice(2), ["d stopped", "g stopped"]);
  a();
  const c = await waiting[0];
  const f = ask("f");
  b();
  const e = await waiting[2];
  assert.deepEqual(had, ["a", "b", "c", "e"], "in their order");
  c();
  e();
  (await f)();
  assert(!turns.all);
});
