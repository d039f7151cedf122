// Package gaps keeps in which stretches of time something is missing, in bounded memory.
//
// While they are few they are kept to the ns. When they become too many, all are widened to multiples of a power of two, and those that touch
// are one from then on: of a time in which something is missing that is always told, and of one beside it it may be.
//
// Package losses has what tracers counted, loss by loss and how much, of all traces. Here is where an end of a message may be missing: only of traces that have
// such ends, and also before a stream that does not begin with its first packet, behind one that broke off, and in what could not be read, of which nobody
// counted anything. It is a part of a checkpoint, and asked for every request.
package gaps

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sort"
	"sync"

	"synchroscope/state/varint"
)

// most bounds the memory: 16 bytes each.
const most = 4096

// A List is of stretches in which something is missing. The zero List is empty and ready; it may be used from any number of goroutines.
type List struct {
	mu      sync.Mutex
	unknown bool
	shift   uint // a unit is 2^shift ns
	list    []gap
}

// A gap is from one unit to another, both included. Those of a list ascend and do not touch.
type gap struct{ first, last int64 }

// Add adds a stretch, local ns. What is missing may have been at its begin, at its end, or between them.
func (l *List) Add(begin, end int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := gap{begin >> l.shift, max(begin, end) >> l.shift}
	i := l.from(g.first)
	j := i
	for ; j < len(l.list) && (l.list[j].first <= g.last || l.list[j].first-1 == g.last); j++ {
		g = gap{min(g.first, l.list[j].first), max(g.last, l.list[j].last)}
	}
	l.list = slices.Replace(l.list, i, j, g)
	for len(l.list) > most {
		l.widen()
	}
}

// from is the first that ends at a unit, or just before it, or later.
func (l *List) from(unit int64) int {
	return sort.Search(len(l.list), func(i int) bool { return l.list[i].last >= unit || l.list[i].last+1 == unit })
}

// widen makes a unit twice as wide.
func (l *List) widen() {
	l.shift++
	wide := l.list[:0]
	for _, g := range l.list {
		g = gap{g.first >> 1, g.last >> 1}
		if n := len(wide); n > 0 && g.first-1 <= wide[n-1].last {
			wide[n-1].last = g.last
			continue
		}
		wide = append(wide, g)
	}
	l.list = wide
}

// Any tells whether something is missing in [begin, end), local ns, or so near that it cannot be told apart.
func (l *List) Any(begin, end int64) bool {
	if end <= begin {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	first, last := begin>>l.shift, (end-1)>>l.shift
	i := sort.Search(len(l.list), func(i int) bool { return l.list[i].last >= first })
	return i < len(l.list) && l.list[i].first <= last
}

// Known tells whether everything that is missing is in the list. It is not where it goes on from a checkpoint that had none.
func (l *List) Known() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.unknown
}

var errDamaged = errors.New("the list of losses in a checkpoint is damaged")

// AppendBinary and UnmarshalBinary carry a list through a checkpoint: shift, number of stretches, and of each the first unit and how far the last
// is behind it, as varints; nothing at all where it is not known.
func (l *List) AppendBinary(b []byte) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unknown {
		return b, nil
	}
	b = binary.AppendUvarint(b, uint64(l.shift))
	b = binary.AppendUvarint(b, uint64(len(l.list)))
	for _, g := range l.list {
		b = binary.AppendVarint(b, g.first)
		b = binary.AppendUvarint(b, uint64(g.last)-uint64(g.first))
	}
	return b, nil
}

// UnmarshalBinary replaces the list by the one that AppendBinary wrote.
func (l *List) UnmarshalBinary(b []byte) error {
	unknown, shift, list, err := parse(b)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unknown, l.shift, l.list = unknown, shift, list
	return nil
}

func parse(b []byte) (unknown bool, shift uint, list []gap, err error) {
	if len(b) == 0 {
		return true, 0, nil, nil
	}
	d := varint.NewDecoder(b)
	width, count := d.Uint(), d.Count()
	if width > 63 || count > most {
		return false, 0, nil, errDamaged
	}
	for range count {
		first, wide := d.Int(), d.Uint()
		g := gap{first, int64(uint64(first) + wide)}
		if k := len(list); wide > uint64(math.MaxInt64)-uint64(first) || k > 0 && (list[k-1].last == math.MaxInt64 || g.first <= list[k-1].last+1) {
			return false, 0, nil, errDamaged
		}
		list = append(list, g)
	}
	if !d.Done() {
		return false, 0, nil, errDamaged
	}
	return false, uint(width), list, nil
}
