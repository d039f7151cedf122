package live

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"synchroscope/handlers/wire"
	"synchroscope/state/attribute"
	"synchroscope/state/query"
	"synchroscope/sync/network"
)

// Rows of a set in which nothing changes any more are kept in strips: the runs of one row in stripColumns columns that are a power of
// two of ns wide and begin at multiples of that. A page asks for no others (web/src/timeline/tiles.ts). The shelf
// serves who asks for the very same; strips serve who looks at nearly the same place, or at other rows, or comes
// back on another way.
//
// This is right because what a column shows follows from what happened in it alone, and neighbours that are alike
// become one run wherever they come from: see TestStrips. A request is answered from its strips whole, and those
// at its ends are made whole too, though not all of them is wanted: the next request wants the rest.
//
// Not done: to add strips up to those of columns twice as wide. What is kept is drawn, in 255ths, and sums of it would not be
// exact.
const stripColumns = 128

// Bytes of strips that a hub keeps, and what one takes beside its runs, about.
const (
	stripsBytes = 32 << 20
	stripBytes  = 384
)

// mostStep bounds the columns that are kept, ns: with longer ones times of many CPUs may not add up to a number, and are
// shortened as the longest column of a request wants it (query.Use).
const mostStep = 1 << 45

// A strip is the runs of a row in stripColumns columns. Of each run runs has the last column, the state, and if that is mixed the shares and
// what ran too briefly for one, else which of the labels it has, from 1, or 0.
type strip struct {
	runs   []byte
	labels []string
}

// A stripKey is all that a strip follows from.
type stripKey struct {
	set      string
	solution *network.Solution // nil in raw time
	rows     *table
	version  uint32 // of the row table
	host     int32
	kind     wire.RowKind
	quark    attribute.Quark
	step     int64 // ns of a column
	number   int64 // it begins at number × stripColumns × step
}

type strips struct {
	mu   sync.Mutex
	kept *recent[stripKey, *strip]
}

func newStrips(most int) *strips { return &strips{kept: newRecent[stripKey, *strip](most)} }

// forget drops what is kept of a set.
func (s *strips) forget(set string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.forget(func(k stripKey) bool { return k.set == set })
}

// look returns those strips of a row that are kept; key is of the first.
func (s *strips) look(key stripKey, out []*strip) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range out {
		out[i], _ = s.kept.get(key)
		key.number++
	}
}

func (s *strips) put(key stripKey, made *strip) {
	size := stripBytes + len(made.runs)
	for _, l := range made.labels {
		size += 16 + len(l)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.put(key, made, size)
}

// packed cuts the runs of a row in so many strips; they cover all columns of these.
func packed(runs []query.Run, many int) []*strip {
	out := make([]*strip, many)
	var room []byte
	from := int32(0)
	for i := range out {
		s, begin := new(strip), int32(i*stripColumns)
		for end := begin + stripColumns; from < end; {
			r := &runs[0]
			to := min(r.End, end)
			room = append(room, byte(to-1-begin), r.State)
			if r.State == query.Mixed {
				room = append(append(room, r.Mix[:]...), r.Brief)
			} else {
				room = append(room, s.label(r.Label))
			}
			if from = to; to == r.End {
				runs = runs[1:]
			}
		}
		s.runs, room = append([]byte(nil), room...), room[:0]
		out[i] = s
	}
	return out
}

// label is the number of a label. A strip has no more than its columns, so it fits a byte.
func (s *strip) label(words string) byte {
	if words == "" {
		return 0
	}
	for i, l := range s.labels {
		if l == words {
			return byte(i + 1)
		}
	}
	s.labels = append(s.labels, words)
	return byte(len(s.labels))
}

// unpacked appends the runs of the strip, which begins before column begin, to those of a row; columns before 0 and from
// columns on are left out.
func (s *strip) unpacked(runs []query.Run, begin, columns int) []query.Run {
	for b := s.runs; len(b) > 0; {
		r := query.Run{End: int32(min(begin+int(b[0])+1, columns)), State: b[1]}
		if r.State == query.Mixed {
			copy(r.Mix[:], b[2:])
			r.Brief = b[2+len(r.Mix)]
			b = b[3+len(r.Mix):]
		} else {
			if n := b[2]; n > 0 {
				r.Label = s.labels[n-1]
			}
			b = b[3:]
		}
		switch n := len(runs); {
		case r.End <= 0 || n > 0 && runs[n-1].End >= r.End: // it is not asked for
		case n > 0 && alike(&runs[n-1], &r):
			runs[n-1].End = r.End
		default:
			runs = append(runs, r)
		}
	}
	return runs
}

// alike tells whether two runs show the same.
func alike(a, b *query.Run) bool {
	return a.State == b.State && a.Label == b.Label && a.Mix == b.Mix && a.Brief == b.Brief
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

// stripsOf are the strips of rows of one host that are reduced alike. Those that are not kept are made, neighbours at once.
func (s *session) stripsOf(ctx context.Context, l lens, c cut, rows []row) ([][]*strip, error) {
	key := stripKey{set: s.set.ID(), rows: s.rows, version: s.rows.versionNow(), host: rows[0].host, kind: rows[0].kind, step: c.step}
	if !l.raw {
		key.solution = l.solution
	}
	out := make([][]*strip, len(rows))
	lacks := make([]bool, c.many) // by strip: some row has it not
	for i, r := range rows {
		out[i] = make([]*strip, c.many)
		key.kind, key.quark, key.number = r.kind, r.quark, c.first
		s.hub.strips.look(key, out[i])
		for k := range lacks {
			lacks[k] = lacks[k] || out[i][k] == nil
		}
	}
	for from := 0; from < len(lacks); from++ {
		if !lacks[from] {
			continue
		}
		to := from + 1
		for to < len(lacks) && lacks[to] {
			to++
		}
		if err := s.makeStrips(ctx, l, c, key, rows, out, from, to); err != nil {
			return nil, err
		}
		from = to
	}
	return out, nil
}

// makeStrips makes the strips from one to before another of those rows that lack any of them, and keeps them.
func (s *session) makeStrips(ctx context.Context, l lens, c cut, key stripKey, rows []row, out [][]*strip, from, to int) error {
	var lack []row
	var of []int
	for i := range rows {
		if slices.Contains(out[i][from:to], nil) {
			lack, of = append(lack, rows[i]), append(of, i)
		}
	}
	runs, err := s.runsOf(ctx, lack, l.localEdges(key.host, c.edges(from, to-from)))
	if err != nil {
		return err
	}
	for k, i := range of {
		if len(runs[k]) == 0 {
			runs[k] = []query.Run{{End: int32((to - from) * stripColumns), State: query.Nothing}}
		}
		key.kind, key.quark = rows[i].kind, rows[i].quark
		for n, made := range packed(runs[k], to-from) {
			key.number = c.first + int64(from+n)
			s.hub.strips.put(key, made)
			out[i][from+n] = made
		}
	}
	return nil
}
