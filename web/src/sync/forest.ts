// The links in use as trees: each component of the graph of hosts hangs from its reference, or from its first host.

export interface Edge {
  readonly a: string;
  readonly b: string;
}

export interface Member {
  readonly name: string;
  readonly component: number;
  readonly reference: boolean;
}

export interface Branch {
  readonly name: string;
  readonly children: Branch[];
  readonly hosts: number;
  readonly leaves: number;
  readonly depth: number; // hops to the furthest host behind it
}

/** The trees of the hosts, the largest first. */
export function forest(hosts: readonly Member[], edges: readonly Edge[]): Branch[] {
  const neighbours = new Map<string, string[]>(hosts.map((h) => [h.name, []]));
  for (const { a, b } of edges) {
    neighbours.get(a)?.push(b);
    neighbours.get(b)?.push(a);
  }
  const seen = new Set<string>();
  const grow = (name: string): Branch => {
    seen.add(name);
    const children: Branch[] = [];
    for (const next of neighbours.get(name) ?? []) if (!seen.has(next) && neighbours.has(next)) children.push(grow(next));
    const sum = (f: (b: Branch) => number) => children.reduce((n, b) => n + f(b), 0);
    return { name, children, hosts: 1 + sum((b) => b.hosts), leaves: Math.max(1, sum((b) => b.leaves)), depth: children.reduce((n, b) => Math.max(n, 1 + b.depth), 0) };
  };
  const first = [...hosts].sort((a, b) => Number(b.reference) - Number(a.reference));
  return first.flatMap((h) => (seen.has(h.name) ? [] : [grow(h.name)])).sort((a, b) => b.hosts - a.hosts);
}
