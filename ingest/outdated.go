package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"synchroscope/catalog"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
	"synchroscope/sync/network"
)

// renew sends a set that is ready back to reading where the history of a host cannot be shown, since a program with another format of
// histories imported it or since it is damaged: the traces are still there. So it does, if that is wanted, where an earlier model built
// the states.
func (s *Set) renew() error {
	again, gone := s.outdated()
	if gone != nil {
		s.log.Error("a set cannot be read again: a trace is gone", "error", gone)
	}
	if !again {
		return nil
	}
	row, err := s.e.catalog.Move(s.id, catalog.Reading, func(row *catalog.Set) { row.Again = true })
	if err != nil {
		return err
	}
	s.log.Warn("a set is read again", "name", row.Name)
	s.row = row
	return nil
}

// outdated tells whether a history of the set is to be made again, and can be, or which trace of it is gone.
func (s *Set) outdated() (again bool, gone error) {
	for _, h := range s.hosts {
		if err := h.unusable(); err != nil {
			s.log.Warn("the history of a host cannot be shown", "host", h.row.Name, "cause", err)
			h.lost, again = true, true
		} else if err := h.harmBefore(); err != nil {
			s.log.Warn("a file of a host is damaged", "host", h.row.Name, "cause", err)
			again = true
		}
		again = again || h.earlier.Load() && s.e.o.Rebuild
	}
	if !again {
		return false, nil
	}
	for _, h := range s.hosts {
		for _, t := range h.row.Traces {
			if _, err := os.Stat(h.place(t)); err != nil {
				return false, fmt.Errorf("%s: %w", h.row.Name, err)
			}
		}
	}
	return true, nil
}

// earlierModel is the kind of anomaly of a host whose states an earlier model built.
const earlierModel = "earlier-model"

// errEarlierModel is why a host that was done is read again by which a newer model is to build its states.
var errEarlierModel = errors.New("an earlier model built the states")

// Again tells whether the set is being read again, since what an earlier process made of it cannot be shown.
func (s *Set) Again() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.row.Again && s.row.State == catalog.Reading
}

// again tells whether the set is read again or was found again, in whatever state.
func (s *Set) again() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.row.Again
}

// solveAsBefore replaces the synchronization of a set that is read again by one in the way that its user had chosen. What
// cannot be chosen any more is left at that.
func (s *Set) solveAsBefore(c *network.Constraints) error {
	if !s.again() {
		return nil
	}
	o, err := readOptions(s.path("solution"))
	if err != nil {
		s.log.Warn("how the set was synchronized before it was read again is not known", "error", err)
		return nil
	}
	if o.Reference == "" && o.Window == nil && len(o.Exclude) == 0 && (o.Method == "" || o.Method == network.MethodHull) {
		return nil
	}
	solution, err := s.solveBy(s.ctx, c, o)
	var fault *Fault
	if errors.As(err, &fault) {
		s.log.Warn("the set cannot be synchronized as it was before it was read again", "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	solution.Version = s.solution.Load().Version + 1
	s.solution.Store(solution)
	return nil
}

// unusable says why nothing of the host can be shown as it was left, and notes whether an earlier model built its states. Its final checkpoint is damaged or gone, or its
// history is: of another version, damaged where the whole of it hangs on, or cut. Damage to a part of that is met when it is looked at.
func (h *Host) unusable() error {
	side, err := h.set.e.catalog.Checkpoint(h.set.id, h.index)
	if err != nil {
		return fmt.Errorf("the catalogue has no final checkpoint of it: %w", err)
	}
	c, err := readCheckpoint(h.dir, side)
	if err != nil {
		return err
	}
	defer c.close()
	f, err := os.Open(h.path(historyFile))
	if errors.Is(err, fs.ErrNotExist) && c.summary.Events == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	tree, err := history.OpenCached(f, history.NewCache(0))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	h.earlier.Store(tree.Stats().Model < kernel.Version)
	return nil
}
