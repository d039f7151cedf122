// What a section of the timeline is told of its rows.

export interface PaneRow {
  readonly id: number;
  readonly level: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
  /** Drawn faintly: a filter does not want it. */
  readonly dimmed?: boolean;
}

/** How a row reads in the tree. */
export interface RowWords {
  readonly name: string;
  readonly note: string; // right of the name: thread id, error of the clock
  /** What stands there where that has no room. */
  readonly brief?: string | undefined;
  readonly tone: "host" | "thread";
  readonly noteTone: "plain" | "good" | "warn";
  /** What the note means, for those who hear it: the shorter one where there is one. */
  readonly also?: string | undefined;
  /** The colour of a mark before the note, in a style sheet's words. */
  readonly mark?: string | undefined;
  readonly title: string;
}
