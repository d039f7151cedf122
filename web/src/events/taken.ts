// The events that the filters let through, as a file that the server gives away.

import { eventsTable, type EventsQuery } from "../home/api.js";
import { give } from "../ui/file.js";

/** Gives the events away that a question wants, and tells what came of it. */
export async function takeAway(id: string, wanted: () => EventsQuery, filtered: boolean): Promise<string> {
  try {
    const file = eventsTable(id, wanted());
    await give(id, file);
    return `The events ${filtered ? "that fit the filters " : ""}are on their way.`;
  } catch (e) {
    return e instanceof Error ? e.message : String(e);
  }
}
