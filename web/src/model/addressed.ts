// How times, threads, stretches and messages stand in an address.

import { parseNs, type Ns } from "../time/time.js";
import type { Bounds } from "./set.js";
import type { Chosen, Thread } from "./chosen.js";

/** How far the height of the plot of a link can be stretched, either way. */
export const TALLEST = 1e5;

/** A time of 64 bits, as all are. */
export function ns64(s: string | undefined | null): Ns | null {
  const t = parseNs(s);
  return t === null || BigInt.asIntN(64, t) !== t ? null : t;
}

/** A message, or several, as they stand in an address; null for what is no such thing. */
export function parseChosen(s: string): Chosen | null {
  const m = /^(\d{1,5})~(-?\d{1,19})~(\d{1,5})~(-?\d{1,19})(?:~(-?\d{1,19})~(-?\d{1,19})~(-1|\d{1,10})~(-1|\d{1,10})~(\d{1,3})\.(\d{1,5})\.(\d{1,5})|~(sent|received))?$/.exec(s);
  if (!m) return null;
  const one = { from: Number(m[1]), sent: BigInt(m[2]), to: Number(m[3]), received: BigInt(m[4]) };
  if (m[12] !== undefined) return { ...one, at: m[12] === "sent" ? "from" : "to" };
  if (m[5] === undefined) return one;
  const [fromTid, toTid, protocol, fromPort, toPort] = m.slice(7, 12).map(Number);
  return { ...one, many: { sentLast: BigInt(m[5]), receivedLast: BigInt(m[6]), fromTid, toTid, protocol, fromPort, toPort } };
}

export function chosenText({ from, sent, to, received, many, at }: Chosen): string {
  const one = `${from}~${sent}~${to}~${received}${at ? (at === "from" ? "~sent" : "~received") : ""}`;
  return many ? `${one}~${many.sentLast}~${many.receivedLast}~${many.fromTid}~${many.toTid}~${many.protocol}.${many.fromPort}.${many.toPort}` : one;
}

/** The bundle that a message was chosen out of, as it stands in an address beside that, which says at which end one is; null for none. */
export function amongText({ among, at, ...message }: Chosen): string | null {
  return among ? chosenText({ ...message, ...among }) : null;
}

/** A message with the bundle that it was chosen out of, where that stands in the address and went the same way. */
export function withAmong(message: Chosen | null, bundle: string | null): Chosen | null {
  const b = message && !message.many && bundle ? parseChosen(bundle) : null;
  if (!message || !b?.many || b.from !== message.from || b.to !== message.to) return message;
  return { ...message, among: { sent: b.sent, received: b.received, many: b.many } };
}

/** How much taller something is drawn; 1 for what is no such number. */
export function parseTall(s: string | null): number {
  const n = /^\d{1,6}(\.\d{1,10})?$/.test(s ?? "") ? Number(s) : 1;
  return n >= 1 / TALLEST && n <= TALLEST ? n : 1;
}

/** Threads by host and thread id, no more than most. */
export function threads(s: string | null, most: number): Thread[] {
  const found = (s ?? "").split(",").slice(0, most).map((t) => /^(\d{1,5})\.(\d{1,10})$/.exec(t));
  return found.flatMap((m) => (m ? [{ host: Number(m[1]), tid: Number(m[2]) }] : []));
}

export function range(s: string | null): Bounds | null {
  const [a, b] = (s ?? "").split("~");
  const [begin, end] = [ns64(a), ns64(b)];
  return begin !== null && end !== null && end > begin ? { begin, end } : null;
}
