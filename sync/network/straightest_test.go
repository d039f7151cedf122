package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// slewed is a clock the rate of which is set by some ppm for half a minute, as NTP does.
func slewed(at, begin, ppm int64) int64 {
	return at + min(max(at-begin, 0), 30*second)*ppm/1_000_000
}

// Clocks that are slewed among some that talk seldom: no message is received before it is sent, every clock is within its bound, and they are known far
// better than that.
func TestSlewedAmongManyThatTalkSeldom(t *testing.T) {
	for what, c := range map[string]struct {
		hosts          int
		told           func(h int32, at int64) int64
		typical, worst int64 // ns
		knots          int
	}{
		"one of them": {36, first(func(at int64) int64 { return slewed(at, start+300*second, 200) }), 10_000, 1_000_000, 40},
		"all, one after the other": {20, func(h int32, at int64) int64 {
			return slewed(at, start+(int64(h)+1)*22*second, 200-400*int64(h%2))
		}, 100_000, 3_000_000, 80},
	} {
		t.Run(what, func(t *testing.T) {
			s, local := crowd(c.hosts, c.told)
			for _, k := range s.Links {
				if k.Violations > 0 {
					t.Fatalf("link %d to %d: %d messages are received before they are sent", k.A, k.B, k.Violations)
				}
			}
			var errors []int64
			for i := range s.Hosts {
				m := s.Hosts[i].Map
				if knots := len(m.Knots()); knots > c.knots {
					t.Errorf("host %d has %d knots", i, knots)
				}
				for at := int64(start); at <= start+600*second; at += 3 * second / 4 {
					off := m.Reference(local(int32(i), at)) - local(s.Reference, at)
					off = max(off, -off)
					if bound, ok := m.Error(local(int32(i), at)); ok && off > bound {
						t.Fatalf("host %d after %d s: off by %d ns, said to be known to %d", i, (at-start)/second, off, bound)
					}
					errors = append(errors, off)
				}
			}
			slices.Sort(errors)
			typical, worst := errors[len(errors)/2], errors[len(errors)-1]
			t.Logf("off by %d ns in the middle, %d at worst", typical, worst)
			if typical > c.typical || worst > c.worst {
				t.Errorf("off by %d ns in the middle, %d at worst", typical, worst)
			}
		})
	}
}

// saidBySlewed is what some hosts say to each other, of which the third is slewed, at times by their own clocks.
func saidBySlewed(hosts, messages int) (list []statement) {
	r := rand.New(rand.NewPCG(11, 12))
	local := func(h int32, at int64) int64 {
		if h == 2 {
			return slewed(at, start+200*second, 200)
		}
		return at
	}
	for range messages {
		from := int32(r.IntN(hosts))
		to := (from + 1 + int32(r.IntN(hosts-1))) % int32(hosts)
		at := start + r.Int64N(600*second)
		list = append(list, statement{from, to, local(from, at), local(to, at+50_000+int64(r.ExpFloat64()*20_000))})
	}
	slices.SortFunc(list, statement.compare)
	return list
}

// Of hosts of which one is slewed that one bends, where it was, and the others hardly.
func TestStraightest(t *testing.T) {
	w := newStraightest(8, saidBySlewed(8, 20_000))
	if !w.solve() {
		t.Fatal("nothing is found")
	}
	for k := range w.list {
		if d := w.delay(k); d <= distance {
			t.Fatalf("%+v is received %g ns after it was sent", w.list[k], d)
		}
	}
	for h, track := range w.tracks {
		if pieces := len(track.at) - 1; h == 2 && (pieces < 3 || pieces > 12) || h != 2 && pieces > 3 {
			t.Errorf("host %d has %d pieces", h, pieces)
		}
	}
}

// saidByWandering is what some hosts say to each other for hours, in turn, the rates of which rise and fall all the time, as slowly as those of crystals do.
func saidByWandering(hosts, messages int, hours int64) (list []statement) {
	r := rand.New(rand.NewPCG(13, 14))
	span := hours * 3600 * second
	local := func(h int32, at int64) int64 {
		const fastest = 1.3e-8 // per second
		period := float64(8000 + 3000*h)
		turn := 2 * math.Pi / period
		t := float64(at-start)/1e9 + 100*float64(h)
		return at + int64(1e9*(fastest/turn/turn*math.Sin(turn*t)+1e-9*float64(h)*t*t))
	}
	for range messages {
		from := int32(r.IntN(hosts))
		to := (from + 1 + int32(r.IntN(hosts-1))) % int32(hosts)
		at := start + r.Int64N(span)
		list = append(list, statement{from, to, local(from, at), local(to, at+50_000+int64(r.ExpFloat64()*20_000))})
	}
	slices.SortFunc(list, statement.compare)
	return list
}

// Crystals that wander for hours are found, too, although hosts are moved far and bend by much.
func TestStraightestOfCrystalsThatWander(t *testing.T) {
	for _, hosts := range []int{3, 4} {
		w := newStraightest(hosts, saidByWandering(hosts, 1200, 24))
		if !w.solve() {
			t.Errorf("of %d hosts nothing is found after %d looks", hosts, w.looked)
			continue
		}
		for k := range w.list {
			if d := w.delay(k); d <= distance {
				t.Fatalf("%+v is received %g ns after it was sent", w.list[k], d)
			}
		}
	}
}

// A clock may be moved by as much as it likes from a line that is no clock's to what is one, and not the other way.
func TestStraightestFromALineThatIsNoClock(t *testing.T) {
	for rate, found := range map[float64]bool{1.02: true, 0: false, 1: false} {
		list := saidBySlewed(4, 2000)
		for i := range list {
			m := &list[i]
			for h, at := range map[int32]*int64{m.from: &m.sent, m.to: &m.received} {
				if h == 1 {
					*at += (*at - start) / 50
				}
			}
		}
		w := newStraightest(4, list)
		w.rates = []float64{1, rate, 1, 1}
		if w.solve() != found {
			t.Errorf("from a line with the rate %g: found is %t", rate, !found)
		}
	}
}

// Messages that contradict each other whatever the clocks are end the search.
func TestStraightestOfWhatCannotBe(t *testing.T) {
	list := saidBySlewed(8, 20_000)
	at := start + 400*int64(second)
	list = append(list, statement{0, 1, at, at - 50_000}, statement{1, 0, at - 50_000, at - 100_000})
	w := newStraightest(8, list)
	if w.solve() {
		t.Error("something is found")
	}
	if most := labour + 1<<27; w.looked > most {
		t.Errorf("%d looks, more than %d", w.looked, most)
	}
}

// A host is moved by its track, and goes straight on beyond.
func TestTrack(t *testing.T) {
	track := track{[]int64{100, 200, 400}, []float64{0, 50, 50}}
	for at, want := range map[int64]float64{0: -50, 100: 0, 150: 25, 200: 50, 300: 50, 500: 50} {
		if got := track.value(track.place(at)); got != want {
			t.Errorf("moved by %g at %d, want %g", got, at, want)
		}
	}
}
