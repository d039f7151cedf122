package match

import "testing"

// A machine records n packets of its own, one each ms by its clock, from the begin-th ms of the true
// time on; what it shows is the true time and offset.
type machine struct {
	begin, end, offset int64 // ms
	next               int64
}

// packets gives what hosts 0 and 1 record in a ms: packets of one to the other, both recorded if both
// record, and others whose other end nobody records.
func (m *machine) packets(host int32) []Endpoint {
	at := (m.next + m.offset) * 1_000_000
	n := uint64(m.next)
	m.next++
	out := Endpoint{Time: at, Host: host, Direction: Send, Key: Key{Form: ipv4Form, A: uint64(host), B: n}}
	in := Endpoint{Time: at + 100_000, Host: host, Direction: Receive, Key: Key{Form: ipv4Form, A: uint64(1 - host), B: n}}
	lone := Endpoint{Time: at + 200_000, Host: host, Direction: Send, Key: Key{Form: ipv4Form, A: 100 + uint64(host), B: n}}
	return []Endpoint{out, in, lone}
}

// However long one side records alone, however far apart recordings begin and end and clocks are, a small
// memory loses no message, as long as what a host records until the other comes is within its window.
func TestPace(t *testing.T) {
	const day = 24 * 3600 * 1000
	const keys = 4096
	for name, c := range map[string][2]machine{
		"together":                  {{begin: 0, end: 20_000}, {begin: 0, end: 20_000}},
		"clocks days apart":         {{begin: 0, end: 20_000, offset: -3 * day}, {begin: 0, end: 20_000, offset: 400 * day}},
		"one alone for long, first": {{begin: 0, end: 60_000}, {begin: 59_850, end: 60_000, offset: day}},
		"one alone for long, last":  {{begin: 0, end: 60_000}, {begin: 0, end: 300, offset: day}},
		"apart":                     {{begin: 0, end: 20_000}, {begin: 400, end: 20_400, offset: -day}},
		"nothing in common":         {{begin: 0, end: 10_000}, {begin: 20_000, end: 30_000}},
	} {
		m := NewMatcher(keys, nil)
		m.Hosts(2)
		p := NewPace(2)
		machines := []machine{c[0], c[1]}
		for i := range machines {
			machines[i].next = machines[i].begin
		}
		for i := p.Next(); i >= 0; i = p.Next() {
			h := &machines[i]
			if h.next == h.end {
				p.Done(i)
				continue
			}
			for _, e := range h.packets(i) {
				m.Add(e, p.Message)
				p.At(i, float64(h.next-h.begin)/float64(h.end-h.begin), e.Time)
			}
			if n := m.young.entries.len() + m.old.entries.len() + len(m.second.items); n > keys+keys/4 {
				t.Fatalf("%s: %d keys are held", name, n)
			}
		}
		m.Settle(nil)
		both := max(0, 2*(min(c[0].end, c[1].end)-max(c[0].begin, c[1].begin)))
		if got := m.Counts().Matched; got != both {
			t.Errorf("%s: %d messages of %d: %+v", name, got, both, m.Counts())
		}
		if err := m.Counts().identity(); err != nil {
			t.Error(err)
		}
	}
}

// What waits while only the other host records is not dropped, whether or not its ends have ports, and what is kept stays bounded.
func TestWhoStandsStillKeeps(t *testing.T) {
	const keys, waiting = 1000, 10
	for _, port := range []uint64{0, 7} {
		for _, alone := range []int{900, 2000, 20_000} {
			m := NewMatcher(keys, nil)
			m.Hosts(2)
			add := func(host int32, d Direction, n int) {
				m.Add(Endpoint{Host: host, Time: int64(n), Direction: d, Port: port, Key: Key{Form: declaredForm, A: uint64(n), B: 5}}, nil)
				if kept := m.young.kept.len() + m.old.kept.len(); kept > 2*keys {
					t.Fatalf("%d ends are kept", kept)
				}
			}
			for n := range waiting {
				add(0, Send, n)
			}
			for n := range alone {
				add(1, Receive, waiting+n)
			}
			for n := range waiting {
				add(1, Receive, n)
			}
			m.Settle(nil)
			if c := m.Counts(); c.Matched != waiting {
				t.Errorf("port %d, %d alone: %d of %d waited for their partners: %+v", port, alone, c.Matched, waiting, c)
			} else if err := c.identity(); err != nil {
				t.Error(err)
			}
		}
	}
}
