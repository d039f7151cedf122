package ingest

import (
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/text/texttest"
)

// Losses add up by CPU; a list that somebody has does not change, and it does not grow without end.
func TestLossesByCPU(t *testing.T) {
	var list []CPULoss
	for _, l := range []ctf.Loss{{CPU: 3, Count: 5}, {CPU: 0, Count: 2}, {CPU: 3, Count: 4}, {CPU: 1, Packets: 7}, {CPU: -1, Count: 1}} {
		before := slices.Clone(list)
		kept := list
		list = lostOn(list, l)
		if !slices.Equal(kept, before) {
			t.Fatalf("the list before changed to %v", kept)
		}
	}
	if want := []CPULoss{{-1, 1}, {0, 2}, {3, 9}}; !slices.Equal(list, want) {
		t.Errorf("lost on %v, want %v", list, want)
	}
	for cpu := range int32(2 * mostLossy) {
		list = lostOn(list, ctf.Loss{CPU: cpu, Count: 1})
	}
	if len(list) != mostLossy || list[len(list)-1].CPU >= mostLossy {
		t.Errorf("%d CPUs, the last %d", len(list), list[len(list)-1].CPU)
	}
}

// Packets that are missing by their numbers are counted apart from the events that tracers say they lost, for the host and for
// the set; a trace that claims more than there can be makes no count overflow.
func TestLostPackets(t *testing.T) {
	e := openEngine(t, t.TempDir(), Options{})
	for numbers, want := range map[[3]string][2]int64{
		{"0", "1", "2"}:                    {0, 3},
		{"0", "22", "24"}:                  {22, 3},
		{"0", "9000000000000000000", "24"}: {1 << 53, 3},
	} {
		text := texttest.Counted(`hostname="web"`) + `
file s
packet begin=1.000000000 end=2.000000000 seq=` + numbers[0] + ` discarded=0 cpu=0
1.500000000 e
packet begin=2.000000000 end=3.000000000 seq=` + numbers[1] + ` discarded=0 cpu=0
2.500000000 e
packet begin=3.000000000 end=4.000000000 seq=` + numbers[2] + ` discarded=3 cpu=0
3.500000000 e
`
		st := importPath(t, e, "set", texttest.Dir(t, text)).Status()
		if got := [2]int64{st.LostPackets, st.LostEvents}; got != want {
			t.Errorf("of packets %v, %v packets and events are lost, want %v", numbers, got, want)
		}
		if h := st.Hosts[0]; h.LostPackets != want[0] || h.LostEvents != want[1] {
			t.Errorf("of packets %v, on the host %d packets and %d events are lost, want %v", numbers, h.LostPackets, h.LostEvents, want)
		}
	}
}

// Events are read again without a list of what was lost between them.
func TestEventsKeepNoLosses(t *testing.T) {
	text := texttest.Counted(`hostname="web"`) + `
file s
packet begin=1.000000000 end=2.000000000 seq=0 discarded=1 cpu=0
1.500000000 e
packet begin=2.000000000 end=3.000000000 seq=2 discarded=5 cpu=0
2.500000000 e
packet begin=3.000000000 end=4.000000000 seq=5 discarded=9 cpu=0
3.500000000 e
`
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, text))
	c, err := openCursor(s.Hosts()[0], nil, &EventQuery{Begin: math.MinInt64, End: math.MaxInt64, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.reader.Close()
	events := 0
	for {
		more, err := c.next()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		events++
		if kept := c.reader.Losses(); len(kept) > 0 {
			t.Errorf("with event %d, %d losses are kept: %+v", events, len(kept), kept)
		}
	}
	if events != 3 {
		t.Errorf("%d events", events)
	}
}

// When events may be missing of which messages are made is known for losses of every kind, to the ns, and by another process as well. What is missing
// of a trace that has no ends of messages does not count.
func TestLossesHaveTheirTimes(t *testing.T) {
	text := "-- k.trace --\n" + texttest.Counted(`hostname="web"`, `domain="kernel"`) + `
file s_0
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=2.500000000 end=3.000000000 seq=3 discarded=0 cpu=0
2.700000000 e
packet begin=3.000000000 end=4.000000000 seq=4 discarded=1 cpu=0
3.500000000 e
packet begin=4.000000000 end=9.000000000 seq=5 discarded=1 cpu=0
8.500000000 e
file s_1
packet begin=1.200000000 end=9.000000000 seq=7 discarded=0 cpu=1
8.000000000 e
-- u.trace --
` + texttest.Counted(`hostname="web"`, `domain="ust"`) + `
file u_0
packet begin=5.000000000 end=6.000000000 seq=0 discarded=0 cpu=0
5.500000000 e
packet begin=7.000000000 end=8.000000000 seq=2 discarded=0 cpu=0
7.500000000 e
`
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "set", texttest.Dir(t, text))
	const second = 1_000_000_000
	check := func(h *Host) {
		t.Helper()
		for _, x := range []struct {
			at      int64
			missing bool
		}{
			{math.MinInt64, true}, {1.2 * second, true}, {1.2*second + 1, false}, {2*second - 1, false}, {2 * second, true}, {2.3 * second, true},
			{2.5 * second, true}, {2.5*second + 1, false}, {3*second - 1, false}, {3 * second, true}, {3.7 * second, true}, {4 * second, true}, {4*second + 1, false},
			{6.5 * second, false}, {20 * second, false},
		} {
			if got := h.LostBetween(x.at, x.at+1); got != x.missing {
				t.Errorf("events are missing at %d: %v", x.at, got)
			}
		}
		// Columns of a strip have what is told of their stretches, however narrow they are.
		var edges []int64
		for at := int64(second); at <= 9*second; at += second / 10 {
			edges = append(edges, at, at+1)
		}
		_, columns, err := h.Density(t.Context(), edges, edges, nil)
		if err != nil {
			t.Fatal(err)
		}
		lossy := 0
		for i, c := range columns {
			told, err := h.Losses(t.Context(), LossQuery{Begin: edges[i], End: edges[i+1]})
			if err != nil || c.Events != told[0].Events || c.Packets != told[0].Packets || c.Reaching != told[0].Beyond.Times {
				t.Errorf("from %d to %d a column has %+v, and %+v is told, %v", edges[i], edges[i+1], c, told, err)
			}
			if c.Events+c.Packets > 0 {
				lossy++
			}
		}
		if lossy != 53 {
			t.Errorf("%d columns have losses", lossy)
		}
		if h.LostBetween(4*second+1, 9*second) || !h.LostBetween(0, 9*second) || h.LostSometime() {
			t.Errorf("at unknown times: %v", h.LostSometime())
		}
	}
	h := s.Hosts()[0]
	check(h)
	if st := s.Status(); st.LostPackets != 3 || st.LostEvents != 1 {
		t.Errorf("%d packets and %d events are lost", st.LostPackets, st.LostEvents)
	}
	closeEngine(t, e)
	e = openEngine(t, dir, Options{})
	s, _ = e.Set(s.ID())
	h = s.Hosts()[0]
	check(h)

	// A checkpoint that was made before times were noted says so.
	side, err := e.catalog.Checkpoint(s.id, h.index)
	if err != nil {
		t.Fatal(err)
	}
	c, err := readCheckpoint(h.dir, side)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	c.gaps = nil
	h.mu.Lock()
	err = h.take(c)
	h.mu.Unlock()
	if err != nil || !h.LostSometime() || h.LostBetween(2*second, 2.2*second) || h.LostBetween(0, second) {
		t.Errorf("without times of losses: %v, at unknown times: %v", err, h.LostSometime())
	}
}

// When and on which CPU something was lost is kept loss by loss, for this process and for another. Of a host that an earlier version of the program read,
// or whose file is damaged, nothing is told, and all else is.
func TestEachLossIsKept(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "set", texttest.Dir(t, texttest.Counted(`hostname="web"`)+`
file s_0
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=2.500000000 end=3.000000000 seq=1 discarded=489 cpu=0
2.700000000 e
packet begin=3.500000000 end=4.000000000 seq=4 discarded=489 cpu=0
3.700000000 e
file s_1
packet begin=1.200000000 end=2.000000000 seq=0 discarded=7 cpu=1
1.800000000 e
`))
	want := []Loss{
		{CPU: 1, Begin: 1.2e9, End: 2e9, At: 1.8e9, Events: 7},
		{CPU: 0, Begin: 2e9, End: 3e9, At: 2.7e9, Events: 489},
		{CPU: 0, Begin: 3e9, End: 3.5e9, At: 2.7e9, Packets: 2},
	}
	all := LossQuery{Begin: math.MinInt64, End: math.MaxInt64, Edges: []int64{2e9}}
	check := func(h *Host) {
		t.Helper()
		list, err := h.EachLoss(t.Context(), all, 9)
		if err != nil || !reflect.DeepEqual(list, want) {
			t.Errorf("lost were %+v, %v; want %+v", list, err, want)
		}
		parts, err := h.Losses(t.Context(), all)
		if err != nil || len(parts) != 2 || parts[0].Events != 7 || parts[1].Sum != (LossSum{Times: 2, Events: 489, Packets: 2, Begin: 2e9, Last: 3e9, End: 3.5e9, First: 2.7e9, Final: 2.7e9, CPU: 0}) {
			t.Errorf("lost were %+v, %v", parts, err)
		}
	}
	check(s.Hosts()[0])
	again := func() *Host {
		closeEngine(t, e)
		e = openEngine(t, dir, Options{})
		s, _ = e.Set(s.ID())
		return s.Hosts()[0]
	}
	h := again()
	check(h)

	path := h.path(lossesFile)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	h = again()
	if parts, err := h.Losses(t.Context(), all); parts != nil || err != nil || h.History() == nil || h.Unreadable() != "" {
		t.Errorf("of a damaged file %+v, %v; %s", parts, err, h.Unreadable())
	}
	side, err := e.catalog.Checkpoint(s.id, h.index)
	if err != nil {
		t.Fatal(err)
	}
	c, err := readCheckpoint(h.dir, side)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	c.summary.Losses = 0
	h.mu.Lock()
	err = h.take(c)
	h.mu.Unlock()
	parts, no := h.Losses(t.Context(), all)
	list, not := h.EachLoss(t.Context(), all, 9)
	if err != nil || no != nil || not != nil || parts != nil || list != nil || h.figures().Lost != 496 {
		t.Errorf("without times %+v, %+v, %d events: %v, %v, %v", parts, list, h.figures().Lost, err, no, not)
	}
}

// What a packet counts that is cut was lost up to the end of the recording, as far as anybody knows, and no further: the times that are told are those of it.
// What was cut off is a loss of its own, from the last event of the stream on.
func TestLossesOfACutPacket(t *testing.T) {
	text := texttest.Counted(`hostname="web"`, `domain="kernel"`) + `
file s_0
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=2.000000000 false-packet-end=2000000000 seq=1 discarded=20 cpu=0
2.300000000 e
2.400000000 e
cut 1
file s_1
packet begin=1.000000000 end=3.000000000 seq=0 discarded=0 cpu=1
2.900000000 e
`
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, text))
	h := s.Hosts()[0]
	all := LossQuery{Begin: math.MinInt64, End: math.MaxInt64}
	counted, cut := Loss{CPU: 0, Begin: 2e9, End: 2.9e9, At: 2.3e9, Events: 20}, Loss{CPU: 0, Begin: 2.3e9, End: 2.9e9, At: 2.3e9, Packets: 1}
	if list, err := h.EachLoss(t.Context(), all, 9); err != nil || !slices.Equal(list, []Loss{counted, cut}) {
		t.Errorf("%+v, %v, want %+v and %+v", list, err, counted, cut)
	}
	if parts, err := h.Losses(t.Context(), all); err != nil || parts[0].Sum != LossSumOf(counted).With(LossSumOf(cut)) {
		t.Errorf("%+v, %v, want the sum of %+v and %+v", parts, err, counted, cut)
	}
	if st := s.Status(); st.LostPackets != 1 || st.Hosts[0].LostPackets != 1 {
		t.Errorf("the report tells of %d packets, of the host of %d", st.LostPackets, st.Hosts[0].LostPackets)
	}
	edges := []int64{1e9, 2.1e9, 2.2e9, 3e9, 4e9}
	_, columns, err := h.Density(t.Context(), edges, edges, nil)
	if err != nil || columns[1].Events != 20 || columns[1].Spread < 2 || columns[1].Spread > 2.5 || columns[3].Events != 0 {
		t.Errorf("%+v, %v, want 20 events between 2 s and 2.9 s", columns, err)
	}
	if !h.LostBetween(2.35e9, 2.36e9) || h.LostBetween(1.6e9, 1.7e9) {
		t.Error("nobody knows of messages that are missing where the packet lost events")
	}
}
