package report

import (
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// counting tells of a message whether the solution may rest on it: not if its link was left out, if it is outside of the window, or if its
// hosts are of two components, for then none of theirs counted. The window is taken in the solution's own reference times. Those that
// network.Window means differ by as much as two clocks do where the best reference by all messages is not the best by those of the window; and
// the messages that were taken may end a little further inside.
func counting(s *network.Solution) func(match.Message) bool {
	excluded := make(map[[2]int32]bool)
	for i := range s.Links {
		if k := &s.Links[i]; k.Excluded {
			excluded[pair(k.A, k.B)] = true
		}
	}
	w := s.Options.Window
	return func(m match.Message) bool {
		if excluded[pair(m.From, m.To)] || !s.Related(m.From, m.To) {
			return false
		}
		return w == nil || w.Has(s.Hosts[m.From].Map.Reference(m.Sent), s.Hosts[m.To].Map.Reference(m.Received))
	}
}
