package graph

import "slices"

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
type links struct {
	all   []link
	first []int32 // by host
	slots []slot  // open addressing by the pair; a power of two, half full at most
}

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

// at returns where the pair is in the table, or is to be put.
func (l *links) at(a, b int32) (at int, hash uint32) {
	h := mix(uint64(a)<<32 | uint64(b))
	mask := len(l.slots) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		s := l.slots[i]
		if s.id == 0 || s.hash == uint32(h>>32) && l.all[s.id-1].ends == [2]int32{a, b} {
			return i, uint32(h >> 32)
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
	if 2*len(l.all) >= len(l.slots) {
		l.grow()
	}
	at, hash := l.at(a, b)
	if id := l.slots[at].id - 1; id != none {
		k := &l.all[id]
		before, k.weight = k.weight, weight
		return id, before
	}
	id = int32(len(l.all))
	l.slots[at] = slot{hash, id + 1}
	l.all = append(l.all, link{weight, [2]int32{a, b}, [2]int32{l.first[a], l.first[b]}})
	l.first[a], l.first[b] = id, id
	return id, 0
}

func (l *links) grow() {
	l.slots = make([]slot, max(16, 2*len(l.slots)))
	l.all = slices.Grow(l.all, len(l.slots)/2-len(l.all))
	mask := len(l.slots) - 1
	for id := range l.all {
		k := &l.all[id]
		h := mix(uint64(k.ends[0])<<32 | uint64(k.ends[1]))
		i := int(h) & mask
		for l.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		l.slots[i] = slot{uint32(h >> 32), int32(id) + 1}
	}
}

// before is the total order of links, given their weights.
func (l *links) before(weight int64, id int32, otherWeight int64, other int32) bool {
	if weight != otherWeight {
		return weight < otherWeight
	}
	a, b := l.all[id].ends, l.all[other].ends
	return a[0] < b[0] || a[0] == b[0] && a[1] < b[1]
}

// mix is the finalizer of splitmix64.
func mix(h uint64) uint64 {
	h *= 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
