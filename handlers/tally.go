package handlers

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"synchroscope/ingest"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/sync/traffic"
)

const (
	// talliedAtOnce bounds the messages that are read for one answer, give or take a block of 256.
	talliedAtOnce = 1 << 20
	// talliesKept bounds the sums that are kept, those asked for last.
	talliesKept = 24
	// tallyBytes bounds the memory of one tally, and of all that are kept: 3500 pairs, those of 60 hosts, take some 60 MB
	// where latencies are between 50 µs and 5 ms.
	tallyBytes = 256 << 20
)

// A tallyQuestion is what messages are added up for. Equal questions have equal sums.
type tallyQuestion struct {
	set        string
	version    int64 // of the clocks
	ready      bool  // no message comes any more
	paired     bool  // errors go by the comparisons of hosts
	begin, end int64
	local      bool
	pair       [2]int32 // both 0 for all pairs
	columns    int      // of the cells of a pair's dots
}

// pairedFor is a solution with the comparisons of hosts, where they are known, which the question then says: sums of before they were are others.
func pairedFor(ctx context.Context, set *ingest.Set, solution *network.Solution, q *tallyQuestion) (*network.Solution, error) {
	with, err := set.Paired(ctx, solution)
	q.paired = with != solution
	return with, err
}

// clocks are those that are asked for: a solution's, or nil for the hosts' own.
func (q *tallyQuestion) clocks(s *network.Solution) *network.Solution {
	if q.local {
		return nil
	}
	return s
}

// wanted are the two hosts that are asked about, nil for all.
func (q *tallyQuestion) wanted() *[2]int32 {
	if q.pair == [2]int32{} {
		return nil
	}
	return &q.pair
}

// A tally is sums over messages that may be too many for one answer: it takes a part of them at
// a time, and whoever asks again goes on where the last one stopped.
type tally struct {
	question tallyQuestion

	mu     sync.Mutex
	next   int // block to go on from, less than 0 at the end
	read   int64
	matrix traffic.Matrix
	cloud  *traffic.Cloud // of a pair, of what was sent in the range
	bytes  atomic.Int64   // of the matrix, as of the last answer
}

// tallies keeps the tallies that were asked for last, so that the sums over a whole set are made once.
type tallies struct {
	lately[tally]
	atOnce int // messages read for one answer
	most   int // bytes of one tally, and of all that are kept
}

// newTally is an empty tally. Cells of a pair's dots are parts of the stretch [begin, end) of the range, in which the pair sent messages.
func newTally(q tallyQuestion, begin, end int64) *tally {
	t := &tally{question: q}
	if q.wanted() != nil {
		t.cloud = traffic.NewCloud(begin, end, q.columns, mostDots)
	}
	return t
}

// stretchOf is the part of a question's range in which its pair sent messages: nothing of it where there is no such pair, or none was sent.
func stretchOf(set *ingest.Set, solution *network.Solution, q tallyQuestion) (begin, end int64, err error) {
	if q.wanted() == nil {
		return q.begin, q.begin, nil
	}
	first, last, ok, err := set.Sent(q.begin, q.end, solution, q.pair)
	if !ok || err != nil {
		return q.begin, q.begin, err
	}
	return first, last + 1, nil
}

// shrink drops tallies but t, those asked for longest ago first, until what is kept is within bounds.
func (all *tallies) shrink(t *tally) {
	all.mu.Lock()
	defer all.mu.Unlock()
	var bytes int64
	for _, k := range all.kept {
		bytes += k.bytes.Load()
	}
	all.kept = slices.DeleteFunc(all.kept, func(k *tally) bool {
		if k == t || bytes <= int64(all.most) {
			return false
		}
		bytes -= k.bytes.Load()
		return true
	})
}

// tallied answers a question as far as one answer goes, and calls say with the tally while nobody else adds to it.
func (s *Server) tallied(ctx context.Context, set *ingest.Set, solution *network.Solution, q tallyQuestion, say func(t *tally)) error {
	solution = q.clocks(solution)
	begin, end, err := stretchOf(set, solution, q)
	if err != nil {
		return err
	}
	t := s.tallies.of(func(t *tally) bool { return t.question == q }, func() *tally { return newTally(q, begin, end) }, talliesKept)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.next >= 0 {
		add := func(m match.Message, sent, received int64) {
			if t.matrix.Bytes() > s.tallies.most {
				return
			}
			p := traffic.Pass(solution, m, sent, received)
			t.read++
			t.matrix.Add(&p)
			if t.cloud != nil && sent >= q.begin && sent < q.end {
				t.cloud.Add(&p)
			}
		}
		if t.next, err = set.ScanMessages(ctx, q.begin, q.end, solution, q.wanted(), t.next, s.tallies.atOnce, add); err != nil {
			return err
		}
		if t.matrix.Bytes() > s.tallies.most {
			s.tallies.forget(t)
			return badRequest("The messages of this range are between too many hosts, and their latencies too far apart, to be added up; choose a shorter range.")
		}
		t.bytes.Store(int64(t.matrix.Bytes()))
		s.tallies.shrink(t)
	}
	if t.next < 0 && !q.ready {
		s.tallies.forget(t)
	}
	say(t)
	return nil
}

// pairMessages is what went from one host to another.
type pairMessages struct {
	From       string `json:"from"`
	To         string `json:"to"`
	Messages   int64  `json:"messages"`
	Bytes      int64  `json:"bytes"`        // as far as the traces tell
	BeforeSent int64  `json:"before_sent"`  // received before sent
	Beyond     int64  `json:"beyond_error"` // of these, by more than the error of the clocks there, or where none is known
	Least      *int64 `json:"least_ns"`     // latency by the clocks asked for; null of hosts that nothing relates
	Median     *int64 `json:"median_ns"`    // or what GET sync tells of the link
	Most       *int64 `json:"most_ns"`
	Error      *int64 `json:"error_ns"` // of the median; null unknown; by the hosts' own clocks what is rounded alone
}

// pairMessagesOf tells of a pair of hosts by a solution's clocks, or, without one, by the hosts' own.
func pairMessagesOf(p *traffic.Pair, hosts []*ingest.Host, pair [2]int32, s *network.Solution) pairMessages {
	out := pairMessages{From: hosts[pair[0]].Name(), To: hosts[pair[1]].Name(), Messages: p.Messages, Bytes: p.Bytes, BeforeSent: p.Backward, Beyond: p.Beyond}
	median, bound, known := p.MedianBy(s, pair[0], pair[1])
	if !known {
		return out
	}
	least, most := p.Least, p.Most
	out.Least, out.Median, out.Most = &least, &median, &most
	if s == nil {
		bound = p.Rounding(median)
	}
	if bound >= 0 {
		out.Error = &bound
	}
	return out
}

// everything is a range that holds all times.
func everything() (begin, end int64) { return math.MinInt64 / 2, math.MaxInt64 / 2 }
