// The keys that act in a part of the page that has the focus: a plot, a graph, a table. They are handled where the part is made; here the
// help finds them.

import type { Tab } from "../model/shown.js";
import type { Command } from "./table.js";

const ARROWS = "↑ ↓ ← →";

/** A part by its name, and its keys: how they are written, and what they do. */
const PARTS: readonly (readonly [Tab, string, readonly (readonly [string, string])[]])[] = [
  ["timeline", "bookmarks on the time axis", [["← →", "Go to the flag before, or to the next, and show what is noted there"], ["Enter or Space", "Go to the bookmark"]]],
  ["timeline", "tree of rows", [["← →", "←: close the row, or go to the one it is in. →: open the row, or go to the first one in it"], ["Ctrl + Home", "Go to the first row"], ["End", "Go to the last row"]]],
  ["timeline", "filter of rows", [["Enter or ↓", "Go on to the rows"], ["Esc", "Go back to the rows; they stay filtered. Once more: take the filter away"]]],
  ["sync", "graph of hosts", [[ARROWS, "Go to the nearest host that way"], ["Home", "Go to the reference"], ["Enter or Space", "Compare the host with another"]]],
  ["sync", "table of links", [["↑ ↓ Home End", "Choose another link"]]],
  ["sync", "error over time", [["← →", "Go along the plot by a hundredth of it"], ["↑ ↓", "Go to the line of another host"], ["Page Up, Page Down", "Go back, or on, along the plot by a tenth of it"], ["Home End", "Go to the first or the last instant"]]],
  ["sync", "messages of the link", [
    ["+ −", "Zoom in and out"], ["← →", "Move to earlier and later"], ["↑ ↓", "Stretch the height, or press it together"], ["0 or Home", "Show all messages"],
    [". ,", "Go to the next message or the one before"], ["Enter", "Show the message in the timeline"], ["Esc", "Leave the message"], ["wheel", "Zoom at the mouse; with Shift: stretch the height"],
  ]],
  ["messages", "matrix", [[ARROWS, "Go to another pair of hosts"], ["Home End Page Up, Page Down", "Go to the end of a row or a column"], ["Enter or Space", "Show the latencies of the pair, spread out and over time"]]],
  ["messages", "latency over time", [[ARROWS, "Go to the next dot or the one before"], ["Page Up, Page Down", "Go back, or on, by twenty dots"], ["Home End", "Go to the first or the last dot"], ["Enter or Space", "Show the message of the dot in the timeline"]]],
  ["events", "table", [["↑ ↓ Page Up, Page Down", "Choose another event"], ["Home End", "Go to the first or the last event"], ["Enter", "Show the event in the timeline"]]],
  ["state", "tree of attributes", [["↑ ↓ Page Up, Page Down", "Choose another attribute"], ["← →", "←: close the attribute, or go to the one it is in. →: open the attribute"], ["Home End", "Choose the first or the last attribute"]]],
];

/** What the help says of these keys. */
export const PART_KEYS: readonly Command[] = PARTS.flatMap(([tab, part, keys]) => keys.map(([shown, words]) => ({ group: "In plots and tables" as const, words, shown, tab, part })));
