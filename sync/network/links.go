package network

import (
	"encoding/binary"

	"synchroscope/sync/hull"
)

// links reads so many links, on all processors: what each takes is found first, which costs little beside reading it. It
// reads nothing, and ok is false, where they are no links; which of them is not, and why, the caller finds by reading them one after the other.
func (s *scanner) links(n uint64, hosts []host) (list []*link, ok bool) {
	var begin [][]byte // of each all that is left, as it has it who reads one after the other
	rest := s.b
	for range n {
		begin = append(begin, rest)
		if rest, ok = skipLink(rest); !ok {
			return nil, false
		}
	}
	begin = append(begin, rest)
	list = make([]*link, n)
	parallel(len(list), func(i int) {
		own := &scanner{b: begin[i]}
		if l := own.link(hosts); own.err == nil && len(own.b) == len(begin[i+1]) {
			list[i] = l
		}
	})
	for i, l := range list {
		if l == nil || i > 0 && !list[i-1].before(l) {
			return nil, false
		}
	}
	s.b = rest
	return list, true
}

// skipLink returns what follows a link; ok is false where there is no place for one.
func skipLink(b []byte) (rest []byte, ok bool) {
	if b, ok = hull.SkipNumbers(b, 2); !ok {
		return nil, false
	}
	if b, ok = hull.Skip(b); !ok {
		return nil, false
	}
	if b, ok = hull.SkipSeries(b); !ok {
		return nil, false
	}
	for range 2 {
		if len(b) == 0 {
			return nil, false
		}
		messages, size := binary.Uvarint(b[1:])
		if size <= 0 || messages > sampleLen {
			return nil, false
		}
		if b, ok = hull.SkipNumbers(b[1+size:], 3*messages); !ok {
			return nil, false
		}
	}
	return b, true
}
