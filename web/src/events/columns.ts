// The columns of the table of events.

import type { Column } from "./table.js";

export const COLUMNS: readonly Column[] = [
  { name: "Time", width: "144px", long: "192px", title: "From the begin of the set, reference time; with raw time by the clock of each host, from where the first of them begins" },
  { name: "Since above", width: "148px", long: "192px", title: "From the row above to this one; of two hosts with the error of the one clock against the other" },
  { name: "Host's clock (UTC)", width: "152px", long: "232px" },
  { name: "Host", width: "96px", text: true, named: true },
  { name: "CPU", width: "56px" },
  { name: "Event", width: "232px", text: true },
  { name: "Fields", width: "minmax(180px, 1fr)", text: true },
];
