package handlers

import (
	"cmp"
	"context"
	"net/http"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/state/attribute"
	"synchroscope/state/kernel"
	attributes "synchroscope/state/query"
)

const (
	mostCalls  = 2 << 20  // system calls that are looked at one by one for an answer, shared by its hosts
	leastCalls = 20 << 10 // of a host
	mostNames  = 200      // of system calls of a host, those that took longest together
	mostOwners = 2000     // threads of a host whose longest call is told: those that are asked for, or else those with the longest ones
)

// callsAnswer is the body of GET calls: how long system calls took, from entry to exit.
type callsAnswer struct {
	Begin wire.Time   `json:"begin"` // as it was asked for
	End   wire.Time   `json:"end"`
	Local bool        `json:"local"`
	Hosts []hostCalls `json:"hosts"`
}

type hostCalls struct {
	Host       string     `json:"host"`
	All        uint64     `json:"all"`                         // calls that touch the selection
	Counted    uint64     `json:"counted"`                     // of them, those below
	Unfinished uint64     `json:"unfinished"`                  // of them, those that were not seen to return before the end of the recording or a loss
	Ongoing    uint64     `json:"ongoing,omitempty"`           // of them, those that go on where what is read ends: how long they take is still to be read
	Until      *wire.Time `json:"local_until"`                 // if they are too many: those that touch the selection before this time were looked at
	Known      *wire.Time `json:"local_known_until,omitempty"` // as in statistics
	Calls      []callTime `json:"calls"`                       // longest together first
	Threads    []oneCall  `json:"threads"`                     // the longest call of each thread, longest first
	Open       []int32    `json:"open,omitempty"`              // threads that had calls, none of which was seen to return
	Untold     int        `json:"untold,omitempty"`            // threads that are left out of these two
	Others     int        `json:"others"`                      // names that are left out
	Error      string     `json:"error,omitempty"`             // which file of the host is damaged: nothing of it is told
}

// callTime tells of the calls of a name. All times are ns, and exact.
type callTime struct {
	Name   string     `json:"name"`
	Count  int        `json:"count"`
	Sum    int64      `json:"ns"`
	Least  int64      `json:"least_ns"`
	Median int64      `json:"median_ns"` // a time that a call took: half of them took as long or less
	P90    int64      `json:"p90_ns"`
	P99    int64      `json:"p99_ns"`
	Most   int64      `json:"most_ns"`
	Bins   [][2]int64 `json:"bins"` // [from, count]: calls from so many ns until before the next of 1, 2, 5, 10, 20, ...; empty ones left out

	Longest oneCall `json:"longest"` // the one that took most_ns, of several the first
}

// oneCall tells which call of a host one was, with all its time from entry to exit, also outside the selection.
type oneCall struct {
	Name       string    `json:"name"`
	TID        int32     `json:"tid"`
	Thread     string    `json:"thread"` // the thread's name
	Begin      wire.Time `json:"begin"`  // by the clocks asked for
	End        wire.Time `json:"end"`
	LocalBegin wire.Time `json:"local_begin"` // by the host's own
	LocalEnd   wire.Time `json:"local_end"`
}

func callsOf(r *http.Request, set *ingest.Set) (a callsAnswer, err error) {
	sel, err := selectionOf(r, set, "thread")
	if err != nil {
		return a, err
	}
	tids, err := threadsParam(r, mostOwners)
	if err != nil {
		return a, err
	}
	a = callsAnswer{Begin: wire.Time(sel.begin), End: wire.Time(sel.end), Local: sel.local, Hosts: []hostCalls{}}
	limit := callsOfOne(len(sel.hosts))
	for _, host := range sel.hosts {
		from, to := sel.of(host)
		threads, _ := host.Threads(0)
		if len(tids) > 0 {
			threads = threadsOf(threads, tids...)
		}
		reach := host.Known()
		h, err := callsOfHost(r.Context(), host, reach.All, threads, from, to, limit, func(local int64) int64 { return sel.shown(host, local) })
		if fault := set.Damaged(err); fault != nil {
			h, err = hostCalls{Host: host.Name(), Error: fault.Sentence(), Calls: []callTime{}, Threads: []oneCall{}}, nil
		}
		if err != nil {
			return a, err
		}
		if reach.All {
			h.Unfinished, h.Ongoing = h.Unfinished+h.Ongoing, 0
		}
		h.Known = cmp.Or(knownUntil(reach, from, to), going(reach, h.Ongoing > 0))
		a.Hosts = append(a.Hosts, h)
	}
	return a, nil
}

// callsOfHost looks at calls from begin until before end, local ns; shown is what such a time is by the clocks asked for.
func callsOfHost(ctx context.Context, host *ingest.Host, all bool, threads []kernel.Thread, begin, end int64, limit int, shown func(local int64) int64) (hostCalls, error) {
	out := hostCalls{Host: host.Name(), Calls: []callTime{}, Threads: []oneCall{}}
	h, err := host.States()
	if h == nil {
		return out, err
	}
	first, last := h.Bounds()
	if begin, end = max(begin, first), min(end, last); begin >= end {
		return out, nil
	}
	of := make(map[attribute.Quark]kernel.Thread, len(threads))
	for _, t := range threads {
		of[attribute.Quark(t.Quark)] = t
	}
	told := func(c attributes.Call) oneCall {
		t := of[c.Thread]
		return oneCall{
			Name: c.Name, TID: t.TID, Thread: t.Name, Begin: wire.Time(shown(c.Begin)), End: wire.Time(shown(c.End)),
			LocalBegin: wire.Time(c.Begin), LocalEnd: wire.Time(c.End),
		}
	}
	calls, err := attributes.CallsOf(ctx, h, attributes.Recording{All: all, Lost: host.LostIn}, quarksOf(threads), begin, end, limit)
	if err != nil {
		return out, err
	}
	out.All, out.Counted, out.Unfinished, out.Ongoing = calls.All, calls.Counted, calls.Unfinished, calls.Ongoing
	if calls.Until < end {
		until := wire.Time(calls.Until)
		out.Until = &until
	}
	out.Others = max(0, len(calls.Names)-mostNames)
	for _, c := range calls.Names[:len(calls.Names)-out.Others] {
		out.Calls = append(out.Calls, callTime{
			Name: c.Name, Count: len(c.Times), Sum: c.Sum, Least: c.Times[0], Median: c.Quantile(500), P90: c.Quantile(900),
			P99: c.Quantile(990), Most: c.Quantile(1000), Bins: binned(c.Times), Longest: told(c.Longest),
		})
	}
	for _, c := range calls.Threads[:min(len(calls.Threads), mostOwners)] {
		out.Threads = append(out.Threads, told(c))
	}
	for _, q := range calls.Open[:min(len(calls.Open), mostOwners-len(out.Threads))] {
		out.Open = append(out.Open, of[q].TID)
	}
	out.Untold = len(calls.Threads) + len(calls.Open) - len(out.Threads) - len(out.Open)
	return out, nil
}

// binned counts times, ascending, between 0, 1, 2, 5, 10, 20, ... ns.
func binned(times []int64) (bins [][2]int64) {
	low, high, step := int64(0), int64(1), 0
	for _, ns := range times {
		for ns >= high && high < 1<<62 {
			low = high
			switch step++; step % 3 {
			case 2: // from 2 to 5
				high = high / 2 * 5
			default:
				high *= 2
			}
		}
		if n := len(bins); n > 0 && bins[n-1][0] == low {
			bins[n-1][1]++
		} else {
			bins = append(bins, [2]int64{low, 1})
		}
	}
	return bins
}
