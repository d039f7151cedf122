package report

import (
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// counting tells of a message whether the solution may rest on it: not if its link was left out, if it is outside of the window, or if its
// hosts are of two components, for then none of theirs counted.
func counting(s *network.Solution) func(match.Message) bool {
	excluded := make(map[[2]int32]bool)
	for i := range s.Links {
		if k := &s.Links[i]; k.Excluded {
			excluded[pair(k.A, k.B)] = true
		}
	}
	return func(m match.Message) bool {
		return !excluded[pair(m.From, m.To)] && s.Related(m.From, m.To) && s.InWindow(m.From, m.To, m.Sent, m.Received)
	}
}
