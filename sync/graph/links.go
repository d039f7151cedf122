package graph

import "math/bits"

// A link is a pair of hosts that has, or had, a link. The links of a host are
// a list through their records.
type link struct {
	weight int64    // 0: there is no link now
	ends   [2]int32 // lower first
	next   [2]int32 // of each end's list, none at its end
}

// none is no host, no link, no edge.
const none = int32(-1)

// links finds the link of a pair, and the links of a host. A pair keeps its
// record for good, so memory grows with the pairs ever linked alone.
//
// Records stand in blocks that are never moved, and a table that grows goes
// through its slots in their order and writes the larger one in that order: a
// slot is found by the upper bits of its hash, of which it then takes one
// more. So what growing costs is to touch new memory once.
type links struct {
	blocks []*[perBlock]link
	n      int32   // links that have a record
	first  []int32 // by host
	slots  []slot  // open addressing by the pair; a power of two, half full at most
	shift  uint8   // of a hash, to where it is in slots
}

// perBlock is a power of two: 6 KiB.
const perBlock = 256

// A slot is a link by the hash of its pair, so that mostly only the right link is looked at.
type slot struct {
	hash uint32
	id   int32 // 1 + the link; 0: empty
}

// other returns the link's other end.
func (k *link) other(host int32) int32 { return k.ends[0] + k.ends[1] - host }

// after returns the next link of a host.
func (k *link) after(host int32) int32 {
	if k.ends[0] == host {
		return k.next[0]
	}
	return k.next[1]
}

// of returns the record of a link, which stays where it is.
func (l *links) of(id int32) *link { return &l.blocks[uint32(id)/perBlock][uint32(id)%perBlock] }

// at returns where the pair is in the table, or is to be put.
func (l *links) at(a, b int32) (at int, hash uint32) {
	hash = uint32(mix(uint64(a)<<32|uint64(b)) >> 32)
	mask := len(l.slots) - 1
	for i := int(hash >> (l.shift & 31)); ; i = (i + 1) & mask {
		s := l.slots[i]
		if s.id == 0 || s.hash == hash && l.of(s.id-1).ends == [2]int32{a, b} {
			return i, hash
		}
	}
}

// find returns the record of a pair, a < b, none if it never had a link.
func (l *links) find(a, b int32) int32 {
	if len(l.slots) == 0 {
		return none
	}
	at, _ := l.at(a, b)
	return l.slots[at].id - 1
}

// put sets the weight of a pair, a < b, and returns the one before, 0 if there was no link.
func (l *links) put(a, b int32, weight int64) (id int32, before int64) {
	if 2*int(l.n) >= len(l.slots) {
		l.grow()
	}
	at, hash := l.at(a, b)
	if id := l.slots[at].id - 1; id != none {
		k := l.of(id)
		before, k.weight = k.weight, weight
		return id, before
	}
	id = l.n
	l.n++
	if id%perBlock == 0 {
		l.blocks = append(l.blocks, new([perBlock]link))
	}
	*l.of(id) = link{weight, [2]int32{a, b}, [2]int32{l.first[a], l.first[b]}}
	l.slots[at] = slot{hash, id + 1}
	l.first[a], l.first[b] = id, id
	return id, 0
}

func (l *links) grow() {
	before := l.slots
	l.slots = make([]slot, max(16, 2*len(before)))
	l.shift = uint8(33 - bits.Len(uint(len(l.slots))))
	mask := len(l.slots) - 1
	// Those at the end that had no room there stand at the begin: they come last, as behind an empty slot all do.
	from := 0
	for from < len(before) && before[from].id != 0 {
		from++
	}
	for n := range before {
		s := before[(from+n)&(len(before)-1)]
		if s.id == 0 {
			continue
		}
		i := int(s.hash >> (l.shift & 31))
		for l.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		l.slots[i] = s
	}
}

// before is the total order of links, given their weights.
func (l *links) before(weight int64, id int32, otherWeight int64, other int32) bool {
	if weight != otherWeight {
		return weight < otherWeight
	}
	a, b := l.of(id).ends, l.of(other).ends
	return a[0] < b[0] || a[0] == b[0] && a[1] < b[1]
}

// mix is the finalizer of splitmix64.
func mix(h uint64) uint64 {
	h *= 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
