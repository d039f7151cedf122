package handlers

import (
	"context"
	"math"
	"net/http"
	"slices"
	"sync"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
	"synchroscope/sync/traffic"
)

const (
	// slowestTold is how many requests an answer has at most.
	slowestTold = 50
	// huntsKept bounds the questions whose requests are kept, those asked last; one that is not done takes up to 8 MB.
	huntsKept = 8
	// beside is how far before and after a stretch messages are looked at for what was under way at its ends, ns.
	beside = 10e9
)

// requestsAnswer is the body of GET messages/requests.
type requestsAnswer struct {
	Begin    *wire.Time `json:"begin"` // as asked for, null for the whole set
	End      *wire.Time `json:"end"`
	Local    bool       `json:"local"` // begin, end and the times of requests are by the hosts' own clocks
	Version  int64      `json:"version"`
	Known    bool       `json:"known"`    // false while the set is imported: more may be read of the stretch
	Complete bool       `json:"complete"` // no message that is read is left out: else the same question goes on
	Requests int64      `json:"requests"`
	Median   int64      `json:"median_ns"` // of how long they took, exact of 1024 and within a 32nd beyond; 0 without any
	P95      int64      `json:"p95_ns"`
	Unsure   int64      `json:"unsure"` // requests that are left out, for events or whole packets of them were lost meanwhile or may have been, or a clock was set
	// Undated are hosts of which whole packets of events were lost and nobody knows when: a request there may be wrong, and is not left out.
	Undated []string `json:"undated"`
	// Unrelated are the messages looked at, in the stretch and beside it, between hosts that nothing relates: their order is not known.
	Unrelated int64            `json:"unrelated"`
	Slowest   []requestMessage `json:"slowest"` // the longest first
}

// requestMessage is a request. How long it took is between two times of the client, how long it was served between two of the server.
type requestMessage struct {
	Client       string    `json:"client"`
	ClientPort   uint16    `json:"client_port"`
	ClientThread int32     `json:"client_tid"` // -1 not known
	Server       string    `json:"server"`
	ServerPort   uint16    `json:"server_port"`
	ServerThread int32     `json:"server_tid"`
	Asked        wire.Time `json:"asked"` // by the client
	Answered     wire.Time `json:"answered"`
	Took         int64     `json:"took_ns"`
	First        int64     `json:"first_ns"` // until the first of the answer came
	Served       int64     `json:"served_ns"`
}

// requestsOf answers GET messages/requests: what was asked and answered over TCP, or was under way, in a stretch, and which of it took longest.
func (s *Server) requestsOf(r *http.Request, set *ingest.Set) (a requestsAnswer, err error) {
	q, err := query(r, "a", "b", "begin", "end", "local")
	if err != nil {
		return a, err
	}
	question, solution, err := tallyQuestionOf(set, q, false)
	if err != nil {
		return a, err
	}
	if q.Has("a") || q.Has("b") {
		if question.pair, err = pairParam(set, q); err != nil {
			return a, err
		}
	}
	hosts := set.Hosts()
	a.Begin, a.End = question.asked(q)
	a.Local, a.Version, a.Known, a.Slowest, a.Undated = question.local, question.version, question.ready, []requestMessage{}, []string{}
	for i, host := range hosts {
		asked := question.wanted() == nil || slices.Contains(question.pair[:], int32(i))
		if asked && host.LostSometime() {
			a.Undated = append(a.Undated, host.Name())
		}
	}
	err = s.hunted(r.Context(), set, solution, question, func(done bool, h *hunt) {
		found := h.found
		a.Complete, a.Requests, a.Unsure, a.Unrelated = done, found.Count, h.unsure, h.unrelated
		a.Median, a.P95 = found.Times.Quantile(0.5), found.Times.Quantile(0.95)
		for _, x := range found.Slowest() {
			a.Slowest = append(a.Slowest, requestMessage{
				Client: hosts[x.Client].Name(), ClientPort: x.ClientPort, ClientThread: x.ClientThread,
				Server: hosts[x.Server].Name(), ServerPort: x.ServerPort, ServerThread: x.ServerThread,
				Asked: wire.Time(x.Asked), Answered: wire.Time(x.Answered), Took: x.Took(), First: x.First - x.Asked, Served: x.Served(),
			})
		}
	})
	return a, err
}

// A hunt is for the requests of a stretch, whose messages may be too many for one answer: whoever asks again goes on where the last one stopped.
type hunt struct {
	question tallyQuestion

	mu        sync.Mutex
	next, end int64 // time to go on from, that of the synchronization also where a stretch of local time is asked for
	found     *traffic.Requests

	unsure, unrelated int64
}

// newHunt goes through messages in the order of the synchronization even where the stretch is of the hosts' own clocks: by these an answer may seem to
// come seconds before its question. By the own clock of either of its hosts a request is under way in a stretch. It looks at messages before the stretch and after it, too, so that what was under way at its ends is found whole.
// Where events were lost meanwhile, alone or in whole packets, or a clock was set, nobody knows which answer was to which question.
func newHunt(set *ingest.Set, q tallyQuestion, clocks *network.Solution) *hunt {
	h := &hunt{question: q, next: q.begin, end: q.end}
	at := func(host int32, local int64) int64 { return local }
	if clocks != nil && !q.local {
		at = func(host int32, local int64) int64 { return reference(clocks, host, local) }
	}
	begin, end := everything()
	whole := q.begin == begin && q.end == end
	hosts := set.Hosts()
	h.found = traffic.NewRequests(at, func(r *traffic.Request) bool {
		under := func(host int32, from, to int64) bool { return at(host, from) < q.end && at(host, to) >= q.begin }
		if !whole && !under(r.Client, r.Asked, r.Answered) && !under(r.Server, r.Began, r.Replied) {
			return false
		}
		if hosts[r.Client].LostBetween(r.Asked, r.Answered+1) || hosts[r.Server].LostBetween(r.Began, r.Replied+1) ||
			wasSet(at, r.Client, r.Asked, r.Answered) || wasSet(at, r.Server, r.Began, r.Replied) {
			h.unsure++
			return false
		}
		return true
	}, slowestTold)
	if whole {
		return h
	}
	if q.local && clocks != nil {
		h.next, h.end = math.MaxInt64, math.MinInt64
		for i := range clocks.Hosts {
			m := clocks.Hosts[i].Map
			h.next, h.end = min(h.next, m.Reference(q.begin)), max(h.end, m.Reference(q.end))
		}
	}
	h.next, h.end = h.next-beside, h.end+beside
	return h
}

// add takes a message; between hosts that nothing relates there is no order in which a question comes before its answer.
func (h *hunt) add(clocks *network.Solution) func(m *match.Message) {
	return func(m *match.Message) {
		if clocks != nil && !clocks.Related(m.From, m.To) {
			h.unrelated++
			return
		}
		h.found.Add(m)
	}
}

// wasSet tells whether a host's clock was set in a stretch of its time: by another clock it is a thousandth longer, or shorter, than any that runs drifts.
func wasSet(at func(host int32, local int64) int64, host int32, begin, end int64) bool {
	own, other := end-begin, at(host, end)-at(host, begin)
	return max(own-other, other-own) > own/1000+1000
}

// reference is a time of a host in that of a solution; a host that it does not know of has its own.
func reference(clocks *network.Solution, host int32, local int64) int64 {
	if int(host) >= len(clocks.Hosts) {
		return local
	}
	return clocks.Hosts[host].Map.Reference(local)
}

// hunted answers a question as far as one answer goes, and calls say with what was found while nobody else adds to it.
func (s *Server) hunted(ctx context.Context, set *ingest.Set, clocks *network.Solution, q tallyQuestion, say func(done bool, h *hunt)) error {
	h := s.hunts.of(func(h *hunt) bool { return h.question == q }, func() *hunt { return newHunt(set, q, clocks) }, huntsKept)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.next < h.end {
		next, err := set.MessagesFrom(ctx, h.next, h.end, clocks, q.wanted(), s.tallies.atOnce, h.add(clocks))
		if err != nil {
			s.hunts.forget(h) // what was added is half of a part
			return err
		}
		h.next = next
	}
	done := h.next >= h.end
	if done {
		h.found.Finish()
		if !q.ready {
			s.hunts.forget(h)
		}
	}
	say(done, h)
	return nil
}
