package ingest

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"synchroscope/sync/network"
)

// comparisons are of the hosts of one solution. The newest of a set are kept.
type comparisons struct {
	of       *network.Solution
	done     chan struct{} // closed when the rest is known
	paired   *network.Solution
	comparer *network.Comparer // nil if err is not
	err      error
}

// errSuperseded ends comparisons of a solution that is not the set's any more.
var errSuperseded error = faultf(Conflict, "the set was synchronized anew meanwhile; ask once more")

// comparedAtOnce is how many pairs are compared between two looks at whether the set is closed.
const comparedAtOnce = 64

// Compare compares two hosts of a set that is ready directly, in the way that it was synchronized last, and
// returns what is known with its version. No trace is read. Faults say which host is not there, or that no message relates the two.
func (s *Set) Compare(ctx context.Context, a, b string) (c network.Comparison, version int64, err error) {
	if !s.ready() {
		return c, 0, s.notReady(false)
	}
	solution, err := s.Solved()
	if err != nil {
		return c, 0, err
	}
	compare := func(pairs ...[2]string) ([]network.Comparison, error) { return solution.Compare(pairs...) }
	if solution.Options.Method == network.MethodHull {
		known, err := s.compared(ctx, solution)
		if err == nil && known.err != nil {
			s.compareAnew(known)
			err = known.err
		}
		if err != nil {
			return c, 0, err
		}
		compare = known.comparer.Compare
	}
	all, err := compare([2]string{a, b})
	if err != nil {
		return c, 0, faultf(Invalid, "%s", err)
	}
	return all[0], solution.Version, nil
}

// Paired is a solution of the set with what the hosts that exchanged messages know of each other, see [network.Solution.WithPairs]. That is worked out when
// it is asked for first. While the set is imported there is none, nor by methods that bound nothing, nor where it cannot be worked out: then it is
// the solution as it was. The error is that of the context.
func (s *Set) Paired(ctx context.Context, solution *network.Solution) (*network.Solution, error) {
	if solution == nil || !solution.Final || solution.Options.Method != network.MethodHull || !s.ready() {
		return solution, nil
	}
	c, err := s.compared(ctx, solution)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil: // the set is being closed
		return solution, nil
	}
	return c.paired, nil
}

// compared waits for the comparisons of a solution of a set that is ready, and begins with them if nobody has. They do not end with whoever asked first.
func (s *Set) compared(ctx context.Context, solution *network.Solution) (*comparisons, error) {
	s.mu.Lock()
	ready := s.result != nil
	if ready && (s.comparisons == nil || s.comparisons.of != solution) {
		if ready = s.enter(); ready {
			s.comparisons = &comparisons{of: solution, done: make(chan struct{}), paired: solution}
			go s.compareAll(s.comparisons)
		}
	}
	c, closing := s.comparisons, s.closing
	s.mu.Unlock()
	if !ready {
		return nil, s.notReady(closing)
	}
	select {
	case <-c.done:
		return c, nil
	case <-ctx.Done(): // nobody waits any more
		return nil, context.Cause(ctx)
	}
}

// compareAnew lets the next who asks try once more.
func (s *Set) compareAnew(c *comparisons) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.comparisons == c {
		s.comparisons = nil
	}
}

// compareAll makes the comparisons of a solution. A new synchronization does not wait for them, and ends them.
func (s *Set) compareAll(c *comparisons) {
	defer s.busy.Done()
	defer close(c.done)
	if c.err = s.compareBy(c); c.err != nil && s.ctx.Err() == nil && c.err != errSuperseded {
		s.log.Error("the hosts cannot be compared; errors of latencies are the sum of both clocks'", "error", c.err)
	}
}

// stored are the constraints of the set. They may have to be written anew, which a synchronization may do as well.
func (s *Set) stored() (*network.Constraints, error) {
	s.synchronizing.Lock()
	defer s.synchronizing.Unlock()
	return s.constraints()
}

func (s *Set) compareBy(c *comparisons) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic while comparing hosts", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("the program failed on the synchronization of this set: %v", p)
		}
	}()
	constraints, err := s.stored()
	if err != nil {
		return err
	}
	o := c.of.Options
	comparer, err := constraints.Comparer(network.Config{Reference: o.Reference, Exclude: o.Exclude, Window: o.Window})
	if err != nil {
		return err
	}
	var pairs []network.Comparison
	for some := range slices.Chunk(comparer.Linked(), comparedAtOnce) {
		if s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		if s.Solution() != c.of {
			return errSuperseded
		}
		compared, err := comparer.Compare(some...)
		if err != nil {
			return err
		}
		pairs = append(pairs, compared...)
	}
	c.paired, c.comparer = c.of.WithPairs(pairs), comparer
	return nil
}
