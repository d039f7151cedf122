package report

import "synchroscope/sync/network"

// known is how well the hosts of a link are known against each other while both were recorded, ns, and whether that is by the link's own messages alone.
type known struct {
	least, median, most int64
	alone               bool
}

// knownBetween is by the link alone or by the links in use between its hosts, whichever is better; ok is false where neither bounds them. The latter takes
// [network.Solution.WithPairs].
func knownBetween(s *network.Solution, k *network.Link) (e known, ok bool) {
	if k.ErrorMax >= 0 {
		e, ok = known{k.ErrorMin, k.ErrorMedian, k.ErrorMax, true}, true
	}
	if least, median, most, bounded := s.Known(k.A, k.B); bounded && (!ok || median < e.median) {
		return known{least, median, most, false}, true
	}
	return e, ok
}
