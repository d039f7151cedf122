package graph

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A checked forest is held against the model after every operation.
type checked struct {
	Forest
	model      model
	pinned     int
	references []int // by host, as after the last operation
	unpinned   []int // the same, if no host had been pinned
}

func newChecked(n int) *checked {
	c := &checked{model: model{n: n, links: make(map[[2]int]int64)}, pinned: -1}
	c.Grow(n)
	c.model.compute()
	for i := range n {
		c.references = append(c.references, i)
		c.unpinned = append(c.unpinned, i)
	}
	return c
}

type tester interface {
	Helper()
	Fatalf(string, ...any)
}

// check holds all that a forest says against the model. change is that of the
// last operation, before the model as it was then.
func (c *checked) check(t tester, before model, change Change) {
	t.Helper()
	m := &c.model
	m.compute()
	for a := range m.n {
		for b := a + 1; b < m.n; b++ {
			if c.Has(a, b) != m.tree[[2]int{a, b}] {
				t.Fatalf("link %d-%d in the forest: %v, by Kruskal: %v", a, b, c.Has(a, b), m.tree[[2]int{a, b}])
			}
		}
	}
	if same := maps.Equal(before.tree, m.tree); change.Edges == same {
		t.Fatalf("a change of the edges: %v, the edges were %v and are %v", change.Edges, before.tree, m.tree)
	}
	number := c.Components()
	affected := make(map[int]bool)
	var order, again []int
	for h, next := range c.Affected(change) {
		if len(order) == 0 {
			for h := range c.Affected(change) {
				again = append(again, h)
			}
		}
		if affected[h] {
			t.Fatalf("host %d is told twice", h)
		}
		affected[h] = true
		order = append(order, h)
		way := m.ways[h][c.Reference(h)].hosts
		if len(way) == 1 && next != -1 || len(way) > 1 && next != way[1] {
			t.Fatalf("host %d goes over %d, its way is %v", h, next, way)
		}
	}
	if !slices.Equal(order, again) {
		t.Fatalf("asked again meanwhile: %v, told before: %v", again, order)
	}
	for i, h := range order {
		if way := m.ways[h][c.Reference(h)].hosts; len(way) > 1 && affected[way[1]] && !slices.Contains(order[:i], way[1]) {
			t.Fatalf("host %d was told before the next on its way %v: %v", h, way, order)
		}
	}
	moved := false
	for a := range m.n {
		for b := range m.n {
			if (number[a] == number[b]) != m.same(a, b) {
				t.Fatalf("hosts %d and %d: components %v", a, b, number)
			}
			sum, ok := c.Distance(a, b)
			if ok != m.same(a, b) || sum != m.ways[a][b].sum {
				t.Fatalf("from %d to %d: %d, %v; by the model %d", a, b, sum, ok, m.ways[a][b].sum)
			}
			path, ok := c.Path(a, b)
			if ok != m.same(a, b) {
				t.Fatalf("from %d to %d: a path %v", a, b, ok)
			}
			if ok && !slices.Equal(walk(a, path), m.ways[a][b].hosts) {
				t.Fatalf("from %d to %d: %v, by the model %v", a, b, path, m.ways[a][b].hosts)
			}
		}
		best := m.best(a)
		if low, high := c.Best(a); low != best[0] || high != best[len(best)-1] {
			t.Fatalf("best references of %d: %d and %d, by the model %v", a, low, high, best)
		}
		// A tie keeps what was a reference, the lowest if there are several.
		want := best[0]
		for _, h := range best {
			if c.unpinned[h] == h {
				want = h
				break
			}
		}
		if c.pinned < 0 || !m.same(a, c.pinned) {
			if c.Reference(a) != want {
				t.Fatalf("reference of %d: %d, want %d of %v", a, c.Reference(a), want, best)
			}
		} else if c.Reference(a) != c.pinned {
			t.Fatalf("reference of %d: %d, pinned is %d", a, c.Reference(a), c.pinned)
		}
		loss := c.Loss(a, func(e Edge) int64 { return e.Weight })
		if want := m.cost(a) - m.cost(best[0]); loss != want {
			t.Fatalf("loss of %d: %d, by the model %d", a, loss, want)
		}
		was, is := before.ways[c.references[a]][a], m.ways[c.Reference(a)][a]
		changed := !slices.Equal(was.hosts, is.hosts)
		for i := 1; i < len(is.hosts) && !changed; i++ {
			p := [2]int{min(is.hosts[i-1], is.hosts[i]), max(is.hosts[i-1], is.hosts[i])}
			changed = before.links[p] != m.links[p]
		}
		if affected[a] != changed {
			t.Fatalf("host %d: told as affected %v; its way was %v, is %v", a, affected[a], was, is)
		}
		moved = moved || c.Reference(a) != c.references[a]
	}
	if moved != change.Reference {
		t.Fatalf("references changed: %v, told: %v", moved, change.Reference)
	}
	now := c.Forest.pin
	for a := range m.n {
		c.references[a] = c.Reference(a)
	}
	c.Forest.pin = 0
	for a := range m.n {
		c.unpinned[a] = c.Reference(a)
	}
	c.Forest.pin = now
}

// walk returns the hosts along a path.
func walk(from int, path []Edge) []int {
	hosts := []int{from}
	for _, e := range path {
		from = e.A + e.B - from
		hosts = append(hosts, from)
	}
	return hosts
}

func (c *checked) before() model {
	m := c.model
	m.links = maps.Clone(m.links)
	return m
}

func (c *checked) set(t tester, e Edge) {
	before := c.before()
	c.model.links[[2]int{e.A, e.B}] = e.Weight
	c.check(t, before, c.Set(e))
}

func (c *checked) remove(t tester, a, b int) {
	before := c.before()
	delete(c.model.links, [2]int{a, b})
	c.check(t, before, c.Remove(a, b))
}

func (c *checked) setPin(t tester, host int) {
	c.pinned = host
	c.check(t, c.before(), c.Pin(host))
}

// After every operation the forest is Kruskal's, the references are the best by brute force or
// the pinned one, paths and sums are right, and exactly those hosts are told as affected whose way changed.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "hosts")
		most := rapid.SampledFrom([]int64{1, 4, 1000}).Draw(t, "weights")
		c := newChecked(n)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
			if a == b {
				c.setPin(t, rapid.IntRange(-1, n-1).Draw(t, "pinned"))
				continue
			}
			a, b = min(a, b), max(a, b)
			if rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
				c.remove(t, a, b)
			} else {
				c.set(t, Edge{a, b, rapid.Int64Range(1, most).Draw(t, "weight")})
			}
		}
	})
}

// The same at a size where trees are deep, and a pin goes from one to another.
func TestLargeTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, shape := range []func(i int) int{
		func(i int) int { return i - 1 },                 // a line
		func(i int) int { return 0 },                     // a star
		func(i int) int { return r.IntN(i) },             // any
		func(i int) int { return max(0, i-1-r.IntN(3)) }, // bushy
	} {
		const n = 40
		c := newChecked(n)
		for i := 1; i < n; i++ {
			c.set(t, Edge{shape(i), i, 1 + r.Int64N(50)})
		}
		for range 60 {
			a, b := r.IntN(n), r.IntN(n-1)
			if b >= a {
				b++
			}
			a, b = min(a, b), max(a, b)
			if r.IntN(4) == 0 {
				c.setPin(t, r.IntN(n+1)-1)
			}
			switch r.IntN(5) {
			case 0, 1: // of the forest
				tree := slices.SortedFunc(maps.Keys(c.model.tree), func(p, q [2]int) int { return slices.Compare(p[:], q[:]) })
				p := tree[r.IntN(len(tree))]
				a, b = p[0], p[1]
				if r.IntN(3) == 0 {
					c.remove(t, a, b)
				} else {
					c.set(t, Edge{a, b, c.model.links[[2]int{a, b}] + r.Int64N(60)})
				}
			default:
				c.set(t, Edge{a, b, 1 + r.Int64N(80)})
			}
		}
	}
}

// The forest is a function of the links, not of how they came about.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "hosts")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var edges []Edge
		for a := range n {
			for b := a + 1; b < n; b++ {
				if r.IntN(3) == 0 {
					edges = append(edges, Edge{a, b, 1 + r.Int64N(4)})
				}
			}
		}
		var forests [2]Forest
		for i := range forests {
			f := &forests[i]
			f.Grow(n)
			for _, at := range r.Perm(3 * len(edges)) {
				e := edges[at%len(edges)]
				switch at / len(edges) {
				case 0:
					e.Weight = 1 + r.Int64N(6)
					f.Set(e)
				case 1:
					f.Remove(e.A, e.B)
				}
			}
			for _, at := range r.Perm(len(edges)) {
				f.Set(edges[at])
			}
		}
		for a := range n {
			for b := range n {
				x, _ := forests[0].Path(a, b)
				if y, _ := forests[1].Path(a, b); !slices.Equal(x, y) {
					t.Fatalf("from %d to %d: %v and %v", a, b, x, y)
				}
			}
			x, y := forests[0].Best(a)
			if u, v := forests[1].Best(a); x != u || y != v {
				t.Fatalf("best of %d: %d, %d and %d, %d", a, x, y, u, v)
			}
		}
	})
}
