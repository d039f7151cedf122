package network

import "math"

const (
	mostSteps = 1000 // 200 hosts in a chain take 760, each with a line alone 370
	settled   = 1e-3 // ns: by how much less each host would move, were the others held still
)

// A settlement is the least-squares problem of all hosts together: its unknowns are what each is ahead of the reference by, at
// all instants. It is solved by conjugate gradients. Each step is preconditioned by the equations of every host with the
// others held still, but for what its votes may be off together, which are solved outright. Sweeps of these alone would come to the same, but over a chain
// of hosts, where each hears of the reference from the one before, they take as many as the square of its length. A direct
// solution would take the cube of all unknowns, or an order of elimination as elaborate as the rest of this package.
type settlement struct {
	bend
	ties    []said
	sums    []sum
	own     [][]int // ties of each host
	factors []factor
	free    []int // the hosts that are moved, in order
}

// settle finds by how much each host is ahead of the reference at all instants, as the votes of all ties have it, and returns these.
func (g bend) settle(reference int32, list []tie, hosts int) (ahead [][]float64, all []said) {
	all = make([]said, len(list))
	for i := range list {
		t := &list[i]
		all[i] = said{a: t.a, b: t.b}
		all[i].votes, _ = t.votes(g)
	}
	ahead, _ = g.balance(reference, all, hosts)
	return ahead, all
}

// balance is settle by what ties have said. Hosts without a tie, and the reference, have none, and no factor: that of the others is of all that their
// ties say.
func (g bend) balance(reference int32, list []said, hosts int) (ahead [][]float64, own []factor) {
	s := settlement{g, list, make([]sum, len(list)), make([][]int, hosts), make([]factor, hosts), nil}
	for i := range list {
		t := &list[i]
		s.sums[i] = g.sums(t.votes)
		if t.common > 0 {
			s.sums[i].share(g, t)
		}
		s.own[t.a], s.own[t.b] = append(s.own[t.a], i), append(s.own[t.b], i)
	}
	ahead = make([][]float64, hosts)
	for h, ties := range s.own {
		if len(ties) == 0 || int32(h) == reference {
			continue
		}
		ahead[h] = make([]float64, g.count)
		mine := make([]sum, len(ties))
		for i, k := range ties {
			mine[i] = s.sums[k]
		}
		if f, ok := g.factor(mine); ok {
			s.factors[h] = f
			s.free = append(s.free, h)
		}
	}
	s.solve(ahead)
	return ahead, s.factors
}

// solve starts where nobody is moved.
func (s *settlement) solve(ahead [][]float64) {
	rest, direction, turned, step := s.zero(), s.zero(), s.zero(), s.zero()
	for _, h := range s.free {
		for _, k := range s.own[h] {
			s.sums[k].votes(rest[h], s.sign(k, h))
		}
	}
	var before float64
	for n := range mostSteps {
		for _, h := range s.free {
			copy(step[h], rest[h])
			s.factors[h].solve(step[h])
		}
		if s.most(step) < settled {
			return
		}
		gain := s.product(rest, step)
		again := 0.0
		if n > 0 {
			again = gain / before
		}
		before = gain
		for _, h := range s.free {
			for i := range direction[h] {
				direction[h][i] = step[h][i] + float64(again*direction[h][i])
			}
		}
		s.apply(direction, turned)
		curve := s.product(direction, turned)
		if curve <= 0 {
			return
		}
		far := gain / curve
		for _, h := range s.free {
			for i := range rest[h] {
				ahead[h][i] += float64(far * direction[h][i])
				rest[h][i] -= float64(far * turned[h][i])
			}
		}
	}
}

// apply multiplies x by the matrix of all equations.
func (s *settlement) apply(x, to [][]float64) {
	for _, h := range s.free {
		copy(to[h], x[h])
		s.factors[h].times(to[h])
		for _, k := range s.own[h] {
			other := x[s.other(k, h)]
			s.sums[k].others(to[h], other)
			s.sums[k].together(to[h], x[h], other)
		}
	}
}

func (s *settlement) other(tie, h int) int32 {
	if t := &s.ties[tie]; t.a != int32(h) {
		return t.a
	}
	return s.ties[tie].b
}

// sign is 1 for the host that the votes of a tie say is ahead.
func (s *settlement) sign(tie, h int) float64 {
	if s.ties[tie].b == int32(h) {
		return 1
	}
	return -1
}

// zero is a vector: of each host that is moved, a number for each instant.
func (s *settlement) zero() [][]float64 {
	x := make([][]float64, len(s.own))
	for _, h := range s.free {
		x[h] = make([]float64, s.count)
	}
	return x
}

func (s *settlement) product(x, y [][]float64) (sum float64) {
	for _, h := range s.free {
		for i, v := range x[h] {
			sum += float64(v * y[h][i])
		}
	}
	return sum
}

func (s *settlement) most(x [][]float64) (most float64) {
	for _, h := range s.free {
		for _, v := range x[h] {
			most = max(most, math.Abs(v))
		}
	}
	return most
}
