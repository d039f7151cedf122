package kernel_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/trace/ctf"
)

// simulated runs a scenario of the library, changed by edit, and returns its hosts.
func simulated(t *testing.T, name string, edit func(*scenario.Scenario)) []ctf.HostTraces {
	t.Helper()
	return seeded(t, name, 1, edit)
}

// seeded simulates a scenario by the chance of a seed.
func seeded(t *testing.T, name string, seed uint64, edit func(*scenario.Scenario)) []ctf.HostTraces {
	t.Helper()
	s, err := scenario.Load(name, scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		s.Duration = min(s.Duration, 3e9)
	}
	if edit != nil {
		edit(s)
	}
	dir := t.TempDir()
	if _, err := simulate.Run(context.Background(), s, simulate.Options{Out: dir, Seed: seed}); err != nil {
		t.Fatal(err)
	}
	return hosts(t, dir)
}

// spared has nothing of a scenario lost: what happens stays the same.
func spared(s *scenario.Scenario) {
	for i := range s.Hosts {
		h := &s.Hosts[i].Tracing
		h.SubBuffer, h.SubBuffers, h.Rate, h.Wake, h.Loss, h.Cut = 4<<20, 4, 0, 0, 0, false
	}
}

// instants is how many random ones are looked at: a tenth with -short.
const instants = 10_000

// A tally counts looks at threads.
type tally struct {
	right, wrong int
	unseen       int // no event tells yet what the thread does
	unknown      int // some event has, and the model does not know
	untold       int // in a call whose entry was before the recording: the model says in none
}

// A comparison holds the history of a host against the oracle.
type comparison struct {
	t     *testing.T
	h     *history.History
	o     *oracle
	times []int64
	tally
}

// compare looks at every thread that the history knows, at random instants of it.
func compare(t *testing.T, h *history.History, o *oracle) tally {
	c := &comparison{t: t, h: h, o: o}
	dice := rand.New(rand.NewPCG(6, 6))
	n := instants
	if testing.Short() {
		n /= 10
	}
	begin, end := h.Bounds()
	for range n {
		c.times = append(c.times, begin+dice.Int64N(end-begin))
	}
	slices.Sort(c.times)
	tree := h.Attributes()
	for _, q := range tree.Match("Threads/*") {
		var tid int64
		if n, _ := fmt.Sscanf(tree.Name(q), "%d", &tid); n == 1 && tid != 0 {
			c.thread(tid, q)
		}
	}
	return c.tally
}

// thread compares one thread.
func (c *comparison) thread(tid int64, status attribute.Quark) {
	states := c.column(status)
	calls := c.column(c.h.Attributes().Child(status, "System_call"))
	l := c.o.life(tid)
	for i, at := range c.times {
		want, call := l.at(at)
		got := gone
		if n, ok := states[i].Int(); ok {
			got = kernel.Status(n)
		}
		switch {
		case want == got && want == unseen:
			c.unseen++
		case got == kernel.Unknown:
			c.unknown++
		case want == kernel.Syscall && got == kernel.User && call == "":
			c.untold++
		case want != got:
			c.fail("thread %d at %d: %v, want %v", tid, at, got, want)
		case got.OnCPU() && !calls[i].IsNull() && c.h.String(calls[i]) != call:
			c.fail("thread %d at %d: in %q, want %q", tid, at, c.h.String(calls[i]), call)
		default:
			c.right++
		}
	}
}

func (c *comparison) fail(format string, args ...any) {
	if c.wrong++; c.wrong <= 10 {
		c.t.Errorf(format, args...)
	}
}

// column is what an attribute holds at the instants.
func (c *comparison) column(q attribute.Quark) []history.Value {
	out := make([]history.Value, len(c.times))
	if q == attribute.None {
		return out
	}
	i := 0
	intervals(c.t, c.h, func(iv history.Interval) {
		for i < len(c.times) && c.times[i] < iv.Start {
			i++
		}
		for ; i < len(c.times) && c.times[i] < iv.End; i++ {
			out[i] = iv.Value
		}
	}, q)
	return out
}

// Of a recording without losses the state of every thread is right at every instant, from
// the first event about the thread on.
func TestTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine asks for 200 million states")
	}
	for _, name := range []string{"web", "many-threads-20k", "syscall-storm"} {
		t.Run(name, func(t *testing.T) {
			for _, traces := range simulated(t, name, spared) {
				got := compare(t, build(t, traces, 0).Writer.History(), ask(t, traces))
				t.Logf("%s: %d looks right, %d at threads of which no event tells yet, %d unknown, %d wrong", traces.Name, got.right, got.unseen, got.unknown, got.wrong)
				if got.unknown+got.untold > 0 {
					t.Errorf("%s: %d looks find a thread unknown of which an event has told, %d one in user space before it returns from a call", traces.Name, got.unknown, got.untold)
				}
			}
		})
	}
}

// Where events are lost, nothing is wrong: the same machines, traced without
// losses, are asked. And not everything is unknown. By the second and the third seed the first packet of a CPU is lost, by the fourth the last.
func TestTruthLost(t *testing.T) {
	for _, seed := range []uint64{1, 10, 68, 52} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { truthLost(t, seed) })
	}
}

func truthLost(t *testing.T, seed uint64) {
	t.Helper()
	lossless := seeded(t, "lost-events", seed, spared)
	for i, traces := range seeded(t, "lost-events", seed, nil) {
		got := compare(t, build(t, traces, 0).Writer.History(), ask(t, lossless[i]))
		all := got.right + got.unknown + got.unseen + got.untold
		t.Logf("%s: of %d looks %.1f %% right, %.1f %% unknown, %d wrong", traces.Name, all, 100*float64(got.right)/float64(all), 100*float64(got.unknown)/float64(all), got.wrong)
		if got.right == 0 || got.untold > 0 {
			t.Errorf("%s: %+v, want some right, none untold", traces.Name, got)
		}
	}
}
