package network

import "testing"

// A clock set at a true time by some ns.
type setAt struct {
	host   int32
	at, by int64
}

// A between is two or three hosts that exchange messages of 50 µs for five minutes. Of the first two one is set at 100 s, and one at 200 s, and
// between these times one of them at most is heard by the other. The third talks with both all the time.
type between struct {
	hosts int32
	from  int32 // who of the two goes on; 2 if neither does
	sets  [2]setAt
}

func (p between) local(h int32, at int64) int64 {
	x := at
	for _, s := range p.sets {
		if h == s.host && at > s.at {
			x += s.by
		}
	}
	return x
}

func (p between) network() *Network {
	return talks{p.hosts, p.from, p.local, func(at int64) bool { return at < p.sets[0].at || at > p.sets[1].at }}.network()
}

// denied reports whether messages between the two times contradict what is before as well as what is after: then they show that
// there was more than one step, without the third.
func (p between) denied() bool {
	later := func(s setAt) bool { return (s.by > 0) == (s.host == 1-p.from) } // messages seem to take longer, or less long back
	return p.from < 2 && !later(p.sets[0]) && later(p.sets[1])
}

// betweens are some of all sizes, orders, hosts and directions.
func betweens() (list []between) {
	const first, next = start + 100*second + second/3, start + 200*second + second/3
	for _, by := range []int64{1_000_000, 10 * second} {
		for _, by := range []int64{by, -by} {
			for _, then := range []int64{-by, by, by / 2, -by / 2, -2 * by} {
				for who := range int32(4) {
					for from := range int32(3) {
						sets := [2]setAt{{who & 1, first, by}, {who >> 1, next, then}}
						list = append(list, between{3, from, sets})
						if two := (between{2, from, sets}); two.denied() {
							list = append(list, two)
						}
					}
				}
			}
		}
	}
	return covering(list, 3, func(p between) []any {
		first, then := p.sets[0], p.sets[1]
		return []any{p.hosts, p.from, [2]int32{first.host, then.host}, first.by, float64(then.by) / float64(first.by)}
	})
}

// Where clocks are set twice, and a link has messages in one direction between, or none, what it allows before and after does not bound them then,
// as far as its messages or other links show it. Two steps that cancel each other out are not denied for what is before the first and after the second.
func TestOneDirectionBetweenSteps(t *testing.T) {
	list := betweens()
	if testing.Short() {
		list = list[:len(list)/6]
	}
	for i, p := range list {
		n := p.network()
		if i%7 == 0 { // some of each kind, as it takes as long as all else
			storedAlike(t, p, n)
		}
		if n := trulyKnown(t, p, n, p.local); p.hosts > 2 && n < 1202 {
			t.Errorf("%+v: known at %d instants", p, n)
		}
	}
}
