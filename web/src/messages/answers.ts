// What the server answers about messages between hosts.

import { callServer } from "../home/api.js";
import type { Passed } from "../model/passages.js";
import { about } from "../time/time.js";

/** What went from one host to another. */
export interface PairMessages {
  from: string;
  to: string;
  messages: number;
  /** 0 where the events tell no size: a packet has at least its headers. */
  bytes: number;
  before_sent: number; // received before sent
  beyond_error: number; // of them, by more than the error of the clocks there, or where none is known
  least_ns: number | null; // null where nothing relates the clocks
  median_ns: number | null;
  most_ns: number | null;
  error_ns: number | null; // of the median; null unknown or, by the hosts' own clocks, less than DIGITS tell
}

/** Of how many digits latencies of a pair are shown. */
export const DIGITS = 3;

export interface MatrixAnswer {
  local: boolean; // by the hosts' own clocks
  version: number;
  complete: boolean; // else the same question goes on
  messages: number;
  pairs: PairMessages[];
}

export type Direction = PairMessages & { histogram: [low: number, high: number, messages: number][] };

/** ns after begin, latency, direction, messages, thread that sent, thread that received, bound of the latency's error or -1. */
export type Dot = [sent: number, latency: number, direction: 0 | 1, messages: number, from: number, to: number, error: number];

export interface LatenciesAnswer {
  begin: string;
  end: string;
  local: boolean;
  version: number;
  complete: boolean;
  directions: [Direction, Direction];
  single: boolean; // each dot is one message
  dots: Dot[];
  /** The stretch in which the messages were sent, ns after begin, and how much of it a cell is whose messages are one dot; 0 while each has its own. */
  cells: [begin: number, end: number, wide: number];
  band: [after: number, error: number][];
}

export type Range = { begin: bigint; end: bigint } | null;

/** The query of a stretch, with what else is asked. */
export function rangeQuery(range: Range, local: boolean, more: Record<string, string> = {}): string {
  const q = new URLSearchParams(more);
  if (range) {
    q.set("begin", String(range.begin));
    q.set("end", String(range.end));
  }
  if (local) q.set("local", "1");
  return q.toString();
}

/** By the hosts' own clocks the error of a median is what is rounded alone: where the digits that are shown are right, none is told. */
export function shown<P extends PairMessages>(p: P, local: boolean): P {
  if (!local || p.median_ns === null || p.error_ns === null) return p;
  const ends = [p.median_ns - p.error_ns, p.median_ns + p.error_ns].map((ns) => about(ns, DIGITS));
  return ends[0] === ends[1] ? { ...p, error_ns: null } : p;
}

/** The messages from a host to another that were sent in a stretch of the sender's clock, each by when its ends were by the clock of its host;
 * null where there are too many to tell each, or clocks so far apart that an end is not told to the ns. */
export async function readPassed(id: string, from: string, to: string, begin: bigint, end: bigint): Promise<Passed[] | null> {
  const query = rangeQuery({ begin, end }, true, { a: from, b: to });
  const { single, complete, dots } = (await callServer("GET", `/api/sets/${encodeURIComponent(id)}/messages/between?${query}`)) as LatenciesAnswer;
  if (!single || !complete || dots.some(([, latency]) => !Number.isSafeInteger(latency))) return null;
  return dots.filter(([, , direction]) => direction === 0).map(([after, latency]) => ({ sent: begin + BigInt(after), received: begin + BigInt(after) + BigInt(latency) }));
}

/** What all pairs exchanged; without a range, over the whole set. */
export async function readMatrix(id: string, range: Range, local: boolean, signal: AbortSignal): Promise<MatrixAnswer> {
  const a = (await callServer("GET", `/api/sets/${encodeURIComponent(id)}/messages?${rangeQuery(range, local)}`, undefined, signal)) as MatrixAnswer;
  return { ...a, pairs: a.pairs.map((p) => shown(p, a.local)) };
}

export async function readLatencies(id: string, a: string, b: string, range: Range, local: boolean, signal: AbortSignal): Promise<LatenciesAnswer> {
  const answer = (await callServer("GET", `/api/sets/${encodeURIComponent(id)}/messages/between?${rangeQuery(range, local, { a, b })}`, undefined, signal)) as LatenciesAnswer;
  const [there, back] = answer.directions;
  return { ...answer, directions: [shown(there, answer.local), shown(back, answer.local)] };
}
