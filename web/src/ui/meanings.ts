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
    h("p", {}, "Where the state changes within a pixel, each state that runs takes of its height its share of that pixel's time, about the middle of the row; the thin line behind is the state the thread rested in longest. Nothing is sampled: what ran for a moment only shows as a small mark, what is too short even for that as a notch."),
    h("h2", {}, "Messages"),
    h("p", {}, "A thin arrow is one message, from sending to receiving. A broad one is a bundle: the broader the more messages, with their count, in the colour of their mean latency, which the head of Communication explains. A red, broken one was received before it was sent; broken in the colour of the others is one between hosts whose clocks are not related, of which no latency is known. Whiskers at the ends show the error of the clocks where it is wider than two pixels."),
    h("h2", {}, "Who woke whom"),
    h("p", {}, "With U an arrow leads from each thread that woke another to the one that slept. Those to and from the selected thread are thick and in the colour of what is selected, the others thin and dark; a short one from above comes from a thread that is not listed."),
    h("h2", {}, "Resources"),
    h("p", {}, "CPUs have the colours of what runs on them: thin grey is idle, magenta an interrupt, orange and half as high a soft interrupt. A host's row is as high as the share of its CPUs that are at work. A dark line below a CPU marks where it ran the selected thread."),
    h("h2", {}, "Overview"),
    h("p", {}, "Bars count events. Where the tracer lost some a red cap stands above, and red lines hang from it as far down as the share that was lost: over half the height for half of them; in the rows of hosts hatched boxes show from when to when. The ribbon is as thick as the error of the clocks, in the colour of its step; it is dotted grey where no bound is known."),
    h("h2", {}, "Error"),
    h("p", {}, "Every ± is a hard bound. It follows from causality: no message arrives before it is sent, and nothing is assumed of delays. Of clocks one thing is: that their rates drift no faster than a limit that the messages do not contradict. A host's row gives the largest bound within the window, or the least and the largest, and, when the mouse rests on it, that limit; the line at the bottom gives the bound where the pointer is, what is beside a selected state that at the time that stands there, and what is left of the strip on top that of the worst clock over the whole set. Its colour is one of steps that double from the set's best bound to its worst, green to blue to magenta, everywhere the same; Synchronization has them in figures, and explains its words."),
    h("p", {}, "The clock map is what turns the times of every host into those of the reference. It is made anew whenever more is known; its number, at the bottom, counts how often.")
  ];
  const parts: HTMLElement[] = [];
  for (const el of all) {
    if (el.tagName === "H2") parts.push(h("section", {}, el));
    else parts[parts.length - 1].append(el);
  }
  return parts;
}
