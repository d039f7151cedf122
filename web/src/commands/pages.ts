// What the tabs other than the timeline can do, and the page itself: see timeline/keys.ts for the rest.

import type { EventsPage } from "../events/events.js";
import type { MessagesPage } from "../messages/messages.js";
import type { SetModel } from "../model/set.js";
import type { Measure, Tab } from "../model/shown.js";
import type { View } from "../model/view.js";
import type { StatePage } from "../state/state.js";
import type { StatisticsPage } from "../statistics/statistics.js";
import { NO_WINDOW_BACK, NO_WINDOW_FORWARD } from "../timeline/keys.js";
import type { Timeline } from "../timeline/timeline.js";
import type { Theme } from "../ui/themes.js";
import type { Command } from "./table.js";

const MEASURES: readonly [Measure, string][] = [["messages", "messages"], ["bytes", "data"], ["latency", "median latency"]];
const NO_ATTRIBUTE = "These keys go along an attribute: choose one first.";
const THEMES: readonly [Theme, string][] = [["system", "as the system has them"], ["light", "light"], ["dark", "dark"], ["contrast", "high contrast"]];

/** What is done to. */
export interface Parts {
  readonly view: View;
  readonly set: SetModel;
  readonly timeline: Timeline;
  readonly events: EventsPage;
  readonly state: StatePage;
  readonly statistics: StatisticsPage;
  readonly messages: MessagesPage;
}

/** What the page itself does. */
export interface Acts {
  readonly slowest: () => void;
  readonly home: () => void;
  /** Raw time where it is synchronized, and the other way round. */
  readonly otherTime: () => void;
  readonly find: () => void;
  readonly help: () => void;
}

export const themeCommands = (choose: (theme: Theme) => void): Command[] =>
  THEMES.map(([theme, words]) => ({ group: "Page", words: `Colours: ${words}`, also: "theme colors appearance", run: () => choose(theme) }));

export const pageCommands = ({ view, set, timeline, events, state, statistics, messages }: Parts, open: (tab: Tab) => void, acts: Acts): Command[] => [
  { group: "Views", words: "List the events, beginning at the cursor or at the selected state or message", also: "table log", keys: ["e"], tab: "timeline", run: () => {
    const at = timeline.selected.moments.first();
    open("events");
    events.go(at);
    events.enter();
  } },
  { group: "Views", words: "Show the state at the cursor", keys: ["v"], tab: "timeline", run: () => {
    const { host, t } = timeline.selected.moments.found();
    open("state");
    state.go(t, view.row, host);
  } },
  { group: "Views", words: "Filter events by name, host or fields", also: "search find query", keys: ["/"], tab: "events", run: () => events.focusFilter() },
  { group: "Select", words: "Mark the chosen event, to compare others with it", keys: ["c"], tab: "events", possible: () => events.chose, needs: "This key marks an event: choose one first.", run: () => events.mark() },
  { group: "Select", words: "Take the mark away", keys: ["Shift+c", "Escape"], tab: "events", possible: () => view.mark !== null, run: () => events.unmark() },
  { group: "Move", words: "Go to the next loss, a place where events were lost", also: "discarded missing gap", keys: ["l"], tab: "events", possible: () => events.losses.any, needs: "Of this set nothing was lost.", run: () => void events.losses.next() },
  { group: "Move", words: "Go to the loss before", also: "discarded missing gap previous", keys: ["Shift+l"], tab: "events", possible: () => events.losses.any, needs: "Of this set nothing was lost.", run: () => void events.losses.previous() },
  // Who asks where events were lost is answered, not given what has these letters by chance.
  { group: "Views", words: "No events were lost: see the import report", also: "losses discarded missing gap", possible: () => set.info?.state === "ready" && !events.losses.any, run: () => open("import") },
  { group: "Views", words: "See in the import report whether events were lost", also: "losses discarded missing gap", possible: () => set.info?.state !== "ready" && !events.losses.any, run: () => open("import") },
  { group: "Views", words: "List all events", tab: "events", possible: () => events.filtered, run: () => events.clear() },
  { group: "Views", words: "Statistics of the whole set", tab: "statistics", run: () => statistics.whole() },
  { group: "Views", words: "Messages of the whole set, from host to host", tab: "messages", run: () => messages.whole() },
  { group: "Views", words: "Slowest requests of the whole set", also: "latency response answer wait tcp query", possible: () => set.exchanged, run: acts.slowest },
  ...MEASURES.map(([measure, name]) => ({ group: "Views" as const, words: `Show the matrix of hosts by ${name}`, tab: "messages" as const, run: () => messages.by(measure) })),
  { group: "Select", words: "Go to the next change of the attribute", keys: ["."], tab: "state", possible: () => state.along, needs: NO_ATTRIBUTE, run: () => state.step(false) },
  { group: "Select", words: "Go to the change of the attribute before", keys: [","], tab: "state", possible: () => state.along, needs: NO_ATTRIBUTE, run: () => state.step(true) },
  { group: "Move", words: "Go back to the time before", also: "undo previous", keys: ["Backspace"], tab: "state", first: "state", possible: () => state.ways.back, needs: "There is no time to go back to.", run: () => state.turnBack() },
  { group: "Move", words: "Go forward again, after a step back", also: "redo next", keys: ["Shift+Backspace"], tab: "state", first: "state", possible: () => state.ways.forward, needs: "There is no time to go forward to.", run: () => state.turnBack(true) },
  { group: "Move", words: "Go back to where the window was", also: "undo previous", keys: ["Backspace"], tab: "statistics", first: "statistics", possible: () => view.canGoBack, needs: NO_WINDOW_BACK, run: () => view.back() },
  { group: "Move", words: "Go forward again", also: "redo next", keys: ["Shift+Backspace"], tab: "statistics", first: "statistics", possible: () => view.canGoForward, needs: NO_WINDOW_FORWARD, run: () => view.forward() },
  { group: "Move", words: "Go back to where the window was", also: "undo previous", keys: ["Backspace"], tab: "messages", first: "messages", possible: () => view.canGoBack, needs: NO_WINDOW_BACK, run: () => view.back() },
  { group: "Move", words: "Go forward again", also: "redo next", keys: ["Shift+Backspace"], tab: "messages", first: "messages", possible: () => view.canGoForward, needs: NO_WINDOW_FORWARD, run: () => view.forward() },
  { group: "Rows", words: "Search attributes", also: "find filter", keys: ["/"], tab: "state", run: () => state.focusFind() },
  { group: "Page", words: "Go to the list of all trace sets", also: "home upload new rename delete", run: acts.home },
  { group: "Times", words: "Switch between raw and synchronized time", also: "before after unsynchronized", keys: ["r"], run: acts.otherTime },
  { group: "Page", words: "Find a command, a time, a host or a thread", keys: ["Ctrl+k", ":"], run: acts.find },
  { group: "Page", words: "Show keys and legend", also: "help shortcuts hotkeys", keys: ["?"], run: acts.help },
];
