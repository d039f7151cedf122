// What the server says of attributes: docs/api.md, "The state at a time".

import { callServer } from "../home/api.js";

export type Value = number | string | boolean | null;

/** An attribute and what it holds; times are decimal strings of ns of the host's own clock. */
export interface Attribute {
  readonly name: string;
  readonly path: string;
  readonly value: Value;
  readonly children: number;
  readonly local_begin: string;
  readonly local_end: string | null; // null where it is so still, as far as is read
}

export interface Level {
  readonly local_time: string;
  readonly known: boolean;
  readonly local_known_until?: string; // while more of the host is read, where that is not told all yet
  readonly from: number;
  readonly total: number;
  readonly all: boolean;
  readonly attributes: readonly Attribute[];
}

export interface Change {
  readonly known: boolean; // false where more may be read that makes it another one
  readonly found: boolean;
  readonly attribute: Attribute | null;
}

/** Where and when something is asked: a host, and a time by its own clock. */
export interface Place {
  readonly host: string;
  readonly local: bigint;
}

function read(set: string, what: string, place: Place, more: Record<string, string | number>): Promise<unknown> {
  const q = new URLSearchParams({ host: place.host, time: String(place.local), local: "1" });
  for (const [name, value] of Object.entries(more)) if (value !== "") q.set(name, String(value));
  return callServer("GET", `/api/sets/${encodeURIComponent(set)}/state/${what}?${q}`);
}

export const readLevel = async (set: string, place: Place, more: Record<string, string | number>): Promise<Level> => (await read(set, "level", place, more)) as Level;
export const readChange = async (set: string, place: Place, path: string, back: boolean): Promise<Change> => (await read(set, "change", place, { path, back: back ? 1 : 0 })) as Change;
