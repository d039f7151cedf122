// The browser's Back and Forward go from tab to tab, as each tab that somebody opens is a step of the browser's history. What else the page
// shows stays: where the window was before, Backspace tells.

import { TABS, type Tab, type View } from "../model/view.js";

/** The tab that an address names. */
export function tabOf(query: string): Tab {
  const named = new URLSearchParams(query).get("tab");
  return TABS.find((tab) => tab === named) ?? "timeline";
}

const here = (view: View): string => view.query() || location.pathname;

/** Opens a tab as a step of its own. */
export function visit(view: View, tab: Tab): void {
  if (tab === view.tab) return;
  history.replaceState(null, "", here(view)); // the address may be told late
  view.tab = tab;
  history.pushState(null, "", here(view));
}

/** Calls back with the tab that Back or Forward led to. */
export function onVisited(open: (tab: Tab) => void): void {
  addEventListener("popstate", () => open(tabOf(location.search)));
}
