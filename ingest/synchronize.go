package ingest

import (
	"context"
	"math"
	"slices"
	"strings"

	"synchroscope/ingest/messages"
	"synchroscope/sync/baseline"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// Synchronize synchronizes a set that is ready once more, in another way, and returns the new
// version, which replaces the one before for good. No trace is read: hulls are stored, and other
// methods take the message file. An empty method is that of hulls. Faults say what of the options cannot be.
func (s *Set) Synchronize(ctx context.Context, o network.Options) (*network.Solution, error) {
	if o.Method == "" {
		o.Method = network.MethodHull
	}
	if !slices.Contains(baseline.Names(), o.Method) {
		return nil, faultf(Invalid, "there is no method %q; there are %s", o.Method, strings.Join(baseline.Names(), ", "))
	}
	before, done, err := s.settled(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	c, err := s.constraints()
	if err != nil {
		return nil, err
	}
	solution, err := s.solveBy(ctx, c, o)
	if err != nil {
		return nil, err
	}
	solution.Version = before.Version + 1
	return solution, s.publish(solution)
}

// solveBy synchronizes the set in a way that may name what is not there; the faults say so.
func (s *Set) solveBy(ctx context.Context, c *network.Constraints, o network.Options) (*network.Solution, error) {
	solution, err := c.Solve(network.Config{Reference: o.Reference, Exclude: o.Exclude, Window: o.Window})
	if err != nil {
		return nil, faultf(Invalid, "%s", err)
	}
	if o.Method != network.MethodHull {
		if solution, err = s.byMethod(ctx, solution, o); err != nil {
			return nil, err
		}
	}
	solution.Options = o
	return solution, nil
}

// settled returns the solution of a set that is ready, which stays the same until done is called.
func (s *Set) settled(ctx context.Context) (solution *network.Solution, done func(), err error) {
	s.mu.Lock()
	ready, closing := s.result != nil && s.enter(), s.closing
	s.mu.Unlock()
	if !ready {
		return nil, nil, s.notReady(closing)
	}
	s.synchronizing.Lock()
	done = func() {
		s.synchronizing.Unlock()
		s.busy.Done()
	}
	solution, err = s.Solved()
	if ctx.Err() != nil { // nobody waits any more
		err = context.Cause(ctx)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return solution, done, nil
}

var errClosing = faultf(Conflict, "the set is being closed")

func (s *Set) notReady(closing bool) *Fault {
	if closing {
		return errClosing
	}
	if f := s.Failed(); f != nil {
		return f
	}
	return faultf(Conflict, "the set is being imported; it can be synchronized in another way, and its hosts be compared, when it is ready")
}

// byMethod is the synchronization by a method that looks at messages one by one. own is that of hulls.
func (s *Set) byMethod(ctx context.Context, own *network.Solution, o network.Options) (*network.Solution, error) {
	method, _ := baseline.ParseMethod(o.Method)
	name := func(host int32) string { return own.Hosts[host].Name }
	q := messages.Query{Begin: math.MinInt64, End: math.MaxInt64, Wanted: func(from, to int32) bool {
		return !slices.ContainsFunc(o.Exclude, func(pair [2]string) bool {
			return pair == [2]string{name(from), name(to)} || pair == [2]string{name(to), name(from)}
		})
	}}
	if o.Window != nil {
		q.Begin, q.Time = 0, func(host int32, local int64) int64 { return into(own.Hosts[host].Window, local) }
	}
	all := baseline.NewMessages(0)
	if err := s.selectMessages(ctx, q, func(m match.Message) bool {
		if own.InWindow(m.From, m.To, m.Sent, m.Received) {
			all.Add(m)
		}
		return true
	}); err != nil {
		return nil, err
	}
	var c baseline.Config
	for i, h := range own.Hosts {
		if h.Name == o.Reference {
			c.References = []int32{int32(i)}
		}
	}
	return baseline.Solve(own, all.Links(), method, c), nil
}

// into is how many ns of a window are before a time: -1 before it, and no end after it.
func into(w *network.Window, local int64) int64 {
	switch {
	case local < w.Begin:
		return -1
	case !w.Has(local):
		return math.MaxInt64
	}
	return int64(min(uint64(local)-uint64(w.Begin), math.MaxInt64-1))
}

// publish makes a solution of a set that is ready durable, and lets everybody see it.
func (s *Set) publish(solution *network.Solution) error {
	if err := writeSolution(s.path("solution"), solution); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	renewed := *s.result
	renewed.Status.Hosts = slices.Clone(renewed.Status.Hosts)
	renewed.Status.by(solution)
	if err := s.e.catalog.Renew(s.id, &renewed); err != nil {
		return err
	}
	s.result, s.comparisons = &renewed, nil
	s.solution.Store(solution)
	s.mark()
	return nil
}
