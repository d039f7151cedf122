// What colours, heights and arrows mean, as parts of the help that each have a heading.

import { LOOKS } from "../draw/palette.js";
import { h } from "./dom.js";

/** The headings and what stands below each. */
export function meanings(): HTMLElement[] {
  const swatch = (i: number) => {
    const el = h("i", { class: "swatch" });
    el.dataset.state = String(i);
    el.style.height = `${Math.round(LOOKS[i].height * 15)}px`;
    return el;
  };
  const states = h("ul", { class: "legend" }, ...LOOKS.map((look, i) => h("li", {}, h("span", { class: "slot" }, swatch(i)), look.words)));
  const all = [
    h("h2", {}, "States"), states,
    h("p", {}, "Where states change too fast for one pixel, it shows their mix: each state that runs is as high as its share of the pixel's time, around the middle of the row. The thin line behind is the state in which the thread rested longest. Nothing is left out: what ran only for a moment shows as a small mark, and what is too short even for that as a notch."),
    h("h2", {}, "Messages"),
    h("p", {}, "A thin arrow is one message, from sending to receiving. A broad arrow is a bundle of several: the more messages, the broader it is. The number on it is their count, its colour their mean latency; the head of Communication explains the colours. Where many hosts talk to many, the line of a host is thick from the first to the last message of each of its bundles."),
    h("p", {}, "A red, broken arrow was received before it was sent. A broken arrow in any other colour goes between hosts whose clocks are not related, so its latency is not known. Whiskers at the ends of an arrow show the error of the clocks, where that is wider than two pixels."),
    h("h2", {}, "Who woke whom"),
    h("p", {}, "Press U: an arrow leads from each thread that woke another to the one that slept. Arrows to and from the selected thread are thick and in the colour of what is selected; the others are thin and dark. A short arrow from above comes from a thread that is not listed."),
    h("h2", {}, "Resources"),
    h("p", {}, "A CPU has the colour of what runs on it. Thin grey is idle, magenta an interrupt, orange and half as high a soft interrupt. A host's row is as high as the share of its CPUs that are at work. A dark line below a CPU marks where it ran the selected thread."),
    h("h2", {}, "Overview"),
    h("p", {}, "Bars count events. Where the tracer lost events, a red cap stands above the bar, and from it hangs a hatched shade: half the height means that half of the events were lost. In the rows of hosts, hatched boxes show from when to when events were lost. The ribbon below is as thick as the error of the clocks and has the colour of that error. It is dotted grey where no bound is known."),
    h("h2", {}, "Error"),
    h("p", {}, "Every ± is a hard bound: a time is wrong by no more than that. It follows from causality: no message arrives before it is sent. Nothing is assumed of delays. Of clocks one thing is assumed: their rates drift no faster than a limit, which no message contradicts. The mouse on a host's row shows that limit."),
    h("ul", {}, ...[
      "In the row of a host stands its largest bound within the window, or its least and its largest.",
      "Beside a selected state stands the bound at the time named there.",
      "In the line at the bottom stands the bound at the pointer.",
      "Left of the strip on top stands the bound of the worst clock over the whole set.",
    ].map((words) => h("li", {}, words))),
    h("p", {}, "Bounds have the same colours everywhere: green is the best of the set, magenta the worst, blue in between. From one colour to the next the bound doubles. Synchronization shows the colours with their figures, and explains the words it uses."),
    h("p", {}, "The clock map turns the times of every host into those of the reference. It is made anew whenever more is known. Its number, at the bottom, counts how often."),
  ];
  const parts: HTMLElement[] = [];
  for (const el of all) {
    if (el.tagName === "H2") parts.push(h("section", {}, el));
    else parts[parts.length - 1].append(el);
  }
  return parts;
}
