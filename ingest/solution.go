package ingest

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"synchroscope/ingest/blockfile"
	"synchroscope/ingest/messages"
	"synchroscope/internal/durable"
	"synchroscope/state/scratch"
	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// storedSolution is the file "solution": four bytes of CRC32C, then this as JSON.
type storedSolution struct {
	*network.Solution
	Maps [][]byte // of the hosts, as clock.Map.AppendBinary writes them
}

// Solution is the newest synchronization, nil before the hosts are known. Where that of a set that is ready can neither be read nor made again ([Set.Unsolved]),
// it is one that relates no host to another.
func (s *Set) Solution() *network.Solution {
	if sol := s.solution.Load(); sol != nil || !s.ready() {
		return sol
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	if sol := s.solution.Load(); sol != nil {
		return sol
	}
	sol, err := readSolution(s.path("solution"))
	if err == nil {
		s.addWindows(sol)
	}
	if err != nil {
		s.log.Warn("the stored synchronization cannot be read and is made again", "error", err)
		if sol, err = s.solveAgain(); err != nil {
			s.log.Error("the synchronization cannot be made again", "error", err)
			fault := s.Damaged(err)
			if fault == nil { // it may work the next time
				return s.unrelated()
			}
			sol = s.unrelated()
			s.unsolved.Store(fault)
			defer s.mark()
		}
	}
	s.solution.Store(sol)
	return sol
}

// addWindows gives the hosts of a solution by a window what that is by their clocks: an earlier version did not store it.
func (s *Set) addWindows(sol *network.Solution) {
	o := sol.Options
	if o.Window == nil || !slices.ContainsFunc(sol.Hosts, func(h network.Host) bool { return h.Window == nil }) {
		return
	}
	c, err := s.constraints()
	if err == nil {
		var own *network.Solution
		if own, err = c.Solve(network.Config{Reference: o.Reference, Exclude: o.Exclude, Window: o.Window}); err == nil && len(own.Hosts) == len(sol.Hosts) {
			for i := range sol.Hosts {
				sol.Hosts[i].Window = own.Hosts[i].Window
			}
		}
	}
	if err != nil {
		s.log.Warn("what the window of a synchronization is by the clocks of the hosts is not known", "error", err)
	}
}

// Unsolved says why the clocks of a set that is ready are not known though its messages were; nil where they are, or nobody has asked for them yet.
func (s *Set) Unsolved() *Fault { return s.unsolved.Load() }

// Solved is [Set.Solution] for who goes by what it says of the clocks. It is a fault where there is none, where there is none but one that relates
// no host to another since what it is made of cannot be read, and where that may be different when it is asked for next.
func (s *Set) Solved() (*network.Solution, error) {
	if s.Solution() == nil {
		return nil, faultf(Conflict, "the set has no synchronization")
	}
	if fault := s.Unsolved(); fault != nil {
		return nil, fault
	}
	if solution := s.solution.Load(); solution != nil {
		return solution, nil
	}
	return nil, faultf(Conflict, "the synchronization of the set cannot be read now, nor what it is made of; ask again")
}

// unrelated is the solution of hosts of which no message is known.
func (s *Set) unrelated() *network.Solution {
	n := network.New(s.networkConfig())
	hosts := s.Hosts()
	for _, h := range hosts {
		n.AddHost(h.row.Name, h.row.ID)
		if sum := h.figures(); sum.Events > 0 {
			n.Span(h.index, sum.Begin, sum.End-1)
		}
	}
	for i := range hosts {
		n.Done(int32(i), func(match.Message) {})
	}
	return n.Solution()
}

func (s *Set) ready() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result != nil
}

// writeSolution makes a solution durable.
func writeSolution(path string, sol *network.Solution) error {
	stored := storedSolution{Solution: sol}
	for _, h := range sol.Hosts {
		stored.Maps = append(stored.Maps, h.Map.AppendBinary(nil))
	}
	b, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	sum := binary.LittleEndian.AppendUint32(nil, crc32.Checksum(b, castagnoli))
	return durable.WriteFile(path, append(sum, b...))
}

// readStored reads as much of the file as into has names for.
func readStored(path string, into any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(b) < 4 || crc32.Checksum(b[4:], castagnoli) != binary.LittleEndian.Uint32(b) {
		return fmt.Errorf("%s is damaged", path)
	}
	if err := json.Unmarshal(b[4:], into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readOptions reads what a stored solution was made by.
func readOptions(path string) (network.Options, error) {
	var stored struct{ Options network.Options }
	err := readStored(path, &stored)
	return stored.Options, err
}

func readSolution(path string) (*network.Solution, error) {
	stored := storedSolution{Solution: new(network.Solution)}
	err := readStored(path, &stored)
	if err != nil {
		return nil, err
	}
	if len(stored.Maps) != len(stored.Hosts) {
		return nil, fmt.Errorf("%s has %d hosts and %d clock maps", path, len(stored.Hosts), len(stored.Maps))
	}
	for i, m := range stored.Maps {
		if stored.Hosts[i].Map, _, err = clock.Parse(m); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return stored.Solution, nil
}

// keysOnHeap bytes of what is remembered of endpoints come off the heap before there is a file for it.
const keysOnHeap = 1 << 20

func (s *Set) networkConfig() network.Config {
	return network.Config{MaxPending: s.e.o.maxPending, Space: scratch.New(s.dir, keysOnHeap)}
}

// store returns the message store, opened if need be, or nil.
func (s *Set) store() (*messages.Store, error) {
	if m := s.messages.Load(); m != nil || !s.ready() {
		return m, nil
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	if m := s.messages.Load(); m != nil {
		return m, nil
	}
	m, err := openMessages(s.path(messageLog))
	if err != nil && !unreadable(err) {
		return nil, err
	}
	if err != nil && s.unmatched != nil {
		return nil, s.unmatched
	}
	if err != nil {
		s.log.Warn("the messages cannot be read and are made again", "error", err)
		if _, m, err = s.rematch(); err != nil {
			s.log.Error("the messages cannot be made again", "error", err)
			if file := (*FileError)(nil); errors.As(err, &file) {
				s.unmatched = err
			}
			return nil, err
		}
	}
	s.messages.Store(m)
	return m, nil
}

// unreadable tells whether an error says that a file is damaged, gone, no file or on a part of the disk that cannot be read: not of one that is of another version, nor of what passes.
func unreadable(err error) bool {
	var place *fs.PathError
	return (errors.Is(err, blockfile.ErrDamaged) || errors.As(err, &place)) && !passes(err)
}

// reading says of an error in reading a store which file is to blame. One of a set that is ready is not read on: who asks next makes it again.
func (s *Set) reading(m *messages.Store, err error) error {
	if !unreadable(err) {
		return err
	}
	if s.ready() {
		s.messages.CompareAndSwap(m, nil) // its file is closed when the last query lets go of it
	}
	return &FileError{s.path(messageLog), err}
}

// createMessages makes the set one without messages.
func (s *Set) createMessages() (*messages.Store, error) {
	m, err := s.messagesAt(s.path(messageLog))
	if err == nil {
		s.messages.Store(m)
	}
	return m, err
}

// messagesAt makes a file of messages, which closing the store closes.
func (s *Set) messagesAt(path string) (*messages.Store, error) {
	if err := s.aside(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	m, err := messages.Create(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return m, nil
}

// aside puts a folder that is in the place of a file of the set out of the way, and tells of it.
func (s *Set) aside(path string) error {
	if !isFolder(path) {
		return nil
	}
	kept := path + ".aside"
	err := os.RemoveAll(kept)
	if err == nil {
		err = os.Rename(path, kept)
	}
	if err == nil {
		s.mu.Lock()
		row := s.row
		s.mu.Unlock()
		s.e.notice("The set %s: a folder was in the place of its file of %s. It is kept as %s until the set is deleted, and nothing of it is read.", named(row), filepath.Base(path), kept)
	}
	return err
}

// openMessages opens a file of messages, which closing the store closes.
func openMessages(path string) (*messages.Store, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var m *messages.Store
		if m, err = messages.Open(f, info.Size()); err == nil {
			return m, nil
		}
		err = &FileError{path, err}
	}
	f.Close()
	return nil, err
}
