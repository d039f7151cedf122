package ingest

import (
	"errors"
	"os"
	"slices"

	"synchroscope/catalog"
	"synchroscope/state/history"
	"synchroscope/sync/network"
)

// renew sends a set that is ready back to reading where a program with another format of
// histories imported it: nothing of such a history can be shown, and the traces are still there.
func (s *Set) renew() error {
	if !slices.ContainsFunc(s.hosts, (*Host).outdated) {
		return nil
	}
	for _, h := range s.hosts {
		for _, t := range h.row.Traces {
			if _, err := os.Stat(h.place(t)); err != nil {
				s.log.Error("a set of another version of the program cannot be read again: a trace is gone", "host", h.row.Name, "error", err)
				return nil
			}
		}
	}
	row, err := s.e.catalog.Move(s.id, catalog.Reading, func(row *catalog.Set) { row.Again = true })
	if err != nil {
		return err
	}
	s.log.Warn("a set of another version of the program is read again", "name", row.Name)
	s.row = row
	return nil
}

// solveAsBefore replaces the synchronization of a set that is read again by one in the way that its user had chosen. What
// cannot be chosen any more is left at that.
func (s *Set) solveAsBefore(c *network.Constraints) error {
	s.mu.Lock()
	again := s.row.Again
	s.mu.Unlock()
	if !again {
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

// outdated tells whether the host's history is of another version.
func (h *Host) outdated() bool {
	f, err := os.Open(h.path(historyFile))
	if err != nil {
		return false // no event, or damage that is met when the host is looked at
	}
	defer f.Close()
	var other *history.VersionError
	return errors.As(history.CheckHeader(f), &other)
}
