// Lets the hand work in all panes of the timeline, and along its axis.

import { resourceHand } from "../resources/hand.js";
import type { Resources } from "../resources/resources.js";
import type { Axis } from "./axis.js";
import type { Communication } from "./communication.js";
import type { Context, ControlFlow } from "./controlflow.js";
import { gestures } from "./gestures.js";
import type { Pane } from "./pane.js";
import type { Pointer } from "./pointer.js";

/** What is under the hand. */
export interface Panes {
  readonly flow: ControlFlow;
  readonly talk: Communication;
  readonly resources: Resources;
  readonly axis: Axis;
  readonly pointer: Pointer;
}

/** What is done where something is clicked, at a place of a pane. */
export interface Clicks {
  flow(pane: Pane, x: number, y: number): void;
  talk(x: number, y: number): void;
  /** A thread is selected at a time. */
  thread(host: number, tid: number, at: bigint): void;
  /** A CPU or an interrupt was chosen: a section for the inspector, and that in words; null for none. */
  lane(block: HTMLElement | null, words?: string): void;
}

/** Returns what gestures returns, for each. */
export function paneHands(c: Context, { flow, talk, resources, axis, pointer }: Panes, clicks: Clicks): (() => void)[] {
  const leave = () => pointer.leave();
  return [
    ...[flow.top, flow.pane].map((pane) =>
      gestures(pane.stick, c.view, {
        scroller: pane.scroller,
        hover: (x, y) => pointer.flow(pane, x, y),
        leave,
        click: (x, y) => clicks.flow(pane, x, y),
        under: (x, y) => pointer.underFlow(pane, x, y),
      })),
    gestures(talk.pane.stick, c.view, {
      scroller: talk.pane.scroller,
      hover: (x, y) => pointer.talk(x, y),
      leave,
      click: (x, y) => clicks.talk(x, y),
      under: (x, y) => pointer.underTalk(x, y),
    }),
    resourceHand(c, resources, pointer, { thread: clicks.thread, show: clicks.lane }),
    gestures(axis.el, c.view, { scroller: null, hover: leave, leave, click: () => {}, under: () => pointer.moment() }),
  ];
}
