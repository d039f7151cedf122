package network

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/sync/clock"
	"synchroscope/sync/match"
)

// Delays on the way from a over b to c are longer in one direction, so the maps of the tree are off by half of that
// for each link. Four messages between a and c, too few for the tree, are received before they are sent by these maps;
// so the maps are shifted, and are nearer to the truth then.
func TestLinksOutsideOfTheTreeAreHeard(t *testing.T) {
	n := New(Config{Reference: "a"})
	for _, name := range []string{"a", "b", "c"} {
		n.AddHost(name, name)
	}
	var key uint64
	message := func(from, to int32, at, delay int64) {
		key++
		exchange(n, from, to, key, at, at+delay, 0)
	}
	for i := range int64(100) {
		at := start + i*second/10
		for a := range int32(2) {
			message(a, a+1, at, 10_000)
			message(a+1, a, at+1000, 110_000)
		}
	}
	for i := range int64(2) {
		at := start + 5*second + i*second/100
		message(0, 2, at, 30_000)
		message(2, 0, at+40_000, 30_000)
	}
	for i := range int32(3) {
		n.Span(i, start, start+10*second)
		n.Done(i, nil)
	}
	s := n.Solution()
	for _, k := range s.Links {
		if k.Violations > 0 {
			t.Errorf("link %d-%d, in the tree %v: %d violations", k.A, k.B, k.InTree, k.Violations)
		}
		if outside := k.A == 0 && k.B == 2; k.InTree == outside {
			t.Fatalf("link %d-%d in the tree: %v", k.A, k.B, k.InTree)
		}
	}
	for i, h := range s.Hosts {
		for _, at := range []int64{start, start + 5*second, start + 10*second} {
			off := h.Map.Reference(at) - at
			off = max(off, -off)
			if bound, ok := h.Map.Error(at); !ok || off > bound {
				t.Errorf("host %d is off by %d ns, bound %d", i, off, bound)
			}
			if at == start+5*second && off > 40_000 {
				t.Errorf("host %d is off by %d ns", i, off)
			}
		}
	}
}

// Where a link outside of the tree says what cannot be, no shift does; then at least what is in the tree is right, though messages of the
// length that most have would move a host to where shorter ones are received before they are sent.
func TestTreeIsRightWhereNoShiftIs(t *testing.T) {
	n := New(Config{Reference: "a"})
	for _, name := range []string{"a", "b", "c"} {
		n.AddHost(name, name)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var key uint64
	message := func(from, to int32, at, delay int64, bytes uint32) {
		key++
		k := match.Key{A: key}
		n.Endpoint(match.Endpoint{Time: at, Host: from, Direction: match.Send, Key: k, Bytes: bytes}, nil)
		at += delay + int64(r.ExpFloat64()*20_000)
		n.Endpoint(match.Endpoint{Time: at, Host: to, Direction: match.Receive, Key: k, Bytes: bytes}, nil)
	}
	for i := range int64(1000) {
		at := start + i*second/50
		for a := range int32(2) {
			message(a, a+1, at, 200_000, 52)
			message(a+1, a, at+1000, 20_000, 52)
			if i%10 == 0 {
				message(a, a+1, at+2000, 20_000, 40)
			}
		}
		if i%100 == 0 {
			message(0, 2, at, 11_000_000, 52)
			message(2, 0, at, -9_000_000, 52)
		}
	}
	for i := range int32(3) {
		n.Done(i, nil)
	}
	s := n.Solution()
	for _, k := range s.Links {
		if outside := k.A == 0 && k.B == 2; k.InTree == outside {
			t.Fatalf("link %d-%d in the tree: %v", k.A, k.B, k.InTree)
		}
		if k.InTree && k.Violations > 0 {
			t.Errorf("link %d-%d: %d violations", k.A, k.B, k.Violations)
		}
		if !k.InTree && k.Violations == 0 {
			t.Errorf("link %d-%d is right, which cannot be", k.A, k.B)
		}
	}
}

// Instants may be further apart than 63 bits of ns all together.
func TestShiftOverAllTimes(t *testing.T) {
	for _, count := range instants {
		early, late := int64(math.MinInt64)+4, int64(math.MaxInt64)-5
		w := newShift(&Solution{Hosts: make([]Host, 2)}, 0, inWays([]statement{{0, 1, early + 1, early}, {1, 0, late, late - 1}}), count)
		// Host 1 is to be later at the one end and earlier at the other.
		if right := w.settle(); right != (count > 1) {
			t.Errorf("%d instants: right %v", count, right)
		}
		for i := 1; i < count; i++ {
			if w.instant(i) <= w.instant(i-1) {
				t.Fatalf("of %d instants number %d is at %d, the one before at %d", count, i, w.instant(i), w.instant(i-1))
			}
		}
	}
}

// Messages that a shift at the instants puts right, the shortest by some ns only: one that does so too is found, however
// narrow the corner it is in.
func TestShiftIsFound(t *testing.T) {
	for seed := range uint64(200) {
		const count, gap = 65, int64(second)
		r := rand.New(rand.NewPCG(seed, 2))
		hosts := 2 + r.IntN(4)
		end := start + (count-1)*gap - 1
		list := []statement{{0, 1, start, start + gap}, {0, 1, end - gap, end}}
		truth := newShift(&Solution{Hosts: make([]Host, hosts)}, 0, inWays(list), count)
		for _, by := range truth.by[1:] {
			for i := range by {
				by[i] = r.Float64() * 300_000
			}
		}
		ahead := func(host int32, at int64) int64 {
			return int64(truth.at(host, truth.place(at)))
		}
		least := 100 + r.Int64N(200)
		for range 100 + r.IntN(4000) {
			a := r.IntN(hosts)
			m := statement{from: int32(a), to: int32((a + 1 + r.IntN(hosts-1)) % hosts)}
			m.sent = start + r.Int64N(end-gap-start)
			at := m.sent + ahead(m.from, m.sent) + least + int64(r.ExpFloat64()*100_000)
			m.received = at
			for range 3 {
				m.received = at - ahead(m.to, m.received)
			}
			list = append(list, m)
		}
		w := newShift(&Solution{Hosts: make([]Host, hosts)}, 0, inWays(list), count)
		if !w.settle() {
			t.Errorf("seed %d: not found", seed)
			continue
		}
		for _, m := range list {
			p := w.pushed(m)
			if delay := w.delay(&p); delay <= enough {
				t.Errorf("seed %d: %+v is received %g ns after it was sent", seed, m, delay)
			}
		}
	}
}

// What a shift puts right is right of the maps that are drawn by it, which round: nobody receives more than the ns that both
// maps round before it was sent.
func TestShiftIsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.SampledFrom(instants[:]).Draw(t, "instants")
		span := rapid.SampledFrom([]int64{second, 3600 * second}).Draw(t, "span")
		shiftIsDrawn(t, rapid.Uint64().Draw(t, "seed"), count, span)
	})
}

// A shift that moves a host for a part of the time leaves its map straight for the rest.
func TestShiftBendsWhereItTurns(t *testing.T) {
	m, err := clock.New([]clock.Knot{{Local: start - 3600*second, Reference: start - 3600*second}, {Local: start + 3600*second, Reference: start + 3600*second}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ count, from, to, pieces int }{{9, 3, 4, 4}, {513, 100, 101, 4}, {513, 100, 110, 12}, {513, 0, 1, 3}, {513, 512, 513, 3}, {1, 0, 1, 1}} {
		s := &Solution{Hosts: []Host{{Map: m}, {Map: m}}}
		w := newShift(s, 0, inWays([]statement{{0, 1, start, start + 1}, {1, 0, start + 600*second, start + 600*second + 1}}), c.count)
		for i := c.from; i < c.to; i++ {
			w.by[1][i] = 1000 * float64(1+i%2)
		}
		w.apply(s)
		if pieces := len(s.Hosts[1].Map.Knots()) - 1; pieces != c.pieces {
			t.Errorf("moved at instants %d to %d of %d: %d pieces, want %d", c.from, c.to, c.count, pieces, c.pieces)
		}
		for i := range c.count {
			at := w.instant(i)
			if off := s.Hosts[1].Map.Reference(at) - at - int64(w.at(1, w.place(at))); max(off, -off) > 2 {
				t.Errorf("%d of %d instants: off by %d ns", i, c.count, off)
			}
		}
	}
}

// Nearly all that is rounded for some of these messages is rounded in one direction, by more than 3 ns together.
func TestShiftIsDrawnAtWorst(t *testing.T) {
	shiftIsDrawn(t, 20, 9, second)
	shiftIsDrawn(t, 530, 513, 3600*second)
	shiftIsDrawn(t, 1039, 513, second)
}

func shiftIsDrawn(t rapid.TB, seed uint64, count int, span int64) {
	r := rand.New(rand.NewPCG(seed, 3))
	s := &Solution{Hosts: make([]Host, 2+r.IntN(3))}
	for i := range s.Hosts {
		var knots []clock.Knot
		local, reference := start-r.Int64N(span), start-r.Int64N(span)
		for range 2 + r.IntN(6) {
			knots = append(knots, clock.Knot{Local: local, Reference: reference})
			step := 1 + r.Int64N(span)
			local, reference = local+step, reference+step+int64((r.Float64()-0.5)*1e-3*float64(step))
		}
		m, err := clock.New(knots, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Hosts[i].Map = m
	}
	type times struct{ sent, received int64 }
	var local []times
	var list []statement
	for range 2 + r.IntN(2000) {
		from := r.IntN(len(s.Hosts))
		to := (from + 1 + r.IntN(len(s.Hosts)-1)) % len(s.Hosts)
		at := start + r.Int64N(span)
		m := times{s.Hosts[from].Map.Local(at), s.Hosts[to].Map.Local(at + r.Int64N(1000))}
		local = append(local, m)
		list = append(list, statement{int32(from), int32(to), s.Hosts[from].Map.Reference(m.sent), s.Hosts[to].Map.Reference(m.received)})
	}
	w := newShift(s, 0, inWays(list), count)
	for _, by := range w.by[1:] {
		for i := range by {
			by[i] = (r.Float64() - 0.5) * 1e-3 * float64(span) / float64(count)
		}
	}
	delays := make([]float64, len(list))
	for i, m := range list {
		delays[i] = float64(m.received-m.sent) + w.at(m.to, w.place(m.received)) - w.at(m.from, w.place(m.sent))
	}
	w.apply(s)
	for i, m := range list {
		drawn := s.Hosts[m.to].Map.Reference(local[i].received) - s.Hosts[m.from].Map.Reference(local[i].sent)
		// Of more than enough, what is drawn must be more than -2.
		if float64(drawn)-delays[i] <= -2-enough {
			t.Fatalf("%+v takes %d ns by the maps, %g by the shift", m, drawn, delays[i])
		}
	}
}

// b and c wander by 40 µs against a, six times in an hour, which the few messages with it do not show: they take 45 µs. Those between b and c, which
// take 72, show that these are up to 80 µs apart. So b and c are moved differently all the time, by as few pieces as that needs.
func TestShiftsHaveFewPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	n := New(Config{Reference: "a"})
	for _, name := range []string{"a", "b", "c"} {
		n.AddHost(name, name)
	}
	local := func(h int32, at int64) int64 {
		wander := 40_000 * math.Sin(2*math.Pi*float64(at-start)/float64(600*second))
		return at + int64(wander*[]float64{0, 1, -1}[h])
	}
	var key uint64
	say := func(from, to int32, at, delay int64) {
		key++
		k := match.Key{A: key}
		received := at + delay + int64(r.ExpFloat64()*500)
		n.Endpoint(match.Endpoint{Time: local(from, at), Host: from, Direction: match.Send, Key: k}, nil)
		n.Endpoint(match.Endpoint{Time: local(to, received), Host: to, Direction: match.Receive, Key: k}, nil)
	}
	for i := range int64(50) {
		at := start + i*72*second
		for _, ends := range [][2]int32{{0, 1}, {0, 2}, {1, 2}} {
			delay := 45_000 + 27_000*int64(ends[0])
			say(ends[0], ends[1], at, delay)
			say(ends[1], ends[0], at+second, delay)
		}
	}
	for h := range int32(3) {
		n.Span(h, local(h, start), local(h, start+3600*second))
		n.Done(h, nil)
	}
	s := n.Solution()
	for _, k := range s.Links {
		if inside := k.A == 0; k.InTree != inside || k.Violations > 0 {
			t.Errorf("link %d-%d, in the tree %v: %d violations", k.A, k.B, k.InTree, k.Violations)
		}
	}
	for i, h := range s.Hosts[1:] {
		if pieces := len(h.Map.Knots()) - 1; pieces < 12 || pieces > 32 {
			t.Errorf("host %d has %d pieces", i+1, pieces)
		}
		for at := int64(start); at < start+3600*second; at += 25 * second {
			off := h.Map.Reference(local(int32(i+1), at)) - at
			off = max(off, -off)
			if bound, ok := h.Map.Error(local(int32(i+1), at)); !ok || off > bound {
				t.Errorf("host %d is off by %d ns, bound %d", i+1, off, bound)
			}
		}
	}
}

// Where no shift puts messages right the search ends, however many there are: after so many looks, and one more at each message.
func TestShiftIsNotSoughtForLong(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const hosts = 60
	var list []statement
	for range 100_000 {
		a := r.IntN(hosts)
		m := statement{from: int32(a), to: int32((a + 1 + r.IntN(hosts-1)) % hosts), sent: start + r.Int64N(600*second)}
		m.received = m.sent - 10_000 + r.Int64N(20_000)
		list = append(list, m)
	}
	for _, count := range instants[1:] {
		w := newShift(&Solution{Hosts: make([]Host, hosts)}, 0, inWays(list), count)
		if w.settle() {
			t.Errorf("%d instants: found", count)
		}
		if w.looked > 6<<20 {
			t.Errorf("%d instants: %d looks", count, w.looked)
		}
	}
}

// A shift by which the clock of one host would run backwards moves none of them.
func TestShiftThatTurnsAClockBack(t *testing.T) {
	identity, err := clock.New([]clock.Knot{{Local: 0, Reference: 0}, {Local: 1 << 32, Reference: 1 << 32}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &Solution{Hosts: []Host{{Map: identity}, {Map: identity}}}
	w := newShift(s, -1, inWays([]statement{{from: 0, to: 1, sent: 0, received: 2e9}}), 3)
	w.by[0], w.by[1] = []float64{5, 5, 5}, []float64{0, -2e9, 0}
	if w.apply(s) {
		t.Error("the shift is applied")
	}
	for i := range s.Hosts {
		if s.Hosts[i].Map != identity {
			t.Errorf("host %d is moved, to %d at 1 s", i, s.Hosts[i].Map.Reference(1e9))
		}
	}
	w.by[1] = []float64{0, -0.5e9, 0}
	if !w.apply(s) || s.Hosts[0].Map.Reference(1e9) != 1e9+5 || s.Hosts[1].Map.Reference(1e9) != 0.5e9 {
		t.Errorf("one that leaves clocks running is not applied: %d and %d at 1 s", s.Hosts[0].Map.Reference(1e9), s.Hosts[1].Map.Reference(1e9))
	}
}
