// Rows as they come: a connection sends all that there are, in many messages, then those that are new. What they take the place of is
// forgotten only where it has to be, and the tree is listed once for all that came since the last frame.

import type { HostInfo } from "../net/json.js";
import type { RowsMessage } from "../net/wire.js";
import type { RowNumbers } from "./rownumbers.js";
import { HOST, type RowTable } from "./rows.js";
import { renumbered, type SetModel } from "./set.js";

/** Who is told of what. */
export interface Told {
  /** The numbers of rows mean others from now on. */
  others: () => void;
  /** Rows are those that they were, but hosts have other numbers: to what each goes. */
  hosts: (to: ReadonlyMap<number, number | null>) => void;
  /** The rows of this connection came, so that it is known by which numbers the server has them. */
  known: () => void;
  /** Rows came, once in a frame. */
  came: () => void;
}

export class Intake {
  private fresh = true; // nothing came of this connection yet
  /** Rows are sent anew, but their numbers are those that they had. */
  kept = false;
  private dirty = false;
  // What takes the place of a first look has more hosts, so those that there were may have other numbers.
  private hosts: readonly HostInfo[] = [];

  constructor(private readonly rows: RowTable, private readonly numbers: RowNumbers, private readonly set: SetModel, private readonly told: Told) {}

  /** There is a connection: it sends all that there are. */
  connected(): void {
    this.fresh = true;
  }

  /** There will be another connection, which sends the same rows by the same numbers, and more. */
  again(): void {
    if (this.kept || this.fresh) return; // of a connection that sent no rows it is not known by which numbers it has them
    this.hosts = this.set.info?.hosts ?? [];
    this.kept = true;
  }

  /** The connection is lost: what there is when it is back may be anything. */
  lost(): void {
    this.kept = false;
  }

  take(m: RowsMessage): void {
    const { rows, numbers, set } = this;
    const first = this.fresh;
    if (first) {
      if (this.kept) {
        rows.clear();
        const to = renumbered(this.hosts, set.info?.hosts ?? []);
        if (to) this.told.hosts(to);
      } else if (set.info?.state === "ready" && rows.hostRows().length > 0 && this.sameHosts(m)) {
        // Rows of a set that is read to its end come anew after the connection was lost: all that is drawn of those that are there stays.
        numbers.begin(rows.all());
        rows.clear();
      } else this.forget();
      this.fresh = this.kept = false;
    }
    rows.add(numbers.rows(m));
    if (first) this.told.known();
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame(() => {
      this.dirty = false;
      this.told.came();
    });
  }

  // Whether hosts that are told of are those that have these numbers here.
  private sameHosts(m: RowsMessage): boolean {
    const { rows } = this;
    return m.rowKind.every((kind, i) => {
      const id = kind === HOST ? rows.hostRow(m.host[i]) : undefined;
      return id === undefined || rows.get(id)!.name === m.names[i];
    });
  }

  private forget(): void {
    this.rows.clear();
    this.numbers.same();
    this.told.others();
  }
}
