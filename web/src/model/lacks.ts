// What recordings lack, in words that stand where a view is empty.

import type { HostInfo } from "../net/json.js";
import { list } from "./names.js";

/** So many hosts are named that lack something. */
const NAMED = 6;

/** What an empty view says: a sentence, or one and the command that it ends with. */
export type EmptyWords = string | readonly [sentence: string, command: string];

/** Which events a host lacks for a view, and the command that records them. */
export interface Lack {
  readonly events: readonly string[];
  readonly command: string;
}

/** What a view shows, what is missing for it, of which hosts where not of all, and how that is recorded; "" where nothing is. of has what a host
 *  lacks. Where they lack different events it is told what most of them do. */
export function lackOf<H extends { readonly name: string }>(shows: string, hosts: readonly H[], of: (host: H) => Lack | null | undefined): EmptyWords {
  const alike = new Map<string, { readonly lack: Lack; readonly names: string[] }>();
  for (const host of hosts) {
    const lack = of(host);
    if (!lack) continue;
    const { names } = alike.get(lack.command) ?? alike.set(lack.command, { lack, names: [] }).get(lack.command)!;
    names.push(host.name);
  }
  const [most] = [...alike.values()].sort((a, b) => b.names.length - a.names.length);
  if (!most) return "";
  const { lack: { events, command }, names } = most;
  const whose = names.length === hosts.length ? "The recordings lack" : names.length === 1 ? `The recording of ${list(names)} lacks` : `The recordings of ${list(names, NAMED)} lack`;
  return [`${shows} ${whose} ${events.join(", ")}; record ${events.length > 1 ? "them" : "it"} with: `, command];
}

/** What a host lacks for the view that is called so. */
export const lackFor = (view: RegExp) => ({ missing }: Pick<HostInfo, "missing">): Lack | undefined => missing?.find((m) => view.test(m.view));
