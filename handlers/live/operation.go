package live

import (
	"context"
	"math/bits"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
)

// An operation is how one kind of request is answered.
type operation struct {
	answer       func(context.Context, *session, wire.Request) (answer, error)
	subscription bool // answered again when something in its range changed
	heavy        bool // takes a place among those that read; messages take theirs themselves, as they wait without it
}

// An answer encodes itself once its number is known.
type answer func(seq uint32) ([]byte, error)

var operations = map[wire.Op]operation{
	wire.OpStates:   {answer: answerStates, subscription: true, heavy: true},
	wire.OpMessages: {answer: answerMessages, subscription: true},
	wire.OpDensity:  {answer: answerDensity, subscription: true},
	wire.OpAt:       {answer: answerAt},
	wire.OpPoints:   {answer: answerPoints, heavy: true},
	wire.OpRan:      {answer: answerRan, subscription: true, heavy: true},
	wire.OpFilter:   {answer: answerFilter, subscription: true, heavy: true},
	wire.OpWakeups:  {answer: answerWakeups, subscription: true, heavy: true},
	wire.OpFlows:    {answer: answerFlows},
	wire.OpMeasure:  {answer: answerMeasure, subscription: true, heavy: true},
}

// edges are the columns+1 borders of equal columns over [begin, end), each
// rounded down to the ns, exactly.
func edges(begin, end int64, columns int) []int64 {
	out := make([]int64, columns+1)
	for i := range out {
		hi, lo := bits.Mul64(uint64(end-begin), uint64(i))
		q, _ := bits.Div64(hi, lo, uint64(columns))
		out[i] = begin + int64(q)
	}
	return out
}

// A horizon is how much of a request's range had been read when it was
// answered: by which another look can tell whether the answer is still right.
type horizon struct {
	version   int64 // of the solution; 0 in raw time, where it moves nothing
	reference int32 // whose clock names the times of the range; 0 in raw time
	state     ingest.State
	reach     []int64 // per host, how far into the range its history reached, local ns
	final     bool    // all is read: only the clocks can change any more
}

// atRest tells whether all of a set is read: only its clocks can change any more.
func atRest(status ingest.Status) bool {
	return !status.Preview && status.State != ingest.Uploading && status.State != ingest.Importing
}

// horizon is how much is known now of the range of a request. Messages can
// arrive late from beyond the end of the range, so there the reach is not cut off at it.
func (s *session) horizon(r wire.Request) horizon {
	status := s.set.Status()
	l := s.lens(r.Raw)
	h := horizon{state: status.State, final: atRest(status)}
	if l.solution != nil && (!r.Raw || r.Op == wire.OpMessages) {
		h.version, h.reference = l.solution.Version, l.solution.Reference
	}
	for i, host := range s.set.Hosts() {
		reach := l.local(int32(i), r.Begin)
		if history := host.History(); history != nil {
			_, now := history.Bounds()
			reach = max(reach, now)
		}
		if r.Op != wire.OpMessages {
			reach = min(reach, l.local(int32(i), r.End))
		}
		h.reach = append(h.reach, reach)
	}
	return h
}

func (h horizon) same(now horizon) bool {
	if h.version != now.version || h.state != now.state || len(h.reach) != len(now.reach) {
		return false
	}
	for i, reach := range h.reach {
		if reach != now.reach[i] {
			return false
		}
	}
	return true
}
