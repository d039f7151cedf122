// The viewer page: makes the parts and lets them know of each other. Data flow one way:
// the socket fills the models, models tell the views, views draw in the next frame.

import { BookmarkDesk } from "./bookmarks/desk.js";
import { commandSource, Finder } from "./commands/finder.js";
import { listen } from "./commands/keyboard.js";
import { pageCommands, themeCommands } from "./commands/pages.js";
import { PART_KEYS } from "./commands/parts.js";
import { recordedSource, rowSource, showTime, timeSource } from "./commands/places.js";
import { CommandTable, TAB_ALSO, TAB_WORDS } from "./commands/table.js";
import { Palette } from "./draw/palette.js";
import { keepSharp } from "./draw/surface.js";
import { readBetween, readSet, Refusal, unreached } from "./home/api.js";
import { Gone } from "./home/gone.js";
import { EventsPage } from "./events/events.js";
import { LinkedTexts } from "./events/linkedtexts.js";
import { ImportPage } from "./importing/import.js";
import { catchUp, reloaded } from "./model/addressbar.js";
import type { Anchored } from "./model/anchored.js";
import { Intake } from "./model/intake.js";
import { Keeper } from "./model/kept.js";
import { KindOfTime } from "./model/kindoftime.js";
import { isolated } from "./model/names.js";
import { Linked, relates, shownBy } from "./model/linked.js";
import { otherClockWords, Strange } from "./model/strange.js";
import { Painter } from "./model/painter.js";
import { recall, remember } from "./model/remembered.js";
import { RowNumbers } from "./model/rownumbers.js";
import { RowTable } from "./model/rows.js";
import { Directs } from "./model/direct.js";
import { Passages } from "./model/passages.js";
import { SetModel } from "./model/set.js";
import type { Tab } from "./model/shown.js";
import { NO_EVENTS_PIECES, NOTHING_PIECES } from "./model/unread.js";
import { View } from "./model/view.js";
import { Back } from "./net/back.js";
import { addressOf, claimFirst } from "./net/first.js";
import { Live } from "./net/live.js";
import type { Clocks, SetInfo } from "./net/json.js";
import type { Message } from "./net/wire.js";
import { readPassed } from "./messages/answers.js";
import { MessagesPage } from "./messages/messages.js";
import { ReferenceNews } from "./sync/news.js";
import { SyncPage } from "./sync/sync.js";
import { showRange } from "./timeline/keys.js";
import { lifeOf } from "./timeline/life.js";
import { showCall } from "./timeline/onecall.js";
import type { Sought } from "./timeline/sought.js";
import { Timeline } from "./timeline/timeline.js";
import { requestWords, windowWords } from "./timeline/words.js";
import { StatePage } from "./state/state.js";
import { shareCommands } from "./share/share.js";
import { StatisticsPage } from "./statistics/statistics.js";
import { parseNs } from "./time/time.js";
import { endOf, timeAt, windowOf } from "./time/window.js";
import { byId, h, text } from "./ui/dom.js";
import { Heard } from "./ui/heard.js";
import { roomForWord } from "./ui/head.js";
import { help } from "./ui/help.js";
import { openModal, opensDialog } from "./ui/modal.js";
import { PutBack } from "./ui/putback.js";
import { Status } from "./ui/status.js";
import { radioKeys, themes } from "./ui/themes.js";
import { works } from "./ui/works.js";

const id = document.body.dataset.set ?? "";
const live = new Live(addressOf(id), claimFirst);
const set = new SetModel();
const rows = new RowTable();
const numbers = (live.numbers = new RowNumbers());
const view = new View();
const painter = new Painter();
const palette = new Palette();
const commands = new CommandTable();
const keeper = (view.keeper = new Keeper(set, view));
const context = { live, set, rows, view, palette, commands, schedule: painter.schedule };

catchUp();
view.load(location.search);
view.entries.listen();
view.entries.onReturn = comeBack;
const before = recall(id);
if (before) view.resume(before, location.search);
addEventListener("pagehide", () => {
  timeline.leave();
  view.entries.bar.leave();
  rememberAll();
});
addEventListener("visibilitychange", () => {
  if (!document.hidden) return;
  timeline.leave();
  view.entries.bar.hide();
  rememberAll();
});
function rememberAll(): void {
  remember(id, { ...view.left, scrolled: putBack.offsets });
}
const timeline = new Timeline(byId("timeline"), id, context);
const kind = new KindOfTime(set, view, keeper, timeline, view.raw && before?.raw === false);
timeline.onReport = () => open("import");
view.onChoice = (choice) => timeline.selected.chooseAgain(choice);
timeline.onLosses = () => {
  open("import");
  importing.reveal(set.hosts.some((x) => x.lost_events > 0) ? "lost-events" : "lost-packets");
};
const sync = new SyncPage(byId("sync"), id, context);
sync.onFind = show;
sync.onRecorded = goToRecorded;
function goToRecorded(host: number): void {
  open("timeline");
  timeline.showRecorded(host);
}
const events = new EventsPage(byId("events"), id, set, view);
const statistics = new StatisticsPage(byId("statistics"), id, set, view);
events.onFind = (host, tid, at) => {
  open("timeline");
  timeline.selected.point(host, tid, at);
};
statistics.life = ({ host, tid }) => {
  const id = tid === null ? undefined : rows.find(set.hosts.find((x) => x.name === host)?.index ?? -1, tid);
  return id === undefined ? null : lifeOf(context, id);
};
statistics.onFind = (host, tid, begin, end) => {
  open("timeline");
  timeline.selected.pointLongest(host, tid, begin, end);
};
statistics.onCall = (host, call) => {
  const index = set.hosts.find((x) => x.name === host)?.index;
  const [begin, end] = [call.local_begin, call.local_end].map((t) => (index === undefined ? null : view.raw ? BigInt(t) : set.toReference(index, BigInt(t))));
  if (index === undefined || begin === null || end === null) return status.say(`It is not known how the clock of ${host} lies: the call cannot be shown yet.`);
  open("timeline");
  showCall(context, timeline, index, call.tid, begin, end, `The ${call.name} of ${call.thread || "thread"} · ${call.tid} on ${host}`);
};
events.onRange = (begin, end) => {
  open("timeline");
  showRange(view, begin, end);
};
timeline.onLostEvents = (x) => {
  open("events");
  void events.goToLoss(x);
};
events.losses.onNone = (sentence) => status.say(sentence);
const messages = new MessagesPage(byId("messages"), id, context);
messages.requests.onFind = (host, tid, begin, end, server) => {
  open("timeline");
  const room = (end - begin) / 4n + 1000n;
  view.jump(windowOf(begin - room, end + room));
  timeline.selected.pointLongest(host, tid, begin, end);
  const own = [begin, end].map((t) => (view.raw ? t : set.toLocal(host, t)));
  timeline.opened(() => {
    const [asked, answered] = own.map((t, i) => (t === null ? null : view.raw ? t : set.toReference(host, t)) ?? [begin, end][i]);
    return requestWords(server, asked - view.origin(), answered - view.origin());
  });
};
timeline.inspector.onSlowest = slowest;
timeline.inspector.onCalls = () => {
  open("statistics");
  statistics.ofSelected();
};
timeline.inspector.onEvents = (host, tid, at) => {
  open("events");
  events.ofThread(host, tid, at);
};
function slowest(): void {
  open("messages");
  messages.slowest();
}
messages.latencies.onTimeline = () => open("timeline");
messages.latencies.overTime.onStretch = (begin, end) => {
  open("timeline");
  view.jump(windowOf(begin, end));
};
messages.latencies.onFind = (m) => {
  const [from, to] = [m.from, m.to].map((name) => set.hosts.find((x) => x.name === name)?.index);
  if (from !== undefined && to !== undefined) show({ from, to, sent: m.sent, received: m.received });
};
function show(m: Sought): void {
  open("timeline");
  timeline.selected.showMessage(m);
}
const state = new StatePage(byId("state"), id, context);
state.moment = () => timeline.selected.moments.found();
state.onFind = (at) => {
  open("timeline");
  timeline.selected.moments.elsewhere();
  showTime(context, at);
};
const importing = new ImportPage(byId("import"), id, set, view);
importing.onDropped = () => open("import");
importing.onLost = (host) => {
  open("events");
  void events.losses.first(host);
};
// A link that is opened begins at the top of each tab.
const putBack = new PutBack(new Map([...["sync", "statistics", "messages", "import"].map((tab) => [tab, byId(tab)] as const), ["sync.links", sync.table.list], ["state", state.list]]), reloaded() && before ? before.scrolled : new Map(), () => view.tab,
  ({ key }) => Object.keys(TAB_WORDS)[Number(key) - 1] === view.tab);
const status = new Status(byId("status"), set, view);
const unrelated = status.teller();
const strange = new Strange(status.teller());
const news = new ReferenceNews(status);
const heard = new Heard(byId("status"));
timeline.selected.state.onState = (at, meanwhile) => heard.chosen(at, meanwhile);
timeline.selected.onMessage = (words) => heard.messaged(words);
timeline.selected.onLane = (words) => heard.lane(words);
timeline.flow.onUnpinned = status.teller();
timeline.flow.onListed = (words) => heard.listed(view.filter, words);
const bookmarks = new BookmarkDesk(context, id, document.querySelector(".axis")!, document.querySelector(".strip")!, timeline.pointer);
shareCommands(context, id, timeline, (sentence) => status.say(sentence));
commands.add({ group: "Keep and share", words: "Save the table of hosts (CSV)", also: "export download", possible: () => set.hosts.length > 0, run: () => sync.saveHosts() });
commands.add({ group: "Keep and share", words: "Add machines or texts to this set", also: "upload more forgotten missing archive host symbols states endpoints functions names", possible: () => set.info?.state === "ready", run: () => {
  open("import");
  importing.addFiles();
} });
statistics.onSay = (sentence) => status.say(sentence);
events.onSay = status.teller();
sync.onSay = status.teller();
commands.add({ group: "Keep and share", words: "Save the events that fit (CSV)", also: "export download table list", first: "events", tab: "events", possible: () => set.hosts.length > 0, run: () => void events.save() });
for (const { words, save, lacks } of statistics.keepsakes)
  commands.add({ group: "Keep and share", words: `Save the table of ${words} of the statistics (CSV)`, also: "export download", possible: () => set.hosts.length > 0, run: () => {
    if (lacks()) return status.say(lacks());
    open("statistics");
    save();
  } });
bookmarks.moment = () => timeline.selected.moments.moment();
bookmarks.onSay = status.teller();
bookmarks.onFault = status.teller();
bookmarks.onHere = (words) => timeline.inspector.bookmarked(words);
bookmarks.onGo = (host, tid, at, window) => {
  open("timeline");
  showTime(context, at, true, window);
  timeline.selected.revisit(host, tid, at);
};

painter.add(keepSharp);
painter.add(() => timeline.draw());
painter.add(() => sync.draw());
painter.add(() => messages.draw());
painter.add(() => bookmarks.draw());
painter.onDrawn = () => live.drawn();
function pointed(): void {
  const order = timeline.selected.moments.order();
  timeline.drawOverlay();
  status.point(timeline.pointer, order);
  heard.pointed(view.tab === "timeline" ? [timeline.pointer.words, order?.words].filter(Boolean).join("; ") : "");
}
timeline.pointer.onChange = pointed;
view.pointed.on(pointed);
view.changed.on(() => {
  timeline.viewChanged();
  if (!view.empty) heard.window(view.whole ? "Window: the whole set" : `Window ${windowWords(view)}`);
  painter.schedule();
  // What is added up in sight may be of the window, which goes back and forward by keys.
  if (view.tab === "statistics") statistics.refresh();
  if (view.tab === "messages") messages.refresh();
});
const chooseTheme = themes(() => {
  palette.read();
  painter.schedule();
  sync.themeChanged();
});

const intake = new Intake(rows, numbers, set, {
  others: () => {
    live.renumbered();
    timeline.reset();
  },
  hosts: (to) => {
    view.renumber(to);
    timeline.renumbered();
  },
  known: () => live.release(),
  came: () => {
    timeline.rowsChanged();
    state.rowsChanged();
    messages.requests.show();
    strange.look(view, rows, set);
  },
});

function take(m: Message): void {
  if (m.kind === "set") takeSet(m.body);
  else if (m.kind === "report") set.setReport(m.body);
  else if (m.kind === "clocks") takeClocks(m.body);
  else if (m.kind === "rows") intake.take(m);
}

view.changed.on(() => strange.look(view, rows, set));

let note = ""; // that a link was made under another reference
// What the address leads to, as long as nobody went elsewhere; null where it names no time that is by the clock of a host.
let linked: Linked | null = null;
const texts = new LinkedTexts();
function follow(): void {
  const by = view.raw ? "" : view.by;
  linked = by && view.somewhere !== null ? new Linked(by, view.somewhere) : null;
  texts.follow(by, view.events);
}
follow();
view.changed.on(() => {
  if (!set.clocks) return;
  const was = linked;
  if (!linked?.holds(view.somewhere)) linked = null;
  const left = texts.keep(view.raw, view.events);
  if (was ? was === linked : !left) return;
  unrelated((note = ""));
  if (!view.raw) view.by = set.clocks.reference;
});

// Where the page was when another host became the reference, as long as nobody went elsewhere.
let anchored: Anchored | null = null;

// Clocks with another reference give all times other names: the window goes along. Answers by them may have come before them.
function takeClocks(clocks: Clocks): void {
  view.hold();
  const at = view.somewhere ?? (set.clocks ? timeAt(view.window, 0.5) : null);
  if (view.raw || !linked?.holds(at)) linked = null;
  const by = view.raw || at === null ? 0n : linked ? linked.place(clocks) : set.clocks ? moved(clocks, at) : set.rebased(clocks, at, view.by);
  // What was typed here goes along as well when another host becomes the reference.
  if (!view.raw && set.clocks && set.clocks.reference !== clocks.reference) texts.hold(set.clocks.reference, view.events);
  const made = linked?.by ?? texts.by;
  view.by = made === undefined ? clocks.reference : shownBy(made, clocks);
  const open = made !== undefined && !relates(made, clocks) && set.importing;
  const led = !set.clocks && made !== undefined && !open && made !== clocks.reference;
  if (led) note = otherClockWords(made, clocks);
  unrelated(open ? `The times of this link are by the clock of ${made}, which nothing relates to that of ${clocks.reference} yet.` : made === undefined ? "" : note);
  news.take(set.clocks, clocks, view.raw);
  // Of a server that counts its clocks anew nothing drawn by them can be told to be old.
  if (clocks.version < (set.clocks?.version ?? 0)) timeline.reset();
  // Another reference names the same times otherwise also where its clock shows the same: the server answers what was asked for by the one before no more.
  if (by !== 0n || (set.clocks && set.clocks.reference !== clocks.reference)) {
    view.move(by);
    timeline.retime(by, clocks.version);
  }
  set.setClocks(clocks);
  view.landAnew();
}

// By how much the times of what is shown are later under clocks that take the place of others: those of the same reference leave it.
function moved(clocks: Clocks, at: bigint): bigint {
  if (set.clocks?.reference === clocks.reference) return 0n;
  if (!anchored?.holds(view.somewhere)) anchored = set.anchored(at, clocks, view.somewhere === null);
  return anchored.place(clocks);
}

function takeSet(info: SetInfo): void {
  if (info.state === "failed" && !info.hosts?.length && rows.hostRows().length > 0) {
    // It was found only after the first look that nothing of it can be imported.
    rows.clear();
    timeline.reset();
    timeline.rowsChanged();
    state.rowsChanged();
  }
  set.setInfo(info);
  if (info.state !== "ready") live.release(); // rows of it may be long in coming
  if (info.state === "failed" && !info.hosts?.length) sayNothing(["timeline", ...PAGES], NOTHING_PIECES);
  if (info.state === "ready" && info.events === 0) sayNothing(PAGES, NO_EVENTS_PIECES);
  text(byId("set-name"), info.name);
  document.title = `${isolated(info.name)} · Synchroscope`;
}

/** The tabs that show nothing without an event; the timeline has its own words for that. */
const PAGES = ["sync", "events", "statistics", "messages", "state"];

// The tabs that have nothing to work on say so in the place of all else.
function sayNothing(tabs: readonly string[], [before, there, after]: readonly [string, string, string]): void {
  for (const tab of tabs) {
    const panel = byId(tab);
    if (panel.querySelector(":scope > .nothing")) continue;
    const why = h("button", { type: "button", class: "link", onclick: () => open("import") }, there);
    panel.prepend(h("p", { class: "minor nothing" }, before, why, after));
  }
}

let focused = false; // it was looked whether the page opens where the set is to be looked at
function takeFocus(): void {
  const focus = set.focus;
  const [begin, end] = [parseNs(focus?.begin), parseNs(focus?.end)];
  if (!focus || view.raw || begin === null || end === null || focused) return;
  focused = true;
  const host = set.hosts.find((h) => h.name === focus.host);
  if (!view.suggest(begin, end)) {
    // An address that leads there, as that of a page that is loaded again, shows the same, and for the same reason.
    const there = view.window.begin === begin && endOf(view.window) === end && view.row?.host === host?.index && view.row?.tid === focus.row_tid;
    if (there && host && focus.why && focus.row_tid !== undefined) timeline.opened(() => focus.why!, { host: host.name, tid: focus.row_tid });
    return;
  }
  if (focus.why) timeline.opened(() => focus.why!);
  if (host && focus.row_tid !== undefined) view.row = { host: host.index, tid: focus.row_tid };
}

// The set, its clocks or the kind of time are others.
function timesChanged(): void {
  const bounds = set.bounds(view.raw);
  if (bounds) view.setBounds(bounds);
  if (bounds && !view.raw) texts.tell(set, view.events);
  timeline.setChanged();
  sync.setChanged();
  refreshPages();
}

// The tabs that are of what is chosen elsewhere look whether that is another.
function refreshPages(): void {
  for (const page of [events, statistics, state, messages]) page.refresh();
}

set.changed.on(() => {
  kind.retell();
  takeFocus();
  timesChanged();
  if (view.tab === "import") importing.render();
  status.progress();
  heard.progress(set.info);
  status.point(timeline.pointer, timeline.selected.moments.order());
  view.emit();
});

set.directs = new Directs((a, b) => readBetween(id, a, b), () => {
  timeline.clocksCompared();
  events.clocksCompared();
  sync.clocksCompared();
  state.refresh();
});

set.passages = new Passages((from, to, begin, end) => readPassed(id, from, to, begin, end), () => {
  timeline.pointer.clocksCompared();
  events.clocksCompared();
  state.refresh();
});

// What the server did not answer is asked once more when it is there again.
function askAgain(): void {
  set.directs?.again();
  for (const part of [timeline, sync, events, statistics, messages, state, bookmarks]) part.again();
}
const back = new Back(async () => {
  await readSet(id).catch((e: unknown) => {
    if (!(e instanceof Refusal) || e.away) throw e; // what it refuses it has answered
  });
}, askAgain);
unreached.on(() => back.missed());
// What was deleted may be brought back.
const gone = new Gone(document.querySelector("main")!, id, () => live.resume());

live.onPush = take;
live.onAnswer = painter.schedule;
live.onError = (sentence) => {
  const gone = set.info?.state === "failed" && rows.hostRows().length === 0; // what was asked for is part of it
  if (!gone) status.complain(sentence);
};
live.onDoubt = (words) => status.connection(words === "", words);
addEventListener("online", () => live.hurry());
live.onAgain = () => {
  intake.again();
  timeline.giveWay();
};
live.onState = (connected, words) => {
  if (connected) {
    if (!intake.kept) {
      live.renumbered(); // for all that is known
      if (rows.hostRows().length > 0) live.hold();
    }
    intake.connected();
    askAgain();
  } else intake.lost();
  status.connection(connected, words);
  if (!connected)
    readSet(id).catch((e: unknown) => {
      if (!(e instanceof Refusal) || e.status !== 404) return;
      live.stop();
      const name = set.info?.name ?? document.body.dataset.name ?? id;
      status.deleted(name);
      gone.show(name);
    });
};

// Tabs.
const tabs = [...document.querySelectorAll<HTMLButtonElement>("[role=tab]")];
function open(tab: Tab): void {
  const other = tab !== view.tab;
  if (other) view.entries.step(false);
  turnTo(tab);
  // Where nothing has the focus nobody would hear which tab is open now.
  if (other && document.activeElement === document.body) byId(tab).focus({ preventScroll: true });
}

// The browser went back, or forward, to what an address says.
function comeBack(query: string, place: number | null): void {
  choose(new URLSearchParams(query).get("time") === "raw");
  view.comeBack(query, place);
  follow();
  if (set.clocks && linked) {
    const [by, clocks] = [linked.by, set.clocks];
    view.rebase(linked.place(clocks), (t) => t + new Linked(by, t).place(clocks));
    view.by = linked.shownBy(clocks);
  }
  if (set.clocks && texts.by) {
    view.by = shownBy(texts.by, set.clocks);
    texts.tell(set, view.events);
  }
  view.returned.emit();
  timeline.comeBack();
  turnTo(view.tab);
}

function turnTo(tab: Tab): void {
  const left = document.activeElement?.closest("[role=tabpanel]");
  view.tab = tab;
  for (const b of tabs) {
    const on = b.id === "tab-" + tab;
    b.setAttribute("aria-selected", String(on));
    b.tabIndex = on ? 0 : -1;
    byId(b.getAttribute("aria-controls")!).hidden = !on;
  }
  // What had the focus on the tab that is left has none there: keys go on from the tab that is open.
  if (left && left.id !== tab) byId(tab).focus({ preventScroll: true });
  // Nor has a tab that is not open any more.
  if (tabs.some((b) => b === document.activeElement && b.tabIndex < 0)) byId("tab-" + tab).focus({ preventScroll: true });
  timeline.tabChanged();
  sync.tabChanged();
  refreshPages();
  if (tab === "import") importing.render();
  heard.turn(tab === "timeline");
  view.emit();
}
for (const b of tabs) b.addEventListener("click", () => open(b.id.slice(4) as Tab));
radioKeys(tabs);

// Raw or synchronized time.
const clocks = [...document.querySelectorAll<HTMLButtonElement>("#clock button")];
function choose(raw: boolean): void {
  for (const b of clocks) {
    const on = (b.dataset.time === "raw") === raw;
    b.setAttribute("aria-checked", String(on));
    b.tabIndex = on ? 0 : -1;
  }
  if (!kind.turn(raw)) return;
  news.retimed(raw);
  timesChanged();
  view.emit();
}
for (const b of clocks) b.addEventListener("click", () => choose(b.dataset.time === "raw"));
radioKeys(clocks);

(Object.entries(TAB_WORDS) as [Tab, string][]).forEach(([tab, name], i) => commands.add({ group: "Views", words: `Open ${name}`, also: TAB_ALSO[tab], keys: [String(i + 1)], run: () => open(tab) }));
commands.add(...themeCommands(chooseTheme));
commands.add(...pageCommands({ view, set, timeline, events, state, statistics, messages }, open, {
  slowest,
  home: () => location.assign("/"),
  otherTime: () => choose(!view.raw),
  find: () => finder.open(),
  help: () => openModal(dialog),
}));
commands.add(...PART_KEYS);
const dialog = help(commands);
opensDialog(byId("help-open"), () => openModal(dialog));
const finder = new Finder([
  timeSource(context, (at) => {
    if (view.tab === "events") events.go(at);
    else if (view.tab === "state") state.go(at, null);
    else open("timeline");
    timeline.selected.moments.elsewhere();
    showTime(context, at);
  }, (stretch) => {
    if (view.tab !== "statistics" && view.tab !== "messages") open("timeline");
    view.jump(stretch);
  }),
  commandSource(commands, (tab) => view.tab !== tab && open(tab), () => view.tab),
  bookmarks.source,
  rowSource(context, (host, tid, at) => {
    open("timeline");
    if (at < view.window.begin || at >= endOf(view.window)) showTime(context, at);
    timeline.selected.point(host, tid, at);
  }),
  recordedSource(context, goToRecorded),
  sync.source(() => view.tab !== "sync" && open("sync")),
]);
opensDialog(byId("finder-open"), () => finder.open());
timeline.onBookmarks = () => bookmarks.look();
timeline.onKeep = () => finder.open("Save");
roomForWord(byId("finder-open"), byId("set-name"));
listen(commands, view, status.teller());
// What is noted speaks of what was done last.
addEventListener("keydown", (e) => /^(Shift|Control|Alt|Meta)$/.test(e.key) || timeline.pointer.pass(), { capture: true });
addEventListener("pointerdown", () => timeline.pointer.pass(), { capture: true });

choose(view.raw);
open(view.tab);
live.connect();
works((found) => importing.drop(found));
