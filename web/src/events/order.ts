// How two events lie to each other, in words: apart by so much, and whether the clocks
// are known well enough to say which came first.

import { RATES } from "../model/direct.js";
import { UNREAD } from "../model/known.js";
import { isolated } from "../model/names.js";
import type { SetModel } from "../model/set.js";
import type { View } from "../model/view.js";
import { about, exact, measured, type Ns } from "../time/time.js";

/** A moment on a host, by its own clock. */
export interface Moment {
  readonly host: string;
  readonly local: bigint;
}

/** What can be said of the time from one event, or any moment, to another: a sentence, and whether that leaves open which came first. */
export interface Order {
  readonly words: string;
  readonly open: boolean;
}

/** raw is whether all else on screen is in raw time, where what is seen of two hosts says nothing of their order; ask, whether somebody compares the two, so that
 * the server is asked for a message between them where the clocks do not tell. */
export function orderOf(set: SetModel, from: Moment, to: Moment, raw = false, ask = true): Order {
  if (from.host === to.host) {
    const d = Number(to.local - from.local);
    const apart = `${exact(Math.abs(d))} ${d > 0 ? "later" : "earlier"}`;
    const [silent] = beyond(set, from, to);
    const where = d !== 0 && !silent ? mixedAt(set, from, to) : "";
    if (where) return { words: `${apart} by ${isolated(to.host)}'s clock, whose times run backwards ${where}, so either may have come first.`, open: true };
    if (d === 0 && set.passedTwice(to.host, to.local)) return { words: `At the same time by ${isolated(to.host)}'s clock, whose times run backwards here, so either may have come first.`, open: true };
    return { words: d === 0 ? "At the same time by the clock of their host." : silent ? `${apart} by ${isolated(to.host)}'s clock${silent.unread ? `; ${why([silent])}` : ", which recorded nothing there"}.` : `${apart}, certain: both were timed by ${isolated(to.host)}'s clock.`, open: false };
  }
  const [a, b] = [place(set, from), place(set, to)];
  if (!a || !b || a.component !== b.component) return { words: "Which came first is not known: nothing relates the clocks of these hosts.", open: true };
  const d = Number(b.time - a.time);
  const way = (d >= 0 ? "later" : "earlier") + (raw ? " in synchronized time" : "");
  // The reference has an error, of 0, also where it recorded nothing.
  const silent = beyond(set, from, to);
  const error = silent.length > 0 ? null : set.errorBetween(a.index, from.local, b.index, to.local);
  const back = [from, to].filter((m) => set.passedTwice(m.host, m.local)).map((m) => m.host);
  if (back.length > 0) {
    const told = `${about(Math.abs(d))} ${way} as far as is known`;
    const reason = `the times of ${back.join(" and ")} run backwards here`;
    return always(set, from, to, d >= 0) ? { words: `${told}, and ${d >= 0 ? "later" : "earlier"} for certain; ${reason}.`, open: false } : { words: `${told}; ${reason}, so either may have come first.`, open: true };
  }
  if (error === null) return { words: `${about(Math.abs(d))} ${way} as far as is known; ${why(silent)}.`, open: true };
  const apart = `${measured(Math.abs(d), error)} ${way}${across(set, a, b)}`;
  if (Math.abs(d) > error) return { words: `${apart}, certain.`, open: false };
  const reason = passed(set, ...(d >= 0 ? [from, to] as const : [to, from] as const), ask ? Math.abs(d) + error : null);
  if (reason) return { words: `${apart}, certain: ${reason}; how much ${d >= 0 ? "later" : "earlier"} is within the error.`, open: false };
  return { words: `${apart}: within the error, so either may have come first.`, open: true };
}

const SAME = "the sending came first, as it is the same message";

// Why the one came before the other although the clocks leave that open, ns being how far they may be apart, null where nobody is to be asked; "" where no message tells.
function passed(set: SetModel, from: Moment, to: Moment, ns: number | null): string {
  if (set.info?.state !== "ready") return "";
  const ends = [from.host, from.local, to.host, to.local] as const;
  const passage = (ns === null ? set.passages?.known(...ends) : set.passages?.of(...ends, ns * (1 + RATES))) ?? null;
  return passage === "ends" ? SAME : passage === "through" ? `a message went from ${isolated(from.host)} to ${isolated(to.host)} in between` : "";
}

// A host that recorded nothing at a moment of its own, or that is not read so far yet.
interface Silent {
  readonly host: string;
  readonly unread: boolean;
}

// The silent hosts: a moment of theirs lies before or after all of them that is known.
function beyond(set: SetModel, ...moments: Moment[]): Silent[] {
  return moments.flatMap(({ host, local }) => {
    const index = set.hosts.find((h) => h.name === host)?.index;
    const silence = index === undefined ? "" : set.silence(index, local);
    return silence ? [{ host, unread: silence === UNREAD }] : [];
  });
}

// Whether to is later than from for certain, or earlier, whichever time a clock that was set back passed their local times. Of one that it passed twice only that is
// sure that it is between the begin of what was passed twice and its end: where the clock is the reference the times of others are no better.
function always(set: SetModel, from: Moment, to: Moment, later: boolean): boolean {
  const times = (m: Moment): Moment[] => {
    const twice = set.passedTwice(m.host, m.local);
    return twice ? [twice.begin - 1n, twice.end + 1n].map((local) => ({ host: m.host, local })) : [m];
  };
  return times(from).every((f) =>
    times(to).every((t) => {
      const [a, b] = [place(set, f), place(set, t)];
      const error = beyond(set, f, t).length > 0 || !a || !b ? null : set.errorBetween(a.index, f.local, b.index, t.local);
      return error !== null && Number(b!.time - a!.time) * (later ? 1 : -1) > error;
    }),
  );
}

// Where two moments of one host lie so that its clock may have shown the later one first: "here" where it passed both twice; "somewhere" where it is not known what
// it passed twice, as of a set that an earlier version imported; "" where it did not.
function mixedAt(set: SetModel, from: Moment, to: Moment): string {
  if (!ranBack(set, to.host)) return "";
  if (!set.hosts.find((h) => h.name === to.host)?.passed_twice?.length) return "somewhere";
  const [x, y] = [from, to].map((m) => set.passedTwice(m.host, m.local));
  return x && y && x.begin === y.begin ? "here" : "";
}

// That the clock by which two moments are told was set back between them, so that what lies between them is not what went by; "" where it was not.
function across(set: SetModel, a: Placed, b: Placed): string {
  const by = set.clocks?.hosts?.find((h) => h.reference && h.component === a.component)?.name;
  const [first, last] = a.time < b.time ? [a.time, b.time] : [b.time, a.time];
  const back = set.hosts.find((h) => h.name === by)?.passed_twice?.some((x) => BigInt(x.begin) <= last && BigInt(x.end) >= first);
  return back ? ` by ${by}'s clock, which ran back in between` : "";
}

// Whether a host's traces have times that run backwards, as where its clock was set: what it shows later was not later for certain.
function ranBack(set: SetModel, host: string): boolean {
  const odd = set.report?.anomalies.find((o) => o.kind === "time-back");
  return !!odd && (odd.others > 0 || odd.places.some((p) => p.host === host));
}

function why(silent: readonly Silent[]): string {
  const names = (unread: boolean) => silent.filter((s) => s.unread === unread).map((s) => s.host);
  const [never, later] = [names(false), names(true)];
  const parts = [never.length > 0 ? `${never.join(" and ")} recorded nothing there` : "", later.length > 0 ? `${later.join(" and ")} ${later.length > 1 ? "are" : "is"} not read so far yet` : ""];
  return parts.filter(Boolean).join(", ") || "no bound holds here";
}

/** How a moment of a host lies to the mark, as part of a sentence; null where nothing is marked. */
export function orderToMark(set: SetModel, view: View, host: number, local: Ns): Order | null {
  const from = view.mark && set.host(view.mark.host);
  const to = set.host(host);
  if (!view.mark || !from || !to) return null;
  const { words, open } = orderOf(set, { host: from.name, local: view.mark.local }, { host: to.name, local }, view.raw);
  return { words: words.replace(/\.$/, "").replace(/ (later|earlier)/, (_, w) => (w === "later" ? " after the mark" : " before the mark")), open };
}

/** The order of an end of a message to the mark at its other end: whatever the clocks leave open, no message arrives before it is sent. */
export function orderOfEnds(lies: Order, arrived: boolean): Order {
  if (!lies.open) return lies;
  const apart = /^(.*): within the error/.exec(lies.words)?.[1] ?? "";
  const agrees = apart.includes(arrived ? " after " : " before ");
  return { words: agrees ? `${apart}, certain: ${SAME}; how much ${arrived ? "later" : "earlier"} is within the error` : `certain: ${SAME}`, open: false };
}

/** What is said of an order without the reason for it, for where there is no room. */
export function briefly(words: string): string {
  return words.replace(/: (both were timed by|the sending came first,|a message went from|nothing relates) .*|, whose times run backwards (somewhere|here).*|, so either may have .*|, which recorded nothing .*|, and (later|earlier) for certain; .*|; the times of .* run backwards here.*|; (no bound holds|.* recorded nothing|.* not read so far) .*/, "");
}

interface Placed {
  readonly index: number;
  readonly time: bigint;
  readonly component: number;
}

function place(set: SetModel, e: Moment): Placed | null {
  const host = set.hosts.find((h) => h.name === e.host);
  const time = host ? set.toReference(host.index, e.local) : null;
  return !host || time === null ? null : { index: host.index, time, component: host.component };
}
