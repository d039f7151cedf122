package ingest

import (
	"errors"
	"os"
	"slices"

	"synchroscope/catalog"
	"synchroscope/state/history"
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
	row, err := s.e.catalog.Move(s.id, catalog.Reading, nil)
	if err != nil {
		return err
	}
	s.log.Warn("a set of another version of the program is read again", "name", row.Name)
	s.row = row
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
