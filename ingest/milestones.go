package ingest

import (
	"slices"
	"sync"
	"time"

	"synchroscope/sync/network"
)

// A Milestone is how well the clocks were known when a solution was published while the import ran.
type Milestone struct {
	After   float64 `json:"after_s"` // seconds of reading
	Version int64   `json:"version"`
	Hosts   int     `json:"hosts"`     // related to the reference, itself included
	Of      int     `json:"of"`        // hosts of the set
	Median  *int64  `json:"median_ns"` // error of the host in the middle of them, each by the median of its bounds over time; null where no other is bounded
	Worst   *int64  `json:"worst_ns"`  // of the one that is known worst
	Without int     `json:"without"`   // of the hosts related to the reference: how many have no bound
}

// bounded tells whether the errors are such as can be: both or none, and none better than nothing.
func (m Milestone) bounded() bool {
	if m.Median == nil || m.Worst == nil {
		return m.Median == m.Worst
	}
	return 0 <= *m.Median && *m.Median <= *m.Worst
}

// mostMilestones are kept of an import. Of more, every second one goes, and from then on every second one is kept.
const mostMilestones = 256

// The milestones of the way to one solution; the last is always among them.
type milestones struct {
	mu    sync.Mutex
	begun time.Time
	list  []Milestone
	skip  int // solutions between two that are kept
	seen  int
}

// add notes a solution.
func (m *milestones) add(s *network.Solution, at time.Time) {
	next := milestone(s, at.Sub(m.begun))
	m.mu.Lock()
	defer m.mu.Unlock()
	// The last is replaced while it is one that is not to stay.
	if n := len(m.list); n > 1 && (m.seen-1)%(m.skip+1) != 0 {
		m.list = m.list[:n-1]
	}
	m.seen++
	m.list = append(m.list, next)
	if len(m.list) > mostMilestones {
		kept := m.list[:0]
		for i, x := range m.list {
			if i%2 == 0 {
				kept = append(kept, x)
			}
		}
		m.list, m.skip = kept, 2*m.skip+1
	}
}

func (m *milestones) all() []Milestone {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.list)
}

func milestone(s *network.Solution, after time.Duration) Milestone {
	m := Milestone{After: after.Seconds(), Version: s.Version, Of: len(s.Hosts)}
	var medians []int64
	for i, h := range s.Hosts {
		if s.Unsynchronized(int32(i)) {
			continue
		}
		m.Hosts++
		if int32(i) == s.Reference {
			continue
		}
		if h.Map == nil || len(h.Map.Bounds()) == 0 {
			m.Without++
			continue
		}
		median, ok := h.Map.Median(h.Begin, h.End)
		if !ok { // it is bounded elsewhere alone
			median = h.Map.Bounds()[0][1]
		}
		medians = append(medians, median)
	}
	if n := len(medians); n > 0 {
		slices.Sort(medians)
		m.Median, m.Worst = &medians[n/2], &medians[n-1]
	}
	return m
}

// Milestones tell how the clocks became known while the set was imported, by the process that ended the import, in order; of a set that
// was taken over as a whole that is where it was made.
func (s *Set) Milestones() []Milestone {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.result != nil:
		return slices.Clone(s.result.Milestones)
	case s.milestones != nil:
		return s.milestones.all()
	}
	return nil
}
