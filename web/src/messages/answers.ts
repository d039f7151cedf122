// What the server answers about messages between hosts.

import { callServer } from "../home/api.js";

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
  error_ns: number | null; // of the median; null unknown
}

export interface MatrixAnswer {
  version: number;
  complete: boolean; // else the same question goes on
  messages: number;
  pairs: PairMessages[];
}

export type Direction = PairMessages & { histogram: [low: number, high: number, messages: number][] };

/** ns after begin, latency, direction, messages, thread that sent, thread that received. */
export type Dot = [sent: number, latency: number, direction: 0 | 1, messages: number, from: number, to: number];

export interface LatenciesAnswer {
  begin: string;
  end: string;
  version: number;
  complete: boolean;
  directions: [Direction, Direction];
  single: boolean; // each dot is one message
  dots: Dot[];
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

/** What all pairs exchanged; without a range, over the whole set. */
export const readMatrix = async (id: string, range: Range, local: boolean, signal: AbortSignal): Promise<MatrixAnswer> =>
  (await callServer("GET", `/api/sets/${encodeURIComponent(id)}/messages?${rangeQuery(range, local)}`, undefined, signal)) as MatrixAnswer;

export const readLatencies = async (id: string, a: string, b: string, range: Range, local: boolean, signal: AbortSignal): Promise<LatenciesAnswer> =>
  (await callServer("GET", `/api/sets/${encodeURIComponent(id)}/messages/between?${rangeQuery(range, local, { a, b })}`, undefined, signal)) as LatenciesAnswer;
