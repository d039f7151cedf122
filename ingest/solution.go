package ingest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"

	"synchroscope/ingest/messages"
	"synchroscope/sync/clock"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// storedSolution is the file "solution": four bytes of CRC32C, then this as JSON.
type storedSolution struct {
	*network.Solution
	Maps [][]byte // of the hosts, as clock.Map.AppendBinary writes them
}

// Solution is the newest synchronization, nil before the hosts are known.
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
	if err != nil {
		s.log.Warn("the stored synchronization cannot be read and is made again", "error", err)
		if sol, err = s.solveAgain(); err != nil {
			s.log.Error("the synchronization cannot be made again", "error", err)
			return nil
		}
	}
	s.solution.Store(sol)
	return sol
}

func (s *Set) ready() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result != nil
}

// storeSolution makes the final solution durable.
func (s *Set) storeSolution() error {
	sol := s.solution.Load()
	stored := storedSolution{Solution: sol}
	for _, h := range sol.Hosts {
		stored.Maps = append(stored.Maps, h.Map.AppendBinary(nil))
	}
	b, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	sum := binary.LittleEndian.AppendUint32(nil, crc32.Checksum(b, castagnoli))
	return writeDurably(s.path("solution"), append(sum, b...))
}

func readSolution(path string) (*network.Solution, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < 4 || crc32.Checksum(b[4:], castagnoli) != binary.LittleEndian.Uint32(b) {
		return nil, fmt.Errorf("%s is damaged", path)
	}
	stored := storedSolution{Solution: new(network.Solution)}
	if err := json.Unmarshal(b[4:], &stored); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
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

// solveAgain feeds all endpoints of a set that is ready to a new network.
func (s *Set) solveAgain() (*network.Solution, error) {
	hosts := s.Hosts()
	n := network.New(network.Config{})
	for _, h := range hosts {
		n.AddHost(h.row.Name, h.row.ID)
	}
	for _, h := range hosts {
		sum := h.figures()
		if sum.Events > 0 {
			n.Span(h.index, sum.Begin, sum.End-1)
			if err := h.feed(sum, n); err != nil {
				return nil, err
			}
		}
	}
	for _, h := range hosts {
		n.Done(h.index, nil)
	}
	return n.Solution(), nil
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
	f, err := os.Open(s.path("messages"))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	m, err := messages.Open(f, info.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	s.messages.Store(m)
	return m, nil
}

// feed gives the endpoints of a host that is read to its end to a network.
func (h *Host) feed(sum summary, n *network.Network) error {
	return h.eachEndpoint(sum, func(list []match.Endpoint) error {
		for i := range list {
			n.Endpoint(list[i], nil)
		}
		return nil
	})
}
