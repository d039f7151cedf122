package handlers

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
	attributes "synchroscope/state/query"
	"synchroscope/sync/match"
)

// sumsAnswer is the body of GET sums: what a stretch of time comes to, in a few numbers. Unlike
// statisticsAnswer it leaves no thread out, be it one that only slept.
type sumsAnswer struct {
	Begin    wire.Time  `json:"begin"` // as it was asked for
	End      wire.Time  `json:"end"`
	Local    bool       `json:"local"`           // begin and end are the hosts' own
	Known    bool       `json:"known"`           // false while the set is imported: more may be read of the stretch
	Threads  int        `json:"threads"`         // that were there
	States   []stateSum `json:"states"`          // by code
	Messages int64      `json:"messages"`        // with an end at one of the hosts
	Calls    []callSum  `json:"calls,omitempty"` // of one thread alone, longest first
}

// callSum is what a thread spent in the system calls of a name, with the time it slept or was interrupted in them.
type callSum struct {
	Name  string `json:"name"`
	Time  int64  `json:"ns"`
	Count uint64 `json:"count"` // that touch the stretch
	Began uint64 `json:"began"` // that began in it
}

// stateSum is what threads together spent in a state.
type stateSum struct {
	Name    string `json:"name"`
	Code    uint8  `json:"code"`
	Time    int64  `json:"ns"`      // of the hosts' own clocks
	Threads int    `json:"threads"` // that were in it
}

func sumsOf(r *http.Request, set *ingest.Set) (a sumsAnswer, err error) {
	sel, err := selectionOf(r, set, "thread")
	if err != nil {
		return a, err
	}
	tid, one, err := threadParam(r)
	if err != nil {
		return a, err
	}
	a = sumsAnswer{Begin: wire.Time(sel.begin), End: wire.Time(sel.end), Local: sel.local, States: []stateSum{}, Known: set.Status().State == ingest.Ready}
	var sums [math.MaxUint8 + 1]stateSum
	for _, host := range sel.hosts {
		begin, end := sel.of(host)
		threads, _ := host.Threads(0)
		if one {
			threads = threadsOf(threads, tid)
		}
		n, err := addStates(r.Context(), &sums, host, threads, begin, end)
		if err != nil {
			return a, err
		}
		a.Threads += n
		if one {
			if a.Calls, err = callsOfThread(r.Context(), host, threads, begin, end); err != nil {
				return a, err
			}
		}
	}
	for _, sum := range sums {
		if sum.Time > 0 {
			a.States = append(a.States, sum)
		}
	}
	a.Messages, err = messagesOf(r.Context(), set, &sel)
	return a, err
}

// addStates adds what threads of a host did in a stretch of its local time, and tells how many of them were there.
func addStates(ctx context.Context, sums *[math.MaxUint8 + 1]stateSum, host *ingest.Host, threads []kernel.Thread, begin, end int64) (int, error) {
	h, err := host.States()
	if h == nil {
		return 0, err
	}
	all, err := attributes.Statuses(ctx, h, quarksOf(threads), begin, end)
	there := 0
	for _, parts := range all {
		if len(parts) > 0 {
			there++
		}
		for _, part := range parts {
			sum := &sums[part.Status]
			sum.Name, sum.Code = part.Name, part.Status
			sum.Time += part.Time
			sum.Threads++
		}
	}
	return there, err
}

// callsOfThread adds up the system calls of the one thread there is, if there is one.
func callsOfThread(ctx context.Context, host *ingest.Host, threads []kernel.Thread, begin, end int64) (sums []callSum, err error) {
	h, err := host.States()
	if h == nil || len(threads) == 0 {
		return nil, err
	}
	calls, err := attributes.CallsOfThread(ctx, h, attribute.Quark(threads[0].Quark), begin, end)
	for _, c := range calls {
		sums = append(sums, callSum{Name: c.Name, Time: c.Time, Count: c.Count, Began: c.Began})
	}
	return sums, err
}

// messagesOf counts the messages of a selection.
func messagesOf(ctx context.Context, set *ingest.Set, sel *selection) (n int64, err error) {
	err = sel.eachMessage(ctx, set, func(match.Message, int64, int64) { n++ })
	return n, err
}

// threadsOf are those of some numbers.
func threadsOf(threads []kernel.Thread, tids ...int32) (of []kernel.Thread) {
	wanted := make(map[int32]bool, len(tids))
	for _, tid := range tids {
		wanted[tid] = true
	}
	for _, t := range threads {
		if wanted[t.TID] {
			of = append(of, t)
		}
	}
	return of
}

// quarksOf are the attributes of threads.
func quarksOf(threads []kernel.Thread) []attribute.Quark {
	quarks := make([]attribute.Quark, len(threads))
	for i, t := range threads {
		quarks[i] = attribute.Quark(t.Quark)
	}
	return quarks
}

// threadParam reads the number of a thread, which only together with its host means one.
func threadParam(r *http.Request) (tid int32, given bool, err error) {
	tids, err := threadsParam(r, 1)
	if len(tids) == 0 {
		return 0, false, err
	}
	return tids[0], true, err
}

// threadsParam reads the numbers of up to so many threads of a host, with commas between them; none are all.
func threadsParam(r *http.Request, most int) (tids []int32, err error) {
	q := r.URL.Query()
	value := q.Get("thread")
	if value == "" {
		return nil, nil
	}
	what := "the number of a thread"
	if most > 1 {
		what = fmt.Sprintf("the numbers of up to %d threads, with commas between them", most)
	}
	for one := range strings.SplitSeq(value, ",") {
		n, err := strconv.ParseInt(one, 10, 32)
		if err != nil || n < 0 || len(tids) == most {
			return nil, badRequest(`"thread" must be %s, not %.40q.`, what, value)
		}
		tids = append(tids, int32(n))
	}
	if q.Get("host") == "" {
		return nil, badRequest(`"thread" needs "host".`)
	}
	return tids, nil
}
