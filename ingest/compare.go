package ingest

import (
	"context"

	"synchroscope/sync/network"
)

// Compare compares two hosts of a set that is ready directly, in the way that it was synchronized last, and
// returns what is known with its version. No trace is read. Faults say which host is not there, or that no message relates the two.
func (s *Set) Compare(ctx context.Context, a, b string) (c network.Comparison, version int64, err error) {
	solution, done, err := s.settled(ctx)
	if err != nil {
		return c, 0, err
	}
	defer done()
	pair := [2]string{a, b}
	var all []network.Comparison
	if o := solution.Options; o.Method == network.MethodHull {
		constraints, err := s.constraints()
		if err != nil {
			return c, 0, err
		}
		all, err = constraints.Compare(network.Config{Reference: o.Reference, Exclude: o.Exclude, Window: o.Window}, pair)
		if err != nil {
			return c, 0, faultf(Invalid, "%s", err)
		}
	} else if all, err = solution.Compare(pair); err != nil {
		return c, 0, faultf(Invalid, "%s", err)
	}
	return all[0], solution.Version, nil
}
