package query

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// Calls are the system calls of threads in a selection, with how long each name took.
type Calls struct {
	Names      []CallTimes       // longest together first
	Threads    []Call            // the longest of each thread that has some in Names, longest first
	Open       []attribute.Quark // the other threads that had calls, none of which was seen to return
	Counted    uint64            // calls that are in Names, but for those below
	Unfinished uint64            // calls that were not seen to return before events were lost: how long they took nobody knows
	Ongoing    uint64            // calls that had not returned where the history ends: they go on, as far as is read
	All        uint64            // calls that touch the selection
	Until      int64             // local ns: the calls that touch the selection before it were counted; its end if these are all
}

// CallTimes tell how long the calls of one name took, from entry to exit, also outside the selection.
type CallTimes struct {
	Name    string
	Times   []int64 // ns, ascending, one for each call
	Sum     int64
	Longest Call // of several that took as long the first
}

// A Call is one system call of a thread, from entry to exit, also outside the selection.
type Call struct {
	Thread     attribute.Quark // Threads/<tid>
	Name       string
	Begin, End int64 // local ns
}

// Quantile is the shortest time that so many of a thousand calls, 1 to 1000, did not exceed: a time that one of them took.
func (c *CallTimes) Quantile(permille int) int64 {
	return c.Times[(len(c.Times)*permille+999)/1000-1]
}

// A Recording tells what a history does not.
type Recording struct {
	All bool // the history has all of it, and no more is read
	// Lost tells whether something was lost, or may have been, at times of a stretch, local ns; nil where nothing was.
	Lost func(ctx context.Context, begin, end int64) (at func(t int64) bool, err error)
}

// CallsOf looks at every system call of threads, quarks of Threads/<tid>, that touches [begin, end), local ns, one by one; of
// more than limit at those that touch a part from begin on, as large as makes no more of them.
func CallsOf(ctx context.Context, h *history.History, of Recording, threads []attribute.Quark, begin, end int64, limit int) (*Calls, error) {
	var quarks []attribute.Quark
	for _, q := range threads {
		if c := child(h, q, "System_call"); c != attribute.None {
			quarks = append(quarks, c)
		}
	}
	out := &Calls{Until: end}
	active, all, err := calling(ctx, h, quarks, begin, end)
	if err != nil {
		return nil, err
	}
	out.All = all
	for lo, hi := begin, end; all > uint64(limit); {
		middle := lo + int64(uint64(hi-lo)/2)
		if middle == lo {
			out.Until = lo
			break
		}
		some, n, err := calling(ctx, h, active, begin, middle)
		switch {
		case err != nil:
			return nil, err
		case n > uint64(limit):
			hi = middle
			continue
		}
		lo, out.Until = middle, middle
		if n > uint64(limit)*7/8 || hi-lo < 2 {
			active = some
			break
		}
	}
	return out, out.count(ctx, h, of, active, begin)
}

// calling tells which of the quarks have calls that touch [begin, end), and how many there are.
func calling(ctx context.Context, h *history.History, quarks []attribute.Quark, begin, end int64) (active []attribute.Quark, calls uint64, err error) {
	totals, err := h.Totals(ctx, quarks, begin, end)
	if err != nil {
		return nil, 0, err
	}
	for i, q := range quarks {
		before := calls
		for _, t := range totals[i] {
			if t.Value.IsString() {
				calls += t.Count
			}
		}
		if calls > before {
			active = append(active, q)
		}
	}
	return active, calls, nil
}

func (c *Calls) count(ctx context.Context, h *history.History, of Recording, quarks []attribute.Quark, begin int64) error {
	_, last := h.Bounds()
	lost, err := lostSightOf(ctx, h, quarks, begin, c.Until)
	if err != nil {
		return err
	}
	times := make(map[history.Value][]int64)
	longest := make(map[history.Value]history.Interval)
	ofThread := make(map[attribute.Quark]history.Interval)
	open := make(map[attribute.Quark]bool)
	miss := func(iv history.Interval, count *uint64) {
		*count++
		open[iv.Quark] = true
	}
	add := func(iv history.Interval) {
		c.Counted++
		times[iv.Value] = append(times[iv.Value], iv.End-iv.Start)
		if most, ok := longest[iv.Value]; !ok || tookLonger(iv, most) < 0 {
			longest[iv.Value] = iv
		}
		if most, ok := ofThread[iv.Quark]; !ok || tookLonger(iv, most) < 0 {
			ofThread[iv.Quark] = iv
		}
	}
	var beyond, unseen []history.Interval // beyond are at most one of each thread
	err = h.Range(ctx, quarks, begin, c.Until, func(iv history.Interval) bool {
		if !iv.Value.IsString() {
			return true
		}
		gone, blind := lost.at(iv.Quark, iv.End)
		switch {
		case iv.End >= last:
			miss(iv, &c.Ongoing)
		case gone:
			miss(iv, &c.Unfinished)
		case iv.End >= c.Until:
			beyond = append(beyond, iv)
		case blind && of.Lost != nil:
			unseen = append(unseen, iv)
		default:
			add(iv)
		}
		return true
	})
	p := point{ctx: ctx, h: h, err: err}
	for _, iv := range beyond {
		p.t = iv.End
		s := p.interval(h.Attributes().Parent(iv.Quark))
		switch unknown := state(s.Value) == uint8(kernel.Unknown); {
		case unknown && s.Start == iv.End:
			miss(iv, &c.Unfinished)
		case unknown && of.Lost != nil:
			unseen = append(unseen, iv)
		default:
			add(iv)
		}
	}
	c.judge(&p, of, unseen, last, add, miss)
	for v, list := range times {
		slices.Sort(list)
		t := CallTimes{Name: h.String(v), Times: list, Longest: callOf(h, longest[v])}
		for _, ns := range list {
			t.Sum += ns
		}
		c.Names = append(c.Names, t)
	}
	slices.SortFunc(c.Names, func(a, b CallTimes) int { return cmp.Or(cmp.Compare(b.Sum, a.Sum), cmp.Compare(a.Name, b.Name)) })
	for _, iv := range slices.SortedFunc(maps.Values(ofThread), tookLonger) {
		c.Threads = append(c.Threads, callOf(h, iv))
		delete(open, iv.Quark)
	}
	for _, q := range slices.Sorted(maps.Keys(open)) {
		c.Open = append(c.Open, h.Attributes().Parent(q))
	}
	return p.err
}

// tookLonger orders calls by how long they took, the longest first, and those that took as long by when they began.
func tookLonger(a, b history.Interval) int {
	return cmp.Or(cmp.Compare(b.End-b.Start, a.End-a.Start), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Quark, b.Quark))
}

func callOf(h *history.History, iv history.Interval) Call {
	return Call{Thread: h.Attributes().Parent(iv.Quark), Name: h.String(iv.Value), Begin: iv.Start, End: iv.End}
}

// judge counts calls whose ends their threads do not show, and adds those that returned: where something was lost at the end of one, that is where it was lost sight
// of. While more is read, it is not told yet of every loss that there was something; but nothing is known of the thread from there on then.
func (c *Calls) judge(p *point, of Recording, calls []history.Interval, last int64, add func(history.Interval), miss func(iv history.Interval, count *uint64)) {
	if len(calls) == 0 || p.err != nil {
		return
	}
	begin, end := calls[0].End, calls[0].End
	for _, iv := range calls {
		begin, end = min(begin, iv.End), max(end, iv.End)
	}
	lost, err := of.Lost(p.ctx, begin, end+1)
	if err != nil {
		p.err = err
		return
	}
	for _, iv := range calls {
		p.t = iv.End
		switch {
		case lost(iv.End):
			miss(iv, &c.Unfinished)
		case !of.All && p.interval(iv.Quark).End >= last:
			miss(iv, &c.Ongoing)
		default:
			add(iv)
		}
	}
}
