package handlers

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"net/http"
	"slices"
	"strconv"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/internal/natural"
	"synchroscope/sync/network"
)

const (
	defaultStretches = 256
	maxStretches     = 1024
)

// lossesAnswer is the body of GET losses.
type lossesAnswer struct {
	Begin wire.Time    `json:"begin"` // as it was asked for
	End   wire.Time    `json:"end"`
	Local bool         `json:"local"` // times are of the hosts' own clocks
	Hosts []hostLosses `json:"hosts"`
}

// hostLosses are those of a host that touch the selection.
type hostLosses struct {
	Host  string `json:"host"`
	Known bool   `json:"known"`           // when something was lost is known
	Error string `json:"error,omitempty"` // why it is not, where the file that has it is damaged
	lossAnswer
	Reaching  int64        `json:"reaching"`  // so many of the times reach out of the selection
	Stretches []lossAnswer `json:"stretches"` // each loss, or, where there are too many, those of some time together
}

// A lossAnswer is of one loss or several. Nobody knows when between its times events were lost.
type lossAnswer struct {
	Times   int64     `json:"times"` // how many losses it is of, 0 for none
	Events  int64     `json:"lost_events"`
	Packets int64     `json:"lost_packets,omitempty"` // whole ones, of an unknown number of events
	Begin   wire.Time `json:"begin"`                  // of the first, in the requested time
	End     wire.Time `json:"end"`                    // of the one that ends last
	Place   wire.Time `json:"place"`                  // behind the events of this time the first is told
	Last    wire.Time `json:"last"`                   // place of the last
	CPU     *int32    `json:"cpu"`                    // -1 where the trace does not say, null of several
}

// A hostLoss is what was lost of a host between two events of a page.
type hostLoss struct {
	Host string `json:"host"`
	lossAnswer
}

func lossAnswerOf(s ingest.LossSum, time func(int64) int64) lossAnswer {
	if s.Times == 0 {
		return lossAnswer{}
	}
	a := lossAnswer{Times: s.Times, Events: s.Events, Packets: s.Packets, Begin: wire.Time(time(s.Begin)), End: wire.Time(time(s.End)), Place: wire.Time(time(s.First)), Last: wire.Time(time(s.Final))}
	if s.CPU != ingest.SeveralCPUs {
		a.CPU = &s.CPU
	}
	return a
}

// clockOf maps local times of a host to those of a request.
func clockOf(host *ingest.Host, solution *network.Solution, local bool) func(int64) int64 {
	if local || solution == nil || int(host.Index()) >= len(solution.Hosts) {
		return func(t int64) int64 { return t }
	}
	return solution.Hosts[host.Index()].Map.Reference
}

func lossesOf(r *http.Request, set *ingest.Set) (a lossesAnswer, err error) {
	sel, err := selectionOf(r, set, "most", "placed")
	if err != nil {
		return a, err
	}
	params := r.URL.Query()
	placed, err := boolParam(params, "placed")
	if err != nil {
		return a, err
	}
	most := defaultStretches
	if value := params.Get("most"); value != "" {
		if most, err = strconv.Atoi(value); err != nil || most < 1 || most > maxStretches {
			return a, badRequest("\"most\" must be from 1 to %d, not %.40q.", maxStretches, value)
		}
	}
	a = lossesAnswer{Begin: wire.Time(sel.begin), End: wire.Time(sel.end), Local: sel.local, Hosts: []hostLosses{}}
	for _, host := range sel.hosts {
		h, err := lossesOfHost(r.Context(), host, &sel, placed, most)
		if set.Damaged(err) != nil {
			h, err = hostLosses{Host: host.Name(), Stretches: []lossAnswer{}}, nil
		}
		if h.Error = host.LossesDamaged(); h.Error != "" {
			h.Known = false
		}
		if err != nil {
			return a, err
		}
		a.Hosts = append(a.Hosts, h)
	}
	return a, nil
}

func lossesOfHost(ctx context.Context, host *ingest.Host, sel *selection, placed bool, most int) (hostLosses, error) {
	out := hostLosses{Host: host.Name(), Stretches: []lossAnswer{}}
	time := clockOf(host, sel.solution, sel.local)
	q := ingest.LossQuery{Begin: sel.begin, End: sel.end, Time: time, Placed: placed}
	for i := range most - 1 {
		q.Edges = append(q.Edges, edgeOf(sel.begin, sel.end, i, most-1))
	}
	parts, err := host.Losses(ctx, q)
	if out.Known = parts != nil; err != nil || !out.Known {
		return out, err
	}
	var all ingest.LossPart
	for _, p := range parts {
		all.Sum, all.Beyond = all.With(p.Sum), all.Beyond.With(p.Beyond)
	}
	out.lossAnswer, out.Reaching = lossAnswerOf(all.Sum, time), all.Beyond.Times
	if all.Times <= int64(most) {
		list, err := host.EachLoss(ctx, q, most)
		for _, l := range list {
			out.Stretches = append(out.Stretches, lossAnswerOf(ingest.LossSumOf(l), time))
		}
		return out, err
	}
	for _, p := range parts {
		if p.Times > 0 {
			out.Stretches = append(out.Stretches, lossAnswerOf(p.Sum, time))
		}
	}
	return out, nil
}

// edgeOf is where part i of a stretch begins that has so many.
func edgeOf(begin, end int64, i, parts int) int64 {
	hi, lo := bits.Mul64(uint64(end)-uint64(begin), uint64(i))
	step, _ := bits.Div64(hi, lo, uint64(parts))
	return int64(uint64(begin) + step)
}

// A lostBetween is a page of events of which it is to be told what was lost between them: from one time on to before another.
type lostBetween struct {
	from, to int64
}

// spanOf is from when to when the page of a query is.
func spanOf(q *eventsQuery, a *eventsAnswer) lostBetween {
	if q.backward {
		span := lostBetween{from: q.Begin, to: min(q.End, q.before.time)}
		if a.Previous != nil {
			span.from = a.Previous.time
		}
		return span
	}
	span := lostBetween{from: q.Begin, to: q.End}
	if a.Next != nil {
		span.to = a.Next.time
	}
	return span
}

// tellLost says of each event of a page what was lost since the one before it, and what behind the last. A loss stands behind the
// last event of the packet that counts it, and all others of that time: tracers write to a packet as long as it has room.
func (a *eventsAnswer) tellLost(ctx context.Context, set *ingest.Set, q *eventsQuery) error {
	span := spanOf(q, a)
	edges := []int64{span.from}
	for i := range a.Events {
		edges = append(edges, int64(a.Events[i].Time))
	}
	solution := set.Solution()
	for _, host := range set.Hosts() {
		if q.Host != "" && q.Host != host.Name() {
			continue
		}
		time := clockOf(host, solution, q.Raw)
		parts, err := host.Losses(ctx, ingest.LossQuery{Begin: span.from, End: span.to, Time: time, Placed: true, Edges: edges})
		if set.Damaged(err) != nil {
			parts, err = nil, nil
		}
		if err != nil {
			return err
		}
		if damage := host.LossesDamaged(); damage != "" {
			a.Unread = append(a.Unread, damage)
		} else if host.Undated() {
			a.Undated = append(a.Undated, host.Name())
		}
		for i, p := range parts {
			if p.Times == 0 {
				continue
			}
			to := &a.LostBehind
			if row := i - 1; row < len(a.Events) { // the first part is before the page, and empty
				to = &a.Events[row].Lost
			}
			*to = append(*to, hostLoss{host.Name(), lossAnswerOf(p.Sum, time)})
		}
	}
	for i := range a.Events {
		a.Events[i].Lost = inOrder(a.Events[i].Lost)
	}
	a.LostBehind = inOrder(a.LostBehind)
	return nil
}

func inOrder(list []hostLoss) []hostLoss {
	slices.SortStableFunc(list, func(a, b hostLoss) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Begin, b.Begin), natural.Compare(a.Host, b.Host))
	})
	return list
}

// lossStatistics are what was lost of a host in a selection, or may have been: of what reaches out of it nobody knows how much of it was in it.
type lossStatistics struct {
	Times           int64 `json:"times"`
	Events          int64 `json:"lost_events"`
	Packets         int64 `json:"lost_packets"`
	ReachingEvents  int64 `json:"reaching_events"`
	ReachingPackets int64 `json:"reaching_packets"`
}

// lossStatisticsOf is nil where nobody knows when something was lost. Times are local ns. What reaches beyond the first or the last event of the host
// is in a selection that has that.
func lossStatisticsOf(ctx context.Context, host *ingest.Host, begin, end int64) (*lossStatistics, error) {
	if h := host.History(); h != nil {
		first, last := h.Bounds()
		if begin <= first {
			begin = math.MinInt64
		}
		if end >= last {
			end = math.MaxInt64
		}
	}
	parts, err := host.Losses(ctx, ingest.LossQuery{Begin: begin, End: end})
	if err != nil || parts == nil {
		return nil, err
	}
	p := parts[0]
	return &lossStatistics{p.Times, p.Events, p.Packets, p.Beyond.Events, p.Beyond.Packets}, nil
}
