// How well the clocks are known at the instant that figures are told for, in a sentence beside where that is chosen.

import type { SetModel } from "../model/set.js";
import { list } from "../model/names.js";
import { counted } from "../time/number.js";
import { plusMinus, type Ns } from "../time/time.js";

/** So many hosts are told of, those that are known worst first. */
const TOLD = 6;

/** How well the clock of each host is known at t, reference time: of the one that is named, or with "" of all; "" where that is of none. */
export function thereWords(set: SetModel, t: Ns, of: string): string {
  const known = set.hosts.flatMap((x) => {
    const [own, local] = [set.extent(x.index, true), set.toLocal(x.index, t)];
    const inside = own && local !== null && local >= own.begin && local <= own.end;
    const error = inside ? set.errorAt(x.index, local) : null;
    return error === null || x.reference || (of && x.name !== of) ? [] : [{ name: x.name, error }];
  });
  if (known.length === 0) return "";
  known.sort((a, b) => b.error - a.error);
  const told = known.slice(0, TOLD).map(({ name, error }) => `${name} ${plusMinus(error)}`);
  const more = known.length - told.length;
  const reference = set.hosts.filter((x) => x.reference && !x.unsynchronized).map((x) => x.name);
  const against = reference.length === 1 ? `, against the clock of ${reference[0]}` : "";
  return `Known there: ${list([...told, ...(more > 0 ? [`${counted(more, "more host")} no worse`] : [])], told.length + 1)}${against}.`;
}
