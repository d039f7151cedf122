// The help: keys, and what colours, heights and arrows mean.

import { GROUPS, keyWords, TAB_WORDS, type Command, type CommandTable } from "../commands/table.js";
import { LOOKS } from "../draw/palette.js";
import { add, h } from "./dom.js";

export function help(commands: CommandTable): HTMLDialogElement {
  const swatch = (i: number) => {
    const el = h("i", { class: "swatch" });
    el.dataset.state = String(i);
    el.style.height = `${Math.round(LOOKS[i].height * 15)}px`;
    return el;
  };
  const states = h("ul", { class: "legend" }, ...LOOKS.map((look, i) => h("li", {}, h("span", { class: "slot" }, swatch(i)), look.words)));
  const keys = h("div", { class: "keylist" });
  const dialog = h("dialog", { class: "help", "aria-label": "Keys and legend" });
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => dialog.close() }, "×");
  const meaning = h("section", {},
    h("h2", {}, "States"), states,
    h("p", {}, "Where the state changes within a pixel, each state that runs takes of its height its share of that pixel's time, about the middle of the row; the thin line behind is the state the thread rested in longest. Nothing is sampled: what ran for a moment only shows as a small mark, what is too short even for that as a notch."),
    h("h2", {}, "Messages"),
    h("p", {}, "A thin arrow is one message, from sending to receiving. A broad one is a bundle: the broader the more messages, with their count, in the colour of their mean latency, which the head of Communication explains. A red, broken one was received before it was sent; broken in the colour of the others is one between hosts whose clocks are not related, of which no latency is known. Whiskers at the ends show the error of the clocks where it is wider than two pixels."),
    h("h2", {}, "Who woke whom"),
    h("p", {}, "With U an arrow leads from each thread that woke another to the one that slept. Those to and from the selected thread are thick and in the colour of what is selected, the others thin and dark; a short one from above comes from a thread that is not listed."),
    h("h2", {}, "Resources"),
    h("p", {}, "CPUs have the colours of what runs on them: thin grey is idle, magenta an interrupt, orange and half as high a soft interrupt. A host's row is as high as the share of its CPUs that are at work. A dark line below a CPU marks where it ran the selected thread."),
    h("h2", {}, "Overview"),
    h("p", {}, "Bars count events. Where the tracer lost some a red cap stands above, and red lines hang from it as far down as the share that was lost: over half the height for half of them. The ribbon is as thick as the error of the clocks, in the colour of its step; it is dotted grey where no bound is known."),
    h("h2", {}, "Error"),
    h("p", {}, "Every ± is a hard bound. It follows from causality: no message arrives before it is sent, and nothing is assumed of delays. Of clocks one thing is: that their rates drift no faster than a limit that the messages do not contradict. A host's row gives the largest bound within the window, or the least and the largest, and, when the mouse rests on it, that limit; the line at the bottom gives the bound where the pointer is, what is beside a selected state that at the time that stands there, and what is left of the strip on top that of the worst clock over the whole set. Its colour is one of steps that double from the set's best bound to its worst, green to blue to magenta, everywhere the same; Synchronization has them in figures, and explains its words."),
    h("p", {}, "The clock map is what turns the times of every host into those of the reference. It is made anew whenever more is known; its number, at the bottom, counts how often."));
  add(dialog, close, h("div", { class: "columns" }, h("section", {}, h("h2", {}, "Keys and mouse"), keys), meaning));
  dialog.addEventListener("click", (e) => {
    if (e.target === dialog) dialog.close();
  });
  // Commands may come until the help is first looked at.
  dialog.addEventListener("beforetoggle", () => keys.childElementCount > 0 || add(keys, ...keyTables(commands)));
  document.body.append(dialog);
  return dialog;
}

// A table of keys for each group that has any.
function keyTables(commands: CommandTable): HTMLElement[] {
  return GROUPS.flatMap((group) => {
    const listed = commands.all().filter((c) => c.group === group && keyWords(c) !== "");
    if (listed.length === 0) return [];
    const rows = listed.map((c) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, keyWords(c))), h("td", {}, h("span", { class: "words" }, c.words), where(c))));
    return [h("table", { class: "keys" }, h("caption", {}, group), h("tbody", {}, ...rows))];
  });
}

// The tab that a key is of, where it is not the first, and what has the focus then: others have the same key.
function where(c: Command): HTMLElement | null {
  const parts = [c.tab && c.tab !== "timeline" ? `tab ${TAB_WORDS[c.tab]}` : "", c.part ?? ""].filter(Boolean);
  return parts.length > 0 ? h("span", { class: "minor" }, ` (${parts.join(", ")})`) : null;
}
