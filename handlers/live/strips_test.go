package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/sync/clock"
	"synchroscope/sync/network"
)

// busy gives a host threads that call by several names, CPUs that run them and have a frequency, all of which change often until a time.
func busy(t *testing.T, h *fakeHost, end int64, r *rand.Rand) {
	t.Helper()
	w := written(t)
	tree := w.Attributes()
	type lane struct {
		quark  attribute.Quark
		values func() history.Value
	}
	numbers := func(n int) func() history.Value {
		return func() history.Value {
			if v := r.IntN(n + 1); v < n {
				return history.Int(int64(v))
			}
			return history.Null()
		}
	}
	var lanes []lane
	for tid := range int32(4) {
		thread := tree.Path("Threads", strconv.Itoa(int(tid)+5))
		call := tree.Add(thread, "System_call")
		h.threads = append(h.threads, kernel.Thread{TID: tid + 5, PID: tid + 5, Quark: int32(thread)})
		if err := w.Modify(1000, tree.Add(thread, "Name"), w.Text([]byte("worker"))); err != nil {
			t.Fatal(err)
		}
		lanes = append(lanes, lane{thread, numbers(int(kernel.Wait) + 1)}, lane{call, func() history.Value { return w.Text([]byte{"rwo"[r.IntN(3)]}) }})
	}
	for cpu := range 3 {
		q := tree.Path("CPUs", strconv.Itoa(cpu))
		lanes = append(lanes, lane{q, numbers(int(kernel.CPUKernel) + 1)}, lane{tree.Add(q, "Current_thread"), func() history.Value { return history.Int(5 + r.Int64N(4)) }}, lane{tree.Add(q, "Frequency"), func() history.Value { return history.Int(1_000_000 * r.Int64N(4)) }})
	}
	h.history, h.version = w.History(), 1
	for now := int64(1000); now < end; now += r.Int64N(1 << r.IntN(9)) {
		l := lanes[r.IntN(len(lanes))]
		if err := w.Modify(now, l.quark, l.values()); err != nil {
			t.Fatal(err)
		}
	}
	w.Publish(end)
}

// rested is a session of a set of two busy hosts that is read, whose clocks differ and do not go alike.
func rested(t *testing.T, r *rand.Rand) (*session, *fakeSet) {
	t.Helper()
	set := newFake("a", "b")
	solution := &network.Solution{Version: 1, Final: true}
	for i, h := range set.hosts {
		busy(t, h, 60_000, r)
		knots := []clock.Knot{{Local: 0, Reference: int64(300 * i)}, {Local: 20_000, Reference: 20_001}, {Local: 1 << 40, Reference: 1<<40 + int64(7*i)}}
		m, err := clock.New(knots, [][2]int64{{0, 50}, {20_000, 50}, {1 << 40, 60}})
		if err != nil {
			t.Fatal(err)
		}
		solution.Hosts = append(solution.Hosts, network.Host{Name: h.name, Map: m})
		set.status.Hosts[i].State = "done"
	}
	set.solution, set.status.State = solution, ingest.Ready
	s := newSession(NewHub(Options{}), nil, set, new(table), nil)
	s.refreshRows(set.Status())
	return s, set
}

// reducedBy are the runs of some rows of a session in words, by strips that are kept or by the request's own columns.
func reducedBy(t interface{ Fatal(...any) }, s *session, r wire.Request, strips bool) []string {
	out := make([]string, len(r.Rows))
	reduce := s.reducing(s.lens(r.Raw), r, strips)
	for i, id := range r.Rows {
		found, ok := s.rows.row(id)
		if !ok {
			t.Fatal("no row", id)
		}
		runs, err := reduce(context.Background(), []row{found})
		if err != nil {
			t.Fatal(err)
		}
		out[i] = fmt.Sprint(id, runs[0])
	}
	return out
}

// Whatever was asked for before, of rows of any kind, in whatever columns and by whichever clocks: what is put together from
// strips that are kept is what the columns of the request show.
func TestStrips(t *testing.T) {
	s, _ := rested(t, rand.New(rand.NewPCG(1, 2)))
	all := make([]uint32, len(s.rows.rows))
	for i := range all {
		all[i] = uint32(i)
	}
	if len(all) != 2*(1+4+3+3) {
		t.Fatalf("%d rows", len(all))
	}
	rapid.Check(t, func(t *rapid.T) {
		s.hub.strips = newStrips(rapid.SampledFrom([]int{0, 5_000, 1 << 20}).Draw(t, "bytes"))
		for range rapid.IntRange(1, 4).Draw(t, "requests") {
			step := int64(1) << rapid.IntRange(0, 9).Draw(t, "step")
			r := wire.Request{Op: wire.OpStates, Columns: rapid.IntRange(1, 600).Draw(t, "columns"), Raw: rapid.Bool().Draw(t, "raw")}
			r.Begin = rapid.Int64Range(-300, 300).Draw(t, "begin") * step
			r.End = r.Begin + step*int64(r.Columns)
			if rapid.IntRange(0, 4).Draw(t, "odd") == 0 {
				r.Begin, r.End = r.Begin-1, r.End+rapid.Int64Range(-1, 2).Draw(t, "more")
			}
			r.Rows = rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 8, rapid.ID).Draw(t, "rows")
			if got, want := reducedBy(t, s, r, true), reducedBy(t, s, r, false); !slices.Equal(got, want) {
				t.Fatalf("%+v is answered\n%v, want\n%v", r, got, want)
			}
			if k := s.hub.strips.kept; k.bytes > k.most {
				t.Fatalf("%d bytes are kept of %d", k.bytes, k.most)
			}
		}
	})
}

// What is kept of hosts is not made again, is of use to a window beside, and goes with its set; nothing is kept of a set that is imported, of
// which not all is final or that cannot be read for the moment, nor of other rows, and by other clocks it is made anew, but not in raw time.
func TestStripsAreKept(t *testing.T) {
	s, set := rested(t, rand.New(rand.NewPCG(5, 6)))
	host, lent := set.hosts[0], (*history.History)(nil)
	of := []uint32{0, 1}
	ask := func(begin, columns int64, raw bool) (made int) {
		t.Helper()
		before := len(s.hub.strips.kept.kept)
		r := wire.Request{Op: wire.OpStates, Begin: begin * 64, End: (begin + columns) * 64, Columns: int(columns), Raw: raw, Rows: of}
		if _, err := answerStates(t.Context(), s, r); err != nil {
			t.Fatal(err)
		}
		return len(s.hub.strips.kept.kept) - before
	}
	for _, c := range []struct {
		what           string
		begin, columns int64
		raw            bool
		change         func()
		made           int
	}{
		{"the first", 128, 256, false, nil, 2},
		{"the same", 128, 256, false, nil, 0},
		{"beside it", 200, 256, false, nil, 1},
		{"few columns", 900, 100, false, nil, 0},
		{"raw", 128, 256, true, nil, 2},
		{"by other clocks", 128, 256, false, func() { again := *set.solution; set.solution = &again }, 2},
		{"raw by other clocks", 128, 256, true, nil, 0},
		{"what may change", 512, 256, false, func() { set.solution.Final = false }, 0},
		{"what is imported", 512, 256, false, func() { set.solution.Final, set.status.State = true, ingest.Importing }, 0},
		{"what is imported, raw", 512, 256, true, nil, 0},
		{"with other rows", 128, 256, false, func() { set.status.State = ingest.Ready; s.rows.version++ }, 2},
		{"what cannot be read for the moment", 640, 256, false, func() { host.history, lent = nil, host.history }, 0},
		{"what can be read again", 640, 256, false, func() { host.history = lent }, 2},
		{"threads and CPUs", 768, 256, false, func() { of = []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9} }, 0},
	} {
		if c.change != nil {
			set.change(c.change)
		}
		if made := ask(c.begin, c.columns, c.raw); made != c.made {
			t.Errorf("%s: %d strips are made, want %d", c.what, made, c.made)
		}
	}
	s.hub.Forget("another")
	if len(s.hub.strips.kept.kept) == 0 {
		t.Error("they went with another set")
	}
	s.hub.Forget("s")
	if k := s.hub.strips.kept; len(k.kept) != 0 || k.bytes != 0 {
		t.Errorf("of a deleted set %d bytes are kept", k.bytes)
	}
}
