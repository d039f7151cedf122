// Package density counts events over time in bounded memory.
//
// The bins are as wide as they must be for their number to stay below a limit:
// when an event falls outside, every two neighbours become one. A width is a
// power of two and bins are aligned to multiples of it, counted from time
// zero, so the bins that result depend on which times were added and not on
// their order, nor on where a checkpoint fell in between.
//
// Sums are exact. Inside one bin nothing is known of where its events lie; they are
// taken as spread evenly, and a column narrower than a bin gets its part, rounded such
// that neighbouring columns still add up to what the bin holds.
package density

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// maxBins bounds the memory: 4 bytes each, and 4 more of a host with losses.
const maxBins = 16384

// firstShift is the width at the beginning: 2^16 ns, 65 µs.
const firstShift = 16

// A Counter counts events, and lost events of a host whose losses are kept nowhere else. The zero Counter is empty and ready;
// it may be used from any number of goroutines.
type Counter struct {
	mu    sync.Mutex
	shift uint     // a bin is 2^shift ns wide
	first int64    // number of bins[0]: it begins at first << shift
	bins  []uint32 // events
	lost  []uint32 // as many, once there are any
}

// Add counts an event at each of the times, local ns.
func (c *Counter) Add(times []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range times {
		c.bins[c.bin(t)]++
	}
}

// AddLost spreads n lost events over [begin, end) local ns.
func (c *Counter) AddLost(begin, end, n int64) {
	if n <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if end <= begin {
		c.addLost(begin, n)
		return
	}
	c.bin(begin) // reach both ends first: this settles the width
	c.bin(end - 1)
	var done int64
	for t := begin; t < end; {
		next := min((t>>c.shift+1)<<c.shift, end)
		if next <= t { // the last bin before the end of time
			next = end
		}
		until := share(n, uint64(next-begin), uint64(end-begin))
		c.addLost(t, until-done)
		done, t = until, next
	}
}

func (c *Counter) addLost(t, n int64) {
	i := c.bin(t)
	if c.lost == nil {
		c.lost = make([]uint32, len(c.bins))
	}
	c.lost[i] = uint32(min(int64(c.lost[i])+n, math.MaxUint32))
}

// share is n * part / whole, rounded down.
func share(n int64, part, whole uint64) int64 {
	hi, lo := bits.Mul64(uint64(n), part)
	if hi >= whole {
		return n
	}
	q, _ := bits.Div64(hi, lo, whole)
	return int64(q)
}

// bin returns which bin time t is in, making room for it.
func (c *Counter) bin(t int64) int {
	if len(c.bins) == 0 {
		c.shift = max(c.shift, firstShift)
		c.first = t >> c.shift
		c.bins = append(c.bins, 0)
	}
	for {
		k := t >> c.shift
		switch {
		case k >= c.first && k-c.first < int64(len(c.bins)):
			return int(k - c.first)
		case k >= c.first && k-c.first < maxBins:
			c.widen(0, int(k-c.first)+1-len(c.bins))
		case k < c.first && c.last()-k < maxBins:
			c.widen(int(c.first-k), 0)
			c.first = k
		default:
			c.double()
		}
	}
}

// widen adds bins before the others and behind them.
func (c *Counter) widen(before, behind int) {
	for _, list := range []*[]uint32{&c.bins, &c.lost} {
		if *list == nil {
			continue
		}
		if before > 0 {
			*list = append(make([]uint32, before, before+len(*list)), *list...)
		}
		*list = append(*list, make([]uint32, behind)...)
	}
}

func (c *Counter) last() int64 { return c.first + int64(len(c.bins)) - 1 }

// double makes every bin twice as wide.
func (c *Counter) double() {
	first := c.first >> 1
	n := c.last()>>1 - first + 1
	for _, list := range []*[]uint32{&c.bins, &c.lost} {
		if *list == nil {
			continue
		}
		for i, b := range *list {
			(*list)[i] = 0
			to := &(*list)[(c.first+int64(i))>>1-first]
			*to = add(*to, b)
		}
		*list = (*list)[:n]
	}
	c.first = first
	c.shift++
}

func add(a, b uint32) uint32 {
	if s := a + b; s >= a {
		return s
	}
	return math.MaxUint32
}

// Columns counts per column; column i is [edges[i], edges[i+1]) local ns, edges ascending.
func (c *Counter) Columns(edges []int64) (events, lost []uint32) {
	if len(edges) < 2 {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	events, lost = make([]uint32, len(edges)-1), make([]uint32, len(edges)-1)
	// Both sums are of everything before a time: exact at the edges of bins, and
	// columns are differences of them.
	var at int // bins before it lie before the edge
	var sum, before [2]int64
	for i, edge := range edges {
		for at < len(c.bins) && (c.first+int64(at)+1)<<c.shift <= edge {
			sum[0] += int64(c.bins[at])
			sum[1] += int64(c.lostIn(at))
			at++
		}
		here := sum
		if at < len(c.bins) {
			if begin := (c.first + int64(at)) << c.shift; begin < edge {
				part, whole := uint64(edge-begin), uint64(1)<<c.shift
				here[0] += share(int64(c.bins[at]), part, whole)
				here[1] += share(int64(c.lostIn(at)), part, whole)
			}
		}
		if i > 0 {
			events[i-1] = clamp(here[0] - before[0])
			lost[i-1] = clamp(here[1] - before[1])
		}
		before = here
	}
	return events, lost
}

// Lost tells whether events were lost in any bin that [begin, end), local ns, lies in.
func (c *Counter) Lost(begin, end int64) bool {
	if end <= begin {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	from := max(begin>>c.shift-c.first, 0)
	to := min((end-1)>>c.shift-c.first+1, int64(len(c.lost)))
	return from < to && slices.ContainsFunc(c.lost[from:to], func(n uint32) bool { return n > 0 })
}

// lostIn is how many events were lost in a bin.
func (c *Counter) lostIn(i int) uint32 {
	if c.lost == nil {
		return 0
	}
	return c.lost[i]
}

func clamp(n int64) uint32 { return uint32(min(max(n, 0), math.MaxUint32)) }

var errDamaged = errors.New("the density of a checkpoint is damaged")

// AppendBinary and UnmarshalBinary carry a counter through a checkpoint:
// shift, number of the first bin, bins, as varints.
func (c *Counter) AppendBinary(b []byte) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b = slices.Grow(b, 3*binary.MaxVarintLen64+3*len(c.bins))
	b = binary.AppendUvarint(b, uint64(c.shift))
	b = binary.AppendVarint(b, c.first)
	b = binary.AppendUvarint(b, uint64(len(c.bins)))
	for i, n := range c.bins {
		b = binary.AppendUvarint(b, uint64(n))
		b = binary.AppendUvarint(b, uint64(c.lostIn(i)))
	}
	return b, nil
}

// UnmarshalBinary replaces what c counted by what AppendBinary wrote.
func (c *Counter) UnmarshalBinary(b []byte) error {
	next := func(limit uint64) uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > limit {
			b = nil
			return limit + 1
		}
		b = b[n:]
		return v
	}
	shift := next(63)
	first, n := binary.Varint(b)
	if n <= 0 {
		return errDamaged
	}
	b = b[n:]
	count := next(maxBins)
	if shift > 63 || count > maxBins {
		return errDamaged
	}
	bins := make([]uint32, count)
	var lost []uint32
	for i := range bins {
		e, l := next(math.MaxUint32), next(math.MaxUint32)
		if e > math.MaxUint32 || l > math.MaxUint32 {
			return errDamaged
		}
		if bins[i] = uint32(e); l > 0 {
			if lost == nil {
				lost = make([]uint32, count)
			}
			lost[i] = uint32(l)
		}
	}
	if len(b) != 0 {
		return errDamaged
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shift, c.first, c.bins, c.lost = uint(shift), first, bins, lost
	return nil
}
