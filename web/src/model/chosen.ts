// What is chosen: rows, messages and events, by hosts and the times of their own clocks, which no clock map changes.

import type { Ns } from "../time/time.js";

/** A thread of a host, or with the id -1 the host itself. */
export interface Thread {
  readonly host: number;
  readonly tid: number;
}

/** A message: the numbers of the hosts that sent and received it, and when, each by its own clock; or several, with the first such times. */
export interface Chosen {
  readonly from: number;
  readonly to: number;
  readonly sent: Ns;
  readonly received: Ns;
  /** The end where one stands, if that is not the one that the selected row is of. */
  readonly at?: "from" | "to";
  readonly many?: Many;
  /** The bundle that it was chosen out of, which goes from message to message. */
  readonly among?: Bundle;
}

/** Several messages of two hosts: the first times, by the clocks of these, and what all have in common. */
export interface Bundle {
  readonly sent: Ns;
  readonly received: Ns;
  readonly many: Many;
}

/** What several messages have in common: the last times by the same clocks, the threads, -1 for all of the host, and the connection, 0 for any. */
export interface Many {
  readonly sentLast: Ns;
  readonly receivedLast: Ns;
  readonly fromTid: number;
  readonly toTid: number;
  readonly protocol: number;
  readonly fromPort: number;
  readonly toPort: number;
}

/** An event: its host by number, when it was by the clock of that, and the CPU, -1 for none. */
export interface ChosenEvent {
  readonly host: number;
  readonly local: Ns;
  readonly cpu: number;
}
