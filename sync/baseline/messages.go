package baseline

import (
	"cmp"
	"math/bits"
	"slices"

	"synchroscope/sync/hull"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// defaultLimit bounds what a Messages holds, about 100 MB.
const defaultLimit = 1 << 22

// A Constraint is a message in the geometry of package hull: X is the time of
// the link's A, Y that of its B, local ns. It is an Upper one if A sent it.
type Constraint struct {
	Side hull.Side
	At   hull.Point
}

// A Link is two hosts, A < B, and the messages between them by A's time.
type Link struct {
	A, B     int32
	Messages []Constraint
}

// Messages collects the messages of a trace set. The methods here look at
// neighbours in time, and some of them twice, so they cannot do with a hull.
// The memory is bounded all the same: time is cut into blocks of about a
// second, and when there are too many messages those of every other block
// are dropped, by a hash of the block. So what is kept depends on the set of
// messages alone, not on their order, and neighbours stay together.
type Messages struct {
	limit, held int
	level       int
	links       map[[2]int32]map[int64][]Constraint
}

// NewMessages returns an empty collection of at most limit messages, 1<<22 if 0.
func NewMessages(limit int) *Messages {
	if limit <= 0 {
		limit = defaultLimit
	}
	return &Messages{limit: limit, links: make(map[[2]int32]map[int64][]Constraint)}
}

// Add takes a message, or takes an earlier one back if it is Retracted.
func (s *Messages) Add(m match.Message) {
	if m.From == m.To {
		return
	}
	key := [2]int32{min(m.From, m.To), max(m.From, m.To)}
	c := Constraint{hull.Upper, hull.Point{X: m.Sent, Y: m.Received}}
	if m.From != key[0] {
		c = Constraint{hull.Lower, hull.Point{X: m.Received, Y: m.Sent}}
	}
	block := c.At.X >> 30
	if !s.takes(block) {
		return
	}
	blocks := s.links[key]
	if m.Retracted {
		if i := slices.Index(blocks[block], c); i >= 0 {
			blocks[block] = slices.Delete(blocks[block], i, i+1)
			s.held--
			if len(blocks[block]) == 0 {
				delete(blocks, block)
			}
		}
		return
	}
	if blocks == nil {
		blocks = make(map[int64][]Constraint)
		s.links[key] = blocks
	}
	blocks[block] = append(blocks[block], c)
	s.held++
	for s.held > s.limit && s.level < 63 {
		s.thin()
	}
}

func (s *Messages) takes(block int64) bool { return bits.TrailingZeros64(hash(block)) >= s.level }

// hash is the finalizer of splitmix64.
func hash(block int64) uint64 {
	h := uint64(block) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

func (s *Messages) thin() {
	s.level++
	for _, blocks := range s.links {
		for block, held := range blocks {
			if !s.takes(block) {
				s.held -= len(held)
				delete(blocks, block)
			}
		}
	}
}

// Len is how many messages are held.
func (s *Messages) Len() int { return s.held }

// Thinned reports whether messages were dropped to bound the memory.
func (s *Messages) Thinned() bool { return s.level > 0 }

// Links returns the links that have messages, by (A, B).
func (s *Messages) Links() []Link {
	var links []Link
	for key, blocks := range s.links {
		l := Link{A: key[0], B: key[1]}
		for _, held := range blocks {
			l.Messages = append(l.Messages, held...)
		}
		if len(l.Messages) == 0 {
			continue
		}
		slices.SortFunc(l.Messages, func(p, q Constraint) int {
			return cmp.Or(cmp.Compare(p.At.X, q.At.X), cmp.Compare(p.At.Y, q.At.Y), cmp.Compare(p.Side, q.Side))
		})
		links = append(links, l)
	}
	slices.SortFunc(links, func(p, q Link) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return links
}

// Within keeps of the links the messages that are in the window of a solution, and those links that have any. It takes over links.
func Within(links []Link, s *network.Solution) []Link {
	for i := range links {
		l := &links[i]
		l.Messages = slices.DeleteFunc(l.Messages, func(c Constraint) bool {
			return !s.InWindow(l.A, l.B, c.At.X, c.At.Y)
		})
	}
	return slices.DeleteFunc(links, func(l Link) bool { return len(l.Messages) == 0 })
}

// span is the part of A's time that the messages reach over.
func (l *Link) span() (begin, end int64) {
	return l.Messages[0].At.X, l.Messages[len(l.Messages)-1].At.X
}
