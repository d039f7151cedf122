// What the tabs Events and State show, as the address says it while one of them is shown, and as a page remembers it for when it is loaded again.

import type { View } from "./view.js";

/** More of what is open is said nowhere. */
export const MOST_OPEN = 50;

/** From when on events are listed, and which one is chosen. */
export function sayEvents(q: URLSearchParams, { at, chosen, loss }: View["events"]): void {
  if (at !== null) q.set("at", String(at));
  if (chosen) q.set("chosen", `${chosen.host}~${chosen.local}~${chosen.cpu}`);
  if (loss) q.set("lost", `${loss.host}~${loss.local}`);
}

/** Which state is looked at. */
export function sayState(q: URLSearchParams, { at, host, path, find, open }: View["state"]): void {
  if (at !== null) q.set("state", String(at));
  if (host) q.set("of", host);
  if (path) q.set("attribute", path);
  if (find) q.set("find", find);
  for (const path of open.slice(0, MOST_OPEN)) q.append("open", path);
}

/** Both, whichever is shown. */
export function asideOf({ events, state }: Pick<View, "events" | "state">): string {
  const q = new URLSearchParams();
  sayEvents(q, events);
  sayState(q, state);
  return q.toString();
}
