package live

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"synchroscope/handlers/wire"
	"synchroscope/state/query"
	"synchroscope/sync/network"
)

// How the CPUs of a host are used is made of the columns of all of them, which from afar is half of what the server does for who looks
// around (docs/performance/viewer.md). So of a set in which nothing changes any more it is kept in strips: the runs of the row of a host in stripColumns
// columns that are a power of two of ns wide and begin at multiples of that. A page asks for no others
// (web/src/timeline/tiles.ts). The shelf serves who asks for the very same; strips serve who looks at nearly the
// same place, or comes back on another way.
//
// This is right because what a column shows of the use follows from what happened in it alone, and neighbours that are alike become
// one run wherever they come from: see TestStrips. A request is answered from its strips whole, and those at its ends are
// made whole too, though not all of them is wanted: the next request wants the rest.
//
// Not done: rows of CPUs and threads. Which name a run of a CPU has follows from how long it is (query.CPUs), so it is not the same
// in strips; and a thread's columns cost less than to keep and to find strips of them. Nor are strips added up to those
// of columns twice as wide: what is kept is drawn, in 255ths, and sums of it would not be exact.
const stripColumns = 128

// Bytes of strips that a hub keeps, and what one takes beside its runs, about.
const (
	stripsBytes = 8 << 20
	stripBytes  = 384
)

// mostStep bounds the columns that are kept, ns: with longer ones times of many CPUs may not add up to a number, and are
// shortened as the longest column of a request wants it (query.Use).
const mostStep = 1 << 45

// A strip has of each run the last column, the state, and if that is mixed the shares.
type strip []byte

// A stripKey is all that a strip follows from.
type stripKey struct {
	set      string
	solution *network.Solution // nil in raw time
	rows     *table            // which has the CPUs of the host
	version  uint32
	host     int32
	step     int64 // ns of a column
	number   int64 // it begins at number × stripColumns × step
}

type strips struct {
	mu   sync.Mutex
	kept *recent[stripKey, strip]
}

func newStrips(most int) *strips { return &strips{kept: newRecent[stripKey, strip](most)} }

// forget drops what is kept of a set.
func (s *strips) forget(set string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.forget(func(k stripKey) bool { return k.set == set })
}

// look returns those of neighbouring strips that are kept, nil for the others; key is of the first.
func (s *strips) look(key stripKey, many int64) []strip {
	out := make([]strip, many)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range out {
		out[i], _ = s.kept.get(key)
		key.number++
	}
	return out
}

// put keeps neighbouring strips; key is of the first.
func (s *strips) put(key stripKey, made []strip) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range made {
		s.kept.put(key, m, stripBytes+len(m))
		key.number++
	}
}

// packed cuts the runs of a row in so many strips; they cover all columns of these.
func packed(runs []query.Run, many int) []strip {
	out := make([]strip, many)
	var room []byte
	from := int32(0)
	for i := range out {
		begin := int32(i * stripColumns)
		for end := begin + stripColumns; from < end; {
			r := &runs[0]
			to := min(r.End, end)
			if room = append(room, byte(to-1-begin), r.State); r.State == query.Mixed {
				room = append(room, r.Mix[:]...)
			}
			if from = to; to == r.End {
				runs = runs[1:]
			}
		}
		out[i], room = slices.Clone(room), room[:0]
	}
	return out
}

// unpacked appends the runs of the strip, which begins before column begin, to those of a row; columns before 0 and from
// columns on are left out.
func (s strip) unpacked(runs []query.Run, begin, columns int) []query.Run {
	for b := s; len(b) > 0; {
		r := query.Run{End: int32(min(begin+int(b[0])+1, columns)), State: b[1]}
		b = b[2:]
		if r.State == query.Mixed {
			b = b[copy(r.Mix[:], b):]
		}
		switch n := len(runs); {
		case r.End <= 0 || n > 0 && runs[n-1].End >= r.End: // it is not asked for
		case n > 0 && runs[n-1].State == r.State && runs[n-1].Mix == r.Mix:
			runs[n-1].End = r.End
		default:
			runs = append(runs, r)
		}
	}
	return runs
}

// A cut is where the strips of a request lie.
type cut struct {
	step        int64 // ns of a column
	first, many int64 // strips
	skipped     int   // columns of the first before the request begins
}

// cutOf tells in which strips the columns of a request lie; ok is false where they are none that are kept.
func cutOf(r wire.Request) (c cut, ok bool) {
	span, columns := uint64(r.End)-uint64(r.Begin), uint64(r.Columns)
	step := int64(span / columns)
	if r.Columns < stripColumns || span%columns != 0 || step > mostStep || bits.OnesCount64(uint64(step)) != 1 || r.Begin&(step-1) != 0 {
		return cut{}, false
	}
	wide := step * stripColumns
	begin := r.Begin &^ (wide - 1)
	c = cut{step: step, first: begin / wide, many: (r.End - begin + wide - 1) / wide, skipped: int((r.Begin - begin) / step)}
	return c, begin >= -wire.MaxTime && begin+c.many*wide <= wire.MaxTime
}

// edges are those of the columns of some strips, from one on.
func (c *cut) edges(from, many int) []int64 {
	out := make([]int64, many*stripColumns+1)
	at := (c.first + int64(from)) * stripColumns * c.step
	for i := range out {
		out[i] = at
		at += c.step
	}
	return out
}

// stripsOf are the strips of the row of a host. Those that are not kept are made, neighbours at once. There are none where nothing is known of its
// CPUs, which may be for the moment.
func (s *session) stripsOf(ctx context.Context, l lens, c cut, host int32) ([]strip, error) {
	key := stripKey{set: s.set.ID(), rows: s.rows, version: s.rows.versionNow(), host: host, step: c.step, number: c.first}
	if !l.raw {
		key.solution = l.solution
	}
	h := s.set.Hosts()[host].History()
	if h == nil {
		return nil, nil
	}
	out := s.hub.strips.look(key, c.many)
	for from := 0; from < len(out); {
		to := from
		for to < len(out) && out[to] == nil {
			to++
		}
		if to == from {
			from++
			continue
		}
		runs, err := s.useOf(ctx, h, host, l.localEdges(host, c.edges(from, to-from)))
		if err != nil || len(runs) == 0 {
			return nil, err
		}
		made := packed(runs, to-from)
		key.number = c.first + int64(from)
		s.hub.strips.put(key, made)
		copy(out[from:], made)
		from = to
	}
	return out, nil
}
