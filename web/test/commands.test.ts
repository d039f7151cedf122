import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { commandSource, type Choice } from "../src/commands/finder.js";
import { struck } from "../src/commands/keyboard.js";
import { shared } from "../src/commands/share.js";
import { CommandTable, keyWords, type Command } from "../src/commands/table.js";

const press = (key: string, more: Partial<KeyboardEvent> = {}) => struck({ key, ctrlKey: false, metaKey: false, shiftKey: false, ...more });

function table(...commands: Partial<Command>[]): CommandTable {
  const t = new CommandTable();
  t.add(...commands.map((c): Command => ({ group: "Page", words: "Do it", run: () => {}, ...c })));
  return t;
}

test("a key is written as the table has it, on a keyboard of any layout", () => {
  assert.equal(press("F"), "f"); // the shift lock
  assert.equal(press("F", { shiftKey: true }), "Shift+f");
  assert.equal(press("?", { shiftKey: true }), "?");
  assert.equal(press("Home", { shiftKey: true }), "Shift+Home");
  assert.equal(press("k", { metaKey: true }), "Ctrl+k");
});

test("a key does one thing on a tab, and nothing while that is not possible", () => {
  let possible = false;
  const t = table({ words: "First", keys: ["x"], tab: "timeline" }, { words: "Second", keys: ["x"], tab: "events", possible: () => possible });
  assert.equal(t.by("x", "timeline")?.words, "First");
  assert.equal(t.by("x", "events"), undefined);
  possible = true;
  assert.equal(t.by("x", "events")?.words, "Second");
  assert.equal(t.by("x", "sync"), undefined);
  assert.throws(() => t.add({ group: "Page", words: "Third", keys: ["x"] }), /“Third” is that of “First”/);
});

test("a key that lacks something says what", () => {
  let possible = false;
  const t = table({ words: "Back", keys: ["x"], tab: "timeline", possible: () => possible, needs: "There is no way back." }, { words: "Other", keys: ["y"] });
  assert.deepEqual([t.needs("x", "timeline"), t.needs("Shift+x", "timeline"), t.needs("x", "events"), t.needs("y", "timeline")], ["There is no way back.", "There is no way back.", "", ""]);
  possible = true;
  assert.equal(t.needs("x", "timeline"), "");
});

test("shift makes a difference where there is a command for it", () => {
  const t = table({ words: "Back", keys: ["Backspace"] }, { words: "Forward", keys: ["Shift+Backspace"] }, { words: "All", keys: ["Home"] });
  assert.equal(t.by("Shift+Backspace", "timeline")?.words, "Forward");
  assert.equal(t.by("Shift+Home", "timeline")?.words, "All");
});

test("what only the mouse does is told of and never run", () => {
  const t = new CommandTable();
  t.add({ group: "Mouse", words: "Drag", shown: "drag", keys: ["d"] });
  assert.equal(t.by("d", "timeline"), undefined);
  assert.equal(keyWords(t.all()[0]), "drag");
});

test("keys are written for people", () => {
  const [c] = table({ keys: ["Ctrl+k", "ArrowLeft", "Shift+Backspace", "-"] }).all();
  assert.equal(keyWords(c), "Ctrl + K or ← or Shift + Backspace or −");
});

// The parts of the page add their commands when they are made, which takes a browser; so the commands are read
// from the sources. Most stand there as one line of words, keys and the tab.
function commandsOfThePage(): Command[] {
  const files = readdirSync("../web/src", { recursive: true }).filter((name) => name.endsWith(".ts") && name !== "commands/table.ts");
  return files.flatMap((name) => {
    const source = readFileSync(`../web/src/${name}`, "utf8");
    const usual = /const tab = "(\w+)"/.exec(source)?.[1];
    const lines = source.split("\n").filter((l) => /\bkeys: \[/.test(l));
    return lines.map((line) => {
      const words = /words: (?:"([^"]+)"|`([^`]+)`)/.exec(line);
      assert(words, `${name}: a command without words: ${line}`);
      const listed = /keys: \[(.*?)\]/.exec(line)![1];
      const keys = listed.includes("String(i + 1)") ? ["1", "2", "3", "4", "5", "6", "7"] : [...listed.matchAll(/"([^"]+)"/g)].map((m) => m[1]);
      assert(keys.length > 0, `${name}: keys that this test does not understand: ${line}`);
      const tab = /\btab: "(\w+)"/.exec(line)?.[1] ?? (/\btab[,} ]/.test(line.replace(/(["`]).*?\1/g, "")) ? usual : undefined);
      return { group: "Page", words: words[1] ?? words[2], keys, tab, run: () => {} } as Command;
    });
  });
}

test("no two commands of the page share a key of a tab", () => {
  const all = commandsOfThePage();
  assert(all.length > 30, `only ${all.length} commands with keys are found`);
  assert(all.filter((c) => c.tab === "timeline").length > 20);
  const t = table(...all);
  for (const key of ["w", "a", "s", "d", "Shift+w"]) assert.throws(() => t.add({ group: "Page", words: "Another", keys: [key], tab: "timeline" }), /“Another” is that of “(Zoom|Move)/);
});

test("of many that fit alike every host has some, the best are all there, and the order stays", () => {
  const fits = [[0, 5], [1, 3], [1, 3], [1, 3], [1, 3], [1, 3], [2, 3], [2, 3], [2, 3], [3, 3]].map(([host, score], i) => ({ host, score, i }));
  const places = (most: number) => shared(fits, most, (f) => f).map((f) => f.i);
  assert.deepEqual(places(10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(places(7), [0, 1, 2, 3, 6, 7, 9]);
  assert.deepEqual(places(2), [0, 1]);
  assert.deepEqual(places(0), []);
});

test("what two tabs have is told once, of the one that is open, or of the first", async () => {
  const did: string[] = [];
  const t = table(...(["timeline", "events"] as const).map((tab) => ({ words: "Take the mark away", tab, run: () => did.push(tab) })), { words: "Take something else" });
  for (const [here, want] of [["events", "events"], ["timeline", "timeline"], ["state", "timeline"]] as const) {
    const found = commandSource(t, () => {}, () => here)("take", 60) as readonly Choice[];
    assert.deepEqual(found.map((c) => c.words).sort(), ["Take something else", "Take the mark away"]);
    found.find((c) => c.words === "Take the mark away")!.run();
    assert.equal(did.at(-1), want);
  }
});

test("what cannot be done now is told with what it needs where nothing that can be done fits as well, and else left out", () => {
  let back = false;
  const needs = "There is no window to go back to.";
  const t = table(
    { words: "Mark the moment under the cursor, to compare others with it", tab: "timeline" }, { words: "Go to the loss before", also: "previous" },
    { words: "Go back to the time before", also: "undo previous", tab: "state" },
    { words: "Go back to where the window was", also: "undo previous", tab: "timeline", first: "timeline", possible: () => back, needs },
    { words: "Undone by none", possible: () => false },
    { words: "Undo it all, and so on and on", possible: () => false, needs: "There is nothing to undo." },
  );
  const of = (typed: string, here: "timeline" | "state" = "timeline") => (commandSource(t, () => {}, () => here)(typed, 60) as readonly Choice[]).map((c) => (c.why ? `${c.words}: ${c.why}` : c.words));
  assert.deepEqual(of("where the window"), [`Go back to where the window was: ${needs}`]);
  assert.deepEqual(of("previous"), ["Go to the loss before", "Go back to the time before"]);
  assert.deepEqual(of("undo")[0], "Undo it all, and so on and on: There is nothing to undo.");
  assert(!of("").some((words) => words.includes(":")));
  back = true;
  assert.deepEqual(of("undo").slice(1, 3), ["Go back to where the window was", "Go back to the time before"], "that of the open tab first");
});
