package ingest

import (
	"errors"
	"os"

	"synchroscope/catalog"
)

// # An import that the disk has no room for
//
// It is no fault of what is imported, and who makes room needs nothing else: so nothing goes that cannot be had again at once. The set stays in the catalogue
// in the state it was in, as after a crash, for a disk that is full may take no row either. It is shown as failed, with the reason, and gone on
// with when it is asked for again, or at the next start of the program.

// halt leaves the import as it is until it is asked for again; false of a set that is not being imported. s.mu is held.
func (s *Set) halt(fault *Fault) bool {
	switch s.row.State {
	case catalog.Extracting:
		if !s.row.Again && !s.row.Spared { // the archives are there, and what is unpacked of some of them takes room
			if err := os.RemoveAll(s.path("traces")); err != nil {
				s.log.Warn("what is unpacked of an import that has no room is not removed", "error", err)
			}
		}
	case catalog.Reading:
	default:
		return false
	}
	fault.Message += "; all there is of this set is kept: make room and import it again"
	s.halted, s.run = fault, nil
	return true
}

// Failed says why there is nothing to ask of a set: its import failed, or had no room and can go on, which the sentence says then. It is nil of others.
func (s *Set) Failed() *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.halted != nil:
		return &Fault{Conflict, "the import has stopped: " + s.halted.Message}
	case states[s.row.State] == Failed:
		return &Fault{Conflict, s.row.Error}
	}
	return nil
}

// unhalt goes on with an import that had no room; false if there is none.
func (s *Set) unhalt() (bool, error) {
	s.resuming.Lock()
	defer s.resuming.Unlock()
	if again, err := s.restored(); !again || err != nil {
		return again, err
	}
	s.recall()
	s.goOn()
	return true, nil
}

// restored makes an import that had no room what it is after a start.
func (s *Set) restored() (again bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.halted == nil:
		return false, nil
	case s.closing:
		return true, errClosing
	}
	if err := s.restore(); err != nil {
		return true, errors.Join(s.halted, err)
	}
	s.halted = nil
	return true, nil
}
