// The binary messages of docs/format/wire.md, decoded. Columns stay views into the
// message, so a message must be kept as long as any of its columns.

import type { At, Clocks, FlowList, Points, Report, SetInfo } from "./json.js";
import { Reader, WireError } from "./reader.js";

export const VERSION = 8;

/** A run whose state is MIXED takes the next mix of its row; one of NOTHING is empty. */
export const MIXED = 254;
export const NOTHING = 255;
export const STATES = 9;
export const NO_ROW = 0xffffffff;

export interface Head {
  readonly view: number;
  readonly gen: number;
}

/** The clock maps an answer was drawn by. */
export interface AnswerClocks {
  readonly version: number; // 0 in raw time and while there are none
  readonly spans: BigInt64Array; // of each host its local time at begin and end of the range
}

export interface StatesAnswer extends Head {
  readonly kind: "states";
  readonly seq: number;
  begin: bigint; // begin and end move with the reference host
  end: bigint;
  readonly columns: number;
  readonly complete: boolean;
  readonly rows: Uint32Array;
  readonly rowRuns: Uint32Array;
  readonly rowMixes: Uint32Array; // the first mix of each row
  readonly runEnd: Uint16Array;
  readonly runLabel: Uint16Array; // of a mixed column of a thread the state in which it ran too shortly for any share, 0 for none
  readonly runState: Uint8Array;
  readonly mixes: Uint8Array;
  readonly labels: string[];
  readonly clocks: AnswerClocks;
}

/** Rows that a filter wants, or that were busy, and how much. */
export interface ListingAnswer extends Head {
  readonly kind: "listing";
  readonly seq: number;
  readonly unsure: number; // of a filter, rows that could not be decided; of a measure, rows at the end of which nothing is known yet
  readonly map: number; // version of the clock maps; 0 in raw time and while there are none
  readonly rows: Uint32Array;
  readonly values: Float64Array; // one for each row, or none
}

export interface MessagesAnswer extends Head {
  readonly kind: "messages";
  readonly seq: number;
  base: bigint; // moves with the reference host
  readonly count: number;
  readonly total: number;
  readonly violations: number;
  /** Nothing in its range can still change. */
  readonly complete: boolean;
  readonly sent: Float64Array;
  readonly received: Float64Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly counts: Uint32Array;
  readonly bytes: Float32Array;
  readonly errorFrom: Float32Array;
  readonly errorTo: Float32Array;
  readonly backward: Uint32Array; // of the messages, those received before sent
  readonly fromPort: Uint16Array; // of TCP; 0 unknown, or not one of all
  readonly toPort: Uint16Array;
  readonly protocol: Uint8Array; // of IP; 0 unknown, or not one of all
  readonly flags: Uint8Array;
  readonly ends: ReadonlyMap<number, Ends>; // of bundles, by their places
  readonly clocks: AnswerClocks;
}

/** When the first and the last of several messages were sent and received, ns from the base of the answer. */
export interface Ends {
  readonly sentFirst: number;
  readonly sentLast: number;
  readonly receivedFirst: number;
  readonly receivedLast: number;
}

export const VIOLATION = 1;
export const BUNDLE = 2;

export interface DensityAnswer extends Head {
  readonly kind: "density";
  readonly seq: number;
  readonly begin: bigint;
  readonly end: bigint;
  readonly columns: number;
  readonly events: Uint32Array;
  /** Events and whole packets of the losses that touch a column, how many of these reach out of it, and the share of its events that is lost. */
  readonly lost: Uint32Array;
  readonly packets: Uint32Array;
  readonly reaching: Uint32Array;
  readonly share: Float32Array;
  readonly error: Float32Array;
}

export interface RowsMessage extends Head {
  readonly kind: "rows";
  readonly id: Uint32Array;
  readonly parent: Uint32Array;
  readonly host: Uint16Array;
  readonly rowKind: Uint8Array;
  readonly tid: Int32Array;
  readonly first: Float64Array;
  readonly last: Float64Array;
  readonly names: string[];
}

/** Threads that others woke. */
export interface WakeupsAnswer extends Head {
  readonly kind: "wakeups";
  readonly seq: number;
  readonly count: number;
  base: bigint; // moves with the reference host
  readonly leftOut: number; // rows that change too often here
  readonly at: Float64Array; // ns from base
  readonly waker: Uint32Array; // rows
  readonly woken: Uint32Array;
}

export type Message =
  | StatesAnswer
  | MessagesAnswer
  | DensityAnswer
  | RowsMessage
  | ListingAnswer
  | WakeupsAnswer
  | (Head & { readonly kind: "set"; readonly body: SetInfo })
  | (Head & { readonly kind: "report"; readonly body: Report })
  | (Head & { readonly kind: "clocks"; readonly body: Clocks })
  | (Head & { readonly kind: "at"; readonly body: At | null })
  | (Head & { readonly kind: "points"; readonly body: Points })
  | (Head & { readonly kind: "connections"; readonly body: FlowList })
  | (Head & { readonly kind: "alive" })
  | (Head & { readonly kind: "error"; readonly body: { message: string } });

type Decoder = (r: Reader, head: Head) => Message;

const json =
  (kind: "set" | "report" | "clocks" | "at" | "points" | "error" | "connections"): Decoder =>
  (r, head) => ({ ...head, kind, body: JSON.parse(r.rest()) }) as Message;

const decoders: Record<number, Decoder> = {
  1: json("set"),
  2: json("report"),
  3: json("clocks"),
  4: states,
  5: messages,
  6: density,
  7: json("at"),
  8: json("points"),
  9: json("error"),
  10: rows,
  11: listing,
  12: wakeups,
  13: json("connections"),
  14: (_, head) => ({ ...head, kind: "alive" }),
};

/** Decodes one frame; throws WireError where it is not what the page says. */
export function decode(frame: ArrayBuffer): Message {
  const r = new Reader(frame);
  const kind = r.u8();
  const version = r.u8();
  if (version !== VERSION) throw new WireError(`the server speaks version ${version}, this page ${VERSION}: reload it`);
  const head = { view: r.u16(), gen: r.u32() };
  const decoder = decoders[kind];
  if (!decoder) throw new WireError(`a message of the unknown kind ${kind}`);
  return decoder(r, head);
}

function states(r: Reader, head: Head): StatesAnswer {
  const seq = r.u32();
  const rowCount = r.u32();
  const begin = r.i64();
  const end = r.i64();
  const columns = r.u32();
  const complete = r.u32() === 1;
  const [runs, mixCount, labelBytes, labelCount] = [r.u32(), r.u32(), r.u32(), r.u32()];
  const rowIds = r.column(Uint32Array, rowCount);
  const rowRuns = r.column(Uint32Array, rowCount + 1);
  const runEnd = r.column(Uint16Array, runs);
  r.align(4);
  const runLabel = r.column(Uint16Array, runs);
  r.align(4);
  const runState = r.column(Uint8Array, runs);
  r.align(4);
  const mixes = r.column(Uint8Array, mixCount * STATES);
  const labelEnds = r.column(Uint32Array, labelCount);
  const labels = r.texts(labelEnds, labelBytes);
  const clocks = clocksOf(r);
  if (end <= begin || columns === 0) throw new WireError("states of an empty range");
  const rowMixes = checkRuns({ rowRuns, runEnd, runLabel, runState, columns, mixCount, labelCount });
  return { ...head, kind: "states", seq, begin, end, columns, complete, rows: rowIds, rowRuns, rowMixes, runEnd, runLabel, runState, mixes, labels, clocks };
}

function clocksOf(r: Reader): AnswerClocks {
  r.align(8);
  const version = r.u32();
  const spans = r.column(BigInt64Array, 2 * r.u32());
  return { version, spans };
}

interface Runs {
  rowRuns: Uint32Array;
  runEnd: Uint16Array;
  runLabel: Uint16Array;
  runState: Uint8Array;
  columns: number;
  mixCount: number;
  labelCount: number;
}

// Checks once what drawing relies on, and finds the first mix of each row.
function checkRuns(c: Runs): Uint32Array {
  const rowCount = c.rowRuns.length - 1;
  const first = new Uint32Array(rowCount);
  let mix = 0;
  if (c.rowRuns[0] !== 0 || c.rowRuns[rowCount] !== c.runEnd.length) throw new WireError("runs without a row");
  for (let row = 0; row < rowCount; row++) {
    first[row] = mix;
    if (c.rowRuns[row + 1] < c.rowRuns[row]) throw new WireError("the runs of a row end before they begin");
    let column = 0;
    for (let k = c.rowRuns[row]; k < c.rowRuns[row + 1]; k++) {
      if (c.runEnd[k] < column || c.runEnd[k] > c.columns) throw new WireError("a run outside of its row");
      column = c.runEnd[k];
      if (c.runLabel[k] > (c.runState[k] === MIXED ? STATES - 1 : c.labelCount)) throw new WireError("a label that was not sent");
      if (c.runState[k] === MIXED) mix++;
      else if (c.runState[k] >= STATES && c.runState[k] !== NOTHING) throw new WireError(`the unknown state ${c.runState[k]}`);
    }
  }
  if (mix !== c.mixCount) throw new WireError(`${mix} mixed columns and ${c.mixCount} mixes`);
  return first;
}

function messages(r: Reader, head: Head): MessagesAnswer {
  const seq = r.u32();
  const count = r.u32();
  const base = r.i64();
  const total = r.u32();
  const violations = r.u32();
  const complete = r.u32() === 1;
  r.u32();
  const columns = {
    sent: r.column(Float64Array, count),
    received: r.column(Float64Array, count),
    from: r.column(Uint32Array, count),
    to: r.column(Uint32Array, count),
    counts: r.column(Uint32Array, count),
    bytes: r.column(Float32Array, count),
    errorFrom: r.column(Float32Array, count),
    errorTo: r.column(Float32Array, count),
    backward: r.column(Uint32Array, count),
    fromPort: r.column(Uint16Array, count),
    toPort: r.column(Uint16Array, count),
    protocol: r.column(Uint8Array, count),
    flags: r.column(Uint8Array, count),
  };
  return { ...head, kind: "messages", seq, count, base, total, violations, complete, ...columns, ends: endsOf(r, columns.flags), clocks: clocksOf(r) };
}

// Bundles alone have ends, in their order.
function endsOf(r: Reader, flags: Uint8Array): Map<number, Ends> {
  const bundles = [...flags.keys()].filter((i) => flags[i] & BUNDLE);
  const [sentFirst, sentLast, receivedFirst, receivedLast] = [0, 0, 0, 0].map(() => r.column(Float64Array, bundles.length));
  return new Map(bundles.map((i, k) => [i, { sentFirst: sentFirst[k], sentLast: sentLast[k], receivedFirst: receivedFirst[k], receivedLast: receivedLast[k] }]));
}

function wakeups(r: Reader, head: Head): WakeupsAnswer {
  const seq = r.u32();
  const count = r.u32();
  const base = r.i64();
  const leftOut = r.u32();
  r.u32();
  return { ...head, kind: "wakeups", seq, count, base, leftOut, at: r.column(Float64Array, count), waker: r.column(Uint32Array, count), woken: r.column(Uint32Array, count) };
}

function density(r: Reader, head: Head): DensityAnswer {
  const seq = r.u32();
  const columns = r.u32();
  const begin = r.i64();
  const end = r.i64();
  return {
    ...head, kind: "density", seq, columns, begin, end,
    events: r.column(Uint32Array, columns),
    lost: r.column(Uint32Array, columns),
    packets: r.column(Uint32Array, columns),
    reaching: r.column(Uint32Array, columns),
    share: r.column(Float32Array, columns),
    error: r.column(Float32Array, columns),
  };
}

function listing(r: Reader, head: Head): ListingAnswer {
  const seq = r.u32();
  const [count, values, unsure, map] = [r.u32(), r.u32(), r.u32(), r.u32()];
  if ((values !== 0 && values !== count) || unsure > count) throw new WireError(`${values} values of ${count} rows, ${unsure} of them not sure`);
  return { ...head, kind: "listing", seq, unsure, map, rows: r.column(Uint32Array, count), values: r.column(Float64Array, values) };
}

function rows(r: Reader, head: Head): RowsMessage {
  const count = r.u32();
  const nameBytes = r.u32();
  const id = r.column(Uint32Array, count);
  const parent = r.column(Uint32Array, count);
  const host = r.column(Uint16Array, count);
  r.align(4);
  const rowKind = r.column(Uint8Array, count);
  r.align(4);
  const tid = r.column(Int32Array, count);
  const first = r.column(Float64Array, count);
  const last = r.column(Float64Array, count);
  const ends = r.column(Uint32Array, count);
  return { ...head, kind: "rows", id, parent, host, rowKind, tid, first, last, names: r.texts(ends, nameBytes) };
}
