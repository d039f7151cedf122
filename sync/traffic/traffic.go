// Package traffic adds up the messages between hosts: how many, how much, and how long they
// were on their way, with what the clocks leave open. Its memory depends on the pairs of hosts
// and on how far their latencies spread, not on how many messages there are.
package traffic

import (
	"cmp"
	"math/bits"
	"slices"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// A Passage is a message as a clock sees it.
type Passage struct {
	match.Message
	SentAt, ReceivedAt int64 // ns of the axis that was asked for
	Error              int64 // bound of the latency's error, ns; -1 where none is known
	Related            bool  // the two times can be compared
	Backward           bool  // received before sent, against what the clocks say
	Beyond             bool  // Backward, by more than Error or without a bound
}

// Latency is how long the message was on its way, ns.
func (p *Passage) Latency() int64 { return p.ReceivedAt - p.SentAt }

// Pass is a message whose times by a solution's clocks are known already, or raw if there is none.
//
// While an import runs there are messages that the clocks have not learnt from yet: those
// are against the clocks only beyond their bounds.
func Pass(s *network.Solution, m match.Message, sent, received int64) Passage {
	p := Passage{Message: m, SentAt: sent, ReceivedAt: received, Error: -1, Related: true, Backward: received < sent}
	if s == nil {
		p.Beyond = p.Backward
		return p
	}
	from, to := &s.Hosts[m.From], &s.Hosts[m.To]
	if p.Related = from.Component == to.Component; !p.Related {
		p.Backward = false
		return p
	}
	if ns, known := s.ErrorBetween(m.From, m.To, m.Sent, m.Received); known {
		p.Error = ns
	}
	beyond := p.Error < 0 || sent-received > p.Error
	p.Backward = p.Backward && (s.Final || p.Error >= 0 && beyond)
	p.Beyond = p.Backward && beyond
	return p
}

// A Pair is what the messages from one host to another add up to.
type Pair struct {
	Messages, Bytes int64
	Backward        int64 // received before sent
	Beyond          int64 // of them, by more than the error of the clocks there
	Least, Most     int64 // latency, ns; both 0 while nothing of it is known
	Latency         Spread
	low, high       Spread // the least and the greatest that the clocks allow
}

// Add adds a message.
func (p *Pair) Add(m *Passage) {
	p.Messages++
	p.Bytes += int64(m.Data)
	if m.Beyond {
		p.Beyond++
	}
	if m.Backward {
		p.Backward++
	}
	if !m.Related {
		return
	}
	ns := m.Latency()
	if p.Latency.Count() == 0 {
		p.Least, p.Most = ns, ns
	}
	p.Least, p.Most = min(p.Least, ns), max(p.Most, ns)
	p.Latency.Add(ns)
	if m.Error >= 0 {
		p.low.Add(ns - m.Error)
		p.high.Add(ns + m.Error)
	}
}

// Median is the median latency, ns: of an even number of messages the mean of the two in the middle, rounded down. Known is false where nothing relates
// the hosts. The error says how far the true one can be from it by what the clocks leave open and by what buckets round, and is -1 where
// the clocks leave everything open for one message or more.
func (p *Pair) Median() (ns, err int64, known bool) {
	if p.Latency.Count() == 0 {
		return 0, -1, false
	}
	ns = mean(p.middle())
	if p.low.Count() < p.Latency.Count() {
		return ns, -1, true
	}
	return ns, p.off(ns), true
}

// Rounding is how far the median of the latencies, taken as the clocks have them, can be from a time by what buckets round, ns.
func (p *Pair) Rounding(ns int64) int64 {
	low, high := p.middle()
	return max(high-ns, ns-low)
}

func (p *Pair) middle() (low, high int64) {
	low, high = p.Latency.middle()
	return max(low, p.Least), min(high, p.Most)
}

// off is how far the true median can be from a time.
func (p *Pair) off(ns int64) int64 {
	low, _ := p.low.middle()
	_, high := p.high.middle()
	return max(high-ns, ns-low)
}

// MedianBy is the median latency from one host to another by a solution's clocks. Where the pair has all messages that the solution
// measured on that way, or a sample of, it is the solution's own, which is exact of more messages than Median is: so both tell the same.
func (p *Pair) MedianBy(s *network.Solution, from, to int32) (ns, err int64, known bool) {
	ns, err, known = p.Median()
	told := told(s, from, to, p.Latency.Count())
	if !known || told == nil {
		return ns, err, known
	}
	if err >= 0 {
		err = p.off(told.Median)
	}
	return told.Median, err, true
}

// told is what a solution tells of the latencies from one host to another, nil if nothing, or if that is of another number of messages.
func told(s *network.Solution, from, to int32, messages int64) *network.Latency {
	if s == nil {
		return nil
	}
	a, b := min(from, to), max(from, to)
	at, found := slices.BinarySearchFunc(s.Links, [2]int32{a, b}, func(k network.Link, pair [2]int32) int {
		return cmp.Or(cmp.Compare(k.A, pair[0]), cmp.Compare(k.B, pair[1]))
	})
	if !found {
		return nil
	}
	k := &s.Links[at]
	latency, n := &k.Latency[0], k.AToB
	if from != a {
		latency, n = &k.Latency[1], k.BToA
	}
	if latency.Of == 0 || int64(n) != messages {
		return nil
	}
	return latency
}

// A Matrix has what all pairs exchanged, by sender and receiver. The zero value is an empty one.
type Matrix struct {
	Pairs map[[2]int32]*Pair
	bytes int
	most  int // equally wide buckets of each pair's latencies
}

// pairBytes is what a pair takes in a matrix, at most, without the buckets of its latencies.
const pairBytes = 400

const (
	// finePairs is of how many pairs latencies are told apart as well as can be: of twice as many, they are half as well, to coarsest.
	finePairs = 1024
	coarsest  = 64
)

// Add adds a message.
func (m *Matrix) Add(p *Passage) {
	key := [2]int32{p.From, p.To}
	pair := m.Pairs[key]
	if pair == nil {
		if m.Pairs == nil {
			m.Pairs = make(map[[2]int32]*Pair)
		}
		pair = new(Pair)
		m.Pairs[key] = pair
		m.bytes += pairBytes
		m.share()
		pair.limit(m.most)
	}
	before := pair.bytes()
	pair.Add(p)
	m.bytes += pair.bytes() - before
}

// share shares the memory for equally wide buckets by the pairs, when there is one more.
func (m *Matrix) share() {
	most := max(coarsest, fine>>bits.Len(uint(len(m.Pairs)-1)/finePairs))
	if most == m.most {
		return
	}
	m.most = most
	for _, p := range m.Pairs {
		before := p.bytes()
		p.limit(most)
		m.bytes += p.bytes() - before
	}
}

// limit bounds the equally wide buckets of the latencies; what the clocks allow them to be need not be known as well.
func (p *Pair) limit(most int) {
	p.Latency.limit(most)
	p.low.limit(most / 4)
	p.high.limit(most / 4)
}

// Bytes is about how much memory the matrix takes. Messages that are like others take none.
func (m *Matrix) Bytes() int { return m.bytes }

func (p *Pair) bytes() int { return p.Latency.bytes() + p.low.bytes() + p.high.bytes() }
