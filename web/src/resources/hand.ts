// What the hand does in Resources: it points at rows, and picks threads and stretches.

import { HOST } from "../model/rows.js";
import { UNREAD } from "../model/known.js";
import type { At } from "../net/json.js";
import { VIEWS } from "../net/views.js";
import { askAt } from "../timeline/askat.js";
import type { Context } from "../timeline/controlflow.js";
import { shareOf, timeAt } from "../time/window.js";
import { gestures } from "../timeline/gestures.js";
import { LASTS } from "../timeline/patience.js";
import { Steps } from "../timeline/steps.js";
import type { Pointer } from "../timeline/pointer.js";
import { hostOfGroup } from "./tree.js";
import type { Resources } from "./resources.js";
import { doesWords, kindWord, laneAwaited, laneBlock, laneChip, laneSaid, laneTerms, lackOfCPUs, lackWords, ranWords } from "./words.js";

/** What the rest of the timeline does when something is picked here. */
export interface Others {
  /** Selects a thread at a time. */
  thread(host: number, tid: number, at: bigint): void;
  /** Shows a section in the inspector, and says it in words to those who hear it; null for none. */
  show(block: HTMLElement | null, words?: string): void;
}

/** Lets the hand and the keys work in a pane of resources; returns what gestures returns. */
export function resourceHand(c: Context, resources: Resources, pointer: Pointer, others: Others): () => void {
  const { pane } = resources;
  let under: number | null = null;

  const leave = () => {
    under = null;
    pointer.leave();
  };
  const hover = (x: number, y: number) => {
    const id = pane.rowAt(y)?.id;
    const row = id === undefined ? undefined : c.rows.get(id);
    const box = pane.stick.getBoundingClientRect();
    const [px, py] = [box.left + x, box.top + y];
    if (!row || id === undefined || hostOfGroup(id) !== null) {
      leave();
      return pointer.on(id ?? null, px, py);
    }
    under = id;
    const where = c.set.host(row.host)?.name ?? "";
    const drawn = resources.at(id, x);
    const nothing = resources.unread(row.host, x) ? UNREAD : "nothing known";
    if (row.kind === HOST) {
      const lack = lackOfCPUs(c.set, c.rows, row.host);
      const note = lack ? lackWords(lack) : drawn || nothing;
      pointer.tell(row.host, `CPUs of ${where}: ${note}`, px, py, { title: "Use of CPUs", where, note });
      return;
    }
    pointer.tell(row.host, `${where} ${row.name}: ${drawn || nothing}`, px, py, { title: row.name, where, note: drawn || (nothing === UNREAD ? UNREAD : "") });
    if (!drawn && nothing === UNREAD) return c.live.drop(VIEWS.lanePointed);
    askAt(c, VIEWS.lanePointed, id, resources.timeAtX(x), (m) => {
      if (m.kind !== "at" || !m.body || under !== id) return;
      const thread = m.body.thread ? `, ${ranWords(m.body.thread, row, c.rows)}` : "";
      pointer.tell(row.host, `${where} ${row.name}: ${doesWords(m.body)}${thread}`, px, py, {
        title: row.name, where, chip: laneChip(m.body, row), pairs: laneTerms(m.body, row, c.rows, c.view), note: drawn.includes("%") ? `this pixel: ${drawn}` : "",
      });
    });
  };

  const steps = new Steps(c, pointer, {
    view: VIEWS.lanePicked,
    chosen: () => resources.chosen,
    whose: (id) => kindWord(c.rows.get(id)?.kind),
    leave: () => {},
    take: (id, at, asked) => take(id, at, asked, false),
    first: () => pick(resources.selected!, here(), false),
  });
  resources.onStep = (forward) => steps.step(forward);

  let late = 0; // until the server has answered, or it is said that it has not
  const pick = (id: number, at: bigint, follow: boolean) => {
    clearTimeout(late);
    steps.stop();
    pane.selected = id;
    pane.layout();
    const row = c.rows.get(id);
    if (!row || row.kind === HOST || hostOfGroup(id) !== null) {
      resources.choose(id, null);
      others.show(null);
      return;
    }
    steps.wait();
    late = setTimeout(() => {
      const share = shareOf(c.view.window, at);
      others.show(laneAwaited(row, c.set.host(row.host)?.name ?? "", share >= 0 && share < 1 ? resources.at(id, share * pane.surface.width) : ""));
    }, LASTS);
    askAt(c, VIEWS.lanePicked, id, at, (m) => {
      clearTimeout(late);
      if (m.kind !== "at") return steps.stop();
      take(id, m.body, at, follow);
      steps.goOn();
    });
  };
  const take = (id: number, body: At | null, at: bigint, follow: boolean) => {
    const row = c.rows.get(id);
    if (!row) return;
    const tid = body?.thread?.tid ?? 0;
    const known = tid > 0 && c.rows.find(row.host, tid) !== undefined;
    if (known && follow) others.thread(row.host, tid, at);
    others.show(body ? laneBlock(body, row, c.rows, c.view, known ? () => others.thread(row.host, tid, at) : null) : null, body ? laneSaid(body, row, c.rows) : "");
    resources.choose(id, body);
  };

  const here = () => c.view.cursor ?? timeAt(c.view.window, 0.5);
  pane.onSelect = (id) => {
    pane.scrollTo(id);
    pick(id, here(), false);
  };
  resources.onRestore = (id, at) => pick(id, at ?? here(), false);
  return gestures(pane.stick, c.view, {
    scroller: pane.scroller,
    hover,
    leave,
    click: (x, y) => {
      const id = pane.rowAt(y)?.id;
      if (id !== undefined) pick(id, resources.timeAtX(x), true);
    },
    under: (x, y) => {
      const id = pane.rowAt(y)?.id;
      return id === undefined ? "" : `${id} ${pointer.moment()} ${resources.at(id, x)}`;
    },
  });
}
