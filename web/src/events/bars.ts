// What stands above the table of events: what they are filtered by, and where in the set one is.

import { h } from "../ui/dom.js";
import { FORM } from "./heads.js";

/** The form of the filters; those of the heads of the table belong to it. */
export function filterForm(where: HTMLElement, number: HTMLElement, on: { submit(e: Event): void; clear(): void; save(): void }): HTMLElement {
  return h("form", { id: FORM, "aria-label": "Which events", onsubmit: on.submit },
    h("label", { class: "where" }, "Where", where),
    h("button", { type: "submit" }, "Filter"),
    h("button", { type: "button", onclick: on.clear }, "All events"), number, h("span", { class: "space" }),
    h("button", { type: "button", title: "Saves all events of the set that fit the filters, with their times by both clocks", onclick: on.save }, "Save as CSV"));
}

/** The place, with ways to others; what is told of the search stands between. */
export function placeBar(reading: HTMLElement, told: HTMLElement, toWindow: () => void, ...others: HTMLElement[]): HTMLElement {
  return h("div", { class: "place" },
    h("span", { title: "When the event on top of the list was; the rail at its right shows how far that is into the whole set" }, "Listed from ", reading), told,
    h("button", { type: "button", title: "Goes to the first event in the timeline's window. What the list is limited to stands in the heads: in that of Time, a stretch", onclick: toWindow }, "Go to the timeline's window"), ...others);
}
