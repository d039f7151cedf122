// What can be taken away from the page: a link to the view, the picture of the timeline, tables of the window.

import { anyLost } from "../model/losses.js";
import type { Context } from "../timeline/controlflow.js";
import type { Timeline } from "../timeline/timeline.js";
import { about, seconds } from "../time/time.js";
import { endOf } from "../time/window.js";
import { h } from "../ui/dom.js";
import { fileName, give, save } from "../ui/file.js";
import { THREADS, THREADS_AND_LOSSES } from "./legend.js";
import { png, svg, type Scene } from "./picture.js";

/** Adds the commands that take something away; say tells what came of it. */
export function shareCommands(c: Context, id: string, timeline: Timeline, say: (sentence: string) => void): void {
  const { view, set } = c;
  const name = () => set.info?.name ?? "set";

  const scene = (): Scene => {
    const clock = view.raw ? "every host by its own clock" : `by the clock of ${set.clocks?.reference ?? "the reference host"}`;
    const when = `from ${seconds(view.window.begin - view.origin())}, ${about(view.window.span, 5)}, ${clock}`;
    return { name: name(), when, palette: c.palette, legend: [set.hosts.some(anyLost) ? THREADS_AND_LOSSES : THREADS, ...timeline.resources.legend()], plot: timeline.plot, surfaces: timeline.surfaces, draw: () => timeline.draw() };
  };
  const attempt = (what: () => Promise<string>) => () =>
    void what().then(say, (e: unknown) => say(e instanceof Error ? e.message : String(e)));

  const copyLink = async () => {
    const link = location.origin + location.pathname + view.query();
    await copy(link);
    return "The link to this view is copied.";
  };
  const picture = async (kind: "png" | "svg") => {
    const file = `${fileName(name())}-timeline-${view.window.begin}-${endOf(view.window)}.${kind}`;
    save(kind === "png" ? await png(scene()) : svg(scene()), file);
    if (kind === "svg") c.schedule();
    return `${file} is saved.`;
  };
  const given = (path: string) => give(id, `/api/sets/${encodeURIComponent(id)}/${path}`);
  const table = async (what: "states" | "messages") => {
    const q = new URLSearchParams({ begin: String(view.window.begin), end: String(endOf(view.window)), local: view.raw ? "1" : "0" });
    await given(`${what}.csv?${q}`);
    return `The ${what} of the window are on their way.`;
  };

  const whole = async () => {
    await given("export");
    return "The whole set is on its way, as one archive.";
  };

  const group = "Keep and share";
  const known = () => !view.empty;
  c.commands.add(
    { group, words: "Copy a link to this view", also: "share url address", keys: ["y"], run: attempt(copyLink) },
    { group, words: "Save the timeline as a picture (PNG)", also: "export download image screenshot", tab: "timeline", possible: known, run: attempt(() => picture("png")) },
    { group, words: "Save the timeline as a drawing (SVG)", also: "export download image vector", tab: "timeline", possible: known, run: attempt(() => picture("svg")) },
    { group, words: "Save what every thread did in the window (CSV)", also: "export download states", possible: known, run: attempt(() => table("states")) },
    { group, words: "Save the messages of the window (CSV)", also: "export download", possible: known, run: attempt(() => table("messages")) },
    { group, words: "Save the whole set as one archive", also: "export download share backup", possible: () => set.info?.state === "ready", run: attempt(whole) },
  );
}

async function copy(words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    // Not over HTTPS, or not allowed: the old way.
    const field = h("textarea", { "aria-hidden": true });
    field.value = words;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("The browser does not let this page copy; the address above is the link.");
  }
}
