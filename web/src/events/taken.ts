// The events that the filters let through, as a file that the server gives away.

import { eventsTable, readSet, type EventsQuery } from "../home/api.js";
import { follow } from "../ui/file.js";

/** Gives the events away that a question wants, and tells what came of it; where the server is away, that is said instead of a promise. */
export async function takeAway(id: string, wanted: () => EventsQuery, filtered: boolean): Promise<string> {
  try {
    const file = eventsTable(id, wanted());
    await readSet(id);
    follow(file, "");
    return `The events ${filtered ? "that fit the filters " : ""}are on their way.`;
  } catch (e) {
    return e instanceof Error ? e.message : String(e);
  }
}
