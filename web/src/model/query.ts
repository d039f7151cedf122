// How an address says what a page shows: its query string. What is none of it, or no such thing, is passed over; what is as it is by itself is not said.

import { parseNs } from "../time/time.js";
import { isWithin, windowOf } from "../time/window.js";
import { amongText, chosenText, ns64, parseChosen, parseTall, range, threads, withAmong } from "./addressed.js";
import { parseTables, tablesText } from "./arranged.js";
import { MOST_OPEN, sayEvents, sayState } from "./aside.js";
import { ledText, parseLed } from "./led.js";
import { orderText, parseOrder } from "./order.js";
import { MEASURES, MOST_KEPT, MOST_PINS, PARTS, SCROLLABLES, STRETCHES, TABS, type Part, type Scrollable, type Shown } from "./shown.js";
import { parseTwo, twoText } from "./two.js";
import { waitWords } from "./wait.js";
import { asksTime } from "./wheretimes.js";

/** An address holds no more collapsed processes than this. */
const MOST_COLLAPSED = 100;

const COLUMNS = ["host", "during", "clock", "cpu", "fields"] as const;

/** Takes what a query string says, for something that shows nothing yet. */
export function take(shown: Shown, query: string): void {
  const q = new URLSearchParams(query);
  const tab = TABS.find((tab) => tab === q.get("tab"));
  if (tab) shown.tab = tab;
  shown.refusedTab = tab ? null : q.get("tab");
  shown.raw = q.get("time") === "raw";
  shown.by = q.get("by") ?? "";
  shown.selection = range(q.get("selection"));
  shown.waitedFor = waitWords(q.get("wait"));
  takeWindow(shown, q);
  takeRows(shown, q);
  takeChosen(shown, q);
  takeParts(shown, q);
  takeSums(shown, q);
  takeEvents(shown, q);
  shown.state = { at: parseNs(q.get("state")), host: q.get("of") ?? "", exact: null, path: q.get("attribute") ?? "", find: q.get("find") ?? "", open: q.getAll("open").slice(0, MOST_OPEN) };
}

/** What a link to this very view has after the path: "" where nothing was chosen. */
export function say(shown: Shown): string {
  const q = new URLSearchParams();
  if (shown.tab !== "timeline") q.set("tab", shown.tab);
  if (shown.raw) q.set("time", "raw");
  else if (shown.by && (shown.somewhere !== null || shown.events.during || asksTime(shown.events.where))) q.set("by", shown.by);
  sayWindow(q, shown);
  if (shown.selection) q.set("selection", `${shown.selection.begin}~${shown.selection.end}`);
  sayRows(q, shown);
  sayChosen(q, shown);
  if (shown.waitedFor) q.set("wait", shown.waitedFor);
  if (shown.tab === "events") sayEvents(q, shown.events);
  if (shown.events.name) q.set("event", shown.events.name);
  if (shown.events.where) q.set("where", shown.events.where);
  for (const column of COLUMNS) if (shown.events[column]) q.set(column, shown.events[column]);
  if (shown.tab === "state") sayState(q, shown.state);
  sayParts(q, shown);
  saySums(q, shown);
  const s = q.toString();
  return s && "?" + s;
}

function takeWindow(shown: Shown, q: URLSearchParams): void {
  const ends = [q.get("begin"), q.get("end")] as const;
  const window = range(ends.join("~"));
  const fits = window && isWithin(window.begin, window.end);
  if (!fits && ends.some((end) => end !== null)) shown.refused = [ends[0] ?? "", ends[1] ?? ""];
  // Of a window that does not fit all there is lies in it, as a rule.
  if (q.get("window") === "all" || window) shown.fixed = true;
  if (!window || !fits) return;
  shown.window = windowOf(window.begin, window.end);
  shown.whole = shown.empty = false;
}

function sayWindow(q: URLSearchParams, { window, whole, empty, fixed }: Shown): void {
  if (whole && fixed) q.set("window", "all");
  if (whole || empty) return;
  q.set("begin", String(window.begin));
  q.set("end", String(window.begin + BigInt(Math.round(window.span))));
}

// Which rows there are, in which order, and what is folded and open.
function takeRows(shown: Shown, q: URLSearchParams): void {
  shown.filter = q.get("filter") ?? "";
  shown.dim = q.get("others") === "dim";
  shown.busyOnly = q.get("rows") !== "all";
  shown.resources = q.get("resources") ?? "";
  shown.lane = q.get("lane") ?? "";
  if (shown.lane) shown.was = ns64(q.get("was"));
  shown.order = parseOrder(q.get("sort"));
  const top = /^(\d{1,5})\.(-?\d{1,10})\.(\d{1,3})$/.exec(q.get("top") ?? "");
  if (top) shown.top = { host: Number(top[1]), tid: Number(top[2]), above: Number(top[3]) };
  const pins = threads(q.get("pin"), MOST_PINS);
  shown.pins = pins.filter((p, i) => pins.findIndex((o) => o.host === p.host && o.tid === p.tid) === i);
  shown.kept = threads(q.get("kept"), MOST_KEPT);
  for (const h of (q.get("collapsed") ?? "").split(",")) {
    if (/^\d+$/.test(h)) shown.collapsedHosts.add(Number(h));
    else if (/^\d{1,5}\.\d{1,10}$/.test(h) && shown.collapsedProcesses.size < MOST_COLLAPSED) shown.collapsedProcesses.add(h);
  }
  for (const h of (q.get("opened") ?? "").split(",")) if (/^\d{1,5}$/.test(h)) shown.openedHosts.add(Number(h));
}

function sayRows(q: URLSearchParams, shown: Shown): void {
  const { filter, resources, lane, was, top, pins, kept, openedHosts } = shown;
  if (filter) q.set("filter", filter);
  if (shown.dim) q.set("others", "dim");
  if (!shown.busyOnly) q.set("rows", "all");
  if (resources) q.set("resources", resources);
  if (lane) q.set("lane", lane);
  if (lane && was !== null) q.set("was", String(was));
  const order = orderText(shown.order);
  if (order) q.set("sort", order);
  if (top) q.set("top", `${top.host}.${top.tid}.${top.above}`);
  if (pins.length) q.set("pin", pins.map((p) => `${p.host}.${p.tid}`).join(","));
  if (kept.length) q.set("kept", kept.map((p) => `${p.host}.${p.tid}`).join(","));
  const collapsed = [...[...shown.collapsedHosts].sort((a, b) => a - b), ...[...shown.collapsedProcesses].slice(0, MOST_COLLAPSED)];
  if (collapsed.length) q.set("collapsed", collapsed.join(","));
  if (openedHosts.size) q.set("opened", [...openedHosts].sort((a, b) => a - b).join(","));
}

// The selected row, the mark and the chosen message.
function takeChosen(shown: Shown, q: URLSearchParams): void {
  const row = /^(\d+)\.(-?\d+)$/.exec(q.get("row") ?? "");
  if (row) shown.row = { host: Number(row[1]), tid: Number(row[2]) };
  if (shown.row && shown.row.tid >= 0) shown.did = ns64(q.get("did"));
  if (shown.did !== null) shown.led = parseLed(q, shown.did);
  const mark = /^(\d{1,5})~(-?\d{1,19})$/.exec(q.get("mark") ?? "");
  if (mark) shown.mark = { host: Number(mark[1]), local: BigInt(mark[2]) };
  shown.message = withAmong(parseChosen(q.get("message") ?? ""), q.get("bundle"));
}

function sayChosen(q: URLSearchParams, { row, did, led, mark, message }: Shown): void {
  if (row) q.set("row", `${row.host}.${row.tid}`);
  if (row && did !== null) q.set("did", String(did));
  if (row && did !== null) for (const [name, words] of ledText(led)) q.set(name, words);
  if (mark) q.set("mark", `${mark.host}~${mark.local}`);
  if (message) q.set("message", chosenText(message));
  const bundle = message && amongText(message);
  if (bundle) q.set("bundle", bundle);
}

// The chosen link with its plot, how large and how far scrolled parts are, and what is drawn in them.
function takeParts(shown: Shown, q: URLSearchParams): void {
  const link = parseTwo(q.get("link"));
  if (link) {
    shown.link = { a: link[0], b: link[1] };
    shown.plot = range(q.get("plot"));
    shown.tall = parseTall(q.get("tall"));
  }
  for (const size of (q.get("sizes") ?? "").split(".")) {
    const m = /^(tree|side|talk|cpus)(\d{2,4})$/.exec(size);
    if (m) shown.sizes[m[1] as Part] = Number(m[2]);
  }
  for (const part of (q.get("scroll") ?? "").split(".")) {
    const m = /^(talk|cpus)(0|[1-9]\d{0,6})$/.exec(part);
    if (m) shown.scrolled[m[1] as Scrollable] = Number(m[2]);
  }
  shown.columns = q.get("columns") === "all";
  shown.flows = q.get("flows") === "1";
  shown.wakes = q.get("wakes") === "1";
  shown.pair = parseTwo(q.get("pair")) ?? shown.pair;
}

function sayParts(q: URLSearchParams, { link, plot, tall, sizes, scrolled, columns, flows, wakes, pair }: Shown): void {
  if (link) {
    q.set("link", twoText([link.a, link.b]));
    if (plot) q.set("plot", `${plot.begin}~${plot.end}`);
    if (tall !== 1) q.set("tall", String(tall));
  }
  const sized = PARTS.filter((p) => sizes[p] !== undefined).map((p) => p + sizes[p]);
  if (sized.length) q.set("sizes", sized.join("."));
  const lower = SCROLLABLES.filter((p) => scrolled[p] !== undefined).map((p) => p + scrolled[p]);
  if (lower.length) q.set("scroll", lower.join("."));
  if (columns) q.set("columns", "all");
  if (flows) q.set("flows", "1");
  if (wakes) q.set("wakes", "1");
  if (pair) q.set("pair", twoText(pair));
}

// What Statistics and Messages add up and show, and what Synchronization compares.
function takeSums(shown: Shown, q: URLSearchParams): void {
  shown.spent = STRETCHES.find((s) => s === q.get("spent")) ?? "window";
  shown.narrow = q.get("narrow") ?? "";
  shown.alone = q.get("alone") === "1" ? true : q.get("alone") === "0" ? false : null;
  shown.still = q.get("still") === "1";
  shown.tables = parseTables(q.get("tables") ?? "");
  const call = parseTwo(q.get("call"));
  if (call?.every(Boolean)) shown.call = call;
  shown.exchanged = STRETCHES.find((s) => s === q.get("exchanged")) ?? "window";
  shown.measure = MEASURES.find((m) => m === q.get("shown")) ?? "messages";
  const compared = parseTwo(q.get("compare"));
  if (compared) shown.compared = [...compared];
  const moment = q.get("moment") ?? "";
  if (/^-?\d{1,18}$/.test(moment)) shown.comparedAt = Number(moment);
  else if (moment === "recording") shown.comparedAt = moment;
}

function saySums(q: URLSearchParams, { spent, narrow, alone, still, tables, call, exchanged, measure, compared, comparedAt }: Shown): void {
  if (spent !== "window") q.set("spent", spent);
  if (narrow) q.set("narrow", narrow);
  if (alone !== null) q.set("alone", alone ? "1" : "0");
  if (still) q.set("still", "1");
  if (tables.size) q.set("tables", tablesText(tables));
  if (call) q.set("call", twoText(call));
  if (exchanged !== "window") q.set("exchanged", exchanged);
  if (measure !== "messages") q.set("shown", measure);
  if (compared.some(Boolean)) q.set("compare", twoText(compared));
  if (comparedAt !== null) q.set("moment", String(comparedAt));
}

// Which events are listed; of one and a loss one alone is chosen.
function takeEvents(shown: Shown, q: URLSearchParams): void {
  const [, host, local, cpu] = /^(\d{1,5})~(-?\d{1,19})~(-1|\d{1,5})$/.exec(q.get("chosen") ?? "") ?? [];
  const when = ns64(local);
  const chosen = when === null ? null : { host: Number(host), local: when, cpu: Number(cpu) };
  const lost = /^(\d{1,5})~(-?\d{1,19})$/.exec(q.get("lost") ?? "");
  const where = chosen ? null : ns64(lost?.[2]);
  const loss = where === null ? null : { host: Number(lost![1]), local: where };
  Object.assign(shown.events, { at: parseNs(q.get("at")), chosen, loss, name: q.get("event") ?? "", where: q.get("where") ?? "" });
  for (const column of COLUMNS) shown.events[column] = q.get(column) ?? "";
}
